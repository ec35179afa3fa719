import Foundation
import Hummingbird
import SightlineContent
import SightlineFormats
import SightlineStore

/// A draft on its way into the store: checked, with identifiers for everything, in the one JSON form.
struct StudioDocument: Sendable {
  var dimension: SightlineContent.Dimension

  init(_ dimension: SightlineContent.Dimension) { self.dimension = dimension }

  /// Reads a draft as the studio sends it.
  init(json: Data) throws {
    do {
      dimension = try JSONDecoder().decode(SightlineContent.Dimension.self, from: json)
    } catch let error as DecodingError {
      throw Exchange.problem(error)
    }
  }

  /// The draft for the store.
  ///
  /// - Throws: 422 with what is wrong and where.
  func content(_ quotas: Quotas) throws -> StudioContent {
    var checked = self
    checked.identify()
    let findings = checked.findings(quotas)
    guard findings.isEmpty else {
      throw RequestProblem(
        .unprocessableContent,
        "studio.invalid",
        "The draft cannot be kept as it is: \(findings[0].message)",
        findings: findings
      )
    }
    let json = try ContentJSON.encode(checked.dimension)
    guard json.count <= quotas.worldBytes else {
      throw RequestProblem(
        .contentTooLarge,
        "studio.quota",
        "The world takes \(json.count / 1024) KiB; \(quotas.worldBytes / 1024) are possible. Make two of it."
      )
    }
    return StudioContent(json: json, title: checked.dimension.name ?? "", places: checked.dimension.places.count)
  }

  /// Gives identifiers to places, overlays and files that have none, or one that another has: drafts of two people are
  /// joined by them.
  mutating func identify() {
    func unique(_ prefix: String, _ ids: [String?]) -> [String] {
      var taken: Set<String> = []
      for id in ids.compactMap({ $0 }) { taken.insert(id) }
      var seen: Set<String> = []
      var number = 0
      return ids.map { id in
        if let id, !id.isEmpty, seen.insert(id).inserted { return id }
        repeat { number += 1 } while taken.contains("\(prefix)-\(number)")
        taken.insert("\(prefix)-\(number)")
        return "\(prefix)-\(number)"
      }
    }
    for (index, id) in unique("place", dimension.places.map(\.id)).enumerated() { dimension.places[index].id = id }
    for (index, id) in unique("overlay", dimension.overlays.map(\.id)).enumerated() {
      dimension.overlays[index].id = id
    }
    for (index, id) in unique("file", dimension.assets.map(\.id)).enumerated() { dimension.assets[index].id = id }
  }

  /// What keeps a draft from being stored.
  private func findings(_ quotas: Quotas) -> [Problem] {
    var findings: [Problem] = []
    func note(_ code: String, _ path: String, _ message: String) {
      if findings.count < 20 { findings.append(Problem(.error, code, line: nil, path: path, message: message)) }
    }
    func text(_ value: String?, _ path: String, limit: Int = 20_000) {
      if let value, value.utf8.count > limit {
        note("text.long", path, "The text is longer than \(limit) bytes. Shorten it.")
      }
    }
    func address(_ value: String?, _ path: String) {
      guard let value, !value.isEmpty, !StudioDocument.isUsable(value) else { return }
      note("url.scheme", path, "\"\(value.prefix(80))\" is no address that can be opened. Begin it with https://.")
    }
    func action(_ action: Action?, _ path: String) {
      switch action {
      case .webPage(let url), .dimension(let url): address(url, path)
      case .refresh, nil: break
      }
    }
    if dimension.places.count > quotas.places {
      note("studio.quota", "places", "A world may have \(quotas.places) places. Make two of it.")
    }
    text(dimension.name, "name", limit: 500)
    text(dimension.summary, "summary")
    if !(dimension.radarRange > 0) { note("range", "radarRange", "The radar's radius has to be more than 0 metres.") }
    for place in dimension.places {
      let path = "places/\(place.id ?? "")"
      if let position = place.position {
        if !(-90...90).contains(position.latitude) || !(-180...180).contains(position.longitude) {
          note("position.range", path, "\"\(place.title)\" is nowhere on Earth. Put it on the map again.")
        }
      }
      if let radius = place.visibilityRadius, !(radius > 0) {
        note("range", path, "The radius of \"\(place.title)\" has to be more than 0 metres.")
      }
      if let marker = place.marker, !marker.isUsable {
        note("marker", path, "There is no marker \(marker.id) of \(marker.dictionary) with this size. Choose another.")
      }
      text(place.title, path + "/title", limit: 500)
      text(place.summary, path + "/summary")
      address(place.link, path + "/link")
      address(place.imageURL, path + "/imageURL")
      action(place.action, path + "/action")
    }
    for overlay in dimension.overlays {
      let path = "overlays/\(overlay.id ?? "")"
      action(overlay.action, path + "/action")
      if case .html(let url, _, _) = overlay.content { address(url, path + "/content") }
      if case .text(let words, _) = overlay.content { text(words, path + "/content") }
    }
    for asset in dimension.assets { address(asset.url, "assets/\(asset.id)") }
    return findings
  }

  /// Whether an address may stand in a world: on this server, or with a scheme that leads somewhere harmless.
  static func isUsable(_ url: String) -> Bool {
    guard let colon = url.firstIndex(of: ":"), !url[..<colon].contains("/") else { return true }
    return ["http", "https", "gamaray", "tel", "mailto", "sms", "geo", "sightline"]
      .contains(url[..<colon].lowercased())
  }
}
