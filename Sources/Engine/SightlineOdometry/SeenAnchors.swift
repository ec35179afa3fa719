import SightlineCamera
import SightlineMath

/// Extended tracking: markers, pictures, codes and walls that vision has seen, tied to the map, and where they are in frames that do not
/// show them.
///
/// ```swift
/// anchors.take(seen, by: camera, in: tracker)
/// let estimate = tracker.take(frame, stamp: time, rectangles: anchors.rectangles)
/// let carried = anchors.follow(in: tracker, estimate, time: time)
/// ```
///
/// What is handed in may be anything: what is no observation with a pose in metres is left out.
///
/// A class, as its state is changed in place from several calls: less code in WebAssembly than a structure that is passed on.
public final class SeenAnchors {
  /// Where something was seen.
  private struct Place {
    /// In the tracker's world, metres.
    var position: Vector3
    /// From its frame to the tracker's world.
    var turn: Quaternion
    /// The inverse of its variance, 1/m².
    var weight: Double

    /// Both together; a place that was seen for long still follows what it is seen at.
    mutating func add(_ other: Place) {
      weight = min(weight, SeenAnchors.longestMemory * other.weight)
      let share = other.weight / (weight + other.weight)
      position = position + (other.position - position) * share
      let (a, b) = (1 - share, turn.dot(other.turn) < 0 ? -share : share)
      let (p, q) = (turn, other.turn)
      let mixed = Quaternion(
        w: a * p.w + b * q.w,
        x: a * p.x + b * q.x,
        y: a * p.y + b * q.y,
        z: a * p.z + b * q.z
      )
      turn = mixed.normalized ?? turn
      weight += other.weight
    }

    /// Whether both are the same, seen from so far away.
    func agrees(_ other: Place, distance: Double) -> Bool {
      let deviation = 1 / other.weight.squareRoot()
      return (position - other.position).length < 0.03 + 0.02 * distance + 3 * deviation
        && abs(turn.dot(other.turn)) > SeenAnchors.sameTurn
    }
  }

  /// An anchor that was seen.
  private final class Known {
    let anchor: AnchorID
    /// Metres.
    let width: Double
    /// Height by width.
    var aspect = 1.0
    /// How it lies before the camera of the frame that comes next, by the tracker's lens; `nil` when it is not in it.
    var pose: PlanarPose?
    /// How surely that is known: the deviation of its corners, pixels, and its confidence.
    var cornerSigma = 0.0, confidence = 0.0
    /// By what the map knows it; `nil` as long as it is not known well enough where it is.
    var handle: Int?
    /// Where it was when it was tied.
    var tied = Place(position: .zero, turn: .identity, weight: 1)
    /// Where else it was seen, and how often in a row.
    var other = Place(position: .zero, turn: .identity, weight: 1), count = 0
    /// When it was last seen, seconds.
    var seen = -Double.infinity
    /// Variances of the tracker's place and yaw when it was last tied.
    var variance = 0.0, yawVariance = 0.0
    /// Whether it was said last that it is carried on.
    var isTold = false

    init(_ anchor: AnchorID, width: Double) { (self.anchor, self.width) = (anchor, width) }
  }

  /// Most that are known at a time.
  public static let most = 64
  /// Relative deviation of the tracker's lengths below which what is seen can be tied to its map.
  private static let mostScaleDeviation = 0.1
  /// Deviation of the place since something was seen, from which on nobody knows where it is, metres.
  private static let mostDeviation = 0.5
  /// Followed points below which only the sensors carry the pose on.
  private static let fewestTracks = 8
  /// Sightings in a row that have to agree before something is tied there.
  private static let fewestSightings = 5
  /// Sightings that weigh as much as all before.
  private static let longestMemory = 300.0
  /// Turns that may be the same: the cosine of half of 20°.
  private static let sameTurn = 0.985

  private var known: [Known] = []
  /// Camera of vision, pixels of the tracker's frames.
  private var camera: FrameCamera?
  /// What of known size is in the frame that comes next: by them the tracker knows lengths at once.
  public private(set) var rectangles: [KnownRectangle] = []

  /// Nothing yet.
  public init() {}

  /// Anchors that were seen, whether or not they are tied to the map.
  public var count: Int { known.count }

  /// The tracker's world is another from now on.
  public func loseAll() {
    for one in known { (one.handle, one.count) = (nil, 0) }
  }

  // MARK: Seeing

