import SightlineGeodesy
import SightlineMath

// Geodesy for the map and the list, so that the page has none of its own. Degrees in; NaN is "no answer".

/// Distance along the ground, metres.
@_expose(wasm) @c public func sl_distance(
  _ fromLatitude: Double,
  _ fromLongitude: Double,
  _ toLatitude: Double,
  _ toLongitude: Double
) -> Double {
  greatCircleDistance(
    from: Geodetic(latitudeDegrees: fromLatitude, longitudeDegrees: fromLongitude),
    to: Geodetic(latitudeDegrees: toLatitude, longitudeDegrees: toLongitude)
  )
}

/// Initial bearing, degrees clockwise from true north.
@_expose(wasm) @c public func sl_bearing(
  _ fromLatitude: Double,
  _ fromLongitude: Double,
  _ toLatitude: Double,
  _ toLongitude: Double
) -> Double {
  initialBearing(
    from: Geodetic(latitudeDegrees: fromLatitude, longitudeDegrees: fromLongitude),
    to: Geodetic(latitudeDegrees: toLatitude, longitudeDegrees: toLongitude)
  )?.degrees ?? .nan
}

/// Magnetic declination, degrees east of true north.
@_expose(wasm) @c public func sl_declination(
  _ latitude: Double,
  _ longitude: Double,
  _ altitude: Double,
  _ decimalYear: Double
) -> Double {
  do throws(MagneticModelError) {
    let place = Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude, altitude: altitude)
    return try MagneticModel.wmm2025.field(at: place, decimalYear: decimalYear).declination.degrees
  } catch {
    return .nan
  }
}

/// Where the sun (0) or the moon (1) is seen: azimuth, degrees clockwise from true north.
@_expose(wasm) @c public func sl_body_azimuth(
  _ body: Int32,
  _ latitude: Double,
  _ longitude: Double,
  _ decimalYear: Double
) -> Double {
  direction(body, latitude, longitude, decimalYear)?.azimuth.degrees ?? .nan
}

/// Where the sun (0) or the moon (1) is seen: elevation through the atmosphere, degrees.
@_expose(wasm) @c public func sl_body_elevation(
  _ body: Int32,
  _ latitude: Double,
  _ longitude: Double,
  _ decimalYear: Double
) -> Double {
  direction(body, latitude, longitude, decimalYear)?.apparentElevation.degrees ?? .nan
}

private func direction(
  _ body: Int32,
  _ latitude: Double,
  _ longitude: Double,
  _ decimalYear: Double
) -> Ephemeris.Direction? {
  guard latitude.magnitude <= 90, longitude.magnitude <= 180, decimalYear.isFinite, let body = UInt8(exactly: body),
    let known = Ephemeris.Body(rawValue: body)
  else { return nil }
  return Ephemeris.direction(
    of: known,
    from: Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude),
    julianDate: Ephemeris.julianDate(decimalYear: decimalYear)
  )
}
