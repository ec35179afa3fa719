/// Why a script cannot be run: where, what, and what to do.
public struct ScriptProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  public let line: Int
  /// A sentence or two.
  public let message: String

  /// A problem.
  public init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  /// `12: turn: …`, to be put behind a file name and a colon.
  public var description: String { "\(line): \(message)" }
}
