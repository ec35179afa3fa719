import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineWasmMemory

// Finding north with the user's help. A display point whose coordinates are NaN is the display's centre.

/// What was seen at the first point of the display is at the second now.
@_expose(wasm) @c public func sl_drag_world(_ time: Double, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
  session.handle(.dragWorld(from: Vector2(x1, y1), to: Vector2(x2, y2)), at: time)
}

/// A landmark is seen at a point of the display; degrees, metres (NaN when the altitude is unknown).
@_expose(wasm) @c public func sl_point_at_place(
  _ time: Double,
  _ latitude: Double,
  _ longitude: Double,
  _ altitude: Double,
  _ x: Double,
  _ y: Double
) {
  let place = Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude, altitude: altitude)
  session.handle(.pointAtPlace(place, at: point(x, y)), at: time)
}

/// A feature is seen at a point of the display.
@_expose(wasm) @c public func sl_point_at_feature(_ time: Double, _ feature: Int32, _ x: Double, _ y: Double) {
  session.handle(.pointAtFeature(feature, at: point(x, y)), at: time)
}

/// The sun (0) or the moon (1) is seen at a point of the display.
@_expose(wasm) @c public func sl_point_at_body(_ time: Double, _ body: Int32, _ x: Double, _ y: Double) {
  session.handle(.pointAtBody(body == 1 ? .moon : .sun, at: point(x, y)), at: time)
}

/// A correction from an earlier session, as `sl_heading_corrections` had it.
@_expose(wasm) @c public func sl_restore_heading_correction(
  _ time: Double,
  _ angleDegrees: Double,
  _ deviationDegrees: Double,
  _ latitude: Double,
  _ longitude: Double,
  _ decimalYear: Double
) {
  let correction = HeadingCorrection(
    angle: Angle(degrees: angleDegrees),
    deviation: Angle(degrees: deviationDegrees),
    place: Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude),
    decimalYear: decimalYear.isNaN ? nil : decimalYear
  )
  session.handle(.restoreHeadingCorrection(correction), at: time)
}

/// No corrections any more.
@_expose(wasm) @c public func sl_forget_heading_corrections(_ time: Double) {
  session.handle(.forgetHeadingCorrections, at: time)
}

/// What to store of the corrections: their number, then for each angle and deviation in degrees, latitude, longitude, and
/// the decimal year (NaN when unknown).
@_expose(wasm) @c public func sl_heading_corrections() -> UnsafeMutablePointer<Double> {
  let corrections = session.headingCorrections
  output.reserve(1 + 5 * corrections.count)
  var out = Writer(output.base)
  out.put(corrections.count)
  for k in 0..<corrections.count {
    let correction = corrections[k]
    out.put(correction.angle.degrees)
    out.put(correction.deviation.degrees)
    out.put(correction.place.latitudeDegrees)
    out.put(correction.place.longitudeDegrees)
    out.put(correction.decimalYear ?? .nan)
  }
  return output.base
}

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()

private func point(_ x: Double, _ y: Double) -> Vector2? { x.isFinite && y.isFinite ? Vector2(x, y) : nil }
