import SightlineInput
import SightlineMath

/// Boxes in the plane, sorted into square cells so that an overlap test looks only at boxes nearby.
///
/// The cells cover the screen; what lies outside belongs to the cells of the border, which keeps every answer exact,
/// only slower there. Storage is kept from frame to frame: after the first frames of a size nothing is allocated.
struct OccupancyGrid: Sendable {
  private struct Box {
    var x: Double
    var y: Double
    var halfWidth: Double
    var halfHeight: Double
    var tremble: Double
    var owner: Int32
    var isActive: Bool
  }
  /// One box in one cell; lists of them hang on `heads`.
  private struct Link {
    var box: Int32
    var next: Int32
  }
  private struct CellRange {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>
  }

  /// A rectangle of the screen that nothing may cover, as it is on the screen and as the levelled box around it.
  private struct Obstacle {
    var onScreen: Vector2
    var half: Vector2
    var levelled: Vector2
    var levelledHalf: Vector2
  }

  private var bounds = LabelBounds(width: 0, height: 0)
  private var obstacles: [Obstacle] = []
  private var boxes: [Box] = []
  private var links: [Link] = []
  private var heads: [Int32] = []
  private var columns = 1
  private var rows = 1
  private var origin = Vector2.zero
  private var cell = 64.0
  /// The largest ``Box/tremble`` so far.
  private var largestTremble = 0.0

  /// Number of boxes put in since ``reset(bounds:)``.
  var count: Int32 { Int32(boxes.count) }

  /// Owner of what is no box, but lies over the screen.
  static let obstacleOwner = Int32.min
  /// How much boxes move against what lies over the screen as the hand trembles.
  private static let obstacleTremble = 8.0

  /// Takes all boxes out and covers a screen; what lies over it stays.
  mutating func reset(bounds: LabelBounds) {
    self.bounds = bounds
    boxes.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
    largestTremble = 0
    let half = bounds.halfExtent(width: bounds.width, height: bounds.height)
    origin = bounds.center - half
    // 64 points is about half a label; at most 64 cells a side, however large the screen.
    let longest = max(half.x, half.y) * 2
    cell = max(64, longest / 64)
    columns = cellCount(half.x * 2)
    rows = cellCount(half.y * 2)
    if heads.count == columns * rows {
      for index in heads.indices { heads[index] = -1 }
    } else {
      heads.removeAll(keepingCapacity: true)
      for _ in 0..<(columns * rows) { heads.append(-1) }
    }
  }

  /// Replaces what lies over the screen; to be called after ``reset(bounds:)``.
  mutating func setObstacles(_ rectangles: [ScreenRectangle]) {
    obstacles.removeAll(keepingCapacity: true)
    for box in rectangles {
      obstacles.append(
        Obstacle(
          onScreen: box.center,
          half: Vector2(box.width / 2, box.height / 2),
          levelled: bounds.levelled(fromScreen: box.center),
          levelledHalf: bounds.halfExtent(width: box.width, height: box.height)
        )
      )
    }
  }

  /// Whether a box, with `clearance` around it, covers nothing that lies over the screen.
  func isClear(center: Vector2, width: Double, height: Double, clearance: Double) -> Bool {
    !visitObstacles(center: center, width: width, height: height, clearance: clearance, tremble: nil) { _, _ in true }
  }

  private func cellCount(_ length: Double) -> Int { Int(clamped: (length / cell).rounded(.up)).clamped(to: 1...65) }

  /// Cells a box reaches into.
  private func cells(_ center: Vector2, _ halfWidth: Double, _ halfHeight: Double) -> CellRange {
    let x = center.x - origin.x
    let y = center.y - origin.y
    let left = Int(clamped: (x - halfWidth) / cell).clamped(to: 0...columns - 1)
    let right = Int(clamped: (x + halfWidth) / cell).clamped(to: left...columns - 1)
    let top = Int(clamped: (y - halfHeight) / cell).clamped(to: 0...rows - 1)
    let bottom = Int(clamped: (y + halfHeight) / cell).clamped(to: top...rows - 1)
    return CellRange(columns: left...right, rows: top...bottom)
  }

  /// Puts a box in and returns its number.
  ///
  /// A box that the screen's edge holds back moves against the others as the hand trembles; `tremble` is by how much.
  @discardableResult
  mutating func insert(center: Vector2, width: Double, height: Double, owner: Int32, tremble: Double = 0) -> Int32 {
    let number = count
    largestTremble = max(largestTremble, tremble)
    boxes.append(
      Box(
        x: center.x,
        y: center.y,
        halfWidth: width / 2,
        halfHeight: height / 2,
        tremble: tremble,
        owner: owner,
        isActive: true
      )
    )
    let range = cells(center, width / 2, height / 2)
    for row in range.rows {
      for column in range.columns {
        let index = row * columns + column
        links.append(Link(box: number, next: heads[index]))
        heads[index] = Int32(links.count - 1)
      }
    }
    return number
  }

  /// Puts a box of no owner in, if it overlaps none; false when it does.
  mutating func insertIfFree(center: Vector2, width: Double, height: Double) -> Bool {
    guard isFree(center: center, width: width, height: height, clearance: 0) else { return false }
    insert(center: center, width: width, height: height, owner: -1)
    return true
  }

