import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// The known defects of the AR browser of 2010, each of which must not come back.
///
/// The numbers are those of its analysis.
@Suite struct LegacyBrowserDefectTests {
  @Test func `1: a place that is not to be on the radar is not`() {
    var hidden = place(north: 300)
    hidden.showInRadar = false
    var host = Host.showing(world([hidden, place(north: 400)]))
    host.draw()
    #expect(host.session.frame.radar.blips.map(\.feature) == [1])
    #expect(host.session.frame.items.count == 2)
  }

  @Test func `4: suspending with a running request does not end automatic refreshing`() {
    var host = Host.showing(world(every: 10))
    host.wait(10)
    host.tell(.suspend)
    host.answer(world(every: 10))
    #expect(host.session.status.content == .ready)
    host.tell(.resume)
    host.effects = []
    host.wait(10)
    #expect(host.requests() == [Asked(.refreshOnTime, nil)])
  }

  @Test func `6: a failed first load leaves something to retry`() {
    var host = Host()
    host.tell(.open(AddressID(3)))
    host.ready()
    host.fail(.timedOut)
    host.effects = []
    host.tell(.refreshByHand)
    #expect(host.requests() == [Asked(.initial, 3)])
  }

  @Test func `7: of two labels under a finger the one whose centre is nearer is hit, not the first of the document`() {
    var first = place(north: 300, east: -4)
    var second = place(north: 300, east: 4)
    first.pivot = Vector2(0.5, 0.5)
    second.pivot = Vector2(0.5, 0.5)
    (first.width, first.height) = (10, 10)
    (second.width, second.height) = (10, 10)
    var host = Host.showing(world([first, second]))
    host.draw()
    let items = host.session.frame.items
    guard let target = items.first(where: { $0.feature == 1 }) else {
      Issue.record("the second place is not drawn")
      return
    }
    host.tell(.touch(target.center + Vector2(-1, 0)))
    #expect(host.session.selected == 1)
  }

  @Test func `8: a heading that the platform calls invalid is not north`() {
    var host = Host()
    host.tell(.calendar(decimalYear: 2026.5))
    host.tell(.fix(fix()))
    host.tell(
      .orientation(.browserAnglesWithCompass(alpha: 40, beta: 20, gamma: 0, heading: -1, accuracy: -1))
    )
    #expect(host.session.status.heading == .noNorth)
  }

  @Test func `10: up is the ellipsoid's normal`() throws {
    // Straight up the ellipsoid's normal a geocentric "up" would miss by 0.19°: 3.3 m at 1 km.
    var above = SceneFeature(latitudeDegrees: ulm.latitudeDegrees, longitudeDegrees: ulm.longitudeDegrees)
    above.altitude = 1480
    var host = Host.showing(world([above]))
    host.tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0, pitch: 90), north: .trueNorth)))
    host.draw()
    let item = try #require(host.session.frame.items.first)
    #expect(isNear(item.anchor.x, 195, within: 1e-6) && isNear(item.anchor.y, 422, within: 1e-6))
  }

  @Test func `12: a request after a turn of the screen carries the new size`() throws {
    var host = Host.showing(world())
    host.tell(.display(Display(width: 844, height: 390, screenAngleDegrees: 90)))
    host.tell(.refreshByHand)
    let request = try #require(host.request)
    #expect(request.width == 844 && request.height == 390)
  }

  @Test func `the ages are judged by the clock, not by the next reading`() {
    var host = Host.showing(world())
    #expect(host.session.status.location == .good && host.session.status.heading == .good)
    host.wait(5)
    #expect(host.session.status.location == .good && host.session.status.heading == .stale)
    host.wait(5.5)
    #expect(host.session.status.location == .stale)
  }
}
