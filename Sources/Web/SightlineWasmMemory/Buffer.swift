/// A stretch of memory that the page reads or writes through a `Float64Array`.
///
/// Out of memory, WebAssembly's allocator answers with address 0 and writing there works silently: hence the checks.
public struct Buffer {
  /// Where it begins.
  public private(set) var base = UnsafeMutablePointer<Double>.allocate(capacity: 64)
  /// Values that it has room for.
  public private(set) var capacity = 64

  /// Most values that a buffer can have room for: all of an instance's 256 MB.
  ///
  /// Counts come from the page; beyond this, the bytes of a buffer would no longer be a number that a pointer has.
  private static let most = 32 * 1024 * 1024

  /// A buffer with room for a few values.
  public init() {}

  /// Makes room for a number of values and half as many again, so that a growing frame does not mean a new buffer every
  /// time; what was in the buffer is lost when it grows.
  ///
  /// Without memory the instance ends.
  public mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    precondition(count <= Buffer.most && grow(to: count + count / 2), "out of memory")
  }

  /// Makes room for exactly a number of values; answers whether there was memory for it.
  ///
  /// What was in the buffer is lost when it grows.
  public mutating func reserveExactly(_ count: Int) -> Bool {
    count <= capacity || (count <= Buffer.most && grow(to: count))
  }

  /// Gives a large buffer's memory back.
  public mutating func release() {
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
@frozen public struct Writer {
  /// Where the first value stands.
  public let base: UnsafeMutablePointer<Double>
  /// Number of the next value.
  public var position = 0

  /// At the beginning of a stretch of memory.
  @inlinable public init(_ base: UnsafeMutablePointer<Double>) { self.base = base }

  /// Writes a value.
  @inlinable public mutating func put(_ value: Double) {
    base[position] = value
    position += 1
  }
  /// Writes a whole number.
  @inlinable public mutating func put(_ value: Int32) { put(Double(value)) }
  /// Writes a whole number.
  @inlinable public mutating func put(_ value: Int) { put(Double(value)) }
  /// Writes 1 or 0.
  @inlinable public mutating func put(_ value: Bool) { put(value ? 1 : 0) }
}

/// Reads values one after the other.
@frozen public struct Reader {
  /// Where the first value stands.
  public let base: UnsafeMutablePointer<Double>
  /// Number of the next value.
  public var position = 0

  /// At the beginning of a stretch of memory.
  @inlinable public init(_ base: UnsafeMutablePointer<Double>) { self.base = base }

  /// The next value.
  @inlinable public mutating func next() -> Double {
    defer { position += 1 }
    return base[position]
  }
  /// A whole number; what is not one, or does not fit, is `-1`.
  @inlinable public mutating func nextInt() -> Int32 { Int32(exactly: next()) ?? -1 }
}

/// A row of values, by the places of its columns.
@frozen public struct Values {
  /// Where the row begins.
  public let base: UnsafePointer<Double>

  /// The row at a place in memory.
  @inlinable public init(_ base: UnsafePointer<Double>) { self.base = base }
  /// The row at a place in memory.
  @inlinable public init(_ base: UnsafeMutablePointer<Double>) { self.base = UnsafePointer(base) }

  /// A value.
  @inlinable public subscript(place: Int) -> Double { base[place] }
  /// A whole number; what is not one, or does not fit, is `-1`.
  @inlinable public func int(_ place: Int) -> Int32 { Int32(exactly: base[place]) ?? -1 }
  /// Whether a value is not 0.
  @inlinable public func flag(_ place: Int) -> Bool { base[place] != 0 }
}
