import SightlineFusion
import SightlineGeodesy
import SightlineMath

/// What a followed path adds to sensors and fixes: headings that neither drift nor jump, and the way between two fixes.
///
/// Two angles about up are compared in each picture: East-North-Up from the path's world by the compass, and the mean of that
/// (``PathAlignment``), put right by where fixes say that the user went (``PathCourse``). The difference is what the compass is wrong by
/// now; headings are turned by as much. What is drawn follows the sensors' estimate without its leaps (`Presentation`), so it has a turn of
/// its own.
struct PathFollower: Sendable {
  /// Seconds in which the turn goes over to a new one: noise of single pictures is not seen.
  private static let settling = 0.25
  /// What differs by more goes over at once: then the compass has leapt, not the picture.
  private static let leap = Angle(degrees: 1)
  /// Deviation of a picture's moment on the clock of the sensors, seconds.
  ///
  /// Times the rate of a turn, path and sensors may differ by it although both are right. Chosen, with ``calm``, on the quick turns of
  /// `EndToEnd`, seeds 1 and 2.
  private static let timing = 0.01
  /// From such a difference on the turn goes over more and more slowly.
  private static let calm = Angle(degrees: 0.3).radians
  /// Seconds without a reading after which the path counts as ended.
  private static let patience = 1.0
  /// Radians a second by which the turn goes back to nothing after that.
  private static let fading = Angle(degrees: 1).radians
  /// Radians a second by which a gyroscope may have drifted while nothing was followed.
  private static let gap = Angle(degrees: 0.05).radians
  /// Speed beyond which a step of the path is a correction of the map, metres a second.
  private static let fastest = 12.0

  /// Clockwise, to be added to headings.
  private(set) var turn = Angle.zero
  /// The same for headings as they are drawn.
  private(set) var shownTurn = Angle.zero
  /// Standard deviation of headings with that; `nil` while no path is followed.
  private(set) var deviation: Angle?
  private var alignment: PathAlignment
  private var course: PathCourse
  private var last: PathReading?
  private var lastTime = -Double.infinity
  /// Where ``PathCourse``'s fixes are measured from.
  private var origin: EastNorthUpFrame?

  init(alignment: PathAlignment.Parameters, course: PathCourse.Parameters) {
    self.alignment = PathAlignment(parameters: alignment)
    self.course = PathCourse(parameters: course)
  }

  /// What the compass says when a picture was taken.
  struct Compass {
    /// Without ``PathFollower/turn``.
    var eastNorthUpFromDevice: Quaternion
    /// As it was drawn, without ``PathFollower/shownTurn``; `nil`: nothing was drawn then.
    var shown: Quaternion?
    /// Of the heading.
    var deviation: Angle
    var isDisturbed: Bool
    /// Whether it is an estimate that learns the error of its magnetometer.
    var isLearning: Bool
  }

  /// How the user moved, metres, and how long that took.
  struct Step {
    var east: Double
    var north: Double
    var duration: Double
  }

  /// Takes a reading; answers how the user moved since the last, when that is known in metres.
  mutating func take(
    _ reading: PathReading,
    deviceFromCamera: Quaternion,
    compass: Compass,
    at time: Double
  ) -> Step? {
    guard reading.time > last?.time ?? -.infinity else { return nil }
    guard reading.state != .lost else {
      last = nil
      return nil
    }
    let deviceFromWorld = (reading.worldFromCamera * deviceFromCamera.inverse).inverse
    let between = Self.turnAboutUp(compass.eastNorthUpFromDevice * deviceFromWorld)
    let shown = compass.shown.map { Self.turnAboutUp($0 * deviceFromWorld) } ?? between
    let isNew = last.map { reading.time - $0.time > Self.patience } ?? true
    if isNew {
      // What was known of north before goes on: headings do not jump.
      let silence = time - lastTime
      alignment.carry(
        to: between - turn,
        addedVariance: silence.isFinite ? Self.gap * Self.gap * silence * silence : pi * pi
      )
      course.removeAll()
      origin = nil
    }
    let step = isNew ? 0 : clamp(reading.time - (last?.time ?? reading.time), 0, 1)
    let uncertainty = step > 0 ? Self.timing * turned(to: reading).radians / step : 0
    alignment.take(
      between,
      deviation: Angle(radians: hypot(compass.deviation.radians, uncertainty)),
      isDisturbed: compass.isDisturbed,
      isLearning: compass.isLearning,
      yawDeviation: reading.yawDeviation,
      at: reading.time
    )
    defer {
      last = reading
      lastTime = time
    }
    guard let best else { return nil }
    deviation = best.deviation
    let doubt = uncertainty / Self.calm
    let share = step > 0 ? (1 - exp(-step / Self.settling)) / (1 + doubt * doubt) : 0
    let leap = Angle(radians: hypot(Self.leap.radians, 3 * uncertainty))
    turn = turn.moved(to: between - best.angle, by: share, leaping: leap)
    shownTurn = shownTurn.moved(to: shown - best.angle, by: share, leaping: leap)
    guard !isNew, let last, last.state == .metric, reading.state == .metric, step > 0 else { return nil }
    let way = reading.position - last.position
    guard way.length <= Self.fastest * step else { return nil }
    let (c, s) = (cos(best.angle.radians), sin(best.angle.radians))
    return Step(east: c * way.x - s * way.y, north: s * way.x + c * way.y, duration: step)
  }

