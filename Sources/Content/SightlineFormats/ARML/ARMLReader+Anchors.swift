import SightlineContent
import SightlineInput

extension ARMLReader {
  /// Reads an anchor with what it shows.
  mutating func anchor(_ element: LocatedElement, of feature: ARMLFeature?, path: DocumentPath) {
    guard isEnabled(element, path: path) else { return }
    let known = feature ?? ARMLFeature(id: element.attribute("id")?.trimmed, line: element.line)
    switch element.name {
    case "Geometry":
      guard let geometry = geometry(element, path: path) else { return }
      take(geometry, offset: Offset(), element, known, path: path)
    case "RelativeTo":
      guard let (geometry, offset) = relative(element, path: path, depth: 0) else { return }
      take(geometry, offset: offset, element, known, path: path)
    case "ScreenAnchor": screenAnchor(element, known, path: path)
    case "Trackable":
      var geometry = ARMLGeometry()
      geometry.target = trackable(element, path: path)
      take(geometry, offset: Offset(), element, known, path: path)
    default: collector.ignore(element.name, line: element.line, path: path)
    }
  }

  private mutating func take(
    _ geometry: ARMLGeometry,
    offset: Offset,
    _ element: LocatedElement,
    _ feature: ARMLFeature,
    path: DocumentPath
  ) {
    let visual = visual(of: element, feature, isPoint: geometry.shape == nil, path: path)
    // An anchor with neither visual nor name shows nothing, by the standard.
    if visual.isEmpty, feature.name == nil, geometry.shape == nil {
      collector.problems.add(
        .warning,
        "field.missing",
        line: element.line,
        path: path,
        "The \(element.name) has no visual asset, and its feature no name, so there is nothing to show. Add one of them."
      )
    }
    let title = feature.name ?? visual.text ?? feature.title(geometry.position)
    var place = Place(title: title, position: geometry.position, visual: visual.visual ?? .text(visual.text ?? title))
    feature.fill(&place)
    place.altitudeMode = geometry.position?.altitude == nil ? .eye : .ellipsoid
    place.offset = offset
    if geometry.followsUser { place.followsUser = true }
    place.shapes = geometry.shape.map { [$0] }
    place.shapeStyle = visual.fill.map { color in
      var style = ShapeStyle()
      style.fill = color
      return style
    }
    place.visibilityRadius = visual.display.farthest
    place.display = visual.display.display(feature: feature.id ?? "feature in line \(feature.line)")
    place.link = visual.link
    place.imageURL = visual.selectedPicture
    if let details = visual.selectedText {
      place.summary = place.summary.map { $0.holds(details) ? $0 : $0 + "\n\n" + details } ?? details
    }
    place.target = geometry.target
    if geometry.target == nil, geometry.shape == nil {
      (place.size, place.attitude) = (visual.size, visual.attitude)
      // On the Earth headings are about the vertical, on a print about what comes out of it.
      if case .model(let id, _, _, _, let scale)? = visual.visual {
        place.visual = .model(assetID: id, xRotation: 0, yRotation: 0, zRotation: 0, scale: scale)
      }
    }
    // Of several anchors of a feature the first has its identifier.
    let id = feature.id.flatMap { takenFeatures.contains($0) ? nil : $0 }
    if let id { takenFeatures.insert(id) }
    collector.take(place, id: id, line: element.line, path: path)
  }

