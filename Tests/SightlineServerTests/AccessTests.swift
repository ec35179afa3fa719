import Foundation
import HTTPTypes
import HummingbirdTesting
import SightlineStore
import Testing

@testable import SightlineServer

/// Who may use a route.
enum Access {
  /// Everybody.
  case everyone
  /// Whoever is signed in.
  case author
  /// Operators.
  case operators
  /// Whoever owns the object, those it is shared with, and operators; others are told that it is somebody else's.
  case owner
  /// The same, but others are answered as if there were none: its name tells nobody anything.
  case hidden
}

/// Every route with its methods and who may use it.
///
/// A route that is not in the table fails the test: whoever adds one decides here who may use it. Rows for objects that
/// somebody owns say how one is made (`AccessTests.makeObject`).
let accessTable: [(method: HTTPRequest.Method, pattern: String, access: Access)] = [
  (.get, "/", .everyone),
  (.get, "/favicon.ico", .everyone),
  (.get, "/client/{build}/{path...}", .everyone),
  (.get, "/embed/{path...}", .everyone),
  (.get, "/examples", .everyone),
  (.get, "/examples/{path...}", .everyone),
  (.get, "/sw.js", .everyone),
  (.get, "/api/v1/client", .everyone),
  (.get, "/health/live", .everyone),
  (.get, "/health/ready", .everyone),
  (.get, "/api/v1/settings", .everyone),
  (.get, "/api/v1/worlds", .everyone),
  (.get, "/api/v1/worlds/{id}", .everyone),
  (.post, "/api/v1/worlds/{id}", .everyone),
  (.get, "/api/v1/worlds/{id}/export", .everyone),
  (.get, "/worlds/{id}.gddf", .everyone),
  (.post, "/worlds/{id}.gddf", .everyone),
  (.get, "/api/v1/nearby", .everyone),
  (.post, "/api/v1/nearby", .everyone),
  (.get, "/api/v1/search", .everyone),
  (.get, "/api/v1/geocode", .everyone),
  (.post, "/api/v1/ground", .everyone),
  (.get, "/api/v1/ground/tiles/{zoom}/{column}/{row}", .everyone),
  (.post, "/api/v1/routes/foot", .everyone),
  (.post, "/api/v1/routes/foot/distances", .everyone),
  (.post, "/api/v1/open", .everyone),
  (.get, "/frame", .everyone),
  (.post, "/api/v1/osm/{topic}", .everyone),
  (.get, "/api/v1/asset", .everyone),
  (.get, "/assets/{hash}", .everyone),
  (.get, "/api/v1/posters", .everyone),
  (.get, "/api/v1/posters/{id}", .everyone),
  (.get, "/api/v1/posters/{id}/target", .everyone),
  (.get, "/api/v1/poster-categories", .everyone),
  (.post, "/api/v1/posters", .author),
  (.put, "/api/v1/posters/{id}", .owner),
  (.delete, "/api/v1/posters/{id}", .owner),
  (.get, "/api/v1/studio/posters", .author),
  (.get, "/api/v1/studio/posters/{id}", .owner),
  (.get, "/api/v1/openapi.json", .everyone),
  (.get, "/transit/forecast.json", .everyone),
  (.post, "/transit/forecast.json", .everyone),
  (.post, "/api/v1/transit/stops", .everyone),
  (.post, "/api/v1/transit/departures", .everyone),
  (.post, "/api/v1/transit/stream", .everyone),
  (.get, "/api/v1/transit/stream/{id}", .everyone),
  (.post, "/api/v1/transit/vehicles", .everyone),
  (.post, "/api/v1/transit/shapes", .everyone),
  (.post, "/api/v1/transit/streets", .everyone),
  (.get, "/api/v1/transit/providers", .everyone),
  (.get, "/api/v1/session", .everyone),
  (.post, "/api/v1/session", .everyone),
  (.delete, "/api/v1/session", .author),
  (.put, "/api/v1/session/password", .author),
  (.post, "/api/v1/invitations/open", .everyone),
  (.post, "/api/v1/invitations/accept", .everyone),
  (.get, "/api/v1/accounts", .operators),
  (.post, "/api/v1/accounts", .operators),
  (.patch, "/api/v1/accounts/{id}", .operators),
  (.get, "/api/v1/accounts/{id}", .operators),
  (.delete, "/api/v1/accounts/{id}", .operators),
  (.post, "/api/v1/accounts/{id}/reset", .operators),
  (.delete, "/api/v1/accounts/{id}/second-factor", .operators),
  (.get, "/api/v1/invitations", .operators),
  (.delete, "/api/v1/invitations/{id}", .operators),
  (.get, "/api/v1/sessions", .author),
  (.delete, "/api/v1/sessions", .author),
  (.delete, "/api/v1/sessions/{id}", .author),
  (.get, "/api/v1/security-log", .author),
  (.get, "/api/v1/session/account", .author),
  (.delete, "/api/v1/session/account", .author),
  (.post, "/api/v1/session/second-factor", .author),
  (.put, "/api/v1/session/second-factor", .author),
  (.delete, "/api/v1/session/second-factor", .author),
  (.post, "/api/v1/session/second-factor/recovery-codes", .author),
  (.get, "/api/v1/assets", .author),
  (.post, "/api/v1/assets", .author),
  (.delete, "/api/v1/assets/{hash}", .author),
  (.get, "/api/v1/worlds/{id}/code", .everyone),
  (.get, "/api/v1/studio/worlds", .author),
  (.post, "/api/v1/studio/worlds", .author),
  (.post, "/api/v1/studio/read", .author),
  (.get, "/api/v1/studio/worlds/{id}", .hidden),
  (.put, "/api/v1/studio/worlds/{id}", .hidden),
  (.delete, "/api/v1/studio/worlds/{id}", .hidden),
  (.post, "/api/v1/studio/worlds/{id}/publish", .hidden),
  (.delete, "/api/v1/studio/worlds/{id}/publish", .hidden),
  (.put, "/api/v1/studio/worlds/{id}/members", .hidden),
  (.get, "/api/v1/studio/worlds/{id}/history", .hidden),
  (.get, "/api/v1/studio/worlds/{id}/history/{version}", .hidden),
  (.get, "/api/v1/studio/worlds/{id}/copies/{number}", .hidden),
  (.delete, "/api/v1/studio/worlds/{id}/copies/{number}", .hidden),
  (.get, "/api/v1/studio/worlds/{id}/export", .hidden),
  (.get, "/api/v1/tours", .author),
  (.post, "/api/v1/tours", .author),
  (.get, "/api/v1/tours/{tour}", .hidden),
  (.put, "/api/v1/tours/{tour}", .hidden),
  (.delete, "/api/v1/tours/{tour}", .hidden),
  (.post, "/api/v1/tours/{tour}/runs", .hidden),
  (.get, "/api/v1/tour-runs/{run}", .hidden),
  (.delete, "/api/v1/tour-runs/{run}", .hidden),
  (.get, "/api/v1/tour-runs/{run}/events", .hidden),
  (.post, "/api/v1/tour-runs/{run}/command", .hidden),
  (.post, "/api/v1/tour-runs/{run}/messages", .hidden),
  (.post, "/api/v1/tour-runs/{run}/marks", .hidden),
  (.get, "/api/v1/tour-runs/{run}/teams", .hidden),
  (.post, "/api/v1/tour-runs/{run}/teams", .hidden),
  (.put, "/api/v1/tour-runs/{run}/teams/{number}", .hidden),
  (.get, "/api/v1/tour-runs/{run}/sheet.pdf", .hidden),
  (.get, "/api/v1/tour-runs/{run}/tables/{table}", .hidden),
  // Teams have no account; what they need besides is the secret that joining gives (`TourTests`).
  (.post, "/api/v1/tour-team/join", .everyone),
  (.get, "/api/v1/tour-team", .everyone),
  (.post, "/api/v1/tour-team/state", .everyone),
  (.post, "/api/v1/tour-team/events", .everyone),
  (.get, "/api/v1/tour-team/ranking", .everyone),
  (.post, "/api/v1/tour-team/help", .everyone),
  (.get, "/t/{code}", .everyone),
  (.post, "/t/{code}", .everyone),
  (.get, "/t/{code}.gddf", .everyone),
  (.post, "/t/{code}.gddf", .everyone),
  (.get, "/tours/play/{secret}.gddf", .everyone),
  (.post, "/tours/play/{secret}.gddf", .everyone),
]

