import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// An observation from the front, so far away, with its middle at a point of the camera's axes.
func seen(
  _ anchor: AnchorID,
  _ state: ObservationState = .tracked,
  at translation: Vector3? = Vector3(0, 0, 2),
  sigma: Double = 0.3,
  confidence: Double = 0.9,
  track: Int32 = -1
) -> Observation {
  let lens = Lens.camera.intrinsics
  let frontal = Quaternion(w: 0, x: 1, y: 0, z: 0)
  var corners = Quadrilateral(repeating: Vector2(100, 100))
  if let translation {
    let offsets = [Vector3(-0.1, 0.1, 0), Vector3(0.1, 0.1, 0), Vector3(0.1, -0.1, 0), Vector3(-0.1, -0.1, 0)]
    for k in 0..<4 { corners[k] = lens.pixel(ofPointInCamera: frontal * offsets[k] + translation) ?? .zero }
  }
  let pose = translation.map { PlanarPose(cameraFromPlane: frontal, translation: $0, reprojectionError: 0.1) }
  return Observation(
    anchor,
    state: state,
    corners: corners,
    pose: state == .lost ? nil : pose,
    cornerSigma: sigma,
    confidence: confidence,
    width: 0.2,
    track: track
  )
}

/// The camera of these tests.
enum Lens {
  static let camera = FrameCamera(
    intrinsics: Intrinsics(width: 640, height: 480, focalX: 500, focalY: 500, centerX: 319.5, centerY: 239.5)
  )

  static func observations(_ all: [Observation], at time: Double) -> Observations {
    Observations(time: time, camera: camera, all)
  }
}

@Suite struct AnchorTableTests {
  private static let a = AnchorID.marker(dictionary: 11, id: 7)
  private static let b = AnchorID.picture(3)
  private let world = [WorldAnchor(AnchorTableTests.a, width: 0.2), WorldAnchor(AnchorTableTests.b, width: 0.5)]

  private func table(_ anchors: [WorldAnchor]) -> AnchorTable {
    var table = AnchorTable()
    table.setAnchors(anchors, before: [])
    return table
  }

  private func take(
    _ table: inout AnchorTable,
    _ all: [Observation],
    _ time: Double,
    _ anchors: [WorldAnchor],
    up: Quaternion? = nil
  ) {
    table.take(Lens.observations(all, at: time), anchors, cameraFromEastNorthUp: up)
  }

  @Test func `an anchor is lost until it is found, and after it is lost`() {
    var table = table(world)
    #expect(table.entries.map { $0.state } == [.lost, .lost] && table.time == -.infinity && table.camera == nil)
    take(&table, [seen(Self.a, .found)], 1, world)
    #expect(table.entries[0].state == .found && table.entries[0].since == 1 && table.entries[0].seen != nil)
    #expect(table.entries[0].cameraFromAnchor?.translation == Vector3(0, 0, 2))
    #expect(table.entries[1].state == .lost && table.entries[1].seen == nil)
    take(&table, [seen(Self.a, .tracked)], 1.1, world)
    #expect(table.entries[0].state == .tracked && table.entries[0].since == 1)
    take(&table, [seen(Self.a, .carried)], 1.2, world)
    #expect(table.entries[0].state == .carried && table.entries[0].since == 1)
    // Nothing is said of it: it is not in this picture, but not lost either.
    take(&table, [], 1.3, world)
    #expect(table.entries[0].state == .carried && table.entries[0].seen == nil)
    #expect(table.entries[0].cameraFromAnchor == nil)
    take(&table, [seen(Self.a, .tracked)], 1.4, world)
    #expect(table.entries[0].state == .tracked && table.entries[0].since == 1)
    take(&table, [seen(Self.a, .lost)], 2, world)
    #expect(table.entries[0].state == .lost && table.entries[0].seen == nil)
    take(&table, [seen(Self.a, .found)], 3, world)
    #expect(table.entries[0].state == .found && table.entries[0].since == 3)
    #expect(table.time == 3 && table.camera == Lens.camera)
  }

