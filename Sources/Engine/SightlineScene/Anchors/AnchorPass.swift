import SightlineCamera
import SightlineMath

/// From what is known of the anchors to what is drawn on them, once for each picture of the camera.
struct AnchorPass: Sendable {
  /// How what stands on anchors is drawn.
  struct Parameters: Sendable {
    /// Width of a picture on a marker, in sides of the marker: it covers the marker and its margin.
    var pictureOnMarker = 1.5
    /// Width of a picture on another picture, in widths of that: it lies beside what is printed, not over all of it.
    var pictureOnPicture = 0.5
    /// Deviation of the corners, points, up to which what is carried on is drawn in full, and from which on it is drawn
    /// least.
    var sureDeviation = 3.0
    var unsureDeviation = 40.0
    /// Opacity of what is drawn least.
    var leastOpacity = 0.35
    /// Side of the dot that stands for the name of what is a picture or a model itself, points.
    var dot = 24.0
    /// Nearest and farthest that is drawn, metres.
    var near = 0.01
    var far = 100.0
  }

  let parameters = Parameters()
  private(set) var anchors: [SceneAnchor] = []
  private(set) var items: [AnchoredItem] = []
  private var since: [Double] = []
  private var time = -Double.infinity
  private var clipFromCamera = InlineArray<16, Float>(repeating: 0)
  private var labels = AnchoredLabels()
  private var bounds: [Int32: ModelPlacement.Bounds] = [:]
  /// The features that stand on anchors, in document order.
  private var standing: [(anchor: Int32, feature: Int32)] = []
  private var anchorCount = 0

  /// Takes over another world: nothing is on anything until the next picture.
  mutating func setWorld(_ world: WorldDescription) {
    anchors.removeAll()
    items.removeAll()
    since.removeAll()
    bounds.removeAll()
    anchorCount = world.anchors.count
    standing.removeAll()
    for k in world.features.indices where world.anchors.indices.contains(Int(world.features[k].anchor)) {
      standing.append((world.features[k].anchor, Int32(k)))
    }
  }

  /// The features on some anchors, in document order.
  func features(on anchors: [Int]) -> [Int32] {
    var isOn = [Bool](repeating: false, count: anchorCount)
    for anchor in anchors where isOn.indices.contains(anchor) { isOn[anchor] = true }
    var found: [Int32] = []
    for (anchor, feature) in standing where isOn[Int(anchor)] { found.append(feature) }
    return found
  }

  /// Notes the box around a feature's model.
  mutating func setBounds(_ box: ModelPlacement.Bounds, of feature: Int32) { bounds[feature] = box }

  /// Lays out what stands on the anchors of a picture.
  ///
  /// - Parameters:
  ///   - table: what is known of the anchors.
  ///   - world: the same as in ``setWorld(_:)``.
  ///   - display: the picture is shown on.
  ///   - selected: feature.
  ///   - features: those on the anchors that something is known of.
  ///   - sizes: of their labels, points.
  ///   - heldBack: those of the features whose visual is not shown now.
  ///   - obstacles: what covers the view.
  mutating func run(
    _ table: AnchorTable,
    _ world: WorldDescription,
    display: Display,
    selected: Int32?,
    features: [Int32],
    sizes: [Vector2],
    heldBack: [Int32],
    obstacles: [ScreenRectangle]
  ) {
    anchors.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    since.removeAll(keepingCapacity: true)
    time = table.time
    guard let camera = table.camera else { return }
    writeClip(camera.intrinsics)
    let placement = PicturePlacement(display: display, picture: CameraPicture(intrinsics: camera.intrinsics))
    for index in table.active {
      let entry = table.entries[index]
      var anchor = SceneAnchor()
      anchor.anchor = Int32(index)
      anchor.state = entry.state
      anchor.cameraFromAnchor = entry.cameraFromAnchor
      anchor.isInPicture = entry.seen != nil || entry.cameraFromAnchor != nil
      if let seen = entry.seen {
        var corners = Quadrilateral(repeating: .zero)
        for k in 0..<4 { corners[k] = placement.displayPoint(ofPixel: seen.corners[k]) }
        anchor.corners = corners
        anchor.deviation = seen.cornerSigma * placement.scale
      }
      anchor.opacity = anchor.isInPicture ? opacity(anchor) : 0
      anchors.append(anchor)
      since.append(entry.state == .lost ? time : entry.since)
    }
    var wanted: [AnchoredLabels.Wanted] = []
    for (feature, size) in zip(features, sizes) {
      let description = world.features[Int(feature)]
      guard let anchor = anchors.first(where: { $0.anchor == description.anchor }), anchor.state != .lost else {
        continue
      }
      guard anchor.isInPicture else {
        // Not in this picture, but not lost either: nothing is drawn, and nothing is forgotten.
        var item = AnchoredItem()
        (item.feature, item.anchor, item.opacity) = (feature, description.anchor, 0)
        items.append(item)
        // Off the display there is no label.
        wanted.append(AnchoredLabels.Wanted(feature: feature, place: Vector2(-1, -1), width: 0, height: 0))
        continue
      }
      var item = item(feature, description, anchor, world, camera, placement)
      let isOwnSight = description.model != nil || description.kind == .image
      let isHeldBack = heldBack.contains(feature)
      // The name of a model or a picture stands in for it.
      if isHeldBack, !isOwnSight { continue }
      if isHeldBack { item.cameraFromFeature = nil }
      let isDot = isOwnSight && !isHeldBack && selected != feature && !world.namesWhatStandsOnAnchors
      item.level = isDot ? .dot : .card
      items.append(item)
      let side = isDot ? Vector2(parameters.dot, parameters.dot) : size
      wanted.append(AnchoredLabels.Wanted(feature: feature, place: item.place, width: side.x, height: side.y))
    }
    placeLabels(wanted, display, selected, obstacles)
  }

