// Start tags with their attributes and namespaces, and end tags.
extension XMLTreeReader {
  /// Longest name of an element or attribute, bytes.
  static let longestName = 1_000

  mutating func endTag() throws(DocumentFailure) {
    let start = index
    index += 2
    let written = name()
    guard let last = open.last else {
      throw malformed("</\(shown(written))> closes nothing. Remove it.", at: start)
    }
    guard written.elementsEqual(last.name) else {
      throw malformed(
        "</\(shown(written))> stands where </\(shown(last.name))> must come first: the element <\(shown(last.name))> of "
          + "line \(last.element.line) is still open.",
        at: start
      )
    }
    skipSpace()
    guard index < bytes.count, bytes[index] == 0x3E else {
      throw malformed("The tag </\(shown(written))> does not end with >.", at: start)
    }
    index += 1
    close()
  }

  private mutating func close() {
    guard var done = open.popLast() else { return }
    while let last = bindings.last, last.depth > open.count {
      namespaces[last.name]?.removeLast()
      bindings.removeLast()
    }
    done.element.setText(String(decoding: done.text, as: UTF8.self))
    if open.isEmpty { root = done.element } else { open[open.count - 1].element.append(done.element) }
  }

  mutating func startTag() throws(DocumentFailure) {
    let start = index
    index += 1
    let written = name()
    guard !written.isEmpty else {
      throw malformed("A < begins no tag. Write &lt; for a less-than sign.", at: start)
    }
    try checkLength(of: written, at: start)
    guard root == nil else {
      throw malformed("There is a second root element <\(shown(written))>. Only one may be there.", at: start)
    }
    let (line, column) = place(of: start)
    elements += 1
    guard elements <= limits.elements else {
      throw DocumentFailure(
        code: "limit.count",
        line: line,
        message: "The document has more than \(limits.elements) elements; the limit is \(limits.elements). Split it."
      )
    }
    guard open.count < limits.depth else {
      throw DocumentFailure(
        code: "limit.depth",
        line: line,
        message:
          "The document has elements nested \(open.count + 1) deep; the limit is \(limits.depth). Use fewer levels."
      )
    }
    let (attributes, isEmpty) = try self.attributes(of: written, start: start)
    guard budget.take(1 + attributes.count, of: .steps) else {
      throw DocumentFailure.steps(line: line, limit: budget.limits.steps)
    }
    for attribute in attributes where attribute.declaresNamespace {
      namespaces[attribute.name, default: []].append(attribute.value)
      bindings.append((attribute.name, open.count + 1))
    }
    guard bindings.count <= 256 else {
      throw DocumentFailure(
        code: "limit.count",
        line: line,
        message: "The document has more than 256 namespace declarations in force at once, the limit. Use fewer."
      )
    }
    let parts = written.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
    let prefix = parts.count == 2 ? String(decoding: parts[0], as: UTF8.self) : nil
    let namespace = bindings.isEmpty ? nil : namespaces[prefix.map { "xmlns:\($0)" } ?? "xmlns"]?.last
    let element = LocatedElement(
      name: String(decoding: parts[parts.count - 1], as: UTF8.self),
      prefix: prefix,
      namespace: namespace.flatMap { $0.isEmpty ? nil : $0 },
      attributes: attributes,
      line: line,
      column: column
    )
    open.append(OpenElement(element: element, name: written))
    if isEmpty { close() }
  }

  /// Names are repeated in paths and findings, so their length is bounded.
  private mutating func checkLength(of name: ArraySlice<UInt8>, at offset: Int) throws(DocumentFailure) {
    guard name.count > Self.longestName else { return }
    throw DocumentFailure(
      code: "limit.size",
      line: place(of: offset).line,
      message: "The name \(shown(name))… has \(name.count) bytes; the limit for names of elements and attributes is "
        + "\(Self.longestName). Shorten it."
    )
  }

  private mutating func attributes(
    of tag: ArraySlice<UInt8>,
    start: Int
  ) throws(DocumentFailure) -> (attributes: [LocatedElement.Attribute], isEmpty: Bool) {
    var attributes: [LocatedElement.Attribute] = []
    var names: Set<String> = []
    while true {
      let hadSpace = skipSpace()
      guard index < bytes.count, bytes[index] != 0x3C else {
        throw malformed("The tag <\(shown(tag))> is not closed; a > or a quotation mark is missing.", at: start)
      }
      if bytes[index] == 0x3E {
        index += 1
        return (attributes, false)
      }
      if has("/>") {
        index += 2
        return (attributes, true)
      }
      let nameStart = index
      let written = self.name()
      try checkLength(of: written, at: nameStart)
      let name = String(decoding: written, as: UTF8.self)
      guard !name.isEmpty else {
        throw malformed("The tag <\(shown(tag))> has a character that begins no attribute.", at: nameStart)
      }
      guard hadSpace else { throw malformed("A space is missing before the attribute \(name).", at: nameStart) }
      skipSpace()
      guard index < bytes.count, bytes[index] == 0x3D else {
        throw malformed("The attribute \(name) has no value. Write \(name)=\"…\".", at: nameStart)
      }
      index += 1
      skipSpace()
      let value = try attributeValue(name)
      // Few are compared quicker than looked up.
      if attributes.count == 8 { names = Set(attributes.map(\.name)) }
      guard attributes.count < 8 ? !attributes.contains(where: { $0.name == name }) : names.insert(name).inserted else {
        throw malformed("The attribute \(name) is given twice. Remove one.", at: nameStart)
      }
      guard attributes.count < 256 else {
        throw malformed("The tag <\(shown(tag))> has more than 256 attributes, the limit.", at: nameStart)
      }
      attributes.append(LocatedElement.Attribute(name: name, value: value))
    }
  }

  /// A value in quotation marks; white space in it becomes blanks (3.3.3).
  private mutating func attributeValue(_ name: String) throws(DocumentFailure) -> String {
    let start = index
    guard start < bytes.count, bytes[start] == 0x22 || bytes[start] == 0x27 else {
      throw malformed("The value of the attribute \(name) must stand in quotation marks.", at: start)
    }
    let quote = bytes[start]
    index += 1
    var value: [UInt8] = []
    while index < bytes.count, bytes[index] != quote {
      switch bytes[index] {
      case 0x26:
        value += try reference()
        continue
      case 0x3C:
        throw malformed("A less-than sign stands in the value of the attribute \(name). Write &lt;.", at: index)
      case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: break
      case 0x09, 0x0A, 0x0D: value.append(0x20)
      case let byte: value.append(byte)
      }
      index += 1
    }
    guard index < bytes.count else {
      throw malformed("The value of the attribute \(name) is not closed with a quotation mark.", at: start)
    }
    index += 1
    return String(decoding: value, as: UTF8.self)
  }
}
