import Foundation

/// A means of transport.
public enum TransitMode: String, Sendable, Codable, CaseIterable {
  case tram, metro, rail, bus, coach, ferry, cableTram, aerialLift, funicular, trolleybus, monorail, taxi, other

  /// From GTFS route_type, the extended numbers (hundreds) included.
  public init(routeType: Int) {
    switch routeType {
    case 0: self = .tram
    case 1: self = .metro
    case 2: self = .rail
    case 3: self = .bus
    case 4: self = .ferry
    case 5: self = .cableTram
    case 6: self = .aerialLift
    case 7: self = .funicular
    case 11: self = .trolleybus
    case 12: self = .monorail
    case 405: self = .monorail
    case 401, 402: self = .metro
    default:
      switch routeType / 100 {
      case 1: self = .rail
      case 2: self = .coach
      case 4: self = .metro
      case 7: self = .bus
      case 8: self = .trolleybus
      case 9: self = .tram
      case 10, 12: self = .ferry
      case 13: self = .aerialLift
      case 14: self = .funicular
      case 15: self = .taxi
      default: self = .other
      }
    }
  }
}

/// A line's colours, readable together.
struct LineColors: Equatable {
  let color: Int
  let textColor: Int

  /// 0xRRGGBB of hex digits; `nil` for what is no colour.
  static func color(_ text: String) -> Int? {
    guard let value = Int(text, radix: 16), (0...0xFFFFFF).contains(value) else { return nil }
    return value
  }

  /// White and black where nothing is given; black or white text where the contrast is under 3:1.
  init(color: Int?, textColor: Int?) {
    let background = color ?? 0xFFFFFF
    let text = textColor ?? 0x000000
    self.color = background
    if Self.contrast(background, text) >= 3 {
      self.textColor = text
    } else {
      self.textColor = Self.contrast(background, 0) >= Self.contrast(background, 0xFFFFFF) ? 0 : 0xFFFFFF
    }
  }

  /// Contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance).
  static func contrast(_ a: Int, _ b: Int) -> Double {
    let (lighter, darker) = (max(luminance(a), luminance(b)), min(luminance(a), luminance(b)))
    return (lighter + 0.05) / (darker + 0.05)
  }

  private static func luminance(_ color: Int) -> Double {
    func linear(_ value: Int) -> Double {
      let share = Double(value & 0xFF) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(color >> 16) + 0.7152 * linear(color >> 8) + 0.0722 * linear(color)
  }
}

/// The order in which lines are listed: plain numbers first, then names by their leading number, then the rest.
///
/// A total order. Where a feed gives route_sort_order, compare that before.
public struct LineOrder: Comparable, Sendable {
  /// Letters that a language counts apart, each after the letter before it; others stand with their base letter.
  ///
  /// The system's comparison by language is no order on mixed names: it takes a shortcut for ASCII that disagrees with the rest.
  private static let alphabets: [String: [Character: String]] = {
    // Above every letter: what follows a letter and this comes after all that begins with the letter.
    func after(_ base: Character, _ letters: String) -> [Character: String] {
      Dictionary(
        letters.enumerated().map {
          ($0.element, "\(base)\u{F8FF}\(Character(Unicode.Scalar(UInt8(clamping: 0x61 + $0.offset))))")
        }
      ) { first, _ in first }
    }
    let northern = after("z", "åäö")
    let danish = after("z", "æøå")
    let spanish = after("n", "ñ")
    let turkish = [after("c", "ç"), after("g", "ğ"), after("o", "ö"), after("s", "ş"), after("u", "ü")]
    let polish = [
      after("a", "ą"), after("c", "ć"), after("e", "ę"), after("l", "ł"), after("n", "ń"), after("o", "ó"),
      after("s", "ś"), after("z", "źż"),
    ]
    func joined(_ parts: [[Character: String]]) -> [Character: String] {
      parts.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
    return [
      "sv": northern, "fi": northern, "da": danish, "nb": danish, "nn": danish, "no": danish, "es": spanish,
      "tr": joined(turkish), "pl": joined(polish),
    ]
  }()

  private let isNumber: Bool
  private let hasLeading: Bool
  private let leading: String
  private let alphabetical: String
  private let folded: String
  private let original: String

  /// The place of a line with this name.
  ///
  /// - Parameters:
  ///   - name: what riders call it.
  ///   - language: code of the provider's language, as `sv` or `sv-FI`; empty when it is not known.
  public init(_ name: String, language: String = "") {
    original = name
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    isNumber = !name.isEmpty && digits.count == name.count
    leading = String(digits.drop { $0 == "0" })
    folded = name.folding(options: .caseInsensitive, locale: Locale(identifier: "en_US_POSIX"))
    let own = Self.alphabets[String(language.lowercased().prefix { $0.isASCII && $0.isLetter })] ?? [:]
    // Most names are a few letters of ASCII, for which nothing is to be looked up.
    alphabetical =
      folded.utf8.allSatisfy { $0 < 0x80 }
      ? folded
      : folded.map { letter in
        own[letter]
          ?? String(letter).folding(options: .diacriticInsensitive, locale: Locale(identifier: "en_US_POSIX"))
      }.joined()
    hasLeading = !digits.isEmpty
  }

  /// Whether `a` is listed before `b`.
  public static func < (a: LineOrder, b: LineOrder) -> Bool {
    if a.isNumber != b.isNumber { return a.isNumber }
    if a.hasLeading != b.hasLeading { return a.hasLeading }
    if a.leading.utf8.count != b.leading.utf8.count { return a.leading.utf8.count < b.leading.utf8.count }
    if a.leading != b.leading { return a.leading < b.leading }
    if a.alphabetical != b.alphabetical { return a.alphabetical < b.alphabetical }
    if a.folded != b.folded { return a.folded < b.folded }
    return a.original < b.original
  }
}
