import Foundation
import NIOCore
import NIOFoundationCompat
import SightlineContent
import SightlineStore

/// The catalogue's answers.
enum PosterJSON {
  /// A page of the catalogue; posters in lists come without their texts, which can be long.
  static func page(_ page: PosterPage) throws -> ByteBuffer {
    try encode(Page(posters: page.posters.map(\.withoutText), total: page.total, next: page.next))
  }

  /// Some posters without more of them.
  static func list(_ posters: [Poster]) throws -> ByteBuffer {
    try encode(Page(posters: posters.map(\.withoutText), total: posters.count, next: nil))
  }

  /// One poster with all there is.
  static func detail(_ poster: Poster, similar: [Poster]) throws -> ByteBuffer {
    try encode(Detail(poster: poster, similar: similar.map(\.withoutText)))
  }

  /// The categories.
  static func categories(_ categories: [PosterCategory]) throws -> ByteBuffer {
    try encode(["categories": categories])
  }

  /// A poster with whose it is, for those who may change it.
  static func owned(_ found: OwnedPoster, owner: String?, warnings: [Problem] = []) throws -> ByteBuffer {
    let findings = warnings.map { Finding(path: $0.path, message: $0.message) }
    return try encode(
      Owned(poster: found.poster, owner: owner, revision: found.revision, warnings: findings)
    )
  }

  /// The posters somebody may change, without their texts.
  static func owned(_ found: [OwnedPoster], owners: [Int64: String], limit: Int) throws -> ByteBuffer {
    let posters = found.map {
      Owned(poster: $0.poster.withoutText, owner: $0.owner.flatMap { owners[$0] }, revision: $0.revision, warnings: [])
    }
    return try encode(OwnedList(posters: posters, limit: limit))
  }

  private struct Finding: Encodable {
    var path: String
    var message: String
  }

  private struct Owned: Encodable {
    var poster: Poster
    var owner: String?
    var revision: Int64
    var warnings: [Finding]
  }

  private struct OwnedList: Encodable {
    var posters: [Owned]
    var limit: Int
  }

  private struct Page: Encodable {
    var posters: [Poster]
    var total: Int
    var next: String?
  }

  private struct Detail: Encodable {
    var poster: Poster
    var similar: [Poster]
  }

  private static func encode(_ value: some Encodable) throws -> ByteBuffer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return ByteBuffer(data: try encoder.encode(value))
  }
}

extension Poster {
  fileprivate var withoutText: Poster {
    var poster = self
    poster.text = nil
    return poster
  }
}
