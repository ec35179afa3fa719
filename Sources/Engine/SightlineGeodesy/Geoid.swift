import SightlineInput

/// Height of the geoid – mean sea level, carried on under the land – above the WGS84 ellipsoid.
///
/// Goals in order: within 0.3 m of EGM96 everywhere, a small file (68.6 kB), no work for what nobody asks. The file is
/// the published grid of 15 minutes of arc in 72 tiles, each coded for itself; a tile is decoded when a place in it is asked for
/// first, and kept (29 kB). Between the points of the grid it is bilinear. SightlineGeodesy.docc has the format
/// and what its errors are.
///
/// ```swift
/// var geoid = try Geoid(bytes)
/// geoid.height(latitudeDegrees: 48.3984, longitudeDegrees: 9.9912)   // 47.3: sea level is that far above the ellipsoid
/// ```
public struct Geoid: Sendable {
  /// The file that it was read from.
  public let bytes: [UInt8]
  /// Where each tile's bytes are.
  private var places: [Range<Int>] = []
  /// Decoded tiles, centimetres; empty until somebody asks.
  private var tiles = [[Int16]](repeating: [], count: Geoid.tileCount)
  private let step: Int
  private let southPole: Double

  static let rows = 720
  static let columns = 1440
  static let tileCount = (rows / GeoidTile.side) * (columns / GeoidTile.side)
  /// `SLGEOID1`, checksum, step, height at the south pole.
  private static let head = 16
  private static let signature: [UInt8] = [0x53, 0x4C, 0x47, 0x45, 0x4F, 0x49, 0x44, 0x31]

  /// Reads a file that `Scripts/make-geoid` made.
  ///
  /// - Complexity: one pass over the file, for its checksum; nothing is decoded.
  public init(_ bytes: [UInt8]) throws(GeoidError) {
    let first = Self.head + 2 * Self.tileCount
    guard bytes.count >= Self.signature.count else { throw .notAGeoid }
    for (k, byte) in Self.signature.enumerated() where bytes[k] != byte { throw .notAGeoid }
    guard bytes.count >= first else { throw .damaged }
    func number(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    guard Self.checksum(bytes[12...]) == UInt32(number(8)) | UInt32(number(10)) << 16 else { throw .damaged }
    step = number(12)
    southPole = Double(Int16(truncatingIfNeeded: number(14))) / 100
    guard step > 0, step <= 1000 else { throw .damaged }
    var end = first
    for tile in 0..<Self.tileCount {
      let start = end
      end += number(Self.head + 2 * tile)
      places.append(start..<end)
    }
    guard end == bytes.count else { throw .damaged }
    self.bytes = bytes
  }

  /// Metres from the ellipsoid up to mean sea level.
  ///
  /// - Parameters:
  ///   - latitudeDegrees: −90 … 90.
  ///   - longitudeDegrees: any number of turns.
  /// - Returns: `nil` for what is no place.
  public mutating func height(latitudeDegrees: Double, longitudeDegrees: Double) -> Double? {
    guard abs(latitudeDegrees) <= 90, abs(longitudeDegrees) <= 1e6 else { return nil }
    let y = 4 * (90 - latitudeDegrees)
    let turns = (longitudeDegrees / 360).rounded(.down)
    let x = 4 * (longitudeDegrees - 360 * turns)
    let (row, column) = (min(y.rounded(.down), 719), min(x.rounded(.down), 1439))
    let (down, right) = (y - row, x - column)
    let (i, j) = (Int(clamped: row), Int(clamped: column))
    let upper = point(i, j) * (1 - right) + point(i, j + 1) * right
    let lower = point(i + 1, j) * (1 - right) + point(i + 1, j + 1) * right
    return upper * (1 - down) + lower * down
  }

  /// A point of the grid, row 0 … 720 from the north, column 0 … 1440 eastwards; metres.
  private mutating func point(_ row: Int, _ column: Int) -> Double {
    guard row < Self.rows else { return southPole }
    let column = column == Self.columns ? 0 : column
    let side = GeoidTile.side
    let tile = row / side * (Self.columns / side) + column / side
    if tiles[tile].isEmpty {
      var decoder = GeoidTile(bytes, places[tile], step: step)
      tiles[tile] = decoder.decoded()
    }
    return Double(tiles[tile][row % side * side + column % side]) / 100
  }

  /// CRC-32, bit by bit: it is needed once.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }
}

/// Why a file is no geoid that can be read.
public enum GeoidError: Error, Equatable, Sendable {
  /// It does not begin as one.
  case notAGeoid
  /// It is cut, or changed on its way.
  case damaged
}
