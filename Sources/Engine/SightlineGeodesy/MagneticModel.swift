import SightlineMath

/// The World Magnetic Model: the Earth's main field as spherical harmonics of degree 12.
///
/// Goals, in order: agreement with the published test values (within 0.001 nT, `MagneticModelTests`; evaluating the
/// formulas with 40 digits leaves the same differences, so they are in the published numbers), no singularity at the
/// poles, no allocation. Source: The US/UK World Magnetic Model for 2025–2030, technical report (NOAA NCEI and BGS),
/// section 1.2.
///
/// ```swift
/// let ulm = Geodetic(latitudeDegrees: 48.4, longitudeDegrees: 9.99, altitude: 480)
/// let field = try MagneticModel.wmm2025.field(at: ulm, decimalYear: 2026.5)
/// // field.declination.degrees is 3.99: magnetic north lies that far to the east of true north
/// ```
public struct MagneticModel: Sendable {
  /// First date of validity, decimal year, itself included.
  public let firstYear: Double
  /// Last date of validity, decimal year, itself included.
  public let lastYear: Double

  /// The model of 2025, valid from 2025.0 to 2030.0.
  public static let wmm2025 = MagneticModel(firstYear: magneticEpoch, lastYear: magneticEpoch + 5)

  private static let degree = 12
  /// The model's reference radius, metres: a convention of its own, not the mean radius of distances.
  private static let referenceRadius = 6_371_200.0
  /// Metres; no place that one could stand at is below it, and the sources of the field are not far below it.
  private static let lowestAltitude = -100_000.0

  /// The field at a place and date.
  ///
  /// At a geographic pole, where north is undefined, it is the limit along the given longitude.
  ///
  /// - Parameters:
  ///   - place: with its altitude above the ellipsoid; the model's publishers warrant it from −1 km to 850 km.
  ///   - decimalYear: 2026.5 is the middle of the year 2026.
  /// - Returns: the field in the axes of ``EastNorthUpFrame`` at the place, with down for up.
  /// - Throws: ``MagneticModelError`` for a date outside the model's validity, and for coordinates that are none.
  /// - Complexity: 91 terms, no heap allocation; about 1 µs.
  public func field(at place: Geodetic, decimalYear: Double) throws(MagneticModelError) -> MagneticField {
    guard decimalYear >= firstYear, decimalYear <= lastYear else {
      throw .dateOutOfRange(first: firstYear, last: lastYear)
    }
    guard
      abs(place.latitudeDegrees) <= 90, place.longitudeDegrees.isFinite, place.altitude.isFinite,
      place.altitude >= Self.lowestAltitude
    else { throw .invalidPosition }
    let position = Geocentric(place)
    let axisDistance = hypot(position.x, position.y)
    let radius = position.vector.length
    let longitude = sineCosine(degrees: place.longitudeDegrees)
    let sum = Self.synthesise(
      sineLatitude: position.z / radius,
      cosineLatitude: axisDistance / radius,
      sineLongitude: longitude.sine,
      cosineLongitude: longitude.cosine,
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
  ///
  /// P(n, m) are the Schmidt semi-normalised functions of the sine of the geocentric latitude. The sum goes order by
  /// order, where a function follows from the two before it and nothing has to be kept. For m > 0 it is Q = P / cos that
  /// is carried along: the east component needs just this quotient, and it stays finite at the poles.
  private static func synthesise(
    sineLatitude: Double,
    cosineLatitude: Double,
    sineLongitude: Double,
    cosineLongitude: Double,
    ratio: Double,
    years: Double
  ) -> (field: Vector3, change: Vector3) {
    let coefficients = magneticCoefficients
    var field = Vector3.zero
    var change = Vector3.zero
    // Q(m, m); cosine and sine of m times the longitude; (reference radius / radius) to the power m + 2.
    var diagonal = 1.0
    var (cosine, sine) = (1.0, 0.0)
    var diagonalPower = ratio * ratio
    for m in 0...degree {
      let order = Double(m)
      if m > 0 {
        (cosine, sine) = (
          cosine * cosineLongitude - sine * sineLongitude, sine * cosineLongitude + cosine * sineLongitude
        )
        diagonalPower *= ratio
      }
      if m > 1 { diagonal *= (1 - 1 / (2 * order)).squareRoot() * cosineLatitude }
      let pOverQ = m == 0 ? 1 : cosineLatitude
      // This function and its slope along the latitude, the one before, and the divisor used for that one.
      var (q, slope) = (diagonal, -order * sineLatitude * diagonal)
      var (q1, slope1, divisor1) = (0.0, 0.0, 0.0)
      var power = diagonalPower
      for n in m...degree {
        if n > m {
          let divisor = Double(n * n - m * m).squareRoot()
          let factor = Double(2 * n - 1)
          (q, q1, slope, slope1) = (
            (factor * sineLatitude * q - divisor1 * q1) / divisor, q,
            (factor * (sineLatitude * slope + cosineLatitude * pOverQ * q) - divisor1 * slope1) / divisor, slope
          )
          divisor1 = divisor
          power *= ratio
        }
        // There is no magnetic monopole.
        guard n > 0 else { continue }
        let row = 4 * (n * (n + 1) / 2 + m - 1)
        let (g1, h1) = (coefficients[row + 2], coefficients[row + 3])
        let g = coefficients[row] + years * g1
        let h = coefficients[row + 1] + years * h1
        let along = -power * slope
        let across = power * order * q
        let inwards = -power * Double(n + 1) * pOverQ * q
        let term = g * cosine + h * sine
        let term1 = g1 * cosine + h1 * sine
        field.x += along * term
        field.y += across * (g * sine - h * cosine)
        field.z += inwards * term
        change.x += along * term1
        change.y += across * (g1 * sine - h1 * cosine)
        change.z += inwards * term1
      }
    }
    return (field, change)
  }
}
