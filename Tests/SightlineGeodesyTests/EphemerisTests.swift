import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineGeodesy

/// Golden values: Meeus, Astronomical Algorithms, 2nd edition (examples by number), and Reda & Andreas, Solar Position
/// Algorithm, NREL/TP-560-34302, appendix A.5.
@Suite struct EphemerisTests {
  private func centuries(_ julianDate: Double) -> Double { (julianDate - 2_451_545) / 36_525 }

  @Test func `sidereal time, example 12b`() {
    // 1987 April 10, 19:21:00 UT.
    let degrees = Ephemeris.siderealDegrees(2_446_896.30625)
    #expect(isNear(degrees < 0 ? degrees + 360 : degrees, 128.7378734, within: 1e-6))
  }

  @Test func `the sun, example 25a`() {
    // 1992 October 13, 0 h TD.
    let t = centuries(2_448_908.5)
    let sun = Ephemeris.sun(t)
    let equatorial = Ephemeris.rightAscension(sun, obliquity: Ephemeris.obliquity(t))
    #expect(isNear(equatorial.rightAscension + 360, 198.38083, within: 0.0005))
    #expect(isNear(equatorial.declination, -7.78507, within: 0.0005))
    #expect(isNear(sun.distance / 149_597_871, 0.99766, within: 1e-5))
  }

  @Test func `the moon, example 47a`() {
    // 1992 April 12, 0 h TD.
    let t = centuries(2_448_724.5)
    let moon = Ephemeris.moon(t)
    #expect(isNear(moon.longitude < 0 ? moon.longitude + 360 : moon.longitude, 133.167265, within: 0.02))
    #expect(isNear(moon.latitude, -3.229126, within: 0.01))
    #expect(isNear(moon.distance, 368_409.7, within: 200))
    let equatorial = Ephemeris.rightAscension(moon, obliquity: Ephemeris.obliquity(t))
    #expect(isNear(equatorial.rightAscension, 134.688470, within: 0.02))
    #expect(isNear(equatorial.declination, 13.768368, within: 0.02))
  }

  @Test func `the sun from a place, the example of the Solar Position Algorithm`() {
    // 17 October 2003, 19:30:30 UT; zenith angle with refraction 50.11162°, azimuth 194.34024°.
    let place = Geodetic(latitudeDegrees: 39.742476, longitudeDegrees: -105.1786, altitude: 1830.14)
    let direction = Ephemeris.direction(of: .sun, from: place, julianDate: 2_452_930.312847)
    #expect(isNear(direction.azimuth.degrees + 360, 194.34024, within: 0.01))
    #expect(isNear(direction.elevation.degrees, 39.872046, within: 0.01))
    #expect(isNear(direction.apparentElevation.degrees, 90 - 50.11162, within: 0.01))
  }

  @Test func `the moon is lower for being near`() {
    // At the horizon by its parallax of nearly a degree, at the zenith not at all: compare with a sky seen from the
    // Earth's centre, where its elevation follows from right ascension, declination and sidereal time.
    let place = Geodetic(latitudeDegrees: 48.4, longitudeDegrees: 10)
    for hour in 0..<240 {
      let date = 2_461_200.5 + Double(hour) / 24
      let t = centuries(date + 69.2 / 86_400)
      let moon = Ephemeris.moon(t)
      let e = Ephemeris.rightAscension(moon, obliquity: Ephemeris.obliquity(t))
      let angle = Angle(degrees: Ephemeris.siderealDegrees(date) + place.longitudeDegrees - e.rightAscension).radians
      let (lat, dec) = (Angle(degrees: place.latitudeDegrees).radians, Angle(degrees: e.declination).radians)
      let elevation = asin(sin(lat) * sin(dec) + cos(lat) * cos(dec) * cos(angle))
      let seen = Ephemeris.direction(of: .moon, from: place, julianDate: date)
      let parallax = asin(6371 / moon.distance) * cos(elevation)
      #expect(isNear(Angle(radians: elevation - parallax).degrees, seen.elevation.degrees, within: 0.02))
      // Meeus (13.5), azimuth from the south.
      let azimuth = atan2(sin(angle), cos(angle) * sin(lat) - tan(dec) * cos(lat)) + pi
      #expect(isNear(wrapToPi(azimuth - seen.azimuth.radians), 0, within: 1e-6))
    }
  }

  @Test(arguments: [(2000.0, 2_451_544.5), (2024, 2_460_310.5), (2025, 2_460_676.5), (1900, 2_415_020.5)])
  func `decimal years are dates`(year: Double, date: Double) {
    #expect(Ephemeris.julianDate(decimalYear: year) == date)
    let isLeap = year == 2000 || year == 2024
    #expect(isNear(Ephemeris.julianDate(decimalYear: year + 0.5), date + (isLeap ? 183 : 182.5), within: 1e-5))
  }
}
