import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// Frames, freezing, touching and selecting through the session.
@Suite struct SessionFrameTests {
  @Test func `a frame needs position, orientation and display`() {
    var host = Host()
    host.draw()
    #expect(!host.session.frame.isValid)
    host.tell(.display(Display(width: 390, height: 844)))
    host.draw()
    #expect(!host.session.frame.isValid)
    host.tell(.fix(fix()))
    host.draw()
    #expect(!host.session.frame.isValid)
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0), north: .trueNorth)))
    host.draw()
    #expect(host.session.frame.isValid)
    #expect(isNear(host.session.frame.verticalFieldOfView.degrees, 65, within: 1e-9), "without a camera")
  }

  @Test func `an invalid display empties the frame`() {
    var host = Host.showing(world())
    host.draw()
    #expect(host.session.frame.items.count == 1)
    host.tell(.display(Display(width: 0, height: .nan)))
    host.draw()
    #expect(!host.session.frame.isValid && host.session.frame.items.isEmpty)
  }

  @Test func `the camera's field of view is used, and an invalid one is not`() {
    var host = Host.showing(world())
    let narrow = Intrinsics(width: 640, height: 480, longSideFieldOfView: Angle(degrees: 40))
    host.tell(.camera(CameraPicture(intrinsics: narrow)))
    host.draw()
    let field = host.session.frame.verticalFieldOfView.degrees
    #expect(field < 40)
    var broken = narrow
    broken.focalX = .nan
    host.tell(.camera(CameraPicture(intrinsics: broken)))
    host.draw()
    #expect(host.session.frame.isValid && host.session.frame.verticalFieldOfView.degrees == field)
  }

  @Test func `a place straight ahead is drawn in the middle`() throws {
    var host = Host.showing(world([place(north: 700)]))
    host.draw()
    let item = try #require(host.session.frame.items.first)
    #expect(isNear(item.anchor.x, 195, within: 1e-6) && isNear(item.anchor.y, 422, within: 1e-6))
    #expect(isNear(item.distance, 700, within: 3))
  }

  @Test func `frozen, the picture stays while the phone turns and walks`() throws {
    var host = Host.showing(world([place(north: 700), place(north: 700, east: 120)]))
    host.draw()
    let before = host.session.frame.items
    host.tell(.setFrozen(true))
    host.wait(1)
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 100), north: .trueNorth)))
    host.tell(.fix(fix(north: 300)))
    host.draw()
    #expect(host.session.isFrozen)
    #expect(host.session.frame.items.map(\.anchor) == before.map(\.anchor))
    host.tell(.touch(try #require(before.first).center))
    #expect(host.session.selected == before.first?.feature)
    host.draw()
    #expect(host.session.frame.items.first?.isSelected == true, "selecting works on the held picture")
    host.tell(.setFrozen(false))
    host.draw()
    #expect(host.session.frame.items.isEmpty)
    #expect(isNear(host.session.frame.bearing.degrees, 100, within: 1e-9))
    #expect(host.session.frame.candidateCount == 2)
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0), north: .trueNorth)))
    host.draw()
    let item = try #require(host.session.frame.items.first { $0.feature == 0 })
    #expect(isNear(item.distance, 400, within: 3), "the eye has moved on")
  }

  @Test func `frozen before the first fix, the first one still counts`() {
    var host = Host()
    host.tell(.setFrozen(true))
    host.ready()
    host.tell(.open(AddressID(1)))
    host.answer(world())
    host.draw()
    #expect(host.session.frame.isValid)
  }

  @Test func `requests tell where the phone is, not where the held picture was taken`() throws {
    var host = Host.showing(world(within: 100))
    host.tell(.setFrozen(true))
    host.wait(2)
    host.tell(.fix(fix(north: 150)))
    #expect(host.requests() == [Asked(.refreshOnDistance, nil)])
    #expect(try #require(host.request).latitudeDegrees == fix(north: 150).latitudeDegrees)
  }

  @Test func `a group too dense for labels opens and closes, frozen too`() throws {
    let crowd = (0..<60).map { (index: Int) in place(north: 900, east: Double(index % 8), key: UInt64(index + 1)) }
    var host = Host.showing(world(crowd))
    for _ in 0..<60 {
      host.wait(1.0 / 30)
      host.draw()
    }
    host.tell(.setFrozen(true))
    let cluster = try #require(host.session.frame.clusters.first, "60 places in a few pixels form a cluster")
    host.tell(.touch(cluster.center))
    for _ in 0..<30 {
      host.wait(1.0 / 30)
      host.draw()
    }
    #expect(host.session.frame.clusters.contains { $0.isOpen })
    #expect(host.session.frame.items.contains { $0.isFannedOut })
  }

  @Test func `an arrow leads to its nearest place`() throws {
    var host = Host.showing(world([place(north: 0, east: 900), place(north: 0, east: 500)]))
    host.draw()
    let arrow = try #require(host.session.frame.arrows.first)
    #expect(arrow.side == .right && arrow.count == 2 && arrow.nearest == 1)
    host.tell(.touch(arrow.position))
    #expect(host.taken() == [.selectionChanged(1)])
  }

  @Test func `a tap on nothing selects nothing, and says so once`() {
    var host = Host.showing(world())
    host.tell(.select(0))
    #expect(host.taken() == [.selectionChanged(0)])
    host.tell(.select(0))
    #expect(host.taken() == [])
    host.draw()
    host.tell(.touch(Vector2(.nan, 3)))
    #expect(host.taken() == [])
    host.tell(.touch(Vector2(5, 840)))
    #expect(host.taken() == [.selectionChanged(nil)])
  }

  @Test func `the selection follows its place through a refresh, under its new index`() {
    var host = Host.showing(world([place(north: 100, key: 7), place(north: 200, key: 8)]))
    host.tell(.select(1))
    host.tell(.refreshByHand)
    host.effects = []
    host.answer(world([place(north: 200, key: 8), place(north: 300, key: 9)]))
    #expect(host.session.selected == 0)
    #expect(host.taken() == [.worldChanged(), .remember(.refreshAddress), .selectionChanged(0)])
    host.tell(.refreshByHand)
    host.effects = []
    host.answer(world([place(north: 300, key: 9)]))
    #expect(host.taken() == [.worldChanged(), .remember(.refreshAddress), .selectionChanged(nil)])
  }

  @Test func `another world has nothing selected, even with equal keys`() {
    var host = Host.showing(world([place(north: 100, key: 7)]))
    host.tell(.select(0))
    host.tell(.open(AddressID(2)))
    host.effects = []
    host.answer(world([place(north: 100, key: 7)]))
    #expect(host.session.selected == nil)
    #expect(host.taken().contains(.selectionChanged(nil)))
  }

  @Test func `nothing inside the radius is a status of its own`() {
    var host = Host.showing(world([place(north: 3000)]))
    host.draw()
    #expect(host.session.status.content == .ready)
    host.tell(.setRadius(1000))
    host.draw()
    #expect(host.session.status.content == .nothingInRange)
    #expect(host.session.status.content.quality == .poor)
    host.tell(.setRadius(-4))
    host.tell(.setRadius(.nan))
    host.draw()
    #expect(host.session.status.content == .nothingInRange)
    host.tell(.setRadius(5000))
    host.draw()
    #expect(host.session.status.content == .ready)
    host.tell(.setCategories(0))
    host.draw()
    #expect(host.session.status.content == .nothingInRange)
  }

  @Test func `a world of overlays alone is ready`() {
    var content = WorldDescription()
    content.overlays = [SceneOverlay()]
    var host = Host.showing(content)
    host.draw()
    #expect(host.session.status.content == .ready)
    #expect(host.session.frame.overlayVisible == [true])
  }

  @Test func `time that runs backwards turns nothing back, and loses nothing`() {
    var host = Host.showing(world(every: 10))
    host.wait(5)
    let time = host.time
    for earlier in [time - 50, -.infinity, .nan, 0] {
      host.session.handle(.select(0), at: earlier)
      host.session.handle(.select(nil), at: earlier)
      host.session.makeFrame(at: earlier)
    }
    host.drain()
    #expect(host.taken().filter { $0 == .selectionChanged(0) }.count == 4)
    #expect(host.session.frame.time == time)
    host.session.handle(.select(0), at: .infinity)
    host.effects = []
    host.wait(4.9)
    #expect(host.requests() == [])
    host.wait(0.2)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
  }

  @Test func `the fields of a request`() throws {
    var host = Host()
    host.tell(.display(Display(width: 389.5, height: 843.4)))
    host.tell(.fix(fix(altitude: nil)))
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 90, pitch: 10), north: .trueNorth)))
    host.tell(.open(AddressID(3)))
    let request = try #require(host.request)
    #expect(request.hasPosition && request.hasOrientation)
    #expect(request.latitudeDegrees == ulm.latitudeDegrees && request.longitudeDegrees == ulm.longitudeDegrees)
    #expect(request.altitude == 0)
    #expect(isNear(request.bearingDegrees, 90, within: 1e-9) && isNear(request.pitchDegrees, 10, within: 1e-9))
    #expect(request.width == 390 && request.height == 843)
  }
}
