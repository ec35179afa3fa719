import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@Suite struct RadarTests {
  /// One cell is 100 m; the radar reaches 310 m, so `F` (424 m) is out and `E` (300 m) in.
  static let map = """
    . . . E . . .
    . . . . . . .
    . . . A . . .
    . . . @ . B .
    . . C . . . .
    . . . . D . .
    F . . . . . .
    """

  private func stage(range: Double = 310) -> (AsciiMap, Stage) {
    let map = AsciiMap(Self.map, cell: 100)
    var stage = Stage(map.features)
    var world = stage.scene.world
    world.radarRange = range
    stage.scene.setWorld(world)
    return (map, stage)
  }

  /// Held up, what is ahead is on top, in every screen rotation; the sky's side of the display is on top when rolled.
  @Test(
    arguments: [
      (0.0, 0.0, 0), (0, 30, 0), (0, 90, 90), (0, -90, 270), (0, 180, 180),
    ] as [(Double, Double, Int32)]
  )
  func `north is up when looking north`(pitch: Double, roll: Double, screenAngle: Int32) {
    var (map, stage) = stage()
    stage.phone.display = Display(width: 400, height: 400, screenAngleDegrees: screenAngle)
    stage.look(heading: 0, pitch: pitch, roll: roll == 30 ? 0 : roll)
    #expect(
      map.draw(stage.frame.radar, radius: 3) == """
        . . . E . . .
        . . . . . . .
        . . . A . . .
        . . . @ . B .
        . . C . . . .
        . . . . D . .
        . . . . . . .
        """
    )
    #expect(stage.frame.radar.attitude == .upright)
    #expect(isNear(stage.frame.radar.north.radians, 0, within: 1e-9))
    #expect(isNear(stage.frame.radar.wedgeDirection.radians, 0, within: 1e-9))
  }

  @Test func `looking east turns the map by a quarter`() {
    var (map, stage) = stage()
    stage.look(heading: 90, pitch: -20)
    #expect(
      map.draw(stage.frame.radar, radius: 3) == """
        . . . . . . .
        . . . B . . .
        . . . . . D .
        E . A @ . . .
        . . . . C . .
        . . . . . . .
        . . . . . . .
        """
    )
    #expect(isNear(stage.frame.radar.north.degrees, -90, within: 1e-9))
  }

  /// In a phone rolled by 90° against a display that did not turn, the sky is at the display's right side.
  @Test func `a rolled display has ahead where the sky is`() {
    var (map, stage) = stage()
    stage.look(heading: 0, roll: 90)
    #expect(
      map.draw(stage.frame.radar, radius: 3) == """
        . . . . . . .
        . . . . . . .
        . . C . . . .
        . . . @ A . E
        . D . . . . .
        . . . B . . .
        . . . . . . .
        """
    )
    #expect(isNear(stage.frame.radar.wedgeDirection.degrees, 90, within: 1e-9))
    #expect(isNear(stage.frame.radar.north.degrees, 90, within: 1e-9))
  }

  @Test func `lying on the table the disc is a compass`() {
    var (map, stage) = stage()
    stage.look(heading: 180, pitch: -90)
    #expect(stage.frame.radar.attitude == .flat)
    #expect(stage.frame.radar.wedgeLength == 0)
    #expect(abs(abs(stage.frame.radar.north.degrees) - 180) < 1e-6)
    #expect(
      map.draw(stage.frame.radar, radius: 3) == """
        . . . . . . .
        . . D . . . .
        . . . . C . .
        . B . @ . . .
        . . . A . . .
        . . . . . . .
        . . . E . . .
        """
    )
    // The display may be turned on the table too: top is then the display's top, not the device's.
    stage.phone.display.screenAngleDegrees = 90
    stage.look(heading: 90, pitch: -90)
    #expect(
      isNear(stage.frame.radar.north.degrees, -180, within: 1e-6)
        || isNear(stage.frame.radar.north.degrees, 180, within: 1e-6)
    )
  }

  @Test func `overhead there are no blips`() {
    var (_, stage) = stage()
    stage.look(pitch: 85)
    #expect(stage.frame.radar.attitude == .upsideDown)
    #expect(stage.frame.radar.blips.isEmpty)
    #expect(stage.frame.radar.wedgeLength == 0)
  }

  /// Flat from 15° off the vertical, upright again only from 20°.
  @Test(arguments: [-1.0, 1])
  func `flat has hysteresis`(sign: Double) {
    var (_, stage) = stage()
    let flat: RadarAttitude = sign < 0 ? .flat : .upsideDown
    let steps: [(Double, RadarAttitude)] = [
      (60, .upright), (74.9, .upright), (75.1, flat), (80, flat), (74, flat), (70.1, flat), (69.9, .upright),
      (74.9, .upright),
    ]
    for (pitch, expected) in steps {
      stage.look(heading: 33, pitch: sign * pitch)
      #expect(stage.frame.radar.attitude == expected, "pitch \(pitch)")
    }
  }

  @Test func `tilting to flat does not turn the map`() {
    var (_, stage) = stage()
    stage.look(heading: 123, pitch: 74)
    let north = stage.frame.radar.north
    stage.look(heading: 123, pitch: 76)
    #expect(stage.frame.radar.attitude == .upsideDown)
    #expect(isNear(stage.frame.radar.north.radians, north.radians, within: 1e-9))
    stage.look()
    stage.look(heading: 123, pitch: -74)
    let upright = stage.frame.radar
    stage.look(heading: 123, pitch: -76)
    #expect(stage.frame.radar.attitude == .flat)
    #expect(isNear(stage.frame.radar.north.radians, upright.north.radians, within: 1e-9))
    for (a, b) in zip(upright.blips, stage.frame.radar.blips) {
      #expect((a.position - b.position).length < 1e-9)
    }
  }

  /// Full at the horizon, 79.6 % at 30°, 24.0 % at 60°, nothing from 70°; up and down alike, however rolled.
  @Test(arguments: [(0.0, 1.0), (30, 0.796), (60, 0.240), (70, 0), (80, 0)])
  func `the wedge shortens with the pitch`(pitch: Double, length: Double) {
    for (sign, roll) in [(1.0, 0.0), (-1, 0), (1, 57)] {
      var (_, stage) = stage()
      stage.look(heading: 200, pitch: sign * pitch, roll: roll)
      #expect(isNear(stage.frame.radar.wedgeLength, length, within: 0.0005))
    }
  }

  @Test func `the wedge opens as far as the display shows`() {
    var (_, stage) = stage()
    stage.look()
    #expect(stage.frame.radar.wedgeOpening == stage.frame.horizontalFieldOfView)
    stage.look(roll: 90)
    #expect(
      isNear(stage.frame.radar.wedgeOpening.radians, stage.frame.verticalFieldOfView.radians, within: 1e-9)
    )
    // Two features at the wedge's edges are at the display's edges.
    let half = stage.frame.horizontalFieldOfView.radians / 2
    var edges = Stage([
      dot(feature(east: 100 * sin(half * 0.999), north: 100 * cos(half * 0.999))),
      dot(feature(east: 100 * sin(half * 1.001), north: 100 * cos(half * 1.001))),
    ])
    edges.look()
    #expect(edges.frame.items.map(\.feature) == [0])
  }

  @Test func `the range counts inclusively and showInRadar is honoured`() throws {
    var hidden = SceneFeature(latitudeDegrees: 48.4, longitudeDegrees: 10)
    hidden.showInRadar = false
    var stage = Stage([SceneFeature(latitudeDegrees: 48.4, longitudeDegrees: 10), hidden])
    stage.look()
    let distance = try #require(stage.frame.arrows.first).nearestDistance
    var world = stage.scene.world
    world.radarRange = distance
    stage.scene.setWorld(world)
    stage.look()
    #expect(stage.frame.radar.blips.map(\.feature) == [0])
    let blip = try #require(stage.frame.radar.blips.first)
    #expect(isNear(blip.position.length, 1, within: 1e-12))
    world.radarRange = distance.nextDown
    stage.scene.setWorld(world)
    stage.look()
    #expect(stage.frame.radar.blips.isEmpty)
  }

  @Test(arguments: [0.0, -5, .nan, .infinity])
  func `without a range of its own the radar shows the user's radius`(range: Double) {
    var (_, stage) = stage(range: range)
    for radius in [1000.0, 350] {
      stage.scene.setRadius(radius)
      stage.look()
      #expect(stage.frame.radar.range == radius)
      #expect(stage.frame.radar.blips.count == stage.frame.candidateCount)
      for blip in stage.frame.radar.blips { #expect(hypot(blip.position.x, blip.position.y) <= 1) }
    }
    #expect(stage.frame.radar.blips.count < 6)
  }

  /// Directly below the feet the horizontal part of the straight line is 0, but the distance is half the Earth.
  @Test func `the other side of the planet is far away`() {
    let antipode = SceneFeature(latitudeDegrees: -48.3984, longitudeDegrees: 9.9915 - 180)
    let nearAntipode = SceneFeature(latitudeDegrees: -48.4, longitudeDegrees: -170)
    var stage = Stage([antipode, nearAntipode], radius: 1_000_000)
    stage.look()
    #expect(stage.frame.candidateCount == 0)
    #expect(stage.frame.radar.blips.isEmpty)
    stage.scene.setRadius(.infinity)
    stage.look()
    #expect(stage.frame.candidateCount == 2)
    #expect(stage.frame.radar.blips.isEmpty)
  }

  @Test func `offsets move blips, altitudes do not`() throws {
    var high = feature(datum: .ellipsoid)
    high.altitude = 5000
    high.offset = Vector3(30, 40, 9000)
    var stage = Stage([high], radius: 100)
    stage.look()
    let blip = try #require(stage.frame.radar.blips.first)
    // 50 m on the ellipsoid are 50 m on the index's sphere within 0.56 %, and 5 km up stretch offsets by 0.08 %.
    #expect(isNear(blip.position.x, 0.3, within: 0.003))
    #expect(isNear(blip.position.y, -0.4, within: 0.003))
  }

  @Test func `the selection is marked and blips are nearest first`() {
    var (map, stage) = stage(range: 1000)
    stage.scene.select(2)
    stage.look(heading: 45)
    #expect(stage.frame.radar.blips.map { map.letters[Int($0.feature)] } == ["A", "C", "B", "D", "E", "F"])
    #expect(stage.frame.radar.blips.filter(\.isSelected).map(\.feature) == [2])
  }

  @Test func `walking and turning always show fresh blips`() {
    var (map, stage) = stage()
    stage.look()
    stage.scene.setEye(EastNorthUpFrame(origin: ulm).geodetic(Vector3(0, 200, 0)), datum: .ellipsoid)
    stage.look()
    #expect(
      map.draw(stage.frame.radar, radius: 3) == """
        . . . . . . .
        . . . . . . .
        . . . E . . .
        . . . @ . . .
        . . . A . . .
        . . . . . B .
        . . . . . . .
        """
    )
  }
}
