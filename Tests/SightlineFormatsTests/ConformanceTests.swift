import Foundation
import SightlineContent
import SightlineFormats
import Testing

@Suite struct ConformanceTests {
  /// Severity, code, line and path of every finding in every fixture; `Fixtures/<format>/expected.txt` is the table.
  ///
  /// To take over a wanted change: `SIGHTLINE_RECORD=1`, then read the difference before it is committed.
  @Test(arguments: allFormats)
  func `every fixture has exactly the findings of the table`(format: String) throws {
    let table = try Fixtures.table(of: format)
    let path = "\(format)/expected.txt"
    if ProcessInfo.processInfo.environment["SIGHTLINE_RECORD"] == "1" {
      try table.write(to: Fixtures.folder.appendingPathComponent(path), atomically: true, encoding: .utf8)
    }
    let expected = try Fixtures.text(path)
    let lines = table.split(separator: "\n", omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for difference in lines.difference(from: expectedLines) {
      switch difference {
      case .insert(let line, let text, _): Issue.record("\(path):\(line + 1) new: \(text)")
      case .remove(let line, let text, _): Issue.record("\(path):\(line + 1) gone: \(text)")
      }
    }
  }

  /// Severities of `gddf.md` in the documentation; D021 is both, for references and for `showOnFocus`.
  static let severities: [String: Set<Problem.Severity>] = [
    "D001": [.error], "D002": [.error], "D003": [.warning], "D004": [.warning], "D005": [.error], "D006": [.warning],
    "D010": [.error], "D011": [.warning], "D012": [.warning], "D013": [.error], "D014": [.warning], "D020": [.error],
    "D021": [.error, .warning], "D022": [.warning], "D023": [.warning], "D030": [.error], "D031": [.warning],
    "D032": [.warning], "D033": [.warning], "D034": [.error], "D035": [.warning], "D036": [.error], "D040": [.error],
    "D041": [.warning], "D050": [.info],
  ]

  @Test func `every code of GDDF is reached, with its severity and none beside`() throws {
    var seen: [String: Set<Problem.Severity>] = [:]
    for kind in ["good", "faulty"] {
      for name in try Fixtures.files(in: "gddf/\(kind)") {
        for problem in ValidationReport(try Fixtures.bytes("gddf/\(kind)/\(name)"), file: name).problems {
          if problem.code.hasPrefix("D") { seen[problem.code, default: []].insert(problem.severity) }
        }
      }
    }
    #expect(seen == Self.severities)
  }

  @Test(arguments: allFormats)
  func `good documents have no errors, faulty ones have findings`(format: String) throws {
    for name in try Fixtures.files(in: "\(format)/good") {
      let report = ValidationReport(try Fixtures.bytes("\(format)/good/\(name)"), file: name)
      #expect(report.valid, "\(name): \(report.text())")
      #expect(report.format?.rawValue == format)
    }
    for name in try Fixtures.files(in: "\(format)/faulty") {
      let report = ValidationReport(try Fixtures.bytes("\(format)/faulty/\(name)"), file: name)
      #expect(!report.problems.isEmpty, "\(name)")
    }
  }

  @Test(arguments: allFormats)
  func `every message is a sentence, tells what to do and repeats no line breaks`(format: String) throws {
    for kind in ["good", "faulty"] {
      for name in try Fixtures.files(in: "\(format)/\(kind)") {
        for problem in ValidationReport(try Fixtures.bytes("\(format)/\(kind)/\(name)"), file: name).problems {
          #expect(problem.message.count > 30 && problem.message.count < 500, "\(name): \(problem.message)")
          #expect(problem.message.hasSuffix(".") || problem.message.hasSuffix(")"), "\(name): \(problem.message)")
          #expect(!problem.message.contains("\n"), "\(name): \(problem.message)")
        }
      }
    }
  }
}
