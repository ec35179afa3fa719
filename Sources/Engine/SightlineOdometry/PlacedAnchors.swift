import SightlineCamera
import SightlineMath

/// What users have set down on floor, tables and walls, and where it is seen in each frame.
///
/// An anchor has the frame of everything flat (x to its right, y to its top, z out of it); on what is level its top is away from who set
/// it down, on what is upright its top is up. What is to stand upright keeps its z axis up on walls too, its back to the wall.
public struct PlacedAnchors: Sendable {
  /// How something is set down.
  public enum Posture: UInt8, Sendable {
    /// As a picture: its back to the surface.
    case flat = 0
    /// As a thing: upright on any surface.
    case standing = 1
  }

  /// Where something was set down.
  public struct Placed: Sendable {
    /// The number that its owner knows it by.
    public var number: Int32
    /// In the tracker's world, metres.
    public fileprivate(set) var position: Vector3
    /// From its frame to the tracker's world, before it was turned.
    public fileprivate(set) var worldFromPlane: Quaternion
    /// Turned by its owner about its z axis, counter-clockwise.
    public var turn = Angle.zero
    /// How it is set down.
    public var posture: Posture
    /// What it is set on.
    public var kind: SurfaceKind
    /// Its height over the surface, metres: what fingers can take it by.
    public var height: Double
    /// Where it was set down from and in which direction, in the tracker's world.
    var (eye, direction): (Vector3, Vector3)
    /// How it was turned when it was tied to its surroundings, and by what the map knows it; `nil` when it is lost for good.
    var (tiedFromPlane, handle): (Quaternion, Int?)
    /// When it was last seen, seconds, and whether its loss was told.
    var (seen, isLossTold): (Double, Bool)

    /// From its frame to the tracker's world.
    public var worldFromAnchor: Quaternion {
      (worldFromPlane * Quaternion(axis: Vector3(0, 0, 1), angle: turn)).normalized ?? worldFromPlane
    }
  }

  /// Most that can be set down at a time.
  public static let most = 64
  /// Farthest that something is set down, metres.
  private static let farthest = 30.0
  /// Deviation of the place from which on nobody knows where things are, metres.
  private static let mostDeviation = 0.5
  /// How near a finger has to come, as a share of the picture's shorter side.
  private static let reach = 0.07
  /// Side of the square whose corners are told, metres.
  private static let side = 1.0

  /// In the order in which they were set down.
  public private(set) var all: [Placed] = []
  /// What is held by a finger, and how far its foot is from the finger, pixels.
  private var held: (number: Int32, offset: Vector2)?

  /// Nothing yet.
  public init() {}

  // MARK: Setting down

  /// Sets something down where a pixel's surface is; one that has the number moves there.
  ///
  /// - Parameters:
  ///   - number: its owner's.
  ///   - pixel: of the tracker's last frame.
  ///   - posture: how it is to stand.
  ///   - height: over the surface, metres.
  ///   - world: that knows the surfaces.
  /// - Returns: the surface, or `nil` when there is none there, or too many things.
  @discardableResult
  public mutating func place(
    _ number: Int32,
    at pixel: Vector2,
    posture: Posture,
    height: Double,
    in world: any TrackedWorld
  ) -> SurfaceHit? {
    guard let view = world.view, let hit = world.hitTest(pixel), (hit.point - view.position).length < Self.farthest
    else { return nil }
    let index = all.firstIndex { $0.number == number }
    guard index != nil || all.count < Self.most else { return nil }
    let direction = (hit.point - view.position).normalized ?? Vector3(0, 0, -1)
    var placed = Placed(
      number: number,
      position: hit.point,
      worldFromPlane: Self.worldFromPlane(hit, seenAlong: direction, posture),
      posture: posture,
      kind: hit.kind,
      height: height.isFinite ? clamp(height, 0, 20) : 0,
      eye: view.position,
      direction: direction,
      tiedFromPlane: .identity,
      handle: nil,
      seen: 0,
      isLossTold: false
    )
    if let index {
      if let handle = all[index].handle { world.detach(handle) }
      placed.turn = all[index].turn
      all[index] = placed
    } else {
      all.append(placed)
    }
    tie(index ?? all.count - 1, in: world)
    return hit
  }

