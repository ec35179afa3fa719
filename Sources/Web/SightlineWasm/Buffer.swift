/// A stretch of memory that the page reads or writes through a `Float64Array`.
///
/// Out of memory, WebAssembly's allocator answers with address 0 and writing there works silently: hence the checks.
struct Buffer {
  private(set) var base = UnsafeMutablePointer<Double>.allocate(capacity: 64)
  private(set) var capacity = 64

  /// Makes room for a number of values and half as many again, so that a growing frame does not mean a new buffer every
  /// time; what was in the buffer is lost when it grows.
  ///
  /// Without memory the instance ends.
  mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    precondition(grow(to: count + count / 2), "out of memory")
  }

  /// Makes room for exactly a number of values; answers whether there was memory for it.
  ///
  /// What was in the buffer is lost when it grows.
  mutating func reserveExactly(_ count: Int) -> Bool { count <= capacity || grow(to: count) }

  /// Gives a large buffer's memory back.
  mutating func release() {
    guard capacity > 64 else { return }
    _ = grow(to: 64)
  }

  private mutating func grow(to count: Int) -> Bool {
    base.deallocate()
    base = UnsafeMutablePointer<Double>.allocate(capacity: count)
    capacity = count
    if UInt(bitPattern: base) != 0 { return true }
    base = UnsafeMutablePointer<Double>.allocate(capacity: 64)
    capacity = 64
    precondition(UInt(bitPattern: base) != 0, "out of memory")
    return false
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
