// The one door to elementary functions. Everything in the engine calls these and nothing else, so that there is one
// place to measure them in units of the last place and one place to swap them. They forward to the platform's libm
// natively and, in WebAssembly, to wasi-libc and Scripts/wasm-support/elementary.c; the two differ in the last bit for
// all but `hypot`-free arithmetic, which is why parity tests compare with a tolerance. Square root and rounding are
// exact: use `squareRoot()`, `rounded()`.
import CSightline

/// π.
public let pi = Double.pi

/// Sine of an angle in radians.
@inlinable public func sin(_ radians: Double) -> Double { CSightline.sin(radians) }
/// Cosine of an angle in radians.
@inlinable public func cos(_ radians: Double) -> Double { CSightline.cos(radians) }
/// Tangent of an angle in radians.
@inlinable public func tan(_ radians: Double) -> Double { CSightline.tan(radians) }
/// Arc sine in radians, −π/2 … π/2; the argument is clamped to −1 … 1, because rounding can carry it just past.
@inlinable public func asin(_ value: Double) -> Double { CSightline.asin(clamp(value, -1, 1)) }
/// Arc cosine in radians, 0 … π; the argument is clamped to −1 … 1, because rounding can carry it just past.
@inlinable public func acos(_ value: Double) -> Double { CSightline.acos(clamp(value, -1, 1)) }
/// Arc tangent in radians, −π/2 … π/2.
@inlinable public func atan(_ value: Double) -> Double { CSightline.atan(value) }
/// Angle of the point (x, y) in radians, −π … π.
@inlinable public func atan2(_ y: Double, _ x: Double) -> Double { CSightline.atan2(y, x) }
/// Natural exponential.
@inlinable public func exp(_ value: Double) -> Double { CSightline.exp(value) }
/// Natural logarithm.
@inlinable public func log(_ value: Double) -> Double { CSightline.log(value) }
/// Power.
@inlinable public func pow(_ base: Double, _ exponent: Double) -> Double { CSightline.pow(base, exponent) }
/// Length of the vector (x, y) without overflow.
@inlinable public func hypot(_ x: Double, _ y: Double) -> Double { CSightline.hypot(x, y) }
/// Remainder of a division rounded towards zero, exact.
@inlinable public func fmod(_ x: Double, _ y: Double) -> Double { CSightline.fmod(x, y) }

/// The value limited to `low ... high`; NaN stays NaN.
@inlinable public func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
  value < low ? low : (value > high ? high : value)
}

/// The angle brought to −π … π (exclusive of −π), radians in and out.
@inlinable public func wrapToPi(_ radians: Double) -> Double {
  let turns = ((radians + pi) / (2 * pi)).rounded(.up) - 1
  return radians - turns * 2 * pi
}
