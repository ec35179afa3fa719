import SightlineContent

/// Findings as they come up while reading.
struct ProblemList {
  private(set) var problems: [Problem] = []
  private var omitted = 0
  private var omittedErrors = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ severity: Problem.Severity, _ code: String, line: Int?, path: String, _ message: String) {
    // A hostile document must not turn into a report many times its size; errors still decide on validity.
    guard problems.count < limit else {
      omitted += 1
      if severity == .error { omittedErrors += 1 }
      return
    }
    problems.append(Problem(severity, code, line: line, path: path, message: message))
  }

  /// All findings in the order of the document.
  func sorted() -> [Problem] {
    var result = problems.enumerated().sorted {
      ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
    }.map(\.element)
    if omitted > 0 {
      result.append(
        Problem(
          omittedErrors > 0 ? .error : .warning,
          "limit.count",
          line: nil,
          path: "",
          message: "\(omitted) more findings are not listed (the limit is \(limit)). Correct those above and try again."
        )
      )
    }
    return result
  }
}

/// A value from the document, short enough for a message and without line breaks, in quotation marks.
func quoted(_ text: String, limit: Int = 40) -> String {
  var short = ""
  var count = 0
  for character in text.unicodeScalars {
    if count == limit {
      short += "…"
      break
    }
    short.unicodeScalars.append(character.value < 0x20 || character.value == 0x7F ? " " : character)
    count += 1
  }
  return "\"\(short)\""
}
