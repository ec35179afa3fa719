import SightlineContent

/// The properties of a feature under their names in the model.
struct GeoJSONProperties {
  var title: String?
  var summary: String?
  var categories: [String] = []
  var link: String?
  var imageURL: String?
  var soundURL: String?
  var phone: String?
  var visibilityRadius: Double?
  var altitudeMode: AltitudeMode?
  var marker: MarkerAnchor?
  /// Of what goes along with the user.
  var offsetFromUser: Offset?
  var style = ShapeStyle()
  var visual: Visual?
  var size: TrueSize?
  var attitude: Attitude?
  var display: PlaceDisplay?
  var metadata: [String: String] = [:]

  /// Names that mean the same; the first that is there counts, the others become metadata.
  static let names: [(field: String, names: [String])] = [
    ("title", ["title", "name"]), ("summary", ["description", "desc"]),
    ("categories", ["category", "categories", "type"]), ("link", ["url", "website", "webpage"]),
    ("imageURL", ["image", "imageURL", "thumbnail"]), ("soundURL", ["sound", "audio"]), ("phone", ["phone"]),
    ("visibilityRadius", ["visibilityRadius"]), ("altitudeMode", ["altitudeMode"]), ("marker", ["marker"]),
    // Names of the Mapbox "simplestyle" convention, version 1.1.
    ("stroke", ["stroke"]), ("strokeOpacity", ["stroke-opacity"]), ("width", ["stroke-width"]), ("fill", ["fill"]),
    ("fillOpacity", ["fill-opacity"]),
  ]

  /// Names that a writer must not use for metadata.
  static let reserved = Set(names.flatMap(\.names)).union([
    "model", "picture", "size", "attitude", "relativeToUser", "display",
  ])
}

extension GeoJSONReader {
  mutating func properties(_ feature: JSONNode, path: DocumentPath) -> GeoJSONProperties {
    var result = GeoJSONProperties()
    let pointer = path.child("properties")
    guard let node = feature["properties"] else {
      problems.add(
        .warning,
        "field.missing",
        line: feature.line,
        path: pointer,
        "The member properties is missing. Add it; null is allowed."
      )
      return result
    }
    guard case .object(let members) = node.value else {
      if node.value != .null {
        problems.add(
          .error,
          "field.type",
          line: node.line,
          path: pointer,
          "properties is \(node.kind); it must be an object or null. It is ignored; correct it."
        )
      }
      return result
    }
    guard problems.take(members.count, of: .steps, line: node.line, path: pointer) else { return result }
    var used: Set<String> = []
    for (field, names) in GeoJSONProperties.names {
      for name in names where take(field, node[name], path: pointer.child(name), into: &result) {
        used.insert(name)
        break
      }
    }
    used.formUnion(thing(node, path: pointer, into: &result))
    result.offsetFromUser = offsetFromUser(node, path: pointer)
    if result.offsetFromUser != nil { used.insert("relativeToUser") }
    result.display = display(node, path: pointer)
    if case .object? = node["display"]?.value { used.insert("display") }
    for member in members where !used.contains(member.name) && member.value.value != .null {
      if case .string(let text) = member.value.value {
        result.metadata[member.name] = text
      } else {
        result.metadata[member.name] = member.value.text
      }
    }
    return result
  }

