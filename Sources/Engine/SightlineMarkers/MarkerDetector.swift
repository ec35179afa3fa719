import SightlineImaging
import SightlineMath

/// Finds square markers in grey pictures, for several dictionaries at once.
///
/// Stages: smaller copies of the picture, and for each of them a local threshold, outlines of what is dark, quadrilaterals, line
/// fits along their edges in the whole picture, reading of the cells. The threshold only has to find the outline; where the
/// corners are and what the cells say is measured in the grey levels. Large markers are found in small copies, where noise and
/// blur are small too.
///
/// ```swift
/// var detector = MarkerDetector(dictionaries: [.grid6x6Of250, .apriltag36h11])
/// var markers: [DetectedMarker] = []
/// detector.detect(in: frame, into: &markers)
/// ```
///
/// Assumes a light margin of half a cell at least around the border. A marker is found when parts of its outline are covered,
/// but a good part of each of its four sides must be seen.
public struct MarkerDetector: Sendable {
  /// What is looked for.
  public struct Parameters: Sendable {
    /// Shortest side of a marker in the picture, pixels; default 16.
    ///
    /// A smaller one finds more and takes longer.
    public var minimumSide = 16.0
    /// Least difference between a border and the margin around it, grey levels; default 7.
    ///
    /// A larger one loses faint markers, a smaller one makes outlines of noise and takes longer. It is raised by itself in a
    /// noisy picture, and for markers that are too small to be read so faint.
    public var minimumContrast = 7
    /// Least confidence of a marker; default 0.45.
    ///
    /// A larger one loses blurred markers.
    public var minimumConfidence = 0.45

    /// Whether prints with dark and light exchanged are looked for too; default no.
    ///
    /// They are reported as such, and cost a second search.
    public var findsInverted = false
    /// Whether mirrored prints are looked for too, such as on glass seen from behind; default no.
    ///
    /// They are reported as such, and cost a second search.
    public var findsMirrored = false

    /// The defaults.
    public init() {}
  }

  /// What is looked for.
  public let parameters: Parameters
  /// The lens of the camera that the next pictures are from, when it is known and not straight; `nil` at first.
  ///
  /// Corners are reported where they are seen in either case, in a picture of a bent lens more exactly with it.
  public var lens: MarkerLens?
  let decoder: MarkerDecoder
  /// Most cells along a side, with the border.
  private let mostCells: Int
  /// The frame and its halves; of the frame itself a smooth copy, when it is noisy.
  private var pyramid = Pyramid()
  /// Room for each size that the frame is searched in, the frame itself first.
  private var levels: [SearchLevel] = []
  private var tracer = ContourTracer()
  private var finder = QuadFinder()
  var points = EdgePoints()
  var pattern = EdgeRefinement()
  var likeness = TemplateCorrelation()
  /// Noise above which the frame itself is smoothed before it is searched.
  private static let calm = 2.0
  /// Standard deviation of the noise in the frame, grey levels.
  var noise = 0.0
  private var quads: [(corners: Quadrilateral, scale: Int)] = []
  var values = CellValues()
  var reading = CellReading()
  private var taken = OccupancyMap()

  /// A detector for the markers of some dictionaries.
  public init(dictionaries: [MarkerDictionary], parameters: Parameters = Parameters()) {
    self.parameters = parameters
    decoder = MarkerDecoder(dictionaries)
    mostCells = dictionaries.reduce(4) { max($0, $1.cells) } + 2
  }

  /// Makes room for frames of a size, so that the first one takes no longer than those that follow.
  ///
  /// Without it the first search makes it: of new memory the system hands out each page when it is first written to, which
  /// takes a third of the time of a search.
  /// - Precondition: both sides are 1 … ``GrayView/longestSide`` pixels.
  public mutating func reserve(width: Int, height: Int) {
    let count = SearchLevel.count(width: width, height: height)
    while levels.count < count { levels.append(SearchLevel()) }
    pyramid.reserve(width: width, height: height, levels: count)
    for level in 0..<count { levels[level].reserve(width: width >> level, height: height >> level) }
  }

