import SightlineMath

/// Finds level and upright planes among points of the scene, and lets them grow.
///
/// Gravity is known, so that a level plane is one number, its height, and an upright one a line seen from above. Known planes take their
/// points first; new ones are looked for among what is left: level ones where heights gather, upright ones by drawing two points at a
/// time (Fischler and Bolles, Random Sample Consensus, CACM 24, 1981).
struct PlaneFinder {
  /// Most planes.
  static let mostPlanes = 12
  /// How far a point may be off its plane beyond its own deviation, metres.
  private static let thickness = 0.02
  /// Points a new plane needs, and one that stays.
  private static let (fewestNew, fewestKept) = (14, 8)
  /// Deviation that all points of a plane share, metres: that of the tracker's own place.
  private static let sharedDeviation = 0.01
  /// Points a plane may lose its outline's farthest of, as a share, since some fit by chance.
  private static let trimmed = 0.04
  /// Draws in one search for an upright plane.
  private static let draws = 60
  /// Width of what a plane's points cover, across, below which it may as well be an edge, metres.
  private static let leastBreadth = 0.12
  /// Below the lens, from where on a level plane can be the floor, metres.
  private static let leastFloorDepth = 0.6

  /// How far apart two parts of a surface may be to be one, metres.
  private static let nearPart = 0.4
  /// Level planes that are no higher than this over the lowest are the floor as well, metres.
  private static let sameFloor = 0.06

  private(set) var planes: [TrackedPlane] = []
  private var nextIdentifier: UInt32 = 1
  private var nextSearch = SurfaceKind.level
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15
  /// Whether a point belongs to a plane already.
  private var isTaken: [Bool] = []
  private var density = PlaneDensity()

  /// Forgets all planes.
  mutating func removeAll() { planes.removeAll() }

  /// One step: known planes take their points, then one kind of new plane is looked for.
  ///
  /// - Parameters:
  ///   - points: of the scene.
  ///   - eye: place of the lens, metres.
  mutating func update(_ points: [ScenePoint], eye: Vector3) {
    isTaken.removeAll(keepingCapacity: true)
    for _ in points { isTaken.append(false) }
    // Those with most points take theirs first.
    planes = ascendingPlaces(planes.map { -Double($0.pointCount) }).map { planes[$0] }
    var kept: [TrackedPlane] = []
    for plane in planes {
      let members = members(of: plane, points, known: true)
      guard members.count >= Self.fewestKept else {
        // Nothing of it among the latest points: it was somewhere else, and stays as it was.
        kept.append(plane)
        continue
      }
      guard let grown = fitted(members, points, like: plane) else { continue }
      if let same = kept.firstIndex(where: { isSameSurface($0, grown) }) {
        kept[same].join(grown)
        continue
      }
      for index in members { isTaken[index] = true }
      kept.append(grown)
    }
    planes = kept
    if planes.count < Self.mostPlanes {
      let found = nextSearch == .level ? levelPlane(points, eye) : uprightPlane(points)
      if let found, !planes.contains(where: { isSameSurface($0, found) }) {
        planes.append(found)
        nextIdentifier &+= 1
      }
    }
    nextSearch = nextSearch == .level ? .upright : .level
    nameLevels(eye)
  }

  // MARK: Members

  /// The points of a plane that lie together where there are more of them in it than just before and behind.
  ///
  /// - Parameters:
  ///   - plane: its normal, center and axes count.
  ///   - points: those that are not taken are looked at.
  ///   - known: whether places within its outline count as well, although they are apart.
  /// - Returns: places in `points`.
  private mutating func members(of plane: TrackedPlane, _ points: [ScenePoint], known: Bool) -> [Int] {
    density.removeAll()
    var near: [(index: Int, cell: Int)] = []
    for (index, point) in points.enumerated() where !isTaken[index] {
      let off = abs(plane.normal.dot(point.position - plane.center))
      guard off < PlaneDensity.reach, let cell = density.cell(of: plane.coordinates(of: point.position))
      else { continue }
      if off < Self.allowance(point, plane.normal) {
        density.addInside(cell)
        near.append((index, cell))
      } else if off > 1.2 * Self.thickness {
        density.addBeside(cell)
      }
    }
    guard !near.isEmpty else { return [] }
    density.choose { known && plane.contains($0, margin: Self.nearPart) }
    var result: [Int] = []
    for (index, cell) in near where density.isChosen(cell) { result.append(index) }
    return result
  }

