import NIOCore
import SightlineGeodesy
import SightlineStore

/// One search over the titles of all published worlds and their places, in all languages that a world has.
///
/// How well a title fits comes first, how near it is second. The work is bounded: of very common beginnings only so many are looked at.
struct WorldSearch: Sendable {
  /// Folded words.
  var words: [[UInt8]]
  /// Where near places are wanted; `nil` when that is not known.
  var center: Geodetic?
  var limit: Int
  /// In which titles are told, where the world has it; two letters.
  var language: String?

  /// Beginnings of words that are looked at, in all worlds and in each.
  static let mostLooks = 60_000
  static let mostLooksInWorld = 10_000

  /// Something found.
  struct Match {
    let world: WorldRecord
    let digest: WorldDigest
    let number: Int
    let fit: WorldDigest.Fit
    /// Metres; infinite when it is not known.
    let distance: Double

    func isBefore(_ other: Match) -> Bool {
      if fit != other.fit { return fit < other.fit }
      if distance != other.distance { return distance < other.distance }
      // A world before its places.
      if (number == 0) != (other.number == 0) { return number == 0 }
      return (world.id, number) < (other.world.id, other.number)
    }
  }

  /// What fits, best first.
  func matches(in snapshot: Catalog.Snapshot) -> [Match] {
    guard !words.isEmpty, limit > 0 else { return [] }
    var best: [Match] = []
    var looks = WorldSearch.mostLooks
    for world in snapshot.worlds {
      guard looks > 0, let digest = snapshot.digests[world.id] else { continue }
      let numbers = candidates(in: digest, &looks)
      for number in numbers {
        guard let fit = digest.fit(number, words) else { continue }
        let match = Match(
          world: world,
          digest: digest,
          number: number,
          fit: fit,
          distance: distance(to: digest.names[number])
        )
        best.append(match)
      }
      // Never more than a few times what is wanted is kept.
      if best.count > 4 * limit { WorldSearch.cut(&best, to: limit) }
    }
    WorldSearch.cut(&best, to: limit)
    return best
  }

  private static func cut(_ matches: inout [Match], to limit: Int) {
    matches.sort { $0.isBefore($1) }
    if matches.count > limit { matches.removeLast(matches.count - limit) }
  }

  /// The names that may fit: those that have the rarest of the words that the world's title does not have.
  private func candidates(in digest: WorldDigest, _ looks: inout Int) -> Set<Int> {
    let counts = words.map { digest.count(of: $0) }
    looks -= words.count
    guard counts.allSatisfy({ $0 > 0 }) else { return [] }
    let own = words.indices.filter { digest.fit(0, [words[$0]]) == nil }
    // All in the world's title: it is meant, or any of its places that has one of them.
    let wanted = own.min { counts[$0] < counts[$1] }.map { [$0] } ?? Array(words.indices)
    var found: Set<Int> = []
    if own.isEmpty { found.insert(0) }
    for index in wanted {
      let some = digest.names(with: words[index], limit: max(0, min(looks, WorldSearch.mostLooksInWorld)))
      looks -= some.count
      found.formUnion(some)
    }
    return found
  }

  private func distance(to name: WorldDigest.Name) -> Double {
    guard let center, name.latitude.isFinite, name.longitude.isFinite else { return .infinity }
    return greatCircleDistance(
      from: center,
      to: Geodetic(latitudeDegrees: name.latitude, longitudeDegrees: name.longitude)
    )
  }

}