  /// Ties something to what surrounds it, so that it goes with that when the map is put right.
  private mutating func tie(_ index: Int, in world: any TrackedWorld) {
    all[index].tiedFromPlane = all[index].worldFromPlane
    all[index].handle = world.attach(UprightTransform(yaw: 0, translation: all[index].position))
  }

  /// Where something is now, as its surroundings are.
  private mutating func follow(_ index: Int, in world: any TrackedWorld) {
    guard let handle = all[index].handle, let pose = world.pose(of: handle) else { return }
    all[index].position = pose.translation
    let turn = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: pose.yaw))
    all[index].worldFromPlane = (turn * all[index].tiedFromPlane).normalized ?? all[index].tiedFromPlane
  }

  /// The tracker's world is another from now on: everything is lost for good.
  public mutating func loseAll() {
    for index in all.indices { all[index].handle = nil }
    held = nil
  }

  /// Takes something away.
  ///
  /// - Parameters:
  ///   - number: its owner's.
  ///   - world: that ties it.
  public mutating func remove(_ number: Int32, in world: any TrackedWorld) {
    for placed in all where placed.number == number {
      if let handle = placed.handle { world.detach(handle) }
    }
    all.removeAll { $0.number == number }
    if held?.number == number { held = nil }
  }

  /// Turns something about its own upright.
  ///
  /// - Parameters:
  ///   - number: its owner's.
  ///   - angle: by how much more, counter-clockwise as it is seen from the front.
  public mutating func turn(_ number: Int32, by angle: Angle) {
    guard angle.radians.isFinite, let index = all.firstIndex(where: { $0.number == number }) else { return }
    all[index].turn = (all[index].turn + angle).wrapped
  }

  /// Turns something as two fingers turn that lie on it.
  ///
  /// - Parameters:
  ///   - number: its owner's.
  ///   - before: where the fingers were, on the display (y down).
  ///   - now: where they are.
  public mutating func twist(_ number: Int32, from before: (Vector2, Vector2), to now: (Vector2, Vector2)) {
    let (a, b) = (before.1 - before.0, now.1 - now.0)
    guard a.dot(a) > 1, b.dot(b) > 1 else { return }
    // The display's y points down: what looks clockwise there has positive sense.
    turn(number, by: Angle(radians: -atan2(a.cross(b), a.dot(b))))
  }

  /// What a finger at a pixel would take: the nearest within reach, between its foot and its top.
  public func nearest(to pixel: Vector2, in world: any TrackedWorld) -> Int32? {
    guard let view = world.view else { return nil }
    let lens = view.camera.intrinsics
    var best = (distance: Self.reach * min(lens.width, lens.height), number: Int32?.none)
    for placed in all where isKnown(placed, in: world) {
      guard let foot = view.pixel(of: placed.position) else { continue }
      let top = view.pixel(of: placed.position + placed.worldFromPlane * Vector3(0, 0, placed.height)) ?? foot
      // As wide as it is high, so what is near is taken by any part of it.
      let length = (top - foot).length
      let share = length > 0 ? clamp((pixel - foot).dot(top - foot) / (length * length), 0, 1) : 0
      let distance = (pixel - foot - (top - foot) * share).length - 0.35 * length
      if distance < best.distance { best = (distance, placed.number) }
    }
    return best.number
  }

  /// A finger takes something, which keeps its distance from the finger when that moves.
  public mutating func hold(_ number: Int32, at pixel: Vector2, in world: any TrackedWorld) {
    guard let placed = all.first(where: { $0.number == number }), let foot = world.view?.pixel(of: placed.position)
    else { return held = nil }
    held = (number, foot - pixel)
  }

  /// Where the foot of what a finger holds is when the finger is at a pixel; the pixel itself when nothing is held.
  public func foot(under pixel: Vector2) -> Vector2 { held.map { pixel + $0.offset } ?? pixel }

  /// By what the world knows something that was set down; `nil` when it is lost for good, and for what is not there.
  public func handle(of number: Int32) -> Int? { all.first { $0.number == number }?.handle }

  /// The finger that holds something is at a pixel: it goes along the surfaces there.
  ///
  /// - Returns: the surface; `nil` when there is none there, or nothing is held.
  @discardableResult
  public mutating func drag(to pixel: Vector2, in world: any TrackedWorld) -> SurfaceHit? {
    guard let held, let placed = all.first(where: { $0.number == held.number }) else { return nil }
    return place(
      held.number,
      at: foot(under: pixel),
      posture: placed.posture,
      height: placed.height,
      in: world
    )
  }

  static func worldFromPlane(_ hit: SurfaceHit, seenAlong direction: Vector3, _ posture: Posture) -> Quaternion {
    let up = Vector3(0, 0, 1)
    let isUpright = abs(hit.normal.z) < 0.7
    let level = Vector3(direction.x, direction.y, 0)
    // Away from who looks; where one looks straight down, anywhere.
    let away = level.length > 1e-3 ? level : Vector3(0, 1, 0)
    let (normal, top): (Vector3, Vector3) =
      switch (posture, isUpright) {
      case (.flat, true): (hit.normal, up)
      case (.standing, true): (up, -hit.normal)
      case (.flat, false), (.standing, false): (up, away)
      }
    let z = normal.normalized ?? up
    let y = (top - z * top.dot(z)).normalized ?? Vector3(0, 1, 0)
    return Quaternion(Matrix3(rows: y.cross(z), y, z).transposed)
  }

  /// Whether the map knows where something is: not as long as nothing of its surroundings was recognised since tracking began anew.
  private func isKnown(_ placed: Placed, in world: any TrackedWorld) -> Bool {
    placed.handle.map { world.pose(of: $0) != nil } ?? false
  }

  // MARK: Seeing

  /// Where everything is in the tracker's last frame.
  ///
  /// - Parameters:
  ///   - world: that took the frame.
  ///   - estimate: what it said of it.
  ///   - time: of the frame, seconds.
  /// - Returns: an observation of each that is known to lie before the lens or beside it, and once one of each that is lost. Corners are
  ///   those of a square of 1 m, pixels of the tracker's frames; what lies behind the lens is far outside the picture.
  public mutating func observe(in world: any TrackedWorld, _ estimate: OdometryEstimate, time: Double) -> [Observation]
  {
    let view = estimate.state == .uncertainScale || estimate.state == .metric ? world.view : nil
    let isSeen = world.isFollowed(estimate)
    // Where it is, is no longer known when the pose is not.
    let isSure = view != nil && estimate.localDeviation < Self.mostDeviation
    var observations: [Observation] = []
    for index in all.indices {
      let number = all[index].number
      guard isSure, let view, isKnown(all[index], in: world) else {
        if !all[index].isLossTold {
          all[index].isLossTold = true
          observations.append(
            Observation(.placed(number), state: .lost, corners: Quadrilateral(repeating: .zero), width: Self.side)
          )
        }
        continue
      }
      follow(index, in: world)
      settle(index, in: world)
      let isNew = all[index].isLossTold || all[index].seen == 0
      if isSeen { all[index].seen = time }
      all[index].isLossTold = false
      let placed = all[index]
      var seen = Self.observation(number, at: placed.position, placed.worldFromAnchor, from: view)
      seen.state = isSeen ? (isNew ? .found : .tracked) : .carried
      seen.cornerSigma *= estimate.localDeviation
      seen.unseen = isSeen ? 0 : max(0, time - placed.seen)
      observations.append(seen)
    }
    return observations
  }

  /// Where something would be that is set down at a pixel of the tracker's last frame.
  ///
  /// - Parameters:
  ///   - number: that the observation has.
  ///   - pixel: of the tracker's frames.
  ///   - posture: how it would stand.
  ///   - world: that knows the surfaces.
  /// - Returns: the surface and how the thing would be seen; `nil` where there is no surface.
  public static func preview(
    _ number: Int32,
    at pixel: Vector2,
    posture: Posture,
    in world: any TrackedWorld
  ) -> (hit: SurfaceHit, observation: Observation)? {
    guard let view = world.view, let hit = world.hitTest(pixel), (hit.point - view.position).length < farthest,
      let direction = (hit.point - view.position).normalized
    else { return nil }
    var seen = observation(number, at: hit.point, worldFromPlane(hit, seenAlong: direction, posture), from: view)
    seen.cornerSigma = 0
    return (hit, seen)
  }

  /// The view of a square of 1 m, tracked; its deviation for one of 1 m in the place.
  private static func observation(
    _ number: Int32,
    at position: Vector3,
    _ worldFromAnchor: Quaternion,
    from view: TrackedView
  ) -> Observation {
    view.observation(of: .placed(number), at: position, worldFromAnchor, width: side, height: side)
  }

  /// What was set down on a guess goes along the line of sight to the surface there, as soon as that is known.
  private mutating func settle(_ index: Int, in world: any TrackedWorld) {
    guard all[index].kind == .guessedFloor,
      let hit = world.hitTest(from: all[index].eye, along: all[index].direction), hit.plane != nil
    else { return }
    (all[index].position, all[index].kind) = (hit.point, hit.kind)
    all[index].worldFromPlane = Self.worldFromPlane(hit, seenAlong: all[index].direction, all[index].posture)
    if let handle = all[index].handle { world.detach(handle) }
    tie(index, in: world)
  }
}

