import SightlineInput
import SightlinePrint

/// A rectangle on paper: millimetres from the page's top left, y down.
struct PrintRectangle: Equatable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

/// A page of black shapes at true size, all that a sheet of markers needs.
///
/// A shape is a list of rectangles that do not overlap and are filled as one path: where they touch there is no seam, as
/// there would be between shapes that are drawn one after another.
struct PrintPage {
  /// Millimetres.
  var width: Double
  /// Millimetres.
  var height: Double
  /// What is black.
  var shapes: [[PrintRectangle]] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The page as an SVG document in millimetres.
  var svg: String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))mm" height="\(number(height))mm" \
      viewBox="0 0 \(number(width)) \(number(height))">
      <rect width="\(number(width))" height="\(number(height))" fill="#fff"/>

      """
    for shape in shapes {
      let path = shape.map {
        "M\(number($0.x)) \(number($0.y))h\(number($0.width))v\(number($0.height))h\(number(-$0.width))z"
      }
      text += "<path d=\"\(path.joined())\"/>\n"
    }
    return text + "</svg>\n"
  }

  /// Pages as a PDF document (ISO 32000-1), one unit being 1/72 inch.
  static func pdf(_ pages: [PrintPage]) -> [UInt8] {
    var file = PDFFile()
    let kids = pages.indices.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
    // PrintScaling: programs that obey it do not shrink the page to the printer's margins.
    file.add("<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>")
    file.add("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>")
    for (index, page) in pages.enumerated() {
      let box = "[0 0 \(number(points(page.width))) \(number(points(page.height)))]"
      file.add("<< /Type /Page /Parent 2 0 R /MediaBox \(box) /Resources << >> /Contents \(4 + 2 * index) 0 R >>")
      file.addStream(page.pdfContent.utf8)
    }
    return file.finished()
  }

  private var pdfContent: String {
    var text = "0 g\n"
    for shape in shapes {
      for r in shape {
        // y runs up, from the bottom.
        let corner = [points(r.x), points(height - r.y - r.height), points(r.width), points(r.height)]
        text += corner.map(number).joined(separator: " ") + " re\n"
      }
      text += "f\n"
    }
    return text
  }

  /// The page as grey pixels; a pixel that an edge runs through has the level of its covered part.
  ///
  /// - Parameter dotsPerInch: resolution.
  /// - Returns: sides and levels, row by row.
  func pixels(dotsPerInch: Double) -> (width: Int, height: Int, levels: [UInt8]) {
    let scale = dotsPerInch / 25.4
    let columns = max(1, Int(clamped: (width * scale).rounded()))
    let rows = max(1, Int(clamped: (height * scale).rounded()))
    var ink = [Float](repeating: 0, count: columns * rows)
    for r in shapes.joined() {
      let across = covered(r.x * scale, (r.x + r.width) * scale, columns)
      for (y, part) in covered(r.y * scale, (r.y + r.height) * scale, rows) {
        for (x, share) in across { ink[y * columns + x] += Float(part * share) }
      }
    }
    return (columns, rows, ink.map { UInt8(clamped: max(0, min(255, (255 * (1 - $0)).rounded()))) })
  }

  /// Pixels between two positions, each with the share of it that lies between them.
  private func covered(_ from: Double, _ to: Double, _ count: Int) -> [(Int, Double)] {
    let (from, to) = (max(0, from), min(Double(count), to))
    guard to > from else { return [] }
    let last = min(count - 1, Int(clamped: to))
    return (Int(clamped: from)...last).map { ($0, max(0, min(to, Double($0) + 1) - max(from, Double($0)))) }
  }
}

/// Millimetres in units of PDF.
private func points(_ millimetres: Double) -> Double { millimetres * 72 / 25.4 }

/// To a ten-thousandth of the unit, without needless zeros.
private func number(_ value: Double) -> String {
  var text = fixed(value, 4)
  while text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text.isEmpty ? "0" : text
}
