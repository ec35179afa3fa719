public import SightlineContent
import SightlineInput

/// Reads GeoJSON (RFC 7946) with the property names of `Documentation/formats/geojson.md`.
///
/// Points become places; lines and areas become places at the middle of their corners that have shapes.
public struct GeoJSONReader {
  static let geometryTypes: Set = [
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
  ]
  static let types = geometryTypes.union(["Feature", "FeatureCollection"])

  private static let featureMembers: Set = [
    "type", "geometry", "properties", "id", "bbox", "crs", "name", "title",
  ]

  let options: ReadingOptions
  let problems: ProblemList
  var identifiers = IdentifierRegister()
  /// Files of models and pictures.
  var assets = AssetRegister()
  var ignored: [String: (count: Int, line: Int, path: DocumentPath)] = [:]

  private init(options: ReadingOptions, budget: ReadingBudget) {
    self.options = options
    problems = ProblemList(budget: budget)
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document, UTF-8.
  ///   - options: File name (title of a world that has none), base address and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    do {
      return read(try JSONTreeReader.read(bytes, limits: options.limits), options: options)
    } catch {
      return Reading(dimension: nil, problems: [error.problem()])
    }
  }

  static func read(_ document: JSONTreeReader.Result, options: ReadingOptions) -> Reading {
    var reader = GeoJSONReader(options: options, budget: document.budget)
    for problem in document.problems { reader.problems.add(problem) }
    let dimension = reader.world(document.root)
    return Reading(dimension: dimension, problems: reader.problems.sorted())
  }

  private mutating func world(_ root: JSONNode) -> Dimension? {
    guard case .string(let type)? = root["type"]?.value, GeoJSONReader.types.contains(type) else {
      problems.add(
        .error,
        "format.unknown",
        line: root.line,
        path: "/type",
        "The document is \(root.kind) without a type that GeoJSON knows. Write \"type\": \"FeatureCollection\"."
      )
      return nil
    }
    guard isSupportedReferenceSystem(root) else { return nil }
    var dimension = Dimension()
    dimension.name = root["name"]?.plainText ?? root["title"]?.plainText ?? options.title
    switch type {
    case "FeatureCollection":
      dimension.summary = root["description"]?.plainText
      dimension.attribution = root["attribution"]?.plainText
      noteMembers(
        of: root,
        known: ["type", "features", "bbox", "name", "title", "description", "attribution", "crs"],
        ""
      )
      guard case .array(let features)? = root["features"]?.value else {
        missing("features", of: root, path: "", "an array of features")
        return nil
      }
      let list = DocumentPath(root: "/features")
      for (index, feature) in features.enumerated() {
        guard problems.goesOn else { break }
        Self.take(place(feature, path: list.item(index)), feature, path: list.item(index), into: &dimension, problems)
      }
    case "Feature":
      Self.take(place(root, path: ""), root, path: "", into: &dimension, problems)
    default:
      // A geometry alone has no properties, so nothing but its place is known.
      let properties = GeoJSONProperties()
      if let shape = shape(root, path: "") {
        Self.take(place(shape, properties, id: nil, root, path: ""), root, path: "", into: &dimension, problems)
      }
    }
    reportIgnored()
    dimension.assets = assets.assets
    problems.shorten(&dimension, line: root.line, path: "")
    return dimension
  }

  /// Puts a place into the world, if there is one and the budget holds it.
  ///
  /// Static: a method would hold a copy of this reader while its argument, the place, is being read, and all identifiers would be
  /// copied for every feature.
  private static func take(
    _ place: Place?,
    _ node: JSONNode,
    path: DocumentPath,
    into dimension: inout Dimension,
    _ problems: ProblemList
  ) {
    guard var place, problems.admit(&place, line: node.line, path: path) else { return }
    dimension.places.append(place)
  }

  /// RFC 7946 knows WGS84 only; documents of the older draft may name another system.
  private mutating func isSupportedReferenceSystem(_ root: JSONNode) -> Bool {
    guard let system = root["crs"], system.value != .null else { return true }
    let name = system["properties"]?["name"]?.plainText ?? system.text(limit: 200)
    let upper = name.uppercased()
    guard !upper.hasSuffix("CRS84"), !upper.hasSuffix("EPSG:4326"), !upper.hasSuffix("EPSG::4326") else { return true }
    problems.add(
      .error,
      "field.type",
      line: system.line,
      path: "/crs",
      "The coordinates are in the reference system \(quoted(name, limit: 60)); only WGS84 degrees (CRS84) are read. "
        + "Convert the document."
    )
    return false
  }

  private mutating func place(_ node: JSONNode, path: DocumentPath) -> Place? {
    guard case .object = node.value, case .string("Feature")? = node["type"]?.value else {
      problems.add(
        .error,
        "field.type",
        line: node.line,
        path: path.child("type"),
        "A feature must be an object of type \"Feature\", but this is "
          + (node["type"]?.plainText.map { "of type \(quoted($0))" } ?? "\(node.kind) without a type")
          + ". It is left out; correct it."
      )
      return nil
    }
    for wrong in ["features", "coordinates", "geometries"] where node[wrong] != nil {
      problems.add(
        .error,
        "field.type",
        line: node[wrong]?.line ?? node.line,
        path: path.child(wrong),
        "A feature must not have the member \(wrong). The feature is left out; remove the member or correct the type."
      )
      return nil
    }
    noteMembers(of: node, known: GeoJSONReader.featureMembers, path)
    let id = identifier(node, path: path)
    let properties = properties(node, path: path)
    guard let geometry = node["geometry"] else {
      missing("geometry", of: node, path: path, "a geometry, or null for a feature without a place")
      return nil
    }
    if geometry.value == .null { return place(GeoJSONShape(), properties, id: id, node, path: path) }
    guard let shape = shape(geometry, path: path.child("geometry")) else { return nil }
    return place(shape, properties, id: id, node, path: path)
  }

  private mutating func identifier(_ node: JSONNode, path: DocumentPath) -> String? {
    switch node["id"]?.value {
    case nil, .null: return nil
    case .string(let text): return text
    case .number(_, let text): return text
    default:
      problems.add(
        .error,
        "field.type",
        line: node["id"]?.line ?? node.line,
        path: path.child("id"),
        "An id must be text or a number. An identifier is derived from name and position; correct the id."
      )
      return nil
    }
  }

  private mutating func place(
    _ shape: GeoJSONShape,
    _ properties: GeoJSONProperties,
    id: String?,
    _ node: JSONNode,
    path: DocumentPath
  ) -> Place? {
    let position = shape.middle
    let fallback =
      id ?? position.map { "\(DecimalNumber.text($0.latitude)), \(DecimalNumber.text($0.longitude))" } ?? "–"
    let title = properties.title ?? fallback
    if properties.title == nil {
      problems.add(
        .info,
        "field.missing",
        line: node.line,
        path: path.child("properties"),
        "The feature has neither title nor name; \(quoted(title)) is shown. Add a title."
      )
    }
    var place = Place(title: title, position: position, visual: .text(title))
    place.summary = properties.summary
    place.altitudeMode = properties.altitudeMode ?? (position?.altitude == nil ? .eye : .ellipsoid)
    place.categories = properties.categories
    place.visibilityRadius = properties.visibilityRadius
    place.display = properties.display
    place.link = properties.link
    place.imageURL = properties.imageURL
    place.soundURL = properties.soundURL
    place.phone = properties.phone
    place.marker = properties.marker
    place.metadata = properties.metadata
    if let visual = properties.visual {
      place.visual = visual
      (place.size, place.attitude) = (properties.size, properties.attitude)
    }
    if !shape.shapes.isEmpty {
      place.shapes = shape.shapes
      place.shapeStyle = properties.style.isEmpty ? nil : properties.style
    }
    let derived = StableIdentifier.make(prefix: "geojson-", name: title, position: position)
    if let id, let earlier = identifiers.take(id, line: node.line) {
      place.id = identifiers.unique(derived)
      problems.add(
        .error,
        "id.duplicate",
        line: node["id"]?.line ?? node.line,
        path: path.child("id"),
        "The id \(quoted(id)) is already that of "
          + (earlier > 0 ? "the feature in line \(earlier)" : "another feature")
          + "; this feature is kept under another one. Make ids differ."
      )
    } else {
      place.id = id ?? identifiers.unique(derived)
    }
    if let position, shape.type == "Point" {
      let geometry = path.child("geometry")
      problems.checkZero(position, line: node["geometry"]?.line ?? node.line, path: geometry)
    }
    if let offset = properties.offsetFromUser {
      // The geometry is for programs that do not know of it.
      (place.followsUser, place.position, place.offset) = (true, nil, offset)
    }
    if shape.points.count > 1 || (position == nil && shape.type != nil) {
      problems.add(
        .warning,
        "geometry.unsupported",
        line: node["geometry"]?.line ?? node.line,
        path: path.child("geometry"),
        position == nil
          ? "The \(shape.type ?? "geometry") has no position, so it is in lists only. Give it coordinates."
          : "The points of a \(shape.type ?? "") are not shown one by one; one label stands at the middle of its corners. "
            + "Make each a feature of its own."
      )
      place.metadata["geometry"] = shape.type
    }
    return place
  }

  mutating func missing(_ name: String, of node: JSONNode, path: DocumentPath, _ form: String) {
    let found = node[name].map { "is \($0.kind)" } ?? "is missing"
    problems.add(
      .error,
      node[name] == nil ? "field.missing" : "field.type",
      line: node[name]?.line ?? node.line,
      path: path.child(name),
      "The member \(name) \(found); it must be \(form) (RFC 7946, section 3). \(path.isRoot ? "The document" : "The item") "
        + "is left out; correct it."
    )
  }

  private mutating func noteMembers(of node: JSONNode, known: Set<String>, _ path: DocumentPath) {
    guard case .object(let members) = node.value else { return }
    for member in members where !known.contains(member.name) {
      ignore(member.name, line: member.value.line, path: path.child(member.name))
    }
  }

  /// Counts something that the format does not have.
  mutating func ignore(_ name: String, line: Int, path: @autoclosure () -> DocumentPath) {
    guard let index = ignored.index(forKey: name) else {
      ignored[name] = (1, line, path())
      return
    }
    ignored.values[index].count += 1
  }

  private mutating func reportIgnored() {
    for (name, use) in ignored.sorted(by: { $0.key < $1.key }) {
      problems.add(
        .info,
        "extension.ignored",
        line: use.line,
        path: use.path,
        "The member \(quoted(name)) is not part of the format and is ignored, "
          + "\(use.count == 1 ? "once" : "\(use.count) times")."
      )
    }
  }
}

extension JSONNode {
  /// Text that is not blank.
  var plainText: String? {
    guard case .string(let text) = value, !text.isBlank else { return nil }
    return text
  }
}
