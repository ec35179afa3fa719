import Foundation

/// A tile as it is stored: packed, and read in place.
///
/// Little-endian: `SLTERR1` and a line feed, u16 heights along a side, i16 latitude and longitude of its corner, u16 0; then where each
/// block of 64 × 64 heights begins (u32, one more than there are blocks), then the blocks, row by row. A block has its lowest height (i16),
/// a byte with the bits that each height above it takes (the highest bit: there are voids, all ones), and the heights, row by
/// row, the lowest bit first. A height is found without unpacking any other.
struct StoredTile: Sendable {
  let id: TerrainTileID
  let side: Int
  private let data: Data
  private let blocks: Int

  static let block = 64
  private static let signature = Array("SLTERR1\n".utf8)
  private static let head = 16

  /// Takes a stored file over; it stays where it is, mapped into memory.
  init(_ data: Data, name: String) throws(TerrainProblem) {
    self.data = data
    guard data.count > Self.head, data.prefix(8).elementsEqual(Self.signature) else { throw .damaged(name) }
    side = Int(Self.u16(data, 8))
    blocks = (side + Self.block - 1) / Self.block
    guard HGTFile.sides.contains(side),
      let id = TerrainTileID(
        latitude: Int(Int16(bitPattern: Self.u16(data, 10))),
        longitude: Int(Int16(bitPattern: Self.u16(data, 12)))
      ),
      data.count >= Self.head + 4 * (blocks * blocks + 1)
    else { throw .damaged(name) }
    self.id = id
    guard start(of: blocks * blocks) == data.count else { throw .damaged(name) }
  }

  /// Metres over the sea, between the four heights around a place; `nil` where one of them is a void, or for a place elsewhere.
  func height(latitudeDegrees: Double, longitudeDegrees: Double) -> Double? {
    let last = Double(side - 1)
    let y = (Double(id.latitude) + 1 - latitudeDegrees) * last
    let x = (longitudeDegrees - Double(id.longitude)) * last
    guard 0...last ~= y, 0...last ~= x, let row = Int(exactly: min(y.rounded(.down), last - 1)),
      let column = Int(exactly: min(x.rounded(.down), last - 1))
    else { return nil }
    let (down, right) = (y - Double(row), x - Double(column))
    var sum = 0.0
    for (i, j, weight) in [
      (0, 0, (1 - down) * (1 - right)), (0, 1, (1 - down) * right), (1, 0, down * (1 - right)), (1, 1, down * right),
    ] where weight > 0 {
      guard let height = self[row + i, column + j] else { return nil }
      sum += weight * Double(height)
    }
    return sum
  }

  /// A height by row and column, which are inside; `nil` for a void, and where the file is damaged.
  subscript(row: Int, column: Int) -> Int? {
    let size = Self.block
    let number = row / size * blocks + column / size
    let (begin, end) = (start(of: number), start(of: number + 1))
    guard begin >= Self.head, begin + 3 <= end, end <= data.count else { return nil }
    let base = Int(Int16(bitPattern: Self.u16(data, begin)))
    let mark = byte(begin + 2)
    let (bits, hasVoids) = (Int(mark & 0x7F), mark & 0x80 != 0)
    guard bits <= 16 else { return nil }
    let width = min(size, side - column / size * size)
    let first = (row % size * width + column % size) * bits
    let at = begin + 3 + first / 8
    var value = 0
    for k in 0..<3 where at + k < end { value |= Int(byte(at + k)) << (8 * k) }
    value = value >> (first % 8) & ((1 << bits) - 1)
    if hasVoids, value == (1 << bits) - 1 { return nil }
    return base + value
  }

  private func byte(_ at: Int) -> UInt8 { data[data.startIndex + at] }

  private func start(of block: Int) -> Int {
    let at = Self.head + 4 * block
    return Int(Self.u16(data, at)) | Int(Self.u16(data, at + 2)) << 16
  }

  private static func u16(_ data: Data, _ at: Int) -> UInt16 {
    UInt16(data[data.startIndex + at]) | UInt16(data[data.startIndex + at + 1]) << 8
  }

  // MARK: Packing

  /// The bytes that a file is stored as.
  static func pack(_ file: HGTFile) -> [UInt8] {
    let blocks = (file.side + block - 1) / block
    var body: [UInt8] = []
    body.reserveCapacity(file.side * file.side)
    var starts: [Int] = []
    let first = head + 4 * (blocks * blocks + 1)
    for row in 0..<blocks {
      for column in 0..<blocks {
        starts.append(first + body.count)
        pack(file, row * block, column * block, into: &body)
      }
    }
    starts.append(first + body.count)
    var out = signature
    func put16(_ value: Int) {
      out.append(UInt8(truncatingIfNeeded: value))
      out.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    for value in [file.side, file.id.latitude, file.id.longitude, 0] { put16(value) }
    for start in starts {
      put16(start)
      put16(start >> 16)
    }
    return out + body
  }

  private static func pack(_ file: HGTFile, _ top: Int, _ left: Int, into out: inout [UInt8]) {
    let (bottom, right) = (min(top + block, file.side), min(left + block, file.side))
    var (low, high, hasVoids) = (Int.max, Int.min, false)
    for row in top..<bottom {
      for column in left..<right {
        let value = file[row * file.side + column]
        if value == HGTFile.void {
          hasVoids = true
        } else {
          (low, high) = (min(low, Int(value)), max(high, Int(value)))
        }
      }
    }
    if low > high { (low, high) = (0, -1) }
    // With voids there has to be a number that no height has.
    let most = high - low + (hasVoids ? 1 : 0)
    let bits = most <= 0 ? 0 : Int.bitWidth - most.leadingZeroBitCount
    // A block of nothing but voids takes a bit, too, so that its number is not also that of its base.
    let width = hasVoids ? max(bits, 1) : bits
    out.append(UInt8(truncatingIfNeeded: low))
    out.append(UInt8(truncatingIfNeeded: low >> 8))
    out.append(UInt8(width) | (hasVoids ? 0x80 : 0))
    var (kept, count) = (0, 0)
    for row in top..<bottom {
      for column in left..<right {
        let value = file[row * file.side + column]
        kept |= (value == HGTFile.void ? (1 << width) - 1 : Int(value) - low) << count
        count += width
        while count >= 8 {
          out.append(UInt8(truncatingIfNeeded: kept))
          kept >>= 8
          count -= 8
        }
      }
    }
    if count > 0 { out.append(UInt8(truncatingIfNeeded: kept)) }
  }
}
