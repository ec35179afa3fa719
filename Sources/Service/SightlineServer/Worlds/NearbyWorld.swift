import SightlineContent
import SightlineGeodesy
import SightlineStore
import Synchronization

/// The part of a large world that is near, for clients that cannot take more places at once.
final class NearbyWorld: Sendable {
  /// Most places that the clients of GDDF were made for.
  static let mostPlaces = 500

  private struct Kept {
    var generation: Int64
    var contentHash: String
    var dimension: Dimension
  }

  /// The worlds asked for last, decoded: a phone that walks asks for the same one again and again.
  private let kept = Mutex<[String: Kept]>([:])
  private static let mostKept = 4

  /// Where a client of GDDF says that it is; `nil` when it does not say so.
  static func place(of fields: FormFields) -> Geodetic? {
    func number(_ name: String, _ bound: Double) -> Double? {
      fields[name].flatMap(Double.init).flatMap { abs($0) <= bound ? $0 : nil }
    }
    guard let latitude = number("lat", 90), let longitude = number("lon", 180) else { return nil }
    // What the first clients send before they know where they are.
    if latitude == 45, longitude == -85, number("alt", .infinity) == 0 { return nil }
    return Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// A world's content, decoded; `nil` when it is not there any more.
  func dimension(_ record: WorldRecord, in worlds: any WorldStore) async throws -> Dimension? {
    if let known = kept.withLock({ $0[record.id] }), known.generation == record.generation,
      known.contentHash == record.contentHash
    {
      return known.dimension
    }
    guard let content = try await worlds.world(record.id, version: record.version) else { return nil }
    let dimension = try content.dimension()
    kept.withLock { kept in
      if kept.count >= Self.mostKept { kept.removeAll() }
      kept[record.id] = Kept(generation: record.generation, contentHash: record.contentHash, dimension: dimension)
    }
    return dimension
  }

  /// The world with its nearest places alone, in its own order; places without a position of their own stay.
  static func part(of dimension: Dimension, near place: Geodetic, _ index: PlaceIndex) -> Dimension {
    var found: [GeodeticIndex.Neighbor] = []
    index.index.nearest(mostPlaces, to: place, into: &found)
    let near = Set(found.map { Int(index.positions[Int($0.index)]) })
    let placed = Set(index.positions.map { Int($0) })
    var part = dimension
    part.places = dimension.places.enumerated().filter { near.contains($0.offset) || !placed.contains($0.offset) }
      .map(\.element)
    return part
  }
}
