import Crypto
import Foundation
import GRDB
import SightlineContent
import SightlineTestSupport
import SightlineTours
import Synchronization
import Testing

@testable import SightlineStore

/// What the retention removes, and what it never does.
///
/// Time is the caller's, so that a month passes in no time.
@Suite struct RetentionStoreTests {
  static func later(_ days: Double) -> Date { Date().addingTimeInterval(days * 86_400) }

  static func bytes(_ text: String) -> Data { Data("a file called \(text)".utf8) }

  static func hash(_ text: String) -> String { Data(SHA256.hash(data: bytes(text))).hexadecimal }

  static func dimension(_ files: [String], _ name: String = "World") -> SightlineContent.Dimension {
    var dimension = SightlineContent.Dimension()
    dimension.name = name
    dimension.assets = files.map { Asset(id: $0, url: "/assets/\(hash($0))") }
    return dimension
  }

  static func world(_ id: String, _ files: [String], _ name: String = "World") -> WorldDraft {
    WorldDraft(id: id, dimension: dimension(files, name), format: "studio")
  }

  static func content(_ files: [String], _ name: String = "World") throws -> StudioContent {
    StudioContent(json: try ContentJSON.encode(dimension(files, name)), title: name, places: 0)
  }

  static func poster(_ id: String, _ file: String) -> Poster {
    var poster = PosterStoreTests.poster(id)
    poster.pictures = [PosterPicture(url: "/assets/\(hash(file))", width: 240, height: 340)]
    return poster
  }

  static func tour(_ file: String) -> Tour {
    var tour = Tour(title: "T")
    var station = Station(id: "s", kind: .picture, title: "S", position: Position(latitude: 52, longitude: 4))
    station.picture = hash(file)
    tour.stations = [station]
    return tour
  }

  static func keep(_ files: [String], in stores: Stores, of account: Int64? = nil) async throws {
    for file in files {
      if let account {
        let file = AssetFile(bytes: bytes(file), mediaType: "image/png")
        guard case .kept = try await stores.assets.keepAssets([file], account: account, limit: .max) else {
          Issue.record("not kept")
          return
        }
      } else {
        _ = try await stores.assets.saveAsset(bytes(file), mediaType: "image/png")
      }
    }
  }

  static func kept(_ files: [String], in stores: Stores) async throws -> [String] {
    var kept: [String] = []
    for file in files {
      if try await stores.assets.asset(hash(file)) != nil { kept.append(file) }
    }
    return kept
  }

  @Test(arguments: Backend.all) func `files stay while anything refers to them, whatever kind of document it is`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    let files = [
      "live", "version", "draft", "earlier", "copy", "poster", "tour", "run", "escaped", "joined", "nobody's",
    ]
    try await Self.keep(files, in: stores, of: olga)
    _ = try await stores.worlds.save(Self.world("one", ["version"]))
    _ = try await stores.worlds.save(Self.world("one", ["live"]))
    _ = try await stores.studio.addStudioWorld(
      "two",
      owner: olga,
      content: try Self.content(["earlier"]),
      adopting: false
    )
    #expect(try await stores.studio.saveDraft(try Self.content(["draft"]), of: "two", base: 1, author: olga) == 2)
    _ = try await stores.studio.keepCopy(try Self.content(["copy"]), of: "two", base: 1, author: olga)
    _ = try await stores.posters.savePoster(Self.poster("three", "poster"))
    let tour = try await stores.tours.addTour(Self.tour("run"), owner: olga, at: Date())
    let team = [TeamDraft(name: "T", color: "#112233")]
    let run = try #require(try await stores.tourRuns.addRun(of: tour.id, teams: team, isTrial: false, at: Date()))
    _ = try await stores.tourRuns.command(.start, run: run.id, at: Date())
    _ = try await stores.tours.saveTour(tour.id, Self.tour("tour"), expecting: 1, at: Date())
    // References as they may be written, too: a digit as %61, and a whole address inside another.
    var odd = SightlineContent.Dimension()
    let escaped = Self.hash("escaped")
    odd.refreshURL = "/assets/%\(String(escaped.utf8.first ?? 0, radix: 16))\(escaped.dropFirst())"
    odd.summary = "/api/v1/asset?url=https%3a%2f%2fexample.org%2fassets%2f\(Self.hash("joined"))"
    _ = try await stores.worlds.save(WorldDraft(id: "odd", dimension: odd, format: "gddf"))

