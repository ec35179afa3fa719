import SightlineGeodesy
import SightlineMath

/// Smooths accepted position fixes by their accuracy, and moves what is shown without a visible jump.
///
/// Errors of fixes hardly average out within minutes (they come from the same satellites and houses), so the estimate is
/// never called much better than one fix. What is shown follows at a limited speed, unless it is so far off that it would
/// be wrong for long.
public struct LocationFilter: Sendable {
  /// What can be set.
  public struct Parameters: Sendable {
    /// Metres a second that somebody may have moved between fixes that state no speed.
    public var walking = 1.5
    /// Share of a fix's own variance below which the estimate's is never taken to be.
    public var correlation = 0.3
    /// Metres a second at which the shown position moves, beyond what the user moves.
    public var glide = 4.0
    /// The same for the altitude.
    public var altitudeGlide = 1.0
    /// Metres from which on the shown position jumps: it would be wrong for too long.
    public var jump = 60.0
    /// Accuracy of an altitude that states none, metres, 95 %.
    public var unknownAltitudeAccuracy = 20.0
    /// Metres a second that somebody goes up or down.
    public var climbing = 0.3
    /// The share of ``correlation`` while the way from fix to fix is known by the camera: then what differs from fix to fix is their
    /// error, and averages out as far as it does.
    public var followedCorrelation = 0.1
    /// Share of a followed way by which it may be wrong.
    public var followedError = 0.03
    /// The speed of ``glide`` while the camera knows how the user moves: what is left is a correction, which nobody should see.
    public var followedGlide = 0.6
    /// Seconds without a followed way after which it counts as unknown.
    public var followedMemory = 1.0

    /// The defaults.
    public init() {}
  }

  /// What was set.
  public let parameters: Parameters
  /// The estimate; `nil` before the first fix.
  public private(set) var estimate: Geodetic?
  /// What to show; `nil` before the first fix.
  public private(set) var shown: Geodetic?
  /// Radius of the estimate's 95 % circle, metres.
  public private(set) var accuracy = 0.0
  private var variance = 0.0
  private var altitudeVariance = 0.0
  private var knowsAltitude = false
  private var speed = 0.0
  private var fixTime = 0.0
  private var shownTime = 0.0
  /// When the way was last followed, how long since the last fix, and how long it was.
  private var followedTime = -Double.infinity
  private var followed = (duration: 0.0, way: 0.0)
  /// Standard deviations of one axis in a 95 % radius of two.
  private static let radius = 2.448

  /// A filter before its first fix.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes a fix.
  ///
  /// - Parameters:
  ///   - position: its altitude counts only with `knowsAltitude`.
  ///   - accuracy: radius of the 95 % circle, metres, ≥ 0.
  ///   - knowsAltitude: whether the altitude is known.
  ///   - altitudeAccuracy: 95 %, metres; `nil` when unknown.
  ///   - speed: metres a second; `nil` when unknown.
  ///   - time: seconds, not before the last one's.
  public mutating func take(
    _ position: Geodetic,
    accuracy: Double,
    knowsAltitude: Bool,
    altitudeAccuracy: Double?,
    speed: Double?,
    at time: Double
  ) {
    let deviation = clamp(accuracy, 0.5, 1e6) / Self.radius
    let noise = deviation * deviation
    let step = clamp(time - fixTime, 0, 3_600)
    // Nobody goes faster than an aeroplane.
    self.speed = speed.flatMap { $0 >= 0 && $0 < 300 ? $0 : nil } ?? parameters.walking
    let isFollowed = followed.duration > 0.7 * step
    let moved = isFollowed ? parameters.followedError * followed.way : self.speed * step
    followed = (0, 0)
    fixTime = time
    guard let before = estimate else {
      estimate = position
      estimate?.altitude = 0
      variance = noise
      self.knowsAltitude = false
      takeAltitude(position.altitude, knowsAltitude, altitudeAccuracy, step: 0)
      finish(time)
      return
    }
    // In the plane at the old estimate; fixes are seconds apart, so the Earth is flat.
    let frame = EastNorthUpFrame(origin: before)
    let level = Geodetic(
      latitudeDegrees: position.latitudeDegrees,
      longitudeDegrees: position.longitudeDegrees,
      altitude: before.altitude
    )
    let way = frame.point(level)
    let distance = hypot(way.x, way.y)
    variance += moved * moved
    // Farther off than both can explain: the old estimate is wrong.
    if distance * distance > 16 * (variance + noise) {
      variance = max(variance, distance * distance)
      // How high the ground was there says nothing of here.
      if distance >= parameters.jump { forgetAltitude() }
    }
    let gain = variance / (variance + noise)
    let share = isFollowed ? parameters.followedCorrelation : parameters.correlation
    variance = max(variance * (1 - gain), share * noise)
    var next = gain > 0.99 ? level : frame.geodetic(Vector3(way.x * gain, way.y * gain, 0))
    next.altitude = before.altitude
    estimate = next
    takeAltitude(position.altitude, knowsAltitude, altitudeAccuracy, step: step)
    finish(time)
  }

