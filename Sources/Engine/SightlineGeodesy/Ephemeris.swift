import SightlineMath

/// Where sun and moon stand in the sky, good enough to point a phone by: within 0.01° (sun) and 0.05° (moon).
///
/// Sources: J. Meeus, Astronomical Algorithms, 2nd edition, chapters 12 (sidereal time), 13 (horizontal coordinates), 22
/// (obliquity), 25 (sun, low accuracy), 40 (parallax) and 47 (moon, its largest terms).
public enum Ephemeris {
  /// A body to point at.
  public enum Body: UInt8, Sendable {
    /// The sun.
    case sun = 0
    /// The moon.
    case moon = 1
  }

  /// A direction in the sky.
  public struct Direction: Equatable, Sendable {
    /// Clockwise from true north, −π … π.
    public var azimuth: Angle
    /// Above the horizon, without refraction.
    public var elevation: Angle

    /// A direction.
    public init(azimuth: Angle, elevation: Angle) {
      self.azimuth = azimuth
      self.elevation = elevation
    }

    /// The elevation at which the body is seen through an ordinary atmosphere.
    ///
    /// Source: Saemundsson 1986, Meeus (16.4); 0 below −1°.
    public var apparentElevation: Angle {
      let h = elevation.degrees
      guard h > -1 else { return elevation }
      return Angle(degrees: h + 1.02 / 60 / tan(Angle(degrees: h + 10.3 / (h + 5.11)).radians))
    }
  }

  /// Difference of terrestrial to universal time, seconds: that of the 2020s, which changes by less than a second a year.
  private static let terrestrialDifference = 69.2

  /// The Julian date of a decimal year of the Gregorian calendar, universal time.
  ///
  /// The fraction of a decimal year is that of the year's own length, 365 or 366 days.
  public static func julianDate(decimalYear: Double) -> Double {
    let year = decimalYear.rounded(.down)
    let isLeap = fmod(year, 4) == 0 && (fmod(year, 100) != 0 || fmod(year, 400) == 0)
    let before = year - 1
    let leapDays = (before / 4).rounded(.down) - (before / 100).rounded(.down) + (before / 400).rounded(.down)
    // 1 January of year 1, 0 h, is 1721425.5.
    return 1_721_425.5 + 365 * before + leapDays + (decimalYear - year) * (isLeap ? 366 : 365)
  }

  /// Where a body stands as seen from a place.
  ///
  /// - Parameters:
  ///   - body: sun or moon.
  ///   - position: the place; its altitude does not matter.
  ///   - julianDate: universal time.
  /// - Returns: its direction, without refraction.
  public static func direction(of body: Body, from position: Geodetic, julianDate: Double) -> Direction {
    let centuries = (julianDate + terrestrialDifference / 86_400 - 2_451_545) / 36_525
    let place = body == .sun ? sun(centuries) : moon(centuries)
    let obliquity = self.obliquity(centuries)
    let vector = equatorial(place, obliquity: obliquity)
    // Hour angle, towards the west; the equation of the equinoxes is below 0.0003°.
    let sidereal = siderealDegrees(julianDate) + position.longitudeDegrees
    let turn = sineCosine(degrees: sidereal)
    let x = vector.x * turn.cosine + vector.y * turn.sine
    let west = vector.x * turn.sine - vector.y * turn.cosine
    let latitude = sineCosine(degrees: position.latitudeDegrees)
    // Towards south and up at the place; what the moon is lower for being near is taken off in kilometres.
    let south = x * latitude.sine - vector.z * latitude.cosine
    let up = x * latitude.cosine + vector.z * latitude.sine - 6371 * (body == .moon ? 1 : 0)
    return Direction(
      azimuth: Angle(radians: atan2(-west, -south)),
      elevation: Angle(radians: atan2(up, hypot(west, south)))
    )
  }

  /// Ecliptic longitude and latitude of date, degrees, and distance, kilometres.
  struct Place {
    var longitude: Double
    var latitude: Double
    var distance: Double
  }

  private static func equatorial(_ p: Place, obliquity: Double) -> Vector3 {
    let (l, b, e) = (
      sineCosine(degrees: p.longitude), sineCosine(degrees: p.latitude), sineCosine(degrees: obliquity)
    )
    let (x, y, z) = (b.cosine * l.cosine, b.cosine * l.sine, b.sine)
    return Vector3(x, y * e.cosine - z * e.sine, y * e.sine + z * e.cosine) * p.distance
  }

  /// Right ascension and declination, degrees.
  static func rightAscension(_ p: Place, obliquity: Double) -> (rightAscension: Double, declination: Double) {
    let v = equatorial(p, obliquity: obliquity)
    return (Angle(radians: atan2(v.y, v.x)).degrees, Angle(radians: atan2(v.z, hypot(v.x, v.y))).degrees)
  }

  /// Mean sidereal time at Greenwich, degrees; Meeus (12.4).
  static func siderealDegrees(_ julianDate: Double) -> Double {
    let days = julianDate - 2_451_545
    let t = days / 36_525
    return fmod(280.46061837 + 360.98564736629 * days + t * t * (0.000387933 - t / 38_710_000), 360)
  }

  /// True obliquity of the ecliptic, degrees; Meeus (22.2) with the largest term of the nutation.
  static func obliquity(_ t: Double) -> Double {
    23.4392911 - 0.0130042 * t + 0.00256 * sineCosine(degrees: 125.04 - 1934.136 * t).cosine
  }

  /// The sun's apparent place; Meeus, chapter 25.
  static func sun(_ t: Double) -> Place {
    let mean = 280.46646 + t * (36000.76983 + t * 0.0003032)
    let anomaly = 357.52911 + t * (35999.05029 - t * 0.0001537)
    func s(_ factor: Double) -> Double { sineCosine(degrees: factor * anomaly).sine }
    let centre = (1.914602 - t * (0.004817 + t * 0.000014)) * s(1) + (0.019993 - 0.000101 * t) * s(2) + 0.000289 * s(3)
    let nutation = -0.00478 * sineCosine(degrees: 125.04 - 1934.136 * t).sine
    let eccentricity = 0.016708634 - t * 0.000042037
    let distance =
      149_597_871 * 1.000001018 * (1 - eccentricity * eccentricity)
      / (1 + eccentricity * sineCosine(degrees: anomaly + centre).cosine)
    // The last constant is the aberration.
    return Place(longitude: fmod(mean + centre + nutation - 0.00569, 360), latitude: 0, distance: distance)
  }
}
