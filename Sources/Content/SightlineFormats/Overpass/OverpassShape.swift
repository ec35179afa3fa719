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

  /// The shapes of an element; none without a geometry, or when the budget does not hold the work.
  static func shapes(
    of element: JSONNode,
    type: String,
    tags: [String: String],
    path: DocumentPath,
    problems: ProblemList
  ) -> [Shape] {
    func work(_ count: Int) -> Bool { problems.take(count, of: .steps, line: element.line, path: path) }
    if type == "way" { return shape(corners(element, work), tags).map { [$0] } ?? [] }
    guard type == "relation", case .array(let members)? = element["members"]?.value, work(members.count) else {
      return []
    }
    let isArea = ["multipolygon", "boundary"].contains(tags["type"] ?? "")
    guard isArea else {
      return members.compactMap { member in
        let line = corners(member, work)
        return line.count > 1 ? Shape.line(line) : nil
      }
    }
    var outer: [[Position]] = []
    var inner: [[Position]] = []
    for member in members {
      let line = corners(member, work)
      guard line.count > 1 else { continue }
      if case .string("inner")? = member["role"]?.value { inner.append(line) } else { outer.append(line) }
    }
    let homes = rings(outer, work)
    var areas = homes.map { Shape.area($0) }
    let holes = rings(inner, work)
    guard !holes.isEmpty else { return areas }
    let index = RingIndex(homes)
    for hole in holes {
      // A hole belongs to the ring it lies in; one that lies in none would be drawn as ground, so it is left out.
      guard problems.goesOn else { break }
      if let home = index.first(around: hole[0], work: work) { areas[home].parts.append(hole) }
    }
    return areas
  }

  private static func shape(_ line: [Position], _ tags: [String: String]) -> Shape? {
    guard line.count > 1 else { return nil }
    if line.count > 3, line.first == line.last, isArea(tags) { return .area(Array(line.dropLast())) }
    return .line(line)
  }

  /// The corners of a way, as far as they are positions.
  private static func corners(_ node: JSONNode, _ work: (Int) -> Bool) -> [Position] {
    guard case .array(let points)? = node["geometry"]?.value, work(points.count) else { return [] }
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
  static func rings(_ ways: [[Position]], _ work: (Int) -> Bool) -> [[Position]] {
    guard work(ways.count) else { return [] }
    var ends: [Corner: Ends] = [:]
    for (index, way) in ways.enumerated() where way.count > 1 {
      ends[Corner(way[0]), default: Ends()].ways.append(index)
      ends[Corner(way[way.count - 1]), default: Ends()].ways.append(index)
    }
    var isUsed = ways.map { $0.count < 2 }
    var found: [[Position]] = []
    for start in ways.indices where !isUsed[start] {
      isUsed[start] = true
      var ring = ways[start]
      while ring[0] != ring[ring.count - 1] {
        let end = Corner(ring[ring.count - 1])
        // Ways that are used stay used: they are passed over once, and not again from the start each time.
        guard let place = ends.index(forKey: end) else { break }
        let before = ends.values[place].next
        let next = ends.values[place].firstUnused(isUsed)
        guard work(1 + ends.values[place].next - before), let next else { break }
        isUsed[next] = true
        let way = ways[next]
        guard work(way.count) else { break }
        ring += Corner(way[0]) == end ? Array(way.dropFirst()) : Array(way.reversed().dropFirst())
      }
      if ring.count > 3, ring[0] == ring[ring.count - 1] { found.append(Array(ring.dropLast())) }
    }
    return found
  }

  /// The ways that begin or end at a corner.
  private struct Ends {
    var ways: [Int] = []
    /// The first of them that may be unused.
    var next = 0

    mutating func firstUnused(_ isUsed: [Bool]) -> Int? {
      while next < ways.count, isUsed[ways[next]] { next += 1 }
      return next < ways.count ? ways[next] : nil
    }
  }
}
