import SightlineGeodesy
import SightlineMath

/// How well satellites are seen.
public enum SkyView: String, CaseIterable, Sendable {
  /// No fixes at all.
  case none
  /// Fixes without error.
  case perfect
  /// A field: about 2 m.
  case open
  /// A street with houses: about 5 m.
  case street
  /// A narrow street between high houses: about 13 m, echoes, leaps.
  case canyon
  /// Inside: about 25 m, from radio masts.
  case indoor

  /// Standard deviation of each horizontal axis, metres.
  var deviation: Double {
    switch self {
    case .none, .perfect: 0
    case .open: 1.8
    case .street: 4.5
    case .canyon: 13
    case .indoor: 25
    }
  }
  /// Leaps a second.
  var leapRate: Double { self == .canyon ? 1.0 / 50 : 0 }
}

/// A position fix as a phone states it.
public struct SimulatedFix: Equatable, Sendable {
  /// Degrees, WGS84.
  public var latitudeDegrees: Double
  /// Degrees, WGS84.
  public var longitudeDegrees: Double
  /// Metres above what ``altitudeDatum`` says.
  public var altitude: Double?
  /// What ``altitude`` is measured from.
  public var altitudeDatum: HeightDatum
  /// Radius of the 95 % circle as stated, metres.
  public var horizontalAccuracy: Double
  /// 95 % as stated, metres.
  public var verticalAccuracy: Double?
  /// Metres a second.
  public var speed: Double?
  /// Course over ground, degrees clockwise from true north; `nil` when standing.
  public var courseDegrees: Double?
}

/// Makes position fixes with errors that last: a slow part of minutes, echoes of seconds, a little noise, leaps.
struct FixModel: Sendable {
  private let frame: EastNorthUpFrame
  private let geoidHeight: Double
  private let altitudeDatum: HeightDatum
  private let altitudeErrorRatio: Double
  private let optimism: Double
  private var coarseFixes: Int
  private var random: SeededGenerator
  // Of unit deviation, scaled by the place's.
  private var slow: [CorrelatedNoise] = []
  private var echoes: [CorrelatedNoise] = []
  private var leap = Vector3.zero
  private var leapEnd = -Double.infinity
  private var lastTime: Double?

  /// Shares of the variance: 45 % slow, 50 % echoes, 5 % noise.
  init(frame: EastNorthUpFrame, geoidHeight: Double, profile: PhoneProfile, optimism: Double, seed: UInt64) {
    self.frame = frame
    self.geoidHeight = geoidHeight
    altitudeDatum = profile.altitudeDatum
    altitudeErrorRatio = profile.altitudeErrorRatio
    self.optimism = optimism
    coarseFixes = profile.hasCoarseStart ? 2 : 0
    random = SeededGenerator(seed: seed, purpose: "fixes")
    for _ in 0..<3 {
      slow.append(CorrelatedNoise(deviation: 0.45.squareRoot(), correlationTime: 90, from: &random))
      echoes.append(CorrelatedNoise(deviation: 0.5.squareRoot(), correlationTime: 8, from: &random))
    }
  }

  /// The fix that states where the phone was.
  mutating func fix(_ state: Trajectory.State, at time: Double, sky: SkyView) -> SimulatedFix {
    let step = time - (lastTime ?? time)
    lastTime = time
    var error = Vector3(part(0, step), part(1, step), part(2, step) * altitudeErrorRatio) * sky.deviation
    if time > leapEnd {
      leap = .zero
      if random.uniform() < sky.leapRate * step {
        let bearing = random.uniform(0, 2 * pi)
        leap = Vector3(sin(bearing), cos(bearing), 0) * random.uniform(25, 80)
        leapEnd = time + random.uniform(2, 7)
      }
    }
    error = error + leap
    let guess = exp(0.25 * random.normal())
    // Of two axes with the same deviation, 95 % lie within 2.45 deviations. A leap is half noticed.
    var accuracy = max(sky == .perfect ? 1 : 3, (2.45 * sky.deviation * guess + 0.5 * leap.length) / optimism)
    if coarseFixes > 0, sky != .perfect {
      coarseFixes -= 1
      error = error + random.normalVector(500)
      error.z = 0
      accuracy = 1200
    }
    let position = frame.geodetic(state.position + error)
    let speed = Vector2(state.velocity.x, state.velocity.y) + speedError(sky)
    let isMoving = speed.length > 0.6
    let altitude = altitudeDatum == .seaLevel ? position.altitude - geoidHeight : position.altitude
    return SimulatedFix(
      latitudeDegrees: (position.latitudeDegrees * 1e7).rounded() / 1e7,
      longitudeDegrees: (position.longitudeDegrees * 1e7).rounded() / 1e7,
      altitude: sky == .indoor || accuracy > 500 ? nil : (altitude * 10).rounded() / 10,
      altitudeDatum: altitudeDatum,
      horizontalAccuracy: (accuracy * 10).rounded() / 10,
      verticalAccuracy: sky == .indoor || accuracy > 500 ? nil : (accuracy * altitudeErrorRatio * 10).rounded() / 10,
      speed: isMoving ? (speed.length * 100).rounded() / 100 : 0,
      courseDegrees: isMoving
        ? (fmod(Angle(radians: atan2(speed.x, speed.y)).degrees + 360, 360) * 10).rounded() / 10 : nil
    )
  }

  private mutating func part(_ axis: Int, _ step: Double) -> Double {
    slow[axis].advance(by: step, from: &random) + echoes[axis].advance(by: step, from: &random)
      + 0.05.squareRoot() * random.normal()
  }

  private mutating func speedError(_ sky: SkyView) -> Vector2 {
    let deviation = sky == .perfect ? 0 : 0.1 + 0.02 * sky.deviation
    return Vector2(random.normal() * deviation, random.normal() * deviation)
  }
}
