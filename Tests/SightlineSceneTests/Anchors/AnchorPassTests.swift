import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// What stands on the anchors of a picture, by the scene's own door.
@Suite struct AnchorPassTests {
  private static let marker = AnchorID.marker(dictionary: 11, id: 7)
  private static let picture = AnchorID.picture(3)
  /// The camera's picture fills the display pixel for pixel.
  private let display = Display(width: 640, height: 480)

  private func feature(
    _ anchor: Int32,
    _ kind: VisualKind = .text,
    offset: Vector3 = .zero,
    key: UInt64 = 0
  )
    -> SceneFeature
  {
    var feature = SceneFeature(latitudeDegrees: .nan, longitudeDegrees: .nan)
    (feature.anchor, feature.kind, feature.offset, feature.key) = (anchor, kind, offset, key)
    (feature.width, feature.height) = (80, 30)
    return feature
  }

  private func scene(_ features: [SceneFeature], _ anchors: [WorldAnchor]) -> Scene {
    var world = WorldDescription()
    (world.features, world.anchors) = (features, anchors)
    var scene = Scene()
    scene.setWorld(world)
    return scene
  }

  private let anchors = [
    WorldAnchor(AnchorPassTests.marker, width: 0.2), WorldAnchor(AnchorPassTests.picture, width: 0.5),
  ]

  private func show(
    _ scene: inout Scene,
    _ all: [Observation],
    at time: Double = 1,
    up: Quaternion? = nil
  ) -> SceneFrame {
    scene.observe(Lens.observations(all, at: time), display: display, cameraFromEastNorthUp: up)
    var frame = SceneFrame()
    scene.writeAnchors(into: &frame, time: time)
    return frame
  }

  @Test func `a label stands over the upper edge of its anchor`() throws {
    var scene = scene([feature(0)], anchors)
    let frame = show(&scene, [seen(Self.marker)])
    let item = try #require(frame.anchored.first)
    // 0.2 m at 2 m are 50 pixels about the middle; pixel centres are at integers.
    #expect((item.place - Vector2(320, 240 - 25)).length < 1e-9, "\(item.place)")
    #expect(item.label == ScreenRectangle(x: 280, y: 185, width: 80, height: 30))
    #expect(item.level == .card && item.opacity == 1 && item.cameraFromFeature == nil && item.feature == 0)
    #expect(frame.pictureTime == 1)
    let anchor = frame.anchors[0]
    #expect(anchor.isInPicture && anchor.state == .tracked && anchor.opacity == 1 && anchor.deviation == 0.3)
    #expect(anchor.corners.map { ($0[0] - Vector2(295, 215)).length < 1e-9 } == true)
    // Of the other nothing is known.
    #expect(frame.anchors.count == 1 && anchor.anchor == 0)
  }

  @Test func `a label with an offset stands at that point of the anchor`() throws {
    var scene = scene([feature(0, offset: Vector3(0.4, 0.2, 0.5))], anchors)
    let item = try #require(show(&scene, [seen(Self.marker)]).anchored.first)
    // Right, up and half a metre towards the viewer.
    let expected = Vector2(319.5 + 500 * 0.4 / 1.5 + 0.5, 239.5 - 500 * 0.2 / 1.5 + 0.5)
    #expect((item.place - expected).length < 1e-9, "\(item.place)")
  }

  @Test func `an anchor without a pose still has its label over it`() throws {
    var scene = scene([feature(0, offset: Vector3(0.4, 0.2, 0.5)), feature(0, .image)], anchors)
    var flat = seen(Self.marker)
    flat.pose = nil
    let frame = show(&scene, [flat])
    #expect(frame.anchored.count == 2)
    for item in frame.anchored {
      #expect((item.place - Vector2(320, 215)).length < 1e-9 && item.cameraFromFeature == nil)
    }
  }

  @Test func `a picture on a marker covers it with its margin, on a picture half of it, elsewhere all`() throws {
    let all = anchors + [WorldAnchor(.code(5), width: 0.3)]
    var scene = scene([feature(0, .image), feature(1, .image, offset: Vector3(0.1, 0, 0)), feature(2, .image)], all)
    let frame = show(&scene, [seen(Self.marker), seen(Self.picture), seen(.code(5))])
    #expect(frame.anchored.map { $0.cameraFromFeature?.scale } == [1.5 * 0.2, 0.5 * 0.5, 0.3])
    let shifted = try #require(frame.anchored[1].cameraFromFeature)
    #expect((shifted.translation - Vector3(0.1, 0, 2)).length < 1e-12)
  }

