import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// Several worlds shown together: each is fetched, fails and is replaced by its own rules.
struct SeveralWorldsTests {
  /// A host with a world at address 1, and another at address 2 beside it.
  private func both(_ first: WorldDescription, _ second: WorldDescription) -> Host {
    var host = Host.showing(first, at: 1)
    host.tell(.openBeside(AddressID(2), world: 1))
    host.answer(second)
    host.effects = []
    return host
  }

  @Test func `a second world is asked for by its number and joins the first`() throws {
    var host = Host.showing(world([place(north: 100, key: 1), place(north: 200, key: 2)]))
    host.tell(.openBeside(AddressID(2), world: 1))
    let request = try #require(host.request)
    #expect(request.world == 1 && request.address == AddressID(2) && request.event == .initial)
    #expect(host.session.status.content == .refreshing)
    #expect(host.session.contentStatus(ofWorld: 0) == .ready)
    #expect(host.session.contentStatus(ofWorld: 1) == .loading)
    host.effects = []
    host.answer(world([place(north: 300, key: 1)], refresh: nil))
    #expect(host.taken() == [.worldChanged(world: 1), .remember(.address(AddressID(2)), world: 1)])
    #expect(host.session.world.features.count == 3)
    #expect(host.session.features(ofWorld: 0) == 0..<2 && host.session.features(ofWorld: 1) == 2..<3)
    // Equal keys of two worlds are two things.
    #expect(Set(host.session.world.features.map(\.key)).count == 3)
    #expect(host.session.status.content == .ready)
  }

  @Test func `each refreshes by its own clock`() {
    var host = both(world(every: 10), world(every: 25, refresh: 8))
    host.wait(10)
    #expect(host.request?.world == 0)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
    host.answer(world(every: 10))
    host.wait(10)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
    host.answer(world(every: 10))
    host.effects = []
    host.wait(5)
    #expect(host.request?.world == 1)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
    // The other's clock ran on meanwhile, and both may be under way at once.
    host.wait(5)
    #expect(host.request?.world == 0)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
  }

  @Test func `each refreshes by its own distance`() {
    var host = both(world(within: 100), world(within: 400, refresh: 8))
    host.wait(5)
    host.tell(.fix(fix(north: 150)))
    #expect(host.request?.world == 0)
    #expect(host.requests() == [Asked(.refreshOnDistance, nil)])
    host.answer(world(within: 100_000))
    host.wait(5)
    host.effects = []
    host.tell(.fix(fix(north: 450)))
    #expect(host.request?.world == 1)
    #expect(host.requests() == [Asked(.refreshOnDistance, nil)])
  }

