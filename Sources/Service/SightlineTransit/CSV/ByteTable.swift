/// Numbers byte strings in the order in which they come, from 0.
///
/// Open addressing over one arena: about 12 bytes a string beyond its own, no allocation for each. What national feeds
/// have millions of (trip ids, time profiles) is held in this form.
struct ByteTable {
  private var arena: [UInt8] = []
  /// Where each string ends in the arena.
  private var ends: [Int] = []
  /// Number of a string plus one, 0 for free; a power of two of places.
  private var places: [UInt32]
  private var hashes: [UInt32] = []

  init(expecting count: Int = 64) {
    var size = 128
    while size < count * 2 { size *= 2 }
    places = [UInt32](repeating: 0, count: size)
  }

  /// How many there are.
  var count: Int { ends.count }

  /// The number of a string, `nil` when it is not there.
  func find(_ bytes: FieldBytes) -> Int? {
    let number = places[place(of: bytes, hash: Self.hash(bytes))]
    return number == 0 ? nil : Int(number) - 1
  }

  /// The number of a string, put in if it is new.
  mutating func insert(_ bytes: FieldBytes) -> (number: Int, isNew: Bool) {
    let hash = Self.hash(bytes)
    let place = place(of: bytes, hash: hash)
    if places[place] != 0 { return (Int(places[place]) - 1, false) }
    arena.append(contentsOf: bytes)
    ends.append(arena.count)
    hashes.append(hash)
    places[place] = UInt32(clamping: ends.count)
    if ends.count * 2 > places.count { grow() }
    return (ends.count - 1, true)
  }

  /// A string by its number.
  func withBytes<Result>(_ number: Int, _ body: (FieldBytes) throws -> Result) rethrows -> Result {
    try arena.withUnsafeBufferPointer { all in
      try body(FieldBytes(rebasing: all[(number == 0 ? 0 : ends[number - 1])..<ends[number]]))
    }
  }

  /// A string by its number, as text.
  func text(_ number: Int) -> String { withBytes(number) { String(decoding: $0, as: UTF8.self) } }

  /// Where the string is, or would be.
  private func place(of bytes: FieldBytes, hash: UInt32) -> Int {
    let mask = places.count - 1
    var place = Int(hash) & mask
    return arena.withUnsafeBufferPointer { all in
      while places[place] != 0 {
        let number = Int(places[place]) - 1
        if hashes[number] == hash {
          let start = number == 0 ? 0 : ends[number - 1]
          if bytes.isEqual(to: FieldBytes(rebasing: all[start..<ends[number]])) { return place }
        }
        place = (place + 1) & mask
      }
      return place
    }
  }

  private mutating func grow() {
    places = [UInt32](repeating: 0, count: places.count * 2)
    let mask = places.count - 1
    for (number, hash) in hashes.enumerated() {
      var place = Int(hash) & mask
      while places[place] != 0 { place = (place + 1) & mask }
      places[place] = UInt32(clamping: number + 1)
    }
  }

  /// The library's hash, which has another key in every process: with a fixed one, a feed could be written all of whose ids fall on one
  /// place, and reading it would take the square of its size.
  @inline(__always) static func hash(_ bytes: FieldBytes) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    let hash = hasher.finalize()
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}
