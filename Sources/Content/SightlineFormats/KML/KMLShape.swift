import SightlineContent

/// A geometry of KML, as far as places need it.
struct KMLShape {
  /// Its element; `nil` for none.
  var type: String?
  /// Positions of all its parts.
  var corners: [Position] = []
  var mode = AltitudeMode.eye

  /// Lines and areas among its parts.
  var shapes: [Shape] = []
  /// The points that stand alone among its parts.
  var points: [Position] = []

  /// Where the label stands: at the only point there is, else at the middle of all corners.
  var middle: Position? { points.count == 1 ? points[0] : .middle(of: corners) }
}

extension KMLShape {
  /// Changes every position, wherever it is kept.
  fileprivate mutating func forEachPosition(_ change: (inout Position) -> Void) {
    for index in corners.indices { change(&corners[index]) }
    for index in points.indices { change(&points[index]) }
    for shape in shapes.indices {
      for part in shapes[shape].parts.indices {
        for index in shapes[shape].parts[part].indices { change(&shapes[shape].parts[part][index]) }
      }
    }
  }
}

extension KMLReader {
  static let geometryNames: Set = ["Point", "LineString", "LinearRing", "Polygon", "MultiGeometry", "Model"]

  /// Reads a geometry; `nil` after a report when it cannot be used.
  mutating func shape(_ element: LocatedElement, path: DocumentPath) -> KMLShape? {
    var shape = KMLShape(type: element.name)
    switch element.name {
    case "MultiGeometry":
      for child in element.children where Self.geometryNames.contains(child.name) {
        guard let inner = self.shape(child, path: path.child(child.name)) else { return nil }
        let problems = collector.problems
        guard problems.take(inner.corners.count, of: .steps, line: child.line, path: path) else { return nil }
        shape.corners += inner.corners
        shape.shapes += inner.shapes
        shape.points += inner.points
        shape.mode = inner.mode
      }
      guard !shape.corners.isEmpty else { return refuse(element, path, "holds no geometry") }
      return shape
    case "Polygon":
      guard let ring = element.child("outerBoundaryIs")?.child("LinearRing") else {
        return refuse(element, path, "has no outerBoundaryIs with a LinearRing")
      }
      guard let outer = self.ring(ring, path: path.child("outerBoundaryIs").child("LinearRing")) else { return nil }
      var rings = [outer]
      for hole in element.children where hole.name == "innerBoundaryIs" {
        for ring in hole.children where ring.name == "LinearRing" {
          guard let inner = self.ring(ring, path: path.child("innerBoundaryIs").child("LinearRing")) else { return nil }
          rings.append(inner)
        }
      }
      shape.corners = rings.flatMap { $0 }
      shape.shapes = [Shape(kind: .area, parts: rings)]
    case "Model":
      guard let location = element.child("Location") else { return refuse(element, path, "has no Location") }
      let numbers = ["longitude", "latitude"].map { location.value($0).flatMap { DecimalNumber.parse($0) } }
      guard let longitude = numbers[0], let latitude = numbers[1] else {
        return refuse(location, path.child("Location"), "has no longitude and latitude that are numbers")
      }
      let altitude = location.value("altitude").flatMap { DecimalNumber.parse($0) }
      guard
        let position = collector.position(
          latitude: latitude,
          longitude: longitude,
          altitude: altitude,
          line: location.line,
          path: path.child("Location")
        )
      else { return nil }
      shape.corners = [position]
      shape.points = [position]
    case "LinearRing":
      guard let corners = ring(element, path: path) else { return nil }
      shape.corners = corners
      shape.shapes = [.line(corners + corners.prefix(1))]
    default:
      guard let corners = coordinates(element, path: path) else { return nil }
      let least = element.name == "Point" ? 1 : 2
      guard corners.count >= least, element.name != "Point" || corners.count == 1 else {
        return refuse(
          element,
          path,
          "has \(corners.count) positions; a \(element.name) needs \(least == 1 ? "one" : "two or more")"
        )
      }
      shape.corners = corners
      if element.name == "Point" { shape.points = corners } else { shape.shapes = [.line(corners)] }
    }
    setMode(of: &shape, element, path: path)
    return shape
  }

