import SightlineMath

/// What the tracker knows of the surfaces around: points, planes among them, and where a ray meets them.
struct Surroundings {
  /// Frames from one search for planes to the next.
  private static let interval = 12
  /// How high over the floor a phone is held, metres, and the deviation of that.
  private static let (heldHeight, heldDeviation) = (1.4, 0.2)
  /// Farthest a guess goes, metres.
  private static let farthestGuess = 8.0
  /// How far outside of its outline a plane still is what was hit: metres, and as a share of the distance.
  private static let (margin, marginByDistance) = (0.1, 0.08)
  /// Half the angle about a ray within which points are what it meets, as its tangent: first the narrow one, then the wide one.
  private static let (nearRay, aroundRay) = (0.06, 0.15)
  /// Points that say where something is.
  private static let fewestPoints = 3

  private(set) var points = ScenePoints()
  private var finder = PlaneFinder()
  private var frames = 0
  /// Height of the lens when tracking began, metres.
  private var firstHeight: Double?

  /// The planes, largest first.
  var planes: [TrackedPlane] { finder.planes }

  /// Forgets everything.
  mutating func removeAll() {
    points.removeAll()
    finder.removeAll()
    firstHeight = nil
  }

  /// Takes what is known of a point.
  mutating func note(_ point: ScenePoint, from eye: Vector3) {
    points.note(point, distance: (point.position - eye).length)
  }

  /// Goes on with a frame.
  mutating func step(eye: Vector3) {
    firstHeight = firstHeight ?? eye.z
    frames += 1
    if frames % Self.interval == 0 { finder.update(points.all, eye: eye) }
  }

  /// What a ray from the lens meets first.
  ///
  /// In this order: planes within their outlines, or near to them; the floor wherever it goes on; points close to the ray; where the
  /// floor may be.
  ///
  /// - Parameters:
  ///   - eye: place of the lens, metres.
  ///   - direction: of the ray, of length 1.
  ///   - scaleDeviation: relative, of all lengths.
  /// - Returns: `nil` for a ray that meets nothing that is known, and does not go down.
  func hit(from eye: Vector3, along direction: Vector3, scaleDeviation: Double) -> SurfaceHit? {
    var best: SurfaceHit?
    var nearest = Double.infinity
    for plane in planes {
      guard let distance = plane.distance(along: direction, from: eye), distance < nearest,
        plane.contains(
          plane.coordinates(of: eye + direction * distance),
          margin: Self.margin + Self.marginByDistance * distance
        )
      else { continue }
      nearest = distance
      best = hit(plane, eye, direction, distance, scaleDeviation)
    }
    if let best { return best }
    let near = pointsHit(eye, direction, scaleDeviation)
    if let floor = planes.first(where: { $0.kind == .floor }),
      let distance = floor.distance(along: direction, from: eye), direction.z < 0, distance < Self.farthestGuess,
      near.map({ ($0.point - eye).length > 0.85 * distance }) ?? true
    {
      return hit(floor, eye, direction, distance, scaleDeviation)
    }
    return near ?? guessedFloor(eye, direction)
  }

  private func hit(
    _ plane: TrackedPlane,
    _ eye: Vector3,
    _ direction: Vector3,
    _ distance: Double,
    _ scaleDeviation: Double
  ) -> SurfaceHit {
    let across = plane.deviation / max(0.05, abs(plane.normal.dot(direction)))
    let shared = scaleDeviation * distance
    return SurfaceHit(
      point: eye + direction * distance,
      normal: plane.normal.dot(direction) < 0 ? plane.normal : -plane.normal,
      kind: plane.kind,
      plane: plane.identifier,
      deviation: (across * across + shared * shared).squareRoot()
    )
  }

  /// The middle one, by distance, of the points close to a ray: a surface that faces the lens.
  private func pointsHit(_ eye: Vector3, _ direction: Vector3, _ scaleDeviation: Double) -> SurfaceHit? {
    var (close, around): ([Double], [Double]) = ([], [])
    for point in points.all {
      let offset = point.position - eye
      let along = direction.dot(offset)
      guard along > 0.1 else { continue }
      let aside = (offset - direction * along).length
      if aside < Self.nearRay * along { close.append(along) }
      if aside < Self.aroundRay * along { around.append(along) }
    }
    let distances = close.count >= Self.fewestPoints ? close : around
    guard distances.count >= Self.fewestPoints else { return nil }
    let distance = quantile(distances, 0.5)
    let spread = quantile(distances, 0.75) - quantile(distances, 0.25)
    let shared = scaleDeviation * distance
    return SurfaceHit(
      point: eye + direction * distance,
      normal: Vector3(-direction.x, -direction.y, 0).normalized ?? Vector3(0, 0, 1),
      kind: .points,
      plane: nil,
      deviation: (spread * spread + shared * shared).squareRoot()
    )
  }

  /// Where a ray meets the floor if the phone was held as high as usual when tracking began.
  private func guessedFloor(_ eye: Vector3, _ direction: Vector3) -> SurfaceHit? {
    guard direction.z < -0.02 else { return nil }
    let floor = min((firstHeight ?? eye.z) - Self.heldHeight, eye.z - 0.3)
    let distance = (floor - eye.z) / direction.z
    guard distance < Self.farthestGuess else { return nil }
    return SurfaceHit(
      point: eye + direction * distance,
      normal: Vector3(0, 0, 1),
      kind: .guessedFloor,
      plane: nil,
      deviation: Self.heldDeviation / -direction.z
    )
  }
}
