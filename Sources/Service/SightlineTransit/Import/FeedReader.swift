import Foundation
import SightlineArchive
import SightlineInput

/// Reads the small files of a feed into ``FeedTables``.
struct FeedReader {
  let files: FeedFiles
  var tables = FeedTables()
  var report = ImportReport()
  /// Bytes of the texts read so far.
  private var textBytes = 0

  init(files: FeedFiles) { self.files = files }

  /// Opens a file; `nil` when the feed has none, or an empty one.
  ///
  /// - Throws: ``TransitImportError`` when a required file or column is missing.
  func open(_ name: String, columns: [String], isRequired: Bool = false) throws -> CSVReader? {
    guard let source = try files.open(name) else {
      if isRequired { throw TransitImportError("The feed has no \(name). Is it a GTFS feed?") }
      return nil
    }
    let reader: CSVReader
    do { reader = try CSVReader(source, name: name) } catch let error as CSVError { throw TransitImportError(error) }
    if reader.columns.isEmpty {
      if isRequired { throw TransitImportError("\(name) is empty.") }
      return nil
    }
    for column in columns where reader.column(column) < 0 {
      throw TransitImportError(
        "\(name) has no column \(column); its header is: \(reader.columns.joined(separator: ","))"
      )
    }
    return reader
  }

  /// Calls `body` for each row.
  mutating func forEachRow(_ reader: CSVReader, _ body: (inout FeedReader) throws -> Bool) throws {
    var taken = 0
    var rows = 0
    let most = FeedLimits.rows[reader.name] ?? .max
    do {
      while try reader.next() {
        rows += 1
        guard rows <= most else {
          throw TransitImportError("\(reader.name) has more than \(most) rows. Split the feed.")
        }
        if try body(&self) { taken += 1 }
        guard textBytes <= FeedLimits.textBytes else {
          throw TransitImportError("The texts of the feed are over \(FeedLimits.textBytes >> 20) MiB. Split the feed.")
        }
      }
    } catch let error as CSVError { throw TransitImportError(error) }
    report.rows[reader.name] = taken
  }

  /// A field's text, repaired if it is not UTF-8.
  mutating func text(_ reader: CSVReader, _ column: Int) -> String {
    let field = reader[column]
    if field.isEmpty { return "" }
    var isRepaired = false
    let text = field.text(isRepaired: &isRepaired)
    textBytes = textBytes.saturatingAdd(text.utf8.count)
    if isRepaired {
      report.note(.warning, "encoding", reader, "\"\(text)\" is not UTF-8; it was read as Windows-1252.")
    }
    return text
  }

  /// A field's text as a number in the pool, -1 when it is empty.
  mutating func pooled(_ reader: CSVReader, _ column: Int) -> Int32 {
    let field = reader[column]
    if field.isEmpty { return -1 }
    if let known = tables.texts.find(field) { return Int32(clamping: known) }
    textBytes = textBytes.saturatingAdd(field.count)
    if String(validating: field, as: UTF8.self) != nil { return Int32(clamping: tables.texts.insert(field).number) }
    var repaired = text(reader, column)
    return repaired.withUTF8 { Int32(clamping: tables.texts.insert($0).number) }
  }

  /// A small number; values out of range are warned of and taken as the default.
  mutating func choice(_ reader: CSVReader, _ column: Int, most: Int, default standard: Int = 0) -> Int {
    let field = reader[column]
    if field.isEmpty { return standard }
    if let value = field.digits, value <= most { return value }
    let name = reader.columns[column]
    report.note(.warning, "value", reader, "\(name) is none of 0 to \(most); it was taken as \(standard).")
    return standard
  }
}

extension TransitImportError {
  init(_ error: CSVError) { self.init("\(error.file):\(error.line): \(error.problem).") }
}
