import SightlineContent

/// A geometry as far as it is used: its type, its corners, and the lines and areas among its parts.
struct GeoJSONShape {
  var type: String?
  var corners: [Position] = []
  var shapes: [Shape] = []
  /// The points that stand alone among its parts.
  var points: [Position] = []

  /// Where the label stands: at the only point there is, else at the middle of all corners.
  var middle: Position? { points.count == 1 ? points[0] : .middle(of: corners) }
}

extension GeoJSONReader {
  /// Reads a geometry.
  ///
  /// - Returns: The shape, or `nil` after a report.
  mutating func shape(_ node: JSONNode, path: String) -> GeoJSONShape? {
    guard case .string(let type)? = node["type"]?.value, GeoJSONReader.geometryTypes.contains(type) else {
      problems.add(
        .error,
        "field.type",
        line: node.line,
        path: JSONPointer.member(path, "type"),
        "The geometry is \(node["type"]?.plainText.map { "of type \(quoted($0))" } ?? "\(node.kind) without a type"); "
          + "known are Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon and GeometryCollection. The "
          + "feature is left out; correct it."
      )
      return nil
    }
    var shape = GeoJSONShape(type: type)
    if type == "GeometryCollection" {
      guard case .array(let parts)? = node["geometries"]?.value else {
        missing("geometries", of: node, path: path, "an array of geometries")
        return nil
      }
      for (index, part) in parts.enumerated() {
        guard let inner = self.shape(part, path: "\(path)/geometries/\(index)") else { return nil }
        shape.corners += inner.corners
        shape.shapes += inner.shapes
        shape.points += inner.points
      }
      return shape
    }
    let depths = ["Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3]
    guard let coordinates = node["coordinates"], case .array(let items) = coordinates.value else {
      missing("coordinates", of: node, path: path, "an array of positions or numbers")
      return nil
    }
    rings.removeAll()
    // Empty coordinates behave like a null geometry.
    if items.isEmpty { return GeoJSONShape(type: type == "Point" ? nil : type) }
    let isFine = collect(
      coordinates,
      depth: depths[type] ?? 0,
      type: type,
      path: JSONPointer.member(path, "coordinates"),
      into: &shape
    )
    return isFine ? shape : nil
  }

  private mutating func collect(
    _ node: JSONNode,
    depth: Int,
    type: String,
    path: String,
    into shape: inout GeoJSONShape
  ) -> Bool {
    guard case .array(let items) = node.value else {
      return refuse(node, path, "is \(node.kind) where an array belongs")
    }
    if depth == 0 {
      guard let position = position(items, node, path: path) else { return false }
      shape.corners.append(position)
      if type.hasSuffix("Point") { shape.points.append(position) }
      return true
    }
    let first = shape.corners.count
    for (index, item) in items.enumerated() {
      guard collect(item, depth: depth - 1, type: type, path: "\(path)/\(index)", into: &shape) else { return false }
    }
    if type.hasSuffix("Polygon"), depth == 1 {
      let ring = shape.corners[first...]
      let isClosed = ring.first?.latitude == ring.last?.latitude && ring.first?.longitude == ring.last?.longitude
      guard ring.count >= 4, isClosed else {
        problems.add(
          .error,
          "geometry.ring",
          line: node.line,
          path: path,
          "A ring has \(ring.count) positions\(isClosed ? "" : " and is open"); it needs at least 4, the last equal to "
            + "the first. The feature is left out; correct it."
        )
        return false
      }
      // The closing corner would count twice.
      shape.corners.removeLast()
      rings.append(Array(shape.corners[first...]))
    } else if type.hasSuffix("LineString"), depth == 1 {
      guard items.count >= 2 else { return refuse(node, path, "has \(items.count) positions; a line needs two") }
      shape.shapes.append(.line(Array(shape.corners[first...])))
    }
    if type.hasSuffix("Polygon"), depth == 2 {
      shape.shapes.append(Shape(kind: .area, parts: rings))
      rings.removeAll()
    }
    return true
  }

  private mutating func position(_ items: [JSONNode], _ node: JSONNode, path: String) -> Position? {
    var numbers: [Double] = []
    for item in items.prefix(3) {
      guard case .number(let value, _) = item.value else {
        _ = refuse(item, path, "holds \(item.kind) (\(quoted(item.text))) where a number belongs")
        return nil
      }
      numbers.append(value)
    }
    guard numbers.count >= 2 else {
      _ = refuse(node, path, "has \(numbers.count) numbers; a position needs longitude and latitude")
      return nil
    }
    if items.count > 3 {
      let known = ignored["position"]
      ignored["position"] = ((known?.count ?? 0) + 1, known?.line ?? node.line, known?.path ?? path)
    }
    guard problems.checkRange(latitude: numbers[1], longitude: numbers[0], line: node.line, path: path) else {
      return nil
    }
    return Position(latitude: numbers[1], longitude: numbers[0], altitude: numbers.count > 2 ? numbers[2] : nil)
  }

  private mutating func refuse(_ node: JSONNode, _ path: String, _ reason: String) -> Bool {
    problems.add(
      .error,
      "field.type",
      line: node.line,
      path: path,
      "coordinates \(reason). The feature is left out; write [longitude, latitude] or [longitude, latitude, height]."
    )
    return false
  }
}
