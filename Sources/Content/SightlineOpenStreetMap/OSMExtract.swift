/// What was read of one extract: positions of all nodes, and the elements that have tags.
public struct OSMExtract: Sendable {
  /// Where each node is, by its identifier.
  public var positions: NodePositions
  /// Nodes that have tags, by rising identifier.
  public var nodes: [OSMNode]
  /// By rising identifier.
  ///
  /// Ways without tags are kept too: relations are made of them.
  public var ways: [OSMWay]
  /// By rising identifier.
  public var relations: [OSMRelation]
  /// The area that the file says it is of; `nil` where it does not say.
  public var bounds: OSMBounds?

  /// An extract of its parts.
  public init(
    positions: NodePositions = NodePositions(),
    nodes: [OSMNode] = [],
    ways: [OSMWay] = [],
    relations: [OSMRelation] = [],
    bounds: OSMBounds? = nil
  ) {
    self.bounds = bounds
    self.positions = positions
    self.nodes = nodes
    self.ways = ways
    self.relations = relations
  }
}

/// A rectangle of latitudes and longitudes, 1e-7 degrees.
public struct OSMBounds: Equatable, Sendable {
  /// The southern edge.
  public var south: Int32
  /// The western edge.
  public var west: Int32
  /// The northern edge.
  public var north: Int32
  /// The eastern edge.
  public var east: Int32

  /// `nil` where south is not below north and west not below east.
  public init?(south: Int32, west: Int32, north: Int32, east: Int32) {
    guard south < north, west < east else { return nil }
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// The rectangle around positions; `nil` where they have no extent.
  public init?(around positions: [OSMPosition]) {
    guard let first = positions.first else { return nil }
    var (low, high) = (first, first)
    for position in positions {
      low.latitude = min(low.latitude, position.latitude)
      low.longitude = min(low.longitude, position.longitude)
      high.latitude = max(high.latitude, position.latitude)
      high.longitude = max(high.longitude, position.longitude)
    }
    self.init(south: low.latitude, west: low.longitude, north: high.latitude, east: high.longitude)
  }
}

/// The positions of nodes: two columns in the order of identifiers, 16 bytes a node.
public struct NodePositions: Sendable {
  /// Identifiers, rising.
  public private(set) var ids: [Int64]
  /// Where the nodes are, in the order of ``ids``.
  public private(set) var values: [OSMPosition]

  /// No nodes.
  public init() {
    ids = []
    values = []
  }

  /// Of pairs in any order; of an identifier that comes twice the last is kept.
  public init(ids: [Int64], values: [OSMPosition]) {
    precondition(ids.count == values.count)
    self.ids = ids
    self.values = values
    if !Self.isRising(ids) { sort() }
  }

  /// How many nodes there are.
  public var count: Int { ids.count }

  /// Where a node is; `nil` where the extract does not have it.
  public subscript(id: Int64) -> OSMPosition? { index(of: id).map { values[$0] } }

  /// The row of a node.
  public func index(of id: Int64) -> Int? {
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == id ? low : nil
  }

  private static func isRising(_ ids: [Int64]) -> Bool {
    var index = 1
    while index < ids.count {
      if ids[index - 1] >= ids[index] { return false }
      index += 1
    }
    return true
  }

  private mutating func sort() {
    let order = ids.indices.sorted { ids[$0] == ids[$1] ? $0 < $1 : ids[$0] < ids[$1] }
    var sortedIDs: [Int64] = []
    var sortedValues: [OSMPosition] = []
    sortedIDs.reserveCapacity(order.count)
    sortedValues.reserveCapacity(order.count)
    for row in order {
      if sortedIDs.last == ids[row] {
        sortedValues[sortedValues.count - 1] = values[row]
      } else {
        sortedIDs.append(ids[row])
        sortedValues.append(values[row])
      }
    }
    ids = sortedIDs
    values = sortedValues
  }
}
