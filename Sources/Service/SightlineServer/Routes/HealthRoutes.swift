import HTTPTypes
import Hummingbird
import SightlineContent

/// `/health/live`, `/health/ready`: whether to restart the process, and whether to send it requests.
struct HealthRoutes: Sendable {
  let readiness: Readiness
  let checks: ReadinessChecks

  func add(to routes: inout RouteTable) {
    // Answered by the event loop itself: no store, no lock that a stuck request could hold.
    routes.add(.get, "/health/live", .init("Whether the process lives", answer: .json("Health")), isLight: true) { _ in
      answer("alive", .ok)
    }
    // The store is waited for on the event loop too: threads that others keep busy say nothing about it.
    routes.add(
      .get,
      "/health/ready",
      .init("Whether to send it requests", answer: .json("Health")),
      isLight: true
    ) { _ in
      guard readiness.state == .ready else { return answer(readiness.state.word, .serviceUnavailable) }
      let failing = await checks.failing()
      guard failing.isEmpty else { return answer("failing", .serviceUnavailable, failing) }
      return answer("ready", .ok)
    }
  }

  private func answer(
    _ status: String,
    _ code: HTTPResponse.Status,
    _ failing: [any ReadinessCheck] = []
  ) -> Response {
    var json = JSONWriter(capacity: 64)
    json.beginObject()
    json.member("status", status)
    json.member("version", Version.current)
    if !failing.isEmpty {
      json.name("failing")
      json.beginArray()
      for check in failing {
        json.beginObject()
        json.member("check", check.name)
        json.member("advice", check.advice)
        json.endObject()
      }
      json.endArray()
    }
    json.endObject()
    return Answers.json(json.buffer, status: code)
  }
}