  @Test func `a failure stops the one it happened to, and keeps both`() {
    var host = both(world(every: 10), world(every: 10, refresh: 8))
    host.wait(10)
    let ids = host.effects.compactMap { if case .request(let request) = $0 { request } else { nil } }
    #expect(ids.map(\.world) == [0, 1])
    host.effects = []
    host.tell(.loaded(ids[0].id, world(every: 10)))
    host.tell(.failed(ids[1].id, .network))
    #expect(
      host.taken().contains(
        .loadFailed(.network, event: .refreshOnTime, automaticRefreshStopped: true, world: 1)
      )
    )
    #expect(host.session.world.features.count == 2)
    #expect(host.session.status.content == .outdated)
    host.wait(10)
    #expect(host.request?.world == 0)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
    // By hand both are fetched: the failed one from where it came last.
    host.answer(world(every: 10))
    host.effects = []
    host.tell(.refreshByHand)
    #expect(host.requests() == [Asked(.initial, nil), Asked(.initial, nil)])
  }

  @Test func `a hidden world shows nothing, asks for nothing, and comes back as it was`() {
    var host = both(world(), world([place(north: 300, key: 7)], every: 10, refresh: 8))
    host.tell(.select(1))
    host.effects = []
    host.tell(.hideWorld(1, true))
    #expect(host.taken() == [.worldChanged(world: 1), .selectionChanged(nil)])
    #expect(host.session.world.features.count == 1)
    #expect(host.session.features(ofWorld: 1)?.isEmpty == true)
    host.wait(100)
    #expect(host.requests() == [])
    host.tell(.hideWorld(1, false))
    #expect(host.session.world.features.count == 2)
    // What became due meanwhile is fetched at once.
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
    host.tell(.hideWorld(0, true))
    #expect(host.session.world.features.count == 1 && host.session.features(ofWorld: 1) == 0..<1)
  }

  @Test func `closing forgets a world, its request, and the selection in it`() throws {
    var host = both(world(), world([place(north: 300, key: 7)], refresh: 8))
    host.tell(.select(1))
    host.tell(.refreshByHand)
    let running = try #require(host.request)
    #expect(running.world == 1)
    host.effects = []
    host.tell(.closeWorld(1))
    #expect(host.taken() == [.cancel(running.id), .worldChanged(world: 1), .selectionChanged(nil)])
    #expect(host.session.contentStatus(ofWorld: 1) == nil)
    host.tell(.loaded(running.id, world()))
    #expect(host.taken() == [])
    #expect(host.session.world.features.count == 1)
  }

  @Test func `without the first world the others go on`() {
    var host = both(world(), world([place(north: 300, key: 7)], refresh: 8))
    host.tell(.closeWorld(0))
    #expect(host.session.world.features.count == 1 && host.session.features(ofWorld: 1) == 0..<1)
    #expect(host.session.status.content == .ready)
    #expect(host.session.contentStatus(ofWorld: 0) == .nothingOpened)
    host.tell(.open(AddressID(5)))
    host.answer(world())
    #expect(host.session.world.features.count == 2 && host.session.features(ofWorld: 1) == 1..<2)
  }

  @Test func `a tap does what it does in its own world, named as that world counts`() {
    var second = world([place(north: 300), place(north: 310, action: .refresh)], refresh: 8)
    var overlay = SceneOverlay()
    overlay.action = .refresh
    second.overlays = [overlay]
    var host = both(world([place(north: 1), place(north: 2)]), second)
    host.tell(.press(feature: 3))
    #expect(host.request?.world == 1)
    #expect(host.requests() == [Asked(.refreshOnPress, nil, .feature(1))])
    host.answer(second)
    host.effects = []
    host.tell(.pressOverlay(0))
    #expect(host.request?.world == 1)
    #expect(host.requests() == [Asked(.refreshOnPress, nil, .overlay(0))])
    var leading = second
    leading.features[0].action = .dimension(AddressID(6))
    host.answer(leading)
    host.effects = []
    host.tell(.press(feature: 2))
    #expect(host.request?.world == 1 && host.request?.address == AddressID(6))
  }

  @Test func `a selection survives what other worlds do`() {
    var host = both(
      world([place(north: 1, key: 1), place(north: 2, key: 2)]),
      world([place(north: 3, key: 1)], refresh: 8)
    )
    host.tell(.select(2))
    host.effects = []
    host.tell(.hideWorld(0, true))
    #expect(host.session.selected == 0)
    #expect(host.taken() == [.worldChanged(world: 0), .selectionChanged(0)])
  }

  @Test func `the radar is as wide as the widest world wants, and there if one wants it`() {
    var (near, wide, none) = (world(), world(refresh: 8), world(refresh: 7))
    near.radarRange = 200
    wide.radarRange = 3000
    none.radarRange = 9000
    none.radarAvailable = false
    var host = both(near, wide)
    #expect(host.session.world.radarRange == 3000)
    host.tell(.openBeside(AddressID(3), world: 2))
    host.answer(none)
    #expect(host.session.world.radarRange == 3000 && host.session.world.radarAvailable)
    host.tell(.hideWorld(1, true))
    #expect(host.session.world.radarRange == 200)
    host.tell(.hideWorld(0, true))
    #expect(!host.session.world.radarAvailable)
  }

  @Test func `lines, areas and overlays named by features stay with their own world`() {
    var one = world([place(north: 1), place(north: 2)])
    one.overlays = [SceneOverlay(), SceneOverlay()]
    one.focusOverlays = [1]
    one.features[1].focusOverlays = 0..<1
    one.paths = [ScenePath(feature: 1, shape: 4, isRing: false, vertices: 0..<2)]
    one.pathVertices = [
      PathVertex(latitudeDegrees: 48, longitudeDegrees: 9), PathVertex(latitudeDegrees: 48.1, longitudeDegrees: 9),
    ]
    var two = one
    two.refreshAddress = AddressID(8)
    // Points outside its own world: must not point into the other.
    two.focusOverlays.append(9)
    two.features[0].focusOverlays = 1..<2
    two.paths.append(ScenePath(feature: 40, shape: 5, isRing: false, vertices: 0..<2))
    let host = both(one, two)
    let joined = host.session.world
    #expect(joined.overlays.count == 4)
    #expect(joined.focusOverlays == [1, 3, -1])
    #expect(joined.features.map(\.focusOverlays) == [0..<0, 0..<1, 2..<3, 1..<2])
    #expect(joined.paths.map(\.feature) == [1, 3])
    #expect(joined.paths[0].shape != joined.paths[1].shape)
    #expect(joined.paths.map(\.vertices) == [0..<2, 2..<4])
  }

  @Test func `world numbers out of range are ignored`() {
    var host = Host.showing(world())
    for number: Int32 in [-1, 16, .max, .min] { host.tell(.openBeside(AddressID(2), world: number)) }
    host.tell(.closeWorld(5))
    host.tell(.hideWorld(-1, true))
    #expect(host.taken() == [])
    #expect(host.session.world.features.count == 1)
  }

  @Test func `whatever is opened, hidden, closed and answered, the join is that of the shown worlds`() {
    var random = SplitMix64(seed: 0x5EED_0052)
    var host = Host()
    host.ready()
    var running: [Int32: RequestID] = [:]
    var shown: [Int32: (count: Int, isHidden: Bool)] = [:]
    for _ in 0..<2000 {
      let number = Int32.random(in: 0..<5, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: host.tell(.openBeside(AddressID(Int32.random(in: 0..<9, using: &random)), world: number))
      case 1:
        host.tell(.closeWorld(number))
        shown[number] = nil
        running[number] = nil
      case 2, 3:
        guard let id = running.removeValue(forKey: number) else { continue }
        let count = Int.random(in: 0..<4, using: &random)
        host.tell(.loaded(id, world((0..<count).map { place(north: Double($0), key: UInt64($0 + 1)) })))
        shown[number] = (count, shown[number]?.isHidden ?? false)
      case 4:
        let isHidden = Bool.random(using: &random)
        host.tell(.hideWorld(number, isHidden))
        if host.session.contentStatus(ofWorld: number) != nil {
          shown[number] = (shown[number]?.count ?? 0, isHidden)
        }
      default: host.tell(.select(Int32.random(in: 0..<12, using: &random)))
      }
      for case .request(let request) in host.taken() { running[request.world] = request.id }
      var next = 0
      for (number, world) in shown.sorted(by: { $0.key < $1.key }) where !world.isHidden && world.count > 0 {
        #expect(host.session.features(ofWorld: number) == next..<(next + world.count))
        next += world.count
      }
      #expect(host.session.world.features.count == next)
      if let selected = host.session.selected { #expect(Int(selected) < next) }
    }
  }
}
