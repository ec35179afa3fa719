import Foundation
import SightlineStore

/// Sizes as they are written in a table: `A3; A2 29.50 EUR; Large 700x1000 49 EUR; 50x70cm`.
enum PosterSizeText {
  /// Sheets that need no measures, upright, millimetres.
  static let sheets: [String: (width: Double, height: Double)] = [
    "A0": (841, 1189), "A1": (594, 841), "A2": (420, 594), "A3": (297, 420), "A4": (210, 297), "A5": (148, 210),
    "B1": (707, 1000), "B2": (500, 707), "LETTER": (215.9, 279.4), "TABLOID": (279.4, 431.8),
  ]

  /// Why a size could not be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// All sizes of a field, which are separated by semicolons.
  ///
  /// Sheets without measures lie on their side when `isLandscape` says so.
  static func sizes(_ field: String, isLandscape: Bool) throws(Unreadable) -> [PosterSize] {
    var sizes: [PosterSize] = []
    for part in field.split(separator: ";") where !part.trimming().isEmpty {
      sizes.append(try size(String(part.trimming()), isLandscape))
    }
    return sizes
  }

  private static func size(_ text: String, _ isLandscape: Bool) throws(Unreadable) -> PosterSize {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var price: PosterPrice?
    // A price stands at the end, its currency after it.
    if words.count >= 3,
      let found = PosterPrice(
        amount: words[words.count - 2].replacing(",", with: "."),
        currency: words[words.count - 1]
      )
    {
      price = found
      words.removeLast(2)
    }
    if let at = words.lastIndex(where: { measures($0) != nil }), let (width, height) = measures(words[at]) {
      var name = words
      name.remove(at: at)
      return PosterSize(
        name: name.isEmpty ? measured(width, height) : name.joined(separator: " "),
        width: width,
        height: height,
        price: price
      )
    }
    let name = words.joined(separator: " ")
    guard let sheet = sheets[name.uppercased()] else {
      throw Unreadable(
        description: "\"\(text.prefix(80))\" is no size. Write a sheet (A3), or a width and height in millimetres "
          + "(500x700), with a name before it and a price after it if you like: Large 500x700 39.00 EUR."
      )
    }
    return PosterSize(
      name: name,
      width: isLandscape ? sheet.height : sheet.width,
      height: isLandscape ? sheet.width : sheet.height,
      price: price
    )
  }

  /// `500x700`, `50x70cm`, `19.7x27.6in`: millimetres.
  private static func measures(_ word: String) -> (Double, Double)? {
    var text = word.lowercased().replacing("×", with: "x")
    var unit = 1.0
    for (ending, factor) in [("mm", 1.0), ("cm", 10.0), ("in", 25.4)] where text.hasSuffix(ending) {
      text.removeLast(2)
      unit = factor
      break
    }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Double(parts[0]), let height = Double(parts[1]), width.isFinite,
      height.isFinite, parts.allSatisfy({ $0.first?.isNumber == true })
    else { return nil }
    return (width * unit, height * unit)
  }

  /// What a size without a name is called: `50 × 70 cm`.
  static func measured(_ width: Double, _ height: Double) -> String {
    "\(number(width / 10)) × \(number(height / 10)) cm"
  }

  private static func number(_ value: Double) -> String {
    // Foreign numbers may be larger than any whole number there is.
    Int(exactly: value).map(String.init) ?? String((value * 10).rounded() / 10)
  }
}
