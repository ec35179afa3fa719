import SightlineCamera
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@Suite struct EdgeArrowTests {
  /// A feature in a direction, 100 m away.
  private func toward(_ azimuth: Double, _ elevation: Double, _ distance: Double = 100) -> SceneFeature {
    let (a, e) = (azimuth * pi / 180, elevation * pi / 180)
    return dot(
      feature(east: distance * cos(e) * sin(a), north: distance * cos(e) * cos(a), up: distance * sin(e))
    )
  }

  /// The display as text, one cell per 40 points, with an arrow per side; `*` is that of the selection.
  private func draw(_ frame: SceneFrame) -> String {
    let (columns, rows) = (Int(frame.width / 40), Int(frame.height / 40))
    var grid = [[Character]](repeating: [Character](repeating: ".", count: columns), count: rows)
    for arrow in frame.arrows {
      let (column, row) = (Int(arrow.position.x / 40), Int(arrow.position.y / 40))
      guard grid.indices.contains(row), grid[0].indices.contains(column) else { continue }
      grid[row][column] = arrow.isForSelection ? "*" : Array("<>^v")[Int(arrow.side.rawValue)]
    }
    return text(grid)
  }

  @Test(arguments: [
    // A level phone looking north: 34° wide, 50° high.
    (0.0, 40.0, 0.0, EdgeSide.right), (0, -40, 0, .left), (0, 179, 0, .right), (0, -179, 0, .left),
    (0, 179, 30, .right), (0, 0, 40, .above), (0, 10, -50, .below), (0, 5, 85, .above), (0, 180, 80, .above),
    (0, 120, -75, .below), (0, 25, 45, .right),
    // Looking up at 60°: the horizon ahead is below, behind one turns round.
    (60, 0, 0, .below), (60, 170, 0, .right), (60, -170, 10, .left), (60, 3, 89, .above), (60, 90, 0, .right),
    // Looking straight down: what lies ahead of the top edge is above.
    (-90, 0, 0, .above), (-90, 40, 0, .above), (-90, 60, 0, .right), (-90, -100, 0, .left), (-90, 180, -20, .left),
  ])
  func `each direction has its side`(pitch: Double, azimuth: Double, elevation: Double, side: EdgeSide) throws {
    // A hair off due south, so that the shorter way is defined.
    var stage = Stage([toward(azimuth == 180 && pitch < 0 ? 180.1 : azimuth, elevation)])
    stage.look(pitch: 0)
    stage.look(pitch: pitch)
    #expect(stage.frame.items.isEmpty)
    let arrow = try #require(stage.frame.arrows.first)
    #expect(arrow.side == side)
  }

  @Test func `a level phone shows its four arrows`() {
    var stage = Stage([
      toward(90, 0), toward(-90, 0), toward(-60, 0, 50), toward(0, 60), toward(0, -60), toward(0, 0), toward(150, 0),
      toward(-170, 0),
    ])
    stage.look()
    #expect(
      draw(stage.frame) == """
        . . . . ^ . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        < . . . . . . >
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . v . . .
        """
    )
    #expect(stage.frame.arrows.map(\.side) == [.left, .right, .above, .below])
    #expect(stage.frame.arrows.map(\.count) == [3, 2, 1, 1])
    #expect(stage.frame.arrows.map(\.nearest) == [2, 0, 3, 4])
    #expect(isNear(stage.frame.arrows[0].nearestDistance, 50, within: 0.3))
    for (arrow, degrees) in zip(stage.frame.arrows, [-90.0, 90, 0, 180]) {
      #expect(isNear(wrapToPi(arrow.direction.radians - degrees * pi / 180), 0, within: 1e-9))
    }
    #expect(stage.frame.items.map(\.feature) == [5])
  }

  /// Sides are the world's: with the phone rolled, "left" is wherever the horizon runs out of the display.
  @Test func `a rolled phone shows them where the world has them`() {
    var stage = Stage([toward(90, 0), toward(-90, 0), toward(0, 75), toward(0, -75)])
    stage.look(roll: 90)
    #expect(
      draw(stage.frame) == """
        . . . . < . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        v . . . . . . ^
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . > . . .
        """
    )
    stage.look(roll: 45)
    #expect(
      draw(stage.frame) == """
        . . . . . . . .
        . . . . . . . .
        < . . . . . . ^
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        v . . . . . . >
        . . . . . . . .
        . . . . . . . .
        """
    )
    // And in a display that turned along, all is as in a level phone.
    stage.phone.display = Display(width: 480, height: 320, screenAngleDegrees: 90)
    stage.phone.picture.rotationDegrees = 270
    stage.look(roll: 90)
    #expect(stage.frame.arrows.map(\.side) == [.left, .right, .above, .below])
    #expect(isNear(stage.frame.arrows[0].position.x, 32, within: 1e-9))
    #expect(isNear(stage.frame.arrows[0].position.y, 160, within: 1e-9))
  }

  @Test(arguments: [0.0, 60, -90, 120, 180], [0.0, 90, 200])
  func `sides do not depend on the roll`(roll: Double, heading: Double) {
    let around = [70.0, 100, -70, -100, -120].map { toward(heading + $0, 0) }
    var stage = Stage(around)
    stage.look(heading: heading, roll: roll)
    #expect(stage.frame.arrows.map(\.side) == [.left, .right])
    #expect(stage.frame.arrows.map(\.count) == [3, 2])
  }

  @Test func `the selected feature has an arrow of its own and is in no group`() throws {
    var stage = Stage([toward(90, 0), toward(80, 0, 200), toward(100, 0, 300)])
    stage.scene.select(1)
    stage.look()
    #expect(stage.frame.arrows.map(\.count) == [2, 1])
    let arrow = try #require(stage.frame.arrows.last)
    #expect(arrow.isForSelection && arrow.nearest == 1 && arrow.side == .right)
    #expect(isNear(arrow.nearestDistance, 200, within: 1))
    // Beside the group's arrow, not on it.
    let gap = (arrow.position - stage.frame.arrows[0].position).length
    #expect(isNear(gap, stage.scene.parameters.arrowSpacing, within: 1e-9))
    // Alone it stands where the straight line to the feature leaves the display.
    stage = Stage([toward(30, 25)])
    stage.scene.select(0)
    stage.look()
    let alone = try #require(stage.frame.arrows.first)
    let target = try #require(stage.phone.point(azimuth: 30, elevation: 25))
    let expected = atan2(target.x - 160, 240 - target.y)
    #expect(isNear(alone.direction.radians, expected, within: 1e-9))
    #expect(isNear(atan2(alone.position.x - 160, 240 - alone.position.y), expected, within: 1e-9))
    // In view it has none.
    stage.look(heading: 30, pitch: 25)
    #expect(stage.frame.arrows.isEmpty)
    #expect(stage.frame.items.map(\.isSelected) == [true])
  }

  @Test func `the selection's arrow does not flutter when its feature is right behind`() {
    var stage = Stage([toward(0, 0)])
    stage.scene.select(0)
    let steps: [(Double, EdgeSide)] = [
      (170, .left), (179, .left), (181, .left), (178, .left), (189, .left), (191, .right), (179, .right), (169, .left),
    ]
    for (heading, side) in steps {
      stage.look(heading: heading)
      #expect(stage.frame.arrows.map(\.side) == [side], "heading \(heading)")
    }
  }

  @Test func `arrows stay on the display, in every pose`() {
    var random = SplitMix64(seed: 3)
    var features: [SceneFeature] = []
    for _ in 0..<40 {
      features.append(toward(.random(in: -180...180, using: &random), .random(in: -90...90, using: &random)))
    }
    var stage = Stage(features)
    stage.scene.select(11)
    for _ in 0..<300 {
      stage.look(
        heading: .random(in: -180...180, using: &random),
        pitch: .random(in: -90...90, using: &random),
        roll: .random(in: -180...180, using: &random)
      )
      for arrow in stage.frame.arrows {
        #expect(arrow.position.x >= 32 - 1e-9 && arrow.position.x <= 320 - 32 + 1e-9)
        #expect(arrow.position.y >= 32 - 1e-9 && arrow.position.y <= 480 - 32 + 1e-9)
      }
      #expect(stage.frame.arrows.count <= 5)
    }
  }
}
