import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import Testing

@Suite struct BuildingTests {
  /// A house 12 m high, 40 m wide, whose front is 30 m north of Ulm.
  private var house: SceneBuilding {
    let frame = EastNorthUpFrame(origin: ulm)
    let corners = [Vector3(-20, 30, 0), Vector3(20, 30, 0), Vector3(20, 45, 0), Vector3(-20, 45, 0)]
    return SceneBuilding([SceneBuilding.Part(outer: corners.map { frame.geodetic($0) }, roof: 12)])
  }

  private func item(_ host: Host) -> SceneItem? { host.session.frame.items.first }

  @Test func `a place behind a house is hidden as long as the house is there`() throws {
    var host = Host.showing(world([place(north: 90, key: 1)]))
    host.draw()
    #expect(try #require(item(host)).visibility == .seen)
    host.tell(.buildings([house]))
    host.draw()
    #expect(try #require(item(host)).visibility == .hidden)
    host.tell(.buildings([]))
    host.draw()
    #expect(try #require(item(host)).visibility == .seen)
  }

  @Test func `the user's choice leaves hidden labels out`() {
    var host = Host.showing(world([place(north: 90, key: 1)]))
    host.tell(.buildings([house]))
    host.tell(.setHiddenLabels(.leaveOut))
    host.draw()
    #expect(item(host) == nil)
    host.tell(.setHiddenLabels(.dim))
    host.draw()
    #expect(item(host) != nil)
  }

  @Test func `the same events hide the same`() {
    func run() -> [SceneItem] {
      var host = Host.showing(world((0..<30).map { place(north: 90, east: Double($0) * 6 - 90, key: UInt64($0 + 1)) }))
      host.tell(.buildings([house]))
      var items: [SceneItem] = []
      for step in 0..<20 {
        host.wait(1)
        host.tell(.fix(fix(north: Double(step), east: Double(step % 3))))
        host.draw()
        items += host.session.frame.items
      }
      return items
    }
    #expect(run() == run())
  }
}
