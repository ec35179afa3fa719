/// Why a feed was refused as a whole; nothing was changed.
public struct TransitImportError: Error, CustomStringConvertible, Sendable {
  /// A sentence that says what, where and what to do.
  public let description: String

  package init(_ description: String) { self.description = description }
}

/// One finding in a feed.
public struct FeedProblem: Sendable, Equatable {
  /// How bad it is.
  public enum Severity: String, Sendable, Codable {
    /// The row was left out.
    case error
    /// The row was taken, with something put right.
    case warning
  }

  /// How bad it is.
  public let severity: Severity
  /// Stable code, for example `stop_times.unknown-stop`.
  public let code: String
  /// File in the feed.
  public let file: String
  /// Line in the file, counted from 1.
  public let line: Int
  /// A sentence.
  public let message: String
}

/// What an import found and made.
public struct ImportReport: Sendable {
  /// The first findings of each kind, in the order in which they were met.
  public private(set) var problems: [FeedProblem] = []
  /// How many findings of each kind there were, by code.
  public private(set) var counts: [String: Int] = [:]
  /// Rows taken, by file.
  public internal(set) var rows: [String: Int] = [:]
  /// Rows left out, by file.
  public private(set) var leftOut: [String: Int] = [:]

  static let keptOfEachKind = 20

  /// Drops what was noted about a file that is read again.
  mutating func forget(file: String) {
    let prefix = file.replacing(".txt", with: "") + "."
    problems.removeAll { $0.file == file }
    counts = counts.filter { !$0.key.hasPrefix(prefix) }
    leftOut[file] = nil
  }

  mutating func note(
    _ severity: FeedProblem.Severity,
    _ code: String,
    _ reader: CSVReader,
    _ message: @autoclosure () -> String
  ) {
    note(severity, code, file: reader.name, line: reader.line, message())
  }

  mutating func note(
    _ severity: FeedProblem.Severity,
    _ code: String,
    file: String,
    line: Int,
    _ message: @autoclosure () -> String
  ) {
    let name = "\(file.replacing(".txt", with: "")).\(code)"
    counts[name, default: 0] += 1
    if severity == .error { leftOut[file, default: 0] += 1 }
    if counts[name, default: 0] <= Self.keptOfEachKind {
      problems.append(FeedProblem(severity: severity, code: name, file: file, line: line, message: message()))
    }
  }
}