  @Test func `names of pictures and models are dots until they are selected`() {
    var model = feature(1, .model, key: 2)
    model.model = ModelPlacement()
    var scene = scene([feature(0, .image, key: 1), model, feature(0, key: 3)], anchors)
    let both = [seen(Self.marker), seen(Self.picture, at: Vector3(0.5, 0, 2))]
    #expect(show(&scene, both).anchored.map { $0.level } == [.dot, .dot, .card])
    let dot = show(&scene, both, at: 2).anchored[0].label
    #expect(dot.map { $0.width == 24 && $0.height == 24 } == true)
    scene.select(1)
    let frame = show(&scene, both, at: 3)
    #expect(frame.anchored.map { $0.level } == [.dot, .card, .card])
    #expect(frame.anchored[1].label.map { $0.width == 80 && $0.height == 30 } == true)
  }

  @Test func `a world may have its names beside what stands on anchors`() {
    var scene = scene([feature(0, .image)], anchors)
    var world = scene.world
    world.namesWhatStandsOnAnchors = true
    scene.setWorld(world)
    #expect(show(&scene, [seen(Self.marker)]).anchored.map { $0.level } == [.card])
  }

  @Test func `only what is known of is in a frame, of a world of ten thousand anchors too`() throws {
    let many = (0..<10_000).map { WorldAnchor(.picture(Int32($0)), width: 0.2) }
    var scene = scene(many.indices.map { feature(Int32($0), key: UInt64($0 + 1)) }, many)
    let frame = show(&scene, [seen(.picture(9876)), seen(.picture(5)), seen(.picture(20_000))])
    #expect(frame.anchors.map { $0.anchor }.sorted() == [5, 9876])
    #expect(frame.anchored.map { $0.feature } == [5, 9876])
    let lost = show(&scene, [seen(.picture(5), .lost)], at: 2)
    #expect(lost.anchors.first { $0.anchor == 5 }?.state == .lost && lost.anchored.map { $0.feature } == [9876])
    #expect(show(&scene, [], at: 3).anchors.map { $0.anchor } == [9876])
  }

  @Test func `the selected label gets the place that several want`() {
    let features = (0..<4).map { feature(0, key: UInt64($0 + 1)) }
    for chosen in 0..<4 as Range<Int32> {
      var scene = scene(features, anchors)
      scene.select(chosen)
      let frame = show(&scene, [seen(Self.marker)])
      let natural = ScreenRectangle(x: 280, y: 185, width: 80, height: 30)
      #expect(frame.anchored.filter { $0.label == natural }.map { $0.feature } == [chosen])
      #expect(Set(frame.anchored.compactMap { $0.label.map { "\($0.x) \($0.y)" } }).count == 4)
    }
  }

  @Test func `labels keep off what covers the view`() throws {
    var scene = scene([feature(0)], anchors)
    scene.setOccupied(Occupied(rectangles: [ScreenRectangle(x: 0, y: 0, width: 640, height: 240)]))
    let label = try #require(show(&scene, [seen(Self.marker)]).anchored[0].label)
    #expect(label.y >= 240)
  }

  @Test func `what is carried on is the fainter the less surely it is known where it is`() {
    var scene = scene([feature(0)], anchors)
    func opacity(_ state: ObservationState, _ sigma: Double) -> Double {
      show(&scene, [seen(Self.marker, state, sigma: sigma)]).anchors[0].opacity
    }
    #expect(opacity(.tracked, 100) == 1 && opacity(.carried, 0) == 1 && opacity(.carried, 3) == 1)
    #expect(isNear(opacity(.carried, 21.5), 1 - 0.5 * 0.65, within: 1e-12))
    #expect(isNear(opacity(.carried, 40), 0.35, within: 1e-12) && isNear(opacity(.carried, 1e6), 0.35, within: 1e-12))
  }

