import ArgumentParser
import Foundation
import SightlineGeodesy

/// `sightline geo`.
struct Geo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compute with positions: distance, bearing, east-north-up, magnetic declination.",
    discussion: """
      Positions are WGS84 degrees and metres above the ellipsoid, written LATITUDE,LONGITUDE or \
      LATITUDE,LONGITUDE,ALTITUDE with a full stop as decimal separator: --from=48.3985,9.9925,640. Results are plain \
      numbers on standard output.
      """,
    subcommands: [Distance.self, Bearing.self, EastNorthUp.self, Declination.self]
  )

  /// Two positions.
  struct Pair: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Where from.", valueName: "lat,lon[,alt]"))
    var from: PositionArgument

    @Option(parsing: .unconditional, help: ArgumentHelp("Where to.", valueName: "lat,lon[,alt]"))
    var to: PositionArgument
  }

  struct Distance: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Metres along the great circle, altitudes left aside (sphere of the mean radius)."
    )

    @OptionGroup var pair: Pair

    func run() {
      Console.say(decimal(greatCircleDistance(from: pair.from.geodetic, to: pair.to.geodetic), 3))
    }
  }

  struct Bearing: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Degrees clockwise from true north, 0 to 360, at the start of the great circle."
    )

    @OptionGroup var pair: Pair

    func run() throws {
      guard let bearing = initialBearing(from: pair.from.geodetic, to: pair.to.geodetic) else {
        throw Failure("There is no bearing: the two positions coincide, are antipodes, or the first is a pole.")
      }
      let degrees = bearing.degrees < 0 ? bearing.degrees + 360 : bearing.degrees
      // Rounding may give 360, which is 0.
      let text = decimal(degrees, 6)
      Console.say(text.hasPrefix("360") ? decimal(0, 6) : text)
    }
  }

  struct EastNorthUp: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "enu",
      abstract: "Metres east, north and up of one position seen from another (ellipsoid, exact)."
    )

    @OptionGroup var pair: Pair

    func run() {
      let point = EastNorthUpFrame(origin: pair.from.geodetic).point(pair.to.geodetic)
      Console.say([point.x, point.y, point.z].map { decimal($0, 4) }.joined(separator: " "))
    }
  }

  struct Declination: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Degrees of magnetic north east of true north (World Magnetic Model 2025, 2025.0 to 2030.0).",
      discussion: "Example: sightline geo declination --lat=48.4 --lon=10 --alt=480 --date=2026.5"
    )

    @Option(parsing: .unconditional, help: "Latitude, degrees, -90 to 90.")
    var lat: Double

    @Option(parsing: .unconditional, help: "Longitude, degrees, -180 to 180 or 0 to 360.")
    var lon: Double

    @Option(parsing: .unconditional, help: "Metres above the ellipsoid.")
    var alt: Double = 0

    @Option(parsing: .unconditional, help: "Decimal year, such as 2026.5.")
    var date: Double

    func validate() throws {
      _ = try PositionArgument.checked(lat, lon, alt)
      guard date.isFinite else { throw ValidationError("--date is not a number of years.") }
    }

    func run() throws {
      let place = try PositionArgument.checked(lat, lon, alt)
      do throws(MagneticModelError) {
        let field = try MagneticModel.wmm2025.field(at: place, decimalYear: date)
        Console.say(decimal(field.declination.degrees, 6))
      } catch {
        let model = MagneticModel.wmm2025
        throw Failure(
          "The World Magnetic Model gives no answer for \(lat), \(lon), \(alt) m in \(date): it holds from "
            + "\(model.firstYear) to \(model.lastYear) and near the surface. Correct --date or --alt."
        )
      }
    }
  }
}

/// `48.3985,9.9925,640`.
struct PositionArgument: ExpressibleByArgument {
  var geodetic: Geodetic

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    guard parts.count == 2 || parts.count == 3, let latitude = parts[0], let longitude = parts[1] else { return nil }
    guard let altitude = parts.count == 3 ? parts[2] : 0 else { return nil }
    guard let geodetic = try? Self.checked(latitude, longitude, altitude) else { return nil }
    self.geodetic = geodetic
  }

  static func checked(_ latitude: Double, _ longitude: Double, _ altitude: Double) throws -> Geodetic {
    guard abs(latitude) <= 90 else { throw ValidationError("The latitude \(latitude) is outside -90 to 90 degrees.") }
    // Tables of test values also count longitudes from 0 to 360.
    guard longitude >= -180, longitude <= 360 else {
      throw ValidationError("The longitude \(longitude) is outside -180 to 180 degrees (or 0 to 360).")
    }
    guard altitude.isFinite else { throw ValidationError("The altitude is not a number of metres.") }
    let wrapped = longitude > 180 ? longitude - 360 : longitude
    return Geodetic(latitudeDegrees: latitude, longitudeDegrees: wrapped, altitude: altitude)
  }
}

/// A number with so many decimals, never "-0".
private func decimal(_ value: Double, _ decimals: Int) -> String {
  let text = String(format: "%.\(decimals)f", value)
  return text.contains { ("1"..."9").contains($0) } ? text : text.replacingOccurrences(of: "-", with: "")
}
