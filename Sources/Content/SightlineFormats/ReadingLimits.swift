public import SightlineInput

/// How much of a foreign document a reader takes on, and how much it makes of it.
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
  /// Elements of an XML document, and places of a document of any format.
  public var elements = 200_000
  /// Values of a JSON document.
  public var values = 1_000_000
  /// Findings that are listed one by one; the rest is counted.
  public var problems = 2_000
  /// What may be made of a document; `nil` is what its size allows, see ``budget(documentBytes:)``.
  public var budget: ReadingBudget.Limits?

  /// The usual limits.
  public init() {}

  /// A full budget for a document.
  ///
  /// Without ``budget`` it holds what `ReadingBudget.Limits` allows for the size, with ``elements`` and ``problems`` as the
  /// largest numbers of places and findings.
  ///
  /// - Parameter bytes: Size of the document, unpacked where it came in an archive.
  /// - Returns: A budget that nothing was taken from.
  public func budget(documentBytes bytes: Int) -> ReadingBudget {
    if let budget { return ReadingBudget(budget) }
    var most = ReadingBudget.Limits(documentBytes: bytes)
    most.places = (bytes / 8).saturatingAdd(1_000).clamped(to: 0...max(0, elements))
    most.findings = max(0, problems)
    return ReadingBudget(most)
  }

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

extension DocumentFailure {
  /// The document as a whole costs more work than its size allows.
  static func steps(line: Int, limit: Int) -> DocumentFailure {
    DocumentFailure(
      code: "limit.steps",
      line: line,
      message: "Reading the document would take more than \(limit) steps, the limit for its size. Split it."
    )
  }
}
