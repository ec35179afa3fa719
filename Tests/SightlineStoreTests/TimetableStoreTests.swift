import Crypto
import Foundation
import Testing

@testable import SightlineStore

/// Timetables that servers have in common, and subscriptions to departures.
@Suite struct TimetableStoreTests {
  private let noon = Date(timeIntervalSince1970: 1_790_000_000)

  /// A schedule file of so many bytes.
  private func file(_ seed: UInt8, bytes: Int) -> (timetable: StoredTimetable, parts: [Data]) {
    let content = Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ seed })
    let parts = stride(from: 0, to: bytes, by: StoredTimetable.partBytes).map {
      content[$0..<min(bytes, $0 + StoredTimetable.partBytes)]
    }
    let hash = Data(SHA256.hash(data: content))
    return (StoredTimetable(hash: hash, bytes: bytes, saved: noon), parts.map { Data($0) })
  }

  private func keep(_ file: (timetable: StoredTimetable, parts: [Data]), _ store: any TimetableStore) async throws {
    for (number, part) in file.parts.enumerated() { try await store.keep(part, part: number, of: file.timetable.hash) }
  }

  @Test(arguments: Backend.all)
  func `a timetable is in use once all of it is there, and the one before can be taken back`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let timetables = store.stores.timetables
    let (one, two) = (file(1, bytes: StoredTimetable.partBytes + 7), file(2, bytes: 5000))
    #expect(one.timetable.parts == 2 && two.timetable.parts == 1 && file(3, bytes: 0).timetable.parts == 0)
    let start = try await store.stores.changes.latestChange()

    try await timetables.keep(one.parts[0], part: 0, of: one.timetable.hash)
    await #expect(throws: TimetableStoreError.self) { try await timetables.publish(one.timetable, for: "hsl") }
    #expect(try await timetables.timetable(of: "hsl") == nil)
    try await keep(one, timetables)
    try await keep(one, timetables)
    var published = one.timetable
    (published.feedHash, published.feedChanged) = (Data(repeating: 3, count: 32), noon)
    try await timetables.publish(published, for: "hsl")
    #expect(try await timetables.timetable(of: "hsl") == published)
    #expect(try await timetables.part(1, of: one.timetable.hash) == one.parts[1])
    #expect(try await timetables.part(2, of: one.timetable.hash) == nil)
    #expect(try await timetables.timetable(of: "other") == nil)
    #expect(try await !timetables.takeBack("hsl"), "nothing was before")

    try await keep(two, timetables)
    try await timetables.publish(two.timetable, for: "hsl")
    try await timetables.note(Data("known".utf8), for: "hsl")
    #expect(try await timetables.timetable(of: "hsl")?.note == Data("known".utf8))
    #expect(try await timetables.takeBack("hsl"))
    #expect(try await timetables.timetable(of: "hsl")?.hash == one.timetable.hash)
    #expect(try await timetables.takeBack("hsl"))
    #expect(try await timetables.timetable(of: "hsl")?.hash == two.timetable.hash)

    let changes = try await store.stores.changes.changes(after: start).changes
    #expect(changes.map(\.kind) == Array(repeating: .timetable, count: 4) && changes.allSatisfy { $0.key == "hsl" })
  }

  @Test(arguments: Backend.all)
  func `what belongs to no timetable goes, what is used stays`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let timetables = store.stores.timetables
    let files = (1...4).map { file(UInt8($0), bytes: 3000) }
    for file in files.prefix(3) {
      try await keep(file, timetables)
      try await timetables.publish(file.timetable, for: "hsl")
    }
    // The one before the one before is gone at once.
    #expect(try await timetables.part(0, of: files[0].timetable.hash) == nil)
    try await keep(files[3], timetables)
    try await timetables.removeLeft(before: Date().addingTimeInterval(-3600))
    #expect(try await timetables.part(0, of: files[3].timetable.hash) != nil, "it may still be on its way")
    try await timetables.removeLeft(before: Date().addingTimeInterval(3600))
    #expect(try await timetables.part(0, of: files[3].timetable.hash) == nil)
    #expect(try await timetables.part(0, of: files[1].timetable.hash) == files[1].parts[0])
    #expect(try await timetables.part(0, of: files[2].timetable.hash) == files[2].parts[0])
  }

  @Test(arguments: Backend.all)
  func `a subscription is found while its time is not over`(backend: Backend) async throws {
    let store = try await TestStore(backend)
    let (here, there) = (store.stores.subscriptions, try await store.another().stores.subscriptions)
    try await here.save(Data("a".utf8), name: "a", seconds: 600)
    try await here.save(Data("b".utf8), name: "b", seconds: 0)
    try await here.save(Data("c".utf8), name: "c", seconds: .nan)
    #expect(try await there.subscription("a") == Data("a".utf8))
    #expect(try await there.subscription("b") == nil)
    #expect(try await there.subscription("c") == nil)
    try await there.save(Data("b".utf8), name: "b", seconds: 600)
    try await here.removeExpired()
    #expect(try await here.subscription("b") == Data("b".utf8))
    #expect(try await here.subscription("a") == Data("a".utf8))
  }
}
