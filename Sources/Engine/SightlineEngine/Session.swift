import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene

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
/// Times should not run backwards; an event with an earlier time counts as happening at the latest time seen.
public struct Session: Sendable {
  /// What was set at the start.
  public let parameters: Parameters
  /// The last frame made. Do not keep copies of its arrays from frame to frame: they are reused.
  public private(set) var frame = SceneFrame()
  /// The three lights of the view, as of the last event or frame.
  public private(set) var status = SessionStatus()
  /// Whether the picture is held still.
  public private(set) var isFrozen = false

  private var scene: Scene
  private var orientation = OrientationTracker()
  private var location = LocationTracker()
  private var lifecycle = DimensionLifecycle()
  private var effects = EffectQueue()
  private var display: Display?
  private var picture: CameraPicture?
  private var projection: DisplayProjection?
  private var decimalYear: Double?
  private var declinationPlace: Geodetic?
  private var heldOrientation: Quaternion?
  private var now = 0.0

  /// A session before its first event.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    scene = Scene(parameters: parameters.scene)
  }

  /// The world in use.
  public var world: WorldDescription { scene.world }
  /// The selected feature.
  public var selected: Int32? { scene.selected }

  // MARK: Events

  /// Takes an event that happened at a time, seconds on the host's monotonic clock.
  public mutating func handle(_ event: SessionEvent, at time: Double) {
    note(time)
    switch event {
    case .orientation(let reading): orientation.take(reading, at: now, parameters: parameters)
    case .orientationUnavailable(let reason): orientation.fail(reason)
    case .fix(let fix):
      if location.take(fix, at: now, parameters: parameters) { moved() }
    case .locationUnavailable(let reason): location.fail(reason)
    case .display(let display):
      self.display = display
      renewProjection()
    case .camera(let picture):
      self.picture = picture
      renewProjection()
    case .calendar(let decimalYear):
      self.decimalYear = decimalYear
      declinationPlace = nil
      renewDeclination()
    case .open(let address): lifecycle.open(address, at: now)
    case .loaded(let id, let world): loaded(id, world)
    case .failed(let id, let reason):
      if let event = lifecycle.failed(id) {
        effects.append(.loadFailed(reason, event: event, automaticRefreshStopped: lifecycle.hasWorld))
      }
    case .refreshByHand: lifecycle.refreshByHand(at: now)
    case .labelSize(let feature, let width, let height):
      scene.setLabelSize(feature: feature, width: width, height: height)
    case .touch(let point): touch(point)
    case .press(let feature): press(feature)
    case .pressOverlay(let overlay): pressOverlay(overlay)
    case .select(let feature): select(feature)
    case .toggleCluster(let id): scene.toggleCluster(id)
    case .setRadius(let metres): scene.setRadius(metres)
    case .setCategories(let categories): scene.setCategories(categories)
    case .setFrozen(let isFrozen): freeze(isFrozen)
    case .suspend: lifecycle.suspend()
    case .resume: lifecycle.resume()
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
    let rotation = heldOrientation ?? orientation.eastNorthUpFromDevice
    if let projection {
      // A quaternion of zeros is no orientation: the scene then makes an empty frame.
      scene.update(
        time: now, eastNorthUpFromDevice: rotation ?? Quaternion(w: 0, x: 0, y: 0, z: 0), projection: projection,
        into: &frame)
    } else {
      frame.isValid = false
      frame.time = now
    }
    renewStatus()
  }

  /// The next thing for the host to do, oldest first; `nil` when there is nothing.
  public mutating func nextEffect() -> SessionEffect? { effects.next() }

  // MARK: Inside

  private mutating func note(_ time: Double) { if time > now { now = time } }

  /// Starts what is due, and judges the situation.
  private mutating func step() {
    let hasOrientation = orientation.eastNorthUpFromDevice != nil
    let isReady =
      (location.position != nil || location.unavailable != nil) && (hasOrientation || orientation.unavailable != nil)
    if let wanted = lifecycle.due(
      at: now, position: location.position, sensorsReady: isReady, parameters: parameters)
    {
      request(wanted)
    }
    renewStatus()
  }

  private mutating func request(_ wanted: DimensionLifecycle.Wanted) {
    let position = location.position
    let (id, cancelled) = lifecycle.started(wanted, at: now, from: position)
    if let cancelled { effects.append(.cancel(cancelled)) }
    let attitude = orientation.eastNorthUpFromDevice.map { Attitude(eastNorthUpFromDevice: $0) }
    effects.append(
      .request(
        DimensionRequest(
          id: id, address: wanted.address, event: wanted.event, source: wanted.source, hasPosition: position != nil,
          latitudeDegrees: position?.latitudeDegrees ?? 0, longitudeDegrees: position?.longitudeDegrees ?? 0,
          altitude: position?.altitude ?? 0, hasOrientation: attitude != nil,
          bearingDegrees: attitude?.bearingDegrees ?? 0, pitchDegrees: attitude?.pitchDegrees ?? 0,
          rollDegrees: attitude?.rollDegrees ?? 0, width: Self.points(display?.width),
          height: Self.points(display?.height))))
  }

  private static func points(_ size: Double?) -> Int32 {
    guard let size, size > 0, size < 1e6 else { return 0 }
    return Int32(size.rounded())
  }

  private mutating func loaded(_ id: RequestID, _ world: WorldDescription) {
    guard let remember = lifecycle.loaded(id, world: world, at: now) else { return }
    let before = scene.selected
    scene.setWorld(world)
    effects.append(.worldChanged)
    effects.append(.remember(remember))
    // A feature that lives on under another index is still another number for the host.
    if scene.selected != before { effects.append(.selectionChanged(scene.selected)) }
  }

  private mutating func moved() {
    renewDeclination()
    guard !isFrozen, let position = location.position else { return }
    scene.setEye(position, altitudeKnown: location.altitudeKnown)
  }

  private mutating func renewDeclination() {
    guard let place = location.position, let decimalYear else { return }
    if let declinationPlace,
      greatCircleDistance(from: declinationPlace, to: place) < parameters.declinationDistance
    {
      return
    }
    declinationPlace = place
    do throws(MagneticModelError) {
      orientation.take(try MagneticModel.wmm2025.field(at: place, decimalYear: decimalYear))
    } catch {
      // Outside the model's years a compass is used as it is: a few degrees wrong, which the user can see and correct.
      orientation.take(nil)
    }
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
          width: display.width, height: display.height, longSideFieldOfView: Angle(degrees: 65)))
    projection = DisplayProjection(display: display, picture: picture)
  }

  private mutating func freeze(_ freeze: Bool) {
    guard freeze != isFrozen else { return }
    isFrozen = freeze
    heldOrientation = freeze ? orientation.eastNorthUpFromDevice : nil
    if !freeze { moved() }
  }

  private mutating func touch(_ point: Vector2) {
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
    perform(scene.world.features[Int(feature)].action, source: .feature(feature))
  }

  private mutating func pressOverlay(_ overlay: Int32) {
    guard scene.world.overlays.indices.contains(Int(overlay)) else { return }
    perform(scene.world.overlays[Int(overlay)].action, source: .overlay(overlay))
  }

  private mutating func perform(_ action: SceneAction, source: RequestSource) {
    switch action {
    case .none: break
    case .refresh: lifecycle.refreshOnPress(source, at: now)
    case .webPage(let address): effects.append(.openWebPage(address))
    case .dimension(let address): lifecycle.open(address, at: now)
    }
  }

  private mutating func select(_ feature: Int32?) {
    let before = scene.selected
    scene.select(feature)
    if scene.selected != before { effects.append(.selectionChanged(scene.selected)) }
  }

  private mutating func renewStatus() {
    status.content = lifecycle.status(
      candidates: frame.isValid ? frame.candidateCount : 1, hasFeatures: !scene.world.features.isEmpty)
    status.location = location.status(at: now, parameters: parameters)
    status.heading = orientation.status(at: now, parameters: parameters)
  }
}
