/// One finding of a reader or validator.
public struct Problem: Codable, Equatable, Sendable {
  /// How bad it is.
  public enum Severity: String, Codable, Sendable {
    /// Something is lost or refused, here or by a program in use.
    case error
    /// Programs differ here, or it is likely a mistake.
    case warning
    /// Good to know.
    case info
  }

  /// How bad it is.
  public var severity: Severity
  /// Stable code: `D001` … for GDDF (see `Documentation/formats`), dotted words such as `field.missing` elsewhere.
  public var code: String
  /// Line in the source, counted from 1; `nil` when the format has no lines.
  public var line: Int?
  /// Path of the element: `dimension/features/featureTxt[3]/lat`, or a JSON pointer.
  public var path: String
  /// A plain sentence that says what is wrong and what to do.
  public var message: String

  /// A finding.
  public init(_ severity: Severity, _ code: String, line: Int?, path: String, message: String) {
    self.severity = severity
    self.code = code
    self.line = line
    self.path = path
    self.message = message
  }
}

/// What a reader returns: as much of the world as could be read, and everything that was wrong.
public struct Reading: Equatable, Sendable {
  /// The world, or `nil` when the document as a whole was refused.
  public var dimension: Dimension?
  /// Findings in document order.
  public var problems: [Problem]
  /// Whether no finding is an error.
  public var isValid: Bool { dimension != nil && !problems.contains { $0.severity == .error } }

  /// A result.
  public init(dimension: Dimension?, problems: [Problem]) {
    self.dimension = dimension
    self.problems = problems
  }
}
