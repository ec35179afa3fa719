import Foundation

/// A table of comma-separated values (RFC 4180), with the line each row begins on.
///
/// Semicolons and tabs separate as well, whichever the first line has most of: spreadsheets write what their country's
/// settings say. Blank lines are no rows.
struct PosterTable {
  /// One row.
  struct Row {
    /// Where it begins, counted from 1.
    var line: Int
    var fields: [String]
  }

  /// Why the text is no table.
  struct Malformed: Error, CustomStringConvertible {
    /// Where the trouble is, counted from 1.
    let line: Int
    let description: String
  }

  /// Names of the columns, lower case.
  let columns: [String]
  let rows: [Row]

  /// Most rows that are read.
  static let mostRows = 100_000

  init(_ bytes: Data) throws(Malformed) {
    var bytes = bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Malformed(line: PosterTable.lineOfBadByte(bytes), description: "The table is not UTF-8. Save it as UTF-8.")
    }
    var rows = try PosterTable.rows(text)
    guard !rows.isEmpty else { throw Malformed(line: 1, description: "The table is empty.") }
    columns = rows.removeFirst().fields.map { $0.trimming().lowercased() }
    self.rows = rows
  }

  /// A field of a row by the name of its column, without blanks round it; `nil` when there is none or it is empty.
  func field(_ row: Row, _ column: String) -> String? {
    guard let index = columns.firstIndex(of: column), index < row.fields.count else { return nil }
    let text = row.fields[index].trimming()
    return text.isEmpty ? nil : String(text)
  }

  private static func lineOfBadByte(_ bytes: Data.SubSequence) -> Int {
    var line = 1
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if String(validating: part, as: UTF8.self) == nil { return line }
      line += 1
    }
    return line
  }

  private static func rows(_ text: String) throws(Malformed) -> [Row] {
    let utf8 = Array(text.utf8)
    let separator = PosterTable.separator(utf8)
    let (quote, newline, back) = (UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var rows: [Row] = []
    var (fields, field): ([String], [UInt8]) = ([], [])
    var (line, rowLine) = (1, 1)
    var index = 0
    func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    while index <= utf8.count {
      let byte = index < utf8.count ? utf8[index] : newline
      if byte == quote, field.allSatisfy({ $0 == UInt8(ascii: " ") }) {
        // A quoted field: up to the quote that is not doubled.
        let openedOn = line
        field = []
        index += 1
        while true {
          guard index < utf8.count else {
            throw Malformed(line: openedOn, description: "A quotation mark is opened on this line and never closed.")
          }
          if utf8[index] == quote {
            index += 1
            guard index < utf8.count, utf8[index] == quote else { break }
          }
          if utf8[index] == newline { line += 1 }
          field.append(utf8[index])
          index += 1
        }
        // Anything but a separator after the closing quote belongs to the field as it stands.
        continue
      }
      if byte == separator {
        fields.append(string(field))
        field = []
      } else if byte == newline {
        // Only what stands before the line's end; within quotation marks it belongs to the text.
        if index > 0, utf8[index - 1] == back, field.last == back { field.removeLast() }
        fields.append(string(field))
        if fields.count > 1 || !fields[0].trimming().isEmpty { rows.append(Row(line: rowLine, fields: fields)) }
        guard rows.count <= mostRows + 1 else {
          throw Malformed(line: line, description: "The table has more than \(mostRows) rows. Split it.")
        }
        (fields, field) = ([], [])
        line += 1
        rowLine = line
      } else {
        field.append(byte)
      }
      index += 1
    }
    return rows
  }

  private static func separator(_ utf8: [UInt8]) -> UInt8 {
    let head = utf8.prefix { $0 != UInt8(ascii: "\n") }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let counts = candidates.map { candidate in head.count { $0 == candidate } }
    let best = counts.indices.max { counts[$0] < counts[$1] } ?? 0
    return counts[best] == counts[0] ? candidates[0] : candidates[best]
  }
}
