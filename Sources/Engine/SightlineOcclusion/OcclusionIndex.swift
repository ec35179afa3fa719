import SightlineInput
import SightlineMath

/// The walls around, by where they stand: whether the way from an eye to a place is free.
///
/// ```swift
/// let index = OcclusionIndex(buildings)
/// let eye = index.eye(at: Vector3(0, 0, 1.6), sigma: 3.3)
/// let target = index.placed(OcclusionTarget(at: Vector2(40, 120)))
/// visibility = visibility.next(seen: index.seen(target, from: eye))
/// ```
///
/// What does not change with the eye is done once, when buildings come: walls are put into a uniform grid by the cells that
/// they cross. A ray goes through the cells on its way and ends at the first wall that hides all of the target; in a town
/// that is a few cells away. Horizons around an eye, by azimuth, would be built anew at each step for each of the
/// places where an uncertain eye may be: that cost more than it saved (Benchmarks/occlusion).
///
/// What makes no sense is left out, never refused: rings of fewer than three corners, corners that are not finite or
/// farther than ``Limits/distance``, walls without length, and what is more than the limits.
public struct OcclusionIndex: Sendable {
  /// How much is kept.
  public struct Limits: Equatable, Sendable {
    /// Most walls; larger keeps more of what is far.
    public var walls = 65_536
    /// Farthest corner from the frame's origin along an axis, metres.
    public var distance: Double = 50_000
    /// Side of a cell, metres, where the walls do not spread too far for it.
    public var cell: Double = 12

    /// The defaults.
    public init() {}
  }

  /// A wall: from one corner of a ring to the next.
  struct Wall: Sendable {
    var start: Vector2
    var end: Vector2
    /// Over the ground, metres; −∞ for what stands on it.
    var base: Double
    var roof: Double
    var part: Int32
    var building: Int32
  }

  /// One prism, as it lies in ``walls``: its border first, its holes after.
  struct Part: Sendable {
    var walls: Range<Int>
    var outer: Range<Int>
    var building: Int32
    var base: Double
    var roof: Double
    var low: Vector2
    var high: Vector2
    /// 1 where the border runs counter-clockwise, so that outside is at the right of a wall; −1 else.
    var turn: Double
  }

  private(set) var walls: [Wall] = []
  private(set) var parts: [Part] = []
  /// By the building's number.
  private(set) var partsOfBuilding: [Range<Int>] = []
  private(set) var grid = WallGrid()
  /// Cells by the prisms whose bounds touch them.
  private(set) var partGrid = WallGrid()
  /// Prisms that were left out because there were more walls than ``Limits/walls``.
  public private(set) var omittedParts = 0

  /// How many walls there are.
  public var wallCount: Int { walls.count }

  /// An index without walls: everything is seen.
  public init() {}

  /// The walls of buildings; which come first are kept first.
  ///
  /// - Complexity: O(*n*) for *n* corners, and the cells that their walls cross.
  public init(_ buildings: [Building], limits: Limits = Limits()) {
    for (number, building) in buildings.enumerated() {
      let first = parts.count
      for part in building.parts { add(part, of: Int32(clamping: number), limits: limits) }
      partsOfBuilding.append(first..<parts.count)
    }
    guard !walls.isEmpty else { return }
    grid = WallGrid(walls: walls, cell: limits.cell)
    partGrid = WallGrid(bounds: parts, like: grid)
  }

  private mutating func add(_ footprint: Footprint, of building: Int32, limits: Limits) {
    guard footprint.base.isFinite, footprint.roof.isFinite, footprint.roof > max(footprint.base, 0),
      Self.isSound(footprint.outer, limits)
    else { return }
    var corners = footprint.outer.count
    for hole in footprint.holes { corners = corners.saturatingAdd(hole.count) }
    guard corners <= limits.walls.saturatingSubtract(walls.count) else {
      omittedParts += 1
      return
    }
    let first = walls.count
    var part = Part(
      walls: first..<first,
      outer: first..<first,
      building: building,
      base: footprint.base > 0 ? footprint.base : -.infinity,
      roof: footprint.roof,
      low: footprint.outer[0],
      high: footprint.outer[0],
      turn: 1
    )
    append(footprint.outer, of: part)
    part.outer = first..<walls.count
    var area = 0.0
    for k in part.outer {
      let corner = walls[k].start
      part.low = Vector2(min(part.low.x, corner.x), min(part.low.y, corner.y))
      part.high = Vector2(max(part.high.x, corner.x), max(part.high.y, corner.y))
      area += (corner - walls[first].start).cross(walls[k].end - walls[first].start)
    }
    part.turn = area < 0 ? -1 : 1
    for hole in footprint.holes where Self.isSound(hole, limits) { append(hole, of: part) }
    part.walls = first..<walls.count
    if !part.outer.isEmpty { parts.append(part) }
  }

  private mutating func append(_ ring: [Vector2], of part: Part) {
    var last = ring[ring.count - 1]
    for corner in ring {
      if corner != last {
        walls.append(
          Wall(
            start: last,
            end: corner,
            base: part.base,
            roof: part.roof,
            part: Int32(clamping: parts.count),
            building: part.building
          )
        )
      }
      last = corner
    }
  }

  private static func isSound(_ ring: [Vector2], _ limits: Limits) -> Bool {
    guard ring.count >= 3 else { return false }
    for corner in ring where !(abs(corner.x) <= limits.distance && abs(corner.y) <= limits.distance) { return false }
    return true
  }

  // MARK: What stands where

  /// The first few buildings over a point that begin no higher than `height`.
  func buildings(over point: Vector2, beginningBelow height: Double) -> FewBuildings {
    var few = FewBuildings()
    guard let cell = partGrid.cell(of: point) else { return few }
    for k in partGrid.entries(of: cell) {
      let part = parts[Int(partGrid.items[k])]
      if part.base <= height, contains(point, part) { few.insert(part.building) }
    }
    return few
  }

  /// Whether a point lies in a prism's area, by the even-odd rule.
  func contains(_ point: Vector2, _ part: Part) -> Bool {
    guard point.x >= part.low.x, point.x <= part.high.x, point.y >= part.low.y, point.y <= part.high.y else {
      return false
    }
    var isInside = false
    for k in part.walls {
      let (a, b) = (walls[k].start, walls[k].end)
      if (a.y > point.y) != (b.y > point.y), (point.y - a.y) / (b.y - a.y) * (b.x - a.x) + a.x > point.x {
        isInside.toggle()
      }
    }
    return isInside
  }
}

/// Up to four buildings, which is more than ever overlap but by mistake.
struct FewBuildings: Equatable, Sendable {
  private(set) var numbers = SIMD4<Int32>(repeating: -1)
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  @inline(__always)
  func contains(_ building: Int32) -> Bool {
    numbers[0] == building || numbers[1] == building || numbers[2] == building || numbers[3] == building
  }

  mutating func insert(_ building: Int32) {
    guard count < 4, !contains(building) else { return }
    numbers[count] = building
    count += 1
  }

  func meets(_ other: FewBuildings) -> Bool {
    for k in 0..<count where other.contains(numbers[k]) { return true }
    return false
  }
}
