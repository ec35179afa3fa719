import SightlineImaging
import SightlineMath

/// World tracking: pose in six degrees of freedom from inertial readings and grey frames.
///
/// ```swift
/// let tracker = WorldTracker(configuration)
/// tracker.take(reading)                              // for each of the sensors' readings
/// let estimate = tracker.take(picture, stamp: time)  // for each frame
/// ```
///
/// Stages, each with its inputs and outputs: ``MotionHistory`` (readings → integrals), ``FeatureTracker`` (frames → tracks),
/// ``FilterStart`` (the first second → what the filter begins with), ``VisualInertialFilter`` (tracks and readings → pose and covariance),
/// ``WorldMap`` (frames and poses → what is recognised of before).
public final class WorldTracker {
  /// Shorter sides have no room for patches on all levels, pixels.
  private static let shortestSide = 64
  /// Frames from one that is kept to the next while the start is looked for.
  private static let startSpacing = 3
  /// Frames that are kept for the start.
  private static let startFrames = 12
  /// Frames from which on a start is tried.
  private static let fewestStartFrames = 7
  /// Points a start needs, and their share of the tracks that it was given.
  private static let fewestStartPoints = 25
  private static let leastStartShare = 0.75
  /// Deviation of a start's velocity that is good enough, m/s: of the fewest frames, and of more.
  ///
  /// Of 72 starts (`Benchmarks/odometry/starts.py`) that asked for no share and for 0.25 of both, two took lengths for 2 and 3.6 times what
  /// they were; with 0.2 of both two of 24 others were metric two seconds later.
  private static let startVelocityDeviation = (fewest: 0.2, more: 0.25)
  /// Tries after which the best that can be had is taken.
  private static let mostStartTries = 25
  /// Frames a device that was held still has to move before a start is looked for.
  private static let movingFrames = 15
  /// Time between two frames after which tracks and motion are not gone on with, seconds.
  private static let longestPause = 0.7
  /// Residual above which a start is not believed, pixels.
  private static let mostStartResidual = 2.2
  /// Parallax by which a frame differs from the last one that is kept, pixels.
  private static let keyParallax = 12.0
  /// Time after which a frame is kept whatever it shows, seconds.
  private static let keyTime = 0.4
  /// Relative deviation of lengths below which they are metres.
  private static let metricDeviation = 0.06
  /// Way from which on the accelerometer can have told the scale, metres.
  private static let metricWay = 0.3
  /// Movement of the picture within some tenths of a second below which the device is held still, pixels.
  static let restFlow = 8.0
  /// And how far it may be from where it came to rest, metres.
  private static let restSway = 0.02
  /// Deviation of the place of a hand that holds still, said with every frame, metres.
  private static let restDeviation = 0.006
  /// By how much errors are larger than the filter's covariance has them, as it takes those of one frame to be independent of those of
  /// the next and its equations to be linear; seen on development sequences.
  private static let deviationFactor = 1.8
  /// Points in the picture below which a frame before the filter begins tells no more than where it points.
  private static let fewestEarlyTracks = 15
  /// Tracks that are triangulated for the surroundings with a frame.
  private static let triangulations = 4
  /// Frames a track is followed before it may become a landmark.
  private static let landmarkAge = 5

  private(set) var configuration: OdometryConfiguration
  private(set) var history = MotionHistory()
  let tracker = FeatureTracker()
  private(set) var filter: VisualInertialFilter?
  private(set) var surroundings = Surroundings()
  /// What was seen before, and what is tied to it.
  public let map = WorldMap()
  var loss = LossWatch()
  /// Whether the lengths of the last estimate were known.
  private(set) var isMetric = false
  private var startFrames: [FilterStart.Frame] = []
  private var frameCount = 0
  private var lastStamp = Double.nan
  private var slotsInUse: UInt32 = 0
  /// The track that was triangulated last for the surroundings.
  private var nextTriangulated = 0
  private var occupied: [SIMD2<Float>] = []
  private var way = 0.0
  /// Where the device was before the last pause, metres.
  private var lastPlace = Vector3.zero
  /// Whether the device is held still.
  public private(set) var isResting = false
  /// Whether the device has moved enough since the start for lens and scale to be told.
  private var hasMoved = false
  var movingFrames = 0
  /// World from device before the filter begins, and when.
  private var early: (attitude: Matrix3, time: Double)?
  private var startPose = CameraPose(worldFromCamera: .identity, position: .zero)
  private var startTries = 0
  /// Whether the filter's world is tied to the first metric pose.
  private var isTied = false
  /// Whether sensors and picture stood still in the last frame.
  private var isCalm = false
  /// Stamp of the first frame after a pause, as long as nobody knows whether the device was moved meanwhile.
  private var pauseEnd: Double?

