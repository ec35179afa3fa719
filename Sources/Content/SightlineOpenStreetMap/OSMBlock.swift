import SightlineInput
import SightlineProtobuf

/// Elements as they were read together: of one block of a PBF file (`PrimitiveBlock`), or of a piece of an XML file.
struct OSMBlock: Sendable {
  var nodeIDs: [Int64] = []
  var positions: [OSMPosition] = []
  var nodes: [OSMNode] = []
  var ways: [OSMWay] = []
  var relations: [OSMRelation] = []
  /// Nodes that its ways name, members of its relations, and tags kept.
  var references = 0
  var tags = 0
  /// The area of the file, where it was said here.
  var bounds: OSMBounds?

  init() {}

  /// Reads a block.
  ///
  /// - Throws: ``PBFDamage`` or `ProtobufReader.Failure`.
  init(_ bytes: UnsafeRawBufferPointer, keeping filter: OSMTagFilter) throws {
    var groups: [UnsafeRawBufferPointer] = []
    var texts: UnsafeRawBufferPointer?
    var grid = Grid()
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 1: texts = try reader.message()
      case 2: groups.append(try reader.message())
      case 17: grid.granularity = try reader.integer()
      case 19: grid.latitudeOffset = try reader.integer()
      case 20: grid.longitudeOffset = try reader.integer()
      default: try reader.skip()
      }
    }
    let table = try TextTable(texts, filter)
    for group in groups {
      var reader = ProtobufReader(group)
      while try reader.next() {
        switch reader.field {
        case 1: try readNode(reader.message(), table, grid)
        case 2: try readDenseNodes(reader.message(), table, grid)
        case 3: try readWay(reader.message(), table)
        case 4: try readRelation(reader.message(), table)
        default: try reader.skip()
        }
      }
    }
  }

  /// Where the numbers of positions begin and how wide they are, in 1e-9 degrees.
  private struct Grid {
    var granularity = 100
    var latitudeOffset = 0
    var longitudeOffset = 0

    func position(_ latitude: Int64, _ longitude: Int64) throws -> OSMPosition {
      guard let north = value(latitude, latitudeOffset, most: 900_000_000),
        let east = value(longitude, longitudeOffset, most: 1_800_000_000)
      else { throw PBFDamage("a node lies outside the world") }
      return OSMPosition(latitude: north, longitude: east)
    }

    private func value(_ number: Int64, _ offset: Int, most: Int32) -> Int32? {
      guard let scaled = Int(number).checkedMultiply(granularity)?.checkedAdd(offset) else { return nil }
      // Rounded to 1e-7 degrees, which is what nodes have anyway.
      let rounded = scaled >= 0 ? scaled.saturatingAdd(50) / 100 : scaled.saturatingSubtract(50) / 100
      guard let value = Int32(checked: rounded), (-most...most).contains(value) else { return nil }
      return value
    }
  }

  /// The texts of a block, with those keys marked whose tags are kept.
  private struct TextTable {
    var texts: [String] = []
    var isKept: [Bool] = []

    init(_ bytes: UnsafeRawBufferPointer?, _ filter: OSMTagFilter) throws {
      guard let bytes else { return }
      var reader = ProtobufReader(bytes)
      while try reader.next() {
        guard reader.field == 1 else {
          try reader.skip()
          continue
        }
        // A text is counted by the two bytes it has at least: a block has 32 MiB.
        let text = String(decoding: try reader.message(), as: UTF8.self)
        texts.append(text)
        isKept.append(!text.isEmpty && filter.isKept(text))
      }
    }

    func text(_ index: UInt64) throws -> String {
      guard let index = Int(exactly: index), index < texts.count else {
        throw PBFDamage("a text is not in the block's table")
      }
      return texts[index]
    }

    func keeps(_ index: UInt64) throws -> Bool {
      guard let index = Int(exactly: index), index < texts.count else {
        throw PBFDamage("a key is not in the block's table")
      }
      return isKept[index]
    }

    func tags(_ keys: UnsafeRawBufferPointer?, _ values: UnsafeRawBufferPointer?) throws -> OSMTags {
      guard let keys, let values else { return OSMTags() }
      var tags: [OSMTags.Tag] = []
      var keyNumbers = PackedNumbers(keys)
      var valueNumbers = PackedNumbers(values)
      while !keyNumbers.isAtEnd {
        guard !valueNumbers.isAtEnd else { throw PBFDamage("a key has no value") }
        let (key, value) = (try keyNumbers.unsigned(), try valueNumbers.unsigned())
        if try keeps(key) { tags.append(.init(key: try text(key), value: try text(value))) }
      }
      return OSMTags(tags)
    }
  }

  mutating func add(_ id: Int64, _ position: OSMPosition, _ tags: OSMTags) {
    nodeIDs.append(id)
    positions.append(position)
    guard !tags.isEmpty else { return }
    self.tags += tags.all.count
    nodes.append(OSMNode(id: id, position: position, tags: tags))
  }

  mutating func add(_ way: OSMWay) {
    references += way.nodes.count
    tags += way.tags.all.count
    ways.append(way)
  }

  mutating func add(_ relation: OSMRelation) {
    references += relation.members.count
    tags += relation.tags.all.count
    relations.append(relation)
  }

  private mutating func readNode(_ bytes: UnsafeRawBufferPointer, _ table: TextTable, _ grid: Grid) throws {
    var reader = ProtobufReader(bytes)
    var (id, latitude, longitude) = (Int64(0), Int64(0), Int64(0))
    var keys: UnsafeRawBufferPointer?
    var values: UnsafeRawBufferPointer?
    while try reader.next() {
      switch reader.field {
      case 1: id = try reader.zigzag()
      case 2: keys = try reader.message()
      case 3: values = try reader.message()
      case 8: latitude = try reader.zigzag()
      case 9: longitude = try reader.zigzag()
      default: try reader.skip()
      }
    }
    add(id, try grid.position(latitude, longitude), try table.tags(keys, values))
  }

  private mutating func readDenseNodes(_ bytes: UnsafeRawBufferPointer, _ table: TextTable, _ grid: Grid) throws {
    var columns = (ids: Self.none, latitudes: Self.none, longitudes: Self.none, tags: Self.none)
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 1: columns.ids = try reader.message()
      case 8: columns.latitudes = try reader.message()
      case 9: columns.longitudes = try reader.message()
      case 10: columns.tags = try reader.message()
      default: try reader.skip()
      }
    }
    var ids = PackedNumbers(columns.ids)
    var latitudes = PackedNumbers(columns.latitudes)
    var longitudes = PackedNumbers(columns.longitudes)
    var tags = PackedNumbers(columns.tags)
    var (id, latitude, longitude) = (Int64(0), Int64(0), Int64(0))
    while !ids.isAtEnd {
      guard !latitudes.isAtEnd, !longitudes.isAtEnd else { throw PBFDamage("a node has no position") }
      id = id.saturatingAdd(try ids.zigzag())
      latitude = latitude.saturatingAdd(try latitudes.zigzag())
      longitude = longitude.saturatingAdd(try longitudes.zigzag())
      var own: [OSMTags.Tag] = []
      // Key and value by turns, a zero after each node's last; nothing at all where no node has any.
      while !tags.isAtEnd {
        let key = try tags.unsigned()
        guard key != 0 else { break }
        guard !tags.isAtEnd else { throw PBFDamage("a key has no value") }
        let value = try tags.unsigned()
        if try table.keeps(key) { own.append(.init(key: try table.text(key), value: try table.text(value))) }
      }
      add(id, try grid.position(latitude, longitude), OSMTags(own))
    }
  }

  private static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  private mutating func readWay(_ bytes: UnsafeRawBufferPointer, _ table: TextTable) throws {
    var reader = ProtobufReader(bytes)
    var id = Int64(0)
    var keys: UnsafeRawBufferPointer?
    var values: UnsafeRawBufferPointer?
    var way: [Int64] = []
    while try reader.next() {
      switch reader.field {
      case 1: id = Int64(try reader.integer())
      case 2: keys = try reader.message()
      case 3: values = try reader.message()
      case 8: try Self.identifiers(reader.message()) { way.append($0) }
      default: try reader.skip()
      }
    }
    let tags = try table.tags(keys, values)
    add(OSMWay(id: id, nodes: way, tags: tags))
  }

  private static func identifiers(_ bytes: UnsafeRawBufferPointer, _ body: (Int64) -> Void) throws {
    var numbers = PackedNumbers(bytes)
    var id = Int64(0)
    while !numbers.isAtEnd {
      id = id.saturatingAdd(try numbers.zigzag())
      body(id)
    }
  }

  private mutating func readRelation(_ bytes: UnsafeRawBufferPointer, _ table: TextTable) throws {
    var reader = ProtobufReader(bytes)
    var id = Int64(0)
    var keys: UnsafeRawBufferPointer?
    var values: UnsafeRawBufferPointer?
    var columns = (roles: Self.none, kinds: Self.none)
    var identifiers: [Int64] = []
    while try reader.next() {
      switch reader.field {
      case 1: id = Int64(try reader.integer())
      case 2: keys = try reader.message()
      case 3: values = try reader.message()
      case 8: columns.roles = try reader.message()
      case 9: try Self.identifiers(reader.message()) { identifiers.append($0) }
      case 10: columns.kinds = try reader.message()
      default: try reader.skip()
      }
    }
    var roles = PackedNumbers(columns.roles)
    var kinds = PackedNumbers(columns.kinds)
    var members: [OSMRelation.Member] = []
    members.reserveCapacity(identifiers.count)
    for member in identifiers {
      guard !roles.isAtEnd, !kinds.isAtEnd, let number = UInt8(exactly: try kinds.unsigned()),
        let kind = OSMRelation.Kind(rawValue: number)
      else { throw PBFDamage("a member of relation \(id) has no role or kind") }
      members.append(.init(kind: kind, id: member, role: try table.text(try roles.unsigned())))
    }
    let tags = try table.tags(keys, values)
    add(OSMRelation(id: id, members: members, tags: tags))
  }
}
