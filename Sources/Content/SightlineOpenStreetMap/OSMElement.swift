/// The tags of an element.
///
/// Keys and values, in the order of the file. A key stands once.
public struct OSMTags: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  /// A key and its value.
  public struct Tag: Equatable, Sendable {
    /// As `highway`.
    public var key: String
    /// As `residential`; any text.
    public var value: String

    /// A tag.
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// In the order of the file.
  public var all: [Tag]

  /// Tags in an order.
  public init(_ all: [Tag] = []) { self.all = all }

  /// Tags, written as pairs.
  public init(_ pairs: KeyValuePairs<String, String>) { all = pairs.map { Tag(key: $0.key, value: $0.value) } }

  /// Tags, written as a dictionary.
  public init(dictionaryLiteral pairs: (String, String)...) { all = pairs.map { Tag(key: $0.0, value: $0.1) } }

  /// Whether there are none.
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

  /// A place.
  public init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// North, degrees.
  public var latitudeDegrees: Double { Double(latitude) * 1e-7 }
  /// East, degrees.
  public var longitudeDegrees: Double { Double(longitude) * 1e-7 }
}

/// A node that has tags.
///
/// Nodes without are in ``OSMExtract/positions`` alone.
public struct OSMNode: Equatable, Sendable {
  /// Its identifier among nodes.
  public var id: Int64
  /// Where it is.
  public var position: OSMPosition
  /// What is said of it.
  public var tags: OSMTags

  /// A node.
  public init(id: Int64, position: OSMPosition, tags: OSMTags) {
    self.id = id
    self.position = position
    self.tags = tags
  }
}

/// A line or ring through nodes.
public struct OSMWay: Equatable, Sendable {
  /// Its identifier among ways.
  public var id: Int64
  /// Identifiers of its nodes; some may not be in the extract.
  public var nodes: [Int64]
  /// What is said of it.
  public var tags: OSMTags

  /// A way.
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
  /// What a member is.
  public enum Kind: UInt8, Sendable {
    case node, way, relation
  }

  /// An element that belongs to a relation.
  public struct Member: Equatable, Sendable {
    /// What it is.
    public var kind: Kind
    /// Its identifier among its kind.
    public var id: Int64
    /// What it is there for, as `outer`; often empty.
    public var role: String

    /// A member.
    public init(kind: Kind, id: Int64, role: String) {
      self.kind = kind
      self.id = id
      self.role = role
    }
  }

  /// Its identifier among relations.
  public var id: Int64
  /// In the order of the file.
  public var members: [Member]
  /// What is said of it.
  public var tags: OSMTags

  /// A relation.
  public init(id: Int64, members: [Member], tags: OSMTags) {
    self.id = id
    self.members = members
    self.tags = tags
  }
}
