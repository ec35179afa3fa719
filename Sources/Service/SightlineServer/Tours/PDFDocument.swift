import Foundation
import SightlinePrint

/// A printed document of rectangles and lines of text, in millimetres from the page's top left corner.
///
/// Text in Latin letters is set in Helvetica, which every reader has; other text in the reader's own Song typeface
/// (ISO 32000-1, 9.7.5.2: `UniGB-UCS2-H`), which holds Chinese, Greek and Cyrillic. Nothing is embedded.
struct PDFDocument {
  /// A page's content so far.
  struct Page {
    fileprivate var content = Data()
    fileprivate let height: Double
  }

  /// Red, green and blue, 0 … 1.
  typealias Color = (red: Double, green: Double, blue: Double)

  static let black: Color = (0, 0, 0)

  /// Width of the pages, millimetres.
  let width: Double
  /// Height of the pages, millimetres.
  let height: Double
  let title: String
  private var pages: [Page] = []

  init(width: Double, height: Double, title: String) {
    (self.width, self.height, self.title) = (width, height, title)
  }

  /// Adds a page and lets it be drawn.
  mutating func page(_ draw: (inout Page) -> Void) {
    var page = Page(height: height)
    draw(&page)
    pages.append(page)
  }

  /// The file.
  func bytes() -> Data {
    var file = PDFFile()
    let kids = pages.indices.map { "\(8 + 2 * $0) 0 R" }.joined(separator: " ")
    file.add("<< /Type /Catalog /Pages 2 0 R >>")
    file.add("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>")
    file.add("<< /Title \(PDFDocument.hexadecimal(title, mark: true)) /Producer (Sightline) >>")
    file.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>")
    file.add(
      "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>"
    )
    file.add(
      """
      << /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /FontDescriptor 7 0 R /DW 1000 \
      /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> >>
      """
    )
    file.add(
      """
      << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 \
      /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>
      """
    )
    let box = "[0 0 \(PDFDocument.points(width)) \(PDFDocument.points(height))]"
    for (index, page) in pages.enumerated() {
      file.add(
        """
        << /Type /Page /Parent 2 0 R /MediaBox \(box) /Contents \(9 + 2 * index) 0 R \
        /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>
        """
      )
      file.addStream(page.content)
    }
    return Data(file.finished(information: 3))
  }

  /// Millimetres in units of 1/72 inch, as text.
  fileprivate static func points(_ millimetres: Double) -> String {
    String(format: "%.3f", millimetres * 72 / 25.4)
  }

  /// A text as UTF-16 in a PDF's hexadecimal string.
  fileprivate static func hexadecimal(_ text: String, mark: Bool) -> String {
    var digits = mark ? "FEFF" : ""
    // The font's encoding has the basic plane alone.
    for scalar in text.unicodeScalars {
      digits += String(format: "%04X", scalar.value < 0x10000 ? scalar.value : 0x3F)
    }
    return "<\(digits)>"
  }
}

extension PDFDocument.Page {
  private mutating func append(_ text: String) { content += Data(text.utf8) }

  /// A filled rectangle.
  mutating func fill(x: Double, y: Double, width: Double, height: Double, color: PDFDocument.Color = PDFDocument.black)
  {
    set(color)
    let parts = [x, self.height - y - height, width, height].map(PDFDocument.points)
    append(parts.joined(separator: " ") + " re f\n")
  }

  /// The outline of a rectangle, 0.2 mm wide.
  mutating func outline(x: Double, y: Double, width: Double, height: Double) {
    let parts = [x, self.height - y - height, width, height].map(PDFDocument.points)
    append("0.6 G 0.57 w " + parts.joined(separator: " ") + " re S\n")
  }

  /// Squares of a grid, filled as one path so that there are no seams between them.
  mutating func fill(cells: [(x: Int, y: Int, length: Int)], x: Double, y: Double, cell: Double) {
    set(PDFDocument.black)
    for run in cells {
      let top = y + Double(run.y) * cell
      let parts = [x + Double(run.x) * cell, height - top - cell, Double(run.length) * cell, cell]
      append(parts.map(PDFDocument.points).joined(separator: " ") + " re\n")
    }
    append("f\n")
  }

  private mutating func set(_ color: PDFDocument.Color) {
    append(String(format: "%.3f %.3f %.3f rg\n", color.red, color.green, color.blue))
  }

  /// A line of text with its base line at `y`, made smaller when it is wider than `width`.
  mutating func text(
    _ text: String,
    x: Double,
    y: Double,
    size: Double,
    width: Double,
    color: PDFDocument.Color = PDFDocument.black
  ) {
    let natural = PDFText.width(text) * size
    let size = natural > width ? size * width / natural : size
    set(color)
    append("BT \(PDFDocument.points(x)) \(PDFDocument.points(height - y)) Td ")
    for run in PDFText.runs(text) {
      append("/\(run.isLatin ? "F1" : "F2") \(PDFDocument.points(size)) Tf ")
      if run.isLatin {
        append("(")
        content += PDFText.literal(run.text)
        append(") Tj ")
      } else {
        append("\(PDFDocument.hexadecimal(run.text, mark: false)) Tj ")
      }
    }
    append("ET\n")
  }
}

/// Text for the two typefaces.
private enum PDFText {
  /// Characters of Windows' Latin code page that do not have the number they have in Unicode.
  private static let special: [UInt32: UInt8] = [
    0x20AC: 0x80, 0x201A: 0x82, 0x201E: 0x84, 0x2026: 0x85, 0x0160: 0x8A, 0x0152: 0x8C, 0x017D: 0x8E, 0x2018: 0x91,
    0x2019: 0x92, 0x201C: 0x93, 0x201D: 0x94, 0x2022: 0x95, 0x2013: 0x96, 0x2014: 0x97, 0x0161: 0x9A, 0x0153: 0x9C,
    0x017E: 0x9E, 0x0178: 0x9F,
  ]

  static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    if let byte = special[scalar.value] { return byte }
    return (0x20...0x7E).contains(scalar.value) || (0xA0...0xFF).contains(scalar.value)
      ? UInt8(exactly: scalar.value) : nil
  }

  static func runs(_ text: String) -> [(text: String, isLatin: Bool)] {
    var runs: [(text: String, isLatin: Bool)] = []
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      let isLatin = byte(scalar) != nil
      if runs.last?.isLatin == isLatin {
        runs[runs.count - 1].text.unicodeScalars.append(scalar)
      } else {
        runs.append((String(scalar), isLatin))
      }
    }
    return runs
  }

  static func literal(_ text: String) -> Data {
    var bytes = Data()
    for scalar in text.unicodeScalars {
      guard let byte = byte(scalar) else { continue }
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    return bytes
  }

  /// About the width of a text in heights of its letters, rather more than less.
  static func width(_ text: String) -> Double {
    text.unicodeScalars.reduce(0) { sum, scalar in
      guard byte(scalar) != nil else { return sum + 1 }
      switch Character(scalar) {
      case "i", "l", "j", "I", ".", ",", ":", ";", "'", "|", "!", " ", "(", ")", "/", "-", "t", "f", "r":
        return sum + 0.36
      case "m", "w", "M", "W", "@", "%", "—": return sum + 0.95
      default: return sum + (scalar.properties.isUppercase ? 0.75 : 0.6)
      }
    }
  }
}
