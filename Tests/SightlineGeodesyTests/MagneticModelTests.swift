import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct MagneticModelTests {
  /// The rows of the published file: 18 columns as its own heading names them.
  static let rows = goldenRows("wmm/WMM2025_TEST_VALUES.txt")
  /// The same formulas evaluated with 50 digits.
  static let exactRows = goldenRows("geodesy/magnetic-field.txt")

  @Test func `the table of published test values is complete`() {
    #expect(Self.rows.count == 100)
    #expect(Self.rows.allSatisfy { $0.count == 18 })
  }

  @Test(arguments: rows) func `a published row is reproduced in every column`(row: [Double]) throws {
    let place = Geodetic(latitudeDegrees: row[2], longitudeDegrees: row[3], altitude: row[1] * 1000)
    let f = try MagneticModel.wmm2025.field(at: place, decimalYear: row[0])
    // Half a unit of the last printed digit.
    #expect(isNear(f.declination.degrees, row[4], within: 0.005_001))
    #expect(isNear(f.inclination.degrees, row[5], within: 0.005_001))
    let nanotesla = [f.horizontal, f.north, f.east, f.down, f.total]
    // The largest difference seen is 0.0007 nT, all of it in the north component. It is in the published numbers: the
    // formulas evaluated with 40 digits differ from them by the same amount.
    for (k, value) in nanotesla.enumerated() { #expect(isNear(value, row[6 + k], within: 1e-3)) }
    let changes = [
      f.declinationPerYear.degrees, f.inclinationPerYear.degrees, f.horizontalPerYear, f.northPerYear, f.eastPerYear,
      f.downPerYear, f.totalPerYear,
    ]
    for (k, value) in changes.enumerated() { #expect(isNear(value, row[11 + k], within: 2e-6)) }
  }

  @Test(arguments: [2024.999, 2030.001, .nan, -.infinity]) func `a date outside the model is refused`(year: Double) {
    let place = Geodetic(latitudeDegrees: 48, longitudeDegrees: 10)
    #expect(throws: MagneticModelError.dateOutOfRange(first: 2025, last: 2030)) {
      try MagneticModel.wmm2025.field(at: place, decimalYear: year)
    }
  }

  @Test(arguments: [2025.0, 2030.0]) func `the first and the last date are inside`(year: Double) throws {
    _ = try MagneticModel.wmm2025.field(at: Geodetic(latitudeDegrees: 48, longitudeDegrees: 10), decimalYear: year)
  }

  @Test(arguments: [90.0, -90.0]) func `a geographic pole has the field of its neighbourhood`(latitude: Double) throws {
    let model = MagneticModel.wmm2025
    let pole = try model.field(at: Geodetic(latitudeDegrees: latitude, longitudeDegrees: 30), decimalYear: 2027)
    let near = try model.field(
      at: Geodetic(latitudeDegrees: latitude * (1 - 1e-9), longitudeDegrees: 30),
      decimalYear: 2027
    )
    #expect(isNear(pole.north, near.north, within: 1e-3))
    #expect(isNear(pole.east, near.east, within: 1e-3))
    #expect(isNear(pole.down, near.down, within: 1e-3))
  }

  @Test func `the same place on both sides of the date line has the same field`() throws {
    let model = MagneticModel.wmm2025
    let west = try model.field(at: Geodetic(latitudeDegrees: -17, longitudeDegrees: -180), decimalYear: 2026)
    let east = try model.field(at: Geodetic(latitudeDegrees: -17, longitudeDegrees: 180), decimalYear: 2026)
    #expect(isNear(west.declination.degrees, east.declination.degrees, within: 1e-9))
  }

  @Test func `a compass is useless at the magnetic pole and fine at home`() throws {
    let model = MagneticModel.wmm2025
    // Position of the north magnetic dip pole for 2025 as published with the model: 85.762° N, 139.298° E.
    let pole = try model.field(at: Geodetic(latitudeDegrees: 85.762, longitudeDegrees: 139.298), decimalYear: 2025)
    #expect(pole.compass == .unreliable)
    #expect(pole.horizontal < 20)
    #expect(
      try model.field(at: Geodetic(latitudeDegrees: 48, longitudeDegrees: 10), decimalYear: 2026).compass == .usable
    )
  }

  @Test func `coordinates that are not finite are refused`() {
    for place in [
      Geodetic(latitudeDegrees: .nan, longitudeDegrees: 0), Geodetic(latitudeDegrees: 91, longitudeDegrees: 0),
      Geodetic(latitudeDegrees: 0, longitudeDegrees: .infinity),
    ] {
      #expect(throws: MagneticModelError.invalidPosition) {
        try MagneticModel.wmm2025.field(at: place, decimalYear: 2026)
      }
    }
  }

  @Test func `the table of exact values is complete`() {
    #expect(Self.exactRows.count == 10)
    #expect(Self.exactRows.allSatisfy { $0.count == 7 })
  }

  @Test(arguments: exactRows) func `a field computed with 50 digits is met, at the poles too`(row: [Double]) throws {
    let place = Geodetic(latitudeDegrees: row[1], longitudeDegrees: row[2], altitude: row[3])
    let f = try MagneticModel.wmm2025.field(at: place, decimalYear: row[0])
    // 1e-14 of the field; the date itself is good to 5e-13 years.
    #expect(isNear(f.north, row[4], within: 1e-9))
    #expect(isNear(f.east, row[5], within: 1e-9))
    #expect(isNear(f.down, row[6], within: 1e-9))
  }

  @Test func `the change a year is what a year changes`() throws {
    var g = SplitMix64(seed: 61)
    for i in 0..<200 {
      let place = Geodetic(
        latitudeDegrees: .random(in: -90...90, using: &g),
        longitudeDegrees: .random(in: -180...180, using: &g),
        altitude: .random(in: -1000...850_000, using: &g)
      )
      let first = try MagneticModel.wmm2025.field(at: place, decimalYear: 2025)
      let last = try MagneticModel.wmm2025.field(at: place, decimalYear: 2030)
      // The components change evenly.
      #expect(isNear(last.north, first.north + 5 * first.northPerYear, within: 1e-9), "seed 61, case \(i)")
      #expect(isNear(last.east, first.east + 5 * first.eastPerYear, within: 1e-9), "seed 61, case \(i)")
      #expect(isNear(last.down, first.down + 5 * first.downPerYear, within: 1e-9), "seed 61, case \(i)")
      let middle = try MagneticModel.wmm2025.field(at: place, decimalYear: 2027.5)
      let sooner = try MagneticModel.wmm2025.field(at: place, decimalYear: 2027.499)
      let later = try MagneticModel.wmm2025.field(at: place, decimalYear: 2027.501)
      guard middle.compass == .usable else { continue }
      let turn = (later.declination - sooner.declination).wrapped.degrees / 0.002
      #expect(isNear(turn, middle.declinationPerYear.degrees, within: 1e-7), "seed 61, case \(i)")
      let dip = (later.inclination - sooner.inclination).degrees / 0.002
      #expect(isNear(dip, middle.inclinationPerYear.degrees, within: 1e-7), "seed 61, case \(i)")
      #expect(isNear((later.total - sooner.total) / 0.002, middle.totalPerYear, within: 1e-4), "seed 61, case \(i)")
      #expect(
        isNear((later.horizontal - sooner.horizontal) / 0.002, middle.horizontalPerYear, within: 1e-4),
        "seed 61, case \(i)"
      )
    }
  }

  @Test func `the example of the documentation holds`() throws {
    let ulm = Geodetic(latitudeDegrees: 48.4, longitudeDegrees: 9.99, altitude: 480)
    let field = try MagneticModel.wmm2025.field(at: ulm, decimalYear: 2026.5)
    #expect(isNear(field.declination.degrees, 3.99, within: 0.005))
  }

  @Test(arguments: [(1999.9, 0), (2000, 1), (5999.9, 1), (6000, 2), (.nan, 0)] as [(Double, UInt8)])
  func `the zones of a compass begin at the published limits`(horizontal: Double, expected: UInt8) throws {
    var field = try MagneticModel.wmm2025.field(
      at: Geodetic(latitudeDegrees: 0, longitudeDegrees: 0),
      decimalYear: 2026
    )
    field.north = 0
    field.east = horizontal
    #expect(field.compass.rawValue == expected)
  }

  @Test(arguments: [-100_001, -.infinity, .nan, .infinity] as [Double])
  func `an altitude that is not finite is refused`(altitude: Double) {
    #expect(throws: MagneticModelError.invalidPosition) {
      try MagneticModel.wmm2025.field(
        at: Geodetic(latitudeDegrees: 0, longitudeDegrees: 0, altitude: altitude),
        decimalYear: 2026
      )
    }
  }
}