  /// How far a point of a plane may be off it, metres: its error is along the line of sight.
  private static func allowance(_ point: ScenePoint, _ normal: Vector3) -> Double {
    thickness + min(0.05, 2 * abs(normal.dot(point.direction)) * point.deviation)
  }

  /// Inverse variance across a plane.
  private static func weight(_ point: ScenePoint, _ normal: Vector3) -> Double {
    let across = normal.dot(point.direction) * point.deviation
    return 1 / (0.01 * 0.01 + across * across)
  }

  /// Whether two planes are one: the same way, and one within the other.
  private func isSameSurface(_ a: TrackedPlane, _ b: TrackedPlane) -> Bool {
    guard a.normal.dot(b.normal) > 0.97 else { return false }
    let apart = max(abs(a.normal.dot(b.center - a.center)), abs(b.normal.dot(a.center - b.center)))
    guard apart < 0.08 else { return false }
    return b.outline.contains { a.contains(a.coordinates(of: b.world($0)), margin: Self.nearPart) }
      || a.outline.contains { b.contains(b.coordinates(of: a.world($0)), margin: Self.nearPart) }
  }

  // MARK: Fit

  private func fitted(_ members: [Int], _ points: [ScenePoint], like plane: TrackedPlane) -> TrackedPlane? {
    var plane = plane
    if abs(plane.normal.z) > 0.5 {
      var (weights, sum) = (0.0, Vector3.zero)
      for index in members {
        let weight = Self.weight(points[index], plane.normal)
        weights += weight
        sum = sum + points[index].position * weight
      }
      guard weights > 0 else { return nil }
      plane.center.z = sum.z / weights
      plane.deviation = (1 / weights + Self.sharedDeviation * Self.sharedDeviation).squareRoot()
    } else {
      guard let line = fittedLine(members, points, plane.normal) else { return nil }
      let normal = Vector3(line.normal.x, line.normal.y, 0)
      guard normal.dot(plane.normal) > 0.8 else { return nil }
      plane.normal = normal
      plane.axes = (Vector3(-normal.y, normal.x, 0), Vector3(0, 0, 1))
      plane.center = plane.center - normal * (normal.dot(plane.center) - line.offset)
      plane.deviation = line.deviation
    }
    plane.pointCount = members.count
    plane.grow(members.map { plane.coordinates(of: points[$0].position) }, trimmed: Self.trimmed)
    return plane
  }