  /// A tracker that knows no more than its configuration.
  public init(_ configuration: OdometryConfiguration) { self.configuration = configuration }

  /// Goes on with pictures of another camera, or of another size, where it was last: what surrounds it is recognised, as after a pause.
  public func goOn(with configuration: OdometryConfiguration) {
    startOver()
    self.configuration = configuration
  }

  /// Takes a reading of gyroscope and accelerometer.
  public func take(_ reading: InertialReading) { history.append(reading) }

  /// Takes a frame; readings up to its stamp should have been taken before.
  ///
  /// - Parameters:
  ///   - picture: grey levels, of the configuration's size; another one changes nothing, nor does one with a side below 64 pixels.
  ///   - stamp: as the platform has it, seconds.
  ///   - rectangles: of known size that were seen in this frame: with them the scale is known at once.
  /// - Returns: what is known of the pose in this frame.
  public func take(_ picture: GrayView, stamp: Double, rectangles: [KnownRectangle] = []) -> OdometryEstimate {
    guard picture.width == configuration.width, picture.height == configuration.height,
      min(picture.width, picture.height) >= Self.shortestSide, stamp.isFinite,
      !(stamp <= lastStamp)
    else { return estimate(at: lastStamp) }
    defer {
      lastStamp = stamp
      frameCount += 1
    }
    if stamp - lastStamp > Self.longestPause || (pauseEnd == nil && !isContinuous) {
      // Who was held still may be where he was, which remains to be seen.
      pauseEnd = isCalm ? stamp : nil
      if !isCalm { startOver() }
    }
    if let since = pauseEnd {
      let stands = stands(picture, stamp, since: since)
      if stands != nil { pauseEnd = nil }
      if stands != false { return estimate(at: stamp) }
      startOver()
    }
    if let filter {
      track(picture, stamp: stamp, filter: filter, rectangles)
      consultMap(picture)
      // Equations that could not be solved leave nothing to go on with.
      if !filter.isSound { startOver() }
    } else {
      begin(picture, stamp: stamp)
    }
    tracker.refill()
    return estimate(at: stamp)
  }

  /// Whether the readings reach back to where the filter stands.
  private var isContinuous: Bool {
    guard let filter, let start = history.start else { return true }
    return start < filter.inertial.time + 0.05
  }

  /// Begins again where the camera was last: what happened meanwhile nobody knows.
  func startOver() {
    (isTied, isCalm) = (false, false)
    early = nil
    if let filter, filter.inertial.position.isFinite { lastPlace = filter.inertial.position }
    filter = nil
    surroundings.removeAll()
    map.startOver()
    loss = LossWatch()
    tracker.removeAll()
    startFrames.removeAll()
    slotsInUse = 0
    startTries = 0
    movingFrames = 0
    way = 0
    (isResting, hasMoved) = (false, false)
  }

  // MARK: Start

  private func begin(_ picture: GrayView, stamp: Double) {
    let camera = CameraEstimate(configuration)
    let turn = turnOfCamera(from: lastStamp - camera.timeOffset, to: stamp - camera.timeOffset, camera)
    if let turn { startPose.worldFromCamera = startPose.worldFromCamera * turn }
    let now = startPose.worldFromCamera
    tracker.follow(
      picture,
      pose: startPose,
      knowsWay: false,
      predict: { _, pixel in turn.flatMap { camera.pixel(of: $0.transposedTimes(camera.ray(through: pixel))) } },
      project: { _, pose, pixel in
        camera.pixel(of: now.transposedTimes(pose.worldFromCamera * camera.ray(through: pixel)))
      }
    )
    freeEnded()
    guard noteStartFrame(stamp), startFrames.count >= Self.fewestStartFrames, let first = startFrames.first,
      let last = startFrames.last
    else { return }
    let moment = stamp - configuration.timeOffset
    if rests(until: moment), isSame(first.slot, last.slot, camera) {
      beginAtRest(stamp: stamp)
    } else {
      let origin = startOrigin(first)
      let attitude = goingOn(attitudeByGravity(from: origin, to: moment), from: origin, to: moment)
      guard let solution = solve(from: origin, attitude: attitude, tiltDeviation: 0.12) else { return }
      begin(
        VisualInertialFilter(
          configuration,
          inertial: solution.inertial,
          camera: solution.camera,
          covariance: solution.covariance
        ),
        stamp: stamp
      )
      hasMoved = true
    }
  }

