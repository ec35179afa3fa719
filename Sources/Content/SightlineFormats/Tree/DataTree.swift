/// A JSON or XML document as names and texts, for protocols that exist in both forms (SIRI is one).
///
/// Values of an array stand side by side under the array's name, as equal elements do in XML. Attributes are children whose name
/// begins with `@`. Numbers and truth values are the texts they were written as; `null` is left out.
public struct DataTree: Equatable, Sendable {
  /// Why a document cannot be read.
  public struct Failure: Error, Equatable, Sendable {
    /// Where, from 1; `nil` when it is about the whole.
    public let line: Int?
    /// What is wrong, a sentence.
    public let message: String

    /// A reason.
    public init(line: Int?, message: String) {
      self.line = line
      self.message = message
    }

    init(_ failure: DocumentFailure) {
      // The column stands behind the sentence; here it goes into it.
      let pieces = failure.message.split(separator: ". (column ")
      let isPlaced = pieces.count == 2 && failure.message.hasSuffix(")")
      self.init(
        line: failure.line,
        message: isPlaced ? "\(pieces[0]) (column \(pieces[1])." : failure.message
      )
    }
  }

  /// A named value inside.
  public struct Member: Equatable, Sendable {
    /// Name of the member or element, without prefix.
    public let name: String
    /// Its value.
    public let value: DataTree
  }

  /// Own text; empty for an object.
  public let text: String
  /// What is inside, in order.
  public let members: [Member]

  /// The first of a name.
  public subscript(name: String) -> DataTree? { members.first { $0.name == name }?.value }

  /// All of a name.
  public func all(_ name: String) -> [DataTree] { members.filter { $0.name == name }.map(\.value) }

  /// Own text, or that of the member `value`, as SIRI's JSON wraps it; `nil` when it is empty.
  public var string: String? {
    if !text.isEmpty { return text }
    guard let inner = self["value"]?.text, !inner.isEmpty else { return nil }
    return inner
  }

  /// Reads JSON.
  public static func json(_ bytes: [UInt8], limits: ReadingLimits = .init()) throws(Failure) -> DataTree {
    do throws(DocumentFailure) {
      return DataTree(try JSONTreeReader.read(bytes, limits: limits).root)
    } catch { throw Failure(error) }
  }

  /// Reads XML; the tree is that of the root's inside, and `root` its name.
  ///
  /// A document type declaration is refused.
  public static func xml(
    _ bytes: [UInt8],
    limits: ReadingLimits = .init()
  ) throws(Failure) -> (root: String, tree: DataTree) {
    do throws(DocumentFailure) {
      let root = try XMLTreeReader.root(ofBytes: bytes, limits: limits)
      return (root.name, DataTree(root))
    } catch { throw Failure(error) }
  }

  private init(text: String, members: [Member]) {
    self.text = text
    self.members = members
  }

  private init(_ node: JSONNode) {
    switch node.value {
    case .null: self.init(text: "", members: [])
    case .boolean(let flag): self.init(text: flag ? "true" : "false", members: [])
    case .number(_, let text): self.init(text: text, members: [])
    case .string(let text): self.init(text: text, members: [])
    case .array(let nodes): self.init(text: "", members: Self.flat("", nodes))
    case .object(let members):
      var list: [Member] = []
      for member in members {
        switch member.value.value {
        case .null: continue
        case .array(let nodes): list += Self.flat(member.name, nodes)
        default: list.append(Member(name: member.name, value: DataTree(member.value)))
        }
      }
      self.init(text: "", members: list)
    }
  }

  private static func flat(_ name: String, _ nodes: [JSONNode]) -> [Member] {
    nodes.flatMap { node -> [Member] in
      switch node.value {
      case .null: []
      case .array(let inner): flat(name, inner)
      default: [Member(name: name, value: DataTree(node))]
      }
    }
  }

  private init(_ element: LocatedElement) {
    var members = element.attributes.filter { !$0.declaresNamespace }.map { attribute in
      let name = attribute.name.split(separator: ":").last.map(String.init) ?? attribute.name
      return Member(name: "@" + name, value: DataTree(text: attribute.value, members: []))
    }
    members += element.children.map { Member(name: $0.name, value: DataTree($0)) }
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var text = element.text.utf8[...]
    while let first = text.first, isSpace(first) { text.removeFirst() }
    while let last = text.last, isSpace(last) { text.removeLast() }
    self.init(text: String(decoding: text, as: UTF8.self), members: members)
  }
}