  /// Takes what vision saw in the frame that the tracker takes next.
  ///
  /// - Parameters:
  ///   - observations: pixels of the tracker's frames.
  ///   - camera: that vision took it to be seen by; poses of what is carried on are told for it.
  ///   - tracker: that takes the frame.
  public func take(_ observations: [Observation], by camera: FrameCamera, in tracker: WorldTracker) {
    self.camera = camera
    let own = tracker.camera
    for one in known { one.pose = nil }
    rectangles.removeAll()
    for seen in observations where seen.state == .found || seen.state == .tracked {
      guard seen.isFinite, seen.width > 0.005, seen.width < 20, let pose = seen.pose, pose.translation.z > 0.02,
        pose.translation.length < 100, let ownPose = Self.pose(pose, by: camera, for: own), let one = known(seen)
      else { continue }
      // Of two that say the same nobody knows which is which.
      if one.pose != nil {
        rectangles.removeAll { $0.anchor == seen.anchor }
        continue
      }
      (one.pose, one.cornerSigma, one.confidence) = (ownPose, seen.cornerSigma, seen.confidence)
      switch seen.anchor {
      case .marker, .code: break
      case .picture:
        guard let aspect = Self.aspect(of: seen.corners, pose, camera) else { continue }
        one.aspect += (aspect - one.aspect) * (one.seen.isFinite ? 0.05 : 1)
      case .wall, .placed: continue
      }
      let height = seen.width * one.aspect
      rectangles.append(
        KnownRectangle(seen.anchor, width: seen.width, height: height, corners: seen.corners, pose: ownPose)
      )
    }
  }

  /// What is known of something, which is new when its size is another than before; `nil` when there is no room.
  private func known(_ seen: Observation) -> Known? {
    var place = known.firstIndex { $0.anchor == seen.anchor }
    if let place {
      // A wall is told as wide as whatever hangs on it and is seen.
      if case .wall = seen.anchor { return known[place] }
      if abs(known[place].width - seen.width) < 1e-6 { return known[place] }
    }
    let new = Known(seen.anchor, width: seen.width)
    if place == nil, known.count == Self.most {
      // Nobody has to be told that it is gone.
      for (index, one) in known.enumerated() where !one.isTold && one.pose == nil {
        if let oldest = place, known[oldest].seen <= one.seen { continue }
        place = index
      }
      if place == nil { return nil }
    }
    if let place { known[place] = new } else { known.append(new) }
    return new
  }

  /// Height by width of a flat thing, by its corners and how it lies; `nil` for what no lens sees.
  private static func aspect(of corners: Quadrilateral, _ pose: PlanarPose, _ camera: FrameCamera) -> Double? {
    let normal = pose.cameraFromPlane * Vector3(0, 0, 1)
    // In multiples of the distance of its plane.
    func point(_ corner: Int) -> Vector3? { ray(through: corners[corner], camera).map { $0 * (1 / normal.dot($0)) } }
    guard let origin = point(0), let right = point(1), let below = point(3) else { return nil }
    let aspect = (below - origin).length / (right - origin).length
    return aspect > 0.05 && aspect < 20 ? aspect : nil
  }

  /// The direction of a pixel, as a point at z = 1.
  private static func ray(through pixel: Vector2, _ camera: FrameCamera) -> Vector3? {
    let lens = camera.intrinsics
    let seen = Vector2((pixel.x - lens.centerX) / lens.focalX, (pixel.y - lens.centerY) / lens.focalY)
    return camera.distortion.undistorted(seen).map { Vector3($0.x, $0.y, 1) }
  }

  /// The pose that one camera has of something by what another one says of it: at the same pixels, and as much farther as its lens is
  /// longer.
  private static func pose(_ pose: PlanarPose, by from: FrameCamera, for to: FrameCamera) -> PlanarPose? {
    var (pose, place) = (pose, pose.translation)
    place.z *= to.intrinsics.focalX / from.intrinsics.focalX
    // Outside of the picture nobody knows how the lens bends.
    if pose.translation.z > 0.02, abs(place.x) + abs(place.y) < 0.8 * place.z {
      guard let pixel = from.intrinsics.pixel(ofPointInCamera: pose.translation, through: from.distortion),
        let ray = ray(through: pixel, to)
      else { return nil }
      place = ray * place.z
    }
    pose.translation = place
    return place.isFinite ? pose : nil
  }

  // MARK: Following

