import Foundation
import SightlineGeodesy
import SightlineInput

/// Cuts the ways of one line at a circle, thins them, and leaves out what an earlier way has drawn already.
package struct PathThinner {
  private let center: Geodetic
  private let radius: Double
  private let metresPerLongitude: Double
  private let isJoining: Bool
  private let budget: ReadingBudget
  private var covered: Set<Int64> = []
  package private(set) var paths: [[(latitude: Double, longitude: Double)]] = []
  private(set) var isExact = true

  private static let metresPerDegree = WGS84.meanRadius * Double.pi / 180
  /// Ways nearer to each other than about this, metres, are drawn once: the two sides of a street.
  private static let cell = 15.0
  /// Points off the straight line by less are left out, metres.
  private static let tolerance = 1.0

  /// Points between which a way is thinned as one piece: the thinning takes up to the square of it.
  private static let longestPiece = 500
  /// Pieces into which one segment is cut to see what is drawn already: a straight of three kilometres.
  private static let mostSteps = 400.0

  private typealias Point = (x: Double, y: Double)

  /// What the ways of one answer may cost: points taken and written, steps of thinning and joining.
  package static func budget() -> ReadingBudget {
    ReadingBudget(
      ReadingBudget.Limits(text: .max, positions: 1_000_000, places: .max, findings: .max, steps: 20_000_000)
    )
  }

  /// A thinner for a circle of a radius in metres.
  ///
  /// `isJoining` says whether ways beside an earlier one are left out; streets, which cross, are to be kept whole. Several thinners may
  /// draw from one budget; ways for which it does not suffice are left out.
  package init(
    center: Geodetic,
    radius: Double,
    isJoining: Bool = true,
    budget: ReadingBudget = PathThinner.budget()
  ) {
    self.isJoining = isJoining
    self.budget = budget
    self.center = center
    self.radius = radius
    metresPerLongitude = Self.metresPerDegree * max(1e-6, cos(center.latitudeDegrees * .pi / 180))
  }

  package mutating func add(_ way: [(latitude: Double, longitude: Double)], isExact: Bool) {
    guard budget.take(way.count, of: .positions) else { return }
    if !isExact { self.isExact = false }
    let points = way.map { point -> Point in
      var step = point.longitude - center.longitudeDegrees
      if step > 180 { step -= 360 } else if step < -180 { step += 360 }
      return (step * metresPerLongitude, (point.latitude - center.latitudeDegrees) * Self.metresPerDegree)
    }
    var drawn: Set<Int64> = []
    for run in inside(points) {
      guard isJoining else {
        paths.append(thinned(run).map(geographic))
        continue
      }
      for piece in fresh(run, marking: &drawn) where piece.count >= 2 {
        paths.append(thinned(piece).map(geographic))
      }
    }
    covered.formUnion(drawn)
  }

  /// The pieces inside the circle.
  private func inside(_ points: [Point]) -> [[Point]] {
    var runs: [[Point]] = []
    var run: [Point] = []
    for (a, b) in zip(points, points.dropFirst()) {
      guard let (from, to) = clip(a, b) else {
        if run.count >= 2 { runs.append(run) }
        run = []
        continue
      }
      let start = along(a, b, from)
      if let last = run.last, last.x == start.x, last.y == start.y {
      } else {
        if run.count >= 2 { runs.append(run) }
        run = [start]
      }
      run.append(along(a, b, to))
    }
    if run.count >= 2 { runs.append(run) }
    return runs
  }

  private func along(_ a: Point, _ b: Point, _ share: Double) -> Point {
    share == 0 ? a : share == 1 ? b : (a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
  }

  /// Shares of a segment between which it is inside the circle.
  private func clip(_ a: Point, _ b: Point) -> (Double, Double)? {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    guard square > 0 else { return nil }
    let half = a.x * dx + a.y * dy
    let root = half * half - square * (a.x * a.x + a.y * a.y - radius * radius)
    guard root > 0 else { return nil }
    let from = max(0, (-half - root.squareRoot()) / square)
    let to = min(1, (-half + root.squareRoot()) / square)
    return from < to ? (from, to) : nil
  }

  /// Pieces that no earlier way covers, cut at about the size of a cell.
  private func fresh(_ run: [Point], marking drawn: inout Set<Int64>) -> [[Point]] {
    var pieces: [[Point]] = []
    var piece: [Point] = []
    for (a, b) in zip(run, run.dropFirst()) {
      let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
      let steps = Int(clamped: (length / (Self.cell / 2)).clamped(to: 1...Self.mostSteps), notANumber: 1)
      guard budget.take(steps, of: .steps) else { break }
      for step in 0..<steps {
        let from = along(a, b, Double(step) / Double(steps))
        let to = step + 1 == steps ? b : along(a, b, Double(step + 1) / Double(steps))
        let middle = Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
        drawn.insert(key(middle, 0, 0))
        if isCovered(middle) {
          if piece.count >= 2 { pieces.append(piece) }
          piece = []
        } else {
          if piece.isEmpty { piece = [from] }
          piece.append(to)
        }
      }
    }
    if piece.count >= 2 { pieces.append(piece) }
    return pieces
  }

  private func isCovered(_ point: Point) -> Bool {
    if covered.isEmpty { return false }
    for x in -1...1 { for y in -1...1 where covered.contains(key(point, x, y)) { return true } }
    return false
  }

  private func key(_ point: Point, _ x: Int, _ y: Int) -> Int64 {
    let column = Int64(clamped: (point.x / Self.cell).rounded(.down)).saturatingAdd(Int64(x))
    let row = Int64(clamped: (point.y / Self.cell).rounded(.down)).saturatingAdd(Int64(y))
    return column << 32 ^ (row & 0xFFFF_FFFF)
  }

  /// Ramer, Douglas and Peucker's thinning, without recursion, piece by piece.
  private func thinned(_ points: [Point]) -> [Point] {
    guard points.count > 2 else { return points }
    var keeps = [Bool](repeating: false, count: points.count)
    keeps[0] = true
    keeps[points.count - 1] = true
    var spans: [(Int, Int)] = []
    for first in stride(from: 0, to: points.count - 1, by: Self.longestPiece) {
      let last = min(first + Self.longestPiece, points.count - 1)
      keeps[last] = true
      spans.append((first, last))
    }
    while let (first, last) = spans.popLast() {
      // What the budget does not suffice for is drawn as the straight between points that are kept.
      guard last - first > 1, budget.take(last - first, of: .steps) else { continue }
      let (a, b) = (points[first], points[last])
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let length = (dx * dx + dy * dy).squareRoot()
      var farthest = (distance: 0.0, place: first)
      for place in (first + 1)..<last {
        let (px, py) = (points[place].x - a.x, points[place].y - a.y)
        let distance = length > 0 ? abs(px * dy - py * dx) / length : (px * px + py * py).squareRoot()
        if distance > farthest.distance { farthest = (distance, place) }
      }
      guard farthest.distance > Self.tolerance else { continue }
      keeps[farthest.place] = true
      spans.append((first, farthest.place))
      spans.append((farthest.place, last))
    }
    return points.indices.filter { keeps[$0] }.map { points[$0] }
  }

  private func geographic(_ point: Point) -> (latitude: Double, longitude: Double) {
    var longitude = center.longitudeDegrees + point.x / metresPerLongitude
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return (center.latitudeDegrees + point.y / Self.metresPerDegree, longitude)
  }
}