  /// The camera saw how the user moved: what is estimated and shown moves along.
  ///
  /// - Parameters:
  ///   - east: metres.
  ///   - north: metres.
  ///   - duration: seconds that this took.
  ///   - time: seconds.
  public mutating func move(east: Double, north: Double, duration: Double, at time: Double) {
    guard east.isFinite, north.isFinite, let estimate, let shown else { return }
    followedTime = time
    followed.duration += max(0, duration)
    followed.way += hypot(east, north)
    guard east != 0 || north != 0 else { return }
    self.estimate = Self.moved(estimate, east: east, north: north)
    self.shown = estimate == shown ? self.estimate : Self.moved(shown, east: east, north: north)
  }

  private static func moved(_ place: Geodetic, east: Double, north: Double) -> Geodetic {
    var next = EastNorthUpFrame(origin: place).geodetic(Vector3(east, north, 0))
    next.altitude = place.altitude
    return next
  }

  /// The altitude is not known any more: the next one counts as it is.
  public mutating func forgetAltitude() { knowsAltitude = false }

  /// Altitudes are measured from another level, so many metres higher, from now on.
  public mutating func lower(by metres: Double) {
    estimate?.altitude -= metres
    shown?.altitude -= metres
  }

  private mutating func takeAltitude(_ altitude: Double, _ isKnown: Bool, _ accuracy: Double?, step: Double) {
    guard isKnown, abs(altitude) < 100_000 else { return }
    let stated = accuracy.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? parameters.unknownAltitudeAccuracy
    let deviation = clamp(stated, 0.5, 1e4) / 1.96
    let noise = deviation * deviation
    guard knowsAltitude, let before = estimate?.altitude else {
      knowsAltitude = true
      altitudeVariance = noise
      estimate?.altitude = altitude
      shown?.altitude = altitude
      return
    }
    let climbed = parameters.climbing * step
    altitudeVariance += climbed * climbed
    let gain = altitudeVariance / (altitudeVariance + noise)
    altitudeVariance = max(altitudeVariance * (1 - gain), parameters.correlation * noise * gain)
    estimate?.altitude = before + (altitude - before) * gain
  }

  private mutating func finish(_ time: Double) {
    accuracy = Self.radius * variance.squareRoot()
    if shown == nil {
      shown = estimate
      shownTime = time
    }
  }

  /// Moves what is shown towards the estimate; answers whether it moved.
  public mutating func advance(to time: Double) -> Bool {
    guard let estimate, let now = shown, time >= shownTime else { return false }
    let step = time - shownTime
    shownTime = time
    guard estimate != now else { return false }
    let frame = EastNorthUpFrame(origin: now)
    let way = frame.point(estimate)
    let distance = hypot(way.x, way.y)
    guard distance < parameters.jump else {
      shown = estimate
      return true
    }
    let isFollowed = time - followedTime < parameters.followedMemory
    let allowed = (isFollowed ? parameters.followedGlide : parameters.glide + speed) * step
    let share = distance > allowed ? allowed / distance : 1
    let climb = parameters.altitudeGlide * step
    let height = clamp(estimate.altitude - now.altitude, -climb, climb)
    var next = estimate
    if share < 1 {
      next = frame.geodetic(Vector3(way.x * share, way.y * share, 0))
    }
    next.altitude = now.altitude + height
    shown = next
    return true
  }
}
