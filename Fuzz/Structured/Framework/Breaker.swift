/// Breaks trees in structure, and documents in their bytes.
struct Breaker {
  /// Names of elements, members or columns that the format knows, also such that belong elsewhere in it.
  var names: [String]
  /// Names of attributes that the format knows; empty for JSON and tables.
  var attributes: [String] = []
  /// Values that mean something in the format: its keywords, references, units.
  var values: [String] = []
  /// Whether a tree is written as JSON: numbers and texts are then different things.
  var isJSON = false
  /// Depth that goes beyond what a reader allows.
  var depth = 70
  /// Once in so many times what could be large is large: most documents have to stay small for there to be many.
  var rarity = 12

  /// Breaks a tree, mostly in one to three places; one in six stays as it is, so that the valid way is gone as well.
  func breakTree(_ tree: inout Node, _ random: inout Random) {
    guard !random.once(in: 6) else { return }
    var left = random.once(in: 10) ? random.number(in: 4...12) : random.number(in: 1...3)
    while left > 0 {
      left -= 1
      breakOnce(&tree, &random)
    }
  }

  private func breakOnce(_ tree: inout Node, _ random: inout Random) {
    let count = tree.count
    // What grows with itself has to end somewhere.
    let mayGrow = count < 4_000
    let index = random.below(count)
    switch random.below(34) {
    case 0..<9: tree.change(index) { replaceValue(&$0, &random) }
    case 9, 10: remove(&tree, index, count)
    case 11, 12: if mayGrow { repeatNode(&tree, index, count, random.number(in: 1...3)) }
    case 13:
      // Many of one.
      let size = tree.node(index).count
      guard random.once(in: rarity) else { return repeatNode(&tree, index, count, 2) }
      if mayGrow, size < 60 { repeatNode(&tree, index, count, min(Values.size(&random), 6_000) / size) }
    case 14, 15:
      // Two change places.
      let other = random.below(count)
      let (first, second) = (tree.node(index), tree.node(other))
      guard first.count + second.count < 500 else { break }
      tree.change(max(index, other)) { $0 = keepingName(index > other ? second : first, of: $0) }
      tree.change(min(index, other)) { $0 = keepingName(index > other ? first : second, of: $0) }
    case 16, 17:
      // One is put into another, perhaps into itself.
      let moved = tree.node(random.below(count))
      if mayGrow, moved.count < 500 { tree.change(index) { insert(moved, into: &$0, &random) } }
    case 18, 19: tree.change(index) { $0.name = newName(&random) }
    case 20, 21: tree.change(index) { changeKind(&$0, &random) }
    case 22:
      tree.change(index) { node in
        if random.once(in: 2) {
          node.children.reverse()
        } else if node.children.count > 1 {
          node.children.swapAt(random.below(node.children.count), random.below(node.children.count))
        }
      }
    case 23:
      // Deep.
      let levels = random.once(in: rarity) ? random.number(in: 2...(2 * depth)) : random.number(in: 2...8)
      tree.change(index) { node in
        guard node.count < 100 else { return }
        for _ in 0..<levels { node = wrapped(node) }
      }
    case 24..<28: rewire(&tree, &random, count)
    case 28: tree.change(index) { $0.children = [] }
    case 29, 30:
      let new = foreign(&random)
      if mayGrow { tree.change(index) { insert(new, into: &$0, &random) } }
    case 31:
      guard random.once(in: rarity) else { break }
      tree.change(index) { node in
        if isJSON {
          node.name = Values.extremeText(&random)
        } else {
          node.name = String(repeating: random.pick(["a", "é", "a-", "x:"]), count: Values.size(&random))
        }
      }
    case 32:
      guard random.once(in: rarity) else { break }
      tree.change(index) { node in
        let value = String(
          repeating: random.pick(["a", "ä", "1 ", "1,2 ", "\n", "&", "]]>"]),
          count: Values.size(&random)
        )
        if node.kind == .text || node.kind == .raw { node.value = value } else { node.children.append(.text(value)) }
      }
    default: tree.change(index) { breakAttributes(&$0, &random) }
    }
  }

  private func keepingName(_ node: Node, of other: Node) -> Node {
    var node = node
    if isJSON { node.name = other.name }
    return node
  }

  private func newName(_ random: inout Random) -> String {
    names.isEmpty || random.once(in: 10)
      ? random.pick(["", "x", "A", "0", "$", "@id", "xml", "x:y", "__proto__"]) : random.pick(names)
  }