  /// Finds the markers in a picture.
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
    find(in: image, &markers, &sink)
    if parameters.findsInverted { findAltered(image, isMirrored: false, isInverted: true, &markers) }
    if parameters.findsMirrored { findAltered(image, isMirrored: true, isInverted: false, &markers) }
    if parameters.findsInverted, parameters.findsMirrored {
      findAltered(image, isMirrored: true, isInverted: true, &markers)
    }
    for marker in markers { sink.add(.markers, marker: marker) }
  }

  /// Finds the markers in a part of a frame where some are expected.
  ///
  /// Once all of those are found, smaller ones are not searched any more.
  mutating func detect(in image: GrayView, into markers: inout [DetectedMarker], expecting expected: [TrackedMarker]) {
    markers.removeAll(keepingCapacity: true)
    var sink = NoStageSink()
    find(in: image, &markers, &sink, expecting: expected)
  }

  /// Whether all markers that are expected are among those that were seen; of one id there may be several.
  private static func are(_ expected: [TrackedMarker], among seen: [DetectedMarker]) -> Bool {
    for marker in expected {
      var missing = 0
      for other in expected where other.id == marker.id && other.dictionary == marker.dictionary { missing += 1 }
      for other in seen where other.id == marker.id && other.dictionary == marker.dictionary { missing -= 1 }
      guard missing <= 0 else { return false }
    }
    return true
  }

  /// Adds the markers of a mirrored or inverted copy, where no other was found.
  private mutating func findAltered(
    _ image: GrayView,
    isMirrored: Bool,
    isInverted: Bool,
    _ markers: inout [DetectedMarker]
  ) {
    var copy = GrayImage(copying: image)
    let last = image.width - 1
    for y in 0..<image.height {
      for x in 0..<image.width {
        let level = image[isMirrored ? last - x : x, y]
        copy[x, y] = isInverted ? 255 - level : level
      }
    }
    var found: [DetectedMarker] = []
    var sink = NoStageSink()
    let bent = lens
    // A mirrored lens is another one; without it corners are a little less exact.
    if isMirrored { lens = nil }
    copy.withView { find(in: $0, &found, &sink) }
    lens = bent
    for var marker in found {
      marker.isMirrored = isMirrored
      marker.isInverted = isInverted
      if isMirrored {
        let seen = marker.corners
        for i in 0..<4 {
          // The order turns around with the picture; the marker's own top left stays first.
          let corner = seen[(4 - i) & 3]
          marker.corners[i] = Vector2(Double(last) - corner.x, corner.y)
        }
        marker.covariance = nil
      }
      if isNew(marker.corners, markers) { markers.append(marker) }
    }
  }

  private mutating func find(
    in image: GrayView,
    _ markers: inout [DetectedMarker],
    _ sink: inout some MarkerStageSink,
    expecting expected: [TrackedMarker]? = nil
  ) {
    let count = SearchLevel.count(width: image.width, height: image.height)
    while levels.count < count { levels.append(SearchLevel()) }
    pyramid.setHalves(of: image, levels: count)
    noise = image.noiseLevel()
    taken.removeAll()
    quads.removeAll(keepingCapacity: true)
    for level in (0..<count).reversed() {
      let isLast = level == count - 1
      // Taken out while it is used, so that nothing is copied.
      var here = SearchLevel.none
      swap(&here, &levels[level])
      if level == 0, noise > Self.calm {
        // Grain and fine texture make most of the outlines that lead to nothing.
        pyramid.setBase { $0.setSmoothed(image) }
        search(pyramid.levels[0], scale: 1, isSmallest: isLast, noise: noise / 2, &here.threshold, &here.mask, &sink)
      } else if level == 0 {
        search(image, scale: 1, isSmallest: isLast, noise: noise, &here.threshold, &here.mask, &sink)
      } else {
        search(
          pyramid.levels[level],
          scale: 1 << level,
          isSmallest: isLast,
          noise: noise,
          &here.threshold,
          &here.mask,
          &sink
        )
      }
      swap(&here, &levels[level])
      for quad in quads {
        sink.add(.quadrilaterals, corners: quad.corners)
        guard isNew(quad.corners, markers) else { continue }
        let slack = Double(quad.scale)
        guard let corners = image.refinedCorners(quad.corners, cells: mostCells, slack: slack, &points) else {
          continue
        }
        sink.add(.edges, corners: corners)
        guard let read = marker(in: image, corners: corners), let marker = fitted(read, in: image) else { continue }
        keep(marker, in: &markers)
      }
      guard level > 0 else { break }
      if let expected, Self.are(expected, among: markers) { break }
      taken.set(markers, scale: 1 << (level - 1))
      quads.removeAll(keepingCapacity: true)
    }
  }

  private mutating func search(
    _ picture: GrayImage,
    scale: Int,
    isSmallest: Bool,
    noise: Double,
    _ threshold: inout LocalThreshold,
    _ mask: inout BinaryMask,
    _ sink: inout some MarkerStageSink
  ) {
    picture.withView {
      search($0, scale: scale, isSmallest: isSmallest, noise: noise, &threshold, &mask, &sink)
    }
  }

  /// Fills `quads` with the quadrilaterals of one size of the picture.
  private mutating func search(
    _ picture: GrayView,
    scale: Int,
    isSmallest: Bool,
    noise: Double,
    _ threshold: inout LocalThreshold,
    _ mask: inout BinaryMask,
    _ sink: inout some MarkerStageSink
  ) {
    sink.add(.picture, picture: picture, scale: scale)
    // The range of a window of pure noise is five or six times its deviation. Small markers so faint cannot be read, so what
    // is only found in the frame itself has to stand out more.
    let (more, range) = scale == 1 ? (7, 7.0) : scale == 2 ? (2, 6) : (0, 5)
    let contrast = max(parameters.minimumContrast + more, Int(range * noise / Double(scale)))
    // Small markers are blurred and need the middle; among large ones a lower level keeps the margin light where the edge of
    // a shadow crosses it, and so the border apart from what is dark beyond.
    threshold.mark(picture, contrast: contrast, share: scale == 1 ? 8 : scale == 2 ? 7 : 5, in: &mask)
    mask.withView { sink.add(.threshold, picture: $0, scale: scale) }
    let least = scale == 1 ? parameters.minimumSide * 0.8 : max(parameters.minimumSide / Double(scale), 14)
    let limits = ContourTracer.Limits(
      rowStep: scale == 1 ? 7 : 5,
      shortest: Int(2.5 * least),
      longest: isSmallest ? 4 * (picture.width + picture.height) : scale == 1 ? 450 : 600,
      convexityLimit: scale == 1 ? 4 : 12
    )
    let shape = QuadFinder.Limits(minimumSide: least, mostSpan: scale == 1 ? 1.25 : 1.8)
    let shift = -0.5
    let taken = self.taken
    tracer.trace(&mask, limits: limits, isTaken: { taken.contain($0, $1) }) { outline in
      if sink.takesOutlines { Self.report(outline, scale: scale, to: &sink) }
      guard var quad = finder.quad(of: outline, limits: shape) else { return }
      guard picture.hasBorder(quad, cells: mostCells, contrast: contrast) else { return }
      for i in 0..<4 { quad[i] = quad[i] * Double(scale) + Vector2(shift, shift) }
      quads.append((quad, scale))
    }
  }

  /// Hands an outline on in pixels of the frame.
  private static func report(
    _ outline: UnsafeBufferPointer<PixelPosition>,
    scale: Int,
    to sink: inout some MarkerStageSink
  ) {
    var points: [Vector2] = []
    for point in outline { points.append(Vector2(point) * Double(scale) + Vector2(-0.5, -0.5)) }
    points.withUnsafeBufferPointer { sink.add(.outlines, outline: $0) }
  }

  /// Whether no marker found so far lies here.
  private func isNew(_ corners: Quadrilateral, _ markers: [DetectedMarker]) -> Bool {
    for marker in markers {
      let (first, second) = marker.corners.diagonals
      if (corners.center - marker.corners.center).length < 0.4 * min(first.length, second.length) { return false }
    }
    return true
  }

  /// Adds a marker, or the better one of two in the same place.
  private func keep(_ marker: DetectedMarker, in markers: inout [DetectedMarker]) {
    let side = (marker.corners[2] - marker.corners[0]).length / 1.5
    for index in markers.indices where (markers[index].corners.center - marker.corners.center).length < side / 2 {
      if marker.confidence > markers[index].confidence { markers[index] = marker }
      return
    }
    markers.append(marker)
  }
}