  @Test func `of two that show the same the one that is seen counts, then the surer one`() {
    var table = table(world)
    func winner(_ all: [Observation]) -> Int32? {
      take(&table, all, 1, world)
      return table.entries[0].seen?.track
    }
    let (poor, good) = (seen(Self.a, confidence: 0.5, track: 1), seen(Self.a, confidence: 0.8, track: 2))
    let carried = seen(Self.a, .carried, confidence: 1, track: 3)
    #expect(winner([poor, good]) == 2 && winner([good, poor]) == 2)
    #expect(winner([carried, poor]) == 1 && winner([poor, carried]) == 1)
    #expect(winner([carried]) == 3)
  }

  @Test func `one of two that is lost does not lose the other`() {
    var table = table(world)
    take(&table, [seen(Self.a, track: 1), seen(Self.a, track: 2)], 1, world)
    take(&table, [seen(Self.a, track: 2), seen(Self.a, .lost, track: 1)], 2, world)
    #expect(table.entries[0].state == .tracked && table.entries[0].seen?.track == 2)
  }

  @Test func `two anchors of a world that are the same thing are seen together`() {
    let twice = [WorldAnchor(Self.a, width: 0.2), WorldAnchor(Self.a, width: 0.3)]
    var table = table(twice)
    take(&table, [seen(Self.a)], 1, twice)
    #expect(table.entries.allSatisfy { $0.state == .tracked && $0.cameraFromAnchor != nil })
  }

  @Test func `numbers that are none are not seen`() {
    var table = table(world)
    var broken = seen(Self.a)
    broken.corners[2] = Vector2(.nan, 0)
    var far = seen(Self.b)
    far.pose?.translation = Vector3(0, .infinity, 0)
    take(&table, [broken, far], 1, world)
    #expect(table.entries.allSatisfy { $0.seen == nil && $0.state == .lost })
  }

  @Test func `what is known stays known in another world that has it`() {
    var table = table(world)
    take(&table, [seen(Self.a, .found), seen(Self.b, .found)], 1, world)
    let next = [WorldAnchor(.code(5), width: 0.1), WorldAnchor(Self.a, width: 0.2)]
    table.setAnchors(next, before: world)
    #expect(table.entries.map { $0.state } == [.lost, .found] && table.entries[1].since == 1)
    take(&table, [seen(Self.a)], 2, next)
    #expect(table.entries[1].state == .tracked && table.entries[1].since == 1)
  }

  // MARK: What is related

  private func related(_ id: Int32, to reference: WorldAnchor.Reference, by offset: Vector3) -> WorldAnchor {
    var anchor = WorldAnchor(.wall(id), width: 1)
    anchor.reference = reference
    anchor.referenceFromAnchor = SimilarityTransform(translation: offset)
    return anchor
  }

  @Test func `an anchor that is not seen lies where its reference says, one that is seen where it is`() {
    let anchors = [world[0], related(1, to: .anchor(0), by: Vector3(0.5, 0, 0))]
    var table = table(anchors)
    take(&table, [seen(Self.a, .found)], 1, anchors)
    #expect(table.entries[1].state == .carried && table.entries[1].since == 1 && table.entries[1].seen == nil)
    // The frame of what is seen from the front has its x to the camera's right.
    #expect(table.entries[1].cameraFromAnchor?.translation == Vector3(0.5, 0, 2))
    take(&table, [seen(Self.a), seen(.wall(1), .found, at: Vector3(0, 0, 5))], 2, anchors)
    #expect(table.entries[1].state == .found && table.entries[1].since == 1)
    #expect(table.entries[1].cameraFromAnchor?.translation == Vector3(0, 0, 5))
  }