  private func newValue(_ random: inout Random) -> String {
    switch random.below(3) {
    case 0: Values.extremeNumber(&random)
    case 1: values.isEmpty ? Values.extremeText(&random) : random.pick(values)
    default: Values.extremeText(&random)
    }
  }

  private func replaceValue(_ node: inout Node, _ random: inout Random) {
    switch node.kind {
    case .text: node.value = newValue(&random)
    case .raw:
      if isJSON, !random.once(in: 4) {
        node.value = jsonNumber(&random)
      } else {
        node.value = random.pick(["true", "false", "null", "0", "\"\"", "[]", "{}", "\"1\"", "-1"])
      }
    case .element, .object, .list:
      if !node.attributes.isEmpty, random.once(in: 2) {
        node.attributes[random.below(node.attributes.count)].value = newValue(&random)
      } else if node.children.isEmpty {
        node.children = [.text(newValue(&random))]
      } else {
        let child = random.below(node.children.count)
        switch node.children[child].kind {
        case .text, .raw: replaceValue(&node.children[child], &random)
        default: node.children[child].children = [.text(newValue(&random))]
        }
      }
    }
  }

  /// A number that JSON allows, mostly: otherwise the whole document is refused, which is soon learned.
  private func jsonNumber(_ random: inout Random) -> String {
    for _ in 0..<4 {
      let text = Values.extremeNumber(&random)
      var digits = text.utf8[...]
      if digits.first == UInt8(ascii: "-") { digits.removeFirst() }
      guard let first = digits.first, (0x30...0x39).contains(first), let last = digits.last,
        (0x30...0x39).contains(last)
      else { continue }
      if first == 0x30, let second = digits.dropFirst().first, !".eE".utf8.contains(second) { continue }
      if digits.contains(where: { !"0123456789.eE-+".utf8.contains($0) }) { continue }
      return text
    }
    return "1e308"
  }

  private func remove(_ tree: inout Node, _ index: Int, _ count: Int) {
    guard index > 0 else { return }
    withParent(of: index, in: &tree) { parent, place in parent.children.remove(at: place) }
  }

  private func repeatNode(_ tree: inout Node, _ index: Int, _ count: Int, _ times: Int) {
    guard index > 0, times > 0 else { return }
    withParent(of: index, in: &tree) { parent, place in
      parent.children.insert(contentsOf: repeatElement(parent.children[place], count: times), at: place)
    }
  }

  private func withParent(of index: Int, in tree: inout Node, _ work: (inout Node, Int) -> Void) {
    var left = index - 1
    func visit(_ node: inout Node) -> Bool {
      for child in node.children.indices {
        if left == 0 {
          work(&node, child)
          return true
        }
        left -= 1
        if visit(&node.children[child]) { return true }
      }
      return false
    }
    _ = visit(&tree)
  }

  private func insert(_ new: Node, into node: inout Node, _ random: inout Random) {
    node.children.insert(new, at: random.below(node.children.count + 1))
    if isJSON, node.kind == .text || node.kind == .raw { node.kind = random.once(in: 2) ? .object : .list }
    if !isJSON, node.kind == .text || node.kind == .raw { node.kind = .element }
  }

  private func changeKind(_ node: inout Node, _ random: inout Random) {
    if isJSON {
      let kind = random.pick([Node.Kind.object, .list, .text, .raw])
      if kind == .raw {
        node.value = random.once(in: 2) ? jsonNumber(&random) : random.pick(["true", "false", "null", "1"])
      }
      if kind == .text, node.value.isEmpty { node.value = newValue(&random) }
      node.kind = kind
    } else {
      switch node.kind {
      case .text: node.kind = .raw
      case .raw: node.kind = .text
      default:
        node.children = [
          random.once(in: 2) ? .text(newValue(&random)) : .raw("<!-- \(Values.word(&random)) --><![CDATA[1]]>")
        ]
      }
    }
  }

  private func wrapped(_ node: Node) -> Node {
    switch node.kind {
    case .text, .raw: isJSON ? .list([node], as: node.name) : .element("x", [], [node])
    default: Node(kind: node.kind, name: node.name, attributes: node.attributes, children: [node])
    }
  }

