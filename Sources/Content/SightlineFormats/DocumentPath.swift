/// Where something stands in a document: `dimension/features/featureTxt[3]/lat`, or a JSON pointer (RFC 6901).
///
/// A chain of segments. Readers make one for everything they look at, but few become text: only those of findings. The text
/// of a path is therefore made when it is asked for, and a long name high up costs nothing below it.
final class DocumentPath: ExpressibleByStringLiteral {
  private let parent: DocumentPath?
  private let name: String
  /// The number behind the name, or of an element of an array, whose name is empty; below 0 for none.
  private let number: Int
  private let isPointer: Bool

  /// Longest part of a name that is shown, bytes.
  static let longestName = 200
  /// Longest path that is shown, bytes; of a longer one the outer part is left out.
  static let longest = 1_000

  /// The root: an element's name, or for JSON a pointer without anything to escape, such as the empty one.
  convenience init(stringLiteral value: String) { self.init(root: value) }

  /// The root: an element's name, or for JSON a pointer without anything to escape.
  init(root: String) {
    parent = nil
    name = root
    number = -1
    isPointer = root.isEmpty || root.hasPrefix("/")
  }

  private init(parent: DocumentPath, name: String, number: Int) {
    self.parent = parent
    self.name = name
    self.number = number
    isPointer = parent.isPointer
  }

  /// A member, an element, or with `@` in front an attribute.
  func child(_ name: String) -> DocumentPath { DocumentPath(parent: self, name: name, number: -1) }

  /// One of several elements of a name, from 1.
  func child(_ name: String, _ number: Int) -> DocumentPath { DocumentPath(parent: self, name: name, number: number) }

  /// An element of an array, from 0.
  func item(_ index: Int) -> DocumentPath { DocumentPath(parent: self, name: "", number: index) }

  /// Whether it is the document itself.
  var isRoot: Bool { parent == nil && name.isEmpty }

  /// The path as a text.
  var text: String {
    var segments: [String] = []
    var bytes = 0
    var next: DocumentPath? = self
    while let path = next {
      let segment = path.segment
      bytes += segment.utf8.count
      if bytes > DocumentPath.longest {
        segments.append("…")
        break
      }
      segments.append(segment)
      next = path.parent
    }
    return segments.reversed().joined()
  }

  private var segment: String {
    guard parent != nil else { return DocumentPath.shortened(name) }
    if isPointer { return "/" + (name.isEmpty && number >= 0 ? String(number) : DocumentPath.escaped(name)) }
    return "/" + DocumentPath.shortened(name) + (number < 0 ? "" : "[\(number)]")
  }

  private static func escaped(_ name: String) -> String {
    let short = shortened(name)
    guard short.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return short }
    var escaped = ""
    for character in short.unicodeScalars {
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > longestName else { return name }
    // Whole characters only: continuation bytes at the cut go with the one they belong to.
    var end = name.utf8.index(name.utf8.startIndex, offsetBy: longestName)
    while name.utf8[end] & 0xC0 == 0x80 { end = name.utf8.index(before: end) }
    return name[..<end] + "…"
  }
}
