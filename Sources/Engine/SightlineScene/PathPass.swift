import SightlineCamera
import SightlineGeodesy
import SightlineMath

/// The paths of a world, seen from the eye: placed once per world, turned to the eye when it moves, drawn in every frame.
struct PathPass: Sendable {
  /// Metres from the ground to the eyes of somebody who stands.
  static let eyeHeight = 1.6
  /// The same of this user.
  var eyeHeight = Self.eyeHeight
  /// Metres in front of the eye where paths are cut off.
  static let near = 0.2

  private var paths: [ScenePath] = []
  private var points: [Vector3] = []
  private var normals: [Vector3] = []
  private var isOnGround: [Bool] = []
  /// Height of the ground at each corner over the sea, metres; not a number while nobody knows.
  private var grounds: [Double] = []
  /// Metres east, north and up from the eye.
  private var offsets: [Vector3] = []
  /// Which paths are shown.
  private var isShown: [Bool] = []
  private var radius = Double.infinity

  /// Takes the paths of a world; those with corners that are none, or too few of them, are left out.
  mutating func place(_ world: WorldDescription) {
    paths.removeAll()
    let count = world.pathVertices.count
    points = [Vector3](repeating: .zero, count: count)
    normals = points
    offsets = points
    grounds = [Double](repeating: .nan, count: count)
    isOnGround = [Bool](repeating: true, count: count)
    for path in world.paths {
      guard world.features.indices.contains(Int(path.feature)), path.vertices.lowerBound >= 0,
        path.vertices.upperBound <= count, path.vertices.count >= (path.isRing ? 3 : 2)
      else { continue }
      var isValid = true
      for index in path.vertices where isValid {
        let vertex = world.pathVertices[index]
        guard abs(vertex.latitudeDegrees) <= 90, abs(vertex.longitudeDegrees) <= Limits.longitude else {
          isValid = false
          continue
        }
        isOnGround[index] = !(abs(vertex.altitude) <= Limits.altitude)
        let frame = EastNorthUpFrame(
          origin: Geodetic(
            latitudeDegrees: vertex.latitudeDegrees,
            longitudeDegrees: vertex.longitudeDegrees,
            altitude: isOnGround[index] ? 0 : vertex.altitude
          )
        )
        points[index] = frame.originInEarth.vector
        normals[index] = frame.upInEarth
      }
      if isValid { paths.append(path) }
    }
    isShown = [Bool](repeating: false, count: paths.count)
  }

  /// Notes how high the ground is at a corner.
  mutating func setGround(corner: Int32, height: Double) {
    guard grounds.indices.contains(Int(corner)) else { return }
    grounds[Int(corner)] = abs(height) <= Limits.altitude ? height : .nan
  }

  /// Turns everything to an eye.
  mutating func refresh(
    _ world: WorldDescription,
    _ placed: borrowing PlacedWorld,
    eye: Eye,
    radius: Double,
    categories: UInt64,
    selected: Int32?
  ) {
    self.radius = radius
    for number in paths.indices {
      let category = world.features[Int(paths[number].feature)].category
      isShown[number] =
        categories >> UInt64(category < 64 ? category : 0) & 1 == 1
        && !placed.isHeldBack(paths[number].feature, selected: selected)
      guard isShown[number] else { continue }
      for index in paths[number].vertices {
        var point = points[index]
        if isOnGround[index] {
          let rise = eye.rise(to: grounds[index])
          point = point + normals[index] * (eye.geodetic.altitude - eyeHeight + rise)
        }
        let lift = isOnGround[index] ? 0 : eye.lift(of: paths[number].altitudeDatum)
        point = point + normals[index] * (lift ?? 0)
        offsets[index] = eye.axes * (point - eye.point)
        if lift == nil { offsets[index].z = -eyeHeight }
      }
    }
  }

  /// Draws what is before the eye and inside the radius.
  func run(pose: ViewPose, projection: borrowing DisplayProjection, into frame: inout SceneFrame) {
    for number in paths.indices where isShown[number] {
      let path = paths[number]
      if path.isRing {
        ring(path, pose, projection, into: &frame)
      } else {
        line(path, pose, projection, into: &frame)
      }
    }
  }

