/// What a JSON value has to look like: JSON Schema (draft 2020-12, as OpenAPI 3.1 has it), as far as this interface uses it.
///
/// ```swift
/// let team = JSONSchema.object(["name": .string, "color": .string(pattern: "^#[0-9a-f]{6}$")], optional: ["code": .string])
/// ```
///
/// Schemas of types that are encoded or decoded are read off the types themselves, see ``Described``.
struct JSONSchema: Sendable, Equatable {
  /// A member of an object.
  struct Member: Sendable, Equatable {
    let name: String
    let schema: JSONSchema
    let isRequired: Bool
  }

  /// Name in `components/schemas`; nothing else is looked at then.
  var reference: String?
  /// JSON's names of types; empty for any.
  var types: [String] = []
  /// The only values there are.
  var words: [String] = []
  /// A regular expression that a text matches.
  var pattern: String?
  /// `date-time`, where a text is one.
  var format: String?
  /// Fewest and most characters of a text, entries of a list.
  var shortest: Int?
  var longest: Int?
  /// Range of a number, both ends included.
  var minimum: Double?
  var maximum: Double?
  /// What a list holds: one schema, or none for anything.
  var items: [JSONSchema] = []
  /// Members of an object, in the order of the source.
  var members: [Member]?
  /// What members of other names are: one schema, or none for anything.
  var others: [JSONSchema] = []
  /// Of which one at least fits.
  var alternatives: [JSONSchema] = []
  /// What is taken when a member is left out.
  var usual: JSONValue?
  var text: String?

  /// The schema as JSON.
  var json: JSONValue {
    if let reference { return ["$ref": .string("#/components/schemas/\(reference)")] }
    var found: [String: JSONValue] = [:]
    if types.count == 1 { found["type"] = .string(types[0]) }
    if types.count > 1 { found["type"] = .array(types.map(JSONValue.string)) }
    if !words.isEmpty {
      found["enum"] = .array(words.map(JSONValue.string) + (types.contains("null") ? [.null] : []))
    }
    found["pattern"] = pattern.map(JSONValue.string)
    found["format"] = format.map(JSONValue.string)
    let isList = types.first == "array"
    found[isList ? "minItems" : "minLength"] = shortest.map { .number(Double($0)) }
    found[isList ? "maxItems" : "maxLength"] = longest.map { .number(Double($0)) }
    found["minimum"] = minimum.map(JSONValue.number)
    found["maximum"] = maximum.map(JSONValue.number)
    found["items"] = items.first?.json
    found["additionalProperties"] = others.first?.json
    found["default"] = usual
    found["description"] = text.map(JSONValue.string)
    if !alternatives.isEmpty { found["anyOf"] = .array(alternatives.map(\.json)) }
    if let members {
      found["properties"] = .object(Dictionary(members.map { ($0.name, $0.schema.json) }) { _, last in last })
      let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
      if !required.isEmpty { found["required"] = .array(required) }
    }
    return .object(found)
  }
}

extension JSONSchema {
  static let any = JSONSchema()
  static let boolean = JSONSchema(types: ["boolean"])
  static let string = JSONSchema(types: ["string"])
  static let number = JSONSchema(types: ["number"])
  static let integer = JSONSchema(types: ["integer"])
  /// A time as RFC 3339 has it, in UTC.
  static let date = JSONSchema(types: ["string"], format: "date-time")
  /// Degrees.
  static let latitude = JSONSchema.number(in: -90...90)
  static let longitude = JSONSchema.number(in: -180...180)
  /// The flag of a query: there with the value 1, or not there.
  static let flag = JSONSchema(words: ["1"])

  static func string(pattern: String) -> JSONSchema { JSONSchema(types: ["string"], pattern: pattern) }
  static func string(longest: Int) -> JSONSchema { JSONSchema(types: ["string"], longest: longest) }
  static func number(in range: ClosedRange<Double>) -> JSONSchema {
    JSONSchema(types: ["number"], minimum: range.lowerBound, maximum: range.upperBound)
  }
  static func number(in range: PartialRangeFrom<Double>) -> JSONSchema {
    JSONSchema(types: ["number"], minimum: range.lowerBound)
  }
  static func integer(in range: ClosedRange<Int>) -> JSONSchema {
    JSONSchema(types: ["integer"], minimum: Double(range.lowerBound), maximum: Double(range.upperBound))
  }
  static func integer(in range: PartialRangeFrom<Int>) -> JSONSchema {
    JSONSchema(types: ["integer"], minimum: Double(range.lowerBound))
  }
  static func words(_ words: [String]) -> JSONSchema { JSONSchema(types: ["string"], words: words) }
  static func list(_ items: JSONSchema, from shortest: Int? = nil, to longest: Int? = nil) -> JSONSchema {
    JSONSchema(types: ["array"], shortest: shortest, longest: longest, items: [items])
  }
  static func object(
    _ required: KeyValuePairs<String, JSONSchema>,
    optional: KeyValuePairs<String, JSONSchema> = [:]
  ) -> JSONSchema {
    JSONSchema(
      types: ["object"],
      members: required.map { Member(name: $0.key, schema: $0.value, isRequired: true) }
        + optional.map { Member(name: $0.key, schema: $0.value, isRequired: false) }
    )
  }
  /// An object whose members have any names.
  static func map(_ values: JSONSchema) -> JSONSchema { JSONSchema(types: ["object"], others: [values]) }
  /// A schema of `components/schemas`.
  static func component(_ name: String) -> JSONSchema { JSONSchema(reference: name) }

  /// The same, or `null`.
  var orNull: JSONSchema {
    guard reference == nil, !types.isEmpty else {
      return JSONSchema(alternatives: [self, JSONSchema(types: ["null"])])
    }
    var found = self
    found.types.append("null")
    return found
  }

  /// The same with words about it: the unit, what it means.
  func described(_ text: String) -> JSONSchema {
    var found = self
    found.text = text
    return found
  }

  /// The same with the value that stands for none.
  func usually(_ value: JSONValue) -> JSONSchema {
    var found = self
    found.usual = value
    return found
  }
}
