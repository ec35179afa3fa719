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
