import SightlineContent

/// Lines and areas of ways and relations that came with their geometry (`out geom`).
enum OverpassShape {
  /// Tags of ways that are lines even where they close.
  static let lines: Set = ["highway", "barrier", "railway", "waterway", "power", "aerialway", "route"]

  /// Whether a closed way is an area, by its tags.
  static func isArea(_ tags: [String: String]) -> Bool {
    if let said = tags["area"] { return said != "no" }
    return !lines.contains { tags[$0] != nil }
  }

  /// The shapes of an element; none without a geometry.
  static func shapes(of element: JSONNode, type: String, tags: [String: String]) -> [Shape] {
    if type == "way" { return shape(corners(element), tags).map { [$0] } ?? [] }
    guard type == "relation", case .array(let members)? = element["members"]?.value else { return [] }
    let isArea = ["multipolygon", "boundary"].contains(tags["type"] ?? "")
    guard isArea else {
      return members.compactMap { member in
        let line = corners(member)
        return line.count > 1 ? Shape.line(line) : nil
      }
    }
    var outer: [[Position]] = []
    var inner: [[Position]] = []
    for member in members {
      let line = corners(member)
      guard line.count > 1 else { continue }
      if case .string("inner")? = member["role"]?.value { inner.append(line) } else { outer.append(line) }
    }
    var areas = rings(outer).map { Shape.area($0) }
    for hole in rings(inner) {
      // A hole belongs to the ring it lies in; one that lies in none would be drawn as ground, so it is left out.
      if let home = areas.firstIndex(where: { contains($0.parts[0], hole[0]) }) { areas[home].parts.append(hole) }
    }
    return areas
  }

  private static func shape(_ line: [Position], _ tags: [String: String]) -> Shape? {
    guard line.count > 1 else { return nil }
    if line.count > 3, line.first == line.last, isArea(tags) { return .area(Array(line.dropLast())) }
    return .line(line)
  }

  /// The corners of a way, as far as they are positions.
  private static func corners(_ node: JSONNode) -> [Position] {
    guard case .array(let points)? = node["geometry"]?.value else { return [] }
    return points.compactMap { point in
      guard let latitude = point["lat"]?.decimal, let longitude = point["lon"]?.decimal, abs(latitude) <= 90,
        abs(longitude) <= 180
      else { return nil }
      return Position(latitude: latitude, longitude: longitude)
    }
  }

  private struct Corner: Hashable {
    let latitude: Double
    let longitude: Double
    init(_ position: Position) { (latitude, longitude) = (position.latitude, position.longitude) }
  }

  /// Rings from ways that meet at their ends; what stays open is left out.
  ///
  /// The first corner is not repeated.
  static func rings(_ ways: [[Position]]) -> [[Position]] {
    var ends: [Corner: [Int]] = [:]
    for (index, way) in ways.enumerated() where way.count > 1 {
      ends[Corner(way[0]), default: []].append(index)
      ends[Corner(way[way.count - 1]), default: []].append(index)
    }
    var isUsed = ways.map { $0.count < 2 }
    var found: [[Position]] = []
    for start in ways.indices where !isUsed[start] {
      isUsed[start] = true
      var ring = ways[start]
      while ring[0] != ring[ring.count - 1] {
        let end = Corner(ring[ring.count - 1])
        guard let next = ends[end]?.first(where: { !isUsed[$0] }) else { break }
        isUsed[next] = true
        let way = ways[next]
        ring += Corner(way[0]) == end ? Array(way.dropFirst()) : Array(way.reversed().dropFirst())
      }
      if ring.count > 3, ring[0] == ring[ring.count - 1] { found.append(Array(ring.dropLast())) }
    }
    return found
  }

  /// Whether a point lies in a ring, on the plane of degrees: enough for holes, which lie well inside.
  private static func contains(_ ring: [Position], _ point: Position) -> Bool {
    var isInside = false
    var before = ring[ring.count - 1]
    for corner in ring {
      if (corner.latitude > point.latitude) != (before.latitude > point.latitude) {
        let part = (point.latitude - corner.latitude) / (before.latitude - corner.latitude)
        if point.longitude < corner.longitude + part * (before.longitude - corner.longitude) { isInside.toggle() }
      }
      before = corner
    }
    return isInside
  }
}
