import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWorlds

/// An AR session: a state machine that is given events with their times, and gives back what to draw and what to do.
///
/// It performs no input or output, reads no clock and holds no text. The host carries out its effects (fetch a world, open
/// a page …) and answers with events. Equal events give equal frames and effects.
///
/// ```swift
/// var session = Session()
/// session.handle(.display(display), at: now)
/// session.handle(.open(address), at: now)
/// session.handle(.fix(fix), at: now)
/// session.handle(.orientation(reading), at: now)
/// session.makeFrame(at: now)
/// draw(session.frame)
/// while let effect = session.nextEffect() { carryOut(effect) }
/// ```
///
/// Call ``makeFrame(at:)`` before each repaint, or ``advance(to:)`` now and then while nothing is drawn: due refreshes and
/// the ages of readings are found there.
///
/// Times should not run backwards: an event with an earlier time, or one that is no number, counts as happening at the
/// latest time seen. Only a position fix that is much older is refused.
///
/// The host follows redirects itself (at most five; 307 and 308 repeat the POST, 301 to 303 go on with GET; a status of 405
/// is repeated once as GET without fields) and resolves the answer's relative addresses against the final one. The
/// session goes on with the address it asked for. Of the protocol's fields, `uid` and `time` are the host's.
public struct Session: Sendable {
  /// What was set at the start.
  public let parameters: Parameters
  /// The last frame made.
  ///
  /// Do not keep copies of its arrays from frame to frame: they are reused.
  public internal(set) var frame = SceneFrame()
  /// The three lights of the view, as of the last event or frame.
  public private(set) var status = SessionStatus()
  /// Whether the picture is held still.
  public private(set) var isFrozen = false

  var scene: Scene
  var orientation: OrientationTracker
  var location: LocationTracker
  var worlds = OpenWorlds()
  var effects = EffectQueue()
  var display: Display?
  var picture: CameraPicture?
  /// How directions from the device land on the display; `nil` before the display is known.
  public internal(set) var projection: DisplayProjection?
  var declination = Declination()
  var heldOrientation: Quaternion?
  /// Whether `frame.candidateCount` is that of the world in use.
  var isCandidateCountCurrent = false
  var course: CourseComparison
  var attitudes = AttitudeMemory()
  /// The same by the sensors alone.
  var sensedAttitudes = AttitudeMemory()
  /// The same as it was drawn, at the moments of the pictures it was drawn over.
  var shownAttitudes = AttitudeMemory()
  var path: PathFollower
  /// Between heights over the sea and over the ellipsoid; `nil` before it is told.
  var geoid: Geoid?
  /// The ground near the user, over the sea.
  var ground: Geodetic?
  /// Where anchors hang, by the worlds that are open, and by what the host was told.
  var worldSurveys = AnchorSurveys()
  var toldSurveys = AnchorSurveys()
  /// When a surveyed anchor was last taken for the position, and last told of.
  var lastSurveyed = -Double.infinity
  var lastSurveyedNews = -Double.infinity
  /// How often a surveyed anchor set the position.
  public internal(set) var surveyedCount = 0
  private var pictureAge = 0.0
  /// The latest time seen.
  var now = -Double.infinity

