/// The tags of an element: keys and values, in the order of the file. A key stands once.
public struct OSMTags: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  public struct Tag: Equatable, Sendable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  public var all: [Tag]

  public init(_ all: [Tag] = []) { self.all = all }

  public init(_ pairs: KeyValuePairs<String, String>) { all = pairs.map { Tag(key: $0.key, value: $0.value) } }

  public init(dictionaryLiteral pairs: (String, String)...) { all = pairs.map { Tag(key: $0.0, value: $0.1) } }

  public var isEmpty: Bool { all.isEmpty }

  /// The value of a key.
  public subscript(key: String) -> String? { all.first { $0.key == key }?.value }
}

/// A place on the ground, in units of 1e-7 degrees, OpenStreetMap's own: 1.1 cm at most.
public struct OSMPosition: Hashable, Sendable {
  /// North, 1e-7 degrees, −900,000,000…900,000,000.
  public var latitude: Int32
  /// East, 1e-7 degrees, −1,800,000,000…1,800,000,000.
  public var longitude: Int32

  public init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  public var latitudeDegrees: Double { Double(latitude) * 1e-7 }
  public var longitudeDegrees: Double { Double(longitude) * 1e-7 }
}

/// A node that has tags. Nodes without are in ``OSMExtract/positions`` alone.
public struct OSMNode: Equatable, Sendable {
  public var id: Int64
  public var position: OSMPosition
  public var tags: OSMTags

  public init(id: Int64, position: OSMPosition, tags: OSMTags) {
    self.id = id
    self.position = position
    self.tags = tags
  }
}

/// A line or ring through nodes.
public struct OSMWay: Equatable, Sendable {
  public var id: Int64
  /// Identifiers of its nodes; some may not be in the extract.
  public var nodes: [Int64]
  public var tags: OSMTags

  public init(id: Int64, nodes: [Int64], tags: OSMTags) {
    self.id = id
    self.nodes = nodes
    self.tags = tags
  }

  /// Whether it comes back to its first node.
  public var isClosed: Bool { nodes.count > 3 && nodes.first == nodes.last }
}

/// Elements that belong together.
public struct OSMRelation: Equatable, Sendable {
  public enum Kind: UInt8, Sendable {
    case node, way, relation
  }

  public struct Member: Equatable, Sendable {
    public var kind: Kind
    public var id: Int64
    public var role: String

    public init(kind: Kind, id: Int64, role: String) {
      self.kind = kind
      self.id = id
      self.role = role
    }
  }

  public var id: Int64
  public var members: [Member]
  public var tags: OSMTags

  public init(id: Int64, members: [Member], tags: OSMTags) {
    self.id = id
    self.members = members
    self.tags = tags
  }
}