  /// A value becomes that of another place: identifiers are met twice, references point at themselves or in a circle.
  private func rewire(_ tree: inout Node, _ random: inout Random, _ count: Int) {
    var found: [String] = []
    for _ in 0..<6 {
      let node = tree.node(random.below(count))
      if !node.value.isEmpty, node.value.utf8.count < 200 { found.append(node.value) }
      for attribute in node.attributes { found.append(attribute.value) }
    }
    guard !found.isEmpty else { return }
    var value = random.pick(found)
    if random.once(in: 3) { value = value.hasPrefix("#") ? String(value.dropFirst()) : "#" + value }
    for _ in 0..<random.number(in: 1...4) {
      tree.change(random.below(count)) { node in
        switch node.kind {
        case .text, .raw: if node.kind == .text || !isJSON { node.value = value }
        default:
          if !node.attributes.isEmpty { node.attributes[random.below(node.attributes.count)].value = value }
        }
      }
    }
  }

  private func foreign(_ random: inout Random) -> Node {
    let name = newName(&random)
    if isJSON {
      switch random.below(5) {
      case 0: return .raw(jsonNumber(&random), as: name)
      case 1: return .text(newValue(&random), as: name)
      case 2: return .list([], as: name)
      case 3: return .object([.raw("1", as: newName(&random))], as: name)
      default: return .raw(random.pick(["true", "false", "null"]), as: name)
      }
    }
    switch random.below(5) {
    case 0: return .text(newValue(&random))
    case 1: return .raw(random.pick(["<!-- x -->", "<?x y?>", "<![CDATA[]]>", "&#65;", "&#x1F600;", "\n\n"]))
    case 2:
      let attributes = self.attributes.isEmpty ? [] : [(name: random.pick(self.attributes), value: newValue(&random))]
      return .element(name, attributes, [])
    default: return .element(name, newValue(&random))
    }
  }

  private func breakAttributes(_ node: inout Node, _ random: inout Random) {
    guard !isJSON, node.kind == .element, !attributes.isEmpty else { return replaceValue(&node, &random) }
    switch random.below(5) {
    case 0: node.attributes.append((name: random.pick(attributes), value: newValue(&random)))
    case 1: if !node.attributes.isEmpty { node.attributes.remove(at: random.below(node.attributes.count)) }
    case 2:
      // The same name twice.
      if let one = node.attributes.last { node.attributes.append(one) }
    case 3:
      let namespace = random.pick([
        "", "http://x.example", "http://www.opengis.net/kml/2.2", "http://www.w3.org/1999/xlink",
      ])
      node.attributes.append((name: random.pick(["xmlns", "xmlns:x", "xmlns:kml", "xml:lang"]), value: namespace))
    default:
      guard random.once(in: rarity) else { break }
      for number in 0..<min(300, Values.size(&random)) { node.attributes.append((name: "a\(number)", value: "v")) }
    }
  }

  // MARK: Bytes

  /// Breaks a written document, one in eight: cuts it, writes it in another encoding, puts bytes in.
  func breakBytes(_ bytes: inout [UInt8], _ random: inout Random) {
    guard random.once(in: 8), !bytes.isEmpty else { return }
    switch random.below(9) {
    case 0: bytes.removeLast(random.below(bytes.count))
    case 1: bytes.removeFirst(random.below(min(40, bytes.count)))
    case 2: bytes.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0)
    case 3, 4:
      // UTF-16 of either order, with or without its mark; a part of the document only, now and then.
      let isBig = random.once(in: 2)
      var wide: [UInt8] = random.once(in: 4) ? [] : isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]
      let end = random.once(in: 6) ? random.below(bytes.count) : bytes.count
      for unit in String(decoding: bytes[..<end], as: UTF8.self).utf16 {
        let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
        wide.append(isBig ? high : low)
        wide.append(isBig ? low : high)
      }
      bytes = wide + bytes[end...]
    case 5:
      let junk = random.pick([
        [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0], [0x80], [0xE2, 0x82], [0x1A],
      ])
      bytes.insert(contentsOf: junk.map { UInt8($0) }, at: random.below(bytes.count + 1))
    case 6:
      for _ in 0..<random.number(in: 1...4) {
        bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
    case 7:
      // A piece is there twice, or is missing.
      let start = random.below(bytes.count)
      let end = start + random.below(min(60, bytes.count - start)) + 1
      if random.once(in: 2) {
        bytes.insert(contentsOf: bytes[start..<end], at: start)
      } else {
        bytes.removeSubrange(start..<end)
      }
    default:
      let number = Array(Values.extremeNumber(&random).utf8)
      // In place of a number that stands there.
      guard let start = bytes.firstIndex(where: { (0x30...0x39).contains($0) && $0 != 0 }) else { return }
      var place = start + random.below(bytes.count - start)
      while place > start, !(0x30...0x39).contains(bytes[place]) { place -= 1 }
      var end = place
      while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
      bytes.replaceSubrange(place..<end, with: number)
    }
  }
}
