import SightlineInput
import SightlineOpenStreetMap

/// How high a building or a part of one stands: from where to where over the ground, decimetres.
struct BuildingHeight: Equatable, Sendable {
  var bottom: UInt16 = 0
  var top: UInt16 = 0
  /// Whether the height is said by tags; else it is a guess.
  var isKnown = false

  init() {}

  init(bottom: UInt16, top: UInt16, isKnown: Bool) {
    self.bottom = bottom
    self.top = top
    self.isKnown = isKnown
  }

  /// Metres of a storey, as the wiki's page on simple 3-D buildings has it, and of a building of which nothing is said: two
  /// storeys and a roof.
  static let storey = 3.0
  static let guess = 8.0
  /// Of what is smaller by its kind.
  private static let low = [
    "garage", "garages", "shed", "hut", "kiosk", "roof", "carport", "container", "greenhouse", "cabin",
  ]
  /// Metres of the highest building that is believed.
  private static let most = 1000.0

  init(_ tags: OSMTags) {
    let storeys = tags["building:levels"].flatMap(Self.number)
    let roof = tags["roof:height"].flatMap(Self.metres) ?? (tags["roof:levels"].flatMap(Self.number) ?? 0) * Self.storey
    var top: Double
    if let height = tags["height"].flatMap(Self.metres), height > 0 {
      top = height
      isKnown = true
    } else if let storeys, storeys > 0 {
      top = storeys * Self.storey + roof
      isKnown = true
    } else {
      top = Self.low.contains(tags["building"] ?? "") ? Self.storey : Self.guess
    }
    var bottom =
      tags["min_height"].flatMap(Self.metres) ?? (tags["building:min_level"].flatMap(Self.number) ?? 0) * Self.storey
    // A roof on posts is no wall: one sees below it.
    if bottom == 0, tags["building"] == "roof" || tags["building:part"] == "roof" { bottom = max(0, top - 0.5) }
    top = min(Self.most, top)
    bottom = min(max(0, bottom), top)
    self.top = UInt16(clamped: (top * 10).rounded())
    self.bottom = UInt16(clamped: (bottom * 10).rounded())
  }

  /// A height in metres: `12`, `12.5 m`, `12,5`, `40'`, `40 ft`, `5'6"`.
  static func metres(_ text: String) -> Double? {
    let text = text.trimmed
    if let feet = text.firstIndex(of: "'") {
      guard let whole = number(String(text[..<feet])) else { return nil }
      let rest = text[text.index(after: feet)...].filter { $0 != "\"" }
      guard let inches = rest.isEmpty ? 0 : number(String(rest)) else { return nil }
      return (whole * 12 + inches) * 0.0254
    }
    for (unit, scale) in [("ft", 0.3048), ("feet", 0.3048), ("m", 1.0)] where text.hasSuffix(unit) {
      return number(String(text.dropLast(unit.count))).map { $0 * scale }
    }
    return number(text)
  }

  /// A number that is not negative; with a comma where people write one.
  static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 24, let value = Double(text.trimmed.replacing(",", with: ".")), value.isFinite, value >= 0
    else {
      return nil
    }
    return value
  }
}

extension String {
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
