import SightlineCamera
import SightlineImageTargets
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineQR
import Testing

@testable import SightlineVision

@Suite struct VisionPipelineTests {
  static let side = 0.12
  static let posterWidth = 0.4
  static let text = "https://sightline.example/#/world/ulm"

  /// A marker, a picture and a code side by side on a wall a metre and a half away, seen from a little to the left.
  static func scene() throws -> (scene: DrawnScene, poster: GrayImage, codeWidth: Double) {
    // Towards the viewer is against the camera's z: half a turn about x.
    let facing = Quaternion(w: 0, x: 1, y: 0, z: 0)
    let turned = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 12)) * facing
    let poster = posterTexture(seed: 3)
    let code = try codeTexture(text)
    let marker = markerTexture(.apriltag36h11, id: 17)
    let codeWidth = 0.3 * Double(code.modules) / Double(code.modules + 8)
    return (
      DrawnScene(flats: [
        .init(texture: marker, width: side * 10 / 8, cameraFromPlane: turned, translation: Vector3(-0.5, -0.1, 1.5)),
        .init(texture: poster, width: posterWidth, cameraFromPlane: turned, translation: Vector3(-0.05, 0.1, 1.5)),
        .init(texture: code.image, width: 0.3, cameraFromPlane: turned, translation: Vector3(0.45, -0.1, 1.5)),
      ]),
      poster, codeWidth
    )
  }

  /// A pipeline that looks for all of it, and the poster's number.
  static func pipeline(_ poster: GrayImage) -> (VisionPipeline, poster: Int32) {
    let pipeline = VisionPipeline()
    pipeline.watchMarkers([.apriltag36h11], usualSide: side)
    pipeline.looksForCodes = true
    let target = poster.withView { TargetBuilder().build($0, name: [], printedWidth: posterWidth) }
    pipeline.addPicture(31, target)
    return (pipeline, 31)
  }

  static let marker = AnchorID.marker(dictionary: MarkerDictionary.apriltag36h11.rawValue, id: 17)
  static let code = AnchorID.code(AnchorID.hash(ofCode: text.utf8))

  private func look(
    _ pipeline: VisionPipeline,
    _ frame: GrayImage,
    _ scene: DrawnScene,
    time: Double,
    turn: Quaternion? = nil
  ) -> [Observation] {
    var found: [Observation] = []
    let camera = FrameCamera(intrinsics: scene.intrinsics)
    frame.withView { pipeline.process($0, time: time, camera: camera, previousFromCamera: turn, into: &found) }
    return found
  }

  private func expect(_ observation: Observation?, _ flat: DrawnScene.Flat, pixels: [Vector2], within: Double) throws {
    let seen = try #require(observation)
    for k in 0..<4 { #expect((seen.corners[k] - pixels[k]).length < within, "corner \(k) of \(seen.anchor)") }
    guard let pose = seen.pose else { return }
    #expect((pose.translation - flat.translation).length < 0.02)
    #expect(pose.cameraFromPlane.angle(to: flat.cameraFromPlane).degrees < 3)
  }

  @Test func `a marker, a picture and a code are observed in one session, in one frame of axes`() throws {
    let (scene, poster, codeWidth) = try Self.scene()
    let (pipeline, number) = Self.pipeline(poster)
    var last: [Observation] = []
    for step in 0..<8 {
      let frame = scene.frame(seed: UInt64(step))
      let found = look(pipeline, frame, scene, time: Double(step) * 0.125)
      if step == 0 { #expect(found.allSatisfy { $0.state == .found }) }
      last = found
    }
    #expect(Set(last.map { $0.anchor }) == [Self.marker, .picture(number), Self.code])
    #expect(last.allSatisfy { $0.state == .tracked })
    let flats = scene.flats
    try expect(
      last.first { $0.anchor == Self.marker },
      flats[0],
      pixels: scene.corners(of: flats[0], width: Self.side, height: Self.side),
      within: 0.5
    )
    try expect(
      last.first { $0.anchor == .picture(number) },
      flats[1],
      pixels: scene.corners(of: flats[1], width: Self.posterWidth, height: flats[1].height),
      within: 1
    )
    try expect(
      last.first { $0.anchor == Self.code },
      flats[2],
      pixels: scene.corners(of: flats[2], width: codeWidth, height: codeWidth),
      within: 1
    )
    #expect(pipeline.codes.count == 1)
  }

  @Test func `what is covered is carried on by the gyroscope, and lost once after half a second, by one rule`() throws {
    let (scene, poster, _) = try Self.scene()
    let (pipeline, number) = Self.pipeline(poster)
    for step in 0..<4 { _ = look(pipeline, scene.frame(seed: UInt64(step)), scene, time: Double(step) * 0.04) }
    let covered = DrawnScene(flats: [])
    let small = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 0.5))
    var lost: [AnchorID: [Double]] = [:]
    var carried: Set<AnchorID> = []
    for step in 1...120 {
      let time = 0.12 + Double(step) * 0.04
      let frame = covered.frame(seed: UInt64(step % 3))
      for seen in look(pipeline, frame, scene, time: time, turn: step < 8 ? small : nil) {
        if seen.state == .lost { lost[seen.anchor, default: []].append(time) }
        if seen.state == .carried {
          carried.insert(seen.anchor)
          #expect(seen.unseen > 0)
        }
        #expect(seen.state == .lost || seen.state == .carried)
      }
    }
    #expect(carried == [Self.marker, .picture(number)])
    #expect(Set(lost.keys) == [Self.marker, .picture(number), Self.code])
    for (anchor, times) in lost { #expect(times.count == 1, "\(anchor) is lost \(times.count) times") }
    // The marker was carried for seven frames, then half a second passes.
    let ofMarker = try #require(lost[Self.marker]?.first)
    #expect(abs(ofMarker - (0.12 + 7 * 0.04 + 0.5)) < 0.05)
  }

  @Test func `a carried marker is where the turned camera would see it`() throws {
    let (scene, _, _) = try Self.scene()
    let pipeline = VisionPipeline()
    pipeline.watchMarkers([.apriltag36h11], usualSide: Self.side)
    for step in 0..<4 {
      _ = look(pipeline, scene.frame(seed: UInt64(step)), scene, time: Double(step) * 0.04, turn: .identity)
    }
    // The camera turns to the left by 3 degrees while a hand is before the marker.
    let previousFromCamera = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: -3))
    let found = look(pipeline, DrawnScene(flats: []).frame(), scene, time: 0.16, turn: previousFromCamera)
    let seen = try #require(found.first)
    #expect(seen.state == .carried)
    let cameraFromWorld = previousFromCamera.inverse
    let pose = try #require(seen.pose)
    #expect((pose.translation - cameraFromWorld * scene.flats[0].translation).length < 0.02)
    let truth = scene.corners(of: scene.flats[0], width: Self.side, height: Self.side, cameraFromWorld: cameraFromWorld)
    for k in 0..<4 { #expect((seen.corners[k] - truth[k]).length < 1.5) }
  }

  @Test func `a wall has the pose of what hangs on it, its marker before its picture`() throws {
    let (scene, poster, _) = try Self.scene()
    let (pipeline, number) = Self.pipeline(poster)
    // The wall's middle is the poster's; the marker hangs 0.2 m lower and to the left.
    let plane = scene.flats[1].cameraFromPlane
    let toMarker = plane.inverse * (scene.flats[0].translation - scene.flats[1].translation)
    pipeline.setWalls([
      Wall(
        id: 5,
        scale: 2,
        members: [
          .init(.picture(number)), .init(Self.marker, center: Vector2(toMarker.x / 2, toMarker.y / 2)),
        ]
      )
    ])
    var found: [Observation] = []
    for step in 0..<4 { found = look(pipeline, scene.frame(seed: UInt64(step)), scene, time: Double(step) * 0.04) }
    let wall = try #require(found.first { $0.anchor == .wall(5) })
    let marker = try #require(found.first { $0.anchor == Self.marker })
    let pose = try #require(wall.pose)
    let member = try #require(marker.pose)
    // An edge was measured to be twice as long as was believed: so is all that hangs on the wall, twice as far away.
    let expected = member.translation - member.cameraFromPlane * Vector3(toMarker.x, toMarker.y, 0)
    #expect((pose.translation - expected).length < 1e-9)
    let picture = try #require(found.first { $0.anchor == .picture(number) })
    for (seen, flat) in [(marker, scene.flats[0]), (picture, scene.flats[1])] {
      #expect((try #require(seen.pose).translation - flat.translation * 2).length < 0.02 * flat.translation.length)
    }
    #expect(marker.width == 2 * Self.side)
    #expect(wall.width == marker.width)
    #expect(wall.corners[0] == marker.corners[0])
  }

  @Test func `frames that are not later, and times that are none, are left out`() throws {
    let (scene, poster, _) = try Self.scene()
    let (pipeline, _) = Self.pipeline(poster)
    let frame = scene.frame()
    #expect(!look(pipeline, frame, scene, time: 1).isEmpty)
    for time in [1, 0.5, .nan, .infinity, -.infinity] {
      #expect(look(pipeline, frame, scene, time: time).isEmpty)
    }
    #expect(!look(pipeline, frame, scene, time: 1.1).isEmpty)
  }

  @Test func `without a camera there are corners and no poses`() throws {
    let (scene, poster, _) = try Self.scene()
    let (pipeline, _) = Self.pipeline(poster)
    var found: [Observation] = []
    for step in 0..<3 {
      scene.frame(seed: UInt64(step)).withView {
        pipeline.process($0, time: Double(step) * 0.2, camera: nil, into: &found)
      }
    }
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.pose == nil })
  }

  @Test func `what is no longer looked for is no longer observed`() throws {
    let (scene, poster, _) = try Self.scene()
    let (pipeline, number) = Self.pipeline(poster)
    for step in 0..<3 { _ = look(pipeline, scene.frame(seed: UInt64(step)), scene, time: Double(step) * 0.2) }
    pipeline.watchMarkers([])
    pipeline.removePicture(number)
    pipeline.looksForCodes = false
    var states: Set<ObservationState> = []
    for step in 3..<12 {
      for seen in look(pipeline, scene.frame(seed: UInt64(step)), scene, time: Double(step) * 0.2) {
        states.insert(seen.state)
      }
    }
    #expect(states == [.lost])
  }
}
