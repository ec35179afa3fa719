import SightlineInput
import SightlineOpenStreetMap

/// What the builder met that it could not use, for the report of an import.
public struct GroundOmissions: Equatable, Sendable {
  /// Areas that a relation's ways do not close: mostly cut off by the edge of the extract.
  public var openAreas = 0
  /// Nodes of ways that the extract does not have.
  public var missingNodes = 0
  /// Ways of areas that the extract does not have.
  public var missingWays = 0
  /// Pieces of coast that end within the extract, so that sea and land cannot be told apart there.
  public var openCoasts = 0
}

/// Elements of OpenStreetMap into things on the ground.
struct FeatureBuilder {
  private let extract: OSMExtract
  private(set) var features: [GroundFeature] = []
  private(set) var omissions = GroundOmissions()
  /// Ways whose tags are spoken for by a relation: the outline of a building that is a multipolygon is none by itself.
  private var isTold: Set<Int64> = []

  init(_ extract: OSMExtract) {
    self.extract = extract
    relations()
    for way in extract.ways where !way.tags.isEmpty { add(way) }
    for node in extract.nodes { add(node) }
    coast()
    BuildingParts.mark(&features)
  }

  private mutating func add(_ node: OSMNode) {
    guard let kind = GroundRules.name(node.tags) else { return }
    features.append(
      GroundFeature(kind: kind, shape: .point(node.position), name: Self.name(kind, node.tags))
    )
  }

  /// What is written: the house's number, or the name.
  private static func name(_ kind: GroundKind, _ tags: OSMTags) -> GroundName {
    kind == .houseNumber ? GroundName(own: String((tags["addr:housenumber"] ?? "").prefix(12))) : GroundName(tags)
  }

  private mutating func add(_ way: OSMWay) {
    let isArea = way.isClosed && way.tags["area"] != "no" && GroundRules.area(way.tags) != nil
    if isArea, !isTold.contains(way.id) {
      let ring = positions(of: way.nodes.dropLast())
      if ring.count > 2 { addArea([PositionPolygon(outer: ring)], way.tags) }
    }
    // A closed street is a line as well as, say, the park that it goes round.
    guard let kind = GroundRules.line(way.tags) else { return }
    for line in pieces(of: way.nodes) {
      features.append(
        GroundFeature(
          kind: kind,
          shape: .line(line),
          name: GroundName(way.tags),
          layer: GroundRules.layer(way.tags)
        )
      )
    }
  }

  private mutating func addArea(_ polygons: [PositionPolygon], _ tags: OSMTags) {
    guard let kind = GroundRules.area(tags) else { return }
    var feature = GroundFeature(kind: kind, shape: .area(polygons))
    if kind == .building || kind == .buildingPart {
      feature.height = BuildingHeight(tags)
    } else {
      feature.layer = GroundRules.layer(tags)
    }
    features.append(feature)
    guard let named = GroundRules.name(tags) ?? Self.areaName(kind, tags), let middle = Self.middle(of: polygons) else {
      return
    }
    features.append(GroundFeature(kind: named, shape: .point(middle), name: Self.name(named, tags)))
  }

  /// Parks and waters are called by their names too.
  private static func areaName(_ kind: GroundKind, _ tags: OSMTags) -> GroundKind? {
    guard tags["name"] != nil else { return nil }
    switch kind {
    case .park, .forest, .water, .cemetery, .pedestrianArea: return .square
    case .building: return .sight
    default: return nil
    }
  }

  /// A position within the largest ring: its centre of area, or where that is not inside, the middle of its longest stretch on
  /// the centre's parallel.
  private static func middle(of polygons: [PositionPolygon]) -> OSMPosition? {
    guard let ring = polygons.map(\.outer).max(by: { abs(RingAssembly.area(of: $0)) < abs(RingAssembly.area(of: $1)) }),
      let first = ring.first, var previous = ring.last
    else { return nil }
    let (x0, y0) = (Double(first.longitude), Double(first.latitude))
    var (sum, x, y) = (0.0, 0.0, 0.0)
    for corner in ring {
      let (x1, y1) = (Double(previous.longitude) - x0, Double(previous.latitude) - y0)
      let (x2, y2) = (Double(corner.longitude) - x0, Double(corner.latitude) - y0)
      let cross = x1 * y2 - x2 * y1
      sum += cross
      x += (x1 + x2) * cross
      y += (y1 + y2) * cross
      previous = corner
    }
    guard sum != 0, let latitude = Int32(checked: (y0 + y / (3 * sum)).rounded()),
      let longitude = Int32(checked: (x0 + x / (3 * sum)).rounded())
    else { return first }
    let centre = OSMPosition(latitude: latitude, longitude: longitude)
    return RingAssembly.contains(ring, centre) ? centre : widest(ring, latitude: latitude) ?? first
  }

