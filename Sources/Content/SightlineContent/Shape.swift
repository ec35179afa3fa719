/// A line or an area that a place has on the ground, beside the point that stands for it.
///
/// In JSON positions are arrays of longitude, latitude and perhaps altitude:
/// `{"kind": "line", "parts": [[[9.99, 48.4], [9.98, 48.41]]]}`.
public struct Shape: Equatable, Sendable {
  /// What it is.
  public enum Kind: String, Codable, Sendable {
    /// A path: one part of two positions or more.
    case line
    /// An area: the outer ring, then its holes, of three positions or more each; the first is not repeated at the end.
    case area
  }

  /// What it is.
  public var kind: Kind
  /// Its parts; altitudes are measured as the place's own.
  public var parts: [[Position]]

  /// A path.
  public static func line(_ positions: [Position]) -> Shape { Shape(kind: .line, parts: [positions]) }

  /// An area.
  public static func area(_ outer: [Position], holes: [[Position]] = []) -> Shape {
    Shape(kind: .area, parts: [outer] + holes)
  }

  /// A shape from its parts.
  public init(kind: Kind, parts: [[Position]]) {
    self.kind = kind
    self.parts = parts
  }
}

/// How a place's shapes are drawn.
public struct ShapeStyle: Codable, Equatable, Sendable {
  /// Colour of lines and borders, `#rrggbb`.
  public var stroke: String?
  /// 0 … 1.
  public var strokeOpacity: Double?
  /// Width of lines and borders, points.
  public var width: Double?
  /// Colour of areas, `#rrggbb`.
  public var fill: String?
  /// 0 … 1.
  public var fillOpacity: Double?

  /// A style that says nothing.
  public init() {}

  /// Whether it says nothing.
  public var isEmpty: Bool { self == ShapeStyle() }

  /// A colour as `#rrggbb` in small letters; `nil` for what is none.
  ///
  /// Three digits are doubled.
  public static func color(_ text: String) -> String? {
    guard text.hasPrefix("#") else { return nil }
    let digits = text.dropFirst().lowercased()
    guard digits.allSatisfy(\.isHexDigit) else { return nil }
    switch digits.count {
    case 3: return "#" + digits.map { "\($0)\($0)" }.joined()
    case 6: return "#" + digits
    default: return nil
    }
  }
}

extension Shape: Codable {
  private enum Key: String, CodingKey { case kind, parts }

  /// Reads the form above.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    kind = try container.decode(Kind.self, forKey: .kind)
    parts = try container.decode([[[Double]]].self, forKey: .parts).map { part in
      try part.map { numbers in
        guard numbers.count == 2 || numbers.count == 3 else {
          throw DecodingError.dataCorruptedError(
            forKey: .parts,
            in: container,
            debugDescription: "a position has \(numbers.count) numbers"
          )
        }
        return Position(
          latitude: numbers[1],
          longitude: numbers[0],
          altitude: numbers.count == 3 ? numbers[2] : nil
        )
      }
    }
  }

  /// Writes the form above.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(parts.map { $0.map(\.numbers) }, forKey: .parts)
  }
}

extension Position {
  /// Longitude, latitude and, if there is one, altitude.
  public var numbers: [Double] { [longitude, latitude] + (altitude.map { [$0] } ?? []) }
}
