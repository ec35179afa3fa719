import Foundation
import SightlineGeodesy
import SightlineTestSupport
import Testing

@Suite struct MagneticModelTests {
  /// The rows of the published file: 18 columns as its own heading names them.
  static let rows: [[Double]] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/wmm")
    let text = (try? String(contentsOf: folder.appending(path: "WMM2025_TEST_VALUES.txt"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      line.split(separator: " ").compactMap { Double($0) }
    }
  }()

  @Test func `the published test values are there`() {
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
    // The largest difference seen is 0.0007 nT, all of it in the north component (a part in 10⁸ of the field).
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

  @Test func `coordinates that are none are refused`() {
    for place in [
      Geodetic(latitudeDegrees: .nan, longitudeDegrees: 0), Geodetic(latitudeDegrees: 91, longitudeDegrees: 0),
      Geodetic(latitudeDegrees: 0, longitudeDegrees: .infinity),
    ] {
      #expect(throws: MagneticModelError.invalidPosition) {
        try MagneticModel.wmm2025.field(at: place, decimalYear: 2026)
      }
    }
  }
}