  /// Begins with a device that is held still: nothing is known of the lens but what was told, and that nothing moves.
  private func beginAtRest(stamp: Double) {
    let now = stamp - configuration.timeOffset
    let level = attitudeByGravity(from: now - 0.5, to: now)
    let attitude = goingOn(level, from: now - 0.5, to: now) * turnOfDevice(from: now - 0.5, to: now)
    let deviations = FilterStart.believed(configuration, tilt: 0.02, velocity: 0.03)
    let covariance = CovarianceMatrix(count: Component.count)
    for i in 0..<Component.count { covariance[i, i] = deviations[i] * deviations[i] }
    let inertial = InertialState(time: now, attitude: attitude, velocity: .zero, position: .zero)
    isResting = true
    begin(
      VisualInertialFilter(
        configuration,
        inertial: inertial,
        camera: CameraEstimate(configuration),
        covariance: covariance
      ),
      stamp: stamp,
      keepingFrames: true
    )
  }

  /// Begins anew when a device that was held still has moved for a while: only then can lens, scale and clock be told.
  private func beginAfterRest(_ old: VisualInertialFilter, stamp: Double) {
    guard noteStartFrame(stamp), movingFrames >= Self.movingFrames, startFrames.count >= Self.fewestStartFrames,
      let first = startFrames.first
    else { return }
    let origin = startOrigin(first)
    var turn = Matrix3.identity
    history.forEachStep(from: origin, to: old.inertial.time) { step in
      turn = turn * Matrix3(Quaternion(rotationVector: (step.rate - old.inertial.gyroBias) * step.duration))
    }
    let attitude = old.inertial.attitude * turn.transposed
    guard let solution = solve(from: origin, attitude: attitude, tiltDeviation: 0.03) else {
      // What cannot be solved for seconds, as a turn on the spot, is left to the filter.
      if startTries > Self.mostStartTries {
        hasMoved = true
        dropStartFrames()
      }
      return
    }
    let filter = VisualInertialFilter(
      configuration,
      inertial: solution.inertial,
      camera: solution.camera,
      covariance: solution.covariance
    )
    filter.propagate(to: stamp - filter.camera.timeOffset, history: history)
    filter.shift(by: old.inertial.position - filter.inertial.position)
    for index in tracker.tracks.indices { tracker.setLandmark(index, -1) }
    for clone in old.clones {
      tracker.forget(slot: clone.slot)
      release(clone.slot)
    }
    // Distances were guesses before.
    surroundings.removeAll()
    begin(filter, stamp: stamp, keepsPlace: true)
    hasMoved = true
  }

  /// Keeps every few frames of the last second; answers whether this is one of them.
  private func noteStartFrame(_ stamp: Double) -> Bool {
    guard frameCount % Self.startSpacing == 0, tracker.followedCount > 0 else { return false }
    if startFrames.count == Self.startFrames {
      let oldest = startFrames.removeFirst()
      tracker.forget(slot: oldest.slot)
      release(oldest.slot)
    }
    let slot = takeSlot()
    tracker.note(slot: slot)
    startFrames.append(FilterStart.Frame(slot: slot, stamp: stamp))
    return true
  }

  func dropStartFrames() {
    for frame in startFrames {
      tracker.forget(slot: frame.slot)
      release(frame.slot)
    }
    startFrames.removeAll()
  }

  /// The moment the frames' poses are told from: none of them can have been exposed before.
  private func startOrigin(_ first: FilterStart.Frame) -> Double {
    max(history.start ?? first.stamp, first.stamp - 0.11)
  }

