public import SightlineContent

/// Writes the JSON of mixare's data sources, with ARena's members where there is something for them.
public enum MixareWriter {
  /// Writes a world.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - options: Base for relative addresses, and how far the sea is from the ellipsoid.
  /// - Returns: The document, and what it does not hold.
  public static func write(_ dimension: Dimension, options: WritingOptions = .init()) -> Writing {
    var losses = LossList(format: "mixare JSON")
    let dimension = dimension.withHeights(over: .seaLevel, options, &losses)
    losses.dropFields(of: dimension, except: ["name"])
    let written = dimension.places.filter { $0.position != nil }
    losses.drop("places without a position", dimension.places.count - written.count)
    var json = JSONTextWriter()
    json.beginObject()
    json.member("status", "OK")
    json.name("num_results")
    json.value(Double(written.count))
    json.member("name", dimension.name)
    json.name("results")
    json.beginArray()
    for place in written { write(place, options, &json, &losses) }
    json.endArray()
    json.endObject()
    return Writing(bytes: json.bytes, problems: losses.problems)
  }

  private static func write(
    _ place: Place,
    _ options: WritingOptions,
    _ json: inout JSONTextWriter,
    _ losses: inout LossList
  ) {
    guard let position = place.position else { return }
    var held: Set = ["visibilityRadius", "link", "imageURL"]
    if place.link == nil, place.webAddress != nil { held.insert("action") }
    if place.categories.count == 1 { held.insert("categories") }
    if Set(place.metadata.keys).isSubset(of: ["imagemarker"]) { held.insert("metadata") }
    losses.dropFields(of: place, except: held)
    if place.visual != .text(place.title) { losses.drop("pictures, models and labels unlike the title") }
    let altitude = losses.seaLevel(of: place, position)
    if altitude == 0 { losses.drop("altitudes of 0, which stand for unknown") }
    json.beginObject()
    json.member("id", place.id)
    json.member("title", place.title.isBlank ? "–" : place.title)
    json.name("lat")
    json.value(position.latitude)
    json.name("lng")
    json.value(position.longitude)
    json.name("elevation")
    json.value(altitude ?? 0)
    if let link = place.webAddress {
      json.member("has_detail_page", "1")
      json.member("webpage", absolute(link, options))
    } else {
      json.member("has_detail_page", "0")
    }
    json.member("logo", place.imageURL.map { absolute($0, options) })
    if let radius = place.visibilityRadius {
      json.name("radius")
      json.value(radius)
    }
    if place.categories.count == 1 { json.member("object_type", place.categories[0]) }
    json.member("imagemarker", place.metadata["imagemarker"])
    json.endObject()
  }
}
