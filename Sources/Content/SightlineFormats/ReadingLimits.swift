/// How much of a foreign document a reader takes on.
///
/// Every limit that is hit is reported with its value.
public struct ReadingLimits: Equatable, Sendable {
  /// Bytes of the document as received.
  ///
  /// A larger value lets larger documents take memory, up to about 70 times their size.
  public var bytes = 8 * 1024 * 1024
  /// Elements, objects and arrays inside each other.
  ///
  /// A larger value costs stack: readers of trees call themselves.
  public var depth = 64
  /// Elements of an XML document.
  public var elements = 200_000
  /// Values of a JSON document.
  public var values = 1_000_000
  /// Findings that are listed one by one; the rest is counted.
  public var problems = 2_000

  /// The usual limits.
  public init() {}

  /// Throws `limit.size` for a document that is too large.
  func checkSize(_ count: Int) throws(DocumentFailure) {
    guard count <= bytes else {
      throw DocumentFailure(
        code: "limit.size",
        line: nil,
        message: "The document has \(count) bytes; the limit is \(bytes). Split it, or serve only what is near."
      )
    }
  }
}
