import NIOCore
import SightlineGeodesy

/// The nearest places of one world or of all.
struct NearbySearch: Equatable, Sendable {
  /// Where from.
  var center: Geodetic
  /// Most places.
  var limit: Int
  /// Metres; infinite without a limit.
  var radius: Double
  /// One world's identifier, or `nil` for all.
  var world: String?

  /// A place found.
  struct Match: Equatable {
    var indexNumber: Int
    var place: Int
    var distance: Double
  }

  /// Finds them, nearest first; places at the same distance by world and then by their order in it.
  ///
  /// Exact, also across the date line and at the poles.
  func matches(in indexes: [PlaceIndex]) -> [Match] {
    var found: [GeodeticIndex.Neighbor] = []
    if indexes.count == 1 {
      indexes[0].index.nearest(limit, to: center, within: radius, into: &found)
      return found.map { Match(indexNumber: 0, place: Int($0.index), distance: $0.distance) }
    }
    // The world whose places may be nearest goes first; what it yields bounds the search in all the others.
    let order = indexes.indices.map { (bound: indexes[$0].distanceBound(from: center), number: $0) }
      .sorted { ($0.bound, $0.number) < ($1.bound, $1.number) }
    var best: [Match] = []
    for (bound, number) in order {
      let reach = best.count == limit ? min(radius, best[limit - 1].distance) : radius
      guard bound <= reach else { break }
      found.removeAll(keepingCapacity: true)
      indexes[number].index.nearest(limit, to: center, within: reach, into: &found)
      guard !found.isEmpty else { continue }
      best += found.map { Match(indexNumber: number, place: Int($0.index), distance: $0.distance) }
      best.sort { ($0.distance, $0.indexNumber, $0.place) < ($1.distance, $1.indexNumber, $1.place) }
      if best.count > limit { best.removeLast(best.count - limit) }
    }
    return best
  }

  /// The answer's bytes.
  func answer(in indexes: [PlaceIndex]) -> ByteBuffer {
    let matches = matches(in: indexes)
    var json = JSONWriter(capacity: 16 + matches.count * 192)
    json.beginObject()
    json.name("places")
    json.beginArray()
    for match in matches { indexes[match.indexNumber].write(match.place, distance: match.distance, to: &json) }
    json.endArray()
    json.endObject()
    return json.buffer
  }
}