  /// A closed ring without its last position; `nil` after a report.
  private mutating func ring(_ element: LocatedElement, path: DocumentPath) -> [Position]? {
    guard var corners = coordinates(element, path: path) else { return nil }
    let isClosed =
      corners.first?.latitude == corners.last?.latitude && corners.first?.longitude == corners.last?.longitude
    guard corners.count >= 4, isClosed else {
      collector.problems.add(
        .error,
        "geometry.ring",
        line: element.line,
        path: path,
        "A ring has \(corners.count) positions\(isClosed ? "" : " and is open"); it needs at least 4, the last equal to the "
          + "first. The placemark is left out; correct it."
      )
      return nil
    }
    corners.removeLast()
    return corners
  }

  /// `clampToGround`, the default, ignores heights; `absolute` counts from sea level.
  private mutating func setMode(of shape: inout KMLShape, _ element: LocatedElement, path: DocumentPath) {
    let mode = element.value("altitudeMode") ?? "clampToGround"
    switch mode {
    case "absolute":
      shape.mode = .seaLevel
      // Wikitude's data has a customary number for heights that are not known.
      shape.forEachPosition { if ($0.altitude ?? 0) < -1000 { $0.altitude = nil } }
      if !shape.corners.contains(where: { $0.altitude != nil }) { shape.mode = .eye }
    case "relativeToGround", "relativeToSeaFloor": shape.mode = .ground
    case "clampToGround", "clampToSeaFloor":
      shape.mode = .ground
      if !keepsHeights { shape.forEachPosition { $0.altitude = nil } }
    default:
      shape.mode = .ground
      shape.forEachPosition { $0.altitude = nil }
      collector.problems.add(
        .warning,
        "field.type",
        line: element.child("altitudeMode")?.line ?? element.line,
        path: path.child("altitudeMode"),
        "altitudeMode is \(quoted(mode)), but must be clampToGround, relativeToGround or absolute. The height is ignored."
      )
    }
  }

  /// Tuples of longitude, latitude and perhaps height; `nil` after a report.
  private mutating func coordinates(_ element: LocatedElement, path: DocumentPath) -> [Position]? {
    guard let child = element.child("coordinates") else {
      let _: KMLShape? = refuse(element, path, "has no coordinates")
      return nil
    }
    // A number takes two bytes at least.
    let problems = collector.problems
    guard problems.take(child.text.utf8.count / 2, of: .steps, line: child.line, path: path) else { return nil }
    var positions: [Position] = []
    for tuple in child.text.split(whereSeparator: { $0.isWhitespace }) {
      let values = tuple.split(separator: ",", omittingEmptySubsequences: false).map { DecimalNumber.parse($0) }
      guard values.count >= 2, values.count <= 3, let longitude = values[0], let latitude = values[1],
        values.count == 2 || values[2] != nil
      else {
        let isSpaced = tuple.hasSuffix(",") || tuple.hasPrefix(",")
        collector.problems.add(
          .error,
          "field.type",
          line: child.line,
          path: path.child("coordinates"),
          "\(quoted(String(tuple))) is no tuple of longitude,latitude or longitude,latitude,height."
            + (isSpaced ? " There must be no blanks round the commas." : "") + " The placemark is left out; correct it."
        )
        return nil
      }
      guard
        let position = collector.position(
          latitude: latitude,
          longitude: longitude,
          altitude: values.count == 3 ? values[2] : nil,
          line: child.line,
          path: path.child("coordinates")
        )
      else { return nil }
      positions.append(position)
    }
    return positions
  }

  private mutating func refuse(_ element: LocatedElement, _ path: DocumentPath, _ reason: String) -> KMLShape? {
    collector.problems.add(
      .error,
      "geometry.incomplete",
      line: element.line,
      path: path,
      "The \(element.name) \(reason). The placemark is left out; correct it."
    )
    return nil
  }
}