  @Test func `what is not in the picture is drawn no more but not forgotten, what is lost is`() {
    var scene = scene([feature(0)], anchors)
    _ = show(&scene, [seen(Self.marker, .found)])
    let between = show(&scene, [], at: 1.2)
    #expect(between.anchored.map { $0.opacity } == [0] && between.anchored[0].label == nil)
    #expect(between.anchors[0].state == .found && !between.anchors[0].isInPicture && between.anchors[0].opacity == 0)
    let back = show(&scene, [seen(Self.marker)], at: 1.5)
    #expect(back.anchored.map { $0.age } == [0.5] && back.anchors[0].age == 0.5)
    let lost = show(&scene, [seen(Self.marker, .lost)], at: 2)
    #expect(lost.anchored.isEmpty && lost.anchors[0].state == .lost && lost.anchors[0].age == 0)
    #expect(show(&scene, [seen(Self.marker, .found)], at: 3).anchored.map { $0.age } == [0])
  }

  @Test func `another world has nothing on anything until the next picture`() {
    var scene = scene([feature(0, key: 1)], anchors)
    _ = show(&scene, [seen(Self.marker)])
    var world = WorldDescription()
    (world.features, world.anchors) = ([feature(1, key: 1), feature(0, key: 2), feature(9)], anchors.reversed())
    scene.setWorld(world)
    var frame = SceneFrame()
    scene.writeAnchors(into: &frame, time: 2)
    #expect(frame.anchors.isEmpty && frame.anchored.isEmpty)
    let next = show(&scene, [seen(Self.marker)], at: 2)
    // The marker has another index now; the third feature stands on an anchor that there is not.
    #expect(next.anchored.map { $0.feature } == [0] && next.anchored[0].anchor == 1 && next.anchored[0].age == 1)
    #expect(next.anchors.map { $0.anchor } == [1] && next.anchors[0].age == 1)
    scene.setWorld(WorldDescription())
    #expect(show(&scene, [seen(Self.marker)], at: 3).anchored.isEmpty)
  }

  @Test func `without an extent of the display nothing is laid out`() {
    var scene = scene([feature(0)], anchors)
    scene.observe(Lens.observations([seen(Self.marker)], at: 1), display: Display(width: 0, height: 0))
    var frame = SceneFrame()
    scene.writeAnchors(into: &frame, time: 1)
    #expect(frame.anchored.isEmpty)
  }

  @Test func `the clip matrix falls where the lens says`() throws {
    var scene = scene([feature(0)], anchors)
    var g = SplitMix64(seed: 9)
    for _ in 0..<50 {
      // The axis need not go through the middle.
      let lens = Intrinsics(
        width: 640,
        height: 480,
        focalX: .random(in: 300...900, using: &g),
        focalY: .random(in: 300...900, using: &g),
        centerX: .random(in: 250...390, using: &g),
        centerY: .random(in: 180...300, using: &g)
      )
      scene.observe(
        Observations(time: 1, camera: FrameCamera(intrinsics: lens), [seen(Self.marker)]),
        display: display
      )
      var frame = SceneFrame()
      scene.writeAnchors(into: &frame, time: 1)
      let m = frame.clipFromCamera
      for _ in 0..<10 {
        let p = Vector3(
          .random(in: -1...1, using: &g),
          .random(in: -1...1, using: &g),
          .random(in: 0.5...20, using: &g)
        )
        func row(_ r: Int) -> Double {
          Double(m[r]) * p.x + Double(m[4 + r]) * p.y + Double(m[8 + r]) * p.z + Double(m[12 + r])
        }
        let pixel = try #require(lens.pixel(ofPointInCamera: p))
        let drawn = Vector2(
          (row(0) / row(3) + 1) / 2 * lens.width - 0.5,
          (1 - row(1) / row(3)) / 2 * lens.height - 0.5
        )
        #expect((drawn - pixel).length < 2e-3, "\(drawn) is not \(pixel)")
        #expect(abs(row(2) / row(3)) <= 1)
      }
      func depth(_ z: Double) -> Double { (Double(m[10]) * z + Double(m[14])) / z }
      #expect(isNear(depth(0.01), -1, within: 1e-5) && isNear(depth(100), 1, within: 1e-5))
    }
  }

  // MARK: Models

