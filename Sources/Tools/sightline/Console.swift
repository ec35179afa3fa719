import Foundation
import SightlineContent

/// Messages for people.
enum Console {
  /// Writes a line to standard error.
  static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  /// Writes a line to standard output at once, also when it is a pipe.
  static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  /// Writes over the line that was written last, for someone who watches; an empty text takes it away.
  static func progress(_ text: String) { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }

  /// Whether someone watches standard error.
  static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

  /// `ulm.gddf:12: error: … [D010]`, the form that editors make a link of.
  static func line(for problem: Problem, in file: String) -> String {
    let place = problem.line.map { "\(file):\($0)" } ?? file
    let path = problem.path.isEmpty ? "" : " (\(problem.path))"
    return "\(place): \(problem.severity.rawValue): \(problem.message)\(path) [\(problem.code)]"
  }

  /// A short count with its noun: `1 place`, `17 places`.
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

/// Something went wrong; the text says what and what to do.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
