/// One value of a JSON document, with its place.
struct JSONNode: Equatable {
  /// A `"name": value` of an object.
  struct Member: Equatable {
    var name: String
    var value: JSONNode
  }

  /// The value itself.
  indirect enum Value: Equatable {
    case null
    case boolean(Bool)
    /// A number, with the text it was written as.
    case number(Double, String)
    case string(String)
    case array([JSONNode])
    /// Members in order; of members with one name only the first is kept.
    case object([Member])
  }

  var value: Value
  /// Line where it begins, from 1.
  var line: Int

  /// The member of an object.
  subscript(name: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// What kind of value it is, for messages.
  var kind: String {
    switch value {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "text"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// JSON text of the value without spaces.
  var text: String {
    switch value {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .number(_, let text): text
    case .string(let text): JSONTextWriter.quoted(text)
    case .array(let nodes): "[" + nodes.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSONTextWriter.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }
}

/// A JSON pointer (RFC 6901) that grows with the walk through a document.
enum JSONPointer {
  static func member(_ pointer: String, _ name: String) -> String {
    guard name.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return "\(pointer)/\(name)" }
    var escaped = ""
    for character in name {
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.append(character)
      }
    }
    return "\(pointer)/\(escaped)"
  }

  static func element(_ pointer: String, _ index: Int) -> String { "\(pointer)/\(index)" }
}