  /// What the kept frames say, when it is good enough to go on with.
  private func solve(from origin: Double, attitude: Matrix3, tiltDeviation: Double) -> FilterStart.Solution? {
    let start = FilterStart(
      configuration: configuration,
      history: history,
      frames: startFrames,
      tracker: tracker,
      origin: origin,
      attitude: attitude,
      tiltDeviation: tiltDeviation,
      velocityDeviation: 1.5
    )
    startTries += 1
    guard let solution = start.solve(), solution.residual < Self.mostStartResidual else { return nil }
    var variance = 0.0
    for i in 0..<3 { variance = max(variance, solution.covariance[Component.velocity + i, Component.velocity + i]) }
    let isShort = startFrames.count == Self.fewestStartFrames
    let deviation = isShort ? Self.startVelocityDeviation.fewest : Self.startVelocityDeviation.more
    let isSure =
      solution.pointCount >= Self.fewestStartPoints
      && Double(solution.pointCount) >= Self.leastStartShare * Double(solution.trackCount)
      && variance < deviation * deviation
    return isSure || startTries > Self.mostStartTries ? solution : nil
  }

  /// Goes on with a filter from this frame.
  private func begin(
    _ filter: VisualInertialFilter,
    stamp: Double,
    keepingFrames: Bool = false,
    keepsPlace: Bool = false
  ) {
    if !keepingFrames { dropStartFrames() }
    self.filter = filter
    if !keepsPlace { filter.shift(by: lastPlace) }
    filter.propagate(to: stamp - filter.camera.timeOffset, history: history)
    tracker.renewReferences(pose: pose(filter))
    let newest = takeSlot()
    filter.addClone(slot: newest, history: history)
    tracker.note(slot: newest)
    addLandmarks(filter, most: VisualInertialFilter.mostLandmarks)
  }

  /// The turn of the camera between two moments, from its axes then to those before.
  private func turnOfCamera(from: Double, to: Double, _ camera: CameraEstimate) -> Matrix3? {
    guard from.isFinite, to > from, to - from < 0.5, history.end != nil else { return nil }
    let axes = camera.deviceFromCamera
    return axes.transposed * turnOfDevice(from: from, to: to) * axes
  }

  /// The turn of the device between two moments by the gyroscope alone, from its axes then to those before.
  private func turnOfDevice(from: Double, to: Double) -> Matrix3 {
    var turn = Matrix3.identity
    history.forEachStep(from: from, to: to) { step in
      turn = turn * Matrix3(Quaternion(rotationVector: step.rate * step.duration))
    }
    return turn
  }

  /// World from device at `from`, turned about the vertical so that at `to` it goes on from what was told before the filter began: who
  /// turns from the first frame on has turned by then.
  private func goingOn(_ attitude: Matrix3, from: Double, to: Double) -> Matrix3 {
    guard let early else { return attitude }
    let told = early.attitude * turnOfDevice(from: early.time, to: to)
    let difference = told * (attitude * turnOfDevice(from: from, to: to)).transposed
    // Of all turns about the vertical the one that is closest to it.
    let yaw = atan2(difference[row: 1].x - difference[row: 0].y, difference[row: 0].x + difference[row: 1].y)
    guard yaw.isFinite else { return attitude }
    return Matrix3(Quaternion(rotationVector: Vector3(0, 0, yaw))) * attitude
  }

