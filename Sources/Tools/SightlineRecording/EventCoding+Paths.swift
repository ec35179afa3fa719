import SightlineGeodesy
import SightlineInput
import SightlineScene

// Lines and areas of a world, and how they are drawn.
extension EventCoding {
  /// Behind the things: the paths, their corners, and the colours of the features that they belong to.
  static func encodePaths(of world: RecordedWorld, _ out: inout ByteWriter) {
    let description = world.description
    out.put(UInt32(clamping: description.paths.count))
    for path in description.paths {
      out.putRecord { record in
        record.put(path.feature)
        record.put(path.shape)
        record.put(path.isRing)
        record.put(path.altitudeDatum.rawValue)
        record.put(Int32(clamping: path.vertices.lowerBound))
        record.put(Int32(clamping: path.vertices.count))
      }
    }
    out.put(UInt32(clamping: description.pathVertices.count))
    for corner in description.pathVertices {
      out.put(corner.latitudeDegrees)
      out.put(corner.longitudeDegrees)
      out.put(corner.altitude)
    }
    out.put(UInt32(clamping: world.pathStyles.count))
    for (feature, style) in world.pathStyles.sorted(by: { $0.key < $1.key }) {
      out.putRecord { record in
        record.put(feature)
        record.put(style.stroke.map { Int32(clamping: $0) } ?? -1)
        record.put(style.strokeOpacity ?? .nan)
        record.put(style.fill.map { Int32(clamping: $0) } ?? -1)
        record.put(style.fillOpacity ?? .nan)
        record.put(style.width ?? .nan)
      }
    }
  }

  /// Reads them; `false` when they are damaged.
  static func decodePaths(_ source: inout ByteReader, into world: inout RecordedWorld) -> Bool {
    guard let paths = source.u32() else { return false }
    for _ in 0..<paths {
      guard var record = source.record(), let feature = record.i32(), let shape = record.i32(),
        let isRing = record.bool(), let datum = record.u8(), let first = record.i32(), let count = record.i32(),
        first >= 0, count >= 0
      else { return false }
      world.description.paths.append(
        ScenePath(
          feature: feature,
          shape: shape,
          isRing: isRing,
          vertices: Int(first)..<(Int(first) + Int(count)),
          altitudeDatum: HeightDatum(rawValue: datum) ?? .ellipsoid
        )
      )
    }
    guard let corners = source.u32() else { return false }
    for _ in 0..<corners {
      guard let latitude = source.f64(), let longitude = source.f64(), let altitude = source.f64() else { return false }
      world.description.pathVertices.append(
        PathVertex(latitudeDegrees: latitude, longitudeDegrees: longitude, altitude: altitude)
      )
    }
    guard let styles = source.u32() else { return false }
    for _ in 0..<styles {
      guard var record = source.record(), let feature = record.i32(), let stroke = record.i32(),
        let strokeOpacity = record.f64(), let fill = record.i32(), let fillOpacity = record.f64(),
        let width = record.f64()
      else { return false }
      world.pathStyles[feature] = RecordedPathStyle(
        stroke: UInt32(exactly: stroke),
        strokeOpacity: strokeOpacity.isNaN ? nil : strokeOpacity,
        fill: UInt32(exactly: fill),
        fillOpacity: fillOpacity.isNaN ? nil : fillOpacity,
        width: width.isNaN ? nil : width
      )
    }
    return world.description.paths.allSatisfy { $0.vertices.upperBound <= world.description.pathVertices.count }
  }
}
