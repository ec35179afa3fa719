import SightlineMath
import SightlineOdometry
import SightlinePictures
import SightlineRendering

/// What a tracker knows, as it lies in its last frame.
struct SpaceView {
  /// Way from one place of the path that is kept to the next, metres.
  private static let spacing = 0.05
  /// Most places of the path; the first ones go then.
  private static let mostPlaces = 2000
  /// From one frame to the next: farther is no way that was gone, metres.
  private static let leap = 0.3
  /// Nearest to the lens that is drawn, metres.
  private static let near = 0.05

  /// Places of the path as the map knows them, and go with it.
  ///
  /// Whether each goes on from the one before.
  private var path: [(handle: Int, goesOn: Bool)] = []
  private var last: Vector3?
  private var lastKept: Vector3?
  private var isBroken = true

  /// Notes where the tracker is, and draws what it knows.
  mutating func draw(_ frame: OdometryRun.Tracked, of tracker: WorldTracker, since start: Double) -> RenderedSpace {
    var space = RenderedSpace(picture: frame.picture)
    let estimate = frame.estimate
    space.caption = Self.words(estimate, tracks: estimate.trackCount, seconds: frame.stamp - start)
    space.isUnsure = estimate.isLost || estimate.state.rawValue < OdometryState.metric.rawValue
    guard let view = tracker.view else {
      (last, isBroken) = (nil, true)
      return space
    }
    if estimate.isLost { isBroken = true } else { note(estimate.position, in: tracker) }
    space.followed = tracker.followedPixels
    space.planes = tracker.planes.compactMap { plane in
      Self.surface(plane.kind).map { RenderedSpace.Plane(outline: Self.outline(of: plane, in: view), surface: $0) }
    }
    let points = tracker.points
    space.points = points.compactMap { point in
      view.pixel(of: point).map { RenderedSpace.Point(pixel: $0, distance: (point - view.position).length) }
    }
    let pieces = pieces(in: tracker)
    // The way on the floor under the lens, as far as one is known.
    if let floor = tracker.planes.first(where: { $0.kind == .floor }) {
      space.path = pieces.flatMap { piece in
        Self.seen(piece.map { Vector3($0.x, $0.y, floor.center.z) }, in: view)
      }
    }
    var plan = RenderedSpace.Plan()
    plan.points = points.map { Vector2($0.x, $0.y) }
    plan.path = pieces.map { $0.map { Vector2($0.x, $0.y) } }
    plan.place = Vector2(view.position.x, view.position.y)
    let axis = view.worldFromCamera * Vector3(0, 0, 1)
    // Straight down the top of the picture says which way.
    let ahead = abs(axis.z) < 0.97 ? axis : view.worldFromCamera * Vector3(0, -1, 0)
    plan.direction = Vector2(ahead.x, ahead.y)
    space.plan = plan
    return space
  }

  private mutating func note(_ place: Vector3, in tracker: WorldTracker) {
    if let last, (last - place).length > Self.leap { isBroken = true }
    last = place
    if !isBroken, let lastKept, (lastKept - place).length < Self.spacing { return }
    if path.count == Self.mostPlaces { tracker.map.detach(path.removeFirst().handle) }
    path.append((tracker.map.attach(UprightTransform(yaw: 0, translation: place)), !isBroken))
    (lastKept, isBroken) = (place, false)
  }

  /// The path as it is known now, in pieces; what lies in a part of the map that was not recognised is left out.
  private func pieces(in tracker: WorldTracker) -> [[Vector3]] {
    var pieces: [[Vector3]] = []
    var isOpen = false
    for (handle, goesOn) in path {
      guard let place = tracker.map.pose(of: handle)?.translation else {
        isOpen = false
        continue
      }
      if isOpen, goesOn { pieces[pieces.count - 1].append(place) } else { pieces.append([place]) }
      isOpen = true
    }
    return pieces
  }

  private static func words(_ estimate: OdometryEstimate, tracks: Int, seconds: Double) -> String {
    let state =
      switch estimate.state {
      case .none: "nothing known"
      case .orientation: "direction only"
      case .uncertainScale: "size is a guess"
      case .metric: "metric ± \(fixed(estimate.scaleDeviation * 100, 1)) %"
      }
    let place = estimate.isLost ? "lost" : "± \(fixed(estimate.positionDeviation * 100, 1)) cm"
    return "\(fixed(seconds, 1)) s · \(state) · \(place) · \(tracks) points"
  }

  private static func surface(_ kind: SurfaceKind) -> RenderedSpace.Surface? {
    switch kind {
    case .floor: .floor
    case .level: .level
    case .upright: .upright
    case .ceiling: .ceiling
    case .points, .guessedFloor: nil
    }
  }

  /// The outline as it is seen: what lies behind the lens is cut off.
  private static func outline(of plane: TrackedPlane, in view: TrackedView) -> [Vector2] {
    let corners = plane.outline.map { plane.center + plane.axes.0 * $0.x + plane.axes.1 * $0.y }
    var shown: [Vector3] = []
    for k in corners.indices {
      let (a, b) = (corners[k], corners[(k + 1) % corners.count])
      if depth(a, view) >= near { shown.append(a) }
      if let cut = cut(a, b, view) { shown.append(cut) }
    }
    return shown.compactMap { view.pixel(of: $0) }
  }

  /// A line as it is seen, in pieces before the lens.
  private static func seen(_ line: [Vector3], in view: TrackedView) -> [[Vector2]] {
    var pieces: [[Vector2]] = []
    for (a, b) in zip(line, line.dropFirst()) {
      let ends = [depth(a, view) >= near ? a : nil, cut(a, b, view), depth(b, view) >= near ? b : nil]
      let pixels = ends.compactMap { $0 }.compactMap { view.pixel(of: $0) }
      if pixels.count >= 2 { pieces.append(pixels) }
    }
    return pieces
  }

  private static func depth(_ point: Vector3, _ view: TrackedView) -> Double {
    (view.worldFromCamera * Vector3(0, 0, 1)).dot(point - view.position)
  }

  /// Where a line from one point to another comes near to the lens; `nil` when it does not.
  private static func cut(_ a: Vector3, _ b: Vector3, _ view: TrackedView) -> Vector3? {
    let (from, to) = (depth(a, view), depth(b, view))
    guard (from >= near) != (to >= near) else { return nil }
    return a + (b - a) * ((near - from) / (to - from))
  }
}
