import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct SceneProjectionTests {
  /// The worked example of the iPhone 3GS: (10, 100, 20) m east, north, up is at (211.62, 136.76).
  @Test func `a known offset lands on the known pixel`() throws {
    var stage = Stage([feature(east: 10, north: 100, up: 20)])
    stage.look()
    let item = try #require(stage.item(0))
    #expect(isNear(item.anchor.x, 160 + 516.20 * 10 / 100, within: 0.005))
    #expect(isNear(item.anchor.y, 240 - 516.20 * 20 / 100, within: 0.005))
    #expect(isNear(item.depth, 100, within: 1e-6))
  }

  /// Eyes anywhere, phones held anyhow, in every screen rotation.
  @Test(arguments: [0, 90, 180, 270] as [Int32])
  func `every anchor is where trigonometry says`(screenAngle: Int32) throws {
    var random = SplitMix64(seed: 20_261_121 + UInt64(screenAngle))
    var seen = 0
    for _ in 0..<400 {
      let eye = Geodetic(
        latitudeDegrees: .random(in: -89...89, using: &random),
        longitudeDegrees: .random(in: -180...180, using: &random),
        altitude: .random(in: -100...4000, using: &random)
      )
      let place = Geodetic(
        latitudeDegrees: eye.latitudeDegrees + .random(in: -0.05...0.05, using: &random),
        longitudeDegrees: eye.longitudeDegrees + .random(in: -0.05...0.05, using: &random),
        altitude: eye.altitude + .random(in: -500...500, using: &random)
      )
      var subject = SceneFeature(latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
      subject.altitude = place.altitude
      var stage = Stage([dot(subject)], eye: eye)
      let (azimuth, elevation, range) = direction(from: eye, to: place)
      guard range > 1 else { continue }
      stage.phone.display = Display(
        width: screenAngle % 180 == 0 ? 320 : 480,
        height: screenAngle % 180 == 0 ? 480 : 320,
        screenAngleDegrees: screenAngle
      )
      if screenAngle % 180 != 0 {
        stage.phone.picture.intrinsics = Intrinsics(
          width: 358,
          height: 269,
          focalX: 385,
          focalY: 385,
          centerX: 178.5,
          centerY: 134
        )
      }
      stage.look(
        heading: azimuth + .random(in: -30...30, using: &random),
        pitch: max(-80, min(80, elevation + .random(in: -30...30, using: &random))),
        roll: Double(screenAngle) + .random(in: -40...40, using: &random)
      )
      guard let expected = stage.phone.point(azimuth: azimuth, elevation: elevation) else { continue }
      let inside =
        expected.x > 0 && expected.y > 0 && expected.x < stage.phone.display.width
        && expected.y < stage.phone.display.height
      guard inside else {
        #expect(stage.frame.items.isEmpty)
        #expect(stage.frame.arrows.count == 1)
        continue
      }
      seen += 1
      let item = try #require(stage.item(0))
      // Error budget: the ellipsoid's constants in the prediction are cut after 12 digits.
      #expect(isNear(item.anchor.x, expected.x, within: 1e-4))
      #expect(isNear(item.anchor.y, expected.y, within: 1e-4))
    }
    #expect(seen > 100)
  }

  /// Across the date line, at both poles, and at the antimeridian's own longitude.
  @Test(arguments: [
    (0.0, 179.999, 0.0, -179.999), (52.0, -179.99, 52.001, 179.99), (90.0, 0.0, 89.99, 137.0),
    (-90.0, 25.0, -89.99, -60.0), (89.999, 10.0, 89.999, -170.0), (0.0, 180.0, 0.001, -180.0),
  ])
  func `worlds at the date line and the poles are whole`(
    eyeLatitude: Double,
    eyeLongitude: Double,
    latitude: Double,
    longitude: Double
  ) throws {
    let eye = Geodetic(latitudeDegrees: eyeLatitude, longitudeDegrees: eyeLongitude, altitude: 12)
    let place = Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude, altitude: 40)
    var subject = SceneFeature(latitudeDegrees: latitude, longitudeDegrees: longitude)
    subject.altitude = 40
    var stage = Stage([dot(subject)], eye: eye)
    let (azimuth, elevation, _) = direction(from: eye, to: place)
    stage.look(heading: azimuth + 5, pitch: 2)
    let expected = try #require(stage.phone.point(azimuth: azimuth, elevation: elevation))
    let item = try #require(stage.item(0))
    #expect(isNear(item.anchor.x, expected.x, within: 1e-4))
    #expect(isNear(item.anchor.y, expected.y, within: 1e-4))
    #expect(isNear(item.distance, greatCircleDistance(from: eye, to: place), within: 1e-6))
    #expect(stage.frame.radar.blips.count == 1)
  }

  @Test func `orientation is exact far from the world's origin`() throws {
    let place = Geodetic(latitudeDegrees: 48.47, longitudeDegrees: 10.09, altitude: 700)
    var subject = SceneFeature(latitudeDegrees: 48.47, longitudeDegrees: 10.09)
    subject.altitude = 700
    var stage = Stage([dot(subject)])
    let eye = Geodetic(latitudeDegrees: 48.46, longitudeDegrees: 10.08, altitude: 500)
    stage.scene.setEye(eye, datum: .ellipsoid)
    #expect(stage.scene.origin == ulm)
    let (azimuth, elevation, _) = direction(from: eye, to: place)
    stage.look(heading: azimuth - 8, pitch: 3, roll: 10)
    let expected = try #require(stage.phone.point(azimuth: azimuth, elevation: elevation))
    let item = try #require(stage.item(0))
    #expect(isNear(item.anchor.x, expected.x, within: 1e-4))
    #expect(isNear(item.anchor.y, expected.y, within: 1e-4))
  }

  // MARK: Heights

  @Test func `a feature relative to the eye follows it up and down`() throws {
    var stage = Stage([dot(feature(north: 200, up: 10))])
    stage.look()
    let before = try #require(stage.item(0)).anchor
    var higher = ulm
    higher.altitude += 1234
    stage.scene.setEye(higher, datum: .ellipsoid)
    stage.look()
    let after = try #require(stage.item(0)).anchor
    #expect(isNear(after.x, before.x, within: 1e-6))
    #expect(isNear(after.y, before.y, within: 1e-6))
  }

  @Test func `an absolute altitude stays while the eye climbs`() throws {
    var subject = dot(feature(north: 200, datum: .ellipsoid))
    subject.altitude = 480
    var stage = Stage([subject])
    var higher = ulm
    higher.altitude += 20
    stage.scene.setEye(higher, datum: .ellipsoid)
    stage.look()
    #expect(isNear(try #require(stage.item(0)).anchor.y, 240 + stage.phone.focal * 20 / 200, within: 0.02))
  }

  @Test func `without the eye's altitude absolute features stand at eye level`() throws {
    var absolute = dot(feature(north: 200, datum: .ellipsoid))
    absolute.altitude = 3000
    var lifted = absolute
    lifted.offset.z = 15
    let relative = dot(feature(north: 200, up: 30))
    var stage = Stage([absolute, lifted, relative], altitudeKnown: false)
    stage.look()
    #expect(isNear(try #require(stage.item(0)).anchor.y, 240, within: 1e-9))
    #expect(isNear(try #require(stage.item(1)).anchor.y, 240 - stage.phone.focal * 15 / 200, within: 0.03))
    #expect(isNear(try #require(stage.item(2)).anchor.y, 240 - stage.phone.focal * 30 / 200, within: 0.01))
  }

  // MARK: Boxes

  @Test func `a constant box keeps its size and a true-size box shrinks with distance`() throws {
    var constant = feature(east: -5, north: 50)
    constant.width = 20
    constant.height = 10
    var poster = feature(east: 5, north: 50)
    poster.sizeMode = .trueSize
    poster.width = 2
    poster.height = 1
    poster.pivot = Vector2(0.5, 0.5)
    var stage = Stage([constant, poster])
    for distance in [50.0, 100, 200] {
      constant.offset.y = distance
      poster.offset.y = distance
      var world = stage.scene.world
      world.features = [constant, poster]
      stage.scene.setWorld(world)
      stage.look()
      let a = try #require(stage.item(0))
      #expect(a.width == 20 && a.height == 10)
      let b = try #require(stage.item(1))
      #expect(isNear(b.width, stage.phone.focal * 2 / distance, within: 1e-6))
      #expect(isNear(b.height, stage.phone.focal * 1 / distance, within: 1e-6))
      #expect(isNear(b.center.x, b.anchor.x, within: 1e-9))
      #expect(isNear(b.center.y, b.anchor.y, within: 1e-9))
    }
  }

  @Test(arguments: [0.0, 30, -100, 180])
  func `a box stands upright in the world on its place`(roll: Double) throws {
    var subject = feature(north: 80)
    subject.sizeMode = .trueSize
    subject.width = 4
    subject.height = 2
    subject.pivot = Vector2(0.5, 1)
    var stage = Stage([subject])
    stage.look(roll: roll)
    let item = try #require(stage.item(0))
    // Bottom centre is the place: the centre is half a height towards the sky, which is `roll` clockwise of the top.
    let turn = roll * pi / 180
    #expect(isNear(item.center.x - item.anchor.x, item.height / 2 * sin(turn), within: 1e-9))
    #expect(isNear(item.center.y - item.anchor.y, -item.height / 2 * cos(turn), within: 1e-9))
    #expect(isNear(wrapToPi(stage.frame.roll.radians - turn), 0, within: 1e-9))
  }

  @Test func `a box that reaches into the screen is in view though its place is not`() throws {
    var sign = feature(east: 21, north: 50)
    sign.sizeMode = .trueSize
    sign.width = 20
    sign.height = 4
    var stage = Stage([sign])
    stage.look()
    let item = try #require(stage.item(0))
    #expect(item.anchor.x > 320)
    #expect(stage.frame.arrows.isEmpty)
    var world = stage.scene.world
    world.features[0].width = 2
    stage.scene.setWorld(world)
    stage.look()
    #expect(stage.frame.items.isEmpty)
    #expect(stage.frame.arrows.map(\.side) == [.right])
  }

  // MARK: Where nothing can be drawn

  @Test func `a feature at the observer is a candidate and nothing else`() {
    var stage = Stage([dot(feature())])
    stage.look()
    #expect(stage.frame.isValid)
    #expect(stage.frame.candidateCount == 1)
    #expect(stage.frame.items.isEmpty)
    #expect(stage.frame.arrows.isEmpty)
    #expect(stage.frame.radar.blips.map(\.position) == [.zero])
  }

  /// A wall beside one's shoulder, in front of the lens by less than the nearest depth.
  @Test func `nothing too near the lens is drawn`() {
    var wall = feature(east: 2, north: 0.4)
    wall.sizeMode = .trueSize
    wall.width = 10
    wall.height = 10
    var stage = Stage([wall])
    stage.look()
    #expect(stage.frame.items.isEmpty)
    #expect(stage.frame.arrows.map(\.side) == [.right])
    wall.offset.y = 0.6
    stage = Stage([wall])
    stage.look()
    #expect(stage.frame.items.count == 1)
  }

  @Test func `nothing behind the camera is drawn`() {
    var stage = Stage([dot(feature(north: -100)), dot(feature(east: 100)), dot(feature(east: -1e-9, north: -1))])
    stage.look()
    #expect(stage.frame.items.isEmpty)
    #expect(stage.frame.arrows.reduce(0) { $0 + $1.count } == 3)
  }

  @Test func `values that are not numbers show nothing and break nothing`() {
    var noLatitude = feature(north: 100)
    noLatitude.latitudeDegrees = .nan
    var noLongitude = feature(north: 100)
    noLongitude.longitudeDegrees = .infinity
    var beyondThePole = feature(north: 100)
    beyondThePole.latitudeDegrees = 90.5
    var hugeAltitude = feature(north: 100)
    hugeAltitude.altitude = 1e308
    var odd = feature(north: 100)
    odd.altitude = .nan
    odd.offset.x = .nan
    odd.width = -.infinity
    odd.height = .nan
    odd.pivot = Vector2(.nan, 0)
    odd.visibilityRadius = .nan
    odd.category = 200
    var stage = Stage([noLatitude, noLongitude, beyondThePole, hugeAltitude, odd])
    stage.look()
    // An altitude that cannot be is eye level, like one that is no number.
    #expect(stage.frame.items.map(\.feature) == [3, 4])
    #expect(stage.frame.items.allSatisfy { $0.center.x.isFinite && $0.center.y.isFinite })
    #expect(stage.item(4)?.width == 0)
    let good = stage.frame.items

    stage.scene.setEye(Geodetic(latitudeDegrees: .nan, longitudeDegrees: 0), datum: .ellipsoid)
    stage.scene.setEye(Geodetic(latitudeDegrees: 0, longitudeDegrees: .infinity), datum: .ellipsoid)
    stage.scene.setEye(Geodetic(latitudeDegrees: -91, longitudeDegrees: 0), datum: .ellipsoid)
    stage.scene.setRadius(.nan)
    stage.scene.setRadius(0)
    stage.scene.setRadius(-5)
    stage.scene.setLabelSize(feature: 4, width: .nan, height: 10)
    stage.scene.setLabelSize(feature: 4, width: -1, height: 10)
    stage.scene.setLabelSize(feature: 99, width: 10, height: 10)
    stage.scene.setLabelSize(feature: -1, width: 10, height: 10)
    stage.scene.toggleCluster(77)
    stage.look()
    #expect(stage.frame.items == good)

    for q in [Quaternion(w: .nan, x: 0, y: 0, z: 0), Quaternion(w: 0, x: 0, y: 0, z: 0)] {
      stage.scene.update(time: 9, eastNorthUpFromDevice: q, projection: stage.phone.projection, into: &stage.frame)
      #expect(!stage.frame.isValid)
      #expect(stage.frame.items.isEmpty && stage.frame.arrows.isEmpty && stage.frame.radar.blips.isEmpty)
    }
    stage.phone.display = Display(width: 0, height: .nan)
    stage.update()
    #expect(!stage.frame.isValid)
  }

  @Test func `an empty world and a missing eye give empty frames`() {
    var stage = Stage([])
    stage.look()
    #expect(stage.frame.isValid)
    #expect(stage.frame.items.isEmpty && stage.frame.arrows.isEmpty && stage.frame.radar.blips.isEmpty)

    var blind = Scene()
    var frame = SceneFrame()
    blind.update(
      time: 0,
      eastNorthUpFromDevice: .identity,
      projection: stage.phone.projection,
      into: &frame
    )
    #expect(!frame.isValid)
    #expect(blind.hit(Vector2(1, 1), in: frame) == .none)
    #expect(blind.pointInWorld(feature: 0) == nil)
  }
}
