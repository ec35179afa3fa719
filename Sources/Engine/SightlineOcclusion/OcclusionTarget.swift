import SightlineMath

/// Something of which is asked whether it is seen: a place, a model, a stop, a pin.
public struct OcclusionTarget: Equatable, Sendable {
  /// Where it stands, metres east and north.
  public var point: Vector2
  /// Heights over the ground between which it extends, metres; `nil`: those of the building it is in, or of a person
  /// where there is none.
  public var heights: ClosedRange<Double>?
  /// How wide it is, metres.
  public var width: Double
  /// How far outside of a building it may be marked and belong to it all the same, metres; 0: only inside of one; `nil`: it
  /// belongs to none.
  ///
  /// A shop is marked inside of its house, or a step before it. Then the house is what is looked for, and
  /// does not hide it. A stop stands in the open, and is of a house only where it stands in its hall: 0.
  public var reach: Double?

  /// A target.
  public init(at point: Vector2, heights: ClosedRange<Double>? = nil, width: Double = 0, reach: Double? = 2) {
    self.point = point
    self.heights = heights
    self.width = width
    self.reach = reach
  }
}

/// A target put among the walls of an index: what of it does not change with the eye.
///
/// Worth nothing with another index.
public struct PlacedTarget: Sendable {
  /// A part of an outer wall that stands for the target.
  struct Facade: Sendable {
    /// A little before the wall.
    var point: Vector2
    /// Out of the building, length 1.
    var normal: Vector2
    var bottom: Double
    var top: Double
    var width: Double
  }

  var point = Vector2.zero
  var bottom = 0.0
  var top = 0.0
  var width = 0.0
  /// The buildings that it belongs to, which do not hide it.
  var own = FewBuildings()
  /// The nearest first.
  var facades: [Facade] = []
  /// Whether it is a place at all.
  var isPlaced = false

  /// Whether it belongs to a building.
  public var isInBuilding: Bool { !own.isEmpty }
}

extension OcclusionIndex {
  /// Most facades of a target.
  private static let mostFacades = 4
  /// Most walls that are tried for them.
  private static let mostTried = 24
  /// Width of the part of a facade that stands for a target, metres.
  private static let facadeWidth = 4.0
  /// How far before a wall its point is, metres: clear of rounding, nearer than anything else stands.
  private static let clearance = 0.3
  /// Farthest that a target may be marked from its building, metres.
  private static let mostReach = 20.0

  /// Puts a target among the walls.
  ///
  /// - Complexity: O(*n*) for the *n* walls of the buildings that it belongs to, O(*m*) for the *m* walls near it where it is
  ///   in none.
  public func placed(_ target: OcclusionTarget) -> PlacedTarget {
    var placed = PlacedTarget()
    guard abs(target.point.x) <= 1e6, abs(target.point.y) <= 1e6 else { return placed }
    placed.isPlaced = true
    placed.point = target.point
    placed.width = clamp(target.width.isNaN ? 0 : target.width, 0, 1000)
    (placed.bottom, placed.top) = (0.5, 2)
    if let heights = target.heights {
      (placed.bottom, placed.top) = (clamp(heights.lowerBound, -1e6, 1e6), clamp(heights.upperBound, -1e6, 1e6))
    }
    guard let reach = target.reach, !walls.isEmpty else { return placed }
    placed.own = buildings(over: target.point, beginningBelow: .infinity)
    if placed.own.isEmpty, reach > 0, let wall = wall(near: target.point, within: min(reach, Self.mostReach)) {
      placed.own.insert(walls[wall].building)
    }
    if !placed.own.isEmpty { addFacades(to: &placed, heights: target.heights) }
    return placed
  }

  /// The nearest wall.
  private func wall(near point: Vector2, within reach: Double) -> Int? {
    var (best, least) = (Int?.none, reach)
    for y in grid.row(point.y - reach)...grid.row(point.y + reach) {
      for x in grid.column(point.x - reach)...grid.column(point.x + reach) {
        for k in grid.entries(of: y &* grid.columns &+ x) {
          let number = Int(grid.items[k])
          let distance = (nearest(to: point, on: walls[number], inset: 0) - point).length
          if distance <= least { (best, least) = (number, distance) }
        }
      }
    }
    return best
  }

  /// The nearest point on a wall that keeps away from its ends, where it is long enough.
  private func nearest(to point: Vector2, on wall: Wall, inset: Double) -> Vector2 {
    let edge = wall.end - wall.start
    let length = edge.length
    let away = length > 0 ? min(inset / length, 0.5) : 0
    let share = length > 0 ? (point - wall.start).dot(edge) / (length * length) : 0
    return wall.start + edge * clamp(share, away, 1 - away)
  }

  /// The walls that stand for a target: the nearest outer ones of its buildings that no neighbour touches.
  ///
  /// One that is touched is no facade: in a row of houses only front and back are.
  private func addFacades(to placed: inout PlacedTarget, heights: ClosedRange<Double>?) {
    // Walls are tried farther and farther out, those at the same distance by number, until enough have nothing before them.
    var (floor, last) = (-1.0, -1)
    var tried = 0
    while placed.facades.count < Self.mostFacades, tried < Self.mostTried {
      tried += 1
      var (best, least) = (-1, Double.infinity)
      for own in 0..<placed.own.count {
        for part in partsOfBuilding[Int(placed.own.numbers[own])] {
          for k in parts[part].outer {
            let distance = (nearest(to: placed.point, on: walls[k], inset: Self.facadeWidth / 2) - placed.point).length
            if (distance, k) > (floor, last), (distance, k) < (least, best) || best < 0 {
              (best, least) = (k, distance)
            }
          }
        }
      }
      guard best >= 0 else { return }
      (floor, last) = (least, best)
      let wall = walls[best]
      let part = parts[Int(wall.part)]
      let edge = wall.end - wall.start
      guard edge.length > 0.01 else { continue }
      let normal = Vector2(edge.y, -edge.x) * (part.turn / edge.length)
      let foot = nearest(to: placed.point, on: wall, inset: Self.facadeWidth / 2)
      let point = foot + normal * Self.clearance
      guard buildings(over: point, beginningBelow: max(part.base, 2)).isEmpty else { continue }
      placed.facades.append(
        PlacedTarget.Facade(
          point: point,
          normal: normal,
          bottom: heights == nil ? max(part.base, 0) : placed.bottom,
          top: heights == nil ? part.roof : placed.top,
          width: min(Self.facadeWidth, edge.length)
        )
      )
    }
  }
}
