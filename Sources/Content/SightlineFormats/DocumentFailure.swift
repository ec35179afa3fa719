import SightlineContent

/// Why a document as a whole cannot be read.
struct DocumentFailure: Error, Equatable {
  var code: String
  var line: Int?
  var message: String

  /// As a finding about the whole document.
  func problem(code newCode: String? = nil) -> Problem {
    Problem(.error, newCode ?? code, line: line, path: "", message: message)
  }
}
