import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// Session: a frame as a host asks for it, with the orientation event before and a touch that meets nothing after.
func benchmarkSession(_ harness: Harness) {
  guard harness.includes("Session") else { return }
  for size in [1000, 10_000, 100_000] {
    let workload = SceneWorkload(places: size, inRadius: 1000)
    var session = Session()
    open(workload, in: &session)
    step(0, workload, &session)
    precondition(session.frame.isValid, "the session is not ready")
    let inView = session.frame.items.count + session.frame.clusterMembers.count
    harness.measure(
      "Session/frame/\(size)-\(session.frame.candidateCount)-\(inView)",
      iterations: 100,
      countingAllocations: true
    ) {
      step($0, workload, &session)
    }
  }
}

private func open(_ workload: SceneWorkload, in session: inout Session) {
  let eye = workload.eye
  session.handle(.display(workload.projection.display), at: 0)
  session.handle(.camera(workload.picture), at: 0)
  session.handle(.calendar(decimalYear: 2026.5), at: 0)
  session.handle(.setRadius(workload.radius), at: 0)
  session.handle(
    .fix(
      LocationFix(
        latitudeDegrees: eye.latitudeDegrees,
        longitudeDegrees: eye.longitudeDegrees,
        altitude: eye.altitude,
        horizontalAccuracy: 5,
        verticalAccuracy: 5
      )
    ),
    at: 0
  )
  session.handle(
    .orientation(.quaternion(worldFromDevice: workload.orientation(0), north: .trueNorth)),
    at: 0
  )
  session.handle(.open(AddressID(1)), at: 0)
  while let effect = session.nextEffect() {
    if case .request(let request) = effect { session.handle(.loaded(request.id, workload.world), at: 0) }
  }
}

private func step(_ i: Int, _ workload: SceneWorkload, _ session: inout Session) {
  let now = Double(i) / 60
  session.handle(.orientation(.quaternion(worldFromDevice: workload.orientation(i), north: .trueNorth)), at: now)
  session.makeFrame(at: now)
  session.handle(.touch(Vector2(1, 1)), at: now)
  while let effect = session.nextEffect() { consume(effect) }
  consume(session.frame.items.count)
}