@Suite struct AccessTests {
  /// What one asks for: a path under which there is an object of `owner`, where the route is about one.
  private func path(_ pattern: String, _ owner: SignedIn) async throws -> String {
    if pattern.hasPrefix("/api/v1/accounts/{id}") {
      return pattern.replacing("{id}", with: String(owner.account.id))
    }
    if pattern.hasPrefix("/api/v1/studio/worlds/{id}") {
      let response = try await owner.request("/api/v1/studio/worlds", .post, #"{"title":"Object"}"#)
      let world = try JSONAnswer(response)["world"] as? [String: Any]
      let id = try #require(world?["id"] as? String)
      return pattern.replacing("{id}", with: id).replacing("{version}", with: "1").replacing("{number}", with: "1")
    }
    if pattern.hasSuffix("posters/{id}") {
      let id = "object-\(UUID().uuidString.lowercased())"
      let poster = Poster(
        id: id,
        title: "Object",
        sizes: [PosterSize(name: "A3", width: 297, height: 420)],
        pictures: [PosterPicture(url: "/assets/00", width: 240, height: 340)]
      )
      _ = try await owner.fixture.stores.posters.addPoster(poster, owner: owner.account.id, limit: 100)
      return pattern.replacing("{id}", with: id)
    }
    if pattern.contains("{tour}") || pattern.contains("{run}") {
      let made = try JSONAnswer(try await owner.request("/api/v1/tours", .post, TourTests.tour))
      let tour = try #require(made["id"] as? String)
      let team = ##"{"teams":[{"name":"T","color":"#112233"}]}"##
      let run = try JSONAnswer(try await owner.request("/api/v1/tours/\(tour)/runs", .post, team))["run"]
      let id = try #require((run as? [String: Any])?["id"] as? String)
      // A stream of events would not end; a server that stops refuses it to those who may have it.
      owner.fixture.server.boards.hub.close()
      return pattern.replacing("{tour}", with: tour).replacing("{run}", with: id).replacing("{number}", with: "1")
        .replacing("{table}", with: "results.csv")
    }
    return pattern.replacing("{code}", with: "NONE").replacing("{secret}", with: "none")
      .replacing("{build}", with: "dev").replacing("{path...}", with: "app.js")
      .replacing("{id}", with: "none").replacing("{hash}", with: String(repeating: "0", count: 64))
  }

  private enum Verdict: Equatable { case allowed, signInFirst, hidden, refused(String) }

  /// What is said where there is none.
  private static let missing: Set<String> = ["studio.unknown", "tour.unknown", "tour.run-unknown"]

  private func verdict(_ response: TestResponse) throws -> Verdict {
    let code = try? JSONAnswer(response)["code"] as? String
    if response.status == .notFound, let code, AccessTests.missing.contains(code) { return .hidden }
    guard let code, code.hasPrefix("account.") else { return .allowed }
    if response.status == .unauthorized, code == "account.required" { return .signInFirst }
    return response.status == .forbidden ? .refused(code) : .allowed
  }

  @Test func `every route is in the table, and no other`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    var served: Set<String> = []
    for route in fixture.server.routes.routes {
      for method in route.handlers.keys { served.insert("\(method.rawValue) \(route.pattern)") }
    }
    let listed = accessTable.map { "\($0.method.rawValue) \($0.pattern)" }
    #expect(Set(listed).count == listed.count)
    #expect(served.subtracting(listed) == [], "decide in AccessTests.swift who may use these")
    #expect(Set(listed).subtracting(served) == [])
  }

