import Foundation
import NIOCore
import SightlineStore

/// The studio's answers.
enum StudioJSON {
  /// Names the latest draft.
  static func etag(_ world: StudioWorld) -> String { "\"v\(world.version)\"" }

  /// `"v12"` is 12.
  static func version(ofTag tag: String) -> Int? {
    let text = tag.trimming()
    guard text.hasPrefix("\"v"), text.hasSuffix("\""), text.count > 3 else { return nil }
    return Int(text.dropFirst(2).dropLast())
  }

  static func write(_ world: StudioWorld, for account: Account, to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", world.id)
    json.member("title", world.title)
    json.member("owner", world.ownerName)
    json.name("mayShare")
    json.value(account.mayChange(ownedBy: world.owner))
    json.name("members")
    json.beginArray()
    for name in world.members.values.sorted() { json.value(name) }
    json.endArray()
    json.member("version", world.version)
    json.name("published")
    if let published = world.published { json.value(published) } else { json.null() }
    json.member("places", world.places)
    json.member("saved", Timestamp.iso8601(world.saved))
    json.member("savedBy", world.savedBy)
    json.endObject()
  }

  static func write(_ draft: StudioDraft, published: Int?, to json: inout JSONWriter) {
    json.beginObject()
    json.member("version", draft.version)
    json.member("saved", Timestamp.iso8601(draft.saved))
    json.member("author", draft.author)
    json.member("title", draft.title)
    json.member("places", draft.places)
    json.name("published")
    json.value(draft.version == published)
    json.name("wasPublished")
    json.value(draft.wasPublished)
    json.endObject()
  }

  static func write(_ copies: [StudioCopy], to json: inout JSONWriter) {
    json.beginArray()
    for copy in copies {
      json.beginObject()
      json.member("number", Int(copy.id))
      json.member("base", copy.base)
      json.member("saved", Timestamp.iso8601(copy.saved))
      json.member("author", copy.author)
      json.member("places", copy.places)
      json.endObject()
    }
    json.endArray()
  }

  /// The problem document of a conflict: what somebody else saved, and what contradicts it.
  static func conflict(
    version: Int,
    by: String,
    joined: Data,
    copy: Int64,
    conflicts: [DraftMerge.Conflict],
    requestID: String
  ) throws -> ByteBuffer {
    var json = JSONWriter(capacity: joined.count + 2048)
    json.beginObject()
    json.member("type", "about:blank")
    json.member("title", "Conflict")
    json.member("status", 409)
    json.member("code", "studio.conflict")
    json.member(
      "detail",
      "\(by) has changed the same things meanwhile. Both drafts are kept; choose what is to stand."
    )
    json.member("instance", "urn:sightline:request:\(requestID)")
    json.member("version", version)
    json.member("by", by)
    json.member("copy", Int(copy))
    json.name("dimension")
    json.raw(joined)
    json.name("conflicts")
    json.beginArray()
    for conflict in conflicts.prefix(500) {
      json.beginObject()
      json.member("path", conflict.path)
      for (name, value) in [("base", conflict.base), ("mine", conflict.mine), ("theirs", conflict.theirs)] {
        guard let value else { continue }
        json.dynamicName(name)
        json.raw(try ContentJSON.encode(value))
      }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json.buffer
  }
}
