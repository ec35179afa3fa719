import SightlineInput
import SightlineOpenStreetMap

/// The second stage: straight ways across squares, between the places where ways come in.
///
/// Between two entries that see each other a line is added; where the outline bends inward its corners are entries too, for the
/// shortest way within a polygon goes from corner to corner (Lozano-Pérez and Wesley 1979, doi:10.1145/359156.359164).
enum SquareLines {
  struct Line {
    var from: Int32
    var to: Int32
    var square: Int
  }

  /// Entries of a square, at most: with more, those at equal intervals are taken.
  static let mostEntries = 48
  /// Comparisons of lines and sides for one square, at most.
  static let mostComparisons = 4_000_000
  /// Extent beyond which an area is taken for an error, 1e-7 degrees.
  ///
  /// Products of two of these fit in 64 bits.
  static let widest = 1_000_000

  /// The lines of all squares; their ends become nodes.
  static func lines(_ ways: inout WalkableWays, positions: [OSMPosition]) -> [Line] {
    var lines: [Line] = []
    for (index, square) in ways.squares.enumerated() {
      guard let polygon = Polygon(square.rings, positions) else { continue }
      var entries: [(row: Int32, point: Polygon.Point)] = []
      var corners = entries
      for (ring, points) in zip(square.rings, polygon.rings) {
        for i in ring.indices {
          if ways.uses[Int(ring[i])] > 1 {
            entries.append((ring[i], points[i]))
          } else if polygon.isBentInward(points, i) {
            corners.append((ring[i], points[i]))
          }
        }
      }
      let most = min(mostEntries, max(2, Int(clamped: (Double(mostComparisons) / Double(polygon.sides)).squareRoot())))
      entries = every(entries, most)
      entries += every(corners, most - entries.count)
      for i in entries.indices {
        for j in entries.indices where j > i && entries[i].row != entries[j].row {
          guard polygon.contains(entries[i].point, entries[j].point) else { continue }
          ways.keep(entries[i].row)
          ways.keep(entries[j].row)
          lines.append(Line(from: entries[i].row, to: entries[j].row, square: index))
        }
      }
    }
    return lines
  }

  private static func every<T>(_ all: [T], _ most: Int) -> [T] {
    guard all.count > most else { return all }
    return (0..<max(most, 0)).map { all[$0 * all.count / most] }
  }
}

/// An area with holes in whole numbers, so that what touches is known exactly.
struct Polygon {
  struct Point: Equatable {
    var x: Int
    var y: Int
  }

  let rings: [[Point]]
  let sides: Int

  /// `nil` for what is too large to be a square.
  init?(_ rows: [[Int32]], _ positions: [OSMPosition]) {
    guard let first = rows.first?.first else { return nil }
    let origin = positions[Int(first)]
    var rings: [[Point]] = []
    var sides = 0
    for ring in rows {
      var points: [Point] = []
      for row in ring {
        let position = positions[Int(row)]
        let point = Point(
          x: GroundMetric.eastUnits(origin.longitude, position.longitude),
          y: Int(position.latitude) - Int(origin.latitude)
        )
        guard abs(point.x) < SquareLines.widest, abs(point.y) < SquareLines.widest else { return nil }
        points.append(point)
      }
      sides += points.count
      rings.append(points)
    }
    self.rings = rings
    self.sides = sides
  }

  /// Twice the signed area of a triangle: positive when it goes counter-clockwise.
  @inline(__always) static func turn(_ a: Point, _ b: Point, _ c: Point) -> Int {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// Whether the area has more than a half turn at a corner: a shortest way may go round it.
  func isBentInward(_ ring: [Point], _ index: Int) -> Bool {
    let (before, corner, after) = (
      ring[(index + ring.count - 1) % ring.count], ring[index], ring[(index + 1) % ring.count]
    )
    guard Self.turn(before, corner, after) != 0 else { return false }
    // The middle of the two neighbours is outside there; for large angles it is near enough to the corner to say so.
    let weight = 1e-3
    return !contains(
      x: Double(corner.x) + (Double(before.x + after.x) / 2 - Double(corner.x)) * weight,
      y: Double(corner.y) + (Double(before.y + after.y) / 2 - Double(corner.y)) * weight
    )
  }

  /// Whether the line between two corners stays within.
  func contains(_ a: Point, _ b: Point) -> Bool {
    var cuts = [0.0, 1.0]
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = Double(dx * dx + dy * dy)
    guard square > 0 else { return false }
    for ring in rings {
      var c = ring[ring.count - 1]
      for d in ring {
        defer { c = d }
        let (c1, d1) = (Self.turn(a, b, c), Self.turn(a, b, d))
        if (c1 < 0 && d1 > 0) || (c1 > 0 && d1 < 0) {
          let (a1, b1) = (Self.turn(c, d, a), Self.turn(c, d, b))
          if (a1 < 0 && b1 > 0) || (a1 > 0 && b1 < 0) { return false }
        }
        // A corner on the line: on one side of it the line may be outside.
        if d1 == 0 {
          let along = Double((d.x - a.x) * dx + (d.y - a.y) * dy) / square
          if along > 0, along < 1 { cuts.append(along) }
        }
      }
    }
    cuts.sort()
    for (start, end) in zip(cuts, cuts.dropFirst()) where end > start {
      let t = (start + end) / 2
      if !contains(x: Double(a.x) + t * Double(dx), y: Double(a.y) + t * Double(dy)) { return false }
    }
    return true
  }

  /// Whether a point is within, by the number of sides to the east of it.
  func contains(x: Double, y: Double) -> Bool {
    var isInside = false
    for ring in rings {
      var c = ring[ring.count - 1]
      for d in ring {
        let (cy, dy) = (Double(c.y), Double(d.y))
        if (cy > y) != (dy > y), x < Double(c.x) + (y - cy) / (dy - cy) * Double(d.x - c.x) { isInside.toggle() }
        c = d
      }
    }
    return isInside
  }
}
