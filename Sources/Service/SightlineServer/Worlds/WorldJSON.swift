import Foundation
import NIOCore
import NIOFoundationCompat
import SightlineContent
import SightlineStore

/// The JSON in which worlds go to the web client:
/// `{"world": {…}, "dimension": {…}, "problems": […]}`.
enum WorldJSON {
  /// A stored world; its content is sent as it lies in the store.
  static func stored(_ content: WorldContent) -> ByteBuffer {
    var json = JSONWriter(capacity: content.dimensionJSON.count + content.problemsJSON.count + 512)
    json.beginObject()
    json.name("world")
    write(content.record, to: &json)
    json.name("dimension")
    json.raw(content.dimensionJSON)
    json.name("problems")
    json.raw(content.problemsJSON)
    json.endObject()
    return json.buffer
  }

  /// A world from elsewhere, as a worker read it; `nil` when it could not be read.
  static func foreign(_ world: ForeignAnswers.World, url: String) -> ByteBuffer? {
    guard let dimensionJSON = world.dimensionJSON else { return nil }
    var json = JSONWriter(capacity: dimensionJSON.count + world.problemsJSON.count + 512)
    json.beginObject()
    json.name("world")
    json.beginObject()
    json.name("id")
    json.null()
    json.member("title", world.title ?? url)
    json.member("url", url)
    json.member("format", world.format)
    json.name("version")
    json.null()
    json.endObject()
    json.name("dimension")
    json.raw(dimensionJSON)
    json.name("problems")
    json.raw(world.problemsJSON)
    json.endObject()
    return json.buffer
  }

  /// The list of worlds, with the covers of those whose content has been read.
  static func listing(_ worlds: [WorldRecord], _ digests: [String: WorldDigest]) -> ByteBuffer {
    var json = JSONWriter(capacity: 64 + worlds.count * 256)
    json.beginObject()
    json.name("worlds")
    json.beginArray()
    for world in worlds { write(world, digests[world.id], to: &json) }
    json.endArray()
    json.endObject()
    return json.buffer
  }

  private static func write(_ world: WorldRecord, _ digest: WorldDigest? = nil, to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", world.id)
    json.member("title", world.title)
    json.name("summary")
    if let summary = world.summary { json.value(summary) } else { json.null() }
    json.member("places", world.places)
    json.member("overlays", world.overlays)
    json.member("version", world.version)
    json.member("updated", Timestamp.iso8601(world.saved))
    json.name("center")
    if let center = world.center {
      json.beginObject()
      json.member("latitude", center.latitude)
      json.member("longitude", center.longitude)
      json.endObject()
    } else {
      json.null()
    }
    json.member("format", world.format)
    if let digest {
      json.name("cover")
      if let cover = digest.cover { json.value(cover) } else { json.null() }
    }
    json.endObject()
  }
}
