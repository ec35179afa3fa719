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
    case object(JSONObject)
  }

  var value: Value
  /// Line where it begins, from 1.
  var line: Int

  /// The member of an object.
  subscript(name: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members[name]
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
  var text: String { text(limit: .max) }

  /// JSON text of the value without spaces, as far as about so many bytes: for messages, which show only its beginning.
  func text(limit: Int) -> String {
    var result = ""
    write(to: &result, limit: limit)
    return result
  }

  private func write(to text: inout String, limit: Int) {
    guard text.utf8.count < limit else { return }
    switch value {
    case .null: text += "null"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .number(_, let number): text += number
    case .string(let string): text += JSONTextWriter.quoted(JSONNode.beginning(of: string, limit))
    case .array(let nodes):
      text += "["
      for (index, node) in nodes.enumerated() {
        guard text.utf8.count < limit else { break }
        if index > 0 { text += "," }
        node.write(to: &text, limit: limit)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        guard text.utf8.count < limit else { break }
        if index > 0 { text += "," }
        text += JSONTextWriter.quoted(JSONNode.beginning(of: member.name, limit)) + ":"
        member.value.write(to: &text, limit: limit)
      }
      text += "}"
    }
  }

  private static func beginning(of text: String, _ limit: Int) -> String {
    text.utf8.count <= limit ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
  }
}

/// The members of an object, in order; each name is there once.
struct JSONObject: Equatable, RandomAccessCollection {
  private var members: [JSONNode.Member] = []
  /// Where each name is; `nil` while there are so few that looking through them is quicker.
  private var positions: [String: Int]?
  private static let fewest = 8

  init() {}

  var startIndex: Int { 0 }
  var endIndex: Int { members.count }
  subscript(position: Int) -> JSONNode.Member { members[position] }

  /// The value of a member.
  subscript(name: String) -> JSONNode? { index(of: name).map { members[$0].value } }

  private func index(of name: String) -> Int? {
    if let positions { return positions[name] }
    return members.firstIndex { $0.name == name }
  }

  /// Adds a member.
  ///
  /// - Returns: Whether the name was not there yet; else nothing is added.
  mutating func append(_ name: String, _ value: JSONNode) -> Bool {
    guard index(of: name) == nil else { return false }
    positions?[name] = members.count
    members.append(JSONNode.Member(name: name, value: value))
    if positions == nil, members.count > Self.fewest {
      positions = Dictionary(members.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
    }
    return true
  }

  static func == (first: JSONObject, second: JSONObject) -> Bool { first.members == second.members }
}