  @Test func `a model stands on its anchor: its up is out of it, its front to the lower edge`() {
    let placement = ModelPlacement()
    let t = placement.anchorFromModel(offset: Vector3(1, 2, 3), width: 0.2, bounds: nil)
    #expect((t * Vector3(0, 1, 0) - Vector3(1, 2, 4)).length < 1e-12)
    // glTF's front is +z.
    #expect((t * Vector3(0, 0, 1) - Vector3(1, 1, 3)).length < 1e-12)
    #expect((t * Vector3(1, 0, 0) - Vector3(2, 2, 3)).length < 1e-12)
  }

  @Test func `a model turns about its x, then y, then z axis, and has its scale`() {
    var placement = ModelPlacement()
    (placement.xRotation, placement.yRotation) = (Angle(degrees: 90), Angle(degrees: 90))
    placement.scale = 2
    let t = placement.anchorFromModel(offset: .zero, width: 0.2, bounds: nil)
    // y goes to z by the first turn and to x by the second, both before the model is stood up.
    #expect((t * Vector3(0, 1, 0) - Vector3(2, 0, 0)).length < 1e-12, "\(t * Vector3(0, 1, 0))")
    placement.zRotation = Angle(degrees: 90)
    // Then to y, which is out of the anchor.
    let u = placement.anchorFromModel(offset: .zero, width: 0.2, bounds: nil)
    #expect((u * Vector3(0, 1, 0) - Vector3(0, 0, 2)).length < 1e-12)
  }

  @Test func `a model without a scale is as wide as its anchor, over its middle, its foot on it`() {
    var placement = ModelPlacement()
    placement.scale = nil
    placement.yRotation = Angle(degrees: 37)
    let bounds = ModelPlacement.Bounds(low: Vector3(1, 2, 3), high: Vector3(3, 8, 4))
    let t = placement.anchorFromModel(offset: Vector3(0.1, 0, 0.05), width: 0.4, bounds: bounds)
    #expect(isNear(t.scale, 0.2, within: 1e-12))
    // The middle of its foot.
    #expect((t * Vector3(2, 2, 3.5) - Vector3(0.1, 0, 0.05)).length < 1e-12)
    #expect((t * Vector3(2, 8, 3.5) - Vector3(0.1, 0, 0.05 + 1.2)).length < 1e-12)
  }

  @Test func `bounds that arrive later fit the model, bounds that are none do not`() throws {
    var model = feature(0, .model)
    model.model = ModelPlacement()
    model.model?.scale = nil
    var scene = scene([model], anchors)
    func scale() -> Double? { show(&scene, [seen(Self.marker)]).anchored.first?.cameraFromFeature?.scale }
    #expect(scale() == 1)
    let (low, high) = (Vector3(-1, 0, -1), Vector3(1, 1, 1))
    for odd in [Double.nan, .infinity, 1e300] {
      scene.setModelBounds(feature: 0, .init(low: low, high: Vector3(odd, 1, 1)))
    }
    for index in [-1, 1, Int32.max] { scene.setModelBounds(feature: index, .init(low: low, high: high)) }
    #expect(scale() == 1)
    scene.setModelBounds(feature: 0, .init(low: low, high: high))
    #expect(isNear(try #require(scale()), 0.1, within: 1e-12))
    // Another world's features are others.
    scene.setWorld(scene.world)
    #expect(scale() == 1)
  }

  @Test func `an anchor that is related has its content without corners of its own`() throws {
    var related = WorldAnchor(.wall(1), width: 1)
    related.reference = .anchor(0)
    related.referenceFromAnchor = SimilarityTransform(translation: Vector3(0.4, 0, 0))
    var scene = scene([feature(2), feature(2, .image)], anchors + [related])
    let frame = show(&scene, [seen(Self.marker)])
    let carried = try #require(frame.anchors.first { $0.anchor == 2 })
    #expect(carried.state == .carried && carried.corners == nil && carried.isInPicture && carried.opacity == 1)
    #expect((frame.anchored[0].place - Vector2(320 + 100, 240)).length < 1e-9)
    let drawn = try #require(frame.anchored[1].cameraFromFeature)
    #expect((drawn.translation - Vector3(0.4, 0, 2)).length < 1e-12)
  }
}
