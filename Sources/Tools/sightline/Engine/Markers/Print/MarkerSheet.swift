import SightlineInput
import SightlineMarkers

/// Pages of markers.
struct MarkerSheet {
  var dictionary: MarkerDictionary
  /// Outer edge of the black border, millimetres.
  var length: Double
  /// White margin around it, millimetres.
  var margin: Double

  /// Room around a marker for the cutting marks and its label.
  private static let frame = 6.0
  private static let textHeight = 2.0

  private func label(_ id: Int) -> String { "\(dictionary.publicName) id \(id)  \(plain(length)) mm" }

  /// A page just large enough for one marker, its margin, cutting marks and label.
  func single(id: Int) -> PrintPage {
    let tile = length + 2 * margin
    var page = PrintPage(width: tile + 2 * Self.frame, height: tile + 2 * Self.frame)
    add(id, to: &page, x: Self.frame, y: Self.frame)
    return page
  }

  /// As many pages as the markers need, in rows; `nil` when not even one fits.
  func pages(ids: [Int], paper: Paper) -> [PrintPage]? {
    let edge = 8.0
    let footer = 8.0
    let tile = length + 2 * margin
    let step = tile + 2 * Self.frame
    let (width, height) = paper.size
    let columns = Int(clamped: (width - 2 * edge) / step)
    let rows = Int(clamped: (height - 2 * edge - footer) / step)
    guard columns > 0, rows > 0 else { return nil }
    return stride(from: 0, to: ids.count, by: columns * rows).map { first in
      var page = PrintPage(width: width, height: height)
      let left = (width - Double(columns) * step) / 2 + Self.frame
      for (index, id) in ids[first..<min(ids.count, first + columns * rows)].enumerated() {
        let (column, row) = (index % columns, index / columns)
        add(id, to: &page, x: left + Double(column) * step, y: edge + Self.frame + Double(row) * step)
      }
      page.shapes.append(PrintedMarker.ruler(x: (width - 100) / 2, y: height - edge, length: 100))
      let text = "100 mm if printed at 100 percent"
      page.shapes.append(PrintText.shape(text, x: (width - 100) / 2 + 102, y: height - edge - 1.4, height: 1.4))
      return page
    }
  }

  private func add(_ id: Int, to page: inout PrintPage, x: Double, y: Double) {
    let tile = length + 2 * margin
    page.shapes.append(
      PrintedMarker.shape(dictionary, id: id, x: x + margin, y: y + margin, length: length)
    )
    page.shapes.append(PrintedMarker.cuttingMarks(x: x, y: y, width: tile, height: tile))
    // Beyond the cut, where it cannot disturb the white margin.
    let text = label(id)
    let height = min(Self.textHeight, Self.textHeight * (tile - 4) / PrintText.width(text, height: Self.textHeight))
    if height > 0.5 {
      page.shapes.append(
        PrintText.shape(text, x: x + 2, y: y + tile + Self.frame - 1 - Self.textHeight, height: height)
      )
    }
  }
}

/// A number without needless decimals.
func plain(_ value: Double) -> String { value == value.rounded() ? "\(Int(clamped: value))" : fixed(value, 2) }
