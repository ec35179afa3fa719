public import SightlineContent

/// Writes GeoJSON: one feature for each place.
public enum GeoJSONWriter {
  /// Writes a world.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - options: Base for relative addresses.
  /// - Returns: The document, and what it does not hold.
  public static func write(_ dimension: Dimension, options: WritingOptions = .init()) -> Writing {
    var losses = LossList(format: "GeoJSON")
    let hasThings = dimension.places.contains { $0.visual.assetID != nil }
    losses.dropFields(of: dimension, except: ["name", "summary", "attribution", hasThings ? "assets" : ""])
    let addresses = dimension.addresses(options)
    var json = JSONTextWriter()
    json.beginObject()
    json.member("type", "FeatureCollection")
    json.member("name", dimension.name)
    json.member("description", dimension.summary)
    json.member("attribution", dimension.attribution)
    json.name("features")
    json.beginArray()
    for place in dimension.places { write(place, options, addresses, &json, &losses) }
    json.endArray()
    json.endObject()
    return Writing(bytes: json.bytes, problems: losses.problems)
  }

  private static func write(
    _ place: Place,
    _ options: WritingOptions,
    _ addresses: [String: String],
    _ json: inout JSONTextWriter,
    _ losses: inout LossList
  ) {
    let link: String?
    var held: Set = [
      "summary", "categories", "visibilityRadius", "link", "imageURL", "soundURL", "phone", "marker", "shapes",
      "metadata", "display",
    ]
    if place.link == nil, case .webPage(let url)? = place.action {
      link = url
      held.insert("action")
    } else {
      link = place.link
    }
    if place.followsUser == true { held.formUnion(["followsUser", "offset"]) }
    let isThing = place.visual.assetID.map { addresses[$0] != nil } ?? false
    if isThing { held.formUnion(["size", "attitude"]) }
    losses.dropFields(of: place, except: held)

    json.beginObject()
    json.member("type", "Feature")
    json.member("id", place.id)
    json.name("geometry")
    writeGeometry(place, &json)
    json.name("properties")
    json.beginObject()
    json.member("title", place.title)
    json.member("description", place.summary)
    if place.categories.count == 1 {
      json.member("category", place.categories[0])
    } else if !place.categories.isEmpty {
      json.name("category")
      json.value(place.categories)
    }
    json.member("url", link.map { absolute($0, options) })
    json.member("image", place.imageURL.map { absolute($0, options) })
    json.member("sound", place.soundURL.map { absolute($0, options) })
    json.member("phone", place.phone)
    if let radius = place.visibilityRadius {
      json.name("visibilityRadius")
      json.value(radius)
    }
    if !writeThing(place, addresses, &json), place.visual != .text(place.title) {
      losses.drop("pictures, models and labels unlike the title")
    }
    writeOffsetFromUser(place, &json)
    writeDisplay(place, &json)
    if let marker = place.marker {
      json.name("marker")
      json.beginObject()
      json.member("dictionary", marker.dictionary)
      json.name("id")
      json.value(Double(marker.id))
      json.name("length")
      json.value(marker.length)
      for (name, value) in [("facing", marker.facing), ("tilt", marker.tilt), ("roll", marker.roll)] {
        guard let value else { continue }
        json.name(name)
        json.value(value)
      }
      json.endObject()
    }
    if place.shapes?.isEmpty == false, let style = place.shapeStyle { write(style, &json) }
    let usual: AltitudeMode = place.position?.altitude == nil ? .eye : .ellipsoid
    if place.altitudeMode != usual { json.member("altitudeMode", place.altitudeMode.rawValue) }
    for (name, value) in place.metadata.sorted(by: { $0.key < $1.key }) {
      if GeoJSONProperties.reserved.contains(name) {
        losses.drop("further fields whose names have a meaning in GeoJSON")
      } else {
        json.member(name, value)
      }
    }
    json.endObject()
    json.endObject()
  }

  private static func write(_ style: ShapeStyle, _ json: inout JSONTextWriter) {
    json.member("stroke", style.stroke)
    json.member("fill", style.fill)
    for (name, value) in [
      ("stroke-opacity", style.strokeOpacity), ("stroke-width", style.width), ("fill-opacity", style.fillOpacity),
    ] {
      guard let value else { continue }
      json.name(name)
      json.value(value)
    }
  }

  /// A point; or the shapes, after the point when that is not in their middle.
  private static func writeGeometry(_ place: Place, _ json: inout JSONTextWriter) {
    let shapes = place.shapes ?? []
    let isApart = place.position != nil && place.position != place.middleOfShapes
    switch (place.position, shapes.count) {
    case (nil, 0): json.null()
    case (let position?, 0): write("Point", &json) { $0.value(position.numbers) }
    case (_, 1) where !isApart: write(shapes[0], &json)
    default:
      json.beginObject()
      json.member("type", "GeometryCollection")
      json.name("geometries")
      json.beginArray()
      if isApart, let position = place.position { write("Point", &json) { $0.value(position.numbers) } }
      for shape in shapes { write(shape, &json) }
      json.endArray()
      json.endObject()
    }
  }

  private static func write(_ shape: Shape, _ json: inout JSONTextWriter) {
    switch shape.kind {
    case .line: write("LineString", &json) { write(shape.parts.first ?? [], isRing: false, &$0) }
    case .area:
      write("Polygon", &json) { json in
        json.beginArray()
        for ring in shape.parts { write(ring, isRing: true, &json) }
        json.endArray()
      }
    }
  }

  private static func write(_ positions: [Position], isRing: Bool, _ json: inout JSONTextWriter) {
    json.beginArray()
    for position in positions { json.value(position.numbers) }
    if isRing, let first = positions.first { json.value(first.numbers) }
    json.endArray()
  }

  private static func write(_ type: String, _ json: inout JSONTextWriter, coordinates: (inout JSONTextWriter) -> Void) {
    json.beginObject()
    json.member("type", type)
    json.name("coordinates")
    coordinates(&json)
    json.endObject()
  }
}

/// An address resolved against the writer's base, if there is one.
func absolute(_ url: String, _ options: WritingOptions) -> String {
  guard let base = options.baseURL else { return url }
  return URLReference(url).resolved(against: URLReference(base)).text
}
