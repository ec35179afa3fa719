import Foundation
import NIOCore
import NIOFoundationCompat
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