  @Test func `an anchor is lost with its reference, unless it was seen itself`() {
    let anchors = [
      world[0], related(1, to: .anchor(0), by: .zero), related(2, to: .anchor(1), by: .zero),
      related(3, to: .anchor(0), by: .zero),
    ]
    var table = table(anchors)
    take(&table, [seen(Self.a, .found)], 1, anchors)
    take(&table, [seen(.wall(3), .found)], 1.1, anchors)
    #expect(table.entries.map { $0.state } == [.found, .carried, .carried, .found])
    #expect(table.entries[1].cameraFromAnchor == nil)
    take(&table, [seen(Self.a, .lost)], 2, anchors)
    #expect(table.entries.map { $0.state } == [.lost, .lost, .lost, .found])
    take(&table, [seen(Self.a, .found)], 3, anchors)
    #expect(table.entries[2].state == .carried && table.entries[2].since == 3)
  }

  @Test(arguments: [2, 9, 50]) func `a chain may be as long as the world, in any order`(length: Int) {
    for isReversed in [false, true] {
      // Each a tenth of a metre to the right of the one before it.
      var anchors = [world[0]]
      for k in 1...length {
        let before = isReversed ? (k == length ? 0 : k + 1) : k - 1
        anchors.append(related(Int32(k), to: .anchor(Int32(before)), by: Vector3(0.1, 0, 0)))
      }
      var table = table(anchors)
      take(&table, [seen(Self.a)], 1, anchors)
      for k in 1...length {
        let links = Double(isReversed ? length - k + 1 : k)
        let place = table.entries[k].cameraFromAnchor?.translation
        #expect(place.map { ($0 - Vector3(0.1 * links, 0, 2)).length < 1e-9 } == true, "\(k) of \(length)")
      }
    }
  }

  @Test func `a circle gives none, but one of it that is seen gives the others`() {
    let anchors = [
      related(0, to: .anchor(2), by: Vector3(0.1, 0, 0)), related(1, to: .anchor(0), by: Vector3(0.1, 0, 0)),
      related(2, to: .anchor(1), by: Vector3(0.1, 0, 0)), related(3, to: .anchor(3), by: .zero),
      related(4, to: .anchor(0), by: .zero),
    ]
    var table = table(anchors)
    take(&table, [], 1, anchors)
    #expect(table.entries.allSatisfy { $0.cameraFromAnchor == nil && $0.state == .lost })
    take(&table, [seen(.wall(1))], 2, anchors)
    #expect(table.entries[1].cameraFromAnchor?.translation == Vector3(0, 0, 2))
    for (index, x) in [(2, 0.1), (0, 0.2), (4, 0.2)] {
      let place = table.entries[index].cameraFromAnchor?.translation
      #expect(place.map { ($0 - Vector3(x, 0, 2)).length < 1e-9 } == true, "\(index)")
    }
    #expect(table.entries[3].cameraFromAnchor == nil)
  }

  @Test(arguments: [-1, 7, Int32.max, .min]) func `a reference that there is not gives none`(index: Int32) {
    let anchors = [world[0], related(1, to: .anchor(index), by: .zero), related(2, to: .anchor(1), by: .zero)]
    var table = table(anchors)
    take(&table, [seen(Self.a)], 1, anchors)
    #expect(table.entries[1].cameraFromAnchor == nil && table.entries[2].cameraFromAnchor == nil)
  }

  @Test func `what is related to the user is there as soon as it is known how the phone is turned`() throws {
    // Two metres north and one up of the eye.
    let anchors = [related(1, to: .user, by: Vector3(0, 2, 1)), related(2, to: .anchor(0), by: Vector3(1, 0, 0))]
    var table = table(anchors)
    take(&table, [], 1, anchors)
    #expect(table.entries.allSatisfy { $0.state == .lost && $0.cameraFromAnchor == nil })
    // Held upright, looking north: east is right, up is up, north is ahead.
    let cameraFromEastNorthUp = Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90))
    take(&table, [], 2, anchors, up: cameraFromEastNorthUp)
    let first = try #require(table.entries[0].cameraFromAnchor)
    #expect((first.translation - Vector3(0, -1, 2)).length < 1e-12, "\(first.translation)")
    let second = try #require(table.entries[1].cameraFromAnchor)
    #expect((second.translation - Vector3(1, -1, 2)).length < 1e-12)
    #expect(table.entries.allSatisfy { $0.state == .carried && $0.since == 2 })
  }
}
