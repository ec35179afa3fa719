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
    turn: Quaternion? = nil,
    by camera: FrameCamera? = nil
  ) -> [Observation] {
    var found: [Observation] = []
    let camera = camera ?? FrameCamera(intrinsics: scene.intrinsics)
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

  @Test(arguments: [true, false])
  func `what is covered is lost once, half a second after it was seen, whatever it is`(hasGyroscope: Bool) throws {
    let (scene, poster, _) = try Self.scene()
    let (pipeline, number) = Self.pipeline(poster)
    pipeline.setWalls([Wall(id: 5, members: [.init(.picture(number))])])
    let turn = hasGyroscope ? Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 0.2)) : nil
    var seenLast: [AnchorID: Double] = [:]
    for step in 0..<4 {
      let time = Double(step) * 0.04
      for seen in look(pipeline, scene.frame(seed: UInt64(step)), scene, time: time, turn: turn.map { _ in .identity })
      {
        seenLast[seen.anchor] = time
      }
    }
    let all: Set = [Self.marker, .picture(number), Self.code, .wall(5)]
    #expect(Set(seenLast.keys) == all)
    let covered = DrawnScene(flats: []).frame()
    var lost: [AnchorID: [Double]] = [:]
    var carried: [AnchorID: Double] = [:]
    // The gyroscope goes on for much longer than anything is carried.
    for step in 1...60 {
      let time = 0.12 + Double(step) * 0.04
      for seen in look(pipeline, covered, scene, time: time, turn: turn) {
        let unseen = time - (seenLast[seen.anchor] ?? 0)
        #expect(abs(seen.unseen - unseen) < 1e-9, "\(seen.anchor)")
        switch seen.state {
        case .lost: lost[seen.anchor, default: []].append(unseen)
        case .carried: carried[seen.anchor] = unseen
        case .found, .tracked: Issue.record("\(seen.anchor) is not there")
        }
      }
    }
    #expect(Set(lost.keys) == all)
    for (anchor, times) in lost {
      #expect(times.count == 1 && times[0] > 0.499 && times[0] < 0.541, "\(anchor) is lost after \(times)")
    }
    if hasGyroscope {
      #expect(Set(carried.keys) == all.subtracting([Self.code]))
      for (anchor, time) in carried { #expect(time > 0.45, "\(anchor) is carried for \(time)") }
    }
  }

  @Test func `a picture is not lost as long as its surroundings are seen`() throws {
    let facing = Quaternion(w: 0, x: 1, y: 0, z: 0)
    let poster = posterTexture(seed: 3)
    let behind = posterTexture(seed: 9, width: 640, height: 480)
    /// Print and wall as seen by a camera that has gone so far to the right, metres.
    func scene(_ way: Double, hasPrint: Bool) -> DrawnScene {
      let wall = DrawnScene.Flat(
        texture: behind,
        width: 2.8,
        cameraFromPlane: facing,
        translation: Vector3(0.1 - way, 0, 1.5)
      )
      let print = DrawnScene.Flat(
        texture: poster,
        width: Self.posterWidth,
        cameraFromPlane: facing,
        translation: Vector3(0.15 - way, 0, 1.5)
      )
      return DrawnScene(flats: hasPrint ? [print, wall] : [wall])
    }
    let pipeline = VisionPipeline()
    pipeline.addPicture(31, poster.withView { TargetBuilder().build($0, name: [], printedWidth: Self.posterWidth) })
    var time = 0.0
    func states(_ frame: GrayImage) -> [ObservationState] {
      time += 0.04
      return look(pipeline, frame, scene(0, hasPrint: true), time: time).map { $0.state }
    }
    // What lies in one plane with the print is told by moving along it.
    var (way, seen): (Double, [ObservationState]) = (0, [])
    for step in 0..<12 {
      way = 0.02 * Double(step)
      seen = states(scene(way, hasPrint: true).frame(seed: UInt64(step)))
    }
    #expect(seen == [.tracked])
    // Much longer than anything is carried without being seen.
    let without = scene(way, hasPrint: false).frame(seed: 20)
    for _ in 0..<40 { #expect(states(without) == [.carried]) }
    let dark = DrawnScene(flats: []).frame(seed: 21)
    let last = (0..<25).flatMap { _ in states(dark) }
    #expect(last.last == .lost && last.count { $0 == .lost } == 1, "\(last)")
  }

  @Test func `a marker keeps its track while the lens is told anew with every frame`() throws {
    let (whole, _, _) = try Self.scene()
    var scene = whole
    scene.flats.removeLast(2)
    let pipeline = VisionPipeline()
    pipeline.watchMarkers([.apriltag36h11], usualSide: Self.side)
    let covered = DrawnScene(flats: []).frame()
    let picture = scene.frame()
    var states: [ObservationState] = []
    var last: Observation?
    for step in 0..<30 {
      // What a camera says that focuses a little, and the lens that world tracking has learned meanwhile.
      var camera = FrameCamera(intrinsics: scene.intrinsics)
      camera.intrinsics.focalX *= 1 + 0.0003 * Double(step % 7)
      camera.intrinsics.focalY *= 1 + 0.0003 * Double(step % 7)
      camera.distortion = LensDistortion(k1: 0.001 * Double(step % 3))
      let frame = (12..<16).contains(step) ? covered : picture
      let found = look(pipeline, frame, scene, time: Double(step) / 30, turn: .identity, by: camera)
      let only = try #require(found.first)
      #expect(found.count == 1 && only.anchor == Self.marker && only.track == 0 && only.pose != nil, "frame \(step)")
      states.append(only.state)
      last = only
    }
    let expected: [ObservationState] = (0..<30).map { $0 == 0 ? .found : (12..<16).contains($0) ? .carried : .tracked }
    #expect(states == expected)
    #expect(last?.isResting == true)
  }

  @Test func `a lens that bends enters the pose of a picture`() throws {
    let turned = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 15)) * Quaternion(w: 0, x: 1, y: 0, z: 0)
    let poster = posterTexture(seed: 3)
    let target = poster.withView { TargetBuilder().build($0, name: [], printedWidth: Self.posterWidth) }
    for place in [Vector3(0.28, 0.18, 0.9), Vector3(-0.3, 0.1, 0.9), Vector3(0, 0, 0.7)] {
      var scene = DrawnScene(flats: [
        .init(texture: poster, width: Self.posterWidth, cameraFromPlane: turned, translation: place)
      ])
      scene.distortion = LensDistortion(k1: -0.12, k2: 0.03, p1: 0.001)
      let frame = scene.frame()
      func errors(_ camera: FrameCamera) throws -> (place: Double, degrees: Double) {
        let pipeline = VisionPipeline()
        pipeline.addPicture(31, target)
        var last: Observation?
        for step in 0..<4 { last = look(pipeline, frame, scene, time: Double(step) * 0.04, by: camera).first }
        let pose = try #require(last?.pose)
        return ((pose.translation - place).length, pose.cameraFromPlane.angle(to: turned).degrees)
      }
      let with = try errors(FrameCamera(intrinsics: scene.intrinsics, distortion: scene.distortion))
      let without = try errors(FrameCamera(intrinsics: scene.intrinsics))
      #expect(with.place < 0.006 && with.degrees < 1, "\(with) at \(place), without \(without)")
      #expect(without.place > 2.5 * with.place, "\(without) at \(place), with \(with)")
    }
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
