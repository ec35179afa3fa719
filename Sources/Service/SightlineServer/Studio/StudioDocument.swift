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
      throw StudioError.malformed(error)
    }
  }

  /// The draft for the store.
  ///
  /// - Throws: ``StudioError/unfit(_:)`` with what is wrong and where, ``StudioError/tooLarge(_:limit:)``.
  func content(_ quotas: Quotas) throws -> StudioContent {
    var checked = self
    checked.identify()
    let findings = checked.findings(quotas)
    guard findings.isEmpty else {
      throw StudioError.unfit(findings)
    }
    let json = try ContentJSON.encode(checked.dimension)
    guard json.count <= quotas.worldBytes else {
      throw StudioError.tooLarge(json.count, limit: quotas.worldBytes)
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
  ///
  /// Whatever is stored is written in all formats later, so numbers, colours, shapes and addresses are judged here.
  private func findings(_ quotas: Quotas) -> [Problem] {
    guard dimension.places.count <= quotas.places else {
      let message = "A world may have \(quotas.places) places. Make two of it."
      return [Problem(.error, "studio.quota", line: nil, path: "places", message: message)]
    }
    return dimension.faults()
  }
}