  /// The geometry inside an anchor: a point, a line or an area in GML.
  mutating func geometry(_ element: LocatedElement, path: DocumentPath) -> ARMLGeometry? {
    guard let shape = element.children.first(where: { ["Point", "LineString", "Polygon"].contains($0.name) }) else {
      report(
        element,
        path,
        "geometry.incomplete",
        "The Geometry has no gml:Point, LineString or Polygon. It is left out; add one."
      )
      return nil
    }
    let shapePath = path.child(shape.name)
    if let assets = element.children.firstIndex(where: { $0.name == "assets" }),
      let index = element.children.firstIndex(where: { $0.name == shape.name }), index < assets
    {
      collector.problems.add(
        .warning,
        "field.order",
        line: shape.line,
        path: shapePath,
        "The geometry stands before assets, but belongs after it. It is read; put it there."
      )
    }
    if let system = shape.attribute("srsName")?.trimmed, !system.hasSuffix("4326"), !system.hasSuffix("4979"),
      !system.hasSuffix("CRS84")
    {
      report(
        shape,
        shapePath,
        "field.type",
        "The reference system \(quoted(system, limit: 80)) is not read; only WGS84 (EPSG 4326) is. The anchor is left out; "
          + "convert it."
      )
      return nil
    }
    let isLongitudeFirst = shape.attribute("srsName")?.hasSuffix("CRS84") ?? false
    switch shape.name {
    case "Point":
      guard let child = shape.child("pos") ?? shape.child("coordinates") else {
        return incomplete(shape, shapePath, "has no gml:pos")
      }
      guard let positions = positions(child, of: shape, isLongitudeFirst, path: shapePath) else { return nil }
      guard positions.count == 1 else {
        return incomplete(shape, shapePath, "has \(positions.count) positions instead of one")
      }
      return ARMLGeometry(position: positions[0])
    case "LineString":
      guard let line = corners(shape, isLongitudeFirst, path: shapePath) else { return nil }
      guard line.count >= 2 else {
        return incomplete(shape, shapePath, "has \(line.count) positions; a line needs two")
      }
      return ARMLGeometry(position: .middle(of: line), shape: .line(line))
    default:
      guard let outer = shape.child("exterior")?.child("LinearRing") else {
        return incomplete(shape, shapePath, "has no exterior with a LinearRing")
      }
      var rings: [[Position]] = []
      let holes = shape.children.filter { $0.name == "interior" }.compactMap { $0.child("LinearRing") }
      for ring in [outer] + holes {
        guard var corners = corners(ring, isLongitudeFirst, path: shapePath.child("LinearRing")) else { return nil }
        guard corners.count >= 4, corners.first == corners.last else {
          report(
            ring,
            shapePath,
            "geometry.ring",
            "A ring has \(corners.count) positions\(corners.first == corners.last ? "" : " and is open"); it needs at least 4, "
              + "the last equal to the first. The anchor is left out; correct it."
          )
          return nil
        }
        corners.removeLast()
        rings.append(corners)
      }
      return ARMLGeometry(position: .middle(of: rings.flatMap { $0 }), shape: Shape(kind: .area, parts: rings))
    }
  }

  private mutating func incomplete(_ element: LocatedElement, _ path: DocumentPath, _ reason: String) -> ARMLGeometry? {
    report(element, path, "geometry.incomplete", "The \(element.name) \(reason). The anchor is left out; correct it.")
    return nil
  }

  /// Positions of a line or ring: one `posList`, or a `pos` for each.
  private mutating func corners(_ element: LocatedElement, _ isLongitudeFirst: Bool, path: DocumentPath) -> [Position]?
  {
    if let list = element.child("posList") {
      return positions(list, of: element, isLongitudeFirst, path: path.child("posList"))
    }
    var all: [Position] = []
    for child in element.children where child.name == "pos" {
      guard let some = positions(child, of: element, isLongitudeFirst, path: path.child("pos")) else { return nil }
      all += some
    }
    if all.isEmpty {
      report(
        element,
        path,
        "geometry.incomplete",
        "The \(element.name) has no posList. The anchor is left out; add one."
      )
    }
    return all.isEmpty ? nil : all
  }