    let nobodys = Self.bytes("nobody's").count
    let used = try await stores.assets.assetUse(of: olga).bytes
    // Young: it may be on its way into a world.
    #expect(try await stores.retention.retain(RetentionRules(), at: Self.later(6), isDryRun: false)[.files].count == 0)
    let outlook = try await stores.retention.retain(RetentionRules(), at: Self.later(7.1), isDryRun: true)
    #expect(outlook[.files] == .init(kind: .files, count: 1, bytes: nobodys))
    #expect(try await Self.kept(files, in: stores) == files)
    var report = try await stores.retention.retain(RetentionRules(), at: Self.later(7.1), isDryRun: false)
    #expect(report.entries == outlook.entries)
    #expect(try await Self.kept(files, in: stores) == files.filter { $0 != "nobody's" })
    #expect(try await stores.assets.assetUse(of: olga).bytes == used - nobodys, "the room comes back")
    // Nothing more goes, however often it is done.
    report = try await stores.retention.retain(RetentionRules(), at: Self.later(7.2), isDryRun: false)
    #expect(report[.files].count == 0)
    // And with what referred to it a file goes, at the next run.
    _ = try await stores.posters.removePoster("three")
    _ = try await stores.tours.removeTour(tour.id)
    report = try await stores.retention.retain(RetentionRules(), at: Self.later(7.3), isDryRun: false)
    #expect(report[.files].count == 3)
    #expect(try await Self.kept(["poster", "tour", "run"], in: stores).isEmpty)
  }

  @Test(arguments: Backend.all) func `a file that is sent again is young again`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    try await Self.keep(["again", "once"], in: stores)
    try await store.execute("UPDATE asset SET saved_milliseconds = 0")
    try await Self.keep(["again"], in: stores)
    #expect(try await stores.retention.retain(RetentionRules(), at: Date(), isDryRun: false)[.files].count == 1)
    #expect(try await Self.kept(["again", "once"], in: stores) == ["again"])
    #expect(try await stores.retention.retain(RetentionRules(), at: Self.later(8), isDryRun: false)[.files].count == 1)
  }

  @Test(arguments: Backend.all) func `a draft that is saved while files are looked for keeps its file`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let files = (0..<400).map { "file \($0)" }
    try await Self.keep(files, in: stores)
    // Two hundred go in a transaction; a world that refers to all is saved somewhere in between.
    let saving = Task { try await stores.worlds.save(Self.world("late", files)) }
    _ = try await stores.retention.retain(RetentionRules(), at: Self.later(8), isDryRun: false)
    _ = try await saving.value
    let kept = try await Self.kept(files, in: stores)
    // Whatever was there when it was saved is there now: what goes goes in whole transactions before that.
    let again = try await stores.retention.retain(RetentionRules(), at: Self.later(9), isDryRun: false)
    #expect(again[.files].count == 0)
    #expect(try await Self.kept(files, in: stores) == kept)
    #expect([0, 200, 400].contains(kept.count), "\(kept.count)")
  }

  @Test(arguments: Backend.all)
  func `removed worlds go after their days with all that was theirs, and can be made anew`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    try await Self.keep(["one"], in: stores, of: olga)
    _ = try await stores.studio.addStudioWorld("ulm", owner: olga, content: try Self.content(["one"]), adopting: false)
    try await stores.studio.setMembers([olga], of: "ulm")
    _ = try await stores.studio.keepCopy(try Self.content([]), of: "ulm", base: 1, author: olga)
    _ = try await stores.worlds.save(Self.world("ulm", ["one"]))
    _ = try await stores.worlds.save(Self.world("stays", []))
    _ = try await stores.worlds.remove("ulm")
    try await stores.studio.removeStudioWorld("ulm")
    var report = try await stores.retention.retain(RetentionRules(), at: Self.later(29.9), isDryRun: false)
    #expect(report[.removedWorlds].count == 0 && report[.files].count == 0)
    #expect(
      try await stores.studio.addStudioWorld("ulm", owner: olga, content: try Self.content([]), adopting: false) == nil
    )
    let outlook = try await stores.retention.retain(RetentionRules(), at: Self.later(30.1), isDryRun: true)
    report = try await stores.retention.retain(RetentionRules(), at: Self.later(30.1), isDryRun: false)
    #expect(report[.removedWorlds].count == 1 && report[.removedWorlds].bytes > 0 && report[.files].count == 1)
    #expect(outlook.entries == report.entries)
    let rows = try await store.database.read { db in
      try ["world", "world_version", "place", "studio_world", "studio_draft", "studio_copy", "studio_member", "asset"]
        .map { try db.value(Int.self, sql: "SELECT count(*) FROM \($0)") ?? -1 }
    }
    #expect(rows == [1, 1, 0, 0, 0, 0, 0, 0], "only the other world is left")
    let made = try await stores.studio.addStudioWorld(
      "ulm",
      owner: olga,
      content: try Self.content([]),
      adopting: false
    )
    #expect(made?.version == 1)
  }

  @Test(arguments: Backend.all)
  func `a world that is imported again before its days are over stays, and so does one that is withdrawn`(
    backend: Backend
  )
    async throws
  {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    _ = try await stores.worlds.save(Self.world("back", []))
    _ = try await stores.worlds.remove("back")
    #expect(try await stores.worlds.save(Self.world("back", [], "New")).record.version == 2)
    _ = try await stores.studio.addStudioWorld("withdrawn", owner: olga, content: try Self.content([]), adopting: false)
    _ = try await stores.worlds.save(Self.world("withdrawn", []))
    _ = try await stores.worlds.remove("withdrawn")
    let report = try await stores.retention.retain(RetentionRules(), at: Self.later(40), isDryRun: false)
    #expect(report[.removedWorlds].count == 1, "what was published of the one that is withdrawn")
    #expect(try await stores.worlds.versions(of: "back").map(\.version) == [2, 1])
    #expect(try await stores.studio.studioWorld("withdrawn")?.version == 1)
    #expect(try await stores.studio.draft(1, of: "withdrawn") != nil)
  }

  @Test(arguments: Backend.all) func `so many versions stay, all young ones, and always the live one`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    for number in 1...60 { _ = try await stores.worlds.save(Self.world("ulm", [], "Version \(number)")) }
    #expect(
      try await stores.retention.retain(RetentionRules(), at: Self.later(29), isDryRun: false)[.worldVersions].count
        == 0
    )
    let report = try await stores.retention.retain(RetentionRules(), at: Self.later(31), isDryRun: false)
    #expect(report[.worldVersions].count == 10 && report[.worldVersions].bytes > 500)
    #expect(try await stores.worlds.versions(of: "ulm").map(\.version) == Array((11...60).reversed()))
    var rules = RetentionRules()
    rules.versions = 1
    rules.versionDays = 0
    #expect(try await stores.retention.retain(rules, at: Self.later(31), isDryRun: false)[.worldVersions].count == 49)
    #expect(try await stores.worlds.versions(of: "ulm").map(\.version) == [60])
    #expect(try await stores.worlds.worlds().first?.title == "Version 60")
  }

  @Test(arguments: Backend.all) func `drafts that were published once are bounded, and what is published stays`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    _ = try await stores.studio.addStudioWorld("ulm", owner: olga, content: try Self.content([]), adopting: false)
    for version in 2...20 {
      _ = try await stores.studio.saveDraft(
        try Self.content([], "\(version)"),
        of: "ulm",
        base: version - 1,
        author: olga
      )
      try await stores.studio.markPublished(version, of: "ulm")
    }
    try await stores.studio.markPublished(3, of: "ulm")
    var rules = RetentionRules()
    rules.versions = 5
    let report = try await stores.retention.retain(rules, at: Self.later(31), isDryRun: false)
    #expect(try await stores.studio.drafts(of: "ulm").map(\.version) == [20, 19, 18, 17, 16, 3, 1])
    #expect(report[.drafts].count == 13)
  }

  @Test(arguments: Backend.all) func `sessions, links and positions end, those that last stay`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    let now = Date()
    for (number, age) in [0.5, 1.9, 2.1, 13].enumerated() {
      let token = Data(repeating: UInt8(number), count: 32)
      _ = try await stores.sessions.addSession(
        token: token,
        csrf: "c",
        account: olga,
        origin: RequestOrigin(),
        at: now.addingTimeInterval(-age * 3600)
      )
      try await stores.invitations.addInvitation(
        token: token,
        role: .author,
        account: nil,
        creator: nil,
        made: now.addingTimeInterval(-age * 3600),
        expires: now.addingTimeInterval((1 - age) * 3600),
        replacing: false
      )
    }
    let tour = try await stores.tours.addTour(Self.tour("x"), owner: olga, at: now)
    let team = [TeamDraft(name: "T", color: "#112233")]
    let run = try #require(try await stores.tourRuns.addRun(of: tour.id, teams: team, isTrial: false, at: now))
    let fix = TourFix(position: Position(latitude: 52, longitude: 4), accuracy: 5)
    try await stores.tourRuns.addTrack(
      [-40.0, -31, -29, 0].map {
        TourTrackPoint(run: run.id, team: 1, time: now.addingTimeInterval($0 * 86_400), fix: fix)
      }
    )
    let outlook = try await stores.retention.retain(RetentionRules(), at: now, isDryRun: true)
    let report = try await stores.retention.retain(RetentionRules(), at: now, isDryRun: false)
    #expect(report.entries == outlook.entries)
    #expect(report[.sessions].count == 2 && report[.links].count == 3 && report[.positions].count == 2)
    #expect(try await stores.tourRuns.track(of: run.id).count == 2)
    #expect(try await stores.sessions.session(token: Data(repeating: 1, count: 32), at: now, grace: 60) != nil)
    #expect(try await stores.sessions.session(token: Data(repeating: 2, count: 32), at: now, grace: 60) == nil)
  }

  @Test(arguments: Backend.all)
  func `runs end by the rule or by their tour, whichever comes first, and large ones in pieces`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    var tour = Self.tour("x")
    tour.keepDays = 30
    let now = Date()
    let stored = try await stores.tours.addTour(tour, owner: nil, at: now)
    let team = [TeamDraft(name: "T", color: "#112233")]
    let run = try #require(try await stores.tourRuns.addRun(of: stored.id, teams: team, isTrial: false, at: now))
    _ = try await stores.tourRuns.command(.start, run: run.id, at: now)
    let fix = TourFix(position: Position(latitude: 52, longitude: 4), accuracy: 5)
    try await stores.tourRuns.addTrack(
      (0..<12_001).map { TourTrackPoint(run: run.id, team: 1, time: now.addingTimeInterval(Double($0)), fix: fix) }
    )
    _ = try await stores.tourRuns.command(.end, run: run.id, at: now)
    var rules = RetentionRules()
    rules.runDays = 3
    #expect(try await stores.retention.retain(rules, at: Self.later(2.9), isDryRun: false).runs == [])
    #expect(try await stores.retention.retain(RetentionRules(), at: Self.later(3.1), isDryRun: true).runs == [])
    let report = try await stores.retention.retain(rules, at: Self.later(3.1), isDryRun: false)
    #expect(report.runs == [run.id] && report[.runs].count == 1)
    #expect(try await stores.tourRuns.track(of: run.id).isEmpty)
    #expect(try await stores.tours.tour(stored.id) != nil)
  }

  @Test func `what is removed is overwritten, and the file becomes smaller`() async throws {
    let folder = try TemporaryFolder()
    let stores = Stores(try SQLiteDatabase(path: folder.database))
    let large = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }) + Data("the secret at its end".utf8)
    _ = try await stores.assets.saveAsset(large, mediaType: "image/png")
    _ = try await stores.worlds.save(Self.world("ulm", []))
    _ = try await stores.retention.shrink()
    func size() throws -> Int {
      try #require(try FileManager.default.attributesOfItem(atPath: folder.database)[.size] as? Int)
    }
    let before = try size()
    #expect(before > 2_000_000)
    _ = try await stores.retention.retain(RetentionRules(), at: Self.later(8), isDryRun: false)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)).range(of: Data("the secret at".utf8)) == nil)
    let change = try await stores.retention.shrink()
    #expect(change.before > 2_000_000 && change.after < 500_000)
    #expect(try size() < 500_000)
    #expect(try await stores.worlds.worlds().count == 1)
  }

  @Test(arguments: Backend.all) func `a loop that makes and removes worlds comes to an end of what it takes`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    let other = try #require(try await stores.accounts.addAccount(name: "other", role: .author, password: "-")).id
    _ = try await stores.studio.addStudioWorld("others", owner: other, content: try Self.content([]), adopting: false)
    try await stores.studio.removeStudioWorld("others")
    let room = StudioRoom(worlds: 5, bytes: .max)
    let content = try Self.content([])
    for number in 0..<40 {
      let id = "world-\(number)"
      let made = try await stores.studio.addStudioWorld(id, owner: olga, content: content, adopting: false, room: room)
      guard case .added = made else {
        Issue.record("\(made)")
        return
      }
      _ = try await stores.worlds.save(Self.world(id, []))
      _ = try await stores.worlds.remove(id)
      try await stores.studio.removeStudioWorld(id)
    }
    let counts = try await store.database.read { db in
      try ["studio_world", "studio_draft", "world", "world_version"]
        .map { try db.value(Int.self, sql: "SELECT count(*) FROM \($0)") ?? -1 }
    }
    #expect(counts == [6, 6, 5, 5], "five of one's own that can be brought back, and nobody else's are touched")
  }

  @Test(arguments: Backend.all) func `many worlds made at once do not pass the limit`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    let content = try Self.content([])
    let room = StudioRoom(worlds: 3, bytes: .max)
    let made = try await withThrowingTaskGroup(of: StudioAddition.self) { group in
      for number in 0..<12 {
        group.addTask {
          try await stores.studio.addStudioWorld(
            "w\(number)",
            owner: olga,
            content: content,
            adopting: false,
            room: room
          )
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(made.count { if case .added = $0 { true } else { false } } == 3)
    #expect(made.count { $0 == .full(3) } == 9)
    let tours = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<12 {
        group.addTask { try await stores.tours.addTour(Tour(title: "T"), owner: olga, limit: 4, at: Date()) != nil }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(tours == 4)
  }

  @Test(arguments: Backend.all) func `the room of an author's worlds holds, and old drafts make way`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    func content(_ number: Int) throws -> StudioContent {
      try Self.content([], String(repeating: "x", count: 1000) + "\(number % 10)")
    }
    let size = try content(1).json.count
    let room = StudioRoom(worlds: 10, bytes: 20 * size)
    func used() async throws -> Int {
      try await store.number(
        """
        SELECT (SELECT coalesce(sum(length(dimension)), 0) FROM studio_draft)
          + (SELECT coalesce(sum(length(dimension)), 0) FROM studio_copy)
          + (SELECT coalesce(sum(length(dimension)), 0) FROM world_version)
        """
      ) ?? -1
    }
    // A removed world goes first, then the oldest drafts of the one that is saved.
    for id in ["gone", "stays"] {
      let first = try content(1)
      _ = try await stores.studio.addStudioWorld(id, owner: olga, content: first, adopting: false, room: room)
      for version in 2...8 {
        let next = try content(version)
        #expect(try await stores.studio.saveDraft(next, of: id, base: version - 1, author: olga, room: room) == version)
      }
    }
    try await stores.studio.removeStudioWorld("gone")
    for version in 9...40 {
      let next = try content(version)
      #expect(
        try await stores.studio.saveDraft(next, of: "stays", base: version - 1, author: olga, room: room) == version
      )
      #expect(try await used() <= 20 * size)
    }
    #expect(try await stores.studio.drafts(of: "stays").map(\.version) == Array((21...40).reversed()))
    // What cannot make way is refused, and nothing of it is written.
    let small = StudioRoom(worlds: 10, bytes: 5 * size)
    await #expect(throws: StudioRoom.Full.self) {
      try await stores.studio.saveDraft(try content(1), of: "stays", base: 40, author: olga, room: small)
    }
    #expect(try await stores.studio.studioWorld("stays")?.version == 40)
    let sum = try await store.number("SELECT CAST(sum(bytes) AS BIGINT) FROM studio_world")
    #expect(try await used() == sum, "the sum that triggers keep is the true one")
  }

  @Test(arguments: Backend.all) func `files of one author stay within the limit, also when many are sent at once`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    let files = (0..<20).map { AssetFile(bytes: Data(repeating: UInt8($0), count: 100), mediaType: "image/png") }
    let kept = try await withThrowingTaskGroup(of: AssetKeeping.self) { group in
      for file in files { group.addTask { try await stores.assets.keepAssets([file], account: olga, limit: 550) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(kept.count { if case .kept = $0 { true } else { false } } == 5)
    let use = try await stores.assets.assetUse(of: olga)
    #expect(use.count == 5 && use.bytes == 500)
    // All or none, and the same bytes twice count once.
    #expect(try await stores.assets.keepAssets(Array(files[18...]), account: olga, limit: 550) == .full(used: 500))
    let present = try await stores.assets.ownAssets(of: olga)
    #expect(present.count == 5 && present.allSatisfy { !$0.isUsed && $0.bytes == 100 })
    let new = AssetFile(bytes: Data(repeating: 99, count: 50), mediaType: "image/png")
    guard case .kept(let hashes, let used) = try await stores.assets.keepAssets([new, new], account: olga, limit: 550)
    else {
      Issue.record("not kept")
      return
    }
    #expect(used == 550 && hashes.count == 2 && hashes[0] == hashes[1])
    #expect(try await stores.assets.removeAsset(hashes[0], of: olga) == .removed)
    #expect(try await stores.assets.asset(hashes[0]) == nil)
    #expect(try await stores.assets.removeAsset(hashes[0], of: olga) == .unknown)
    #expect(try await stores.assets.assetUse(of: olga).bytes == 500)
  }

  @Test(arguments: Backend.all)
  func `an author's file goes only when nothing refers to it, and stays while it is another's`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    let otto = try #require(try await stores.accounts.addAccount(name: "otto", role: .author, password: "-")).id
    try await Self.keep(["both"], in: stores, of: olga)
    try await Self.keep(["both"], in: stores, of: otto)
    _ = try await stores.worlds.save(Self.world("ulm", ["both"]))
    #expect(try await stores.assets.removeAsset(Self.hash("both"), of: olga) == .inUse)
    #expect(try await stores.assets.ownAssets(of: olga).map(\.isUsed) == [true])
    var rules = RetentionRules()
    rules.versions = 1
    rules.versionDays = 0
    _ = try await stores.worlds.save(Self.world("ulm", []))
    _ = try await stores.retention.retain(rules, at: Self.later(1), isDryRun: false)
    #expect(try await stores.assets.removeAsset(Self.hash("both"), of: olga) == .removed)
    #expect(try await stores.assets.asset(Self.hash("both")) != nil)
    #expect(try await stores.assets.removeAsset(Self.hash("both"), of: otto) == .removed)
    #expect(try await stores.assets.asset(Self.hash("both")) == nil)
  }
}

