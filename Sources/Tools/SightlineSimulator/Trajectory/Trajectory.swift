import SightlineMath

/// Where a phone is and how it moves, at every moment, exactly.
///
/// World frame: East-North-Up at the script's place. All of it is a sum of smooth courses and oscillations whose
/// derivatives are known in closed form, so velocity, acceleration and angular velocity belong to the pose without error.
public struct Trajectory: Sendable {
  /// The state at a moment.
  public struct State: Equatable, Sendable {
    /// Rotates device vectors into the world frame (true north).
    public var worldFromDevice: Quaternion
    /// Radians a second, device frame.
    public var angularVelocity: Vector3
    /// Metres, world frame.
    public var position: Vector3
    /// Metres a second, world frame.
    public var velocity: Vector3
    /// Metres a second squared, world frame.
    public var acceleration: Vector3
    /// Of the camera, clockwise from true north.
    public var heading: Angle
    /// Of the camera, above the horizon.
    public var pitch: Angle
    /// Of the device, counter-clockwise as the user sees it.
    public var roll: Angle
  }

  /// A change of an angle (radians): heading, pitch or roll.
  struct Turn: Sendable {
    var axis: MotionAxis
    var by: Double
    var course: Course
  }

  /// A way over ground along a straight line or an arc.
  struct Leg: Sendable {
    var course: Course
    /// Metres.
    var length: Double
    /// Direction at its start, radians clockwise from north.
    var bearing: Double
    /// By how much the direction changes on the way, radians.
    var curve: Double
    /// Metres upwards on the way.
    var climb: Double

    /// Horizontal and vertical displacement of the whole leg.
    var displacement: Vector3 {
      let d = position(of: Jet(1))
      return Vector3(d.east.value, d.north.value, d.up.value)
    }

    func position(of share: Jet) -> (east: Jet, north: Jet, up: Jet) {
      let up = climb * share
      guard abs(curve) > 1e-9 else {
        let (s, c) = (SightlineMath.sin(bearing), SightlineMath.cos(bearing))
        return ((length * s) * share, (length * c) * share, up)
      }
      // The integral of the direction along an arc.
      let radius = length / curve
      let turned = sineCosine(Jet(bearing) + curve * share)
      return (
        radius * (Jet(SightlineMath.cos(bearing)) - turned.cosine),
        radius * (turned.sine - Jet(SightlineMath.sin(bearing))), up
      )
    }
  }

  /// Where the body stands first, metres.
  var start = Vector3(0, 0, 1.6)
  /// Heading, pitch and roll first, radians.
  var startHeading = 0.0
  var startPitch = 0.0
  var startRoll = 0.0
  /// How far the phone is held before the body, metres.
  var armLength = 0.35
  var turns: [Turn] = []
  var legs: [Leg] = []
  var groups: [OscillationGroup] = []

  /// A phone at rest.
  init() {}

  /// The state at a moment.
  public func state(at time: Double) -> State {
    var angles = (Jet(startHeading), Jet(startPitch), Jet(startRoll))
    for turn in turns where time > turn.course.start {
      let change = turn.by * turn.course.share(at: time)
      switch turn.axis {
      case .heading: angles.0 += change
      case .pitch: angles.1 += change
      default: angles.2 += change
      }
    }
    var (east, north, up) = (Jet(start.x), Jet(start.y), Jet(start.z))
    var bearing = Jet(startHeading)
    for leg in legs where time > leg.course.start {
      let share = leg.course.share(at: time)
      let way = leg.position(of: share)
      east += way.east
      north += way.north
      up += way.up
      bearing = Jet(leg.bearing) + leg.curve * share
    }
    // The arm follows the body's turn, without what only moves the phone in the hand.
    let arm = sineCosine(angles.0)
    east += armLength * arm.sine
    north += armLength * arm.cosine
    let direction = sineCosine(bearing)
    for group in groups {
      let strength = group.strength(at: time)
      guard strength != .zero else { continue }
      for oscillation in group.oscillations {
        let d = strength * oscillation.displacement(at: time)
        switch oscillation.axis {
        case .heading: angles.0 += d
        case .pitch: angles.1 += d
        case .roll: angles.2 += d
        case .east: east += d
        case .north: north += d
        case .up: up += d
        case .along:
          east += d * direction.sine
          north += d * direction.cosine
        case .aside:
          east += d * direction.cosine
          north += Jet(0) - d * direction.sine
        }
      }
    }
    return Self.state(angles, east, north, up)
  }

  private static func state(_ angles: (Jet, Jet, Jet), _ east: Jet, _ north: Jet, _ up: Jet) -> State {
    let (heading, pitch, roll) = angles
    let turnDown = Quaternion(axis: Vector3(1, 0, 0), angle: Angle(radians: pi / 2 + pitch.value))
    let turnInHand = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: roll.value))
    // R = Rz(−heading) · Rx(90° + pitch) · Rz(roll); each rate is carried into the device by what comes after it.
    let fromHeading = turnDown.inverse * Vector3(0, 0, -heading.rate)
    let beforeRoll = fromHeading + Vector3(pitch.rate, 0, 0)
    return State(
      worldFromDevice: Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: -heading.value)) * turnDown
        * turnInHand,
      angularVelocity: turnInHand.inverse * beforeRoll + Vector3(0, 0, roll.rate),
      position: Vector3(east.value, north.value, up.value),
      velocity: Vector3(east.rate, north.rate, up.rate),
      acceleration: Vector3(east.acceleration, north.acceleration, up.acceleration),
      heading: Angle(radians: heading.value).wrapped,
      pitch: Angle(radians: pitch.value),
      roll: Angle(radians: roll.value).wrapped
    )
  }
}

extension Quaternion {
  /// The rotation about an axis by its length, radians.
  init(turn v: Vector3) {
    let angle = v.length
    // sin(x/2)/x near zero, where the quotient would be 0/0.
    let k = angle < 1e-6 ? 0.5 - angle * angle / 48 : SightlineMath.sin(angle / 2) / angle
    self.init(w: SightlineMath.cos(angle / 2), x: v.x * k, y: v.y * k, z: v.z * k)
  }

  /// The axis times the angle, radians, of the shorter way: the inverse of ``init(turn:)``.
  var turn: Vector3 {
    let sign: Double = w < 0 ? -1 : 1
    let v = Vector3(x, y, z) * sign
    let s = v.length
    return s < 1e-12 ? v * 2 : v * (2 * SightlineMath.atan2(s, w * sign) / s)
  }
}
