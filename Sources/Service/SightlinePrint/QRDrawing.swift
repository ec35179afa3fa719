import Foundation
import SightlinePictures
public import SightlineQR

/// A code on paper, with a name under it.
public struct QRDrawing: Sendable {
  /// Its modules.
  public let matrix: QRMatrix
  /// What stands under it.
  public let name: String?
  /// Side with the quiet zone, millimetres.
  public let side: Double

  /// A drawing; `side` is that of the code with its quiet zone, millimetres.
  public init(matrix: QRMatrix, name: String?, side: Double) {
    self.matrix = matrix
    self.name = name
    self.side = side
  }

  /// The code of an address; `nil` when it is not of ASCII characters or too long for a code.
  public init?(address: String, name: String?, side: Double) {
    guard address.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let characters = address.utf8.map { QRCharacter(bytes: UInt32($0), byteCount: 1, shiftJIS: nil) }
    var encoder = QREncoder()
    encoder.level = .medium
    guard let code = try? encoder.encode(characters, characterSet: 26) else { return nil }
    self.init(matrix: code.matrix, name: name, side: side)
  }

  /// Width of the quiet zone, modules (ISO/IEC 18004, 9.1).
  private static let quiet = 4
  private var modules: Int { matrix.size + 2 * Self.quiet }

  /// Runs of dark modules in a row: column, row and length, quiet zone included.
  private var runs: [(x: Int, y: Int, length: Int)] {
    var runs: [(x: Int, y: Int, length: Int)] = []
    for y in 0..<matrix.size {
      var x = 0
      while x < matrix.size {
        var end = x
        while end < matrix.size && matrix[end, y] { end += 1 }
        if end > x { runs.append((x + Self.quiet, y + Self.quiet, end - x)) }
        x = end + 1
      }
    }
    return runs
  }

  /// Height of the name's letters and of the room for it, modules; a long name is made smaller.
  private var lettering: (size: Double, room: Double) {
    guard let name, !name.isEmpty else { return (0, 0) }
    // About 0.55 of the height is the mean width of a letter.
    let size = min(3.2, Double(modules - 2) / (0.58 * Double(name.count)))
    return (size, size * 1.6)
  }

  /// The drawing as SVG; a unit is a module.
  public func svg() -> String {
    let (size, room) = lettering
    let height = Double(modules) + room
    let path = runs.map { "M\($0.x) \($0.y)h\($0.length)v1h-\($0.length)z" }.joined()
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(fixed(side, 3))mm" \
      height="\(fixed(side * height / Double(modules), 3))mm" viewBox="0 0 \(modules) \(fixed(height, 3))">
      <rect width="100%" height="100%" fill="#fff"/>
      <path d="\(path)" fill="#000" shape-rendering="crispEdges"/>

      """
    if let name, room > 0 {
      text += """
        <text x="\(fixed(Double(modules) / 2, 1))" y="\(fixed(Double(modules) + size * 0.6, 3))" \
        font-family="Helvetica, Arial, sans-serif" font-size="\(fixed(size, 3))" text-anchor="middle">\(escaped(name))</text>

        """
    }
    return text + "</svg>\n"
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default:
        // XML has no control characters but white space.
        result.unicodeScalars.append(
          scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF ? " " : scalar
        )
      }
    }
    return result
  }

  /// The drawing as a PDF of one page; `nil` when the name has characters that the font's encoding (ISO 8859-1) lacks.
  ///
  /// Source: PDF 1.4 Reference; Helvetica is one of the fonts that every reader has.
  public func pdf() -> [UInt8]? {
    let (size, room) = lettering
    let unit = side / 25.4 * 72 / Double(modules)
    let width = Double(modules) * unit
    let height = (Double(modules) + room) * unit
    var content = Data("\(fixed(unit, 6)) 0 0 \(fixed(unit, 6)) 0 \(fixed(room * unit, 6)) cm 0 g\n".utf8)
    for run in runs { content += Data("\(run.x) \(modules - run.y - 1) \(run.length) 1 re\n".utf8) }
    content += Data("f\n".utf8)
    if let name, room > 0 {
      guard let line = literal(name) else { return nil }
      let start = (Double(modules) - helveticaWidth(name) * size) / 2
      content += Data("BT /F1 \(fixed(size, 4)) Tf \(fixed(max(1, start), 4)) \(fixed(-size * 0.6, 4)) Td (".utf8)
      content += line + Data(") Tj ET\n".utf8)
    }
    let page = "/MediaBox [0 0 \(fixed(width, 3)) \(fixed(height, 3))]"
    var file = PDFFile()
    file.add("<< /Type /Catalog /Pages 2 0 R >>")
    file.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
    file.add("<< /Type /Page /Parent 2 0 R \(page) /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>")
    file.addStream(content)
    file.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    guard let title = name.flatMap({ literal($0) }) else { return file.finished() }
    file.add(Data("<< /Title (".utf8) + title + Data(") /Producer (Sightline) >>".utf8))
    return file.finished(information: 6)
  }

  /// A text between the brackets of a PDF string.
  private func literal(_ text: String) -> Data? {
    var bytes = Data()
    for scalar in text.unicodeScalars {
      guard scalar.value >= 0x20, scalar.value < 0x100, !(0x7F...0x9F).contains(scalar.value) else { return nil }
      if "()\\".unicodeScalars.contains(scalar) { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    }
    return bytes
  }

  /// About the width of a text in Helvetica, in heights of its letters: narrow, usual and wide ones.
  private func helveticaWidth(_ text: String) -> Double {
    text.reduce(0.0) { sum, letter in
      if "iljI.,:;'|!".contains(letter) { return sum + 0.25 }
      if "mwMW@%".contains(letter) { return sum + 0.85 }
      return sum + (letter.isUppercase ? 0.69 : letter == " " ? 0.28 : 0.54)
    }
  }

  /// The code alone as PNG, as many whole pixels a module as 300 dots per inch allow.
  public func png() throws -> [UInt8] {
    let scale = Int(max(1, min(64, side / 25.4 * 300 / Double(modules))))  // In range: 1 to 64, for `side` is finite.
    let pixels = modules * scale
    var picture = Picture(
      width: pixels,
      height: pixels,
      layout: .gray,
      pixels: [UInt8](repeating: 255, count: pixels * pixels)
    )
    for run in runs {
      for y in (run.y * scale)..<((run.y + 1) * scale) {
        for x in (run.x * scale)..<((run.x + run.length) * scale) { picture.pixels[y * pixels + x] = 0 }
      }
    }
    return try picture.png(pixelsPerMetre: Double(pixels) / side * 1000)
  }
}

/// A number with so many decimals, never "-0"; numbers that are none become 0.
private func fixed(_ value: Double, _ decimals: Int) -> String {
  guard value.isFinite else { return "0" }
  let text = String(format: "%.\(decimals)f", value)
  return text.contains { ("1"..."9").contains($0) } ? text : text.replacingOccurrences(of: "-", with: "")
}
