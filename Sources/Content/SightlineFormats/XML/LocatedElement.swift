/// One element of a document, with its place.
struct LocatedElement {
  /// A `name="value"` of a start tag.
  struct Attribute: Equatable {
    var name: String
    var value: String

    /// Whether it declares a namespace.
    var declaresNamespace: Bool { name == "xmlns" || name.hasPrefix("xmlns:") }
  }

  /// Name without prefix.
  var name: String
  /// What stood before the colon; `nil` without one.
  var prefix: String?
  /// The namespace that prefix, or its absence, stands for here.
  var namespace: String?
  /// Attributes by name.
  var attributes: [Attribute]
  /// Elements inside, in order.
  private(set) var children: [LocatedElement] = []
  /// Own character data and CDATA, joined; not that of elements inside.
  private(set) var text: String = ""
  /// Line of the start tag, from 1.
  var line: Int
  /// Column of the start tag in bytes, from 1.
  var column: Int

  /// Steps that following a link to it costs: elements and attributes inside, and a share for their text.
  private(set) var weight = 0
  /// Where the first child of each name is; `nil` while there are so few that looking through them is quicker.
  private var firsts: [String: Int]?
  private static let fewest = 8

  init(
    name: String,
    prefix: String?,
    namespace: String?,
    attributes: [Attribute],
    line: Int,
    column: Int
  ) {
    self.name = name
    self.prefix = prefix
    self.namespace = namespace
    self.attributes = attributes
    self.line = line
    self.column = column
    weight = 1
    for attribute in attributes { weight += 1 + attribute.value.utf8.count / 16 }
  }

  /// Adds an element inside that is complete itself.
  mutating func append(_ child: LocatedElement) {
    weight += child.weight
    let number = children.count
    // Of a long run of equal names only the first is looked up.
    if firsts != nil, children[number - 1].name != child.name, firsts?[child.name] == nil {
      firsts?[child.name] = number
    }
    children.append(child)
    if firsts == nil, children.count > Self.fewest {
      firsts = Dictionary(children.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
    }
  }

  /// Sets its own character data.
  mutating func setText(_ text: String) {
    weight += text.utf8.count / 16
    self.text = text
  }

  /// The first child of a name, whatever its namespace.
  func child(_ name: String) -> LocatedElement? {
    if let firsts { return firsts[name].map { children[$0] } }
    return children.first { $0.name == name }
  }

  /// The text of the first child of a name, trimmed; `nil` when it is empty or missing.
  func value(_ name: String) -> String? {
    guard let text = child(name)?.text.trimmed, !text.isEmpty else { return nil }
    return text
  }

  /// Value of an attribute.
  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}
