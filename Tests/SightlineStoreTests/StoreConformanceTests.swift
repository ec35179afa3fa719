import Foundation
import SightlineContent
import Synchronization
import Testing

@testable import SightlineStore

/// What holds for the stores of every database.
@Suite struct StoreConformanceTests {
  @Test(arguments: Backend.all, WorldStoreConformance.checks.map(\.name))
  func `the stores pass the conformance suite`(backend: Backend, name: String) async throws {
    let store = try await TestStore(backend)
    let check = try #require(WorldStoreConformance.checks.first { $0.name == name })
    try await check.run(store.stores)
  }

  @Test(arguments: Backend.all)
  func `content is there after closing and opening`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let draft = WorldStoreConformance.draft("ulm", [WorldStoreConformance.place("Minster", 48.3984, 9.9916)])
    let record = try await store.stores.worlds.save(draft).record
    try await store.reopen()
    #expect(try await store.stores.worlds.worlds() == [record])
    #expect(try await store.stores.worlds.save(draft) == .unchanged(record))
  }

  @Test(arguments: Backend.all)
  func `two processes' stores see each other's changes at once`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let second = try await store.another()
    let (one, other) = (store.stores, second.stores)
    let record = try await one.worlds.save(WorldStoreConformance.draft("ulm", [])).record
    #expect(try await other.worlds.worlds() == [record])
    _ = try await other.worlds.save(WorldStoreConformance.draft("neu-ulm", []))
    #expect(try await one.worlds.generation() == 2)
    #expect(try await one.worlds.worlds().map(\.id) == ["neu-ulm", "ulm"])
    try second.close()
  }

  @Test(arguments: Backend.all)
  func `a reference to a world that is not there is refused, and so is all that was written with it`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    await #expect(throws: (any Error).self) {
      try await store.database.write { db in
        _ = try Generation.next(db)
        try db.execute(
          sql: "INSERT INTO place (world, position, title, latitude, longitude) VALUES ('none', 0, 'x', 0, 0)"
        )
      }
    }
    #expect(try await store.stores.worlds.generation() == 0)
  }

  @Test(arguments: Backend.all)
  func `what a closed database is asked for fails`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    try store.database.close()
    await #expect(throws: (any Error).self) { try await stores.worlds.worlds() }
    await #expect(throws: (any Error).self) { try await stores.worlds.remove("ulm") }
    try await store.reopen()
  }

  /// What can be read, and is: the numbers are the largest and the smallest, texts hold whatever a text can hold.
  @Test(arguments: Backend.all)
  func `numbers and texts of every kind come back as they were`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let large = String(repeating: "Ω", count: 500_000)
    // U+FDD0, for which a program has no notation.
    let mark = String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self)
    let texts = [
      "", "'", "\"", "'; DROP TABLE account; --", "$1 ? ?1 :a", "\\", mark,
      "x\(mark)\(String(decoding: [0xEF, 0xB7, 0x92], as: UTF8.self))", "\u{FFFD}",
      "\u{1F3DB}\u{FE0F}", "a\u{301}", "\r\n\t\u{7F}", large,
    ]
    let numbers: [Int64] = [0, 1, -1, .max, .min, Int64(Int32.max) + 1]
    let reals = [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3]
    let bytes = [Data(), Data([0]), Data(0...255), Data(count: 1_000_000)]
    let isSame = try await store.database.write { db in
      // As columns, for PostgreSQL takes an argument by its type and SQLite keeps it.
      for text in texts + (backend == .postgres ? ["\0", "a\0b\(mark)\0"] : []) {
        let back = try db.value(String.self, sql: "SELECT ?1", arguments: [text])
        guard back.map({ Array($0.unicodeScalars) }) == Array(text.unicodeScalars) else { return "\(text.prefix(20))" }
        guard try db.value(Bool.self, sql: "SELECT ?1 = ?2", arguments: [text, text]) == true else { return "=" }
      }
      for number in numbers where try db.value(Int64.self, sql: "SELECT ?", arguments: [number]) != number {
        return "\(number)"
      }
      for number in reals where try db.value(Double.self, sql: "SELECT ?", arguments: [number]) != number {
        return "\(number)"
      }
      for data in bytes where try db.value(Data.self, sql: "SELECT ?", arguments: [data]) != data {
        return "\(data.count) bytes"
      }
      guard try db.value(Int64.self, sql: "SELECT ?", arguments: [Int64?.none]) == nil,
        try db.value(Double.self, sql: "SELECT ?", arguments: [Double.nan]) == nil
      else { return "NULL" }
      return ""
    }
    #expect(isSame == "")
  }

  @Test(arguments: Backend.all)
  func `text is ordered by its bytes, and capitals are no small letters`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    for name in ["b", "a-1", "a1", "z", "ä", "a"] {
      _ = try await store.stores.accounts.addAccount(name: name, role: .author, password: "-")
    }
    #expect(try await store.stores.accounts.accounts().map(\.name) == ["a", "a-1", "a1", "b", "z", "ä"])
    #expect(try await store.stores.accounts.credentials(of: "A") == nil)
    // A name with a zero character is nobody's, not an error.
    if backend == .postgres { #expect(try await store.stores.accounts.credentials(of: "a\0") == nil) }
  }

  @Test(arguments: Backend.all)
  func `what may happen once happens once, however many try`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let second = try await store.another()
    let both = [store.stores, second.stores]
    let noon = Date(timeIntervalSince1970: 1_790_000_000)
    let token = Data(repeating: 7, count: 32)
    let chief = try #require(try await both[0].accounts.addAccount(name: "chief", role: .operator, password: "-"))
    try await both[0].invitations.addInvitation(
      token: token,
      role: .author,
      account: nil,
      creator: chief.id,
      made: noon,
      expires: noon.addingTimeInterval(3600),
      replacing: false
    )
    let outcomes = try await withThrowingTaskGroup(of: InvitationOutcome.self) { group in
      for number in 0..<24 {
        group.addTask {
          try await both[number % 2].invitations.acceptInvitation(
            token: token,
            name: "new-\(number)",
            password: "-",
            at: noon
          )
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0 != .unknown } == 1)
    #expect(try await both[1].accounts.accounts().count == 2)
    _ = try await both[0].secondFactors.beginSecondFactor(of: chief.id, secret: token, at: noon)
    _ = try await both[0].secondFactors.confirmSecondFactor(
      of: chief.id,
      step: 1,
      recovery: [token],
      keeping: 0,
      at: noon
    )
    // Attempts that cost nothing are five, counted over both.
    let attempts = try await withThrowingTaskGroup(of: CodeAttempt.self) { group in
      for number in 0..<12 {
        group.addTask {
          try await both[number % 2].secondFactors.countCodeAttempt(of: chief.id, confirmed: true, at: noon)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(attempts.count { if case .allowed = $0 { true } else { false } } == CodeAttempts.free)
    let codes = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<12 {
        group.addTask { try await both[number % 2].secondFactors.useTimeCode(of: chief.id, step: 2) }
        group.addTask { try await both[number % 2].secondFactors.useRecoveryCode(of: chief.id, digest: token) }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(codes == 2)
    try second.close()
  }

  @Test(arguments: Backend.all)
  func `nothing that was confirmed is lost on kill -9`(backend: Backend) async throws {
    let folder = try TemporaryFolder()
    let store = try await TestStore(backend)
    let location = store.location
    let path = folder.path
    var generator = SystemRandomNumberGenerator()
    for _ in 1...4 {
      let lifetime = Double.random(in: 0.05...0.4, using: &generator)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [location = location as String, path = path as String, lifetime = lifetime as Double] in
        try await KilledWriter.run(location: location, folder: path, lifetime: lifetime)
      }
      let confirmed = KilledWriter.confirmed(folder: path)
      let stores = store.stores
      let versions = try await stores.worlds.versions(of: "ulm").map(\.version)
      let missing = Set(confirmed).subtracting(versions)
      #expect(missing.isEmpty, "confirmed \(confirmed.count), missing \(missing.sorted())")
      // Versions that were written but not yet confirmed may be there; there is one writer, so one at a kill.
      #expect(versions.count <= confirmed.count + 4)
      for version in versions.prefix(3) {
        let places = try await stores.worlds.world("ulm", version: version)?.dimension().places
        #expect(places?.count == version % 50)
      }
    }
    #expect(!KilledWriter.confirmed(folder: path).isEmpty)
  }
}

/// A process that writes as fast as it can and is killed in the midst of it.
enum KilledWriter {
  static func run(location: String, folder: String, lifetime: Double) async throws {
    let stores = try await TestStore.open(location).stores
    let journal = open(folder + "/confirmed", O_WRONLY | O_APPEND | O_CREAT, 0o600)
    let hasBegun = Atomic(false)
    Thread.detachNewThread {
      // At least one write, however slow the machine is just now.
      while !hasBegun.load(ordering: .acquiring) { usleep(1000) }
      usleep(useconds_t(lifetime * 1_000_000))
      kill(getpid(), SIGKILL)
    }
    var version = try await stores.worlds.versions(of: "ulm").first?.version ?? 0
    while true {
      version += 1
      let places = (0..<(version % 50)).map { WorldStoreConformance.place("\(version) \($0)", 1, 2) }
      let saved = try await stores.worlds.save(WorldStoreConformance.draft("ulm", places, name: "Version \(version)"))
        .record
      // The confirmation goes out only after the call has returned, as an answer to a client would.
      let line = Array("\(saved.version)\n".utf8)
      _ = write(journal, line, line.count)
      hasBegun.store(true, ordering: .releasing)
    }
  }

  static func confirmed(folder: String) -> [Int] {
    let text = (try? String(contentsOfFile: folder + "/confirmed", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { Int($0) }
  }
}