  /// A session before its first event.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    scene = Scene(parameters: parameters.scene)
    orientation = OrientationTracker(parameters: parameters)
    location = LocationTracker(parameters: parameters)
    course = CourseComparison(parameters: parameters.course)
    path = PathFollower(alignment: parameters.pathAlignment, course: parameters.pathCourse)
  }

  /// The world in use; of several that are shown together, all joined in the order of their numbers.
  public var world: WorldDescription { scene.world }
  /// The selected feature.
  public var selected: Int32? { scene.selected }
  /// The last accepted position; its altitude is above ``altitudeDatum``.
  public var position: Geodetic? { location.position }
  /// What the altitudes of ``position`` and ``standpoint`` are measured from: the sea as soon as the geoid is known; `nil`
  /// when the altitude is unknown.
  public var altitudeDatum: HeightDatum? { location.altitudeKnown ? location.datum : nil }
  /// Where the world is drawn from: smoothed, and after a code was seen from where that code said.
  public var standpoint: Geodetic? { location.shown }
  /// Radius of the standpoint's 95 % circle, metres.
  public var standpointAccuracy: Double { location.shownAccuracy }
  /// Whether the view is not active, see ``SessionEvent/suspend``.
  public var isSuspended: Bool { worlds.isSuspended }

  /// Where a feature of the world stands in the world frame (``SceneFrame/worldFromDevice``), metres.
  ///
  /// - Parameter feature: index in the world's features.
  /// - Returns: `nil` without an eye, for a feature without a position, and for none.
  public func pointInWorld(feature: Int32) -> Vector3? { scene.pointInWorld(feature: feature) }

  // MARK: Events

  /// Takes an event that happened at a time, seconds on the host's monotonic clock.
  public mutating func handle(_ event: SessionEvent, at time: Double) {
    note(time)
    switch event {
    case .orientation(let reading): orientation.take(reading, at: now)
    case .motion(let sample): orientation.take(sample, at: now)
    case .orientationUnavailable(let reason): orientation.fail(reason)
    case .fix(let fix):
      let happened = time.isFinite ? time : now
      if take(fix, happened: happened) {
        if let position = location.position { path.take(fix: position, deviation: location.deviation, at: now) }
        moved()
        compareCourse(fix)
      }
    case .path(let reading): follow(reading)
    case .geoid(let geoid): take(geoid)
    case .ground(let place):
      ground = place
      placeEye()
    case .featureGround(let feature, let height): scene.setGround(feature: feature, height: height)
    case .locationUnavailable(let reason): location.fail(reason)
    case .display(let display):
      self.display = display
      renewProjection()
    case .camera(let picture):
      if picture.isUsable { self.picture = picture }
      renewProjection()
    case .pictureAge(let seconds): pictureAge = seconds.isFinite ? clamp(seconds, -0.1, 0.3) : 0
    case .setLevel(let right, let top):
      orientation.setLevel(right: right, top: top, largest: parameters.largestLevelError)
    case .calendar(let decimalYear): declination.take(decimalYear: decimalYear, at: location.position, time: now)
    case .open(let address): open(address, world: 0)
    case .openBeside(let address, let world): open(address, world: world)
    case .closeWorld(let world): close(world)
    case .hideWorld(let world, let isHidden): hide(world, isHidden)
    case .loaded(let id, let world): loaded(id, world)
    case .failed(let id, let reason): failed(id, reason)
    case .refreshByHand: refreshByHand()
    case .labelSize(let feature, let width, let height):
      scene.setLabelSize(feature: feature, width: width, height: height)
    case .buildings(let buildings): scene.setBuildings(buildings)
    case .setHiddenLabels(let labels): scene.setHiddenLabels(labels)
    case .occupied(let occupied): scene.setOccupied(occupied)
    case .touch(let point): touch(point)
    case .press(let feature): press(feature)
    case .pressOverlay(let overlay): pressOverlay(overlay)
    case .select(let feature): select(feature)
    case .toggleCluster(let id): scene.toggleCluster(id)
    case .setRadius(let metres): scene.setRadius(metres)
    case .setCategories(let categories): scene.setCategories(categories)
    case .dragWorld(let start, let end): dragWorld(from: start, to: end)
    case .pointAtPlace(let place, let point): pointAt(place, at: point)
    case .pointAtFeature(let feature, let point): pointAtFeature(feature, at: point)
    case .pointAtBody(let body, let point): pointAt(body, at: point)
    case .restoreHeadingCorrection(let correction): orientation.restore(correction)
    case .forgetHeadingCorrections:
      orientation.forgetCorrections()
      // What was believed of north by them is not known any more.
      path = PathFollower(alignment: parameters.pathAlignment, course: parameters.pathCourse)
    case .observations(let observations): observe(observations)
    case .survey(let anchor, let survey): toldSurveys[anchor] = survey.flatMap { $0.isSound ? $0 : nil }
    case .modelBounds(let feature, let bounds): scene.setModelBounds(feature: feature, bounds)
    case .modelTriangles(let feature, let count): scene.setModelTriangles(feature: feature, count)
    case .setFrozen(let isFrozen): freeze(isFrozen)
    case .suspend: worlds.suspend()
    case .resume:
      if isSuspended { orientation.resume() }
      worlds.resume()
    }
    step()
  }

  /// Lets time pass without making a frame.
  public mutating func advance(to time: Double) {
    note(time)
    step()
  }

  /// Makes the frame for a moment, in ``frame``.
  public mutating func makeFrame(at time: Double) {
    note(time)
    step()
    guard now.isFinite else { return }
    if location.advance(to: now) { placeEye() }
    // A quaternion of zeros is no orientation, a display of zeros no display: the scene then makes an empty frame.
    let shown =
      heldOrientation == nil
      ? orientation.shownEastNorthUpFromDevice(declination, at: now, pictureAge: pictureAge) : nil
    if let shown { shownAttitudes.note(orientation.sensed(shown: shown), at: now - pictureAge) }
    scene.update(
      time: now,
      eastNorthUpFromDevice: heldOrientation ?? shown
        ?? Quaternion(w: 0, x: 0, y: 0, z: 0),
      projection: projection ?? .nothing,
      into: &frame
    )
    isCandidateCountCurrent = location.position != nil
    for k in 0..<frame.items.count { frame.items[k].isNearField = frame.items[k].distance < location.shownAccuracy }
    renewStatus()
  }

  /// The next thing for the host to do, oldest first; `nil` when there is nothing.
  public mutating func nextEffect() -> SessionEffect? { effects.next() }

  // MARK: Inside

  private mutating func note(_ time: Double) {
    guard time.isFinite, time > now else { return }
    path.advance(to: time, from: now)
    now = time
  }

  /// Starts what is due, and judges the situation.
  private mutating func step() {
    orientation.advance(to: headingSituation, declination: declination)
    orientation.follow(path)
    if let attitude = orientation.eastNorthUpFromDevice(declination) { attitudes.note(attitude, at: now) }
    if let attitude = orientation.sensedEastNorthUpFromDevice(declination) { sensedAttitudes.note(attitude, at: now) }
    let isReady =
      (location.position != nil || location.unavailable != nil)
      && (orientation.isKnown || orientation.unavailable != nil)
    requestWhatIsDue(sensorsReady: isReady)
    renewStatus()
  }

  mutating func moved() {
    guard let position = location.position else { return }
    declination.take(position, distance: parameters.declinationDistance)
    placeEye()
  }

  private mutating func renewProjection() {
    guard let display, display.width > 0, display.height > 0 else {
      projection = nil
      return
    }
    // Before the camera says otherwise: a picture of the display's own shape with an ordinary phone's field of view.
    let picture =
      self.picture
      ?? CameraPicture(
        intrinsics: Intrinsics(
          width: display.width,
          height: display.height,
          longSideFieldOfView: parameters.fieldOfViewWithoutCamera
        )
      )
    projection = DisplayProjection(display: display, picture: picture)
  }

  private mutating func freeze(_ freeze: Bool) {
    guard freeze != isFrozen else { return }
    isFrozen = freeze
    heldOrientation = freeze ? orientation.eastNorthUpFromDevice(declination) : nil
    if !freeze { moved() }
  }

  private mutating func touch(_ point: Vector2) {
    guard point.x.isFinite, point.y.isFinite else { return }
    switch scene.hit(point, in: frame) {
    case .feature(let feature): press(feature)
    case .cluster(let id): scene.toggleCluster(id)
    case .arrow(let index):
      if frame.arrows.indices.contains(Int(index)) { select(frame.arrows[Int(index)].nearest) }
    case .none: select(nil)
    }
  }

  private mutating func press(_ feature: Int32) {
    guard scene.world.features.indices.contains(Int(feature)) else { return }
    select(feature)
    guard let world = worlds.index(ofFeature: feature) else { return }
    let own = feature &- Int32(clamping: worlds.joined.part(ofFeature: feature)?.features.lowerBound ?? 0)
    perform(scene.world.features[Int(feature)].action, source: .feature(own), in: world)
  }

  private mutating func pressOverlay(_ overlay: Int32) {
    guard scene.world.overlays.indices.contains(Int(overlay)) else { return }
    guard let world = worlds.index(ofOverlay: overlay) else { return }
    let own = overlay &- Int32(clamping: worlds.joined.part(ofOverlay: overlay)?.overlays.lowerBound ?? 0)
    perform(scene.world.overlays[Int(overlay)].action, source: .overlay(own), in: world)
  }

  mutating func select(_ feature: Int32?) {
    let before = scene.selected
    scene.select(feature)
    if scene.selected != before { effects.append(.selectionChanged(scene.selected)) }
  }

  private mutating func renewStatus() {
    let isNothingInRange = isCandidateCountCurrent && frame.candidateCount == 0 && !scene.world.features.isEmpty
    status.content = worlds.status(isNothingInRange: isNothingInRange)
    status.location = location.status(at: now, parameters: parameters)
    let bounds = orientation.bounds
    status.tiltBound = bounds.tilt
    status.headingBound = bounds.heading
    status.heading = orientation.status(at: now, declination: declination, parameters: parameters)
  }
}

extension DisplayProjection {
  /// That of no display.
  fileprivate static let nothing = DisplayProjection(
    display: Display(width: 0, height: 0),
    picture: CameraPicture(
      intrinsics: Intrinsics(width: 1, height: 1, focalX: 1, focalY: 1, centerX: 0, centerY: 0)
    )
  )
}

extension CameraPicture {
  /// Whether it has an extent and a lens.
  var isUsable: Bool {
    let i = intrinsics
    return i.width > 0 && i.height > 0 && i.focalX > 0 && i.focalY > 0 && i.width.isFinite && i.height.isFinite
      && i.focalX.isFinite && i.focalY.isFinite && i.centerX.isFinite && i.centerY.isFinite
  }
}
