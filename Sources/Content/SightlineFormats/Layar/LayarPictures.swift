import SightlineContent

/// The pictures that places of a world stand on, as `referenceImages` with keys.
struct LayarPictures {
  private struct Entry {
    var key: String
    var address: String
    var width: Double
  }
  private var entries: [Entry] = []
  /// By asset and width.
  private var keys: [String: String] = [:]
  private var assets: Set<String> = []

  init(_ dimension: Dimension, _ options: WritingOptions) {
    let addresses = dimension.addresses(options)
    for target in dimension.places.compactMap(\.target) where TargetAnchor.widths.contains(target.width) {
      let name = Self.name(target)
      guard keys[name] == nil, let address = addresses[target.assetID] else { continue }
      // The same picture in two sizes is two pictures.
      let key = assets.insert(target.assetID).inserted ? target.assetID : name
      keys[name] = key
      entries.append(Entry(key: key, address: address, width: target.width))
    }
  }

  private static func name(_ target: TargetAnchor) -> String { "\(target.assetID)@\(DecimalNumber.text(target.width))" }

  /// What a place's picture is called; `nil` for none, and for one without a usable file or width.
  func key(of target: TargetAnchor?) -> String? { target.flatMap { keys[Self.name($0)] } }

  /// Whether an asset is one of the pictures.
  func holds(_ assetID: String) -> Bool { assets.contains(assetID) }

  func write(_ json: inout JSONTextWriter) {
    guard !entries.isEmpty else { return }
    json.name("referenceImages")
    json.beginArray()
    for entry in entries {
      json.beginObject()
      json.member("key", entry.key)
      json.member("url", entry.address)
      json.name("width")
      json.value(entry.width)
      json.endObject()
    }
    json.endArray()
  }
}