  private func line(
    _ path: ScenePath,
    _ pose: ViewPose,
    _ projection: borrowing DisplayProjection,
    into frame: inout SceneFrame
  ) {
    var first = frame.pathPoints.count
    func end() {
      if frame.pathPoints.count >= first + 2 { add(path, first, projection, to: &frame) }
      // A point alone, or what lies off the display, is taken back.
      if frame.paths.last?.points.upperBound != frame.pathPoints.count {
        frame.pathPoints.removeLast(frame.pathPoints.count - first)
      }
      first = frame.pathPoints.count
    }
    var before: Vector3?
    for index in path.vertices {
      let here = pose.displayFromEastNorthUp * offsets[index]
      let isNear = offsets[index].length <= radius
      if let last = before {
        let wasNear = offsets[index - 1].length <= radius
        let (from, to) = (-last.z, -here.z)
        if (wasNear || isNear) && max(from, to) > Self.near {
          if from <= Self.near {
            frame.pathPoints.append(screen(cut(last, here), projection))
          } else if frame.pathPoints.count == first {
            frame.pathPoints.append(screen(last, projection))
          }
          frame.pathPoints.append(screen(to <= Self.near ? cut(last, here) : here, projection))
          if to <= Self.near { end() }
        } else {
          end()
        }
      }
      before = here
    }
    end()
  }

  /// A ring cut at the near plane, after Sutherland and Hodgman (Communications of the ACM 17, 1974).
  private func ring(
    _ path: ScenePath,
    _ pose: ViewPose,
    _ projection: borrowing DisplayProjection,
    into frame: inout SceneFrame
  ) {
    let first = frame.pathPoints.count
    var nearest = Double.infinity
    var last = pose.displayFromEastNorthUp * offsets[path.vertices.upperBound - 1]
    for index in path.vertices {
      nearest = min(nearest, offsets[index].length)
      let here = pose.displayFromEastNorthUp * offsets[index]
      let (from, to) = (-last.z > Self.near, -here.z > Self.near)
      if from != to { frame.pathPoints.append(screen(cut(last, here), projection)) }
      if to { frame.pathPoints.append(screen(here, projection)) }
      last = here
    }
    if nearest <= radius, frame.pathPoints.count >= first + 3 { add(path, first, projection, to: &frame) }
    if frame.paths.last?.points.upperBound != frame.pathPoints.count {
      frame.pathPoints.removeLast(frame.pathPoints.count - first)
    }
  }

  /// Notes a run, unless all of it lies beyond one side of the display.
  private func add(
    _ path: ScenePath,
    _ first: Int,
    _ projection: borrowing DisplayProjection,
    to frame: inout SceneFrame
  ) {
    var (lowX, lowY, highX, highY) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    for index in first..<frame.pathPoints.count {
      let point = frame.pathPoints[index]
      (lowX, lowY) = (min(lowX, point.x), min(lowY, point.y))
      (highX, highY) = (max(highX, point.x), max(highY, point.y))
    }
    guard highX >= 0, highY >= 0, lowX <= projection.display.width, lowY <= projection.display.height else { return }
    frame.paths.append(
      ScenePathRun(
        feature: path.feature,
        shape: path.shape,
        isRing: path.isRing,
        points: first..<frame.pathPoints.count
      )
    )
  }

  /// Where a line between two points of the display's frame meets the near plane.
  private func cut(_ a: Vector3, _ b: Vector3) -> Vector3 {
    let share = (Self.near + a.z) / (a.z - b.z)
    return a + (b - a) * share
  }

  @inline(__always)
  private func screen(_ point: Vector3, _ projection: borrowing DisplayProjection) -> Vector2 {
    let depth = max(Self.near * 0.999, -point.z)
    return Vector2(
      projection.center.x + projection.focalPoints.x * point.x / depth,
      projection.center.y - projection.focalPoints.y * point.y / depth
    )
  }
}