// MARK: Old databases

extension RetentionStoreTests {
  /// A database as it was before there was a retention, with something of everything in it.
  private static func oldDatabase(_ path: String, at time: Date) throws {
    let queue = try DatabaseQueue(path: path)
    try Migrations.all.migrate(queue, upTo: "whose posters are, and when they changed")
    let old = time.milliseconds
    let json = { (file: String) in try ContentJSON.encode(dimension([file])) }
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO account (id, name, role, password, created_milliseconds) VALUES (1, 'olga', 'author', '-', ?)
          """,
        arguments: [old]
      )
      for file in ["live", "removed", "draft", "nobody's", "tour"] {
        let hash = Data(SHA256.hash(data: bytes(file)))
        try db.execute(
          sql: "INSERT INTO asset (hash, media_type, saved_milliseconds, bytes) VALUES (?, 'image/png', ?, ?)",
          arguments: [hash, old, bytes(file)]
        )
        try db.execute(
          sql: "INSERT INTO account_asset (account, hash, bytes) VALUES (1, ?, ?)",
          arguments: [hash, bytes(file).count]
        )
      }
      for (number, id) in ["live", "removed"].enumerated() {
        try db.execute(
          sql: "INSERT INTO world (id, version, generation, removed) VALUES (?, 1, ?, ?)",
          arguments: [id, number + 1, number]
        )
        try db.execute(
          sql: """
            INSERT INTO world_version (world, version, generation, title, places, overlays, format, saved_milliseconds,
              content_hash, dimension, problems) VALUES (?, 1, ?, 't', 0, 0, 'gddf', ?, ?, ?, '[]')
            """,
          arguments: [id, number + 1, old, Data(count: 32), try json(id)]
        )
      }
      try db.execute(
        sql: """
          INSERT INTO studio_world (id, owner, version) VALUES ('draft', 1, 1);
          INSERT INTO studio_draft (world, version, saved_milliseconds, author, title, places, dimension)
          VALUES ('draft', 1, :old, 1, 't', 0, :json)
          """,
        arguments: ["old": old, "json": try json("draft")]
      )
      let definition = try ContentJSON.encode(tour("tour"))
      try db.execute(
        sql: """
          INSERT INTO tour (id, owner, version, title, stations, created_milliseconds, saved_milliseconds, definition)
          VALUES ('t', 1, 1, 't', 1, :old, :old, :definition);
          INSERT INTO tour_run (id, tour, trial, created_milliseconds, schedule, definition)
          VALUES ('r', 't', 0, :old, :schedule, :definition);
          INSERT INTO tour_team (run, number, name, color, code, seed) VALUES ('r', 1, 'T', '#112233', 'CODE', 0);
          """,
        arguments: ["old": old, "definition": definition, "schedule": try ContentJSON.encode(TourSchedule())]
      )
      let events: [(String, String, String, Int)] = [
        ("choice", "[0]", "wrong", 0), ("hint", "1", "hinted", 0), ("hint", "0", "hinted", 0),
        ("choice", "[1]", "right", 7), ("visit", "null", "refused", 0),
      ]
      for (number, event) in events.enumerated() {
        try db.execute(
          sql: """
            INSERT INTO tour_event (run, team, id, station, kind, value, received_milliseconds, made_milliseconds, place,
              verdict, points, late) VALUES ('r', 1, ?, 's', ?, ?, ?, ?, 'inside', ?, ?, 0)
            """,
          arguments: ["event-\(number)", event.0, event.1, old, old, event.2, event.3]
        )
      }
    }
    try queue.close()
  }

  @Test func `an old database is taken over: references, room, sums of teams`() async throws {
    let folder = try TemporaryFolder()
    try Self.oldDatabase(folder.database, at: Date().addingTimeInterval(-100 * 86_400))
    let database = try SQLiteDatabase(path: folder.database)
    let stores = Stores(database)
    let tally = try #require(try await stores.tourTeams.tallies(run: "r", team: 1)["s"])
    #expect(tally == StationTally.of(try await stores.tourTeams.records(run: "r", team: 1))["s"])
    #expect(tally.wrong == 1 && tally.hints == [0, 1] && tally.points == 7 && tally.isRight && !tally.isPending)
    let counts = try await database.read { db in try TeamCounts(run: "r", team: 1, db) }
    #expect(counts.events == 5 && counts.refused == 1)
    let room = try await database.pool.read { db in
      try Int.fetchOne(db, sql: "SELECT bytes = (SELECT length(dimension) FROM studio_draft) FROM studio_world")
    }
    #expect(room == 1)
    let outlook = try await stores.retention.retain(RetentionRules(), at: Date(), isDryRun: true)
    #expect(outlook[.files].count == 1, "only what nobody refers to, also before references were looked up")
    let now = try await stores.retention.retain(RetentionRules(), at: Date(), isDryRun: false)
    #expect(now.entries == outlook.entries && now[.removedWorlds].count == 0, "days of removal begin with the new form")
    let later = try await stores.retention.retain(RetentionRules(), at: Self.later(31), isDryRun: false)
    #expect(later[.removedWorlds].count == 1 && later[.files].count == 1)
    #expect(
      try await Self.kept(["live", "removed", "draft", "nobody's", "tour"], in: stores) == ["live", "draft", "tour"]
    )
    // A file of the old form keeps its free pages until it is written anew.
    let before = try await stores.retention.shrink()
    #expect(before.before == before.after)
    try await database.compact()
    let mode = try await database.pool.read { db in try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") }
    #expect(mode == 2)
    #expect(try await stores.worlds.worlds().map(\.id) == ["live"])
  }
}

// MARK: Anything at random

extension RetentionStoreTests {
  /// What is there by a reckoning of its own: documents in a list, files in a dictionary.
  private struct Reckoning {
    struct World { var versions: [(number: Int, files: [String])] = []; var isRemoved = false }
    var worlds: [String: World] = [:]
    var drafts: [String: (drafts: [Int: [String]], copies: [[String]], isRemoved: Bool)] = [:]
    var posters: [String: String] = [:]
    var tours: [String: (now: String, runs: [String])] = [:]

    var used: Set<String> {
      var used: Set<String> = []
      for world in worlds.values { for version in world.versions { used.formUnion(version.files) } }
      for world in drafts.values {
        for draft in world.drafts.values { used.formUnion(draft) }
        for copy in world.copies { used.formUnion(copy) }
      }
      used.formUnion(posters.values)
      for tour in tours.values { used.formUnion(tour.runs + [tour.now]) }
      return used
    }
  }

  @Test(arguments: Backend.all, [1, 2, 3, 4, 5, 6] as [UInt64])
  func `whatever is done in whatever order, exactly what is used stays`(backend: Backend, seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    let files = (0..<40).map { "file \($0)" }
    try await Self.keep(files, in: stores, of: olga)
    try await store.execute("UPDATE asset SET saved_milliseconds = 0")
    var reckoning = Reckoning()
    var alive = Set(files)
    var rules = RetentionRules()
    (rules.versions, rules.versionDays) = (2, 0)
    let team = [TeamDraft(name: "T", color: "#112233")]

    for step in 0..<120 {
      let some = files.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)).map { $0 }
      let id = "w\(Int.random(in: 0..<4, using: &random))"
      switch Int.random(in: 0..<11, using: &random) {
      case 0, 1:
        let saved = try await stores.worlds.save(Self.world(id, some, "Step \(step)")).record
        reckoning.worlds[id, default: .init()].versions.append((saved.version, some))
        reckoning.worlds[id]?.isRemoved = false
      case 2:
        if try await stores.worlds.remove(id) { reckoning.worlds[id]?.isRemoved = true }
      case 3:
        let draft = try Self.content(some, "Step \(step)")
        if reckoning.drafts[id] == nil {
          let made = try await stores.studio.addStudioWorld(id, owner: olga, content: draft, adopting: true)
          #expect(made != nil)
          reckoning.drafts[id] = ([1: some], [], false)
          // Taking over counts the first draft as published when there is such a world; withdrawn here.
          try await stores.studio.markPublished(nil, of: id)
        } else if let known = reckoning.drafts[id], !known.isRemoved, let base = known.drafts.keys.max() {
          #expect(try await stores.studio.saveDraft(draft, of: id, base: base, author: olga) == base + 1)
          reckoning.drafts[id]?.drafts[base + 1] = some
        }
      case 4:
        guard let known = reckoning.drafts[id], !known.isRemoved else { continue }
        _ = try await stores.studio.keepCopy(try Self.content(some, "Step \(step)"), of: id, base: 1, author: olga)
        reckoning.drafts[id]?.copies.append(some)
      case 5:
        guard reckoning.drafts[id] != nil else { continue }
        try await stores.studio.removeStudioWorld(id)
        reckoning.drafts[id]?.isRemoved = true
      case 6:
        let file = some.first ?? "file 0"
        _ = try await stores.posters.savePoster(Self.poster(id, file))
        reckoning.posters[id] = file
      case 7:
        _ = try await stores.posters.removePoster(id)
        reckoning.posters[id] = nil
      case 8:
        let file = some.first ?? "file 1"
        let tour = try await stores.tours.addTour(Self.tour(file), owner: olga, at: Date())
        let run = try #require(try await stores.tourRuns.addRun(of: tour.id, teams: team, isTrial: false, at: Date()))
        if Bool.random(using: &random) { _ = try await stores.tourRuns.command(.start, run: run.id, at: Date()) }
        let now = some.last ?? "file 2"
        _ = try await stores.tours.saveTour(tour.id, Self.tour(now), expecting: 1, at: Date())
        let isStarted = try await stores.tourRuns.run(run.id)?.schedule.started != nil
        reckoning.tours[tour.id] = (now, [isStarted ? file : now])
      case 9:
        guard let tour = reckoning.tours.keys.sorted().first else { continue }
        _ = try await stores.tours.removeTour(tour)
        reckoning.tours[tour] = nil
      default:
        // Removed worlds go at once here; of live ones two versions stay, of which the live one is one.
        rules.removedWorldDays = 0
        let time = Date().addingTimeInterval(1)
        let outlook = try await stores.retention.retain(rules, at: time, isDryRun: true)
        let report = try await stores.retention.retain(rules, at: time, isDryRun: false)
        #expect(outlook.entries == report.entries, "seed \(seed), step \(step)")
        reckoning.worlds = reckoning.worlds.filter { !$0.value.isRemoved }
        for id in reckoning.worlds.keys {
          let versions = reckoning.worlds[id]?.versions.suffix(2)
          reckoning.worlds[id]?.versions = Array(versions ?? [])
        }
        reckoning.drafts = reckoning.drafts.filter { !$0.value.isRemoved }
        alive.formIntersection(reckoning.used)
        #expect(Set(try await Self.kept(files, in: stores)) == alive, "seed \(seed), step \(step)")
        let gone = files.filter { !alive.contains($0) }
        #expect(try await stores.assets.assetUse(of: olga).count == alive.count)
        // Others come back and are old at once, so that each round has something to remove.
        try await Self.keep(gone, in: stores, of: olga)
        try await store.database.write { db in
          try db.execute(sql: "UPDATE asset SET saved_milliseconds = 0")
          try db.execute(sql: "DELETE FROM asset_touch")
        }
        alive = Set(files)
      }
    }
  }

  @Test func `references are found wherever they stand, in one pass`() {
    var random = SplitMix64(seed: 3)
    let digits = Array("0123456789abcdef".utf8)
    func run(_ count: Int) -> String {
      String(decoding: (0..<count).map { _ in digits[Int.random(in: 0..<16, using: &random)] }, as: UTF8.self)
    }
    func found(_ text: String) -> Set<String> { Set(AssetReferences.find(in: Data(text.utf8)).map(\.hexadecimal)) }
    for _ in 0..<300 {
      let hashes = (0..<Int.random(in: 0...5, using: &random)).map { _ in run(64) }
      let glue = ["/assets/", "\"", " ", "x", "", "-"]
      var text = ""
      for hash in hashes { text += (glue.randomElement(using: &random) ?? "") + "/" + hash + "\"" }
      text += "/" + run(63) + "," + run(12)
      #expect(found(text) == Set(hashes.map { String($0.prefix(32)) }))
    }
    #expect(found("/" + String(repeating: "A", count: 64)).isEmpty)
    #expect(
      found(run(64)).count == 1 && found("").isEmpty && found(String(repeating: "a", count: 1_000_000)).count == 1
    )
  }
}

// MARK: Killed

extension RetentionStoreTests {
  @Test func `a retention that is killed in the midst of it loses nothing`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    var kills = 0
    for round in 0..<4 {
      do {
        let database = try SQLiteDatabase(path: folder.database)
        let stores = Stores(database)
        let olga: Int64
        if let known = try await stores.accounts.credentials(of: "olga") {
          olga = known.account.id
        } else {
          olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
        }
        for number in 0..<30 {
          let (used, unused) = ("used \(round) \(number)", "unused \(round) \(number)")
          try await Self.keep([used, unused], in: stores, of: olga)
          _ = try await stores.worlds.save(Self.world("ulm-\(round)", [used], "\(number)"))
        }
        _ = try await stores.worlds.save(Self.world("gone-\(round)", []))
        _ = try await stores.worlds.remove("gone-\(round)")
        try database.close()
      }
      let lifetime = 0.002 + 0.01 * Double(round)
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, lifetime = lifetime as Double] in
        try await KilledRetention.run(folder: path, lifetime: lifetime)
      }
      kills += 1
      let database = try SQLiteDatabase(path: folder.database)
      let stores = Stores(database)
      let check = try await database.pool.read { db in
        (
          try String.fetchOne(db, sql: "PRAGMA integrity_check"),
          try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
        )
      }
      #expect(check.0 == "ok" && check.1 == 0)
      for before in 0...round {
        let files = (0..<30).map { "used \(before) \($0)" }
        #expect(try await Self.kept(files, in: stores) == files)
        #expect(try await stores.worlds.versions(of: "ulm-\(before)").count == 30)
      }
      // Bytes that are counted for an author are those of files that are there.
      let orphans = try await database.pool.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM account_asset WHERE hash NOT IN (SELECT hash FROM asset)")
      }
      #expect(orphans == 0)
      try database.close()
    }
    #expect(kills == 4)
    // And the next one finishes.
    let database = try SQLiteDatabase(path: folder.database)
    let stores = Stores(database)
    _ = try await stores.retention.retain(RetentionRules(), at: Self.later(31), isDryRun: false)
    let left = try await stores.retention.retain(RetentionRules(), at: Self.later(31), isDryRun: true)
    #expect(left.entries.allSatisfy { $0.count == 0 })
  }
}

/// A process that removes again and again and is killed in the midst of it.
enum KilledRetention {
  static func run(folder: String, lifetime: Double) async throws {
    let stores = Stores(try SQLiteDatabase(path: folder + "/test.sqlite"))
    Thread.detachNewThread {
      usleep(useconds_t(lifetime * 1_000_000))
      kill(getpid(), SIGKILL)
    }
    while true {
      // All versions are young, so that what refers to files stays.
      _ = try await stores.retention.retain(
        RetentionRules(),
        at: Date().addingTimeInterval(29 * 86_400),
        isDryRun: false
      )
    }
  }
}