  private static func widest(_ ring: PositionLine, latitude: Int32) -> OSMPosition? {
    var crossings: [Double] = []
    guard var previous = ring.last else { return nil }
    for corner in ring {
      if (previous.latitude > latitude) != (corner.latitude > latitude) {
        let share =
          (Double(latitude) - Double(previous.latitude)) / (Double(corner.latitude) - Double(previous.latitude))
        crossings.append(Double(previous.longitude) + share * (Double(corner.longitude) - Double(previous.longitude)))
      }
      previous = corner
    }
    crossings.sort()
    let stretches = stride(from: 0, to: crossings.count - 1, by: 2).map { (crossings[$0], crossings[$0 + 1]) }
    guard let (west, east) = stretches.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }),
      let longitude = Int32(checked: ((west + east) / 2).rounded())
    else { return nil }
    return OSMPosition(latitude: latitude, longitude: longitude)
  }

  // MARK: Relations

  private mutating func relations() {
    for relation in extract.relations {
      let type = relation.tags["type"]
      guard type == "multipolygon" || type == "building" else { continue }
      guard GroundRules.area(relation.tags) != nil else { continue }
      var ways: [[Int64]] = []
      // A relation of type building has its parts as members too; they are areas of their own.
      for member in relation.members where member.kind == .way && (type == "multipolygon" || member.role == "outline") {
        guard let index = Self.row(of: member.id, in: extract.ways) else {
          omissions.missingWays += 1
          continue
        }
        ways.append(extract.ways[index].nodes)
        // Only an outline that says the same is the relation's; a fountain in a park's hole is itself.
        if GroundRules.area(extract.ways[index].tags) == GroundRules.area(relation.tags) { isTold.insert(member.id) }
      }
      let (rings, left) = RingAssembly.rings(of: ways)
      omissions.openAreas += left == 0 ? 0 : 1
      let polygons = RingAssembly.polygons(of: rings.map { positions(of: $0[...]) }.filter { $0.count > 2 })
      if !polygons.isEmpty { addArea(polygons, relation.tags) }
    }
  }

  private static func row(of id: Int64, in ways: [OSMWay]) -> Int? {
    var (low, high) = (0, ways.count)
    while low < high {
      let middle = (low + high) / 2
      if ways[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < ways.count && ways[low].id == id ? low : nil
  }

  // MARK: Coast

  private mutating func coast() {
    let ways = extract.ways.filter { $0.tags["natural"] == "coastline" }
    guard !ways.isEmpty, let bounds = extract.bounds ?? OSMBounds(around: extract.positions.values) else { return }
    var lines: [PositionLine] = []
    for way in ways { lines += pieces(of: way.nodes) }
    let sea = Coastline.sea(lines: lines, in: bounds)
    omissions.openCoasts += sea.openCoasts
    if !sea.polygons.isEmpty { features.append(GroundFeature(kind: .sea, shape: .area(sea.polygons))) }
  }

  // MARK: Positions

  /// The positions of nodes, those that are missing left out.
  private mutating func positions(of nodes: ArraySlice<Int64>) -> PositionLine {
    var line: PositionLine = []
    line.reserveCapacity(nodes.count)
    for node in nodes {
      guard let position = extract.positions[node] else {
        omissions.missingNodes += 1
        continue
      }
      if line.last != position { line.append(position) }
    }
    return line
  }

  /// A line's stretches between nodes that are missing: a street does not leap over what the extract does not have.
  private mutating func pieces(of nodes: [Int64]) -> [PositionLine] {
    var pieces: [PositionLine] = []
    var line: PositionLine = []
    for node in nodes {
      if let position = extract.positions[node] {
        if line.last != position { line.append(position) }
      } else {
        omissions.missingNodes += 1
        if line.count > 1 { pieces.append(line) }
        line = []
      }
    }
    if line.count > 1 { pieces.append(line) }
    return pieces
  }
}
