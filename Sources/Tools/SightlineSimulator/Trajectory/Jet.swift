import SightlineMath

/// A number that changes with time, with its first and second derivative: what is composed of these has exact speeds and
/// accelerations, without differences of neighbouring values.
struct Jet: Equatable, Sendable {
  /// Value.
  var value: Double
  /// First derivative, per second.
  var rate: Double
  /// Second derivative, per second squared.
  var acceleration: Double

  init(_ value: Double, _ rate: Double = 0, _ acceleration: Double = 0) {
    self.value = value
    self.rate = rate
    self.acceleration = acceleration
  }

  static let zero = Jet(0)

  static func + (a: Jet, b: Jet) -> Jet { Jet(a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration) }
  static func - (a: Jet, b: Jet) -> Jet { Jet(a.value - b.value, a.rate - b.rate, a.acceleration - b.acceleration) }
  static func * (a: Jet, b: Jet) -> Jet {
    Jet(
      a.value * b.value,
      a.rate * b.value + a.value * b.rate,
      a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration
    )
  }
  static func * (a: Double, b: Jet) -> Jet { Jet(a * b.value, a * b.rate, a * b.acceleration) }
  static func += (a: inout Jet, b: Jet) { a = a + b }
}

/// Sine and cosine of an angle that changes with time.
func sineCosine(_ angle: Jet) -> (sine: Jet, cosine: Jet) {
  let (s, c) = (SightlineMath.sin(angle.value), SightlineMath.cos(angle.value))
  let square = angle.rate * angle.rate
  return (
    Jet(s, c * angle.rate, c * angle.acceleration - s * square),
    Jet(c, -s * angle.rate, -s * angle.acceleration - c * square)
  )
}

/// The angle of a direction in the plane, radians, and how it changes; the direction must not be zero.
func arcTangent(_ y: Jet, _ x: Jet) -> Jet {
  let square = x * x + y * y
  // d(atan2) = (x dy − y dx) / (x² + y²); once more by the quotient's rule.
  let rate = (x.value * y.rate - y.value * x.rate) / square.value
  let acceleration =
    (x.value * y.acceleration - y.value * x.acceleration - rate * square.rate) / square.value
  return Jet(SightlineMath.atan2(y.value, x.value), rate, acceleration)
}

/// Length of a vector in the plane; not zero.
func length(_ x: Jet, _ y: Jet) -> Jet {
  let value = SightlineMath.hypot(x.value, y.value)
  let rate = (x.value * x.rate + y.value * y.rate) / value
  let acceleration =
    (x.value * x.acceleration + y.value * y.acceleration + x.rate * x.rate + y.rate * y.rate - rate * rate) / value
  return Jet(value, rate, acceleration)
}