  /// The line of an upright plane seen from above, by weighted total least squares.
  private func fittedLine(
    _ members: [Int],
    _ points: [ScenePoint],
    _ towards: Vector3
  ) -> (normal: Vector2, offset: Double, deviation: Double)? {
    guard let first = members.first else { return nil }
    let origin = points[first].position
    var (w, x, y, xx, xy, yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for index in members {
      let p = points[index].position - origin
      let weight = Self.weight(points[index], towards)
      w += weight
      x += weight * p.x
      y += weight * p.y
      xx += weight * p.x * p.x
      xy += weight * p.x * p.y
      yy += weight * p.y * p.y
    }
    guard w > 0 else { return nil }
    let (cx, cy) = (x / w, y / w)
    let (a, b, c) = (xx / w - cx * cx, xy / w - cx * cy, yy / w - cy * cy)
    let root = ((a - c) * (a - c) / 4 + b * b).squareRoot()
    let large = (a + c) / 2 + root
    let along = a > c ? Vector2(large - c, b) : Vector2(b, large - a)
    guard along.length > 0, large > Self.leastBreadth * Self.leastBreadth else { return nil }
    var normal = Vector2(-along.y, along.x) * (1 / along.length)
    if normal.x * towards.x + normal.y * towards.y < 0 { normal = normal * -1 }
    let offset = normal.x * (origin.x + cx) + normal.y * (origin.y + cy)
    return (normal, offset, (1 / w + Self.sharedDeviation * Self.sharedDeviation).squareRoot())
  }

  // MARK: Search

  /// The height at which most points gather that belong to no plane, if they cover an area.
  private mutating func levelPlane(_ points: [ScenePoint], _ eye: Vector3) -> TrackedPlane? {
    let (bins, size) = (600, 0.01)
    let bottom = eye.z - 3
    var votes = [Float](repeating: 0, count: bins)
    var counted = 0
    for (index, point) in points.enumerated() where !isTaken[index] {
      let height = point.position.z - bottom
      guard height > 0, height < Double(bins) * size else { continue }
      counted += 1
      // A kernel of the point's own width, so that those that are known badly say little.
      let across = abs(point.direction.z) * point.deviation
      let width = (Self.thickness * Self.thickness / 2 + across * across).squareRoot()
      let middle = height / size
      let reach = min(12, 2.5 * width / size)
      let (low, high) = (max(0, Int32(middle - reach)), min(Int32(bins - 1), Int32(middle + reach)))
      guard low <= high else { continue }
      let scale = Float(0.01 / width)
      for bin in low...high {
        let z = (Float(bin) + 0.5 - Float(middle)) * Float(size / width)
        votes[Int(bin)] += scale * Float(exp(Double(-z * z / 2)))
      }
    }
    guard counted >= Self.fewestNew else { return nil }
    for _ in 0..<3 {
      guard let peak = votes.indices.max(by: { votes[$0] < votes[$1] }), votes[peak] > 0 else { return nil }
      let height = bottom + (Double(peak) + 0.5) * size
      let normal = Vector3(0, 0, height < eye.z ? 1 : -1)
      let plane = newPlane(normal, Vector3(eye.x, eye.y, height))
      let members = members(of: plane, points, known: false)
      if members.count >= Self.fewestNew, isSpread(members, points), let plane = fitted(members, points, like: plane) {
        return plane
      }
      for bin in max(0, peak - 6)...min(bins - 1, peak + 6) { votes[bin] = 0 }
    }
    return nil
  }

  /// Whether points that lie at one height cover an area, and not a line, as an edge does.
  private func isSpread(_ members: [Int], _ points: [ScenePoint]) -> Bool {
    var fit = LineFit()
    guard let first = members.first else { return false }
    let origin = points[first].position
    for index in members {
      let p = points[index].position - origin
      fit.add(p.x, p.y)
    }
    fit.solve()
    return fit.meanSquare > Self.leastBreadth * Self.leastBreadth
  }

  private mutating func uprightPlane(_ points: [ScenePoint]) -> TrackedPlane? {
    var free: [Int] = []
    for index in points.indices where !isTaken[index] { free.append(index) }
    guard free.count >= Self.fewestNew else { return nil }
    var best: (count: Int, normal: Vector3, center: Vector3)?
    for _ in 0..<Self.draws {
      let (a, b) = (points[free[draw(free.count)]], points[free[draw(free.count)]])
      let side = Vector2(b.position.x - a.position.x, b.position.y - a.position.y)
      guard side.length > 0.25, side.length < 4 else { continue }
      var normal = Vector3(-side.y / side.length, side.x / side.length, 0)
      if normal.dot(a.direction) > 0 { normal = -normal }
      // Seen nearly along it nothing can be said.
      guard normal.dot(a.direction) < -0.2, normal.dot(b.direction) < -0.2 else { continue }
      var count = 0
      for index in free {
        let point = points[index]
        if abs(normal.dot(point.position - a.position)) < Self.allowance(point, normal) { count += 1 }
      }
      if count > best?.count ?? 0 { best = (count, normal, a.position) }
    }
    guard let best, best.count >= Self.fewestNew else { return nil }
    let rough = newPlane(best.normal, best.center)
    let first = members(of: rough, points, known: false)
    guard first.count >= Self.fewestNew, let plane = fitted(first, points, like: rough) else { return nil }
    let members = members(of: plane, points, known: true)
    guard members.count >= Self.fewestNew else { return nil }
    // Points of a level surface's edge lie in a line, too: an upright plane has height.
    let heights = members.map { points[$0].position.z }
    guard quantile(heights, 0.9) - quantile(heights, 0.1) > 2 * Self.leastBreadth else { return nil }
    return fitted(members, points, like: plane)
  }

  private func newPlane(_ normal: Vector3, _ place: Vector3) -> TrackedPlane {
    let isLevel = abs(normal.z) > 0.5
    return TrackedPlane(
      identifier: nextIdentifier,
      kind: isLevel ? .level : .upright,
      normal: normal,
      center: place,
      axes: isLevel ? (Vector3(1, 0, 0), Vector3(0, normal.z, 0)) : (Vector3(-normal.y, normal.x, 0), Vector3(0, 0, 1)),
      outline: [],
      pointCount: 0,
      deviation: 0
    )
  }

  private mutating func draw(_ count: Int) -> Int {
    // Marsaglia's xorshift: the same draws with every run.
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return Int(random % UInt64(count))
  }

  /// Which of the level planes are the floor: the lowest, well below the lens, and those of its height.
  private mutating func nameLevels(_ eye: Vector3) {
    var lowest: Int?
    for index in planes.indices where abs(planes[index].normal.z) > 0.5 {
      planes[index].kind = planes[index].normal.z < 0 ? .ceiling : .level
      guard planes[index].normal.z > 0, planes[index].center.z < eye.z - Self.leastFloorDepth else { continue }
      if lowest.map({ planes[index].center.z < planes[$0].center.z }) ?? true { lowest = index }
    }
    if let lowest { joinFloor(lowest) }
  }

  /// Makes one plane of the floor's parts, seen between what stands on it.
  private mutating func joinFloor(_ lowest: Int) {
    let height = planes[lowest].center.z
    var (floor, rest): (TrackedPlane?, [TrackedPlane]) = (nil, [])
    for plane in planes {
      guard plane.normal.z > 0.5, plane.center.z < height + Self.sameFloor else {
        rest.append(plane)
        continue
      }
      // The largest comes first, and keeps its number.
      guard var joined = floor else {
        floor = plane
        floor?.kind = .floor
        continue
      }
      joined.join(plane)
      floor = joined
    }
    planes = rest
    if let floor { planes.append(floor) }
  }
}

extension TrackedPlane {
  /// A point of the plane in the world.
  func world(_ point: Vector2) -> Vector3 { center + axes.0 * point.x + axes.1 * point.y }

