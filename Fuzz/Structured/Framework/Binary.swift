/// Fields of binary formats.
extension [UInt8] {
  /// Appends a whole number of so many bytes, the lowest first; what does not fit is cut off.
  mutating func put(_ value: Int, _ width: Int) {
    for byte in 0..<width { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
  }
  /// The same, the highest first.
  mutating func putBig(_ value: Int, _ width: Int) {
    for byte in 0..<width { append(UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - byte)))) }
  }
  /// Puts a number over what stands at a place, as far as there is room.
  mutating func set(_ value: Int, at place: Int, _ width: Int, isBig: Bool = false) {
    for byte in 0..<width where indices.contains(place + byte) {
      self[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * (isBig ? width - 1 - byte : byte)))
    }
  }
  /// A number at a place; 0 bits where there is nothing.
  func number(at place: Int, _ width: Int, isBig: Bool = false) -> Int {
    var value = 0
    for byte in 0..<width {
      let index = place + (isBig ? byte : width - 1 - byte)
      value = value << 8 | (indices.contains(index) ? Int(self[index]) : 0)
    }
    return value
  }

  /// The checksum of zip and PNG.
  func crc32(from start: Int = 0) -> Int {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in self[start...] { sum = crcTable[Int((sum ^ UInt32(byte)) & 255)] ^ (sum >> 8) }
    return Int(~sum)
  }

  /// Changes a few fields anywhere: extreme numbers, copies of other places, cut and repeated stretches.
  mutating func breakFields(_ random: inout Random, from start: Int = 0) {
    guard count > start else { return }
    for _ in 0..<random.number(in: 1...3) {
      let place = start + random.below(count - start)
      switch random.below(8) {
      case 0..<4:
        // Fields mostly begin at multiples of their width.
        let width = random.pick([1, 2, 4, 4, 8])
        let aligned = random.once(in: 3) ? place : place - (place - start) % width
        let value =
          random.once(in: 3) && width == 8
          ? Int(bitPattern: UInt(Values.extremeDouble(&random).bitPattern)) : Values.extremeInteger(&random)
        set(value, at: aligned, width, isBig: random.once(in: 3))
      case 4: self[place] = UInt8(truncatingIfNeeded: random.next())
      case 5:
        let from = start + random.below(count - start)
        let width = random.pick([2, 4, 8])
        set(number(at: from, width), at: place, width)
      case 6:
        let end = Swift.min(count, place + 1 + random.below(24))
        if random.once(in: 2) {
          removeSubrange(place..<end)
        } else {
          insert(contentsOf: Array(self[place..<end]), at: place)
        }
      default: if random.once(in: 3) { removeLast(random.below(count - start)) }
      }
      guard count > start else { return }
    }
  }
}

private let crcTable: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
}
