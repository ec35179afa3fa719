import SightlineImaging
import SightlineMath

/// A marker found in a picture.
public struct DetectedMarker: Equatable, Sendable {
  /// The dictionary it is from.
  public var dictionary: MarkerDictionary
  /// Its number there.
  public var id: Int
  /// Outer corners of the black border, pixels: the marker's own top left, then clockwise as seen.
  public var corners: InlineArray<4, Vector2>
  /// Cells that were corrected.
  public var wrongCells: Int
  /// How clearly it is this marker, 0 … 1: the mean distance of its cells from the middle between dark and light, in half
  /// the contrast, less a share for each corrected cell.
  public var confidence: Double

  /// Whether all parts are equal.
  public static func == (a: DetectedMarker, b: DetectedMarker) -> Bool {
    for i in 0..<4 where a.corners[i] != b.corners[i] { return false }
    return a.dictionary == b.dictionary && a.id == b.id && a.wrongCells == b.wrongCells && a.confidence == b.confidence
  }
}

/// Finds square markers in grey pictures, for several dictionaries at once.
///
/// Stages: adaptive threshold, borders of what is dark, quadrilaterals, line fits along their edges, reading of the cells.
/// The threshold only has to find the outline; where the corners are and what the cells say is measured in the grey levels.
///
/// ```swift
/// var detector = MarkerDetector(dictionaries: [.grid6x6Of250, .apriltag36h11])
/// var markers: [DetectedMarker] = []
/// detector.detect(in: frame, into: &markers)
/// ```
///
/// Assumes a light margin of half a cell at least around the border. A marker whose outline is broken by something that
/// covers it, or that touches something dark, is not found.
public struct MarkerDetector: Sendable {
  /// What is looked for.
  public struct Parameters: Sendable {
    /// Shortest side of a marker in the picture, pixels; default 16.
    ///
    /// A smaller one finds more and takes longer.
    public var minimumSide = 16.0
    /// Half the side of the window whose mean a pixel is compared with, pixels; default 9.
    ///
    /// A larger one lets dark things near a marker grow into it, a smaller one makes more of noise.
    public var thresholdRadius = 9
    /// How much darker than its surroundings an outline is, grey levels; default 4.
    ///
    /// A larger one loses faint markers, a smaller one roughens outlines by noise.
    public var thresholdOffset = 4
    /// Least confidence of a marker; default 0.45.
    ///
    /// A larger one loses blurred markers.
    public var minimumConfidence = 0.45

    /// The defaults.
    public init() {}
  }

  /// What is looked for.
  public let parameters: Parameters
  private let decoder: MarkerDecoder
  private var integral = IntegralImage()
  private var binary = GrayImage(width: 1, height: 1)

  /// A detector for the markers of some dictionaries.
  public init(dictionaries: [MarkerDictionary], parameters: Parameters = Parameters()) {
    self.parameters = parameters
    decoder = MarkerDecoder(dictionaries)
  }

  /// Finds the markers in a picture, in the order of their outlines from top to bottom.
  public mutating func detect(in image: GrayView, into markers: inout [DetectedMarker]) {
    var sink = NoStageSink()
    detect(in: image, into: &markers, reporting: &sink)
  }

  /// Finds the markers in a picture and tells a sink what each step made.
  public mutating func detect(
    in image: GrayView,
    into markers: inout [DetectedMarker],
    reporting sink: inout some MarkerStageSink
  ) {
    markers.removeAll(keepingCapacity: true)
    sink.add(.picture, picture: image, scale: 1)
    binary.setAdaptiveThreshold(
      of: image,
      radius: parameters.thresholdRadius,
      offset: parameters.thresholdOffset,
      integral: &integral
    )
    binary.withView { sink.add(.threshold, picture: $0, scale: 1) }
    let borders = binary.withView { $0.contours(minimumLength: Int(2 * parameters.minimumSide)) }
    for border in borders where !border.isHole {
      border.points.map { Vector2($0) }.withUnsafeBufferPointer { sink.add(.outlines, outline: $0) }
      // The outline of pixels is up to a pixel off at each end.
      guard let quad = border.quad(minimumSide: parameters.minimumSide - 2) else { continue }
      sink.add(.quadrilaterals, corners: quad)
      guard let corners = image.refinedCorners(quad, cells: 8) else { continue }
      sink.add(.edges, corners: corners)
      guard let marker = marker(in: image, corners: corners) else { continue }
      keep(marker, in: &markers)
    }
    for marker in markers { sink.add(.markers, marker: marker) }
  }

  /// The marker with these outer corners; all numbers of cells are tried, the clearest counts.
  private func marker(in image: GrayView, corners: Corners) -> DetectedMarker? {
    var best: DetectedMarker?
    for cells in 4...7 where decoder.reads(cells: cells) {
      guard let reading = image.cells(cells, in: corners), reading.lightBorderCells == 0 else { continue }
      guard let match = decoder.match(reading.code, cells: cells) else { continue }
      let confidence = reading.clarity - 0.05 * Double(match.wrongCells)
      guard confidence >= parameters.minimumConfidence, confidence > best?.confidence ?? 0 else { continue }
      var own = corners
      for i in 0..<4 { own[i] = corners[(i + match.quarterTurns) & 3] }
      best = DetectedMarker(
        dictionary: match.dictionary,
        id: match.id,
        corners: own,
        wrongCells: match.wrongCells,
        confidence: confidence
      )
    }
    return best
  }

  /// Adds a marker, or the better one of two in the same place.
  private func keep(_ marker: DetectedMarker, in markers: inout [DetectedMarker]) {
    func center(_ m: DetectedMarker) -> Vector2 { (m.corners[0] + m.corners[1] + m.corners[2] + m.corners[3]) * 0.25 }
    let side = (marker.corners[2] - marker.corners[0]).length / 1.5
    for index in markers.indices where (center(markers[index]) - center(marker)).length < side / 2 {
      if marker.confidence > markers[index].confidence { markers[index] = marker }
      return
    }
    markers.append(marker)
  }
}
