import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import SightlineContent
import SightlinePictures
import SightlineStore
import SightlineTours
import Testing

@testable import SightlineServer

/// Files of one's own over HTTP, and what the server removes by itself.
@Suite struct RetentionKeeperTests {
  private static func picture(_ shade: UInt8) throws -> [UInt8] {
    let pixels = (0..<32 * 32 * 3).map { shade &+ UInt8(truncatingIfNeeded: $0 / 96) }
    return try Picture(width: 32, height: 32, layout: .rgb, pixels: pixels).png()
  }

  private func upload(_ author: SignedIn, _ shade: UInt8) async throws -> TestResponse {
    try await author.fixture.request(
      "/api/v1/assets",
      .post,
      headers: [.cookie: author.cookie, .csrfToken: author.csrf, .contentType: "application/octet-stream"],
      bytes: try Self.picture(shade)
    )
  }

  @Test func `an author sees files of one's own, and removes those that nothing refers to`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let otto = try await fixture.signedIn("otto")
    let used = try #require(try JSONAnswer(try await upload(olga, 1))["hash"] as? String)
    let unused = try #require(try JSONAnswer(try await upload(olga, 90))["hash"] as? String)
    let world = """
      {"title":"World","dimension":{"radarRange":1000,"radarAvailable":true,"relativeAltitude":false,\
      "refreshIntervalSeconds":0,"refreshDistance":0,"places":[],"overlays":[],\
      "assets":[{"id":"a","url":"/assets/\(used)"}]}}
      """
    let made = try await olga.request("/api/v1/studio/worlds", .post, world)
    #expect(made.status == .created, "\(String(buffer: made.body))")
    let list = try JSONAnswer(try await olga.request("/api/v1/assets"))
    let files = list.objects("files")
    #expect(Set(files.compactMap { $0["hash"] as? String }) == [used, unused])
    for file in files { #expect(file["inUse"] as? Bool == (file["hash"] as? String == used)) }
    #expect(list["used"] as? Int == files.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) })
    #expect(try JSONAnswer(try await otto.request("/api/v1/assets")).objects("files").isEmpty)

    try expectProblem(try await otto.request("/api/v1/assets/\(unused)", .delete), 404, "asset.unknown")
    try expectProblem(try await olga.request("/api/v1/assets/\(used)", .delete), 409, "asset.in-use")
    for odd in ["none", "%00", String(repeating: "f", count: 64), String(repeating: "f", count: 5000)] {
      try expectProblem(try await olga.request("/api/v1/assets/\(odd)", .delete), 404, "asset.unknown")
    }
    #expect(try await olga.request("/api/v1/assets/\(unused)", .delete).status == .noContent)
    #expect(try await fixture.request("/assets/\(unused)").status == .notFound)
    #expect(try await fixture.request("/assets/\(used)").status == .ok)
    let rest = try JSONAnswer(try await olga.request("/api/v1/assets"))
    #expect(rest.objects("files").count == 1)
  }

  @Test func `uploads at once stay within the quota, and a removed file makes room`() async throws {
    var size = 0
    do {
      let fixture = try await ServerFixture.withAccounts()
      let answer = try JSONAnswer(try await upload(try await fixture.signedIn("olga"), 1))
      size = try #require(answer["bytes"] as? Int)
    }
    let room = 3 * size + size / 2
    let fixture = try await ServerFixture.withAccounts { $0.quotas.assetBytes = room }
    let olga = try await fixture.signedIn("olga")
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for shade in 0..<10 { group.addTask { try await upload(olga, UInt8(shade * 20 + 1)).status.code } }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    let used = try await fixture.stores.assets.assetUse(of: olga.account.id)
    #expect(used.bytes <= room && used.count == statuses.count { $0 == 201 } && statuses.contains(413))
    let list = try JSONAnswer(try await olga.request("/api/v1/assets")).objects("files")
    let first = try #require(list.first?["hash"] as? String)
    #expect(try await olga.request("/api/v1/assets/\(first)", .delete).status == .noContent)
    #expect(try await upload(olga, 251).status == .created)
  }

  @Test func `worlds made and removed in a loop do not fill the disk`() async throws {
    let fixture = try await ServerFixture.withAccounts { $0.quotas.worlds = 3 }
    let olga = try await fixture.signedIn("olga")
    for number in 0..<12 {
      let made = try await olga.request("/api/v1/studio/worlds", .post, #"{"title":"Loop \#(number)"}"#)
      #expect(made.status == .created, "\(String(buffer: made.body))")
      let id = try #require((try JSONAnswer(made)["world"] as? [String: Any])?["id"] as? String)
      #expect(try await olga.request("/api/v1/studio/worlds/\(id)/publish", .post, "{}").status == .ok)
      #expect(try await olga.request("/api/v1/studio/worlds/\(id)", .delete).status == .noContent)
    }
    var rules = RetentionRules.server
    rules.removedWorldDays = 0
    let left = try await fixture.stores.retention.retain(rules, at: Date().addingTimeInterval(1), isDryRun: true)
    #expect(left[.removedWorlds].count == 3)
  }

  @Test func `the server's own run removes, tells the tours, and stands in the log`() async throws {
    let now = Date()
    let fixture = try await ServerFixture(clock: FixtureClock(now: { now.addingTimeInterval(8 * 86_400) }))
    let hash = try await fixture.stores.assets.saveAsset(Data("nobody's".utf8), mediaType: "image/png")
    let stored = try await fixture.stores.tours.addTour(Tour(title: "T"), owner: nil, at: now)
    let team = [TeamDraft(name: "T", color: "#112233")]
    let trial = try await fixture.stores.tourRuns.addRun(of: stored.id, teams: team, isTrial: true, at: now)
    let run = try #require(trial).id
    #expect(try await fixture.server.tours.run(run) != nil)
    let folder = fixture.folder + "/timetables"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["used.schedule", "old.schedule", "young.schedule", "notes.txt"] {
      let file = folder + "/" + name
      try Data("x".utf8).write(to: URL(fileURLWithPath: file))
      guard name != "young.schedule" else { continue }
      let old = timeval(tv_sec: Int(now.timeIntervalSince1970) - 60 * 86_400, tv_usec: 0)
      #expect(utimes(file, [old, old]) == 0)
    }
    var settings = RetentionSettings()
    settings.timetables = TimetableFolder(path: folder, used: ["used.schedule"])
    let keeper = RetentionKeeper(
      retention: fixture.stores.retention,
      leases: fixture.stores.leases,
      tours: fixture.server.tours,
      settings: settings,
      log: fixture.server.log
    )
    #expect(await keeper.once())
    #expect(try await fixture.stores.assets.asset(hash) == nil)
    #expect(try await fixture.server.tours.run(run) == nil, "nothing of it stays in memory")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(files == ["notes.txt", "used.schedule", "young.schedule"])
    let line = try #require(fixture.logLines.all.last { $0.contains("nobody needs") })
    for text in [#""files":1"#, #""runs":1"#, #""timetables":1"#] { #expect(line.contains(text), "\(line)") }
  }

  @Test func `posters of far too many words are refused quickly and in a few sentences`() throws {
    let words = (0..<15_000).map { "w\($0)" }
    var request = PosterRequest(title: "T", categories: words, sizes: [])
    request.sizes = (0..<15_000).map { .init(width: Double($0) * 1e300, height: -.infinity) }
    let (_, problems) = request.draft(id: "t")
    #expect(problems.count < 40)
    #expect(problems.contains { $0.path == "categories" } && problems.contains { $0.path == "sizes" })
  }
}
