/// A poster of the catalogue.
///
/// The JSON form of this type is what stands in the store and what the HTTP interface answers.
public struct Poster: Codable, Equatable, Sendable {
  /// What stands in addresses; see ``WorldIdentifier`` for its form.
  public var id: String
  /// Its title.
  public var title: String
  /// Who made it.
  public var artist: String?
  /// What there is to say about it.
  public var text: String?
  /// What it is filed under, in the order given.
  public var categories: [String]
  /// The sizes it is sold or printed in; at least one.
  public var sizes: [PosterSize]
  /// Page of the shop that sells it.
  public var shop: String?
  /// Its picture in several resolutions, from the narrowest to the widest; at least one.
  public var pictures: [PosterPicture]
  /// Mean colour of the picture, `#rrggbb`: what is shown until the picture has come.
  public var color: String

  /// A poster with every member given.
  public init(
    id: String,
    title: String,
    artist: String? = nil,
    text: String? = nil,
    categories: [String] = [],
    sizes: [PosterSize],
    shop: String? = nil,
    pictures: [PosterPicture],
    color: String = "#808080"
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.text = text
    self.categories = categories
    self.sizes = sizes
    self.shop = shop
    self.pictures = pictures
    self.color = color
  }
}

/// A size that a poster comes in: the paper's, without frame.
public struct PosterSize: Codable, Equatable, Sendable {
  /// What it is called: `A3`, `50 × 70 cm`.
  public var name: String
  /// Millimetres from the left edge to the right one.
  public var width: Double
  /// Millimetres from the upper edge to the lower one.
  public var height: Double
  /// What it costs, if that is known.
  public var price: PosterPrice?

  /// A size with every member given.
  public init(name: String, width: Double, height: Double, price: PosterPrice? = nil) {
    self.name = name
    self.width = width
    self.height = height
    self.price = price
  }
}

/// An amount of money, kept as it was written: sums of money are not binary fractions.
public struct PosterPrice: Codable, Equatable, Sendable {
  /// Decimal digits with a point: `24.90`.
  public var amount: String
  /// ISO 4217 code: `EUR`.
  public var currency: String

  /// An amount; `nil` when it is not digits with at most three decimals, or the code not three capital letters.
  public init?(amount: String, currency: String) {
    let parts = amount.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    func areDigits(_ text: Substring, _ counts: ClosedRange<Int>) -> Bool {
      counts.contains(text.utf8.count) && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    guard let whole = parts.first, areDigits(whole, 1...9), parts.count == 1 || areDigits(parts[1], 1...3),
      currency.utf8.count == 3,
      currency.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else { return nil }
    self.amount = amount
    self.currency = currency
  }
}

/// A poster's picture in one resolution.
public struct PosterPicture: Codable, Equatable, Sendable {
  /// Where it is: `/assets/…`.
  public var url: String
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A picture with every member given.
  public init(url: String, width: Int, height: Int) {
    self.url = url
    self.width = width
    self.height = height
  }
}
