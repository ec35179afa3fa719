// Stands for the package of this name where a reader needs no more of it than bytes: the generators are built without packages.

/// Bytes.
public struct ByteBuffer: Sendable {
  private let bytes: [UInt8]

  /// A buffer of bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes.
  public func withUnsafeReadableBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes(body)
  }
}