  /// World from device at a moment, when what the accelerometer shows in the mean is gravity.
  func attitudeByGravity(from: Double, to: Double) -> Matrix3 {
    var turn = Matrix3.identity
    var sum = Vector3.zero
    history.forEachStep(from: from, to: to) { step in
      sum = sum + turn * step.force * step.duration
      turn = turn * Matrix3(Quaternion(rotationVector: step.rate * step.duration))
    }
    guard let up = sum.normalized else { return .identity }
    let axis = up.cross(Vector3(0, 0, 1))
    let angle = atan2(axis.length, up.z)
    guard axis.length > 1e-9 else {
      return up.z > 0 ? .identity : Matrix3(rows: Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, -1))
    }
    return Matrix3(Quaternion(rotationVector: axis * (angle / axis.length)))
  }

  // MARK: Tracking

  private func track(
    _ picture: GrayView,
    stamp: Double,
    filter: VisualInertialFilter,
    _ rectangles: [KnownRectangle]
  ) {
    guard let before = filter.clones.last else { return }
    filter.propagate(to: stamp - filter.camera.timeOffset, history: history)
    follow(picture, filter, from: before)
    let slot = takeSlot()
    filter.addClone(slot: slot, history: history)
    tracker.note(slot: slot)
    update(filter, rectangles)
    if hasMoved, !isResting { way += filter.inertial.velocity.length * (filter.inertial.time - before.time) }
    addLandmarks(filter, most: 4)
    if filter.clones.count >= VisualInertialFilter.mostClones {
      // While the device rests, the oldest clone stays: it says where.
      let index = spared(isKey(filter) ? (isResting ? 1 : 0) : filter.clones.count - 2, filter)
      let freed = filter.clones[index].slot
      filter.removeClone(index, tracker: tracker)
      release(freed)
    }
    movingFrames = isResting ? 0 : movingFrames + 1
    if !hasMoved { beginAfterRest(filter, stamp: stamp) }
  }

  func follow(_ picture: GrayView, _ filter: VisualInertialFilter, from before: Clone) {
    let camera = filter.camera
    let usual = 1 / filter.usualRho
    let earlier = CameraPose(
      worldFromCamera: before.attitude * camera.deviceFromCamera,
      position: before.position + before.attitude * camera.lever
    )
    let pose = self.pose(filter)
    func project(_ track: Int, _ from: CameraPose, _ pixel: Vector2) -> Vector2? {
      let place = tracker.tracks[track].landmark
      let depth = place >= 0 ? 1 / filter.landmarks[place].rho : usual
      let point = from.position + from.worldFromCamera * (camera.ray(through: pixel) * depth)
      return camera.pixel(of: pose.worldFromCamera.transposedTimes(point - pose.position))
    }
    tracker.follow(picture, pose: pose, knowsWay: true, predict: { project($0, earlier, $1) }, project: project)
  }

  func pose(_ filter: VisualInertialFilter) -> CameraPose {
    CameraPose(
      worldFromCamera: filter.inertial.attitude * filter.camera.deviceFromCamera,
      position: filter.inertial.position + filter.inertial.attitude * filter.camera.lever
    )
  }

  private func update(_ filter: VisualInertialFilter, _ rectangles: [KnownRectangle]) {
    filter.beginUpdate()
    for place in 0..<VisualInertialFilter.mostLandmarks where filter.landmarks[place].track >= 0 {
      let index = filter.landmarks[place].track
      let track = tracker.tracks[index]
      guard track.isFollowed, track.landmark == place else { continue }
      if filter.addSighting(of: place, pixel: Vector2(Double(track.x), Double(track.y))) {
        filter.note(place, misfits: 0)
      } else {
        filter.note(place, misfits: filter.landmarks[place].misfits + 1)
      }
    }
    isResting = rests(filter)
    filter.isCameraHeld = isResting || !hasMoved
    filter.isResting = isResting
    if isResting {
      filter.addRest(deviation: Self.restDeviation)
    }
    filter.addSightings(of: rectangles)
    addEnded(filter)
    if filter.clones.count >= VisualInertialFilter.mostClones, !isResting, isKey(filter) { addOldest(filter) }
    filter.endUpdate()
    filter.renewShapes(rectangles)
    noteSurroundings(filter)
    // Landmarks that are gone or do not fit leave the state after the update, whose columns they are part of.
    for place in 0..<VisualInertialFilter.mostLandmarks where filter.landmarks[place].track >= 0 {
      let landmark = filter.landmarks[place]
      let isFollowed = tracker.tracks[landmark.track].isFollowed
      guard !isFollowed || landmark.misfits >= 2 else { continue }
      filter.removeLandmark(place, tracker: tracker)
      if landmark.misfits >= 2 { tracker.drop(landmark.track) }
    }
    freeEnded()
  }

  /// Tells the surroundings where the landmarks are.
  private func noteSurroundings(_ filter: VisualInertialFilter) {
    let eye = filter.inertial.position
    for landmark in filter.landmarks where landmark.track >= 0 {
      let identifier = tracker.tracks[landmark.track].identifier
      if let point = filter.scenePoint(landmark, identifier: identifier) { surroundings.note(point, from: eye) }
    }
    // Of the others a few with each frame, in turn.
    let slots = filter.slots
    var (looked, tried) = (0, 0)
    while looked < tracker.tracks.count, tried < Self.triangulations {
      looked += 1
      nextTriangulated = (nextTriangulated + 1) % tracker.tracks.count
      let track = tracker.tracks[nextTriangulated]
      guard track.isFollowed, track.landmark < 0, track.observationCount(in: slots) >= 4 else { continue }
      tried += 1
      if let point = filter.triangulated(sightings(nextTriangulated, filter), identifier: track.identifier) {
        surroundings.note(point, from: eye)
      }
    }
    surroundings.step(eye: eye)
  }

  /// Uses tracks that have ended.
  private func addEnded(_ filter: VisualInertialFilter) {
    let slots = filter.slots
    var used = 0
    for index in tracker.tracks.indices {
      let track = tracker.tracks[index]
      guard track.identifier != 0, !track.isFollowed, track.landmark < 0 else { continue }
      if track.observationCount(in: slots) >= 3, used < 12, filter.room > 40 {
        if let point = filter.add(sightings(index, filter), identifier: track.identifier) {
          used += 1
          surroundings.note(point, from: filter.inertial.position)
        }
      }
    }
  }

  /// Uses tracks that were seen in the clone that goes next.
  private func addOldest(_ filter: VisualInertialFilter) {
    let bit: UInt32 = 1 << UInt32(filter.clones[0].slot)
    guard let newest = filter.clones.last?.slot else { return }
    let slots = filter.slots
    var candidates: [Int] = []
    for index in tracker.tracks.indices {
      let track = tracker.tracks[index]
      if track.isFollowed, track.landmark < 0, track.seen & bit != 0, track.observationCount(in: slots) >= 4 {
        candidates.append(index)
      }
    }
    let order = ascendingPlaces(candidates.map { -Double(tracker.tracks[$0].observationCount(in: slots)) })
    var used = 0
    for index in order.map({ candidates[$0] }) where used < 12 && filter.room > 40 {
      var seen = sightings(index, filter)
      seen.removeLast()
      if let point = filter.add(seen, identifier: tracker.tracks[index].identifier) {
        used += 1
        surroundings.note(point, from: filter.inertial.position)
      }
      tracker.clearObservations(index, in: slots & ~(1 << UInt32(newest)))
    }
  }

  private func sightings(_ track: Int, _ filter: VisualInertialFilter) -> [Sighting] {
    var result: [Sighting] = []
    let seen = tracker.tracks[track].seen
    for (index, clone) in filter.clones.enumerated() where seen & (1 << UInt32(clone.slot)) != 0 {
      let o = tracker.observation(track, slot: clone.slot)
      result.append(Sighting(clone: index, pixel: Vector2(Double(o.x), Double(o.y))))
    }
    return result
  }

  /// Makes steady tracks landmarks while there is room.
  private func addLandmarks(_ filter: VisualInertialFilter, most: Int) {
    guard filter.landmarkCount < VisualInertialFilter.mostLandmarks else { return }
    occupied.removeAll(keepingCapacity: true)
    for track in tracker.tracks where track.isFollowed && track.landmark >= 0 {
      occupied.append(SIMD2(track.x, track.y))
    }
    let slots = filter.slots
    var candidates: [Int] = []
    for index in tracker.tracks.indices {
      let track = tracker.tracks[index]
      if track.isFollowed, track.landmark < 0, track.age >= Self.landmarkAge, track.seen & slots != 0 {
        candidates.append(index)
      }
    }
    let order = ascendingPlaces(candidates.map { -Double(tracker.tracks[$0].age) })
    var added = 0
    for index in order.map({ candidates[$0] }) {
      guard added < most, filter.landmarkCount < VisualInertialFilter.mostLandmarks else { return }
      let track = tracker.tracks[index]
      let here = SIMD2(track.x, track.y)
      let isFree = occupied.allSatisfy { (($0 - here) * ($0 - here)).sum() > 50 * 50 }
      guard isFree else { continue }
      added += 1
      if filter.addLandmark(track: index, sightings(index, filter)), let place = filter.landmark(track: index) {
        tracker.setLandmark(index, place)
        tracker.clearObservations(index, in: filter.slots)
        occupied.append(here)
      }
    }
  }

  /// Whether the sensors of the last half second are as calm as a hand that holds still.
  func rests(until time: Double) -> Bool {
    let activity = history.activity(from: time - 0.5, to: time)
    return activity.rate < (isResting ? 0.13 : 0.1) && activity.force < (isResting ? 1.2 : 0.8)
  }

  /// Whether device and picture have stood still for a while.
  private func rests(_ filter: VisualInertialFilter) -> Bool {
    isCalm = false
    guard rests(until: filter.inertial.time), let newest = filter.clones.last else { return false }
    for clone in filter.clones.reversed() where newest.time - clone.time > 0.3 {
      guard newest.time - clone.time < 1.2 else { return false }
      isCalm = isSame(clone.slot, newest.slot, filter.camera)
      return isCalm && isWhereItWas(filter, newest)
    }
    return false
  }

  /// Whether the newest frame was taken where the oldest one was, but for what a hand sways: who sets off slowly is not at rest.
  private func isWhereItWas(_ filter: VisualInertialFilter, _ newest: Clone) -> Bool {
    // Before the first motion the filter is not held by it: it begins anew.
    guard hasMoved, let oldest = filter.clones.first else { return true }
    let camera = filter.camera
    let turn =
      (newest.attitude * camera.deviceFromCamera).transposed * (oldest.attitude * camera.deviceFromCamera)
    let moved = parallax(oldest.slot, newest.slot, turn: turn, camera)
    let limit = (isResting ? 1.5 : 1) * Self.restSway * camera.focal * filter.usualRho
    return moved.common >= 15 && moved.mean < limit
  }

  /// Whether two frames show the same at nearly the same pixels.
  private func isSame(_ a: Int, _ b: Int, _ camera: CameraEstimate) -> Bool {
    let parallax = parallax(a, b, turn: nil, camera)
    return parallax.common >= 15 && parallax.common * 2 > parallax.seen
      && parallax.mean < (isResting ? 1.5 : 1) * Self.restFlow
  }

  /// Mean distance between where tracks are and where a turn alone would have brought them, pixels.
  private func parallax(
    _ a: Int,
    _ b: Int,
    turn: Matrix3?,
    _ camera: CameraEstimate
  ) -> (mean: Double, common: Int, seen: Int) {
    var (sum, common, seen) = (0.0, 0, 0)
    for index in tracker.tracks.indices {
      let track = tracker.tracks[index]
      guard track.seen & (1 << UInt32(b)) != 0 else { continue }
      seen += 1
      guard track.seen & (1 << UInt32(a)) != 0 else { continue }
      let (p, q) = (tracker.observation(index, slot: a), tracker.observation(index, slot: b))
      let start = Vector2(Double(p.x), Double(p.y))
      guard let expected = turn.map({ camera.pixel(of: $0 * camera.ray(through: start)) }) ?? start else { continue }
      sum += (expected - Vector2(Double(q.x), Double(q.y))).length
      common += 1
    }
    return (common > 0 ? sum / Double(common) : 0, common, seen)
  }

  /// Whether the frame before the newest shows enough that the last one kept does not.
  private func isKey(_ filter: VisualInertialFilter) -> Bool {
    let count = filter.clones.count
    let (a, b) = (filter.clones[count - 3], filter.clones[count - 2])
    if b.time - a.time > Self.keyTime { return true }
    let camera = filter.camera
    let turn = (b.attitude * camera.deviceFromCamera).transposed * (a.attitude * camera.deviceFromCamera)
    let parallax = parallax(a.slot, b.slot, turn: turn, camera)
    if parallax.common < 10 || parallax.common * 2 < parallax.seen { return true }
    return parallax.mean > Self.keyParallax
  }

  private func freeEnded() {
    for index in tracker.tracks.indices where tracker.tracks[index].identifier != 0 && !tracker.tracks[index].isFollowed
    {
      tracker.free(index)
    }
  }

  // MARK: Slots

  private func takeSlot() -> Int {
    for slot in 0..<FeatureTracker.slotCount where slotsInUse & (1 << UInt32(slot)) == 0 {
      slotsInUse |= 1 << UInt32(slot)
      return slot
    }
    preconditionFailure("more clones than slots")
  }

  private func release(_ slot: Int) { slotsInUse &= ~(1 << UInt32(slot)) }

  // MARK: What is known

  private func estimate(at stamp: Double) -> OdometryEstimate {
    guard let filter else { return estimateBeforeStart(at: stamp) }
    let (inertial, camera) = (filter.inertial, filter.camera)
    let lever = inertial.attitude * camera.lever
    let scale = scaleDeviation(filter)
    isMetric = scale < Self.metricDeviation && (way > Self.metricWay || filter.shapeDeviation != nil)
    if isMetric, !isTied {
      // What is told from here on is told against this pose.
      filter.tieWorld()
      isTied = true
    }
    let variance = map.variance(filter.poseVariance) + (pauseEnd == nil ? .none : map.part.next.variance)
    let local = variance.growth(since: map.part.variance)
    let world = map.shownFromFilter
    let rate = history.motion(at: inertial.time).rate - inertial.gyroBias
    return OdometryEstimate(
      state: isMetric ? .metric : .uncertainScale,
      position: world * (inertial.position + lever),
      worldFromCamera: Quaternion(world.rotation * inertial.attitude * camera.deviceFromCamera),
      velocity: world.turned(inertial.velocity + inertial.attitude * rate.cross(camera.lever)),
      positionDeviation: Self.deviationFactor * variance.position.squareRoot(),
      yawDeviation: Self.deviationFactor * variance.yaw.squareRoot(),
      localDeviation: Self.deviationFactor * local.position.squareRoot(),
      scaleDeviation: scale,
      focal: camera.focal,
      timeOffset: camera.timeOffset,
      rowTime: camera.readout / lines,
      focalDeviation: Self.deviationFactor
        * max(0, filter.covariance[Component.logFocal, Component.logFocal]).squareRoot(),
      trackCount: tracker.followedCount,
      isLost: loss.isLost || map.isUntied || pauseEnd != nil
    )
  }

  private var lines: Double {
    switch configuration.readoutDirection {
    case .left, .right: Double(max(1, configuration.width - 1))
    case .up, .down: Double(max(1, configuration.height - 1))
    }
  }

  /// What is told before the filter begins: tilt by what the accelerometer shows in the mean, the turn about the vertical by the gyroscope
  /// since the first frame, the place where it began.
  private func estimateBeforeStart(at stamp: Double) -> OdometryEstimate {
    let camera = CameraEstimate(configuration)
    let world = map.shownFromFilter
    var state = OdometryState.none
    var attitude = Matrix3.identity
    if let end = history.end, let start = history.start {
      // What shows nothing to follow is no pose: a covered lens, the dark.
      state = tracker.followedCount >= Self.fewestEarlyTracks ? .uncertainScale : .orientation
      let now = min(end, max(start, stamp.isFinite ? stamp - camera.timeOffset : end))
      let from = max(start, now - 1)
      attitude =
        goingOn(attitudeByGravity(from: from, to: now), from: from, to: now) * turnOfDevice(from: from, to: now)
      early = (attitude, now)
    }
    return OdometryEstimate(
      state: state,
      position: world * lastPlace,
      worldFromCamera: Quaternion(world.rotation * attitude * camera.deviceFromCamera),
      velocity: .zero,
      positionDeviation: (1 + map.part.variance.position).squareRoot(),
      yawDeviation: (0.01 + map.part.variance.yaw).squareRoot(),
      localDeviation: 1,
      scaleDeviation: 1,
      focal: camera.focal,
      timeOffset: camera.timeOffset,
      rowTime: camera.readout / lines,
      focalDeviation: configuration.focalDeviation,
      trackCount: tracker.followedCount,
      isLost: map.isUntied
    )
  }

  /// Relative deviation that all lengths share: that of the best known distances to landmarks.
  func scaleDeviation(_ filter: VisualInertialFilter) -> Double {
    var values: [Double] = []
    let (inertial, covariance) = (filter.inertial, filter.covariance)
    for landmark in filter.landmarks where landmark.track >= 0 {
      guard let place = filter.clone(slot: landmark.anchor), let point = filter.point(landmark) else { continue }
      let anchor = filter.clones[place]
      let way = point.point - inertial.position
      guard let ray = way.normalized else { continue }
      let (from, own) = (point.point.cross(ray), inertial.position.cross(ray))
      var row = InlineArray<15, Double>(repeating: 0)
      var at = InlineArray<15, Int>(repeating: 0)
      for i in 0..<3 {
        (row[i], at[i]) = (from[i], anchor.start + i)
        (row[3 + i], at[3 + i]) = (ray[i], anchor.start + 3 + i)
        (row[6 + i], at[6 + i]) = (-own[i], Component.attitude + i)
        (row[9 + i], at[9 + i]) = (-ray[i], Component.position + i)
      }
      (row[12], at[12]) = (ray.dot(point.byX), landmark.start)
      (row[13], at[13]) = (ray.dot(point.byY), landmark.start + 1)
      (row[14], at[14]) = (ray.dot(point.byRho), landmark.start + 2)
      var variance = 0.0
      for i in 0..<15 { for j in 0..<15 { variance += row[i] * row[j] * covariance[at[i], at[j]] } }
      values.append(max(0, variance).squareRoot() / way.length)
    }
    let known = filter.shapeDeviation ?? 1
    guard values.count >= 5 else { return known }
    return min(known, quantile(values, 0.25))
  }
}
