import Foundation
import SightlineContent
import SightlineStore

/// A poster as an author sends it.
struct PosterRequest: Decodable, Described {
  /// A size; `name` says its measures unless it is given.
  struct Size: Decodable {
    var name: String?
    /// Millimetres.
    var width: Double
    var height: Double
    var price: Price?
  }

  /// An amount, as it is written, and its currency.
  struct Price: Decodable {
    var amount: String
    var currency: String
  }

  /// Made of the title when it is not given; never changed afterwards.
  var id: String?
  var title: String
  var artist: String?
  var text: String?
  var categories: [String]?
  var sizes: [Size]
  var shop: String?
  /// Hash or address of an uploaded picture; without it a poster keeps the one it has.
  var picture: String?

  static var rules: [String: JSONSchema] {
    let price = JSONSchema.object(["amount": .string, "currency": .string])
    let edge = JSONSchema.number(in: PosterDraft.edges).described("millimetres")
    return [
      "categories": .list(.string, to: PosterDraft.mostCategories),
      "sizes": .list(
        .object(["width": edge, "height": edge], optional: ["name": .string, "price": price]),
        from: 1,
        to: PosterDraft.mostSizes
      ),
    ]
  }

  /// Largest body, bytes: the longest text of four-byte characters, written with escapes, and the rest.
  static let largestBody = 160 * 1024

  /// What it says, and everything that cannot stay as it is.
  func draft(id: String) -> (draft: PosterDraft, problems: [Problem]) {
    func filled(_ text: String?) -> String? {
      let text = String((text ?? "").trimming())
      return text.isEmpty ? nil : text
    }
    var draft = PosterDraft()
    draft.id = id
    draft.title = String(title.trimming())
    draft.artist = filled(artist)
    draft.text = filled(text)
    draft.shop = filled(shop)
    var seen: Set<String> = []
    for name in categories ?? [] {
      let name = String(name.trimming())
      if seen.insert(name).inserted { draft.categories.append(name) }
    }
    var problems: [Problem] = []
    // One more than there may be, so that the draft says so.
    for (index, size) in sizes.prefix(PosterDraft.mostSizes + 1).enumerated() {
      var price: PosterPrice?
      if let given = size.price {
        price = PosterPrice(amount: given.amount.replacing(",", with: "."), currency: given.currency)
        if price == nil {
          problems.append(
            Problem(
              .error,
              "poster.price",
              line: nil,
              path: "sizes/\(index)/price",
              message: "\"\(given.amount.prefix(20)) \(given.currency.prefix(20))\" is no price. Write digits with at "
                + "most three after the point, and a currency's three capital letters: 24.90 EUR."
            )
          )
        }
      }
      draft.sizes.append(
        PosterSize(
          name: filled(size.name) ?? PosterSizeText.measured(size.width, size.height),
          width: size.width,
          height: size.height,
          price: price
        )
      )
    }
    return (draft, draft.problems() + problems)
  }
}
