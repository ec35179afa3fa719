import SightlineContent
import SightlineStore

extension Poster: Described {}
extension PosterCategory: Described {}

/// A page of the catalogue; posters in lists come without their texts, which can be long.
struct PosterList: Codable, Described, Sendable {
  var posters: [Poster]
  /// How many there are on all pages.
  var total: Int
  /// What to send as `after` for the next page.
  var next: String?

  init(_ page: PosterPage) {
    posters = page.posters.map(\.withoutText)
    total = page.total
    next = page.next
  }

  /// Some posters without more of them.
  init(_ posters: [Poster]) {
    self.posters = posters.map(\.withoutText)
    total = posters.count
  }
}

/// One poster with all there is.
struct PosterDetail: Codable, Described, Sendable {
  var poster: Poster
  var similar: [Poster]

  init(_ poster: Poster, similar: [Poster]) {
    self.poster = poster
    self.similar = similar.map(\.withoutText)
  }
}

/// The categories with their numbers of posters.
struct PosterCategories: Codable, Described, Sendable {
  var categories: [PosterCategory]
}

/// A poster with whose it is, for those who may change it.
struct OwnedPosterAnswer: Codable, Described, Sendable {
  /// What should be looked at again.
  struct Warning: Codable, Sendable {
    var path: String
    var message: String
  }

  var poster: Poster
  var owner: String?
  var revision: Int64
  var warnings: [Warning]

  static let schemaName = "OwnedPoster"

  init(_ found: OwnedPoster, owner: String?, warnings: [Problem] = []) {
    poster = found.poster
    self.owner = owner
    revision = found.revision
    self.warnings = warnings.map { Warning(path: $0.path, message: $0.message) }
  }
}

/// The posters somebody may change, without their texts.
struct OwnedPosterList: Codable, Described, Sendable {
  var posters: [OwnedPosterAnswer]
  /// How many one may have.
  var limit: Int

  init(_ found: [OwnedPoster], owners: [Int64: String], limit: Int) {
    posters = found.map { found in
      var found = found
      found.poster = found.poster.withoutText
      return OwnedPosterAnswer(found, owner: found.owner.flatMap { owners[$0] })
    }
    self.limit = limit
  }
}

extension Poster {
  fileprivate var withoutText: Poster {
    var poster = self
    poster.text = nil
    return poster
  }
}
