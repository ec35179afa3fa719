import Foundation
import SightlineContent
import SightlineFormats
import Testing

/// Foundation has a class of the same name.
typealias Dimension = SightlineContent.Dimension

/// Files of the folder `Fixtures` at the root of the repository.
enum Fixtures {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  /// Names of the files in a folder, sorted.
  static func files(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Findings of all files in the two folders of a format as the table that is kept beside them.
  static func table(of format: String) throws -> String {
    var lines: [String] = []
    for kind in ["good", "faulty"] {
      for name in try files(in: "\(format)/\(kind)") {
        let report = ValidationReport(try bytes("\(format)/\(kind)/\(name)"), file: name)
        let places = report.dimension.map { "\($0.places.count) places" } ?? "refused"
        lines.append("\(kind)/\(name): \(report.valid ? "valid" : "not valid"), \(places)")
        for problem in report.problems {
          let severity = problem.severity.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
          let code = problem.code.padding(toLength: max(4, problem.code.count), withPad: " ", startingAt: 0)
          let line = problem.line.map(String.init) ?? "-"
          lines.append("  \(severity) \(code)  \(line)  \(problem.path)")
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// UTF-16 with its byte-order mark.
func utf16Bytes(_ text: String, bigEndian: Bool) -> [UInt8] {
  var bytes: [UInt8] = bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
  for unit in text.utf16 {
    let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
    bytes += bigEndian ? pair : pair.reversed()
  }
  return bytes
}
