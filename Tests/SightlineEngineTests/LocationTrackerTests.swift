import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct LocationTrackerTests {
  @Test(arguments: [
    fix(accuracy: -1), fix(accuracy: .nan), fix(accuracy: .infinity),
    LocationFix(latitudeDegrees: .nan, longitudeDegrees: 0, horizontalAccuracy: 5),
    LocationFix(latitudeDegrees: 90.1, longitudeDegrees: 0, horizontalAccuracy: 5),
    LocationFix(latitudeDegrees: 0, longitudeDegrees: .infinity, horizontalAccuracy: 5),
    LocationFix(latitudeDegrees: 0, longitudeDegrees: -180.1, horizontalAccuracy: 5),
  ])
  func `an invalid fix is ignored`(bad: LocationFix) {
    var host = Host()
    host.tell(.fix(bad))
    #expect(host.session.position == nil)
    #expect(host.session.status.location == .waiting)
  }

  @Test func `a circle that grows faster than anybody moves is a spike, equality is not`() {
    var host = Host()
    host.tell(.fix(fix(accuracy: 5)))
    host.wait(1)
    host.tell(.fix(fix(north: 800, accuracy: 205.001)))
    #expect(host.session.position?.latitudeDegrees == ulm.latitudeDegrees)
    host.tell(.fix(fix(north: 800, accuracy: 205)))
    #expect(host.session.position?.latitudeDegrees != ulm.latitudeDegrees)
  }

  @Test func `the first fix is taken however poor, and after a silence everything is`() {
    var host = Host()
    host.tell(.fix(fix(accuracy: 5000)))
    #expect(host.session.status.location == .inaccurate)
    host.wait(1)
    host.tell(.fix(fix(accuracy: 5)))
    host.wait(60)
    host.tell(.fix(fix(north: 300, accuracy: 5000)))
    #expect(host.session.status.location == .inaccurate)
  }

  @Test func `a fix that was under way for more than ten seconds is ignored`() {
    var host = Host()
    host.wait(0)
    host.session.handle(.fix(fix()), at: host.time - 10.1)
    #expect(host.session.position == nil)
    host.session.handle(.fix(fix()), at: host.time - 9.9)
    #expect(host.session.position != nil)
  }

  @Test func `a fix without altitude does not undo the last one, for a while`() throws {
    var host = Host.showing(world())
    host.wait(10)
    host.tell(.fix(fix(altitude: nil)))
    #expect(host.session.position?.altitude == 480)
    host.wait(10)
    host.tell(.fix(fix(altitude: .nan)))
    #expect(host.session.position?.altitude == 480)
    host.wait(61)
    host.tell(.fix(fix(altitude: nil)))
    #expect(host.session.position?.altitude == 0)
    var disowned = fix(altitude: 99)
    disowned.verticalAccuracy = -1
    host.tell(.fix(disowned))
    #expect(host.session.position?.altitude == 0)
  }

  @Test func `status names the reason`() {
    var host = Host()
    #expect(host.session.status.location == .waiting)
    for (reason, status) in [
      (UnavailableReason.timedOut, LocationStatus.waiting), (.missing, .missing), (.denied, .denied),
    ] {
      host.tell(.locationUnavailable(reason))
      #expect(host.session.status.location == status)
    }
    host.tell(.fix(fix(accuracy: 50)))
    #expect(host.session.status.location == .good)
    host.tell(.fix(fix(accuracy: 50.1)))
    #expect(host.session.status.location == .good, "a spike, ignored")
    host.wait(1)
    host.tell(.fix(fix(accuracy: 50.1)))
    #expect(host.session.status.location == .inaccurate)
    host.wait(10.1)
    #expect(host.session.status.location == .stale)
    #expect(host.session.status.location.quality == .poor)
  }
}
