/// Whether two numbers differ by no more than a tolerance; false for NaN, so that a NaN never passes a test.
public func isNear(_ a: Double, _ b: Double, within tolerance: Double) -> Bool {
  a == b || abs(a - b) <= tolerance
}
