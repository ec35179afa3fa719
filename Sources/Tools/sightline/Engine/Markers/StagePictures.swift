import SightlineImaging
import SightlineInput
import SightlineMarkers
import SightlineMath
import SightlinePictures

/// Draws what each step of the detector made.
struct StagePictures: MarkerStageSink {
  /// A picture under its file name, without ending.
  struct Entry {
    var name: String
    var picture: Picture
  }
  private(set) var entries: [Entry] = []
  private let frame: Picture
  private var canvases: [StageCanvas?]
  private var cells: CellPictures
  /// Pictures of each name so far.
  private var counts: [String: Int] = [:]

  /// - Parameters:
  ///   - frame: the grey picture that is searched.
  ///   - mostCells: of the dictionaries, along a side without the border.
  init(frame: Picture, mostCells: Int) {
    self.frame = frame
    cells = CellPictures(frame: frame, mostCells: mostCells)
    canvases = [StageCanvas?](repeating: nil, count: MarkerStage.allCases.count)
  }

  mutating func add(_ stage: MarkerStage, picture: GrayView, scale: Int) {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(picture.width * picture.height)
    for y in 0..<picture.height {
      for x in 0..<picture.width { pixels.append(picture[x, y]) }
    }
    let size = scale == 1 ? "" : "-every-\(scale)-pixels"
    let name = Self.name(stage) + size
    counts[name, default: 0] += 1
    let count = counts[name, default: 1]
    entries.append(
      Entry(
        name: name + (count > 1 ? "-\(count)" : ""),
        picture: Picture(width: picture.width, height: picture.height, layout: .gray, pixels: pixels)
      )
    )
  }

  mutating func add(_ stage: MarkerStage, outline: UnsafeBufferPointer<Vector2>) {
    draw(on: stage) { canvas, color in
      for i in outline.indices { canvas.line(outline[i], outline[(i + 1) % outline.count], color) }
    }
  }

  mutating func add(_ stage: MarkerStage, corners: Quadrilateral) {
    if stage == .edges { cells.add(corners) }
    draw(on: stage) { canvas, color in
      for i in 0..<4 { canvas.line(corners[i], corners[(i + 1) & 3], color) }
    }
  }

  mutating func add(_ stage: MarkerStage, marker: DetectedMarker) {
    cells.add(marker)
    draw(on: stage) { canvas, _ in
      // The upper side in another colour, so that the orientation shows.
      for i in 0..<4 {
        canvas.line(marker.corners[i], marker.corners[(i + 1) & 3], i == 0 ? (255, 64, 64) : (64, 255, 64))
      }
      let c = marker.corners
      let center = (c[0] + c[1] + c[2] + c[3]) * 0.25
      canvas.text("\(marker.id)", center: center, (255, 224, 0))
    }
  }

  /// All pictures in the order of the steps; a step that found nothing shows the frame alone.
  func finished() -> [Entry] {
    var result = entries
    for stage in MarkerStage.allCases where stage != .picture && stage != .threshold {
      let canvas = canvases[Int(stage.rawValue)] ?? StageCanvas(dimming: frame)
      result.append(Entry(name: Self.name(stage), picture: canvas.picture))
    }
    result.append(Entry(name: "\(MarkerStage.allCases.count + 1)-cells", picture: cells.picture()))
    return result
  }

  private mutating func draw(on stage: MarkerStage, _ body: (inout StageCanvas, StageCanvas.Color) -> Void) {
    let index = Int(stage.rawValue)
    var canvas = canvases[index].take() ?? StageCanvas(dimming: frame)
    canvas.drawn += 1
    // Neighbours get different colours.
    let colors: [StageCanvas.Color] = [
      (255, 96, 96), (96, 255, 96), (112, 160, 255), (255, 224, 64), (255, 96, 255), (64, 224, 224),
    ]
    body(&canvas, colors[canvas.drawn % colors.count])
    canvases[index] = canvas
  }

  private static func name(_ stage: MarkerStage) -> String { "\(stage.rawValue &+ 1)-\(stage)" }
}

/// A colour picture that is drawn on.
struct StageCanvas {
  typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

  private(set) var picture: Picture
  /// How many things were drawn.
  var drawn = 0

  /// The frame at half its brightness, so that colours stand out.
  init(dimming frame: Picture) {
    var colors = frame.converted(to: .rgb)
    for i in colors.pixels.indices { colors.pixels[i] /= 2 }
    picture = colors
  }

  private mutating func dot(_ x: Int, _ y: Int, _ color: Color) {
    guard x >= 0, y >= 0, x < picture.width, y < picture.height else { return }
    let i = 3 * (y * picture.width + x)
    (picture.pixels[i], picture.pixels[i + 1], picture.pixels[i + 2]) = (color.red, color.green, color.blue)
  }

  /// A line one pixel wide.
  mutating func line(_ a: Vector2, _ b: Vector2, _ color: Color) {
    let way = b - a
    guard way.length.isFinite, way.length < 1e5 else { return }
    let steps = max(1, Int(clamped: max(abs(way.x), abs(way.y)).rounded(.up)))
    for step in 0...steps {
      let p = a + way * (Double(step) / Double(steps))
      dot(Int(clamped: p.x.rounded()), Int(clamped: p.y.rounded()), color)
    }
  }

  /// A picture of one's own to draw on.
  init(picture: Picture) { self.picture = picture.converted(to: .rgb) }

  /// Another picture in it, cut off at its edges.
  mutating func paste(_ image: GrayImage, x left: Int, y top: Int) {
    for y in 0..<image.height {
      for x in 0..<image.width { dot(left + x, top + y, (image[x, y], image[x, y], image[x, y])) }
    }
  }

  /// A short text around a point.
  mutating func text(_ text: String, center: Vector2, _ color: Color) {
    guard abs(center.x) < 1e6, abs(center.y) < 1e6 else { return }
    let left = center.x - PrintText.width(text, height: 10) / 2
    for r in PrintText.shape(text, x: left.rounded(), y: center.y.rounded() - 5, height: 10) {
      for y in Int(clamped: r.y)..<Int(clamped: r.y + r.height) {
        for x in Int(clamped: r.x)..<Int(clamped: r.x + r.width) { dot(x, y, color) }
      }
    }
  }
}
