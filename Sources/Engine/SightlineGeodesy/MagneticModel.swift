import SightlineMath

/// The World Magnetic Model: the Earth's main field as spherical harmonics of degree 12.
///
/// Goals, in order: agreement with the published test values (within 0.001 nT, `MagneticModelTests`); no singularity at
/// the poles; no allocation. Source: The US/UK World Magnetic Model for 2025–2030, technical report (NOAA NCEI and BGS), section 1.2.
public struct MagneticModel: Sendable {
  /// First date of validity, decimal year.
  public let firstYear: Double
  /// Last date of validity, decimal year, itself included.
  public let lastYear: Double

  /// The model of 2025, valid from 2025.0 to 2030.0.
  public static let wmm2025 = MagneticModel(firstYear: magneticEpoch, lastYear: magneticEpoch + 5)

  private static let degree = 12
  /// The model's reference radius, metres: a convention of its own, not the mean radius of distances.
  private static let referenceRadius = 6_371_200.0

  /// The field at a place (altitude above the ellipsoid) and date.
  ///
  /// - Throws: ``MagneticModelError`` for a date outside the model's validity, and for coordinates that are none.
  ///
  /// At a geographic pole, where north is undefined, it is the limit along the given longitude.
  public func field(at place: Geodetic, decimalYear: Double) throws(MagneticModelError) -> MagneticField {
    guard decimalYear >= firstYear, decimalYear <= lastYear else {
      throw .dateOutOfRange(first: firstYear, last: lastYear)
    }
    guard abs(place.latitudeDegrees) <= 90, place.longitudeDegrees.isFinite, place.altitude.isFinite else {
      throw .invalidPosition
    }
    let position = Geocentric(place).vector
    let axisDistance = hypot(position.x, position.y)
    let radius = position.length
    // From here on θ is the geocentric colatitude.
    let cosθ = position.z / radius
    let sinθ = axisDistance / radius
    let λ = Angle(degrees: place.longitudeDegrees).radians
    let sum = synthesise(
      cosθ: cosθ,
      sinθ: sinθ,
      cosλ: cos(λ),
      sinλ: sin(λ),
      ratio: Self.referenceRadius / radius,
      years: decimalYear - magneticEpoch
    )
    // From the geocentric to the ellipsoid's vertical: ψ = geocentric − geodetic latitude.
    let ψ = atan2(position.z, axisDistance) - Angle(degrees: place.latitudeDegrees).radians
    let (c, s) = (cos(ψ), sin(ψ))
    return MagneticField(
      north: sum.field.x * c - sum.field.z * s,
      east: sum.field.y,
      down: sum.field.x * s + sum.field.z * c,
      northPerYear: sum.change.x * c - sum.change.z * s,
      eastPerYear: sum.change.y,
      downPerYear: sum.change.x * s + sum.change.z * c
    )
  }

  /// North, east and down in geocentric axes, nanotesla, and their change a year.
  private func synthesise(
    cosθ: Double,
    sinθ: Double,
    cosλ: Double,
    sinλ: Double,
    ratio: Double,
    years: Double
  ) -> (field: Vector3, change: Vector3) {
    // Schmidt semi-normalised functions P(n, m) of cosθ, and for m > 0 also Q(n, m) = P(n, m) / sinθ, which the east
    // component needs and which stays finite at the poles. Row of one degree at a time, with the two before it.
    var p = InlineArray<14, Double>(repeating: 0)
    var p1 = InlineArray<14, Double>(repeating: 0)
    var p2 = InlineArray<14, Double>(repeating: 0)
    var q = InlineArray<14, Double>(repeating: 0)
    var q1 = InlineArray<14, Double>(repeating: 0)
    var q2 = InlineArray<14, Double>(repeating: 0)
    var cosm = InlineArray<14, Double>(repeating: 0)
    var sinm = InlineArray<14, Double>(repeating: 0)
    p1[0] = 1
    cosm[0] = 1
    var power = ratio * ratio
    var field = Vector3.zero
    var change = Vector3.zero
    var row = 0
    for n in 1...Self.degree {
      cosm[n] = cosm[n - 1] * cosλ - sinm[n - 1] * sinλ
      sinm[n] = sinm[n - 1] * cosλ + cosm[n - 1] * sinλ
      power *= ratio
      let dn = Double(n)
      for m in 0..<n {
        let dm = Double(m)
        let k = 1 / (dn * dn - dm * dm).squareRoot()
        let k2 = n > 1 ? ((dn - 1) * (dn - 1) - dm * dm).squareRoot() : 0
        p[m] = ((2 * dn - 1) * cosθ * p1[m] - k2 * p2[m]) * k
        q[m] = ((2 * dn - 1) * cosθ * q1[m] - k2 * q2[m]) * k
      }
      let diagonal = n == 1 ? 1 : (1 - 1 / (2 * dn)).squareRoot()
      p[n] = diagonal * sinθ * p1[n - 1]
      q[n] = n == 1 ? 1 : diagonal * sinθ * q1[n - 1]
      p[n + 1] = 0
      for m in 0...n {
        let slope = Self.slope(n, m, p)
        let g1 = magneticCoefficients[row + 2]
        let h1 = magneticCoefficients[row + 3]
        let g = magneticCoefficients[row] + years * g1
        let h = magneticCoefficients[row + 1] + years * h1
        row += 4
        let (c, s) = (cosm[m], sinm[m])
        field.x += power * (g * c + h * s) * slope
        field.y += power * Double(m) * (g * s - h * c) * q[m]
        field.z -= power * (dn + 1) * (g * c + h * s) * p[m]
        change.x += power * (g1 * c + h1 * s) * slope
        change.y += power * Double(m) * (g1 * s - h1 * c) * q[m]
        change.z -= power * (dn + 1) * (g1 * c + h1 * s) * p[m]
      }
      p2 = p1
      p1 = p
      q2 = q1
      q1 = q
    }
    return (field, change)
  }

  /// dP(n, m)/dθ from neighbours of the same degree, which needs no division by sinθ.
  private static func slope(_ n: Int, _ m: Int, _ p: InlineArray<14, Double>) -> Double {
    let (dn, dm) = (Double(n), Double(m))
    if m == 0 { return -(dn * (dn + 1) / 2).squareRoot() * p[1] }
    // The function of order 0 is normalised without the factor √2 that the others have.
    let below = m == 1 ? (2 * dn * (dn + 1)).squareRoot() : ((dn + dm) * (dn - dm + 1)).squareRoot()
    return (below * p[m - 1] - ((dn - dm) * (dn + dm + 1)).squareRoot() * p[m + 1]) / 2
  }
}
