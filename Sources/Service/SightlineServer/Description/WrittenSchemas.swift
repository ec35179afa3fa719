import SightlineContent

/// Schemas of what is encoded by hand, or by other modules: worlds and tours as they are stored, the answers that are asked for
/// thousands of times a second, and forms.
enum WrittenSchemas {
  /// All of them, by name.
  static let all: [String: JSONSchema] = content.merging(worlds) { first, _ in first }
    .merging(transit) { first, _ in first }
    .merging(transitQuestions) { first, _ in first }
}

extension JSONSchema {
  /// `#rrggbb`.
  static let color = JSONSchema.string(pattern: "^#[0-9a-f]{6}$")
  /// Six hexadecimal digits, as timetables have colours.
  static let gtfsColor = JSONSchema.string(pattern: "^[0-9A-F]{6}$")
  /// The languages of the interface.
  static let language = JSONSchema.words(["en", "sv", "fr", "de", "nl", "es", "zh"])
  static let pivot = JSONSchema.words(["TL", "TC", "TR", "CL", "CC", "CR", "BL", "BC", "BR"])
  /// Means of transport.
  static let transitModes = JSONSchema.words([
    "tram", "metro", "rail", "bus", "coach", "ferry", "cableTram", "aerialLift", "funicular", "trolleybus", "monorail",
    "taxi", "other",
  ])
}

extension SightlineContent.Dimension: SchemaWritten {
  static var some: SightlineContent.Dimension? { SightlineContent.Dimension() }
}