  /// Takes in another part of the same surface.
  mutating func join(_ part: TrackedPlane) {
    outline = Self.convexHull(outline + part.outline.map { coordinates(of: part.world($0)) })
    let share = Double(part.pointCount) / Double(max(1, part.pointCount + pointCount))
    center = center + normal * (share * normal.dot(part.center - center))
    pointCount += part.pointCount
    deviation = min(deviation, part.deviation)
  }

  /// Takes points into the outline.
  ///
  /// - Parameters:
  ///   - points: of the plane, along ``axes`` from ``center``, metres.
  ///   - trimmed: share of those farthest from the middle that is left out.
  mutating func grow(_ points: [Vector2], trimmed: Double) {
    guard !points.isEmpty else { return }
    let middle = points.reduce(Vector2(0, 0)) { $0 + $1 } * (1 / Double(points.count))
    let order = ascendingPlaces(points.map { ($0 - middle).length })
    let kept = order.count - min(order.count - 1, Int(Double(order.count) * trimmed))
    outline = Self.convexHull(outline + order.prefix(kept).map { points[$0] })
  }

  /// The convex hull, counter-clockwise, with at most 24 corners.
  ///
  /// Source: Andrew, Another efficient algorithm for convex hulls in two dimensions, Information Processing Letters 9, 1979.
  static func convexHull(_ points: [Vector2]) -> [Vector2] {
    // By x, and where that is equal by y.
    let byY = ascendingPlaces(points.map { $0.y }).map { points[$0] }
    let sorted = ascendingPlaces(byY.map { $0.x }).map { byY[$0] }
    guard sorted.count >= 3 else { return sorted }
    func chain(_ points: some Sequence<Vector2>) -> [Vector2] {
      var result: [Vector2] = []
      for p in points {
        while result.count >= 2 {
          let (a, b) = (result[result.count - 2], result[result.count - 1])
          if (b - a).cross(p - a) > 0 { break }
          result.removeLast()
        }
        result.append(p)
      }
      result.removeLast()
      return result
    }
    var hull = chain(sorted) + chain(sorted.reversed())
    // The corner that adds least goes first.
    while hull.count > 24 {
      var (least, place) = (Double.infinity, 0)
      for i in hull.indices {
        let (a, b, c) = (hull[(i + hull.count - 1) % hull.count], hull[i], hull[(i + 1) % hull.count])
        let area = (b - a).cross(c - a)
        if area < least { (least, place) = (area, i) }
      }
      hull.remove(at: place)
    }
    return hull
  }
}