  /// What is carried on is drawn the fainter the less surely it is known where it is.
  private func opacity(_ anchor: SceneAnchor) -> Double {
    guard anchor.state == .carried else { return 1 }
    let (sure, unsure) = (parameters.sureDeviation, parameters.unsureDeviation)
    let doubt = clamp((anchor.deviation - sure) / (unsure - sure), 0, 1)
    return 1 - doubt * (1 - parameters.leastOpacity)
  }

  private func item(
    _ feature: Int32,
    _ description: SceneFeature,
    _ anchor: SceneAnchor,
    _ world: WorldDescription,
    _ camera: FrameCamera,
    _ placement: PicturePlacement
  ) -> AnchoredItem {
    var item = AnchoredItem()
    item.feature = feature
    item.anchor = description.anchor
    item.opacity = anchor.opacity
    let pose = anchor.cameraFromAnchor
    item.cameraFromFeature = pose.flatMap { pose in
      anchorFromFeature(feature, description, world.anchors[Int(description.anchor)]).map { pose * $0 }
    }
    item.place = anchor.corners.map(Self.top) ?? .zero
    // Over the upper edge, or at a point of its own.
    if let pose, description.offset != .zero || anchor.corners == nil,
      let pixel = camera.intrinsics.pixel(ofPointInCamera: pose * description.offset, through: camera.distortion)
    {
      item.place = placement.displayPoint(ofPixel: pixel)
    }
    return item
  }

  private func anchorFromFeature(
    _ feature: Int32,
    _ description: SceneFeature,
    _ anchor: WorldAnchor
  ) -> SimilarityTransform? {
    if let model = description.model {
      return model.anchorFromModel(offset: description.offset, width: anchor.width, bounds: bounds[feature])
    }
    guard description.kind == .image else { return nil }
    let share: Double =
      switch anchor.id {
      case .marker: parameters.pictureOnMarker
      case .picture: parameters.pictureOnPicture
      case .code, .wall, .placed: 1
      }
    return SimilarityTransform(translation: description.offset, scale: share * anchor.width)
  }

  /// The middle of four corners, at the height of the highest.
  private static func top(_ corners: Quadrilateral) -> Vector2 {
    let x = (corners[0].x + corners[1].x + corners[2].x + corners[3].x) / 4
    return Vector2(x, min(min(corners[0].y, corners[1].y), min(corners[2].y, corners[3].y)))
  }

  /// All labels together, the selected one first.
  private mutating func placeLabels(
    _ wanted: [AnchoredLabels.Wanted],
    _ display: Display,
    _ selected: Int32?,
    _ obstacles: [ScreenRectangle]
  ) {
    var order = Array(items.indices)
    if let first = order.firstIndex(where: { items[$0].feature == selected }) { order.swapAt(0, first) }
    let places = labels.place(
      order.map { wanted[$0] },
      width: display.width,
      height: display.height,
      obstacles: obstacles
    )
    for (k, index) in order.enumerated() { items[index].label = places[k] }
  }

  private mutating func writeClip(_ lens: Intrinsics) {
    clipFromCamera = InlineArray(repeating: 0)
    let (near, far) = (parameters.near, parameters.far)
    clipFromCamera[0] = Float(2 * lens.focalX / lens.width)
    clipFromCamera[5] = Float(-2 * lens.focalY / lens.height)
    // Pixel centres are at integers: the middle of the picture is half a pixel before half its width. y turns over.
    clipFromCamera[8] = Float((2 * lens.centerX + 1) / lens.width - 1)
    clipFromCamera[9] = Float(1 - (2 * lens.centerY + 1) / lens.height)
    clipFromCamera[10] = Float((far + near) / (far - near))
    clipFromCamera[11] = 1
    clipFromCamera[14] = Float(-2 * far * near / (far - near))
  }

  /// Writes what was laid out last.
  func write(into frame: inout SceneFrame, time now: Double) {
    frame.anchors.removeAll(keepingCapacity: true)
    frame.anchored.removeAll(keepingCapacity: true)
    frame.pictureTime = time
    frame.clipFromCamera = clipFromCamera
    for (index, anchor) in anchors.enumerated() {
      frame.anchors.append(anchor)
      frame.anchors[index].age = anchor.state == .lost ? 0 : max(0, time - since[index])
    }
    for item in items {
      frame.anchored.append(item)
      let index = anchors.firstIndex { $0.anchor == item.anchor } ?? 0
      frame.anchored[frame.anchored.count - 1].age = max(0, time - since[index])
    }
  }
}
