import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlinePictures

/// What the classic way of reading sees of each quadrilateral: unwarped, and parted into dark and light.
struct CellPictures {
  private let frame: Picture
  private let mostCells: Int
  private var quadrilaterals: [Quadrilateral] = []
  private var markers: [DetectedMarker] = []

  /// Pictures beyond that many help nobody.
  private static let most = 240
  private static let side = 80
  private static let gap = 8
  private static let textHeight = 14

  /// - Parameters:
  ///   - frame: the grey picture that is searched.
  ///   - mostCells: along a side without the border, for what is no marker.
  init(frame: Picture, mostCells: Int) {
    self.frame = frame
    self.mostCells = mostCells
  }

  /// A quadrilateral that was read.
  mutating func add(_ corners: Quadrilateral) { quadrilaterals.append(corners) }

  /// A marker that was found.
  mutating func add(_ marker: DetectedMarker) { markers.append(marker) }

  /// All of them in rows: the markers first, upright, then what is none.
  func picture() -> Picture {
    var tiles = markers.map { (corners: $0.corners, cells: $0.dictionary.cells, text: "\($0.id)") }
    for corners in quadrilaterals {
      // A marker's own corners are a little elsewhere than those of its quadrilateral.
      let isMarker = markers.contains { marker in
        (marker.corners.center - corners.center).length < 0.2 * marker.corners.diagonals.0.length
      }
      if !isMarker { tiles.append((corners, mostCells, "-")) }
    }
    tiles = Array(tiles.prefix(Self.most))
    let (width, height) = (2 * Self.side + 3 * Self.gap, Self.side + Self.textHeight + Self.gap)
    let columns = max(1, min(tiles.count, 6))
    let rows = max(1, (tiles.count + columns - 1) / columns)
    let size = (width: columns * width, height: rows * height + Self.gap)
    let pixels = [UInt8](repeating: 232, count: size.width * size.height)
    var canvas = StageCanvas(picture: Picture(width: size.width, height: size.height, layout: .gray, pixels: pixels))
    for (index, tile) in tiles.enumerated() {
      let (left, top) = (index % columns * width + Self.gap, index / columns * height + Self.gap)
      guard let (front, dark) = unwarped(tile.corners, cells: tile.cells) else { continue }
      canvas.paste(front, x: left, y: top)
      canvas.paste(dark, x: left + Self.side + Self.gap, y: top)
      let middle = Vector2(Double(left + Self.side + Self.gap / 2), Double(top + Self.side + Self.textHeight / 2))
      canvas.text(tile.text, center: middle, tile.text == "-" ? (128, 128, 128) : (176, 0, 0))
    }
    return canvas.picture
  }

  private func unwarped(_ corners: Quadrilateral, cells: Int) -> (front: GrayImage, dark: GrayImage)? {
    var front = GrayImage(width: 1, height: 1)
    let isThere = frame.pixels.withUnsafeBufferPointer { pixels in
      guard let view = try? GrayView(pixels, width: frame.width, height: frame.height, stride: frame.width) else {
        return false
      }
      return front.setUnwarpedMarker(of: view, corners: corners, cells: cells, pixelsPerCell: Self.side / (cells + 2))
    }
    guard isThere else { return nil }
    var dark = front
    guard let level = front.withView({ Histogram($0).otsuThreshold }) else { return (front, dark) }
    for y in 0..<front.height { for x in 0..<front.width { dark[x, y] = front[x, y] > level ? 255 : 0 } }
    return (front, dark)
  }
}
