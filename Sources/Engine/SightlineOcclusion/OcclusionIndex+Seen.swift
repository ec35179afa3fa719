import SightlineMath

extension OcclusionIndex {
  /// How much of a target is seen from an eye: the expected part, 0 … 1, over where the eye may be and over the target's
  /// height and width.
  ///
  /// Exact towards the walls at each of the eye's points: a crossing is found by the signs of both ends, so that nothing slips
  /// through where two walls meet. Height is looked at in eight steps. Of a target in a building the nearest
  /// facades that face the eye are looked at, and the best counts.
  ///
  /// - Returns: 1 for a target or an eye that is nowhere: what is not known is not hidden.
  /// - Complexity: O(*s* · *c*) for *s* points of the eye and *c* walls in the cells up to the first that hides.
  public func seen(_ target: borrowing PlacedTarget, from eye: borrowing UncertainEye) -> Double {
    guard target.isPlaced, !eye.samples.isEmpty, !walls.isEmpty else { return 1 }
    var seen = 0.0
    // The wall that hid the target from one point mostly does from the next.
    var lastWalls = (-1, -1)
    for k in eye.samples.indices {
      let sample = eye.samples[k]
      if sample.around.meets(target.own) {
        seen += sample.weight
        continue
      }
      // So that a wide target is seen in all its width, each point of the eye looks at another part of it.
      let shift = eye.samples.count > 1 ? (Double(k) * 0.618_033_988_749_894_9).fraction - 0.5 : 0
      var ray = Ray(
        from: sample.point,
        height: eye.point.z,
        skipped: (sample.around, target.own)
      )
      seen += sample.weight * part(of: target, shift: shift, along: &ray, lastWalls: &lastWalls)
    }
    return clamp(seen, 0, 1)
  }

  /// The part of a target that one point of the eye sees.
  private func part(
    of target: borrowing PlacedTarget,
    shift: Double,
    along ray: inout Ray,
    lastWalls: inout (Int, Int)
  ) -> Double {
    var best = 0.0
    var faced = 0
    for k in target.facades.indices {
      let facade = target.facades[k]
      guard facade.normal.dot(ray.start - facade.point) > 0 else { continue }
      let along = Vector2(-facade.normal.y, facade.normal.x) * (shift * facade.width)
      let end = facade.point + along
      if faced == 0 {
        best = cast(&ray, to: end, bottom: facade.bottom, top: facade.top, lastWall: &lastWalls.0)
      } else {
        best = max(best, cast(&ray, to: end, bottom: facade.bottom, top: facade.top, lastWall: &lastWalls.1))
      }
      faced += 1
      if best == 1 || faced == 2 { break }
    }
    guard faced == 0 else { return best }
    let way = target.point - ray.start
    let length = way.length
    let across = length > 0 ? Vector2(-way.y, way.x) * (shift * target.width / length) : .zero
    return cast(&ray, to: target.point + across, bottom: target.bottom, top: target.top, lastWall: &lastWalls.0)
  }

  /// How high over the ground an upright line at the target's place is hidden: the roof line before it.
  ///
  /// What is over it is seen from the eye's middle; a label put there stands on the roofs.
  /// - Returns: metres over the ground, at the place of the target; `nil` where nothing stands before it.
  public func roofLine(before target: borrowing PlacedTarget, from eye: borrowing UncertainEye) -> Double? {
    guard target.isPlaced, !eye.samples.isEmpty, !walls.isEmpty else { return nil }
    let ray = Ray(
      from: Vector2(eye.point.x, eye.point.y),
      height: eye.point.z,
      skipped: (eye.samples[0].around, target.own)
    )
    // The facade that is looked at, or the place itself.
    var end = target.point
    for facade in target.facades where facade.normal.dot(ray.start - facade.point) > 0 {
      end = facade.point
      break
    }
    var highest = -Double.infinity
    walk(from: ray.start, to: end) { number in
      if let share = crossing(of: walls[number], from: ray.start, along: end - ray.start),
        !ray.isSkipped(walls[number].building)
      {
        highest = max(highest, ray.height + (walls[number].roof - ray.height) / share)
      }
      return true
    }
    return highest.isFinite ? highest : nil
  }

  /// Casts rays at an upright line, at all its heights together.
  ///
  /// `lastWall` is the wall that hid all the last time, which is tried first; −1 for none.
  /// - Returns: the part of the line that is seen.
  private func cast(
    _ ray: inout Ray,
    to end: Vector2,
    bottom: Double,
    top: Double,
    lastWall: inout Int
  ) -> Double {
    ray.aim(at: end, bottom: bottom, top: top)
    if lastWall >= 0, ray.meet(walls[lastWall]) == 0xFF { return 0 }
    var hidden: UInt8 = 0
    var last = lastWall
    let walls = self.walls.span
    // From the target on: what stands near it hides it from all points of the eye, and is found once.
    walk(from: end, to: ray.start) { number in
      let steps = ray.meet(walls[number])
      if steps == 0xFF { last = number }
      hidden |= steps
      return hidden != 0xFF
    }
    lastWall = last
    return 1 - Double(hidden.nonzeroBitCount) / 8
  }