  /// Reads one property.
  ///
  /// - Returns: Whether it was there and usable; one that is not is kept as metadata.
  private mutating func take(
    _ field: String,
    _ node: JSONNode?,
    path: DocumentPath,
    into result: inout GeoJSONProperties
  ) -> Bool {
    guard let node, node.value != .null else { return false }
    switch field {
    case "categories":
      result.categories = texts(node) ?? []
      return texts(node) != nil || mistake(node, path, "text or an array of texts")
    case "visibilityRadius":
      result.visibilityRadius = number(node).flatMap { $0 > 0 ? $0 : nil }
      return result.visibilityRadius != nil || mistake(node, path, "a number of metres above 0")
    case "altitudeMode":
      result.altitudeMode = node.plainText.flatMap { AltitudeMode(rawValue: $0) }
      return result.altitudeMode != nil || mistake(node, path, "ellipsoid, seaLevel, ground or eye")
    case "marker":
      result.marker = marker(node)
      let form =
        "an object with the name of a dictionary, an id in it, a length in metres and perhaps facing, tilt and roll"
      return result.marker != nil || mistake(node, path, form)
    case "stroke":
      result.style.stroke = node.plainText.flatMap { ShapeStyle.color($0) }
      return result.style.stroke != nil || mistake(node, path, "a colour such as #2060ff")
    case "fill":
      result.style.fill = node.plainText.flatMap { ShapeStyle.color($0) }
      return result.style.fill != nil || mistake(node, path, "a colour such as #2060ff")
    case "strokeOpacity":
      result.style.strokeOpacity = number(node).flatMap { (0...1).contains($0) ? $0 : nil }
      return result.style.strokeOpacity != nil || mistake(node, path, "a number from 0 to 1")
    case "fillOpacity":
      result.style.fillOpacity = number(node).flatMap { (0...1).contains($0) ? $0 : nil }
      return result.style.fillOpacity != nil || mistake(node, path, "a number from 0 to 1")
    case "width":
      result.style.width = number(node).flatMap { (0...100).contains($0) ? $0 : nil }
      return result.style.width != nil || mistake(node, path, "a number of points from 0 to 100")
    default: break
    }
    let text: String
    switch node.value {
    case .string(let value) where !value.isBlank: text = value
    // Names and telephone numbers are often written as numbers.
    case .number(_, let value): text = value
    case .string: return false
    default: return mistake(node, path, "text")
    }
    switch field {
    case "title": result.title = text
    case "summary": result.summary = text
    case "phone": result.phone = text
    case "link":
      result.link = problems.usableURL(text, isLink: true, base: options.baseURL, line: node.line, path: path)
      return result.link != nil
    case "soundURL":
      result.soundURL = problems.usableURL(text, isLink: false, base: options.baseURL, line: node.line, path: path)
      return result.soundURL != nil
    default:
      result.imageURL = problems.usableURL(text, isLink: false, base: options.baseURL, line: node.line, path: path)
      return result.imageURL != nil
    }
    return true
  }

  private mutating func mistake(_ node: JSONNode, _ path: DocumentPath, _ form: String) -> Bool {
    problems.add(
      .warning,
      "field.type",
      line: node.line,
      path: path,
      "The property is \(quoted(node.text(limit: 200))), but must be \(form). It is kept as metadata; correct it."
    )
    return false
  }

  private func texts(_ node: JSONNode) -> [String]? {
    switch node.value {
    case .string(let text): return text.isBlank ? [] : [text]
    case .array(let items):
      let texts = items.compactMap(\.plainText)
      return texts.count == items.count ? texts : nil
    default: return nil
    }
  }

  private func marker(_ node: JSONNode) -> MarkerAnchor? {
    guard case .object = node.value, let dictionary = node["dictionary"]?.plainText else { return nil }
    guard let id = node["id"].flatMap({ number($0) }).flatMap({ Int(exactly: $0) }) else { return nil }
    guard let length = node["length"].flatMap({ number($0) }) else { return nil }
    var marker = MarkerAnchor(dictionary: dictionary, id: id, length: length)
    for (name, key) in [("facing", \MarkerAnchor.facing), ("tilt", \.tilt), ("roll", \.roll)] {
      guard let node = node[name] else { continue }
      guard let value = number(node) else { return nil }
      marker[keyPath: key] = value
    }
    return marker.isUsable ? marker : nil
  }

  private func number(_ node: JSONNode) -> Double? {
    switch node.value {
    case .number(let value, _): value
    case .string(let text): DecimalNumber.parse(text.trimmed)
    default: nil
    }
  }
}
