import Foundation
import SightlineInput

/// Reads OSM XML as a stream.
///
/// Elements with attributes, of which those of nodes, ways and relations are taken (wiki.openstreetmap.org/wiki/OSM_XML).
/// Text between elements means nothing there and is passed over.
///
/// Foundation's reader is not used: it ends the program on some documents
/// ([0006](Documentation/decisions/0006-own-xml-reader.md)).
struct OSMXMLReader {
  /// An element's start, or its end.
  private enum Tag {
    case start(name: String, attributes: [String: String], isEmpty: Bool)
    case end(name: String)
  }

  private enum Open {
    case node(OSMNode)
    case way(OSMWay)
    case relation(OSMRelation)
  }

  /// Elements that are handed on together, and the longest tag: attributes of OpenStreetMap have at most 255 characters each.
  private static let blockElements = 8_192
  private static let mostTagBytes = 64 << 10

  private let handle: FileHandle
  private let filter: OSMTagFilter
  private var buffer: [UInt8] = []
  private var index = 0
  private var line = 1
  /// Bytes that were read of the file.
  private(set) var offset = 0
  private var open: Open?
  /// Whether the open element is one that was deleted, in a file of changes.
  private var isDeleted = false
  private var depth = 0
  private var isAtEnd = false

  init(_ handle: FileHandle, filter: OSMTagFilter) {
    self.handle = handle
    self.filter = filter
  }

  /// The next few thousand elements; `nil` at the end.
  mutating func nextBlock() throws -> OSMBlock? {
    guard !isAtEnd else { return nil }
    var block = OSMBlock()
    var count = 0
    while count < Self.blockElements {
      guard let tag = try nextTag() else {
        guard depth == 0 else { throw OSMReadingError.line(line, "the file ends before its elements do") }
        isAtEnd = true
        break
      }
      switch tag {
      case .start(let name, let attributes, let isEmpty):
        try begin(name, attributes, in: &block)
        if isEmpty { count += end(name, in: &block) } else { depth += 1 }
      case .end(let name):
        depth -= 1
        guard depth >= 0 else { throw OSMReadingError.line(line, "there is an end of <\(name)> without its start") }
        count += end(name, in: &block)
      }
    }
    return block
  }

  // MARK: Elements

  private mutating func begin(_ name: String, _ attributes: [String: String], in block: inout OSMBlock) throws {
    switch name {
    case "node":
      isDeleted = attributes["visible"] == "false"
      open = .node(
        OSMNode(id: try id(attributes, "id"), position: try position(attributes), tags: OSMTags())
      )
    case "way":
      isDeleted = attributes["visible"] == "false"
      open = .way(OSMWay(id: try id(attributes, "id"), nodes: [], tags: OSMTags()))
    case "relation":
      isDeleted = attributes["visible"] == "false"
      open = .relation(OSMRelation(id: try id(attributes, "id"), members: [], tags: OSMTags()))
    case "nd":
      if case .way(var way) = open {
        open = nil
        way.nodes.append(try id(attributes, "ref"))
        open = .way(way)
      }
    case "member":
      if case .relation(var relation) = open {
        open = nil
        let kinds: [String: OSMRelation.Kind] = ["node": .node, "way": .way, "relation": .relation]
        guard let kind = kinds[attributes["type"] ?? ""] else {
          throw OSMReadingError.line(line, "a member is no node, way or relation")
        }
        relation.members.append(.init(kind: kind, id: try id(attributes, "ref"), role: attributes["role"] ?? ""))
        open = .relation(relation)
      }
    case "bounds":
      func side(_ name: String) -> Int32 {
        Int32(clamped: min(1.8e9, max(-1.8e9, (attributes[name].flatMap(Double.init) ?? 0) * 1e7)))
      }
      block.bounds = OSMBounds(
        south: max(-900_000_000, side("minlat")),
        west: side("minlon"),
        north: min(900_000_000, side("maxlat")),
        east: side("maxlon")
      )
    case "tag":
      guard let key = attributes["k"], let value = attributes["v"] else {
        throw OSMReadingError.line(line, "a tag has no k or no v")
      }
      if !key.isEmpty, filter.isKept(key) { add(.init(key: key, value: value)) }
    default: break
    }
  }

  private mutating func add(_ tag: OSMTags.Tag) {
    switch open {
    case .node(var node):
      open = nil
      node.tags.all.append(tag)
      open = .node(node)
    case .way(var way):
      open = nil
      way.tags.all.append(tag)
      open = .way(way)
    case .relation(var relation):
      open = nil
      relation.tags.all.append(tag)
      open = .relation(relation)
    case nil: break
    }
  }

  /// Closes an element; how many were finished.
  private mutating func end(_ name: String, in block: inout OSMBlock) -> Int {
    guard let element = open else { return 0 }
    switch (name, element) {
    case ("node", .node(let node)):
      if !isDeleted { block.add(node.id, node.position, node.tags) }
    case ("way", .way(let way)):
      if !isDeleted { block.add(way) }
    case ("relation", .relation(let relation)):
      if !isDeleted { block.add(relation) }
    default: return 0
    }
    open = nil
    return 1
  }

  private func id(_ attributes: [String: String], _ name: String) throws -> Int64 {
    guard let text = attributes[name], let id = Int64(text) else {
      throw OSMReadingError.line(line, "an element's \(name) is no whole number")
    }
    return id
  }

