public import SightlineContent

/// Writes a response of Layar's GetPOIs request.
public enum LayarWriter {
  /// Writes a world.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - options: Base for relative addresses, and how far the sea is from the ellipsoid.
  /// - Returns: The document, and what it does not hold.
  public static func write(_ dimension: Dimension, options: WritingOptions = .init()) -> Writing {
    var losses = LossList(format: "Layar JSON")
    let dimension = dimension.withHeights(over: .seaLevel, options, &losses)
    let pictures = LayarPictures(dimension, options)
    var held: Set = ["name"]
    if dimension.refreshURL == nil { held.insert("refresh") }
    if dimension.assets.allSatisfy({ pictures.holds($0.id) }) { held.insert("assets") }
    losses.dropFields(of: dimension, except: held)
    let written = dimension.places.filter {
      $0.position != nil || $0.followsUser == true || pictures.key(of: $0.target) != nil
    }
    losses.drop("places without a position", dimension.places.count - written.count)
    var json = JSONTextWriter()
    json.beginObject()
    json.member("layer", dimension.name ?? "sightline")
    json.name("errorCode")
    json.value(0)
    json.member("errorString", "ok")
    if dimension.refreshIntervalSeconds > 0 {
      json.name("refreshInterval")
      json.value(dimension.refreshIntervalSeconds)
    }
    if dimension.refreshDistance > 0 {
      json.name("refreshDistance")
      json.value(dimension.refreshDistance)
    }
    json.name("hotspots")
    json.beginArray()
    for place in written { write(place, options, pictures, &json, &losses) }
    json.endArray()
    pictures.write(&json)
    json.endObject()
    return Writing(bytes: json.bytes, problems: losses.problems)
  }

  private static func write(
    _ place: Place,
    _ options: WritingOptions,
    _ pictures: LayarPictures,
    _ json: inout JSONTextWriter,
    _ losses: inout LossList
  ) {
    // On a picture it stands there, whatever its author gave it as well.
    let key = pictures.key(of: place.target)
    let followsUser = key == nil && place.followsUser == true
    let position = key == nil && !followsUser ? place.position : nil
    var held: Set = ["summary", "offset", "link", "imageURL", "soundURL", "phone"]
    if key != nil { held.insert("target") }
    if followsUser { held.insert("followsUser") }
    if place.link == nil, place.webAddress != nil { held.insert("action") }
    if place.categories.count == 1 { held.insert("categories") }
    if Set(place.metadata.keys).isSubset(of: ["footnote"]) { held.insert("metadata") }
    losses.dropFields(of: place, except: held)
    if place.visual != .text(place.title) { losses.drop("pictures, models and labels unlike the title") }
    json.beginObject()
    json.member("id", place.id ?? StableIdentifier.make(prefix: "layar-", name: place.title, position: position))
    json.name("anchor")
    json.beginObject()
    if let key { json.member("referenceImage", key) }
    if followsUser { json.member("geolocation", "user") }
    if let position {
      json.name("geolocation")
      json.beginObject()
      json.name("lat")
      json.value(position.latitude)
      json.name("lon")
      json.value(position.longitude)
      if let altitude = losses.seaLevel(of: place, position) {
        json.name("alt")
        json.value(altitude)
      }
      json.endObject()
    }
    json.endObject()
    json.name("text")
    json.beginObject()
    json.member("title", place.title)
    json.member("description", place.summary)
    json.member("footnote", place.metadata["footnote"])
    json.endObject()
    json.member("imageURL", place.imageURL.map { absolute($0, options) })
    if place.categories.count == 1 {
      json.name("icon")
      json.beginObject()
      json.member("type", place.categories[0])
      json.endObject()
    }
    if place.offset != Offset() {
      json.name("transform")
      json.beginObject()
      json.name("translate")
      json.beginObject()
      for (name, value) in [("x", place.offset.east), ("y", place.offset.north), ("z", place.offset.up)] {
        json.name(name)
        json.value(value)
      }
      json.endObject()
      json.endObject()
    }
    writeActions(place, options, &json)
    json.endObject()
  }

  private static func writeActions(_ place: Place, _ options: WritingOptions, _ json: inout JSONTextWriter) {
    guard place.webAddress != nil || place.soundURL != nil || place.phone != nil else { return }
    json.name("actions")
    json.beginArray()
    if let link = place.webAddress {
      json.beginObject()
      json.member("uri", absolute(link, options))
      json.member("label", place.title)
      json.member("contentType", "text/html")
      json.endObject()
    }
    if let sound = place.soundURL {
      json.beginObject()
      json.member("uri", absolute(sound, options))
      json.member("label", place.title)
      json.member("contentType", "audio/mpeg")
      json.endObject()
    }
    if let phone = place.phone {
      json.beginObject()
      json.member("uri", "tel:\(phone)")
      json.member("label", phone)
      json.member("contentType", "application/vnd.layar.internal")
      json.endObject()
    }
    json.endArray()
  }
}
