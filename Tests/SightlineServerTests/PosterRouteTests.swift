import Foundation
import HTTPTypes
import SightlineStore
import Testing

@testable import SightlineServer

@Suite struct PosterRouteTests {
  private func fixture() async throws -> ServerFixture {
    let fixture = try await ServerFixture()
    for number in 0..<30 {
      _ = try await fixture.stores.posters.savePoster(
        Poster(
          id: "p\(number)",
          title: "Poster \(number)",
          artist: number.isMultiple(of: 2) ? "Even" : "Odd",
          text: "A long text that lists leave out",
          categories: number < 3 ? ["Few", "Nature & Co"] : ["Many"],
          sizes: [PosterSize(name: "A3", width: 297, height: 420)],
          pictures: [PosterPicture(url: "/assets/00", width: 240, height: 340)]
        )
      )
    }
    return fixture
  }

  private func ids(_ json: JSONAnswer) -> [String] { json.objects("posters").compactMap { $0["id"] as? String } }

  @Test func `the list comes in pages, without texts`() async throws {
    let fixture = try await fixture()
    let first = try JSONAnswer(try await fixture.request("/api/v1/posters"))
    #expect(ids(first) == (6..<30).reversed().map { "p\($0)" })
    #expect(first["total"] as? Int == 30)
    #expect(first.objects("posters").allSatisfy { $0["text"] == nil })
    let next = try #require(first["next"] as? String)
    let second = try JSONAnswer(try await fixture.request("/api/v1/posters?after=\(next)"))
    #expect(ids(second) == (0..<6).reversed().map { "p\($0)" })
    #expect(second["next"] == nil || second["next"] is NSNull)
  }

  @Test func `words, categories, artists and identifiers choose`() async throws {
    let fixture = try await fixture()
    for (query, expected) in [
      ("query=poster%2029", ["p29"]), ("category=Nature+%26+Co&order=title", ["p0", "p1", "p2"]),
      ("category=Few&artist=Odd", ["p1"]), ("ids=p3,none,p1,..%2Fx,p3", ["p3", "p1", "p3"]), ("query=%22", []),
      ("query=&limit=2", ["p29", "p28"]), ("category=&limit=1", ["p29"]), ("query=%00&limit=1", []),
    ] {
      let answer = try JSONAnswer(try await fixture.request("/api/v1/posters?\(query)"))
      #expect(ids(answer) == expected, "\(query)")
    }
  }

  @Test(arguments: [
    ("limit=0", "poster.limit"), ("limit=101", "poster.limit"), ("limit=ten", "poster.limit"),
    ("limit=1e9", "poster.limit"),
    ("limit=", "poster.limit"), ("order=best", "poster.order"), ("after=xyz", "poster.cursor"),
    ("after=t~61~p1", "poster.cursor"), ("after=n~99999999999999999999~p1", "poster.cursor"),
    ("query=" + String(repeating: "a", count: 201), "poster.query"),
    ("ids=" + Array(repeating: "a", count: 101).joined(separator: ","), "poster.ids"),
  ])
  func `a malformed question is answered with what is wrong`(query: String, code: String) async throws {
    let fixture = try await ServerFixture()
    try expectProblem(try await fixture.request("/api/v1/posters?\(query)"), 400, code)
  }

  @Test func `a poster has its text and similar ones`() async throws {
    let fixture = try await fixture()
    let answer = try JSONAnswer(try await fixture.request("/api/v1/posters/p1"))
    let poster = try #require(answer["poster"] as? [String: Any])
    #expect(poster["text"] as? String == "A long text that lists leave out")
    let similar = answer.objects("similar").compactMap { $0["id"] as? String }
    #expect(similar.count == 8 && similar.first == "p0" && !similar.contains("p1"))
    for id in ["none", "..", "%00", "p1%2F", "%F0%28"] {
      let response = try await fixture.request("/api/v1/posters/\(id)")
      #expect(response.status == .notFound)
    }
    try expectProblem(try await fixture.request("/api/v1/posters/none"), 404, "poster.unknown")
  }

  @Test func `categories are counted, and unchanged answers are not sent again`() async throws {
    let fixture = try await fixture()
    let response = try await fixture.request("/api/v1/poster-categories")
    let names = try JSONAnswer(response).objects("categories").map { "\($0["name"] ?? "") \($0["count"] ?? "")" }
    #expect(names == ["Many 27", "Few 3", "Nature & Co 3"])
    let tag = try #require(response.headers[.eTag])
    let again = try await fixture.request("/api/v1/poster-categories", headers: [.ifNoneMatch: tag])
    #expect(again.status == .notModified)
    _ = try await fixture.stores.posters.removePoster("p0")
    #expect(try await fixture.request("/api/v1/poster-categories", headers: [.ifNoneMatch: tag]).status == .ok)
    let zipped = try await fixture.request("/api/v1/posters", headers: [.acceptEncoding: "gzip"])
    #expect(zipped.headers[.contentEncoding] == "gzip" && zipped.headers[.vary] == "Accept-Encoding")
  }
}
