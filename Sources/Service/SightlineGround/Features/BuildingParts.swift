import SightlineInput
import SightlineOpenStreetMap

/// Buildings that are described by parts: their own outline is no wall then
/// (wiki.openstreetmap.org/wiki/Simple_3D_Buildings).
enum BuildingParts {
  /// Takes the height from each building in which a part lies; the map draws it, and nothing hides behind it.
  static func mark(_ features: inout [GroundFeature]) {
    var parts: [OSMPosition] = []
    for feature in features where feature.kind == .buildingPart {
      guard case .area(let polygons) = feature.shape else { continue }
      for polygon in polygons { if let position = inner(polygon.outer) { parts.append(position) } }
    }
    guard !parts.isEmpty else { return }
    parts.sort { $0.latitude < $1.latitude }
    for index in features.indices where features[index].kind == .building {
      guard case .area(let polygons) = features[index].shape else { continue }
      if polygons.contains(where: { hasPart($0.outer, parts) }) {
        features[index].height = BuildingHeight(bottom: 0, top: 0, isKnown: features[index].height.isKnown)
      }
    }
  }

  /// A position just within a ring: its corners lie on the outlines of others.
  private static func inner(_ ring: PositionLine) -> OSMPosition? {
    guard ring.count > 2 else { return nil }
    for index in ring.indices {
      let (a, b, c) = (ring[index], ring[(index + 1) % ring.count], ring[(index + 2) % ring.count])
      let position = OSMPosition(
        latitude: Int32(clamped: (Int(a.latitude) + Int(b.latitude) + Int(c.latitude)) / 3),
        longitude: Int32(clamped: (Int(a.longitude) + Int(b.longitude) + Int(c.longitude)) / 3)
      )
      if RingAssembly.contains(ring, position) { return position }
    }
    return nil
  }

  private static func hasPart(_ ring: PositionLine, _ parts: [OSMPosition]) -> Bool {
    guard let box = OSMBounds(around: ring) else { return false }
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].latitude < box.south { low = middle + 1 } else { high = middle }
    }
    while low < parts.count, parts[low].latitude <= box.north {
      if (box.west...box.east).contains(parts[low].longitude), RingAssembly.contains(ring, parts[low]) { return true }
      low += 1
    }
    return false
  }
}