  private func position(_ attributes: [String: String]) throws -> OSMPosition {
    func part(_ name: String, _ most: Double) throws -> Int32 {
      guard let text = attributes[name], let degrees = Double(text), abs(degrees) <= most,
        let value = Int32(checked: (degrees * 1e7).rounded())
      else {
        // A node that was deleted has no position.
        if isDeleted { return 0 }
        throw OSMReadingError.line(line, "a node's \(name) is no number of degrees")
      }
      return value
    }
    return OSMPosition(latitude: try part("lat", 90), longitude: try part("lon", 180))
  }

  // MARK: Tags

  private mutating func nextTag() throws -> Tag? {
    while true {
      guard try skip(to: 0x3C) else { return nil }
      guard let second = try peek(1) else { throw OSMReadingError.line(line, "the file ends within a tag") }
      switch second {
      case 0x3F: try skip(past: "?>")
      case 0x21:
        if try peek(2) == 0x2D {
          try skip(past: "-->")
        } else {
          throw OSMReadingError.line(line, "there is a declaration")
        }
      default: return try readTag()
      }
    }
  }

  /// Reads a tag that begins at the position.
  private mutating func readTag() throws -> Tag {
    var end = 1
    var quote: UInt8 = 0
    while true {
      guard end < Self.mostTagBytes else { throw OSMReadingError.line(line, "a tag has more than 65,536 bytes") }
      guard let byte = try peek(end) else { throw OSMReadingError.line(line, "the file ends within a tag") }
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == 0x3E {
        break
      }
      end += 1
    }
    let bytes = buffer[(index + 1)..<(index + end)]
    let tag = try parse(bytes)
    advance(end + 1)
    return tag
  }

  private func parse(_ bytes: ArraySlice<UInt8>) throws -> Tag {
    if bytes.first == 0x2F {
      let name = String(decoding: bytes.dropFirst(), as: UTF8.self)
      return .end(name: String(name.prefix { !$0.isWhitespace }))
    }
    var at = bytes.startIndex
    let name = word(bytes, &at)
    guard !name.isEmpty else { throw OSMReadingError.line(line, "a tag has no name") }
    var attributes: [String: String] = [:]
    while true {
      while at < bytes.endIndex, bytes[at] <= 0x20 { at += 1 }
      guard at < bytes.endIndex else { break }
      if bytes[at] == 0x2F, at == bytes.endIndex - 1 {
        return .start(name: name, attributes: attributes, isEmpty: true)
      }
      let attribute = word(bytes, &at)
      while at < bytes.endIndex, bytes[at] <= 0x20 { at += 1 }
      guard !attribute.isEmpty, at < bytes.endIndex, bytes[at] == 0x3D else {
        throw OSMReadingError.line(line, "an attribute of <\(name)> has no value")
      }
      at += 1
      while at < bytes.endIndex, bytes[at] <= 0x20 { at += 1 }
      guard at < bytes.endIndex, bytes[at] == 0x22 || bytes[at] == 0x27,
        let close = bytes[(at + 1)...].firstIndex(of: bytes[at])
      else { throw OSMReadingError.line(line, "the value of \(attribute) has no quotation marks") }
      attributes[attribute] = try text(bytes[(at + 1)..<close])
      at = close + 1
    }
    return .start(name: name, attributes: attributes, isEmpty: false)
  }

  private func word(_ bytes: ArraySlice<UInt8>, _ at: inout Int) -> String {
    let start = at
    while at < bytes.endIndex, bytes[at] > 0x20, bytes[at] != 0x3D, bytes[at] != 0x2F { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  /// The text of a value, its references resolved.
  private func text(_ bytes: ArraySlice<UInt8>) throws -> String {
    guard bytes.contains(0x26) else { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    var rest = bytes[...]
    while let ampersand = rest.firstIndex(of: 0x26) {
      result += String(decoding: rest[..<ampersand], as: UTF8.self)
      guard let semicolon = rest[ampersand...].prefix(12).firstIndex(of: 0x3B),
        let character = Self.character(String(decoding: rest[(ampersand + 1)..<semicolon], as: UTF8.self))
      else { throw OSMReadingError.line(line, "there is an & that begins no reference") }
      result.unicodeScalars.append(character)
      rest = rest[(semicolon + 1)...]
    }
    return result + String(decoding: rest, as: UTF8.self)
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return number.flatMap(Unicode.Scalar.init)
    }
  }

  // MARK: Bytes

  private mutating func peek(_ ahead: Int) throws -> UInt8? {
    if index + ahead >= buffer.count { try fill(ahead) }
    return index + ahead < buffer.count ? buffer[index + ahead] : nil
  }

  private mutating func fill(_ ahead: Int) throws {
    buffer.removeSubrange(..<index)
    index = 0
    while buffer.count <= ahead, let data = try? handle.read(upToCount: 1 << 18), !data.isEmpty {
      buffer += data
      offset += data.count
    }
  }

  private mutating func advance(_ count: Int) {
    for byte in buffer[index..<(index + count)] where byte == 0x0A { line += 1 }
    index += count
  }

  private mutating func skip(to byte: UInt8) throws -> Bool {
    while true {
      while index < buffer.count {
        if buffer[index] == byte { return true }
        if buffer[index] == 0x0A { line += 1 }
        index += 1
      }
      guard try peek(0) != nil else { return false }
    }
  }

  private mutating func skip(past text: String) throws {
    let pattern = Array(text.utf8)
    while true {
      guard try peek(pattern.count - 1) != nil else {
        throw OSMReadingError.line(line, "the file ends within a comment")
      }
      if buffer[index...].starts(with: pattern) {
        advance(pattern.count)
        return
      }
      advance(1)
    }
  }
}
