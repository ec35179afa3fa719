import Foundation
import GRDB
import SightlineContent
import SightlineTestSupport
import SightlineTours
import Testing

@testable import SightlineStore

/// A database file that is damaged, or was made by somebody else: columns that hold what no program ever wrote there.
///
/// Reading one of another type ends the process where it is not checked.
struct DamagedDatabaseTests {
  private static let noon = Date(timeIntervalSince1970: 1_790_000_000)
  private static let token = Data(repeating: 7, count: 32)
  private let noon = Self.noon
  private let token = Self.token

  /// Makes a database with something in as many tables as possible.
  static func fill(_ stores: Stores) async throws {
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .operator, password: "-")).id
    _ = try await stores.sessions.addSession(token: token, csrf: "c", account: olga, origin: RequestOrigin(), at: noon)
    try await stores.invitations.addInvitation(
      token: token,
      role: .author,
      account: nil,
      creator: olga,
      made: noon,
      expires: noon.addingTimeInterval(3600),
      replacing: false
    )
    _ = try await stores.secondFactors.beginSecondFactor(of: olga, secret: token, at: noon)
    try await stores.secondFactors.setRecoveryCodes([token], of: olga)
    let event = SecurityEvent(time: noon, kind: .signedIn, account: olga, actor: nil, origin: .commandLine, detail: "")
    try await stores.securityLog.addSecurityEvent(event)
    _ = try await stores.worlds.save(
      WorldStoreConformance.draft("ulm", [WorldStoreConformance.place("Minster", 48.4, 9.99)])
    )
    _ = try await stores.studio.addStudioWorld(
      "draft",
      owner: olga,
      content: try RetentionStoreTests.content(["a"]),
      adopting: false
    )
    _ = try await stores.studio.saveDraft(try RetentionStoreTests.content(["b"]), of: "draft", base: 1, author: olga)
    _ = try await stores.studio.keepCopy(try RetentionStoreTests.content(["c"]), of: "draft", base: 1, author: olga)
    try await stores.studio.setMembers([olga], of: "draft")
    _ = try await stores.posters.savePoster(PosterStoreTests.poster("poster", categories: ["film"], text: "words"))
    let hash = try await stores.assets.saveAsset(Data("picture".utf8), mediaType: "image/png")
    _ = try await stores.assets.claimAsset(hash, bytes: 7, account: olga, limit: 1000)
    let tour = try await stores.tours.addTour(RetentionStoreTests.tour("x"), owner: olga, at: noon)
    let teams = [TeamDraft(name: "T", color: "#112233")]
    let run = try #require(try await stores.tourRuns.addRun(of: tour.id, teams: teams, isTrial: false, at: noon))
    _ = try await stores.tourRuns.command(.start, run: run.id, at: noon)
    let team = try #require(try await stores.tourTeams.teams(of: run.id).first)
    _ = try await stores.tourTeams.addDevice(of: team, token: token, limit: 20, at: noon)
    let device = try #require(try await stores.tourTeams.device(token: token))
    _ = try await stores.tourTeams.submit(TourSubmission(device: device, events: [Self.event(noon)], received: noon))
    _ = try await stores.tourRuns.addLog(.message, run: run.id, team: 1, text: "x", at: noon)
    let fix = TourFix(position: Position(latitude: 52, longitude: 4), accuracy: 5)
    try await stores.tourRuns.addTrack([TourTrackPoint(run: run.id, team: 1, time: noon, fix: fix)])
  }

  private static func event(_ time: Date) -> TourEvent {
    TourEvent(id: "e", sequence: 1, station: "s", kind: .visit, made: time, fix: nil)
  }

  /// Everything that is read; each may fail, and none may end the process.
  private func read(_ stores: Stores) async {
    _ = try? await stores.worlds.worlds()
    _ = try? await stores.worlds.world("ulm", version: nil)
    _ = try? await stores.worlds.versions(of: "ulm")
    _ = try? await stores.worlds.places(of: "ulm")
    _ = try? await stores.worlds.save(WorldStoreConformance.draft("ulm", []))
    _ = try? await stores.worlds.generation()
    _ = try? await stores.accounts.accounts()
    _ = try? await stores.accounts.account(1)
    _ = try? await stores.accounts.credentials(of: "olga")
    _ = try? await stores.sessions.sessions(of: 1)
    _ = try? await stores.sessions.session(token: token, at: noon, grace: 60)
    _ = try? await stores.invitations.invitations(at: noon)
    _ = try? await stores.invitations.invitation(token: token, at: noon)
    _ = try? await stores.accounts.belongings(of: 1)
    _ = try? await stores.assets.assetUse(of: 1)
    _ = try? await stores.assets.ownAssets(of: 1)
    for confirmed in [false, true] {
      _ = try? await stores.secondFactors.countCodeAttempt(of: 1, confirmed: confirmed, at: noon)
    }
    _ = try? await stores.secondFactors.recoveryCodeCount(of: 1)
    _ = try? await stores.securityLog.securityEvents(of: nil, before: nil, limit: 10)
    _ = try? await stores.studio.studioWorlds(for: 1)
    _ = try? await stores.studio.studioWorld("draft")
    _ = try? await stores.studio.drafts(of: "draft")
    _ = try? await stores.studio.draft(1, of: "draft")
    _ = try? await stores.studio.copies(of: "draft")
    for base in [1, 2, Int.max] {
      _ = try? await stores.studio.saveDraft(RetentionStoreTests.content(["d"]), of: "draft", base: base, author: 1)
    }
    for order in PosterOrder.allCases {
      _ = try? await stores.posters.posters(
        PosterQuery(words: order == .relevance ? "words" : nil, order: order, limit: 1)
      )
    }
    _ = try? await stores.posters.poster("poster")
    _ = try? await stores.posters.posterCategories()
    _ = try? await stores.posters.ownedPosters(of: nil)
    for tour in (try? await stores.tours.tours(owner: nil)) ?? [] {
      _ = try? await stores.tours.tour(tour.id)
      for run in (try? await stores.tourRuns.runs(of: tour.id)) ?? [] {
        _ = try? await stores.tourRuns.events(of: run.id)
        _ = try? await stores.tourRuns.log(of: run.id, after: 0)
        _ = try? await stores.tourRuns.track(of: run.id)
        for team in (try? await stores.tourTeams.teams(of: run.id)) ?? [] {
          _ = try? await stores.tourTeams.records(run: run.id, team: team.number)
          _ = try? await stores.tourTeams.standing(of: team, after: 0)
        }
        _ = try? await stores.tourRuns.command(.pause, run: run.id, at: noon)
      }
    }
    if let device = try? await stores.tourTeams.device(token: token) {
      _ = try? await stores.tourTeams.submit(TourSubmission(device: device, events: [Self.event(noon)], received: noon))
    }
    _ = try? await stores.retention.retain(RetentionRules(), at: noon, isDryRun: true)
    _ = try? await stores.retention.retain(RetentionRules(), at: noon.addingTimeInterval(400 * 86_400), isDryRun: false)
  }

  /// Each of four cases takes every fourth column, so that they share the processors.
  @Test(.timeLimit(.minutes(10)), arguments: 0..<4)
  func `columns of another type and extreme numbers end nothing`(part: Int) async throws {
    let folder = try TemporaryFolder()
    let original = try SQLiteDatabase(path: folder.database)
    try await Self.fill(Stores(original))
    try original.close()
    let whole = try DatabaseQueue(path: folder.database)
    let columns: [(table: String, column: String)] = try await whole.read { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'poster_words%'
            AND name <> 'grdb_migrations'
          """
      )
      return try tables.flatMap { table in try db.columns(in: table).map { (table, $0.name) } }
    }
    try whole.close()
    #expect(columns.count > 100)
    var changed = 0
    for (index, (table, column)) in columns.enumerated() where index % 4 == part {
      for value in ["'x'", "9223372036854775807", "-9223372036854775808", "x'FF'", "NULL"] {
        let copy = folder.path + "/copy.sqlite"
        for name in [copy, copy + "-wal", copy + "-shm"] { try? FileManager.default.removeItem(atPath: name) }
        try FileManager.default.copyItem(atPath: folder.database, toPath: copy)
        let queue = try DatabaseQueue(path: copy)
        let isChanged = try await queue.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
          // What the file does not admit is no danger.
          do { try db.execute(sql: "UPDATE \"\(table)\" SET \"\(column)\" = \(value)") } catch { return false }
          return db.changesCount > 0
        }
        try queue.close()
        guard isChanged, let database = try? SQLiteDatabase(path: copy) else { continue }
        changed += 1
        await read(Stores(database))
        try database.close()
      }
    }
    #expect(changed > 40)
  }

  /// PostgreSQL's columns have one type each; what is left are the numbers that no program ever wrote there.
  @Test(.timeLimit(.minutes(10)), .enabled(if: Backend.all.contains(.postgres)))
  func `extreme numbers in PostgreSQL end nothing`() async throws {
    let server = try TestPostgres.shared()
    let name = try server.makeDatabase()
    let original = try await TestStore.open(server.localAddress(name))
    try await Self.fill(original.stores)
    try original.close()
    // Whoever may do that may do anything with a database.
    try server.run(
      """
      DO $$ DECLARE line RECORD; BEGIN
        FOR line IN SELECT conrelid::regclass AS tab, conname AS con FROM pg_constraint
          WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace
        LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', line.tab, line.con); END LOOP;
        FOR line IN SELECT a.attrelid::regclass AS tab, a.attname AS con FROM pg_attribute a
          JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
          WHERE a.attnum > 0 AND a.attnotnull AND a.attidentity = '' AND NOT EXISTS
            (SELECT 1 FROM pg_constraint p WHERE p.conrelid = c.oid AND p.contype = 'p' AND a.attnum = ANY (p.conkey))
        LOOP EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL', line.tab, line.con); END LOOP;
      END $$
      """,
      in: name
    )
    let columns = try server.run(
      """
      SELECT table_name || ' ' || column_name || ' ' || data_type FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name <> 'sightline_migration' AND data_type IN ('bigint', 'double precision')
      ORDER BY table_name, ordinal_position
      """,
      in: name
    ).split(separator: "\n").map { $0.split(separator: " ", maxSplits: 2).map(String.init) }
    #expect(columns.count > 80)
    let tables = Dictionary(grouping: columns) { $0[0] }
    var changed = 0
    // The same column of every table at once: tables are read one by one.
    for position in 0..<(tables.values.map(\.count).max() ?? 0) {
      for value in 0..<3 {
        let copy = try server.makeDatabase(copying: name)
        for column in tables.values.compactMap({ $0.dropFirst(position).first }) {
          let values =
            column[2] == "bigint"
            ? ["9223372036854775807", "-9223372036854775808", "NULL"] : ["'NaN'", "'Infinity'", "1e308"]
          let change = "UPDATE \"\(column[0])\" SET \"\(column[1])\" = \(values[value])"
          if (try? server.run(change, in: copy)) != nil { changed += 1 }
        }
        let database = try await TestStore.open(server.localAddress(copy))
        await read(database.stores)
        try database.close()
        try server.run("DROP DATABASE \(copy) WITH (FORCE)", in: "postgres")
      }
    }
    #expect(changed > 120)
  }
}
