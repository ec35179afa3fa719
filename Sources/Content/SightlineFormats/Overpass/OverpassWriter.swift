public import SightlineContent

/// Writes places as nodes in the JSON of OpenStreetMap's Overpass interface, and ways with their line or area.
public enum OverpassWriter {
  /// Writes a world.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - options: Base for relative addresses, and how far the sea is from the ellipsoid.
  /// - Returns: The document, and what it does not hold.
  public static func write(_ dimension: Dimension, options: WritingOptions = .init()) -> Writing {
    var losses = LossList(format: "Overpass JSON")
    let dimension = dimension.withHeights(over: .seaLevel, options, &losses)
    losses.dropFields(of: dimension, except: ["name", "attribution"])
    let written = dimension.places.filter { $0.position != nil }
    losses.drop("places without a position", dimension.places.count - written.count)
    var json = JSONTextWriter()
    json.beginObject()
    json.name("version")
    json.value(0.6)
    json.member("generator", "Sightline")
    json.member("name", dimension.name)
    json.name("osm3s")
    json.beginObject()
    json.member("copyright", dimension.attribution)
    json.endObject()
    json.name("elements")
    json.beginArray()
    for (index, place) in written.enumerated() { write(place, number: index + 1, options, &json, &losses) }
    json.endArray()
    json.endObject()
    return Writing(bytes: json.bytes, problems: losses.problems)
  }

  private static let names: Set = ["name", "description", "phone", "website", "image", "ele"]

  private static func write(
    _ place: Place,
    number: Int,
    _ options: WritingOptions,
    _ json: inout JSONTextWriter,
    _ losses: inout LossList
  ) {
    guard let position = place.position else { return }
    var held: Set = ["summary", "link", "imageURL", "phone", "metadata", "categories"]
    if place.link == nil, place.webAddress != nil { held.insert("action") }
    let outline = geometry(of: place)
    if outline != nil { held.insert("shapes") }
    held.insert("translations")
    losses.dropFields(of: place, except: held)
    if place.visual != .text(place.title) { losses.drop("pictures, models and labels unlike the title") }
    let altitude = losses.seaLevel(of: place, position)
    // An identifier like node/17 is kept; others are not OpenStreetMap's.
    let parts = (place.id ?? "").split(separator: "/", omittingEmptySubsequences: false)
    let isOwn = parts.count == 2 && ["node", "way", "relation"].contains(parts[0]) && UInt64(parts[1]) != nil
    if !isOwn, place.id != nil { losses.drop("identifiers that are not OpenStreetMap's", severity: .info) }
    json.beginObject()
    json.member("type", isOwn ? String(parts[0]) : "node")
    if isOwn { json.member("id", String(parts[1])) }
    if isOwn && parts[0] != "node" {
      json.name("center")
      json.beginObject()
    }
    json.name("lat")
    json.value(position.latitude)
    json.name("lon")
    json.value(position.longitude)
    if isOwn && parts[0] != "node" { json.endObject() }
    if let outline { write(outline, &json) }
    json.name("tags")
    json.beginObject()
    json.member("name", place.title.isBlank ? "–" : place.title)
    json.member("description", place.summary)
    json.member("website", place.webAddress.map { absolute($0, options) })
    json.member("image", place.imageURL.map { absolute($0, options) })
    json.member("phone", place.phone)
    if let altitude { json.member("ele", DecimalNumber.text(altitude)) }
    for (language, wording) in (place.translations ?? [:]).sorted(by: { $0.key < $1.key }) {
      json.member("name:\(language)", wording.title)
      json.member("description:\(language)", wording.summary)
      if let text = wording.text, text != wording.title { losses.drop("labels unlike the title in other languages") }
    }
    for (name, value) in place.metadata.sorted(by: { $0.key < $1.key }) {
      if names.contains(name) || OverpassReader.language(name) != nil {
        losses.drop("further fields whose names have a meaning in OpenStreetMap")
      } else {
        json.member(name, value)
      }
    }
    if let category = place.categories.first, !place.metadata.values.contains(category),
      place.metadata["amenity"] == nil
    {
      json.member("amenity", category)
    }
    if place.categories.count > 1 { losses.drop("all but the first category") }
    json.endObject()
    json.endObject()
  }

  /// The corners of a way's only line or area, if they would be read back as it.
  private static func geometry(of place: Place) -> [Position]? {
    guard place.id?.hasPrefix("way/") == true, let shapes = place.shapes, shapes.count == 1,
      shapes[0].parts.count == 1, let line = shapes[0].parts.first, line.allSatisfy({ $0.altitude == nil })
    else { return nil }
    let isArea = OverpassShape.isArea(place.metadata)
    switch shapes[0].kind {
    case .area: return isArea && line.count > 2 && line.first != line.last ? line + [line[0]] : nil
    case .line: return line.count > 1 && (!isArea || line.first != line.last || line.count < 4) ? line : nil
    }
  }

  private static func write(_ corners: [Position], _ json: inout JSONTextWriter) {
    json.name("geometry")
    json.beginArray()
    for corner in corners {
      json.beginObject()
      json.name("lat")
      json.value(corner.latitude)
      json.name("lon")
      json.value(corner.longitude)
      json.endObject()
    }
    json.endArray()
  }
}
