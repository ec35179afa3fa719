/// A stretch of memory that the page reads or writes through a `Float64Array`.
///
/// Grows when it must, never shrinks.
///
/// Out of memory, WebAssembly's allocator answers with address 0 and writing there works silently: hence the check, which
/// ends the instance instead.
struct Buffer {
  private(set) var base = UnsafeMutablePointer<Double>.allocate(capacity: 64)
  private(set) var capacity = 64

  /// Makes room for a number of values; what was in the buffer is lost when it grows.
  mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    base.deallocate()
    // Half again as much, so that a growing world does not mean a new buffer at every frame.
    capacity = count + count / 2
    base = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
    precondition(UInt(bitPattern: base) != 0, "out of memory")
  }
}

/// Writes values one after the other.
struct Writer {
  let base: UnsafeMutablePointer<Double>
  var position = 0

  init(_ base: UnsafeMutablePointer<Double>) { self.base = base }

  mutating func put(_ value: Double) {
    base[position] = value
    position += 1
  }
  mutating func put(_ value: Int32) { put(Double(value)) }
  mutating func put(_ value: Int) { put(Double(value)) }
  mutating func put(_ value: Bool) { put(value ? 1 : 0) }
}

/// Reads values one after the other.
struct Reader {
  let base: UnsafeMutablePointer<Double>
  var position = 0

  init(_ base: UnsafeMutablePointer<Double>) { self.base = base }

  mutating func next() -> Double {
    defer { position += 1 }
    return base[position]
  }
  /// A whole number; what is not one, or does not fit, is `-1`.
  mutating func nextInt() -> Int32 { Int32(exactly: next()) ?? -1 }
}
