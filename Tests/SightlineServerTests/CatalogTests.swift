import Foundation
import SightlineContent
import SightlineStore
import SightlineTestSupport
import Synchronization
import Testing

@testable import SightlineServer

/// What is kept in memory of worlds while others change the same database.
@Suite(.timeLimit(.minutes(10))) struct CatalogTests {
  /// Worlds of a store that the test chooses, and that keeps readers waiting when it is told to.
  private final class StandInWorlds: WorldStore {
    let base: Mutex<any WorldStore>
    let holdsAll = Atomic(false)
    let holdsContents = Atomic(false)
    let waiting = Atomic(0)

    init(_ base: any WorldStore) { self.base = Mutex(base) }

    private var store: any WorldStore { base.withLock { $0 } }

    func generation() async throws -> Int64 {
      waiting.add(1, ordering: .relaxed)
      while holdsAll.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(5)) }
      return try await store.generation()
    }

    func world(_ id: String, version: Int?) async throws -> WorldContent? {
      waiting.add(1, ordering: .relaxed)
      while holdsContents.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(5)) }
      return try await store.world(id, version: version)
    }

    func worlds() async throws -> [WorldRecord] { try await store.worlds() }
    func versions(of id: String) async throws -> [WorldRecord] { try await store.versions(of: id) }
    func save(_ draft: WorldDraft) async throws -> SaveOutcome { try await store.save(draft) }
    func remove(_ id: String) async throws -> Bool { try await store.remove(id) }
    func places(of id: String) async throws -> PlaceList? { try await store.places(of: id) }
  }

  /// Two databases of which one is the other's after it lost its last change and made another one.
  private func histories() async throws -> (before: ServerFixture, after: ServerFixture) {
    let (before, after) = (try await ServerFixture(), try await ServerFixture())
    for (fixture, name) in [(before, "Minster"), (after, "Station")] {
      try await fixture.add("same", [place("Market", 48.4, 9.99)])
      try await fixture.add("ulm", [place(name, 48.3984, 9.9916)])
    }
    #expect(try await before.stores.worlds.generation() == after.stores.worlds.generation())
    return (before, after)
  }

  @Test func `a generation that was given again is noticed by whoever is told to look`() async throws {
    let (before, after) = try await histories()
    let worlds = StandInWorlds(before.stores.worlds)
    let catalog = Catalog(store: worlds)
    try await catalog.refresh()
    try await catalog.digest()
    let first = catalog.snapshot
    worlds.base.withLock { $0 = after.stores.worlds }
    try await catalog.refresh()
    #expect(catalog.snapshot === first, "the generation says that nothing has changed")
    try await catalog.refresh(isForced: true)
    let second = catalog.snapshot
    #expect(second.byID["ulm"]?.contentHash == after.server.catalog.snapshot.byID["ulm"]?.contentHash)
    #expect(second.byID["ulm"]?.contentHash != first.byID["ulm"]?.contentHash)
    #expect(second.indexes["ulm"] !== first.indexes["ulm"] && second.digests["ulm"] == nil)
    // What is the same is not read again.
    #expect(second.indexes["same"] === first.indexes["same"] && second.digests["same"] === first.digests["same"])
    try await catalog.digest()
    #expect(catalog.snapshot.digests["ulm"] != nil)
  }

  @Test func `a feed that begins anew lets the catalog be read whatever its generation says`() async throws {
    let (before, after) = try await histories()
    let worlds = StandInWorlds(before.stores.worlds)
    let catalog = Catalog(store: worlds)
    try await catalog.refresh()
    worlds.base.withLock { $0 = after.stores.worlds }
    let server = after.server
    let feed = ChangeFeed(store: after.stores.changes, tours: server.tours, catalog: catalog, log: server.log)
    let following = Task { await feed.follow() }
    let hash = server.catalog.snapshot.byID["ulm"]?.contentHash
    try await waitUntil("it is read") { catalog.snapshot.byID["ulm"]?.contentHash == hash }
    following.cancel()
    await following.value
  }

  @Test func `changes of tours do not wait for worlds that are being read`() async throws {
    let fixture = try await ServerFixture()
    let worlds = StandInWorlds(fixture.stores.worlds)
    worlds.holdsAll.store(true, ordering: .relaxed)
    defer { worlds.holdsAll.store(false, ordering: .relaxed) }
    let server = fixture.server
    let catalog = Catalog(store: worlds)
    let feed = ChangeFeed(store: fixture.stores.changes, tours: server.tours, catalog: catalog, log: server.log)
    let isDone = Atomic(false)
    // Another process of the same database.
    let other = try SQLiteDatabase(path: fixture.folder + "/test.sqlite")
    let reading = Task {
      var reader = ChangeFeed.Reader()
      try await feed.read(&reader)
      var dimension = Dimension()
      dimension.name = "Ulm"
      dimension.places = [place("Minster", 48.3984, 9.9916)]
      _ = try await other.stores.worlds.save(WorldDraft(id: "ulm", dimension: dimension, format: "gddf"))
      try await feed.read(&reader)
      isDone.store(true, ordering: .relaxed)
      return reader.position?.number
    }
    try await waitUntil("the feed goes on", seconds: 30) { isDone.load(ordering: .relaxed) }
    #expect(try await reading.value == (try await fixture.stores.changes.latestChange().number))
    // The catalog comes when it can.
    let following = Task { await feed.follow() }
    try await waitUntil("it is being read") { worlds.waiting.load(ordering: .relaxed) > 0 }
    #expect(catalog.snapshot.byID["ulm"] == nil)
    worlds.holdsAll.store(false, ordering: .relaxed)
    try await waitUntil("it is there") { catalog.snapshot.byID["ulm"] != nil }
    following.cancel()
    await following.value
    try other.close()
  }

  @Test func `a new world is listed while the contents of others are still being read`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", [place("Minster", 48.3984, 9.9916)])
    let worlds = StandInWorlds(fixture.stores.worlds)
    let catalog = Catalog(store: worlds)
    try await catalog.refresh()
    worlds.holdsContents.store(true, ordering: .relaxed)
    defer { worlds.holdsContents.store(false, ordering: .relaxed) }
    let before = worlds.waiting.load(ordering: .relaxed)
    let digesting = Task { try await catalog.digest() }
    try await waitUntil("contents are read") { worlds.waiting.load(ordering: .relaxed) > before }
    // One that is new, and one that changes meanwhile.
    try await fixture.add("neu-ulm", [place("Station", 48.39, 10)])
    try await fixture.add("ulm", [place("Tower", 48.3984, 9.9916)])
    let refreshing = Task { try await catalog.refresh() }
    try await waitUntil("it is listed", seconds: 30) { catalog.snapshot.byID["neu-ulm"] != nil }
    try await refreshing.value
    #expect(catalog.snapshot.digests.isEmpty)
    worlds.holdsContents.store(false, ordering: .relaxed)
    try await digesting.value
    let last = catalog.snapshot
    for id in ["ulm", "neu-ulm"] { #expect(last.digests[id]?.generation == last.byID[id]?.generation, "\(id)") }
  }
}
