/// The frame of a PDF file around its objects: header, cross-reference table and trailer (ISO 32000-1, 7.5).
public struct PDFFile {
  private var bytes = Array("%PDF-1.4\n%\u{E2}\u{E3}\n".utf8)
  private var offsets: [Int] = []

  /// A file without objects.
  public init() {}

  /// Adds an object; the first has the number 1 and is the catalogue.
  public mutating func add(_ body: some Sequence<UInt8>) {
    offsets.append(bytes.count)
    bytes += Array("\(offsets.count) 0 obj\n".utf8)
    bytes += body
    bytes += Array("\nendobj\n".utf8)
  }

  /// Adds an object.
  public mutating func add(_ body: String) { add(body.utf8) }

  /// Adds a stream, such as what a page draws.
  public mutating func addStream(_ content: some Collection<UInt8>) {
    add(Array("<< /Length \(content.count) >>\nstream\n".utf8) + content + Array("\nendstream".utf8))
  }

  /// The whole file.
  ///
  /// - Parameter information: number of the object with title and producer, if there is one.
  /// - Returns: its bytes.
  public func finished(information: Int? = nil) -> [UInt8] {
    var table = "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
    for offset in offsets {
      let digits = String(offset)
      table += String(repeating: "0", count: max(0, 10 - digits.count)) + digits + " 00000 n \n"
    }
    let info = information.map { " /Info \($0) 0 R" } ?? ""
    table += "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R\(info) >>\nstartxref\n\(bytes.count)\n%%EOF\n"
    return bytes + Array(table.utf8)
  }
}
