import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// A host in a test: it hands events over, remembers what it is asked to do, and answers when told to.
struct Host {
  var session: Session
  var time = 100.0
  /// Everything the session asked for and nobody has looked at yet.
  var effects: [SessionEffect] = []
  /// The last request.
  var request: DimensionRequest?

  init(_ parameters: Session.Parameters = Session.Parameters()) { session = Session(parameters: parameters) }

  /// A host whose phone is ready, with a world opened and loaded.
  static func showing(_ world: WorldDescription, at address: Int32 = 1) -> Host {
    var host = Host()
    host.ready()
    host.tell(.open(AddressID(address)))
    host.answer(world)
    host.effects = []
    return host
  }

  mutating func tell(_ event: SessionEvent) {
    session.handle(event, at: time)
    drain()
  }

  mutating func wait(_ seconds: Double) {
    time += seconds
    session.advance(to: time)
    drain()
  }

  mutating func draw() {
    session.makeFrame(at: time)
    drain()
  }

  /// Position, orientation, display and date.
  mutating func ready() {
    tell(.calendar(decimalYear: 2026.5))
    tell(.display(Display(width: 390, height: 844)))
    tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0), north: .trueNorth)))
    tell(.fix(fix()))
    effects = []
  }

  mutating func answer(_ world: WorldDescription) {
    guard let request else { return }
    tell(.loaded(request.id, world))
  }

  mutating func fail(_ reason: FailureReason = .network) {
    guard let request else { return }
    tell(.failed(request.id, reason))
  }

  mutating func drain() {
    while let effect = session.nextEffect() {
      effects.append(effect)
      if case .request(let request) = effect { self.request = request }
    }
  }

  /// The requests that nobody has looked at yet, in short form; forgets all effects.
  mutating func requests() -> [Asked] {
    defer { effects = [] }
    return effects.compactMap { if case .request(let request) = $0 { Asked(request) } else { nil } }
  }

  /// The effects that nobody has looked at yet.
  mutating func taken() -> [SessionEffect] {
    defer { effects = [] }
    return effects
  }
}

/// What counts of a request in most tests.
struct Asked: Equatable, CustomStringConvertible {
  var event: RequestEvent
  /// `nil` is the world's refresh address.
  var address: Int32?
  var source = RequestSource.none

  init(_ event: RequestEvent, _ address: Int32?, _ source: RequestSource = .none) {
    self.event = event
    self.address = address
    self.source = source
  }
  init(_ request: DimensionRequest) { self.init(request.event, request.address?.rawValue, request.source) }

  var description: String { "\(event) to \(address.map { "address \($0)" } ?? "the refresh address") for \(source)" }
}

let ulm = Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9915, altitude: 480)

/// A fix so many metres north and east of Ulm (on a sphere, which is what distances are measured on).
func fix(north: Double = 0, east: Double = 0, altitude: Double? = 480, accuracy: Double = 5) -> LocationFix {
  let degree = 6_371_008.8 * pi / 180
  return LocationFix(
    latitudeDegrees: ulm.latitudeDegrees + north / degree,
    longitudeDegrees: ulm.longitudeDegrees + east / degree / cos(ulm.latitudeDegrees * pi / 180),
    altitude: altitude,
    horizontalAccuracy: accuracy
  )
}

/// A phone held upright (or tilted back to look up by `pitch`), turned counter-clockwise by `roll`, degrees.
func upright(heading: Double, pitch: Double = 0, roll: Double = 0) -> Quaternion {
  Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: -heading))
    * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90 + pitch))
    * Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: roll))
}

/// A place so many metres north and east of Ulm, at eye level.
func place(north: Double, east: Double = 0, key: UInt64 = 0, action: SceneAction = .none) -> SceneFeature {
  var feature = SceneFeature(latitudeDegrees: ulm.latitudeDegrees, longitudeDegrees: ulm.longitudeDegrees)
  feature.altitudeDatum = .eye
  feature.offset = Vector3(east, north, 0)
  feature.key = key
  feature.action = action
  return feature
}

/// A world that refreshes itself.
func world(
  _ features: [SceneFeature] = [place(north: 500, key: 1)],
  every seconds: Double = 0,
  within metres: Double = 0,
  refresh: Int32? = 9
) -> WorldDescription {
  var world = WorldDescription()
  world.features = features
  world.refresh = RefreshRule(intervalSeconds: seconds, distance: metres)
  world.refreshAddress = refresh.map { AddressID($0) }
  return world
}
