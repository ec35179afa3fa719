import Baselines
import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineSimulator

/// What an estimator believes when a frame is drawn.
struct Estimate {
  /// True north, at the eye.
  var eastNorthUpFromDevice: Quaternion
  var eye: Geodetic
  /// What is said of it, by estimators that say something.
  var claim: Claim?

  /// What a session says of its heading.
  struct Claim {
    /// Degrees below which the error is said to be 95 % of the time.
    var bound: Double
    /// Whether the light is green.
    var isGood: Bool
  }
}

/// Something that is fed what a phone delivers, and says at each frame where everything is.
protocol Estimator {
  mutating func take(_ event: SimulatedEvent, at time: Double)
  /// At the time of a frame; `nil` while it knows nothing.
  mutating func estimate(at time: Double) -> Estimate?
  /// Where the landmarks are drawn with an estimate that was just made: with what is believed of lens and heights.
  func drawn(_ estimate: Estimate) -> [Int: Vector2]
}

/// What nobody tells a program in life, and what it believes instead.
struct Belief {
  /// As pages take it until a user or a calibration says otherwise.
  static let fieldOfView = Angle(degrees: 65)
  /// Of the believed lens.
  private(set) var picture: CameraPicture
  private(set) var projection: DisplayProjection
  /// What the page takes the phone's altitudes to count from: by the system, as it is not told.
  let datum: HeightDatum
  /// Whether the page fetches the geoid.
  var needsGeoid: Bool { datum == .ellipsoid }
  /// Height of each landmark's point over the sea as its document states it, whole metres; every second states none, as most places of
  /// the world do, and stands at eye level.
  let heights: [Double?]
  private let display: Display

  /// The lens was learned.
  mutating func take(fieldOfView: Angle) {
    let size = picture.intrinsics
    picture = CameraPicture(
      intrinsics: Intrinsics(width: size.width, height: size.height, longSideFieldOfView: fieldOfView)
    )
    projection = DisplayProjection(display: display, picture: picture)
  }

  init(_ simulation: Simulation) {
    let script = simulation.script
    guard let lens = script.camera?.intrinsics else { preconditionFailure("a camera is needed") }
    let believed = Intrinsics(width: lens.width, height: lens.height, longSideFieldOfView: Self.fieldOfView)
    picture = CameraPicture(intrinsics: believed)
    projection = DisplayProjection(display: script.display, picture: picture)
    display = script.display
    datum = script.phone.name.hasPrefix("ios") ? .seaLevel : .ellipsoid
    heights = script.scenery.landmarks.indices.map { index in
      index % 2 == 0 ? (simulation.position(ofLandmark: index).altitude - script.seaHeight).rounded() : nil
    }
  }
}

/// The engine's session, as a host runs it.
struct SessionEstimator: Estimator {
  private var session = Session()
  private let world: WorldDescription
  private let takesMotion: Bool
  private let takesOrientation: Bool
  private var belief: Belief
  private var origin: EastNorthUpFrame?
  /// What the camera saw; empty without it.
  private let camera: [FilmedScenario.Reading]
  private var nextReading = 0
  /// Largest distance between a label's anchor as drawn and as computed from the pose, pixels.
  private(set) var worstAnchor = 0.0

  init(
    _ simulation: Simulation,
    geoid: Geoid,
    takesMotion: Bool,
    takesOrientation: Bool,
    camera: [FilmedScenario.Reading] = []
  ) {
    belief = Belief(simulation)
    self.camera = camera
    self.takesMotion = takesMotion
    self.takesOrientation = takesOrientation
    let script = simulation.script
    var world = WorldDescription()
    for index in script.scenery.landmarks.indices {
      let place = simulation.position(ofLandmark: index)
      var feature = SceneFeature(
        latitudeDegrees: place.latitudeDegrees,
        longitudeDegrees: place.longitudeDegrees
      )
      feature.altitudeDatum = belief.heights[index] == nil ? .eye : .seaLevel
      feature.altitude = belief.heights[index] ?? 0
      world.features.append(feature)
    }
    self.world = world
    session.handle(.calendar(decimalYear: script.decimalYear), at: 0)
    session.handle(.display(script.display), at: 0)
    session.handle(.camera(belief.picture), at: 0)
    if belief.needsGeoid { session.handle(.geoid(geoid), at: 0) }
    session.handle(.open(AddressID(1)), at: 0)
  }

  mutating func take(_ event: SimulatedEvent, at time: Double) {
    while nextReading < camera.count, camera[nextReading].arrival <= time {
      let reading = camera[nextReading]
      nextReading += 1
      session.handle(.path(reading.path), at: reading.arrival)
      guard let fieldOfView = reading.fieldOfView else { continue }
      belief.take(fieldOfView: fieldOfView)
      session.handle(.camera(belief.picture), at: reading.arrival)
    }
    switch event {
    case .motion(var sample, let browser):
      guard takesMotion else { return }
      sample.specificForce = browser.accelerationIncludingGravity
      session.handle(.motion(sample), at: time)
    case .orientation(let orientation):
      guard takesOrientation, let reading = reading(orientation) else { return }
      session.handle(.orientation(reading), at: time)
    case .fix(let fix):
      var given = fix.asLocationFix
      given.altitudeDatum = belief.datum
      session.handle(.fix(given), at: time)
      if origin == nil, let position = session.position { origin = EastNorthUpFrame(origin: position) }
    case .picture, .tick: return
    }
    while let effect = session.nextEffect() {
      if case .request(let request) = effect { session.handle(.loaded(request.id, world), at: time) }
    }
  }