  /// Takes out the boxes put in last, until `count` are left.
  mutating func rollBack(to count: Int32) {
    while self.count > count {
      let box = boxes.removeLast()
      let range = cells(Vector2(box.x, box.y), box.halfWidth, box.halfHeight)
      for row in range.rows.reversed() {
        for column in range.columns.reversed() {
          heads[row * columns + column] = links.removeLast().next
        }
      }
    }
  }

  /// Lets a box count or not; what does not count is never reported.
  mutating func setActive(_ number: Int32, _ isActive: Bool) {
    if number >= 0 { boxes[Int(number)].isActive = isActive }
  }

  /// Whether a box, with `clearance` around it, overlaps none.
  ///
  /// With `tremble`, the room is wider by that or by the other box's, whichever is larger; without, trembling plays no
  /// part.
  func isFree(
    center: Vector2,
    width: Double,
    height: Double,
    clearance: Double,
    tremble: Double? = nil,
    obstaclesCount: Bool = true
  ) -> Bool {
    !visit(center: center, width: width, height: height, clearance: clearance, tremble: tremble) { box, _ in
      obstaclesCount || box.owner != Self.obstacleOwner
    }
  }

  /// The edge to pass to get clear of all boxes overlapped now: the highest top when going up, the lowest bottom when
  /// going down; `nil` when nothing is overlapped.
  func edgeToPass(
    center: Vector2,
    width: Double,
    height: Double,
    clearance: Double,
    tremble: Double?,
    upwards: Bool,
    boxesCount: Bool = true
  ) -> Double? {
    var edge: Double?
    visit(center: center, width: width, height: height, clearance: clearance, tremble: tremble) { box, more in
      guard boxesCount || box.owner == Self.obstacleOwner else { return false }
      let candidate = upwards ? box.y - box.halfHeight - more : box.y + box.halfHeight + more
      if let known = edge {
        edge = upwards ? min(known, candidate) : max(known, candidate)
      } else {
        edge = candidate
      }
      return false
    }
    return edge
  }

  /// Appends the owners of all boxes overlapped; one that reaches into several cells may be named more than once.
  func owners(
    center: Vector2,
    width: Double,
    height: Double,
    clearance: Double,
    into owners: inout [Int32]
  ) {
    visit(center: center, width: width, height: height, clearance: clearance, tremble: nil) { box, _ in
      owners.append(box.owner)
      return false
    }
  }

  /// Calls `body` with each box overlapped until it returns true; returns whether it did.
  @discardableResult
  @inline(__always)
  private func visit(
    center: Vector2,
    width: Double,
    height: Double,
    clearance: Double,
    tremble: Double?,
    body: (Box, Double) -> Bool
  ) -> Bool {
    let reachX = width / 2 + clearance
    let reachY = height / 2 + clearance
    let most = tremble.map { max($0, largestTremble) } ?? 0
    let range = cells(center, reachX + most, reachY + most)
    for row in range.rows {
      for column in range.columns {
        var link = heads[row * columns + column]
        while link >= 0 {
          let entry = links[Int(link)]
          let box = boxes[Int(entry.box)]
          let more = tremble.map { max($0, box.tremble) } ?? 0
          if abs(box.x - center.x) < box.halfWidth + reachX + more,
            abs(box.y - center.y) < box.halfHeight + reachY + more, box.isActive, body(box, more)
          {
            return true
          }
          link = entry.next
        }
      }
    }
    guard !obstacles.isEmpty else { return false }
    return visitObstacles(
      center: center,
      width: width,
      height: height,
      clearance: clearance,
      tremble: tremble,
      body: body
    )
  }

  /// As ``visit(center:width:height:clearance:tremble:body:)`` with what lies over the screen.
  ///
  /// Both are rectangles, turned against each other by the roll: they are apart when the axes of one part them.
  private func visitObstacles(
    center: Vector2,
    width: Double,
    height: Double,
    clearance: Double,
    tremble: Double?,
    body: (Box, Double) -> Bool
  ) -> Bool {
    guard !obstacles.isEmpty else { return false }
    let more = tremble.map { max($0, Self.obstacleTremble) } ?? 0
    let reach = Vector2(width / 2 + clearance + more, height / 2 + clearance + more)
    let onScreen = bounds.screen(fromLevelled: center)
    let half = bounds.halfExtent(width: 2 * reach.x, height: 2 * reach.y)
    for obstacle in obstacles {
      guard abs(onScreen.x - obstacle.onScreen.x) < half.x + obstacle.half.x,
        abs(onScreen.y - obstacle.onScreen.y) < half.y + obstacle.half.y,
        abs(center.x - obstacle.levelled.x) < reach.x + obstacle.levelledHalf.x,
        abs(center.y - obstacle.levelled.y) < reach.y + obstacle.levelledHalf.y
      else { continue }
      let box = Box(
        x: obstacle.levelled.x,
        y: obstacle.levelled.y,
        halfWidth: obstacle.levelledHalf.x,
        halfHeight: obstacle.levelledHalf.y,
        tremble: 0,
        owner: Self.obstacleOwner,
        isActive: true
      )
      if body(box, more) { return true }
    }
    return false
  }
}
