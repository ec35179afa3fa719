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
  mutating func shape(_ node: JSONNode, path: DocumentPath) -> GeoJSONShape? {
    var shape = GeoJSONShape()
    guard add(node, path: path, to: &shape) else { return nil }
    if case .string(let type)? = node["type"]?.value, type != "Point" || !shape.corners.isEmpty { shape.type = type }
    return shape
  }

  private static let depths = [
    "Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3,
  ]

  /// Adds the parts of a geometry to a shape; `false` after a report.
  private mutating func add(_ node: JSONNode, path: DocumentPath, to shape: inout GeoJSONShape) -> Bool {
    guard case .string(let type)? = node["type"]?.value, GeoJSONReader.geometryTypes.contains(type) else {
      problems.add(
        .error,
        "field.type",
        line: node.line,
        path: path.child("type"),
        "The geometry is \(node["type"]?.plainText.map { "of type \(quoted($0))" } ?? "\(node.kind) without a type"); "
          + "known are Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon and GeometryCollection. The "
          + "feature is left out; correct it."
      )
      return false
    }
    if type == "GeometryCollection" {
      guard case .array(let parts)? = node["geometries"]?.value else {
        missing("geometries", of: node, path: path, "an array of geometries")
        return false
      }
      let list = path.child("geometries")
      for (index, part) in parts.enumerated() {
        guard add(part, path: list.item(index), to: &shape) else { return false }
      }
      return true
    }
    guard let coordinates = node["coordinates"], case .array(let items) = coordinates.value else {
      missing("coordinates", of: node, path: path, "an array of positions or numbers")
      return false
    }
    // Empty coordinates behave like a null geometry.
    if items.isEmpty { return true }
    let (depth, list) = (Self.depths[type] ?? 0, path.child("coordinates"))
    if !type.hasSuffix("Polygon") { return collect(coordinates, depth: depth, type: type, path: list, into: &shape) }
    if depth == 2 { return area(coordinates, path: list, into: &shape) }
    for (index, item) in items.enumerated() {
      guard area(item, path: list.item(index), into: &shape) else { return false }
    }
    return true
  }

  /// Reads points and lines.
  private mutating func collect(
    _ node: JSONNode,
    depth: Int,
    type: String,
    path: DocumentPath,
    into shape: inout GeoJSONShape
  ) -> Bool {
    guard case .array(let items) = node.value else {
      return refuse(node, path, "is \(node.kind) where an array belongs")
    }
    if depth == 0 {
      guard let position = position(items, node, path: path) else { return false }
      shape.corners.append(position)
      shape.points.append(position)
      return true
    }
    if depth == 1, type.hasSuffix("LineString") {
      guard let line = line(items, node, path: path) else { return false }
      guard line.count >= 2 else { return refuse(node, path, "has \(line.count) positions; a line needs two") }
      shape.corners += line
      shape.shapes.append(.line(line))
      return true
    }
    for (index, item) in items.enumerated() {
      guard collect(item, depth: depth - 1, type: type, path: path.item(index), into: &shape) else { return false }
    }
    return true
  }

  /// Reads the rings of one polygon.
  private mutating func area(_ node: JSONNode, path: DocumentPath, into shape: inout GeoJSONShape) -> Bool {
    guard case .array(let items) = node.value else {
      return refuse(node, path, "is \(node.kind) where an array belongs")
    }
    var rings: [[Position]] = []
    for (index, item) in items.enumerated() {
      let ringPath = path.item(index)
      guard case .array(let corners) = item.value else {
        return refuse(item, ringPath, "is \(item.kind) where an array belongs")
      }
      guard var ring = line(corners, item, path: ringPath) else { return false }
      let isClosed = ring.first?.latitude == ring.last?.latitude && ring.first?.longitude == ring.last?.longitude
      guard ring.count >= 4, isClosed else {
        problems.add(
          .error,
          "geometry.ring",
          line: item.line,
          path: ringPath,
          "A ring has \(ring.count) positions\(isClosed ? "" : " and is open"); it needs at least 4, the last equal to "
            + "the first. The feature is left out; correct it."
        )
        return false
      }
      // The closing corner would count twice.
      ring.removeLast()
      shape.corners += ring
      rings.append(ring)
    }
    shape.shapes.append(Shape(kind: .area, parts: rings))
    return true
  }

  /// Reads an array of positions.
  private mutating func line(_ items: [JSONNode], _ node: JSONNode, path: DocumentPath) -> [Position]? {
    guard problems.take(items.count, of: .steps, line: node.line, path: path) else { return nil }
    var positions: [Position] = []
    positions.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      let itemPath = path.item(index)
      guard case .array(let numbers) = item.value else {
        _ = refuse(item, itemPath, "is \(item.kind) where an array belongs")
        return nil
      }
      guard let position = position(numbers, item, path: itemPath) else { return nil }
      positions.append(position)
    }
    return positions
  }

  private mutating func position(_ items: [JSONNode], _ node: JSONNode, path: DocumentPath) -> Position? {
    var numbers: [Double] = []
    for item in items.prefix(3) {
      guard case .number(let value, _) = item.value else {
        _ = refuse(item, path, "holds \(item.kind) (\(quoted(item.text(limit: 200)))) where a number belongs")
        return nil
      }
      numbers.append(value)
    }
    guard numbers.count >= 2 else {
      _ = refuse(node, path, "has \(numbers.count) numbers; a position needs longitude and latitude")
      return nil
    }
    if items.count > 3 {
      ignore("position", line: node.line, path: path)
    }
    guard problems.checkRange(latitude: numbers[1], longitude: numbers[0], line: node.line, path: path) else {
      return nil
    }
    return Position(latitude: numbers[1], longitude: numbers[0], altitude: numbers.count > 2 ? numbers[2] : nil)
  }

  private mutating func refuse(_ node: JSONNode, _ path: DocumentPath, _ reason: String) -> Bool {
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
