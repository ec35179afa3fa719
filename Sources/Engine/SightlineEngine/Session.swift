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
  public var parameters: Parameters { device.parameters }
  /// The last frame made.
  ///
  /// Do not keep copies of its arrays from frame to frame: they are reused.
  public internal(set) var frame = SceneFrame()
  /// The three lights of the view, as of the last event or frame.
  public private(set) var status = SessionStatus()
  /// Whether the picture is held still.
  public private(set) var isFrozen = false

  var scene: Scene
  var device: DeviceTracker
  var worlds = OpenWorlds()
  var effects = EffectQueue()
  var heldOrientation: Quaternion?
  /// Whether `frame.candidateCount` is that of the world in use.
  var isCandidateCountCurrent = false
  var surveyed = SurveyedAnchors()

  /// A session before its first event.
  public init(parameters: Parameters = Parameters()) {
    scene = Scene(parameters: parameters.scene)
    device = DeviceTracker(parameters: parameters)
  }

  /// The world in use; of several that are shown together, all joined in the order of their numbers.
  public var world: WorldDescription { scene.world }
  /// The selected feature.
  public var selected: Int32? { scene.selected }
  /// How often a surveyed anchor set the position.
  public var surveyedCount: Int { surveyed.count }
  /// The last accepted position; its altitude is above ``altitudeDatum``.
  public var position: Geodetic? { device.location.position }
  /// What the altitudes of ``position`` and ``standpoint`` are measured from: the sea as soon as the geoid is known; `nil`
  /// when the altitude is unknown.
  public var altitudeDatum: HeightDatum? { device.altitudeDatum }
  /// Where the world is drawn from: smoothed, and after a code was seen from where that code said.
  public var standpoint: Geodetic? { device.location.shown }
  /// Radius of the standpoint's 95 % circle, metres.
  public var standpointAccuracy: Double { device.location.shownAccuracy }
  /// How directions from the device land on the display; `nil` before the display is known.
  public var projection: DisplayProjection? { device.projection }
  /// The latest time seen.
  var now: Double { device.now }
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
    device.note(time)
    switch event {
    case .orientation(let reading): device.take(reading)
    case .motion(let sample): device.take(sample)
    case .orientationUnavailable(let reason): device.failOrientation(reason)
    case .fix(let fix):
      guard device.take(fix, happened: time.isFinite ? time : now) else { break }
      device.followFix()
      moved()
      if let angle = device.compareCourse(fix) {
        correct(by: angle, deviation: device.parameters.course.deviation)
        effects.append(.aligned(.fromCourse, by: angle))
      }
    case .path(let reading): if device.follow(reading) { placeEye() }
    case .geoid(let geoid):
      device.take(geoid)
      placeEye()
    case .ground(let place):
      device.setGround(place)
      placeEye()
    case .featureGround(let feature, let height): scene.setGround(feature: feature, height: height)
    case .cornerGround(let corner, let height): scene.setGround(corner: corner, height: height)
    case .locationUnavailable(let reason): device.failLocation(reason)
    case .display(let display): device.set(display)
    case .camera(let picture): device.set(picture)
    case .pictureAge(let seconds): device.setPictureAge(seconds)
    case .setLevel(let right, let top): device.setLevel(right: right, top: top)
    case .calendar(let decimalYear): device.setCalendar(decimalYear: decimalYear)
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
    case .setEyeHeight(let metres):
      if device.setEyeHeight(metres) {
        scene.setEyeHeight(metres)
        placeEye()
      }
    case .dragWorld(let start, let end): dragWorld(from: start, to: end)
    case .pointAtPlace(let place, let point): pointAt(place, at: point)
    case .pointAtFeature(let feature, let point): pointAtFeature(feature, at: point)
    case .pointAtBody(let body, let point): pointAt(body, at: point)
    case .restoreHeadingCorrection(let correction): device.restore(correction)
    case .forgetHeadingCorrections: device.forgetCorrections()
    case .observations(let observations): observe(observations)
    case .survey(let anchor, let survey): surveyed.set(anchor, survey)
    case .modelBounds(let feature, let bounds): scene.setModelBounds(feature: feature, bounds)
    case .modelTriangles(let feature, let count): scene.setModelTriangles(feature: feature, count)
    case .setFrozen(let isFrozen): freeze(isFrozen)
    case .suspend: worlds.suspend()
    case .resume:
      if isSuspended { device.resume() }
      worlds.resume()
    }
    step()
  }

  /// Lets time pass without making a frame.
  public mutating func advance(to time: Double) {
    device.note(time)
    step()
  }

  /// Makes the frame for a moment, in ``frame``.
  public mutating func makeFrame(at time: Double) {
    device.note(time)
    step()
    guard now.isFinite else { return }
    if device.advancePosition() { placeEye() }
    // A quaternion of zeros is no orientation, a display of zeros no display: the scene then makes an empty frame.
    let shown = heldOrientation ?? device.shownAttitude()
    scene.update(
      time: now,
      eastNorthUpFromDevice: shown ?? Quaternion(w: 0, x: 0, y: 0, z: 0),
      projection: device.projection ?? .nothing,
      into: &frame
    )
    isCandidateCountCurrent = position != nil
    for k in 0..<frame.items.count { frame.items[k].isNearField = frame.items[k].distance < standpointAccuracy }
    renewStatus()
  }

  /// The next thing for the host to do, oldest first; `nil` when there is nothing.
  public mutating func nextEffect() -> SessionEffect? { effects.next() }

  // MARK: Inside

  /// Starts what is due, and judges the situation.
  private mutating func step() {
    device.step()
    let isReady =
      (position != nil || device.location.unavailable != nil)
      && (device.orientation.isKnown || device.orientation.unavailable != nil)
    requestWhatIsDue(sensorsReady: isReady)
    renewStatus()
  }

  mutating func moved() {
    device.renewDeclination()
    placeEye()
  }

  private mutating func freeze(_ freeze: Bool) {
    guard freeze != isFrozen else { return }
    isFrozen = freeze
    heldOrientation = freeze ? device.attitude : nil
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
    device.judge(into: &status)
  }
}

extension DisplayProjection {
  /// That of no display.
  static let nothing = DisplayProjection(
    display: Display(width: 0, height: 0),
    picture: CameraPicture(
      intrinsics: Intrinsics(width: 1, height: 1, focalX: 1, focalY: 1, centerX: 0, centerY: 0)
    )
  )
}
