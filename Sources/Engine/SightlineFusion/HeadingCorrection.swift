import SightlineGeodesy
import SightlineMath

/// What a user has found out about north at a place: by how much headings are wrong there.
///
/// A small value that a host can store and hand back at the next start.
public struct HeadingCorrection: Equatable, Sendable {
  /// Clockwise, to be added to headings.
  public var angle: Angle
  /// Standard deviation when it was made.
  public var deviation: Angle
  /// Where it was made; altitude without meaning.
  public var place: Geodetic
  /// When it was made, a decimal year; `nil` when unknown, which counts as just now.
  public var decimalYear: Double?

  /// A correction.
  public init(angle: Angle, deviation: Angle, place: Geodetic, decimalYear: Double?) {
    self.angle = angle
    self.deviation = deviation
    self.place = place
    self.decimalYear = decimalYear
  }
}

/// Corrections of the heading, each for its place, fading with distance and time.
///
/// What a compass shows wrongly is due to iron nearby and to the phone's own calibration: the one changes from house to
/// house, the other within hours. So a correction counts fully where and when it was made, and less and less elsewhere and
/// later. For a heading that has no north at all there is one correction, for as long as the orientation runs on without
/// a break; it does not fade, but becomes less certain as the gyroscope drifts.
public struct HeadingCorrections: Sendable {
  /// What can be set.
  public struct Parameters: Sendable {
    /// Metres at which a correction counts 60 %, and twice as far away 14 %.
    public var distance = 120.0
    /// Seconds after which it counts half.
    public var halfLife = 2_400.0
    /// Radians a second at which a correction comes and goes when the user moves or time passes.
    public var glide = Angle(degrees: 2).radians
    /// Drift of a heading without north, radians a second.
    public var drift = Angle(degrees: 0.03).radians
    /// Corrections kept, the latest.
    public var count = 16

    /// The defaults.
    public init() {}
  }

  /// What was set.
  public let parameters: Parameters
  /// Those for a heading with a north, oldest first: what to store.
  public private(set) var stored: [HeadingCorrection] = []
  /// What to add to headings now, clockwise.
  public private(set) var angle = Angle.zero
  /// Standard deviation of what is added; `nil` when nothing is.
  public private(set) var deviation: Angle?
  private var free: (angle: Double, deviation: Double, time: Double, frame: Int)?
  private var lastTime = -Double.infinity
  private static let secondsPerYear = 31_556_952.0

  /// No corrections.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes a correction made now, unless it is no number: from here on headings are `angle` clockwise of what the sensors say.
  ///
  /// - Parameters:
  ///   - angle: the whole correction, not what is added to the one in use.
  ///   - deviation: its standard deviation.
  ///   - situation: where, when, and of which heading.
  public mutating func correct(to angle: Angle, deviation: Angle, in situation: Situation) {
    guard angle.radians.isFinite, deviation.radians.isFinite else { return }
    let angle = angle.wrapped
    if situation.hasNorth {
      guard let place = situation.place else { return hold(angle, deviation, situation) }
      let correction = HeadingCorrection(
        angle: angle,
        deviation: deviation,
        place: place,
        decimalYear: situation.decimalYear
      )
      // One a place: a new one replaces those close by.
      stored.removeAll { greatCircleDistance(from: $0.place, to: place) < parameters.distance / 4 }
      restore(correction)
    } else {
      free = (angle.radians, deviation.radians, situation.time, situation.frame)
    }
    hold(angle, deviation, situation)
  }

  /// Takes a stored correction back; ignored when its numbers are none.
  public mutating func restore(_ correction: HeadingCorrection) {
    guard correction.angle.radians.isFinite, correction.deviation.radians >= 0, correction.deviation.radians < pi,
      abs(correction.place.latitudeDegrees) <= 90, abs(correction.place.longitudeDegrees) <= 180,
      correction.decimalYear?.isFinite ?? true
    else { return }
    stored.append(correction)
    if stored.count > parameters.count { stored.removeFirst(stored.count - parameters.count) }
  }

  /// Forgets all of them.
  public mutating func removeAll() {
    stored = []
    free = nil
    angle = .zero
    deviation = nil
  }

  /// Lets time and place have their effect.
  public mutating func advance(to situation: Situation) {
    let step = clamp(situation.time - lastTime, 0, 1)
    lastTime = max(lastTime, situation.time)
    if !situation.hasNorth {
      guard let free, free.frame == situation.frame else {
        self.free = nil
        angle = .zero
        deviation = nil
        return
      }
      angle = Angle(radians: free.angle)
      deviation = Angle(radians: free.deviation + parameters.drift * max(0, situation.time - free.time))
      return
    }
    // Without a place there is no telling which of them counts: what is in use stays.
    guard situation.place != nil else { return }
    var best: (weight: Double, correction: HeadingCorrection)?
    for k in 0..<stored.count {
      let weight = self.weight(stored[k], in: situation)
      if weight > max(0.02, best?.weight ?? 0) { best = (weight, stored[k]) }
    }
    let target = best.map { $0.correction.angle.radians * $0.weight } ?? 0
    let way = wrapToPi(target - angle.radians)
    angle = Angle(radians: wrapToPi(angle.radians + clamp(way, -parameters.glide * step, parameters.glide * step)))
    // What has faded is as uncertain as it was large.
    deviation = best.map {
      Angle(radians: hypot($0.correction.deviation.radians, $0.correction.angle.radians * (1 - $0.weight)))
    }
  }

  private mutating func hold(_ angle: Angle, _ deviation: Angle, _ situation: Situation) {
    self.angle = angle
    self.deviation = deviation
    lastTime = max(lastTime, situation.time)
  }

  private func weight(_ correction: HeadingCorrection, in situation: Situation) -> Double {
    guard let place = situation.place else { return 0 }
    let apart = greatCircleDistance(from: correction.place, to: place) / parameters.distance
    var age = 0.0
    if let now = situation.decimalYear, let then = correction.decimalYear {
      age = max(0, now - then) * Self.secondsPerYear
    }
    return exp(-apart * apart / 2) * pow(0.5, age / parameters.halfLife)
  }

  /// Where, when, and of which heading.
  public struct Situation: Sendable {
    /// Seconds, the session's clock.
    public var time: Double
    /// Where the user is; `nil` when unknown.
    public var place: Geodetic?
    /// The date as a decimal year; `nil` when unknown.
    public var decimalYear: Double?
    /// Whether the heading is referred to a north.
    public var hasNorth: Bool
    /// Number of the level frame that a heading without north is measured in.
    public var frame: Int

    /// A situation.
    public init(time: Double, place: Geodetic?, decimalYear: Double?, hasNorth: Bool, frame: Int) {
      self.time = time
      self.place = place
      self.decimalYear = decimalYear
      self.hasNorth = hasNorth
      self.frame = frame
    }
  }
}
