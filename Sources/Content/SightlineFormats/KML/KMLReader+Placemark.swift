import SightlineContent

extension KMLReader {
  private static let known: Set = [
    "name", "description", "visibility", "open", "phoneNumber", "address", "link", "ExtendedData", "provider", "info",
    "Point", "LineString", "LinearRing", "Polygon", "MultiGeometry", "Model", "Snippet", "snippet", "Style", "styleUrl",
  ]

  mutating func placemark(_ element: LocatedElement, path: DocumentPath, folders: [String]) {
    guard collector.problems.take(element.weight, of: .steps, line: element.line, path: path) else { return }
    for child in element.children where !Self.known.contains(child.name) && !Self.rendered.contains(child.name) {
      collector.ignore(child.name, line: child.line, path: path.child(child.name))
    }
    let geometries = element.children.filter { Self.geometryNames.contains($0.name) }
    if geometries.count > 1 {
      collector.problems.add(
        .warning,
        "field.repeated",
        line: geometries[1].line,
        path: path.child(geometries[1].name),
        "The placemark has a second geometry. The first is used; gather them in a MultiGeometry."
      )
    }
    var shape = KMLShape()
    if let geometry = geometries.first {
      keepsHeights = Self.statesHeights(element)
      guard let read = self.shape(geometry, path: path.child(geometry.name)) else { return }
      shape = read
    } else {
      collector.problems.add(
        .info,
        "geometry.missing",
        line: element.line,
        path: path,
        "The placemark has no geometry, so it is in lists only. Add a Point to show it."
      )
    }
    let id = element.attribute("id")?.trimmed
    let fallback =
      id ?? shape.middle.map { "\(DecimalNumber.text($0.latitude)), \(DecimalNumber.text($0.longitude))" } ?? "–"
    let title = element.value("name") ?? fallback
    if element.value("name") == nil {
      collector.problems.add(
        .info,
        "field.missing",
        line: element.line,
        path: path.child("name"),
        "The placemark has no name; \(quoted(title)) is shown. Add one."
      )
    }
    var place = Place(title: title, position: shape.middle, visual: .text(title))
    place.altitudeMode = shape.mode
    place.summary = element.value("description")
    place.categories = folders
    place.phone = element.value("phoneNumber")
    if let address = element.value("address") { place.metadata["address"] = address }
    if let link = element.child("link") {
      place.link = collector.address(link.attribute("href"), isLink: true, line: link.line, path: path.child("link"))
    }
    if element.value("visibility") == "0" { place.metadata["visibility"] = "0" }
    if let data = element.child("ExtendedData") { extendedData(data, path: path.child("ExtendedData"), into: &place) }
    augmentedReality(element, path: path, into: &place)
    karml(element, path: path, into: &place)
    if !shape.shapes.isEmpty {
      place.shapes = shape.shapes
      place.shapeStyle = style(of: element, path: path)
    }
    if shape.type == "Point" { icon(of: element, path: path, into: &place) }
    var isModel = shape.type == "Model"
    if isModel, let geometry = geometries.first, model(geometry, path: path.child("Model"), into: &place) {
      isModel = false
    }
    if isModel || shape.points.count > 1, let type = shape.type {
      collector.problems.add(
        .warning,
        "geometry.unsupported",
        line: geometries.first?.line ?? element.line,
        path: path.child(type),
        isModel
          ? "Models are drawn from GLB files (binary glTF 2.0), and this Model names none. A label stands where it would be; convert it."
          : "The points of a \(type) are not shown one by one; one label stands at the middle of its corners. Make each a "
            + "placemark of its own."
      )
      place.metadata["geometry"] = type
    }
    collector.take(place, id: id?.isEmpty == false ? id : nil, line: element.line, path: path)
  }

  /// Whether the extended data says what heights are measured from, of which KML itself says that they are to be passed over.
  private static func statesHeights(_ element: LocatedElement) -> Bool {
    guard let data = element.child("ExtendedData") else { return false }
    let field = data.children.first { $0.name == "Data" && $0.attribute("name") == "altitudeMode" }
    let mode = field?.value("value").flatMap { AltitudeMode(rawValue: $0) }
    return mode == .eye || mode == .ellipsoid
  }

  /// What Wikitude's browser understands beyond KML.
  private mutating func augmentedReality(_ element: LocatedElement, path: DocumentPath, into place: inout Place) {
    if let provider = element.child("provider"), provider.namespace == Self.augmentedReality {
      let id = provider.text.trimmed
      place.metadata["provider"] = id
      place.categories += providerTags[id] ?? []
      if !providers.contains(id) {
        collector.problems.add(
          .warning,
          "reference.unknown",
          line: provider.line,
          path: path.child("provider"),
          "The placemark names the provider \(quoted(id)), which the document does not declare. Declare it or correct the name."
        )
      }
    }
    guard let info = element.child("info"), info.namespace == Self.wikitude else { return }
    let infoPath = path.child("info")
    for child in info.children {
      let text = child.text.trimmed
      guard !text.isEmpty else { continue }
      let childPath = infoPath.child(child.name)
      switch child.name {
      case "thumbnail": place.imageURL = collector.address(text, isLink: false, line: child.line, path: childPath)
      case "phone": place.phone = place.phone ?? text
      case "url": place.link = place.link ?? collector.address(text, isLink: true, line: child.line, path: childPath)
      case "email", "address", "attachment": place.metadata[child.name] = text
      default: collector.ignore(child.name, line: child.line, path: childPath)
      }
    }
  }

  private mutating func extendedData(_ element: LocatedElement, path: DocumentPath, into place: inout Place) {
    for child in element.children {
      switch child.name {
      case "Data":
        guard let name = child.attribute("name"), !name.isBlank, let value = child.child("value") else {
          collector.problems.add(
            .error,
            "field.missing",
            line: child.line,
            path: path.child("Data"),
            "A Data element needs the attribute name and a value. It is left out; complete it."
          )
          continue
        }
        take(name, value.text, line: value.line, path: path.child("Data").child("value"), into: &place)
      case "SchemaData":
        for simple in child.children where simple.name == "SimpleData" {
          guard let name = simple.attribute("name"), !name.isBlank else { continue }
          take(name, simple.text, line: simple.line, path: path.child("SchemaData").child("SimpleData"), into: &place)
        }
      default: if child.children.isEmpty { place.metadata[child.name] = child.text.trimmed }
      }
    }
  }

  /// Fields that KML has no element for are written under these names; others are further fields.
  private mutating func take(_ name: String, _ value: String, line: Int, path: DocumentPath, into place: inout Place) {
    switch name {
    case "category" where !value.isBlank: place.categories.append(value)
    case "image":
      if let url = collector.address(value, isLink: false, line: line, path: path) { place.imageURL = url }
    case "sound":
      if let url = collector.address(value, isLink: false, line: line, path: path) { place.soundURL = url }
    case "visibilityRadius":
      if let radius = DecimalNumber.parse(value.trimmed), radius > 0 {
        place.visibilityRadius = radius
      } else {
        place.metadata[name] = value
      }
    case "altitudeMode":
      if let mode = AltitudeMode(rawValue: value.trimmed) {
        place.altitudeMode = mode
      } else {
        place.metadata[name] = value
      }
    default: place.metadata[name] = value
    }
  }
}
