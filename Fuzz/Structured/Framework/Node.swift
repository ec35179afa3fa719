/// An XML element, a JSON value or a field of another kind of document: one tree for all, so that what breaks trees is
/// written once.
struct Node {
  /// What it is; an XML document has only elements and texts.
  enum Kind: UInt8 {
    /// XML: an element with attributes and children. As JSON: an object.
    case element
    /// JSON: members, named.
    case object
    /// JSON: values whose names do not count.
    case list
    /// Text: of an element, or a JSON string.
    case text
    /// As it stands, without quotation marks and escapes: a JSON number or `true`, a comment, a piece of markup.
    case raw
  }

  var kind: Kind
  var name = ""
  var value = ""
  var attributes: [(name: String, value: String)] = []
  var children: [Node] = []

  /// An element with what is inside.
  static func element(
    _ name: String,
    _ attributes: [(name: String, value: String)] = [],
    _ children: [Node] = []
  ) -> Node {
    Node(kind: .element, name: name, attributes: attributes, children: children)
  }
  /// An element with a text.
  static func element(_ name: String, _ text: String) -> Node {
    Node(kind: .element, name: name, children: [Node(kind: .text, value: text)])
  }
  /// Text between elements, or a JSON string.
  static func text(_ value: String, as name: String = "") -> Node { Node(kind: .text, name: name, value: value) }
  /// A number, `true`, `null`, or markup.
  static func raw(_ value: String, as name: String = "") -> Node { Node(kind: .raw, name: name, value: value) }
  /// A JSON object.
  static func object(_ children: [Node], as name: String = "") -> Node {
    Node(kind: .object, name: name, children: children)
  }
  /// A JSON array.
  static func list(_ children: [Node], as name: String = "") -> Node {
    Node(kind: .list, name: name, children: children)
  }

  /// How many nodes there are, itself included.
  var count: Int {
    var sum = 1
    for child in children { sum += child.count }
    return sum
  }

  /// The node of a number in order of the document, 0 itself.
  func node(_ index: Int) -> Node {
    var index = index
    return find(&index) ?? self
  }
  private func find(_ index: inout Int) -> Node? {
    if index == 0 { return self }
    index -= 1
    for child in children { if let found = child.find(&index) { return found } }
    return nil
  }

  /// Changes the node of a number in order of the document.
  mutating func change(_ index: Int, _ work: (inout Node) -> Void) {
    var index = index
    _ = change(&index, work)
  }
  private mutating func change(_ index: inout Int, _ work: (inout Node) -> Void) -> Bool {
    if index == 0 {
      work(&self)
      return true
    }
    index -= 1
    for child in children.indices where children[child].change(&index, work) { return true }
    return false
  }

  // MARK: Writing

  /// Writes XML.
  func xml(into out: inout [UInt8]) {
    switch kind {
    case .text: Self.escape(value, into: &out)
    case .raw: out.append(contentsOf: value.utf8)
    case .element, .object, .list:
      let name = name.isEmpty ? "item" : name
      out.append(UInt8(ascii: "<"))
      out.append(contentsOf: name.utf8)
      for attribute in attributes {
        out.append(UInt8(ascii: " "))
        out.append(contentsOf: attribute.name.utf8)
        out.append(UInt8(ascii: "="))
        out.append(UInt8(ascii: "\""))
        Self.escape(attribute.value, into: &out)
        out.append(UInt8(ascii: "\""))
      }
      guard !children.isEmpty else {
        out.append(UInt8(ascii: "/"))
        out.append(UInt8(ascii: ">"))
        return
      }
      out.append(UInt8(ascii: ">"))
      for child in children { child.xml(into: &out) }
      out.append(UInt8(ascii: "<"))
      out.append(UInt8(ascii: "/"))
      out.append(contentsOf: name.utf8)
      out.append(UInt8(ascii: ">"))
    }
  }
  private static func escape(_ text: String, into out: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): out.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: "&"): out.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "\""): out.append(contentsOf: "&quot;".utf8)
      default: out.append(byte)
      }
    }
  }

  /// Writes JSON.
  func json(into out: inout [UInt8]) {
    switch kind {
    case .text: Self.quote(value, into: &out)
    case .raw: out.append(contentsOf: value.isEmpty ? "null".utf8 : value.utf8)
    case .list:
      out.append(UInt8(ascii: "["))
      for index in children.indices {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        children[index].json(into: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object, .element:
      out.append(UInt8(ascii: "{"))
      for index in children.indices {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        Self.quote(children[index].name, into: &out)
        out.append(UInt8(ascii: ":"))
        children[index].json(into: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }
  private static let digits = Array("0123456789abcdef".utf8)
  private static func quote(_ text: String, into out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        out.append(UInt8(ascii: "\\"))
        out.append(byte)
      case 0..<0x20:
        out.append(contentsOf: "\\u00".utf8)
        out.append(digits[Int(byte >> 4)])
        out.append(digits[Int(byte & 15)])
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  /// Writes a table: each child a row, each of its children a field; the names of the first row's fields are the header.
  func csv(into out: inout [UInt8]) {
    if let first = children.first {
      Self.row(first.children.map(\.name), into: &out)
    }
    for child in children { Self.row(child.children.map(\.value), into: &out) }
  }
  private static func row(_ fields: [String], into out: inout [UInt8]) {
    for index in fields.indices {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      let field = fields[index].utf8
      guard field.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else {
        out.append(contentsOf: field)
        continue
      }
      out.append(0x22)
      for byte in field {
        if byte == 0x22 { out.append(0x22) }
        out.append(byte)
      }
      out.append(0x22)
    }
    out.append(0x0A)
  }
}