  private func reading(_ orientation: SimulatedOrientation) -> OrientationReading? {
    let a = orientation.angles
    if let heading = orientation.compassHeading {
      return .browserAnglesWithCompass(
        alpha: a.alphaDegrees,
        beta: a.betaDegrees,
        gamma: a.gammaDegrees,
        heading: heading,
        accuracy: orientation.compassAccuracy ?? -1
      )
    }
    guard orientation.isAbsolute else { return nil }
    return .browserAngles(alpha: a.alphaDegrees, beta: a.betaDegrees, gamma: a.gammaDegrees, north: .magnetic)
  }

  mutating func estimate(at time: Double) -> Estimate? {
    session.makeFrame(at: time)
    let frame = session.frame
    guard frame.isValid, let origin else { return nil }
    let eye = origin.geodetic(frame.eyeInWorld)
    let local = EastNorthUpFrame(origin: eye)
    return Estimate(
      eastNorthUpFromDevice: local.rotation(from: origin) * frame.worldFromDevice,
      eye: eye,
      claim: Estimate.Claim(
        bound: session.status.headingBound.degrees,
        isGood: session.status.heading.quality == .good
      )
    )
  }

  func drawn(_ estimate: Estimate) -> [Int: Vector2] {
    let frame = session.frame
    let displayFromWorld = (frame.worldFromDevice * belief.projection.deviceFromDisplay).inverse
    var points: [Int: Vector2] = [:]
    for index in world.features.indices {
      guard let place = session.pointInWorld(feature: Int32(index)) else { continue }
      points[index] = belief.projection.project(pointInDisplay: displayFromWorld * (place - frame.eyeInWorld))
    }
    return points
  }

  /// Compares the labels' anchors with what follows from the estimate.
  mutating func check(_ points: [Int: Vector2]) {
    for item in session.frame.items {
      guard let point = points[Int(item.feature)] else { continue }
      worstAnchor = max(worstAnchor, (point - item.anchor).length)
    }
  }
}

/// An orientation filter of 2010 to 2012, with the fixes as they come but for leaps.
struct HistoricEstimator: Estimator {
  private var filter: HistoricFilter
  private var attitude: Quaternion?
  private let decimalYear: Double
  private let belief: Belief
  private let places: [Geodetic]
  private var eye: Geodetic?
  private var declination = Angle.zero
  private var accepted = (accuracy: 0.0, time: 0.0)

  init(_ filter: HistoricFilter, _ simulation: Simulation) {
    self.filter = filter
    decimalYear = simulation.script.decimalYear
    belief = Belief(simulation)
    places = simulation.script.scenery.landmarks.indices.map { simulation.position(ofLandmark: $0) }
  }

  mutating func take(_ event: SimulatedEvent, at time: Double) {
    switch event {
    case .motion(let sample, _):
      if sample.magneticField != nil, let attitude = filter.take(sample) { self.attitude = attitude }
    case .fix(let fix):
      // iBetelgeuse's rule, the best of the originals'.
      if eye != nil, fix.horizontalAccuracy > accepted.accuracy + 200 * (time - accepted.time) { return }
      accepted = (fix.horizontalAccuracy, time)
      let place = Geodetic(
        latitudeDegrees: fix.latitudeDegrees,
        longitudeDegrees: fix.longitudeDegrees,
        altitude: fix.altitude ?? eye?.altitude ?? 0
      )
      if eye == nil {
        let field = try? MagneticModel.wmm2025.field(at: place, decimalYear: decimalYear)
        declination = field?.declination ?? .zero
      }
      eye = place
    case .orientation, .picture, .tick: return
    }
  }

  mutating func estimate(at time: Double) -> Estimate? {
    guard let attitude, let eye else { return nil }
    let trueFromMagnetic = Quaternion(axis: Vector3(0, 0, 1), angle: -declination)
    return Estimate(eastNorthUpFromDevice: trueFromMagnetic * attitude, eye: eye)
  }

  /// As the browsers of those years: altitudes as they come, whatever they count from.
  func drawn(_ estimate: Estimate) -> [Int: Vector2] {
    let displayFromWorld = (estimate.eastNorthUpFromDevice * belief.projection.deviceFromDisplay).inverse
    let frame = EastNorthUpFrame(origin: estimate.eye)
    var points: [Int: Vector2] = [:]
    for (index, place) in places.enumerated() {
      var place = place
      place.altitude = belief.heights[index] ?? estimate.eye.altitude
      points[index] = belief.projection.project(pointInDisplay: displayFromWorld * frame.point(place))
    }
    return points
  }
}

extension SimulatedFix {
  var asLocationFix: LocationFix {
    LocationFix(
      latitudeDegrees: latitudeDegrees,
      longitudeDegrees: longitudeDegrees,
      altitude: altitude,
      altitudeDatum: altitudeDatum,
      horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy,
      courseDegrees: courseDegrees,
      speed: speed
    )
  }
}