/// The camera of the tracker's last frame, and where it was.
public struct TrackedView: Sendable {
  /// Of the lens, metres in the tracker's world.
  public var position: Vector3
  /// From camera axes to the tracker's world.
  public var worldFromCamera: Quaternion
  /// As it is believed to be.
  public var camera: FrameCamera

  /// The pixel of a point of the world; `nil` when it is not before the lens.
  public func pixel(of point: Vector3) -> Vector2? {
    let seen = worldFromCamera.inverse * (point - position)
    return seen.z > 0.02 ? pixel(ofCamera: seen) : nil
  }

  /// How something flat would be seen, tracked; its deviation is that of a deviation of 1 m in its place.
  func observation(
    of anchor: AnchorID,
    at position: Vector3,
    _ worldFromAnchor: Quaternion,
    width: Double,
    height: Double
  ) -> Observation {
    let cameraFromWorld = worldFromCamera.inverse
    let cameraFromPlane = (cameraFromWorld * worldFromAnchor).normalized ?? .identity
    let center = cameraFromWorld * (position - self.position)
    var corners = Quadrilateral(repeating: .zero)
    for k in 0..<4 {
      let corner = Vector3(k == 1 || k == 2 ? width / 2 : -width / 2, k < 2 ? height / 2 : -height / 2, 0)
      corners[k] = pixel(ofCamera: center + cameraFromPlane * corner)
    }
    return Observation(
      anchor,
      state: .tracked,
      corners: corners,
      pose: PlanarPose(cameraFromPlane: cameraFromPlane, translation: center, reprojectionError: 0),
      cornerSigma: camera.intrinsics.focalX / max(0.1, center.length),
      width: width
    )
  }

  /// The pixel of a point in camera axes; of one beside or behind the lens a place far outside of the picture, on its side.
  func pixel(ofCamera point: Vector3) -> Vector2 {
    let lens = camera.intrinsics
    let across = Vector2(point.x, point.y)
    // A lens bends only what it sees.
    let steepest = 1.2
    if point.z > 0.02, across.length < steepest * point.z,
      let pixel = lens.pixel(ofPointInCamera: point, through: camera.distortion)
    {
      return pixel
    }
    let length = across.length
    let slope = point.z > 0.02 ? min(20, length / point.z) : 20
    let direction = length > 0 ? across * (1 / length) : Vector2(0, 1)
    return Vector2(lens.centerX, lens.centerY) + direction * (lens.focalX * slope)
  }
}
