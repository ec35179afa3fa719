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
