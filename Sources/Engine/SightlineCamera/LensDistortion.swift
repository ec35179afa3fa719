import SightlineMath

/// How a lens bends straight lines: radial terms k1, k2, k3 and tangential ones p1, p2.
///
/// Works on the plane at distance 1 in front of the camera, x right, y down: with r² = x² + y² and
/// f = 1 + k1 r² + k2 r⁴ + k3 r⁶, a point is seen at (x f + 2 p1 x y + p2 (r² + 2 x²), y f + p1 (r² + 2 y²) + 2 p2 x y).
///
/// Source: Brown 1971, Close-range camera calibration, Photogrammetric Engineering 37.
public struct LensDistortion: Equatable, Sendable {
  /// Radial term of r².
  public var k1: Double
  /// Radial term of r⁴.
  public var k2: Double
  /// Tangential term, vertical.
  public var p1: Double
  /// Tangential term, horizontal.
  public var p2: Double
  /// Radial term of r⁶.
  public var k3: Double

  /// Distortion from its terms.
  public init(k1: Double = 0, k2: Double = 0, p1: Double = 0, p2: Double = 0, k3: Double = 0) {
    self.k1 = k1
    self.k2 = k2
    self.p1 = p1
    self.p2 = p2
    self.k3 = k3
  }

  /// A lens that keeps straight lines straight.
  public static let none = LensDistortion()

  /// Up to which r² the radial terms mean something, at most 4: beyond it the picture would fold back on itself.
  ///
  /// In steps of 0.01: the first r² from which on a point moves by less than a tenth of what its ray does.
  public var reach: Double {
    for step in 0..<400 {
      let r2 = 0.01 * Double(step)
      // The derivative of r (1 + k1 r² + k2 r⁴ + k3 r⁶).
      if 1 + r2 * (3 * k1 + r2 * (5 * k2 + r2 * 7 * k3)) < 0.1 { return r2 }
    }
    return 4
  }

  /// Where a point is seen.
  public func distorted(_ p: Vector2) -> Vector2 {
    let r2 = p.dot(p)
    let f = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return Vector2(
      p.x * f + 2 * p1 * p.x * p.y + p2 * (r2 + 2 * p.x * p.x),
      p.y * f + p1 * (r2 + 2 * p.y * p.y) + 2 * p2 * p.x * p.y
    )
  }

  /// The point that is seen here, by Newton's method; `nil` where it does not converge.
  ///
  /// That happens only where the terms do not describe a lens: far outside the picture they were measured in.
  public func undistorted(_ seen: Vector2) -> Vector2? {
    if self == .none { return seen }
    var p = seen
    for _ in 0..<20 {
      let error = distorted(p) - seen
      let r2 = p.dot(p)
      let f = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
      let slope = 2 * (k1 + r2 * (2 * k2 + r2 * 3 * k3))
      let xx = f + p.x * p.x * slope + 2 * p1 * p.y + 6 * p2 * p.x
      let xy = p.x * p.y * slope + 2 * p1 * p.x + 2 * p2 * p.y
      let yy = f + p.y * p.y * slope + 6 * p1 * p.y + 2 * p2 * p.x
      let determinant = xx * yy - xy * xy
      guard determinant > 0 else { return nil }
      let step = Vector2((yy * error.x - xy * error.y) / determinant, (xx * error.y - xy * error.x) / determinant)
      p = p - step
      guard p.x.isFinite, p.y.isFinite else { return nil }
      if step.length < 1e-12 { return p }
    }
    return nil
  }
}
