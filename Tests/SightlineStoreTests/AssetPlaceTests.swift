import Crypto
import Foundation
import SightlineTestSupport
import Synchronization
import Testing

@testable import SightlineStore

/// Files whose bytes lie outside the database.
@Suite(.timeLimit(.minutes(5))) struct AssetPlaceTests {
  /// A folder of its own, gone afterwards.
  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "sightline-assets-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    var place: FolderAssetPlace { get throws { try FolderAssetPlace(path) } }

    /// Names of the files in it.
    var names: [String] {
      let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
      return all.filter { $0.contains("/") }.sorted()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// A place that fails as it is told.
  private final class Faulty: AssetPlace {
    let place: any AssetPlace
    /// Writes that are left until one fails after it has written.
    let writes: Mutex<Int>

    var description: String { "a faulty place" }

    init(_ place: any AssetPlace, writes: Int) {
      self.place = place
      self.writes = Mutex(writes)
    }

    func write(_ bytes: Data, name: String) async throws {
      try await place.write(bytes, name: name)
      let isLast = writes.withLock { count in
        count -= 1
        return count < 0
      }
      if isLast { throw AssetPlaceError.unreachable(description, reason: "It was told to.") }
    }

    func read(_ name: String, size: Int) async throws -> Data? { try await place.read(name, size: size) }
    func remove(_ name: String) async throws { try await place.remove(name) }
  }

  private static func bytes(_ index: Int) -> Data { Data("file \(index) ".utf8) + Data(count: index * 1000) }

  private static func hash(_ index: Int) -> String { Data(SHA256.hash(data: bytes(index))).hexadecimal }

  private static func files(_ indices: Range<Int>) -> [AssetFile] {
    indices.map { AssetFile(bytes: bytes($0), mediaType: "image/png") }
  }

  private static func leftovers(_ store: TestStore) async throws -> Int? {
    try await store.number("SELECT count(*) FROM asset_leftover")
  }

  // MARK: Keeping

  @Test(arguments: Backend.all) func `bytes lie outside, once, and go with their row`(_ backend: Backend) async throws {
    let (store, folder) = (try await TestStore(backend), try Folder())
    let stores = Stores(store.database, files: try folder.place)
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    #expect(try await stores.assets.saveAsset(Self.bytes(3), mediaType: "image/png") == Self.hash(3))
    _ = try await stores.assets.saveAsset(Self.bytes(3), mediaType: "image/png")
    #expect(folder.names.count == 1 && folder.names[0].hasPrefix("\(Self.hash(3).prefix(2))/\(Self.hash(3))-"))
    #expect(try await store.number("SELECT sum(length(bytes)) FROM asset") == 0)
    #expect(try await stores.assets.asset(Self.hash(3))?.bytes == Self.bytes(3))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + folder.names[0])
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // An empty file is one, too.
    let nothing = try await stores.assets.saveAsset(Data(), mediaType: "image/png")
    #expect(try await stores.assets.asset(nothing)?.bytes == Data())

    let kept = try await stores.assets.keepAssets(Self.files(3..<6) + Self.files(4..<5), account: olga, limit: 20_000)
    guard case .kept(let hashes, let used) = kept else { throw CancellationError() }
    #expect(hashes == [3, 4, 5, 4].map(Self.hash) && used == (3..<6).reduce(0) { $0 + Self.bytes($1).count })
    #expect(folder.names.count == 4)
    #expect(try await stores.assets.ownAssets(of: olga).map(\.bytes) == [5, 4, 3].map { Self.bytes($0).count })
    // What does not fit leaves nothing behind.
    let full = try await stores.assets.keepAssets(Self.files(6..<9), account: olga, limit: 20_000)
    #expect(full == .full(used: used) && folder.names.count == 4)
    #expect(try await Self.leftovers(store) == 0)

    #expect(try await stores.assets.removeAsset(Self.hash(4), of: olga) == .removed)
    #expect(folder.names.count == 3 && !folder.names.contains { $0.contains(Self.hash(4)) })
    #expect(try await stores.assets.asset(Self.hash(4)) == nil)
    let report = try await stores.retention.retain(
      RetentionRules(),
      at: Date().addingTimeInterval(400 * 86_400),
      isDryRun: false
    )
    #expect(report.entries.first { $0.kind == .files }?.bytes == Self.bytes(3).count + Self.bytes(5).count)
    #expect(folder.names == [])
    #expect(try await Self.leftovers(store) == 0)
  }

  @Test(arguments: Backend.all) func `two processes that send the same keep one`(_ backend: Backend) async throws {
    let (store, folder) = (try await TestStore(backend), try Folder())
    let other = try await store.another()
    defer { try? other.close() }
    let both = [Stores(store.database, files: try folder.place), Stores(other, files: try folder.place)]
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for index in 0..<24 {
        tasks.addTask { _ = try await both[index % 2].assets.saveAsset(Self.bytes(index / 8), mediaType: "image/png") }
      }
      try await tasks.waitForAll()
    }
    #expect(folder.names.count == 3 && Set(folder.names.map { $0.prefix(67) }).count == 3, "\(folder.names)")
    #expect(try await Self.leftovers(store) == 0)
    for index in 0..<3 { #expect(try await both[1].assets.asset(Self.hash(index))?.bytes == Self.bytes(index)) }
  }

  @Test(arguments: Backend.all) func `what was written without a row is removed after a day`(
    _ backend: Backend
  ) async throws {
    let (store, folder) = (try await TestStore(backend), try Folder())
    let stores = Stores(store.database, files: Faulty(try folder.place, writes: 0))
    let error = await #expect(throws: AssetPlaceError.self) {
      _ = try await stores.assets.saveAsset(Self.bytes(1), mediaType: "image/png")
    }
    #expect(error.map { StoreBusy.isCause(of: $0) } == true)
    #expect(folder.names.count == 1)
    #expect(try await store.number("SELECT count(*) FROM asset") == 0)
    _ = try await stores.retention.retain(RetentionRules(), at: Date(), isDryRun: false)
    #expect(folder.names.count == 1, "it may be on its way")
    _ = try await stores.retention.retain(RetentionRules(), at: Date().addingTimeInterval(100_000), isDryRun: false)
    #expect(folder.names == [])
    #expect(try await Self.leftovers(store) == 0)
  }

  @Test(arguments: Backend.all) func `a file that is gone or another is an error that says so`(
    _ backend: Backend
  ) async throws {
    let (store, folder) = (try await TestStore(backend), try Folder())
    let stores = Stores(store.database, files: try folder.place)
    for index in 0..<3 { _ = try await stores.assets.saveAsset(Self.bytes(index), mediaType: "image/png") }
    await #expect(throws: AssetPlaceError.notNamed(Self.hash(1))) {
      _ = try await store.stores.assets.asset(Self.hash(1))
    }
    let paths = (0..<3).map { index in folder.path + "/" + (folder.names.first { $0.contains(Self.hash(index)) } ?? "")
    }
    try FileManager.default.removeItem(atPath: paths[0])
    try Self.bytes(7).write(to: URL(fileURLWithPath: paths[1]))
    let place = try folder.place.description
    await #expect(throws: AssetPlaceError.lost(Self.hash(0), place: place)) {
      _ = try await stores.assets.asset(Self.hash(0))
    }
    await #expect(throws: AssetPlaceError.damaged(Self.hash(1), place: place)) {
      _ = try await stores.assets.asset(Self.hash(1))
    }
    let report = try await DatabaseCheck(DatabaseTransferTests.location(store), files: try folder.place).run()
    #expect(report.findings.filter(\.isError).count == 2, "\(report.findings)")
    #expect(
      report.findings.contains {
        $0.place.contains(Self.hash(0).prefix(16)) && $0.message.contains("not in the folder")
      }
    )
    #expect(report.findings.contains { $0.place.contains(Self.hash(1).prefix(16)) && $0.message.contains("digest") })
    let blind = try await DatabaseCheck(DatabaseTransferTests.location(store)).run()
    #expect(blind.isWhole && blind.findings.contains { $0.message.contains("3 files lie outside") })
    // A name that somebody has put into the database leads nowhere.
    try Data("secret".utf8).write(to: URL(fileURLWithPath: folder.path + ".txt"))
    defer { try? FileManager.default.removeItem(atPath: folder.path + ".txt") }
    for name in ["../\(URL(fileURLWithPath: folder.path).lastPathComponent).txt", "/etc/passwd", "", "ab/..", "a\0b"] {
      try await store.database.write { db in
        try db.execute(sql: "UPDATE asset SET outside = ? WHERE outside_bytes > 2000", arguments: [name])
      }
      await #expect(throws: AssetPlaceError.self, "\(name)") { _ = try await stores.assets.asset(Self.hash(2)) }
      await #expect(throws: AssetPlaceError.self, "\(name)") { try await folder.place.remove(name) }
    }
    #expect(throws: AssetPlaceError.self) { try FolderAssetPlace(folder.path + "/none") }
  }

  // MARK: Moving

  @Test(arguments: Backend.all) func `files move between places, and a move goes on`(_ backend: Backend) async throws {
    let (store, first, second) = (try await TestStore(backend), try Folder(), try Folder())
    for index in 0..<6 { _ = try await store.stores.assets.saveAsset(Self.bytes(index), mediaType: "image/png") }
    func move(from: (any AssetPlace)?, to: (any AssetPlace)?) async throws -> AssetMove.Report {
      try await #require(AssetMove(store.database, from: from, to: to)).run()
    }
    let (one, two) = (try first.place, try second.place)
    let broken = try await move(from: nil, to: Faulty(one, writes: 2))
    #expect(broken.files == 2 && broken.failures.count == 1 && first.names.count == 3)
    #expect(try await move(from: nil, to: one).files == 4)
    #expect(try await move(from: nil, to: one).files == 0)
    #expect(try await store.number("SELECT sum(length(bytes)) FROM asset") == 0)
    #expect(try await move(from: one, to: Faulty(two, writes: 3)).files == 3)
    let rest = try await move(from: one, to: two)
    #expect(rest.files == 3 && rest.failures == [])
    // What was written for the one that failed stays for a day.
    #expect(first.names.count == 1 && second.names.count == 7)
    let stores = Stores(store.database, files: two)
    for index in 0..<6 { #expect(try await stores.assets.asset(Self.hash(index))?.bytes == Self.bytes(index)) }
    #expect(try await DatabaseCheck(DatabaseTransferTests.location(store), files: two).run().findings == [])

    // A backup has all of it; a copy has the names.
    let file = first.path + "/backup.sqlite"
    let location = try DatabaseTransferTests.location(store)
    await #expect(throws: AssetPlaceError.self) { _ = try await DatabaseBackup().save(location, to: file) }
    _ = try await DatabaseBackup(files: two).save(location, to: file)
    #expect(second.names.count == 7)
    let (restored, copied) = (try await TestStore(.sqlite), try await TestStore(backend))
    _ = try await DatabaseBackup().restore(file, to: DatabaseTransferTests.location(restored))
    try await restored.reopen()
    for index in 0..<6 { #expect(try await restored.stores.assets.asset(Self.hash(index))?.bytes == Self.bytes(index)) }
    _ = try await DatabaseCopy(from: location, to: DatabaseTransferTests.location(copied)).run()
    try await copied.reopen()
    #expect(try await Stores(copied.database, files: two).assets.asset(Self.hash(5))?.bytes == Self.bytes(5))

    // Back; one of them is damaged meanwhile and stays where it is.
    let damaged = try #require(second.names.first { $0.contains(Self.hash(2)) })
    try Data("x".utf8).write(to: URL(fileURLWithPath: second.path + "/" + damaged))
    let back = try await move(from: two, to: nil)
    #expect(back.files == 5 && back.failures.count == 1 && back.failures[0].contains(Self.hash(2)))
    #expect(try await store.stores.assets.asset(Self.hash(4))?.bytes == Self.bytes(4))
    #expect(try await store.number("SELECT count(*) FROM asset WHERE outside IS NOT NULL") == 1)
  }
}
