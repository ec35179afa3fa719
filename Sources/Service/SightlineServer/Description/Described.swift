import Foundation

/// What is a body of requests or answers: its schema is read off the type, so that the two cannot differ.
///
/// The members are those that the type's `init(from:)` asks for: optional ones need not be there. ``OrNull`` is there and may be
/// `null`. Enumerations that list their cases become words. Ranges, patterns and what a type that reads itself
/// (`init(from:)` by hand) takes cannot be seen; they stand in ``rules``.
protocol Described: Decodable, SendableMetatype {
  /// The name in `components/schemas`.
  static var schemaName: String { get }
  /// Members whose schema says more than the type does, and such as are added to the answer beside it.
  static var rules: [String: JSONSchema] { get }
  /// What members of other names are; `nil` where there are none.
  static var others: JSONSchema? { get }
}

extension Described {
  static var schemaName: String { String(describing: Self.self) }
  static var rules: [String: JSONSchema] { [:] }
  static var others: JSONSchema? { nil }
}

/// What has a schema that is written down (``WrittenSchemas``, by name), because it is encoded by hand.
protocol SchemaWritten: Described {
  /// Any value, where other types have one as a member that is always there.
  static var some: Self? { get }
}

extension SchemaWritten {
  static var some: Self? { nil }
}

/// A member that is always there, with `null` for none.
@propertyWrapper
struct OrNull<Value: Codable & Sendable>: Codable, Sendable {
  var wrappedValue: Value?

  init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

/// Reads schemas off types, and gathers those that have a name.
final class SchemaComponents {
  /// By name.
  private(set) var schemas = WrittenSchemas.all
  private var owners: [String: ObjectIdentifier] = [:]

  /// The reference to a type's schema, which is among the components from then on.
  func reference(to type: any Described.Type) -> JSONSchema {
    let name = type.schemaName
    guard let owner = owners[name] else {
      owners[name] = ObjectIdentifier(type)
      if type is any SchemaWritten.Type {
        precondition(schemas[name] != nil, "the schema of \(name) is not written down")
      } else {
        precondition(schemas[name] == nil, "the schema of \(name) is written down and read off a type")
        schemas[name] = open(type)
      }
      return .component(name)
    }
    precondition(owner == ObjectIdentifier(type), "two types of the interface are called \(name)")
    return .component(name)
  }

  private func open<Value: Described>(_ type: Value.Type) -> JSONSchema {
    var (schema, value) = read(type)
    precondition(value != nil, "the schema of \(type) cannot be read off it: write it down (SchemaWritten)")
    for (name, rule) in type.rules.sorted(by: { $0.key < $1.key }) {
      let index = schema.members?.firstIndex { $0.name == name }
      let isRequired = index.flatMap { schema.members?[$0].isRequired } ?? true
      let member = JSONSchema.Member(name: name, schema: rule, isRequired: isRequired)
      if let index { schema.members?[index] = member } else { schema.members?.append(member) }
    }
    schema.others = type.others.map { [$0] } ?? []
    return schema
  }

  /// The schema of a type and some value of it, for whoever holds one to go on reading.
  fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> (schema: JSONSchema, value: Value) {
    if let simple = type as? any Simple.Type, let value = simple.some as? Value { return (simple.schema, value) }
    if let list = type as? any Container.Type, let value = list.none as? Value {
      return (try list.schema(in: self), value)
    }
    if let cases = type as? any CaseIterable.Type, let (words, first) = SchemaComponents.words(cases),
      let value = first as? Value
    {
      return (.words(words), value)
    }
    if let described = type as? any Described.Type {
      let reference = reference(to: described)
      if let written = type as? any SchemaWritten.Type {
        guard let value = written.some as? Value else { throw NoValue() }
        return (reference, value)
      }
      let read = read(type)
      guard let value = read.value else { throw NoValue() }
      return (reference, value)
    }
    let read = read(type)
    guard let value = read.value else { throw NoValue() }
    return (read.schema, value)
  }

  /// The schema of a type, apart from names; no value where the type takes none of those that are tried.
  fileprivate func read<Value: Decodable>(_ type: Value.Type) -> (schema: JSONSchema, value: Value?) {
    let probe = SchemaProbe(components: self)
    let value = try? Value(from: probe)
    return (probe.schema, value)
  }

