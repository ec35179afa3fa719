public import SightlineContent

import class Foundation.JSONEncoder

/// What `sightline validate` says about one file.
public struct ValidationReport: Encodable, Equatable, Sendable {
  /// The file as named.
  public var file: String
  /// Its format; `nil` when it is none that is known.
  public var format: DocumentFormat?
  /// Whether it was read without an error.
  public var valid: Bool
  /// All findings in order of the document.
  public var problems: [Problem]
  /// The world as far as it could be read.
  public var dimension: Dimension?

  /// Reads and validates a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - file: Its name, which is also a hint about its format.
  ///   - options: Reading options; the file name is put in.
  public init(_ bytes: [UInt8], file: String, options: ReadingOptions = .init()) {
    var options = options
    options.fileName = file
    let (format, reading) = FormatRegistry.read(bytes, options: options)
    self.init(file: file, format: format, reading: reading)
  }

  /// A report about something already read.
  public init(file: String, format: DocumentFormat?, reading: Reading) {
    self.file = file
    self.format = format
    valid = reading.isValid
    problems = reading.problems
    dimension = reading.dimension
  }

  private enum Key: String, CodingKey { case file, format, valid, problems, dimension }
  private enum ProblemKey: String, CodingKey { case severity, code, line, path, message }

  /// Writes all members, `null` included, so that programs need not ask which are there.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(file, forKey: .file)
    try container.encode(format, forKey: .format)
    try container.encode(valid, forKey: .valid)
    var list = container.nestedUnkeyedContainer(forKey: .problems)
    for problem in problems {
      var item = list.nestedContainer(keyedBy: ProblemKey.self)
      try item.encode(problem.severity, forKey: .severity)
      try item.encode(problem.code, forKey: .code)
      try item.encode(problem.line, forKey: .line)
      try item.encode(problem.path, forKey: .path)
      try item.encode(problem.message, forKey: .message)
    }
    try container.encode(dimension, forKey: .dimension)
  }

  /// One line of JSON without a line end at its end.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// Lines for people: `file:line: severity code message`, and a last one that sums up.
  public func text() -> String {
    var lines = problems.map { problem in
      let path = problem.path.isEmpty ? "" : " (\(problem.path))"
      return "\(file):\(problem.line ?? 1): \(problem.severity.rawValue) \(problem.code) \(problem.message)\(path)"
    }
    func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    let errors = problems.count { $0.severity == .error }
    let warnings = problems.count { $0.severity == .warning }
    let content = dimension.map {
      ", \(count($0.places.count, "place")), \(count($0.overlays.count, "overlay"))"
    }
    lines.append(
      "\(file): \(valid ? "valid" : "not valid") (\(format?.rawValue ?? "unknown format")\(content ?? ", not read")), "
        + "\(count(errors, "error")), \(count(warnings, "warning"))"
    )
    return lines.joined(separator: "\n")
  }
}