  /// Numbers of a `pos` or `posList`; latitude first, as EPSG 4326 has it.
  mutating func numbers(_ element: LocatedElement, path: DocumentPath) -> [Double]? {
    // A number takes two bytes at least, and more work than a step.
    let problems = collector.problems
    guard problems.take(element.text.utf8.count, of: .steps, line: element.line, path: path) else { return nil }
    var values: [Double] = []
    for word in element.text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
      guard let value = DecimalNumber.parse(String(word)) else {
        report(
          element,
          path,
          "field.type",
          "\(quoted(String(word))) is no decimal number. The anchor is left out; correct it."
        )
        return nil
      }
      values.append(value)
    }
    return values
  }

  private mutating func positions(
    _ element: LocatedElement,
    of shape: LocatedElement,
    _ isLongitudeFirst: Bool,
    path: DocumentPath
  ) -> [Position]? {
    guard let values = numbers(element, path: path) else { return nil }
    let stated = (element.attribute("srsDimension") ?? shape.attribute("srsDimension")).flatMap { Int($0.trimmed) }
    let isSingle = element.name == "pos"
    let size = stated ?? (isSingle ? values.count : 2)
    guard size == 2 || size == 3, !values.isEmpty, values.count % size == 0 else {
      report(
        element,
        path,
        "geometry.incomplete",
        "There are \(values.count) numbers in positions of \(stated.map { "\($0)" } ?? "2 or 3"). The anchor is left out; write "
          + "latitude longitude, or with srsDimension=\"3\" also a height."
      )
      return nil
    }
    if isSingle, stated == nil, size == 3 {
      collector.problems.add(
        .info,
        "field.missing",
        line: element.line,
        path: path,
        "A height without srsDimension=\"3\". It is read; state the dimension."
      )
    }
    var result: [Position] = []
    for first in stride(from: 0, to: values.count, by: size) {
      let (latitude, longitude) =
        isLongitudeFirst ? (values[first + 1], values[first]) : (values[first], values[first + 1])
      guard
        let position = collector.position(
          latitude: latitude,
          longitude: longitude,
          altitude: size == 3 ? values[first + 2] : nil,
          line: element.line,
          path: path
        )
      else { return nil }
      result.append(position)
    }
    return result
  }

  /// The picture that a trackable names, as what the place stands on.
  ///
  /// - Returns: `nil` when it cannot be looked for, with the reason as a finding; then the place is in lists only.
  mutating func trackable(_ element: LocatedElement, path: DocumentPath) -> TargetAnchor? {
    let problems = collector.problems
    guard problems.take(element.children.count * 4, of: .steps, line: element.line, path: path) else { return nil }
    let configurations = element.children.filter { $0.name == "config" }.sorted {
      ($0.attribute("order").flatMap { Int($0) } ?? .max) < ($1.attribute("order").flatMap { Int($0) } ?? .max)
    }
    guard !configurations.isEmpty else {
      report(element, path, "field.missing", "The Trackable has no config. Add one with a tracker and a src.")
      return nil
    }
    var source: String?
    var archive: String?
    if configurations.count > ContentLimits.references { problems.note(.references, line: element.line, path: path) }
    for configuration in configurations.prefix(ContentLimits.references) {
      guard source == nil else { break }
      guard let link = configuration.child("tracker"),
        let tracker = resolve(link, ["Tracker"], path: path.child("config")),
        let uri = (tracker.child("uri")?.attributes.first { $0.name.hasSuffix("href") }?.value)?.trimmed,
        Self.pictureTrackers.contains(uri)
      else { continue }
      source = configuration.value("src")
      // The source of a tracker is an archive that the pictures lie in.
      archive = source == nil ? nil : tracker.value("src") ?? tracker.child("src")?.link
    }
    guard let source else {
      notLookedFor(
        element,
        path,
        "No tracker of the Trackable is known, or none has a src. Use \(Self.pictureTrackers.sorted()[1])."
      )
      return nil
    }
    guard let size = element.value("size").flatMap({ DecimalNumber.parse($0) }), TargetAnchor.widths.contains(size)
    else {
      notLookedFor(element, path, "The Trackable has no usable size: the picture's width, 0.01 to 200 metres. Add it.")
      return nil
    }
    if let archive {
      guard let packed = packed(source, in: archive, element, path) else { return nil }
      return TargetAnchor(assetID: assetID(packed, format: nil, line: element.line, path: path), width: size)
    }
    guard let address = collector.address(source, isLink: false, line: element.line, path: path) else { return nil }
    return TargetAnchor(assetID: assetID(address, format: nil, line: element.line, path: path), width: size)
  }

  /// The address of a picture in a tracker's archive; one beside the document is opened when that is imported.
  private mutating func packed(
    _ source: String,
    in archive: String,
    _ element: LocatedElement,
    _ path: DocumentPath
  ) -> String? {
    guard let address = collector.address(archive, isLink: false, line: element.line, path: path) else { return nil }
    guard !address.contains(":"), address.lowercased().hasSuffix(".zip") else {
      notLookedFor(
        element,
        path,
        "The archive \(quoted(archive, limit: 80)) is not opened: only a .zip file beside the document is, when it is imported. Put it "
          + "there, or name the picture's own address in src."
      )
      return nil
    }
    let parts = source.split(separator: "/", omittingEmptySubsequences: false)
    guard !source.hasPrefix("/"), !source.contains("\\"), !parts.contains(".."), source.utf8.count <= 1000 else {
      report(element, path, "archive.path", "\(quoted(source, limit: 80)) leads out of the archive. Correct the src.")
      return nil
    }
    return PackedAddress.make(archive: address, path: source)
  }

  private mutating func notLookedFor(_ element: LocatedElement, _ path: DocumentPath, _ reason: String) {
    let message = reason + " The place is in lists only."
    collector.problems.add(.warning, "anchor.unsupported", line: element.line, path: path, message)
  }
}

/// Where an anchor is.
struct ARMLGeometry {
  var position: Position?
  var target: TargetAnchor?
  var shape: Shape?
  /// Whether it goes along with the user.
  var followsUser = false
}
