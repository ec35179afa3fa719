import HTTPTypes
import Hummingbird
import SightlineContent
import SightlineStore

/// `/health/live`, `/health/ready`: whether to restart the process, and whether to send it requests.
struct HealthRoutes: Sendable {
  let readiness: Readiness
  let worlds: any WorldStore

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
      guard readiness.state == .ready else { return answer(readiness.state.rawValue, .serviceUnavailable) }
      do {
        _ = try await worlds.generation()
      } catch {
        return answer("store unreachable", .serviceUnavailable)
      }
      return answer("ready", .ok)
    }
  }

  private func answer(_ status: String, _ code: HTTPResponse.Status) -> Response {
    var json = JSONWriter(capacity: 64)
    json.beginObject()
    json.member("status", status)
    json.member("version", Version.current)
    json.endObject()
    return Answers.json(json.buffer, status: code)
  }
}
