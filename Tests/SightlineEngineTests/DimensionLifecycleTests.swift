import SightlineEngine
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// The browser logic of GDDF, row by row of its table of events.
@Suite struct DimensionLifecycleTests {
  // MARK: Opening

  @Test func `an opened address waits for position and orientation`() {
    var host = Host()
    host.tell(.open(AddressID(1)))
    #expect(host.requests() == [])
    #expect(host.session.status.content == .waitingForSensors)
    host.tell(.fix(fix()))
    #expect(host.requests() == [])
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0), north: .trueNorth)))
    #expect(host.requests() == [Asked(.initial, 1)])
    #expect(host.session.status.content == .loading)
  }

  @Test func `the last of several opened addresses counts, once`() {
    var host = Host()
    host.tell(.open(AddressID(1)))
    host.tell(.open(AddressID(2)))
    host.ready()
    host.wait(1)
    #expect(host.request?.address == AddressID(2))
    #expect(host.requests() == [])
  }

  @Test(arguments: [UnavailableReason.denied, .missing, .timedOut])
  func `a sensor that will not come is not waited for`(reason: UnavailableReason) throws {
    var host = Host()
    host.tell(.open(AddressID(1)))
    host.tell(.orientationUnavailable(reason))
    #expect(host.requests() == [])
    host.tell(.locationUnavailable(reason))
    #expect(host.requests() == [Asked(.initial, 1)])
    let request = try #require(host.request)
    #expect(!request.hasPosition && !request.hasOrientation)
  }

  @Test func `patience with silent sensors ends, and is not asked for twice`() throws {
    var host = Host()
    host.tell(.open(AddressID(1)))
    host.wait(11.9)
    #expect(host.requests() == [])
    host.wait(0.2)
    #expect(host.requests() == [Asked(.initial, 1)])
    host.answer(world([place(north: 9, action: .dimension(AddressID(2)))]))
    host.effects = []
    host.tell(.press(feature: 0))
    #expect(host.requests() == [Asked(.initial, 2)])
  }

  @Test func `an opened world replaces the running request, whose answer is ignored`() throws {
    var host = Host()
    host.ready()
    host.tell(.open(AddressID(1)))
    let first = try #require(host.request)
    host.effects = []
    host.tell(.open(AddressID(2)))
    let second = try #require(host.request)
    #expect(host.taken() == [.cancel(first.id), .request(second)])
    host.tell(.loaded(first.id, world()))
    host.tell(.failed(first.id, .network))
    #expect(host.taken() == [])
    #expect(host.session.status.content == .loading)
    host.tell(.loaded(second.id, world()))
    #expect(host.session.status.content == .ready)
  }

  // MARK: Success

  @Test func `success replaces the world and remembers its refresh address`() {
    var host = Host()
    host.ready()
    host.tell(.open(AddressID(1)))
    host.effects = []
    host.answer(world(refresh: 9))
    #expect(host.taken() == [.worldChanged(), .remember(.refreshAddress)])
    #expect(host.session.world.features.count == 1)
  }

  @Test func `without a refresh address the opened one is remembered`() {
    var host = Host()
    host.ready()
    host.tell(.open(AddressID(1)))
    host.effects = []
    host.answer(world(refresh: nil))
    #expect(host.taken() == [.worldChanged(), .remember(.address(AddressID(1)))])
  }

  @Test func `a world whose newer state names no refresh address came from the old one`() {
    var host = Host.showing(world(refresh: 9))
    host.tell(.refreshByHand)
    host.effects = []
    host.answer(world(refresh: nil))
    #expect(host.taken() == [.worldChanged(), .remember(.address(AddressID(9)))])
    host.tell(.refreshByHand)
    #expect(host.requests() == [Asked(.initial, 9)])
  }

  // MARK: Failure

  @Test func `failure keeps the world and stops automatic refreshing until a request succeeds`() {
    var host = Host.showing(world(every: 10, within: 50))
    host.wait(10)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
    host.fail(.status(500))
    #expect(
      host.taken() == [.loadFailed(.status(500), event: .refreshOnTime, automaticRefreshStopped: true)]
    )
    #expect(host.session.status.content == .outdated)
    #expect(host.session.world.features.count == 1)
    host.wait(100)
    host.tell(.fix(fix(north: 400)))
    #expect(host.requests() == [])
    host.tell(.refreshByHand)
    #expect(host.requests() == [Asked(.initial, nil)])
    host.answer(world(every: 10, within: 50))
    host.effects = []
    host.wait(10)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
  }

  @Test func `a failure stops nothing where nothing refreshed itself`() {
    var host = Host.showing(world())
    host.tell(.refreshByHand)
    host.effects = []
    host.fail()
    #expect(host.taken() == [.loadFailed(.network, event: .initial, automaticRefreshStopped: false)])
  }

  @Test func `a failed first load can be tried again`() {
    var host = Host()
    host.ready()
    host.tell(.open(AddressID(1)))
    host.effects = []
    host.fail(.malformed)
    #expect(host.taken() == [.loadFailed(.malformed, event: .initial, automaticRefreshStopped: false)])
    #expect(host.session.status.content == .failed)
    host.tell(.refreshByHand)
    #expect(host.requests() == [Asked(.initial, 1)])
    host.answer(world())
    #expect(host.session.status.content == .ready)
  }

  @Test func `trying again after another world failed means that one`() {
    var host = Host.showing(world())
    host.tell(.open(AddressID(2)))
    host.fail()
    #expect(host.session.status.content == .outdated)
    host.effects = []
    host.tell(.refreshByHand)
    #expect(host.requests() == [Asked(.initial, 2)])
  }

  // MARK: By time

  @Test func `the interval runs from the receipt of the answer`() {
    var host = Host()
    host.ready()
    host.tell(.open(AddressID(1)))
    host.wait(7)
    host.answer(world(every: 10))
    host.effects = []
    host.wait(9.999)
    #expect(host.requests() == [])
    host.wait(0.001)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
    host.wait(50)
    #expect(host.requests() == [], "one request runs at most")
  }

  @Test func `a world that asks for too much is fetched once a second`() {
    var host = Host.showing(world(every: 0.01))
    var count = 0
    for _ in 0..<500 {
      host.wait(0.01)
      count += host.requests().count
      host.answer(world(every: 0.01))
    }
    #expect((4...5).contains(count), "\(count) requests in 5 s")
  }

  @Test(arguments: [0, -5, Double.nan, .infinity])
  func `an interval that is not a positive number never refreshes`(seconds: Double) {
    var host = Host.showing(world(every: seconds, within: seconds))
    host.wait(1e6)
    host.tell(.fix(fix(north: 5000)))
    #expect(host.requests() == [])
  }

  @Test func `without a refresh address nothing refreshes itself`() {
    var host = Host.showing(world(every: 1, within: 1, refresh: nil))
    host.wait(100)
    host.tell(.fix(fix(north: 500)))
    #expect(host.requests() == [])
    host.tell(.refreshByHand)
    #expect(host.requests() == [Asked(.initial, 1)])
  }

  // MARK: By distance

  @Test func `distance counts from the position that was sent, horizontally, and equality is enough`() throws {
    var host = Host()
    host.ready()
    host.tell(.open(AddressID(1)))
    host.wait(2)
    // The user walks on while the request runs: that does not move the reference.
    host.tell(.fix(fix(north: 60)))
    host.answer(world(within: 100))
    host.effects = []
    host.wait(2)
    host.tell(.fix(fix(north: 99.99)))
    #expect(host.requests() == [])
    host.wait(2)
    host.tell(.fix(fix(north: 99.99, altitude: 9000)))
    #expect(host.requests() == [], "altitude does not count")
    host.wait(2)
    host.tell(.fix(fix(north: 100.000001)))
    #expect(host.requests() == [Asked(.refreshOnDistance, nil)])
  }

  @Test func `a world loaded without a position measures from the first fix`() {
    var host = Host()
    host.tell(.orientationUnavailable(.missing))
    host.tell(.locationUnavailable(.timedOut))
    host.tell(.open(AddressID(1)))
    host.answer(world(within: 100))
    host.effects = []
    host.wait(5)
    host.tell(.fix(fix()))
    host.wait(5)
    #expect(host.requests() == [])
    host.tell(.fix(fix(east: 101)))
    #expect(host.requests() == [Asked(.refreshOnDistance, nil)])
  }

  @Test func `time comes before distance when both are due`() {
    var host = Host.showing(world(every: 10, within: 100))
    host.tell(.suspend)
    host.wait(20)
    host.tell(.fix(fix(north: 200)))
    #expect(host.requests() == [])
    host.tell(.resume)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
  }

  // MARK: By press

  @Test func `a pressed item with the action refresh names itself`() {
    var content = world([place(north: 100), place(north: 200, action: .refresh)])
    content.overlays = [SceneOverlay(), SceneOverlay()]
    content.overlays[1].action = .refresh
    var host = Host.showing(content)
    host.tell(.press(feature: 1))
    #expect(host.requests() == [Asked(.refreshOnPress, nil, .feature(1))])
    host.answer(content)
    host.effects = []
    host.tell(.pressOverlay(1))
    #expect(host.requests() == [Asked(.refreshOnPress, nil, .overlay(1))])
    host.tell(.pressOverlay(0))
    host.tell(.press(feature: 0))
    #expect(host.requests() == [])
  }

  @Test func `a press while a request runs replaces it`() throws {
    var host = Host.showing(world([place(north: 200, action: .refresh)], every: 5))
    host.wait(5)
    let first = try #require(host.request)
    host.effects = []
    host.tell(.press(feature: 0))
    let second = try #require(host.request)
    #expect(
      host.taken() == [.selectionChanged(0), .cancel(first.id), .request(second)]
    )
    #expect(second.event == .refreshOnPress)
  }

  @Test func `refresh without a refresh address does nothing`() {
    var host = Host.showing(world([place(north: 200, action: .refresh)], refresh: nil))
    host.tell(.press(feature: 0))
    #expect(host.requests() == [])
  }

  @Test func `a link to another world is loaded as if opened, without naming the item`() {
    var host = Host.showing(world([place(north: 200, action: .dimension(AddressID(5)))]))
    host.tell(.press(feature: 0))
    #expect(host.requests() == [Asked(.initial, 5)])
    #expect(host.session.status.content == .refreshing)
  }

  @Test func `a link to a web page is left to the host`() {
    var host = Host.showing(world([place(north: 200, action: .webPage(AddressID(6)))]))
    host.tell(.press(feature: 0))
    #expect(host.taken() == [.selectionChanged(0), .openWebPage(AddressID(6))])
  }

  @Test(arguments: [-1, 1, Int32.max, Int32.min])
  func `pressing what is not there does nothing`(index: Int32) {
    var host = Host.showing(world())
    host.tell(.press(feature: index))
    host.tell(.pressOverlay(index))
    host.tell(.toggleCluster(index))
    #expect(host.taken() == [])
  }

  // MARK: Suspending

  @Test func `suspending stops the triggers and keeps due time and reference`() {
    var host = Host.showing(world(every: 10))
    host.wait(6)
    host.tell(.suspend)
    host.wait(2)
    host.tell(.resume)
    host.wait(1.9)
    #expect(host.requests() == [], "resuming does not start the interval again")
    host.wait(0.2)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
  }

  @Test func `what became due meanwhile fires at once on resuming`() {
    var host = Host.showing(world(every: 10))
    host.tell(.suspend)
    host.wait(100)
    #expect(host.requests() == [])
    host.tell(.resume)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
  }

  @Test func `the user can ask for a world while suspended`() {
    var host = Host.showing(world())
    host.tell(.suspend)
    host.tell(.refreshByHand)
    #expect(host.requests() == [Asked(.initial, nil)])
    host.tell(.open(AddressID(4)))
    #expect(host.requests() == [Asked(.initial, 4)])
  }

  @Test func `nothing to refresh, nothing happens`() {
    var host = Host()
    host.ready()
    host.tell(.refreshByHand)
    #expect(host.taken() == [])
    #expect(host.session.status.content == .nothingOpened)
  }
}