  /// The schema alone.
  fileprivate func schema<Value: Decodable>(_ type: Value.Type) throws -> JSONSchema {
    // What is named, and what is written by hand, needs no value.
    if let described = type as? any Described.Type { return reference(to: described) }
    return try value(type).schema
  }

  private static func words(_ type: any CaseIterable.Type) -> ([String], Any)? {
    func open<Cases: CaseIterable>(_: Cases.Type) -> ([String], Any)? {
      let words = Cases.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
      guard words.count == Cases.allCases.count, let first = Cases.allCases.first else { return nil }
      return (words, first)
    }
    return open(type)
  }
}

/// A type was asked for a value that none is known of.
private struct NoValue: Error {}

/// What is one JSON value.
private protocol Simple {
  static var schema: JSONSchema { get }
  static var some: Self { get }
}

extension Bool: Simple {
  fileprivate static var schema: JSONSchema { .boolean }
  fileprivate static var some: Bool { false }
}

extension String: Simple {
  fileprivate static var schema: JSONSchema { .string }
  fileprivate static var some: String { "" }
}

extension Int: Simple {
  fileprivate static var schema: JSONSchema { .integer }
  fileprivate static var some: Int { 0 }
}

extension Int64: Simple {
  fileprivate static var schema: JSONSchema { .integer }
  fileprivate static var some: Int64 { 0 }
}

extension Double: Simple {
  fileprivate static var schema: JSONSchema { .number }
  fileprivate static var some: Double { 0 }
}

extension Date: Simple {
  fileprivate static var schema: JSONSchema { .date }
  fileprivate static var some: Date { Date(timeIntervalSince1970: 0) }
}

extension JSONValue: Simple {
  fileprivate static var schema: JSONSchema { .any }
  fileprivate static var some: JSONValue { .null }
}

/// What holds others and can be empty.
private protocol Container {
  static var none: Self { get }
  static func schema(in components: SchemaComponents) throws -> JSONSchema
}

extension Array: Container where Element: Decodable {
  fileprivate static var none: [Element] { [] }
  fileprivate static func schema(in components: SchemaComponents) throws -> JSONSchema {
    .list(try components.schema(Element.self))
  }
}

extension Dictionary: Container where Key == String, Value: Decodable {
  fileprivate static var none: [String: Value] { [:] }
  fileprivate static func schema(in components: SchemaComponents) throws -> JSONSchema {
    .map(try components.schema(Value.self))
  }
}

extension OrNull: Container {
  fileprivate static var none: OrNull { OrNull(wrappedValue: nil) }
  fileprivate static func schema(in components: SchemaComponents) throws -> JSONSchema {
    try components.schema(Value.self).orNull
  }
}

/// Pretends to hold a value of every type, and notes what it is asked for.
private final class SchemaProbe: Decoder {
  let components: SchemaComponents
  var schema = JSONSchema.any
  /// The member that was last asked about: whoever asks whether it is there can do without.
  var asked: String?
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(components: SchemaComponents) { self.components = components }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if schema.members == nil { schema = .object([:]) }
    return KeyedDecodingContainer(ProbedObject<Key>(probe: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoValue() }

  func singleValueContainer() -> any SingleValueDecodingContainer { ProbedValue(probe: self) }
}

private struct ProbedObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: SchemaProbe
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  func contains(_ key: Key) -> Bool {
    probe.asked = key.stringValue
    return true
  }

  func decodeNil(forKey key: Key) -> Bool {
    probe.asked = key.stringValue
    return false
  }

  private func note(_ key: Key, _ schema: JSONSchema, _ isRequired: Bool) {
    guard probe.schema.members?.contains(where: { $0.name == key.stringValue }) == false else { return }
    probe.schema.members?.append(.init(name: key.stringValue, schema: schema, isRequired: isRequired))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let (schema, value) = try probe.components.value(type)
    note(key, schema, probe.asked != key.stringValue)
    return value
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    note(key, try probe.components.schema(type), false)
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw NoValue()
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NoValue() }
  func superDecoder() throws -> any Decoder { throw NoValue() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw NoValue() }
}

private struct ProbedValue: SingleValueDecodingContainer {
  let probe: SchemaProbe
  let codingPath: [any CodingKey] = []

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (schema, value) = try probe.components.value(type)
    probe.schema = schema
    return value
  }
}
