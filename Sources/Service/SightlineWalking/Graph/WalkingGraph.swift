import Foundation
import SightlineGeodesy
import SightlineOpenStreetMap

/// What can be walked in an area: nodes where ways meet, edges between them with lengths, times and shapes.
///
/// ```swift
/// let graph = try WalkingGraph(extract).prepared()
/// let route = try graph.route(from: here, to: stop)
/// print(route.metres, route.seconds, route.instructions)
/// ```
///
/// Costs are walking times (``WalkingProfile``). A road whose sidewalks are mapped as ways of their own counts a quarter more
/// than its time, so that a way keeps to the sidewalk. A graph never changes and may be asked from many threads.
public struct WalkingGraph: Sendable {
  /// Heights of the ground, metres, at a latitude and longitude in degrees; `nil` where none is known.
  public typealias Heights = (_ latitudeDegrees: Double, _ longitudeDegrees: Double) -> Double?

  let columns: Columns
  let index: EdgeIndex
  /// For each profile in the order of its numbers; none before ``prepared()``.
  let hierarchies: [Hierarchy]

  /// An edge's time is at most this, tenths of a second: eleven days.
  static let longestTime: UInt32 = 10_000_000
  /// What steps cost in addition where they are avoided, tenths of a second: longer than any walk without.
  static let stepsPenalty: UInt32 = 1_000_000

  /// The graph of an extract, without hierarchy: see ``prepared()``.
  ///
  /// - Parameters:
  ///   - extract: nodes, ways and relations of the area.
  ///   - heights: heights of the ground, for the time that slopes take; without it all ground is flat.
  /// - Throws: ``WalkingProblem/empty`` when nothing can be walked, ``WalkingProblem/tooLarge``.
  public init(_ extract: OSMExtract, heights: Heights? = nil) throws(WalkingProblem) {
    self.init(try GraphAssembly(extract, heights: heights).tables, hierarchies: [])
  }

  /// The graph of tables that are right.
  init(_ tables: GraphTables, hierarchies: [Hierarchy]) {
    self.init(columns: Columns(tables), index: EdgeIndex(tables), hierarchies: hierarchies)
  }

  /// The graph of columns that were checked, or of another graph's with nodes in another order.
  init(columns: Columns, index: EdgeIndex, hierarchies: [Hierarchy]) {
    self.columns = columns
    self.index = index
    self.hierarchies = hierarchies
  }

  /// Number of nodes: where ways meet, end or change.
  public var nodeCount: Int { columns.nodeFlags.count }
  /// Number of edges.
  public var edgeCount: Int { columns.flags.count }
  /// Points of all edges, with those between nodes.
  public var pointCount: Int { nodeCount + columns.shape.count / 2 }
  /// Whether the fast search has its hierarchies.
  public var isPrepared: Bool { !hierarchies.isEmpty }

  /// A direction of an edge as a search sees it.
  public struct Arc: Equatable, Sendable {
    /// The node it leads to.
    public var node: Int
    /// Tenths of a second, with what the profile adds.
    public var cost: Int
  }

  /// Where a node is.
  public func position(ofNode node: Int) -> Geodetic { nodePosition(node).geodetic }

  /// Where one can go from a node, for other programs' searches.
  public func arcs(fromNode node: Int, profile: WalkingProfile = .quickest) -> [Arc] {
    var arcs: [Arc] = []
    for entry in Int(columns.adjacencyFirst[node])..<Int(columns.adjacencyFirst[node + 1]) {
      let edge = Int(columns.adjacency[entry] >> 1)
      let isBackward = columns.adjacency[entry] & 1 == 1
      guard let cost = cost(edge, isBackward: isBackward, profile) else { continue }
      arcs.append(Arc(node: Int(isBackward ? columns.from[edge] : columns.to[edge]), cost: Int(cost)))
    }
    return arcs
  }

  func nodePosition(_ node: Int) -> OSMPosition {
    OSMPosition(latitude: columns.nodePositions[2 * node], longitude: columns.nodePositions[2 * node + 1])
  }

  func flags(_ edge: Int) -> EdgeFlags { EdgeFlags(rawValue: columns.flags[edge]) }

  /// What an edge costs in a direction, tenths of a second; `nil` where it must not be walked.
  @inline(__always) func cost(_ edge: Int, isBackward: Bool, _ profile: WalkingProfile) -> UInt32? {
    let flags = EdgeFlags(rawValue: columns.flags[edge])
    guard flags.has(isBackward ? EdgeFlags.backward : EdgeFlags.forward) else { return nil }
    var cost = isBackward ? columns.backwardTimes[edge] : columns.forwardTimes[edge]
    if flags.has(EdgeFlags.besideSidewalk) { cost &+= cost / 4 }
    if profile == .avoidingSteps, flags.isSteps { cost &+= Self.stepsPenalty }
    return cost
  }

  /// The points of an edge from its first node to its last.
  func points(ofEdge edge: Int) -> [OSMPosition] {
    let inner = Int(columns.shapeFirst[edge])..<Int(columns.shapeFirst[edge + 1])
    var points = [nodePosition(Int(columns.from[edge]))]
    points.reserveCapacity(inner.count + 2)
    for point in inner {
      points.append(OSMPosition(latitude: columns.shape[2 * point], longitude: columns.shape[2 * point + 1]))
    }
    points.append(nodePosition(Int(columns.to[edge])))
    return points
  }

  /// The name of an edge's street.
  func name(ofEdge edge: Int) -> String? {
    let name = Int(columns.names[edge])
    let range = Int(columns.nameFirst[name])..<Int(columns.nameFirst[name + 1])
    return range.isEmpty ? nil : String(decoding: range.map { columns.nameBytes[$0] }, as: UTF8.self)
  }
}
