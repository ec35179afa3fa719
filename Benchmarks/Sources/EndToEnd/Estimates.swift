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
}

/// The engine's session, as a host runs it.
struct SessionEstimator: Estimator {
  private var session = Session()
  private let world: WorldDescription
  private let takesMotion: Bool
  private let takesOrientation: Bool
  private var origin: EastNorthUpFrame?
  /// Largest distance between a label's anchor as drawn and as computed from the pose, pixels.
  private(set) var worstAnchor = 0.0

  init(_ simulation: Simulation, takesMotion: Bool, takesOrientation: Bool) {
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
      feature.altitudeDatum = .eye
      feature.altitude = simulation.heightAboveEye(ofLandmark: index)
      world.features.append(feature)
    }
    self.world = world
    session.handle(.calendar(decimalYear: script.decimalYear), at: 0)
    session.handle(.display(script.display), at: 0)
    if let camera = script.camera { session.handle(.camera(CameraPicture(intrinsics: camera.intrinsics)), at: 0) }
    session.handle(.open(AddressID(1)), at: 0)
  }

  mutating func take(_ event: SimulatedEvent, at time: Double) {
    switch event {
    case .motion(var sample, let browser):
      guard takesMotion else { return }
      sample.specificForce = browser.accelerationIncludingGravity
      session.handle(.motion(sample), at: time)
    case .orientation(let orientation):
      guard takesOrientation, let reading = reading(orientation) else { return }
      session.handle(.orientation(reading), at: time)
    case .fix(let fix):
      session.handle(.fix(fix.asLocationFix), at: time)
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
  private var eye: Geodetic?
  private var declination = Angle.zero
  private var accepted = (accuracy: 0.0, time: 0.0)

  init(_ filter: HistoricFilter, _ simulation: Simulation) {
    self.filter = filter
    decimalYear = simulation.script.decimalYear
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