  /// How far the camera has turned since the last reading.
  private func turned(to reading: PathReading) -> Angle {
    guard let last else { return .zero }
    let q = last.worldFromCamera.inverse * reading.worldFromCamera
    return Angle(radians: 2 * atan2((q.x * q.x + q.y * q.y + q.z * q.z).squareRoot(), abs(q.w)))
  }

  /// A fix came, of a standard deviation along an axis in metres.
  mutating func take(fix: Geodetic, deviation: Double, at time: Double) {
    guard let last, time - last.time < Self.patience else { return }
    var level = fix
    level.altitude = 0
    let frame = origin ?? EastNorthUpFrame(origin: level)
    origin = frame
    let place = frame.point(level)
    course.take(
      path: Vector2(last.position.x, last.position.y),
      fix: Vector2(place.x, place.y),
      deviation: deviation
    )
  }

  /// The user, or an anchor, told that headings are wrong by so much, clockwise.
  mutating func correct(by angle: Angle, deviation: Angle) {
    if let best { alignment.turn(by: best.angle - (alignment.angle ?? .zero) - angle, deviation: deviation) }
    // Who corrects sensors by what is seen takes over what was added to them.
    shownTurn = (shownTurn - turn).wrapped
    turn = .zero
    course.removeAll()
    origin = nil
  }

  /// Lets time pass: what is not followed any more goes back to what the sensors say, too slowly to be seen.
  mutating func advance(to time: Double, from before: Double) {
    guard time - lastTime > Self.patience, turn.radians != 0 || shownTurn.radians != 0 || deviation != nil else {
      return
    }
    deviation = nil
    let step = Self.fading * clamp(time - before, 0, 1)
    turn = Angle(radians: turn.radians - clamp(turn.radians, -step, step))
    shownTurn = Angle(radians: shownTurn.radians - clamp(shownTurn.radians, -step, step))
  }

  /// The path's north by compass and course: by both as surely as each knows it, by the surer one where they contradict each other.
  private var best: (angle: Angle, deviation: Angle)? {
    guard let angle = alignment.angle else { return nil }
    let variance = alignment.variance
    guard let way = course.answer else { return (angle, Angle(radians: variance.squareRoot())) }
    let other = way.deviation.radians * way.deviation.radians
    let difference = wrapToPi(way.angle.radians - angle.radians)
    if abs(difference) > 3 * (variance + other).squareRoot() {
      return variance < other ? (angle, Angle(radians: variance.squareRoot())) : way
    }
    let share = variance / (variance + other)
    return (
      Angle(radians: wrapToPi(angle.radians + share * difference)),
      Angle(radians: (variance * other / (variance + other)).squareRoot())
    )
  }

  /// The part about up of a turn, counter-clockwise.
  private static func turnAboutUp(_ q: Quaternion) -> Angle { Angle(radians: 2 * atan2(q.z, q.w)).wrapped }
}

extension Angle {
  /// A share of the shorter way to another, and as much more that no more than a leap is left.
  fileprivate func moved(to other: Angle, by share: Double, leaping leap: Angle) -> Angle {
    let way = wrapToPi(other.radians - radians)
    let left = clamp((1 - share) * way, -leap.radians, leap.radians)
    return Angle(radians: wrapToPi(radians + way - left))
  }
}