  /// Gives the walls in the cells on a way, nearest cells first, some more than once, until `visit` says that it is enough.
  ///
  /// Source: Amanatides and Woo 1987, "A Fast Voxel Traversal Algorithm for Ray Tracing".
  @inline(__always)
  private func walk(from start: Vector2, to end: Vector2, _ visit: (Int) -> Bool) {
    let way = end - start
    let (perX, perY) = (1 / way.x, 1 / way.y)
    var (enter, leave) = (0.0, 1.0)
    if !grid.holds(start) || !grid.holds(end) {
      let (fromX, toX) = Self.clip(start.x, perX, grid.low.x, grid.high.x)
      let (fromY, toY) = Self.clip(start.y, perY, grid.low.y, grid.high.y)
      (enter, leave) = (max(fromX, fromY, 0), min(toX, toY, 1))
      guard enter <= leave else { return }
    }
    let (first, last) = (start + way * enter, start + way * leave)
    var (x, y) = (grid.column(first.x), grid.row(first.y))
    let (lastX, lastY) = (grid.column(last.x), grid.row(last.y))
    let (stepX, stepY) = (lastX >= x ? 1 : -1, lastY >= y ? 1 : -1)
    // Shares of the way at which the next column and row begin, and how much a cell is.
    let (strideX, strideY) = (grid.cell * abs(perX), grid.cell * abs(perY))
    var nextX = (Double(x + (stepX > 0 ? 1 : 0)) * grid.cell + grid.low.x - start.x) * perX
    var nextY = (Double(y + (stepY > 0 ? 1 : 0)) * grid.cell + grid.low.y - start.y) * perY
    var steps = abs(lastX - x) + abs(lastY - y)
    let (items, starts) = (grid.items.span, grid.starts.span)
    while true {
      let cell = y &* grid.columns &+ x
      for k in Int(starts[cell])..<Int(starts[cell &+ 1]) where !visit(Int(items[k])) { return }
      guard steps > 0 else { return }
      steps -= 1
      // With no step left in one direction it is the other's turn, whatever rounding says.
      if y == lastY || (x != lastX && nextX < nextY) {
        x += stepX
        nextX += strideX
      } else {
        y += stepY
        nextY += strideY
      }
    }
  }

  /// The shares of a way between which one coordinate lies in `low` … `high`; `per` is 1 by how much it changes on the way.
  private static func clip(_ start: Double, _ per: Double, _ low: Double, _ high: Double) -> (Double, Double) {
    guard per.isFinite else { return start >= low && start <= high ? (0, 1) : (1, 0) }
    let (a, b) = ((low - start) * per, (high - start) * per)
    return a < b ? (a, b) : (b, a)
  }
}

/// Where on its way a ray crosses a wall, 0 … 1 without the ends; `nil` where it does not.
@inline(__always)
func crossing(of wall: OcclusionIndex.Wall, from start: Vector2, along way: Vector2) -> Double? {
  let (a, b) = (wall.start - start, wall.end - start)
  let (sideA, sideB) = (way.cross(a), way.cross(b))
  guard (sideA > 0) != (sideB > 0) else { return nil }
  // Both are measured in the same areas, so their ratio is the share.
  let share = a.cross(b) / (sideB - sideA)
  return share > 0 && share < 1 ? share : nil
}

/// A ray from one point of the eye, at an upright line of eight steps.
struct Ray {
  let start: Vector2
  /// Of the eye over the ground.
  let height: Double
  let skipped: (FewBuildings, FewBuildings)
  private var way = Vector2.zero
  private var lowest = 0.0
  private var step = 0.0

  init(from start: Vector2, height: Double, skipped: (FewBuildings, FewBuildings)) {
    self.start = start
    self.height = height
    self.skipped = skipped
  }

  mutating func aim(at end: Vector2, bottom: Double, top: Double) {
    way = end - start
    step = (top - bottom) / 8
    lowest = bottom + step / 2 - height
  }

  @inline(__always)
  func isSkipped(_ building: Int32) -> Bool { skipped.0.contains(building) || skipped.1.contains(building) }

  /// The steps that a wall hides, a bit each.
  @inline(__always)
  func meet(_ wall: OcclusionIndex.Wall) -> UInt8 {
    guard let share = crossing(of: wall, from: start, along: way), !isSkipped(wall.building) else { return 0 }
    return steps(hiddenBy: wall, at: share)
  }

  private func steps(hiddenBy wall: OcclusionIndex.Wall, at share: Double) -> UInt8 {
    let (base, roof) = (wall.base - height, wall.roof - height)
    let (bottom, top) = (lowest * share, (lowest + 7 * step) * share)
    if top < roof, bottom > base { return 0xFF }
    if bottom >= roof || top <= base { return 0 }
    var bits: UInt8 = 0
    for k in 0..<8 {
      let up = (lowest + Double(k) * step) * share
      if up < roof, up > base { bits |= 1 << UInt8(truncatingIfNeeded: k) }
    }
    return bits
  }
}

extension Double {
  /// What is after the point, of a number that is not below 0.
  fileprivate var fraction: Double { self - rounded(.down) }
}
