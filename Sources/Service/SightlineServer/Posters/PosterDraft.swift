import Foundation
import SightlineContent
import SightlineStore

/// A poster before its picture has been looked at, from a row of a table or from a request.
struct PosterDraft: Equatable, Sendable {
  var id = ""
  var title = ""
  var artist: String?
  var text: String?
  var categories: [String] = []
  var sizes: [PosterSize] = []
  var shop: String?

  static let longestTitle = 200
  static let longestText = 10_000
  static let mostCategories = 12
  static let longestCategory = 60
  static let mostSizes = 20
  /// Shortest and longest edge of a poster, millimetres.
  static let edges = 20.0...5000.0

  /// Everything about the draft that cannot stay as it is; `path` names each member.
  func problems() -> [Problem] {
    var found: [Problem] = []
    func refuse(_ path: String, _ message: String) {
      found.append(Problem(.error, "poster.\(path.prefix { $0 != "/" })", line: nil, path: path, message: message))
    }
    if !WorldIdentifier.isValid(id) {
      refuse(
        "id",
        "\"\(id.prefix(80))\" cannot be an identifier: use 1 to \(WorldIdentifier.maximumLength) lower-case letters, "
          + "digits, hyphens, dots and underscores, beginning with a letter or digit."
      )
    }
    if title.trimming().isEmpty { refuse("title", "The title is missing.") }
    checkText(title, "title", PosterDraft.longestTitle, refuse)
    if let artist { checkText(artist, "artist", PosterDraft.longestTitle, refuse) }
    if let text { checkText(text, "text", PosterDraft.longestText, refuse) }
    if categories.count > PosterDraft.mostCategories {
      refuse("categories", "There are \(categories.count) categories; at most \(PosterDraft.mostCategories) are kept.")
    }
    for (index, name) in categories.prefix(PosterDraft.mostCategories).enumerated() {
      checkText(name, "categories/\(index)", PosterDraft.longestCategory, refuse)
      if name.trimming().isEmpty { refuse("categories/\(index)", "The category has no name.") }
    }
    if sizes.isEmpty { refuse("sizes", "No size is given. Write at least one, such as A3 or 500x700.") }
    if sizes.count > PosterDraft.mostSizes {
      refuse("sizes", "There are more sizes than can be kept; at most \(PosterDraft.mostSizes) are kept.")
    }
    for (index, size) in sizes.prefix(PosterDraft.mostSizes).enumerated() {
      checkText(size.name, "sizes/\(index)", PosterDraft.longestCategory, refuse)
      if !PosterDraft.edges.contains(size.width) || !PosterDraft.edges.contains(size.height) {
        refuse(
          "sizes/\(index)",
          "\(size.width) × \(size.height) mm is no size of a poster: each edge has to be 20 to 5000 millimetres."
        )
      }
    }
    if let shop, !PosterDraft.isWebAddress(shop) {
      refuse("shop", "\"\(shop.prefix(80))\" is no address of a page. Write one that begins with https:// or http://.")
    }
    return found
  }

  private func checkText(_ text: String, _ path: String, _ longest: Int, _ refuse: (String, String) -> Void) {
    if text.count > longest { refuse(path, "The text has \(text.count) characters; at most \(longest) are kept.") }
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    if text.unicodeScalars.contains(where: { isControl($0) && $0 != "\n" && $0 != "\t" && $0 != "\r" }) {
      refuse(path, "The text holds control characters. Type it again.")
    }
  }

  private static func isWebAddress(_ text: String) -> Bool {
    guard text.utf8.count <= 2000, let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil
    else { return false }
    return parts.scheme?.lowercased() == "https" || parts.scheme?.lowercased() == "http"
  }

  /// The poster that it becomes with its pictures.
  func poster(_ pictures: [PosterPicture], color: String) -> Poster {
    Poster(
      id: id,
      title: String(title.trimming()),
      artist: artist,
      text: text,
      categories: categories,
      sizes: sizes,
      shop: shop,
      pictures: pictures,
      color: color
    )
  }

  /// Sizes whose shape differs so much from the picture's that white margins will show.
  func unfitting(aspect: Double) -> [Problem] {
    sizes.enumerated().compactMap { index, size in
      let ratio = size.width / size.height / aspect
      guard max(ratio, 1 / ratio) > 1.12 else { return nil }
      return Problem(
        .warning,
        "poster.shape",
        line: nil,
        path: "sizes/\(index)",
        message: "\(size.name) has another shape than the picture; it will be shown with white margins."
      )
    }
  }
}

extension Poster {
  /// Width over height of its picture.
  var aspect: Double {
    guard let largest = pictures.last, largest.height > 0 else { return 1 }
    return Double(largest.width) / Double(largest.height)
  }
}

extension PosterDraft {
  /// What a table's row says, but for its sizes, which need the picture's shape.
  init(_ row: PosterTable.Row, of table: PosterTable, file: String) {
    id = table.field(row, "id") ?? WorldIdentifier.derived(fromFileName: file)
    title = table.field(row, "title") ?? ""
    artist = table.field(row, "artist")
    text = table.field(row, "text")
    shop = table.field(row, "shop")
    categories = PosterDraft.list(table.field(row, "categories"))
  }

  /// Names between semicolons, each once.
  static func list(_ field: String?) -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    for part in (field ?? "").split(separator: ";") {
      let name = String(part.trimming())
      if !name.isEmpty, seen.insert(name).inserted { names.append(name) }
    }
    return names
  }
}
