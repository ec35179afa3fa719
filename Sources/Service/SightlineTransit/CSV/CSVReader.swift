import SightlineArchive

/// Rows of a CSV file (RFC 4180, as GTFS uses it), read as a stream.
///
/// Fields are given as bytes, trimmed, without quotes; they are valid until the next row. A byte order mark is passed over,
/// lines may end in LF or CR LF, blank lines are no rows, quoted fields may hold commas, quotes (doubled) and line ends.
/// A row is at most 1 MiB, a field 64 KiB.
final class CSVReader {
  /// A field's place in the buffer.
  private struct Field {
    var start: Int32
    var end: Int32
  }

  static let longestRow = 1 << 20
  static let longestField = 1 << 16
  private static let mostFields = 1024

  /// Name of the file, for messages.
  let name: String
  /// Names of the columns, as the header gives them.
  private(set) var columns: [String] = []
  /// Line on which the current row begins, counted from 1.
  private(set) var line = 0
  /// Fields in the current row.
  private(set) var count = 0

  private let source: any ByteSource
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  private var nextLine = 1
  private let fields = UnsafeMutablePointer<Field>.allocate(capacity: CSVReader.mostFields)

  /// Reads the header.
  ///
  /// `capacity` is the size of the buffer in bytes, which grows with the longest row.
  ///
  /// - Throws: ``CSVError``, and what the source throws.
  init(_ source: any ByteSource, name: String, capacity: Int = 1 << 18) throws {
    self.source = source
    self.name = name
    self.capacity = capacity
    buffer = .allocate(capacity: capacity)
    // A source may give a byte at a time; a mark has three.
    while end < 3, !isAtEnd { try fill() }
    if end >= 2, (buffer[0] == 0xFE && buffer[1] == 0xFF) || (buffer[0] == 0xFF && buffer[1] == 0xFE) {
      throw CSVError(file: name, line: 1, problem: "it is UTF-16; GTFS is UTF-8")
    }
    if end >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF { start = 3 }
    if try next() { columns = (0..<count).map { String(decoding: self[$0], as: UTF8.self) } }
  }

  deinit {
    buffer.deallocate()
    fields.deallocate()
  }

  /// Index of a column, -1 when there is none.
  func column(_ name: String) -> Int { columns.firstIndex(of: name) ?? -1 }

  /// A field of the current row; empty for -1 and for what a short row leaves out.
  subscript(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    guard index >= 0, index < count else { return UnsafeBufferPointer(start: nil, count: 0) }
    let field = fields[index]
    return UnsafeBufferPointer(start: buffer + Int(field.start), count: Int(field.end) - Int(field.start))
  }

  /// Goes to the next row; false at the end.
  ///
  /// - Throws: ``CSVError``, and what the source throws.
  func next() throws -> Bool {
    while true {
      line = nextLine
      guard let rowEnd = try scanRow() else { return false }
      start = rowEnd
      if count > 1 || fields[0].end > fields[0].start { return true }
    }
  }

  /// Finds the fields of the row at `start`; returns where the next one begins, `nil` at the end of the file.
  private func scanRow() throws -> Int? {
    while true {
      if let rowEnd = try scanBuffered() { return rowEnd }
      if isAtEnd { return nil }
      try fill()
    }
  }

  /// As ``scanRow()`` within the buffer; `nil` when more bytes are needed.
  private func scanBuffered() throws -> Int? {
    let bytes = buffer
    let end = end
    var at = start
    if at == end { return nil }
    var found = 0
    var fieldStart = at
    var lines = 1
    var hasQuotes = false
    while true {
      // Out of the quotes: to the next comma, line end or opening quote.
      var byte: UInt8 = 0
      while at < end {
        byte = bytes[at]
        if byte == 0x2C || byte == 0x0A || (byte == 0x22 && at == fieldStart) { break }
        at += 1
      }
      if at == end, !isAtEnd { return nil }
      if at < end, byte == 0x22 {
        hasQuotes = true
        at += 1
        while at < end, bytes[at] != 0x22 || (at + 1 < end && bytes[at + 1] == 0x22) {
          if bytes[at] == 0x22 { at += 1 }
          if bytes[at] == 0x0A { lines += 1 }
          at += 1
          if at - start > Self.longestRow { throw CSVError(file: name, line: line, problem: Self.openQuote) }
        }
        if at + 1 >= end, !isAtEnd { return nil }
        if at >= end { throw CSVError(file: name, line: line, problem: Self.openQuote) }
        at += 1
        // What stands between the closing quote and the comma is kept: some producers write "a"b.
        while at < end, bytes[at] != 0x2C, bytes[at] != 0x0A { at += 1 }
        if at == end, !isAtEnd { return nil }
      }
      if found == Self.mostFields { throw CSVError(file: name, line: line, problem: "it has more than 1,024 fields") }
      if at - fieldStart > Self.longestField {
        throw CSVError(file: name, line: line, problem: "a field is over 64 KiB")
      }
      fields[found] = Field(start: Int32(clamping: fieldStart), end: Int32(clamping: at))
      found += 1
      if at == end || bytes[at] == 0x0A { break }
      at += 1
      fieldStart = at
    }
    count = found
    nextLine += lines
    if hasQuotes { unquote() }
    trim()
    return min(at + 1, end)
  }

  private static let openQuote = "a quoted field is not closed"

  /// Takes the quotes off, in place: a field never grows.
  private func unquote() {
    for index in 0..<count where fields[index].end > fields[index].start && buffer[Int(fields[index].start)] == 0x22 {
      var from = Int(fields[index].start) + 1
      var to = Int(fields[index].start)
      let end = Int(fields[index].end)
      var isInside = true
      while from < end {
        if buffer[from] == 0x22 {
          if isInside, from + 1 < end, buffer[from + 1] == 0x22 {
            from += 1
          } else {
            isInside = false
            from += 1
            continue
          }
        }
        buffer[to] = buffer[from]
        to += 1
        from += 1
      }
      fields[index].end = Int32(clamping: to)
    }
  }

  private func trim() {
    for index in 0..<count {
      var from = fields[index].start
      var to = fields[index].end
      while to > from, Self.isBlank(buffer[Int(to &- 1)]) { to &-= 1 }
      while from < to, Self.isBlank(buffer[Int(from)]) { from &+= 1 }
      fields[index] = Field(start: from, end: to)
    }
  }

  @inline(__always) private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0D || byte == 0x09 }

  /// Moves what is left to the front and reads on.
  private func fill() throws {
    let left = end - start
    if left > Self.longestRow { throw CSVError(file: name, line: line, problem: "a row is over 1 MiB") }
    if start > 0 { buffer.update(from: buffer + start, count: left) }
    start = 0
    end = left
    if capacity - end < min(1 << 16, capacity / 2) {
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
      larger.update(from: buffer, count: end)
      buffer.deallocate()
      buffer = larger
      capacity *= 2
    }
    let count = try source.read(into: UnsafeMutableRawBufferPointer(start: buffer + end, count: capacity - end))
    end += count
    isAtEnd = count == 0
  }
}

/// A file that is no CSV.
struct CSVError: Error, Equatable {
  let file: String
  let line: Int
  let problem: String
}
