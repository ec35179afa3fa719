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
  var children: [LocatedElement] = []
  /// Own character data and CDATA, joined; not that of elements inside.
  var text: String = ""
  /// Line of the start tag, from 1.
  var line: Int
  /// Column of the start tag in bytes, from 1.
  var column: Int

  /// Value of an attribute.
  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}
