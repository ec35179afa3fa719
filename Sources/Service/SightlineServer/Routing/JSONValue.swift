import Foundation

/// A JSON value as a tree: for comparing and joining documents whatever their members are, and for putting together what is
/// no type of its own.
indirect enum JSONValue: Equatable, Sendable, Codable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }

  /// The member `id` of an object.
  var identifier: String? {
    guard case .object(let members) = self, case .string(let id)? = members["id"] else { return nil }
    return id
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  init(stringLiteral text: String) { self = .string(text) }
  init(booleanLiteral flag: Bool) { self = .bool(flag) }
  init(integerLiteral number: Int) { self = .number(Double(number)) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  init(arrayLiteral values: JSONValue...) { self = .array(values) }
  init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(members) { first, _ in first })
  }
}
