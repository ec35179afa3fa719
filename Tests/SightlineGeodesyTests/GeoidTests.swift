import Foundation
import SightlineGeodesy
import SightlineTestSupport
import Testing

@Suite struct GeoidTests {
  static let file = geoidFile()
  /// Points of the grid that the file is made of.
  static let grid = goldenRows("geodesy/geoid.txt")
  /// Test values of the grid's publisher (EGM96, program `INTPT.F`): latitude, longitude, metres.
  static let published: [[Double]] = [
    [38.6281550, 269.7791550, -31.628], [-14.6212170, 305.0211140, -2.969], [46.8743190, 102.4487290, -43.575],
    [-23.6174460, 133.8747120, 15.871], [38.6254730, 359.9995000, 50.066], [-0.4667440, 0.0023000, 17.329],
  ]

  @Test func `the file is small enough for a page`() {
    #expect(Self.file.count > 50_000 && Self.file.count <= 120_000)
  }

  @Test func `points of the grid are within 0.3 m`() throws {
    var geoid = try Geoid(Self.file)
    #expect(Self.grid.count == 667)
    var largest = 0.0
    for row in Self.grid {
      let height = geoid.height(latitudeDegrees: row[0], longitudeDegrees: row[1]) ?? .nan
      #expect(abs(height - row[2]) <= 0.2901)
      largest = max(largest, abs(height - row[2]))
    }
    #expect(largest <= 0.2901, "largest error \(largest) m")
  }

  @Test(arguments: published) func `a published value is met`(row: [Double]) throws {
    var geoid = try Geoid(Self.file)
    let height = geoid.height(latitudeDegrees: row[0], longitudeDegrees: row[1]) ?? .nan
    // The file's 0.29 m, and the 0.06 m that lines between the points of the grid are from its publisher's spline.
    #expect(abs(height - row[2]) < 0.35, "\(height) m")
  }

  @Test func `it has no seam at the prime meridian or the date line, or between tiles`() throws {
    var geoid = try Geoid(Self.file)
    for latitude in stride(from: -89.9, through: 89.9, by: 7.3) {
      for longitude in [0.0, 30, 180, 330, 360] {
        let a = geoid.height(latitudeDegrees: latitude, longitudeDegrees: longitude - 1e-6) ?? .nan
        let b = geoid.height(latitudeDegrees: latitude, longitudeDegrees: longitude + 1e-6) ?? .nan
        #expect(abs(a - b) < 1e-3)
      }
      let west = geoid.height(latitudeDegrees: latitude, longitudeDegrees: -77.03)
      let east = geoid.height(latitudeDegrees: latitude, longitudeDegrees: 360 - 77.03)
      let turned = geoid.height(latitudeDegrees: latitude, longitudeDegrees: 720 - 77.03)
      #expect(abs(west! - east!) < 1e-9 && abs(west! - turned!) < 1e-9)
    }
  }

  @Test func `a pole has one height whatever its longitude`() throws {
    var geoid = try Geoid(Self.file)
    for (latitude, expected, tolerance) in [(90.0, 13.61, 0.3), (-90.0, -29.53, 0.001)] {
      for longitude in [0.0, 77.7, 180, 359.9] {
        let height = geoid.height(latitudeDegrees: latitude, longitudeDegrees: longitude) ?? .nan
        #expect(abs(height - expected) < tolerance)
      }
    }
  }

  @Test func `what is no place has no height`() throws {
    var geoid = try Geoid(Self.file)
    for (latitude, longitude) in [(90.01, 0), (.nan, 0), (0, .nan), (0, .infinity), (-.infinity, 0), (0, 1e300)] {
      let height = geoid.height(latitudeDegrees: latitude, longitudeDegrees: longitude)
      #expect(height == nil)
    }
  }

  @Test func `a damaged file is refused`() {
    #expect(throws: GeoidError.notAGeoid) { try Geoid([]) }
    #expect(throws: GeoidError.notAGeoid) { try Geoid(Array("SLGEOID".utf8)) }
    #expect(throws: GeoidError.notAGeoid) { try Geoid([UInt8](repeating: 0, count: 70_000)) }
    #expect(throws: GeoidError.damaged) { try Geoid(Array("SLGEOID1".utf8)) }
    for length in [9, 15, 16, 100, 159, 160, Self.file.count - 1] {
      #expect(throws: GeoidError.damaged) { try Geoid(Array(Self.file.prefix(length))) }
    }
    #expect(throws: GeoidError.damaged) { try Geoid(Self.file + [0]) }
    for at in [8, 12, 14, 16, 17, 160, 5000, Self.file.count - 1] {
      var changed = Self.file
      changed[at] ^= 0x40
      #expect(throws: GeoidError.damaged) { try Geoid(changed) }
    }
  }

  @Test func `a forged file with a right checksum gives heights and does not trap`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for round in 0..<20 {
      var forged = Self.file
      for _ in 0..<(1 << (round / 2)) {
        forged[Int.random(in: 160..<forged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      forged[12] = UInt8.random(in: 1...255, using: &random)
      setGeoidChecksum(&forged)
      var geoid = try Geoid(forged)
      for _ in 0..<4 {
        let latitude = Double.random(in: -90...90, using: &random)
        let height = geoid.height(
          latitudeDegrees: latitude,
          longitudeDegrees: Double.random(in: 0...360, using: &random)
        )
        #expect(height.map { abs($0) <= 328 } == true, "seed \(seed)")
      }
    }
  }

  @Test func `heights over the sea and over the ellipsoid become each other`() throws {
    var geoid = try Geoid(Self.file)
    let ulm = geoid.height(latitudeDegrees: 48.3984, longitudeDegrees: 9.9912)
    func up(_ datum: HeightDatum, as other: HeightDatum, _ geoidHeight: Double?) -> Double? {
      Height(478, above: datum).height(above: other, geoidHeight: geoidHeight)
    }
    #expect(
      abs(up(.seaLevel, as: .ellipsoid, ulm)! - 525.3) < 0.5 && abs(up(.ellipsoid, as: .seaLevel, ulm)! - 430.7) < 0.5
    )
    for datum in HeightDatum.allCases {
      #expect(up(datum, as: datum, nil) == 478)
      for other in HeightDatum.allCases where other != datum {
        #expect(up(datum, as: other, nil) == nil)
        if !datum.isAbsolute || !other.isAbsolute { #expect(up(datum, as: other, ulm) == nil) }
      }
    }
  }
}