  @Test(arguments: accessTable.indices)
  func `a route answers those it is for, with own and foreign objects`(row: Int) async throws {
    let (method, pattern, access) = accessTable[row]
    let fixture = try await ServerFixture.withAccounts { _ in }
    // Each role in a server of its own state: a row may sign somebody out.
    let owner = try await fixture.signedIn("olga")
    let other = try await fixture.signedIn("otto")
    let chief = try await fixture.signedIn("chief", .operator)
    let closed = try await fixture.signedIn("clara")
    _ = try await fixture.stores.accounts.changeAccount(closed.account.id, role: .author, isActive: false)
    let isChange = method != .get
    let body = isChange ? "{}" : nil

    // Nobody, and somebody whose account was closed.
    for headers: HTTPFields in [[:], [.cookie: closed.cookie, .csrfToken: closed.csrf], [.cookie: "sightline=forged"]] {
      var headers = headers
      headers[.contentType] = "application/json"
      let path = try await path(pattern, owner)
      let found = try verdict(try await fixture.request(path, method, headers: headers, body: body))
      #expect(found == (access == .everyone ? .allowed : .signInFirst), "nobody: \(found)")
    }
    // A page of another site in a browser that is signed in, and an own page without the secret.
    if isChange, access != .everyone {
      for headers: HTTPFields in [
        [.csrfToken: ""], [.csrfToken: other.csrf], [.origin: "https://evil.example"], [.fetchSite: "cross-site"],
        [.fetchSite: "same-site"],
      ] {
        let path = try await path(pattern, chief)
        let found = try verdict(try await chief.request(path, method, body, headers: headers))
        #expect(found == .refused("account.csrf") || found == .refused("account.cross-site"), "\(headers): \(found)")
      }
    }
    // Another author with the owner's object.
    let foreign = try verdict(try await other.request(try await path(pattern, owner), method, body))
    switch access {
    case .everyone, .author: #expect(foreign == .allowed)
    case .operators: #expect(foreign == .refused("account.role"))
    case .owner: #expect(foreign == .refused("account.owner"))
    case .hidden: #expect(foreign == .hidden)
    }
    // The owner, and the operator with it; he may delete the owner's account.
    let own = try verdict(try await owner.request(try await path(pattern, owner), method, body))
    #expect(own == (access == .operators ? .refused("account.role") : .allowed))
    let byOperator = try verdict(try await chief.request(try await path(pattern, owner), method, body))
    #expect(byOperator == .allowed)
  }
}