  /// Ties what was seen in the tracker's last frame to the map, and tells where everything else is in it.
  ///
  /// - Parameters:
  ///   - tracker: that took the frame.
  ///   - estimate: what it said of it.
  ///   - time: of the frame, seconds.
  /// - Returns: an observation, carried on, of each that is known and not seen; what lies behind the lens is far outside the picture. Once
  ///   one of each that is lost.
  public func follow(in tracker: WorldTracker, _ estimate: OdometryEstimate, time: Double) -> [Observation] {
    let isFollowed = estimate.trackCount >= Self.fewestTracks && !estimate.isLost && !tracker.isUntied
    let isSure = isFollowed && estimate.state == .metric && estimate.scaleDeviation < Self.mostScaleDeviation
    let variance = estimate.positionDeviation * estimate.positionDeviation
    let yawVariance = estimate.yawDeviation * estimate.yawDeviation
    var observations: [Observation] = []
    rectangles.removeAll()
    for one in known {
      if let pose = one.pose {
        (one.pose, one.seen, one.isTold) = (nil, time, false)
        if isSure, note(one, pose, in: tracker) { (one.variance, one.yawVariance) = (variance, yawVariance) }
        continue
      }
      if let view = tracker.view, !tracker.isUntied, let place = place(of: one, in: tracker) {
        let distance = (place.position - view.position).length
        let grown = max(0, variance - one.variance) + max(0, yawVariance - one.yawVariance) * distance * distance
        let deviation = (1 / place.weight + grown).squareRoot()
        if deviation < Self.mostDeviation {
          // Its line is read before or after the middle's.
          let line = view.pixel(of: place.position).flatMap { tracker.view(whenReading: $0) } ?? view
          let height = one.width * one.aspect
          var seen = line.observation(of: one.anchor, at: place.position, place.turn, width: one.width, height: height)
          seen.pose = seen.pose.map { pose in camera.flatMap { Self.pose(pose, by: line.camera, for: $0) } ?? pose }
          seen.state = .carried
          seen.cornerSigma *= deviation
          seen.unseen = max(0, time - one.seen)
          one.isTold = true
          observations.append(seen)
          continue
        }
      }
      if one.isTold {
        one.isTold = false
        let nowhere = Quadrilateral(repeating: .zero)
        observations.append(Observation(one.anchor, state: .lost, corners: nowhere, width: one.width))
      }
    }
    return observations
  }

  /// Where something is now, as its surroundings are; `nil` when it is not tied.
  private func place(of one: Known, in tracker: WorldTracker) -> Place? {
    guard let handle = one.handle, let pose = tracker.map.pose(of: handle) else { return nil }
    var place = one.tied
    place.position = pose.translation
    let turn = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: pose.yaw))
    place.turn = (turn * place.turn).normalized ?? place.turn
    return place
  }

  /// Takes how something lies before the tracker's camera; answers whether it is tied by it.
  private func note(_ one: Known, _ pose: PlanarPose, in tracker: WorldTracker) -> Bool {
    guard let middle = tracker.view else { return false }
    let view = tracker.view(whenReading: middle.pixel(ofCamera: pose.translation)) ?? middle
    let distance = pose.translation.length
    // The distance is known least, by the size in the picture.
    let deviation =
      0.003 + max(0.3, one.cornerSigma) * distance * distance / (view.camera.intrinsics.focalX * one.width)
    let seen = Place(
      position: view.position + view.worldFromCamera * pose.translation,
      turn: (view.worldFromCamera * pose.cameraFromPlane).normalized ?? .identity,
      weight: clamp(one.confidence, 0.05, 1) / (deviation * deviation)
    )
    guard seen.position.isFinite else { return false }
    if var place = place(of: one, in: tracker), place.agrees(seen, distance: distance) {
      place.add(seen)
      tie(one, place, in: tracker)
      return true
    }
    // What was moved is seen elsewhere several times.
    if one.count > 0, one.other.agrees(seen, distance: distance) {
      one.other.add(seen)
      one.count += 1
    } else {
      (one.other, one.count) = (seen, 1)
    }
    guard one.count >= Self.fewestSightings else { return false }
    tie(one, one.other, in: tracker)
    return true
  }

  /// Ties something to what surrounds it, so that it goes with that when the map is put right.
  private func tie(_ one: Known, _ place: Place, in tracker: WorldTracker) {
    if let handle = one.handle { tracker.map.detach(handle) }
    one.count = 0
    one.tied = place
    one.handle = tracker.map.attach(UprightTransform(yaw: 0, translation: place.position))
  }
}
