import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads a document into a tree of located elements.
enum XMLTreeReader {
  /// Reads UTF-8 as ``TextDecoding`` gives it.
  ///
  /// - Throws: `limit.size`, `limit.depth`, `limit.count`, `xml.doctype` or `xml.malformed`.
  static func root(of utf8: [UInt8], limits: ReadingLimits) throws(DocumentFailure) -> LocatedElement {
    let starts = try XMLTagScanner.starts(of: utf8, limits: limits)
    let builder = XMLTreeBuilder(starts: starts)
    let parser = XMLParser(data: Data(utf8))
    parser.shouldResolveExternalEntities = false
    parser.delegate = builder
    let isComplete = parser.parse()
    if let failure = builder.failure { throw failure }
    guard isComplete, let root = builder.root, builder.isBalanced else {
      throw DocumentFailure(
        code: "xml.malformed",
        line: nil,
        message: "The document is not well-formed XML; the parser gives no place. Check it with another tool."
      )
    }
    return root
  }

  /// Checks the size, converts and reads.
  static func root(ofBytes bytes: [UInt8], limits: ReadingLimits) throws(DocumentFailure) -> LocatedElement {
    try checkSize(bytes.count, limits: limits)
    return try root(of: try TextDecoding.utf8(bytes), limits: limits)
  }

  /// Throws `limit.size` for a document that is too large.
  static func checkSize(_ count: Int, limits: ReadingLimits) throws(DocumentFailure) {
    guard count <= limits.bytes else {
      throw DocumentFailure(
        code: "limit.size",
        line: nil,
        message: "The document has \(count) bytes; the limit is \(limits.bytes). Split it, or serve only what is near."
      )
    }
  }
}

/// Puts the parser's events together.
private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
  private let starts: [XMLTagScanner.Location]
  private var count = 0
  private var stack: [LocatedElement] = []
  private var texts: [[UInt8]] = []
  private(set) var root: LocatedElement?
  private(set) var failure: DocumentFailure?

  init(starts: [XMLTagScanner.Location]) { self.starts = starts }

  var isBalanced: Bool { stack.isEmpty && count == starts.count }

  func parser(
    _ parser: XMLParser,
    didStartElement elementName: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    guard count < starts.count else { return parser.abortParsing() }
    let location = starts[count]
    count += 1
    let parts = elementName.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let prefix = parts.count == 2 ? String(parts[0]) : nil
    let sorted = attributes.map { LocatedElement.Attribute(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
    stack.append(
      LocatedElement(
        name: parts.count == 2 ? String(parts[1]) : elementName,
        prefix: prefix,
        namespace: namespace(of: prefix, declaredHere: sorted),
        attributes: sorted,
        line: location.line,
        column: location.column
      )
    )
    texts.append([])
  }

  private func namespace(of prefix: String?, declaredHere attributes: [LocatedElement.Attribute]) -> String? {
    let name = prefix.map { "xmlns:\($0)" } ?? "xmlns"
    let value = attributes.first { $0.name == name }?.value ?? stack.last { $0.attribute(name) != nil }?.attribute(name)
    return value.flatMap { $0.isEmpty ? nil : $0 }
  }

  func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?) {
    guard var node = stack.popLast(), let text = texts.popLast() else { return parser.abortParsing() }
    node.text = String(decoding: text, as: UTF8.self)
    if stack.isEmpty { root = node } else { stack[stack.count - 1].children.append(node) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if !texts.isEmpty { texts[texts.count - 1].append(contentsOf: string.utf8) }
  }

  // Without this method the parser on Linux drops CDATA.
  func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
    if !texts.isEmpty { texts[texts.count - 1].append(contentsOf: CDATABlock) }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    let code = (parseError as NSError).code
    // 200 to 204 are about namespaces, which the document may leave undeclared. The first real error tells.
    guard failure == nil, !(200...204).contains(code) else { return }
    failure = DocumentFailure(
      code: "xml.malformed",
      line: parser.lineNumber,
      message: "\(XMLTreeBuilder.sentence(for: code)) (column \(parser.columnNumber))"
    )
  }

  /// What libxml2's error numbers (`xmlParserErrors`) mean to somebody who writes a document.
  private static func sentence(for code: Int) -> String {
    switch code {
    case 6, 7, 8: "A character reference is not of the form &#65; or &#x41;. Write &amp; for an ampersand."
    case 9: "There is a character that XML does not allow. Remove it."
    case 22, 23, 68: "A name is expected here. Write &amp; for an ampersand and &lt; for a less-than sign."
    case 26, 27: "XML knows only the entities &amp; &lt; &gt; &quot; and &apos;. Write the character itself."
    case 38: "A less-than sign stands in an attribute's value. Write &lt;."
    case 39, 40: "An attribute's value must stand in quotation marks."
    case 41: "An attribute has no value. Write name=\"value\"."
    case 42: "An attribute is given twice. Remove one."
    case 62: "The characters ]]> may not stand in text. Write ]]&gt;."
    case 64: "The XML declaration may stand only at the very beginning of the document."
    case 65: "A space is missing between attributes."
    case 72, 73: "A tag is not closed with >."
    case 80: "Two hyphens may not stand inside a comment."
    case 96...98: "The XML declaration is not of the form <?xml version=\"1.0\" encoding=\"UTF-8\"?>."
    default: "The document is not well-formed XML (libxml2 error \(code))."
    }
  }
}
