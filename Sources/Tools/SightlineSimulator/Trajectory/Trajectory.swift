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

  /// A time in which the phone is kept directed at a place, wherever the body goes.
  struct Gaze: Sendable {
    /// What is looked at, metres.
    var point: Vector3
    /// Taken up, and given up.
    var rise: Course
    var fall: Course?
    /// Headings every ``step`` seconds from the start of ``rise`` on, without leaps of 360°.
    var headings: [Double] = []
    static let step = 0.02

    func weight(at time: Double) -> Jet {
      let up = rise.share(at: time)
      guard let fall else { return up }
      return up - fall.share(at: time)
    }

    /// Heading and pitch from a body at a place to what is looked at.
    func angles(from body: (east: Jet, north: Jet, up: Jet), arm: Double, at time: Double) -> (heading: Jet, pitch: Jet)
    {
      let (x, y) = (Jet(point.x) - body.east, Jet(point.y) - body.north)
      var heading = arcTangent(x, y)
      if !headings.isEmpty {
        let place = clamp((time - rise.start) / Self.step, 0, Double(headings.count - 1))
        heading.value += 2 * pi * ((headings[Int(place)] - heading.value) / (2 * pi)).rounded()
      }
      return (heading, arcTangent(Jet(point.z) - body.up, length(x, y) - Jet(arm)))
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
  var gazes: [Gaze] = []
  /// A path that was recorded; it takes the place of body, arm, turns and legs.
  var path: RecordedPath?

  /// A phone at rest.
  init() {}

  /// The state at a moment.
  public func state(at time: Double) -> State {
    if let path { return path.state(at: time) }
    var angles = (Jet(startHeading), Jet(startPitch), Jet(startRoll))
    for turn in turns where time > turn.course.start {
      let change = turn.by * turn.course.share(at: time)
      switch turn.axis {
      case .heading: angles.0 += change
      case .pitch: angles.1 += change
      default: angles.2 += change
      }
    }
    let body = body(at: time)
    var (east, north, up) = (body.east, body.north, body.up)
    for gaze in gazes {
      let weight = gaze.weight(at: time)
      guard weight != .zero else { continue }
      let (heading, pitch) = gaze.angles(from: (east, north, up), arm: armLength, at: time)
      angles.0 += weight * (heading - angles.0)
      angles.1 += weight * (pitch - angles.1)
    }
    // The arm follows the body's turn, without what only moves the phone in the hand.
    let arm = sineCosine(angles.0)
    east += armLength * arm.sine
    north += armLength * arm.cosine
    let direction = sineCosine(body.bearing)
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

  /// Where the body is, and in which direction it goes: without arm, gait and tremor.
  func body(at time: Double) -> (east: Jet, north: Jet, up: Jet, bearing: Jet) {
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
    return (east, north, up, bearing)
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

extension Trajectory {
  /// Mean angular velocity between two moments, device frame: the one whose turn leads from one attitude to the other.
  func meanAngularVelocity(from start: Double, to end: Double) -> Vector3 {
    let turn = (state(at: start).worldFromDevice.inverse * state(at: end).worldFromDevice).turn
    return turn * (1 / (end - start))
  }

  /// Mean specific force between two moments, device frame (Gauss and Legendre's quadrature with four points).
  func meanSpecificForce(from start: Double, to end: Double, gravity: Double) -> Vector3 {
    let nodes = [(0.3399810435848563, 0.6521451548625461), (0.8611363115940526, 0.3478548451374538)]
    let (middle, half) = ((start + end) / 2, (end - start) / 2)
    var sum = Vector3.zero
    for (place, weight) in nodes {
      for sign in [-1.0, 1] {
        let s = state(at: middle + sign * place * half)
        sum = sum + s.worldFromDevice.inverse * (s.acceleration + Vector3(0, 0, gravity)) * (weight / 2)
      }
    }
    return sum
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
