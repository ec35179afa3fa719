import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineArchive

@Suite struct ZipArchiveTests {
  /// A stored and a deflated entry, made by Python's zipfile: `a.txt` = "stored", `b/c.txt` = 1,000 times "sightline ".
  static let sample: Data =
    FileManager.default.contents(
      atPath: URL(fileURLWithPath: #filePath).appending(path: "../../../Fixtures/archive/sample.zip").standardized.path
    ) ?? Data()

  private func content(_ name: String, of archive: ZipArchive) throws -> [UInt8] {
    let entry = try #require(archive.entries.first { $0.name == name })
    return try archive.open(entry).readAll(limit: 1 << 20, name: name)
  }

  @Test func readsStoredAndDeflatedEntries() throws {
    let archive = try ZipArchive(data: Self.sample)
    #expect(archive.entries.map(\.name) == ["a.txt", "b/c.txt"])
    #expect(try content("a.txt", of: archive) == Array("stored".utf8))
    #expect(try content("b/c.txt", of: archive) == Array(String(repeating: "sightline ", count: 1000).utf8))
  }

  @Test func smallBuffersGiveTheSame() throws {
    let archive = try ZipArchive(data: Self.sample)
    let source = try archive.open(archive.entries[1])
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 7)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
      if count == 0 { break }
      all += buffer[..<count]
    }
    #expect(all == Array(String(repeating: "sightline ", count: 1000).utf8))
  }

  @Test func `a file gives what the same bytes in memory give`() throws {
    let path = NSTemporaryDirectory() + "sightline-\(UUID().uuidString).zip"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Self.sample.write(to: URL(fileURLWithPath: path))
    let archive = try ZipArchive(path: path)
    #expect(try content("a.txt", of: archive) == Array("stored".utf8))
    #expect(try content("b/c.txt", of: archive) == Array(String(repeating: "sightline ", count: 1000).utf8))
    // Two at once have each their own place in it.
    let sources = try archive.entries.map { try archive.open($0) }
    var found: [[UInt8]] = [[], []]
    var buffer = [UInt8](repeating: 0, count: 5)
    for turn in 0..<5000 {
      let count = try buffer.withUnsafeMutableBytes { try sources[turn % 2].read(into: $0) }
      found[turn % 2] += buffer[..<count]
    }
    #expect(found == [Array("stored".utf8), Array(String(repeating: "sightline ", count: 1000).utf8)])
    // One that somebody cuts off meanwhile is an error, not the end of the program.
    let source = try archive.open(archive.entries[1])
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 4)
    #expect(throws: ArchiveError.self) { _ = try source.readAll(limit: 1 << 20, name: "b/c.txt") }
  }

  @Test func `what is written is read, small as it can be, and the same each time`() throws {
    var generator = SplitMix64(seed: 7)
    let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let contents: [(String, [UInt8])] = [
      ("doc.kml", Array(String(repeating: "<Placemark/>", count: 5000).utf8)), ("empty", []), ("ä/日本.png", noise),
      ("short", Array("no more".utf8)),
    ]
    func written() throws -> [UInt8] {
      var writer = ZipWriter()
      for (name, bytes) in contents { try writer.add(name, bytes) }
      return try writer.finish()
    }
    let bytes = try written()
    let archive = try ZipArchive(data: Data(bytes))
    #expect(archive.entries.map(\.name) == contents.map(\.0))
    for (name, expected) in contents { #expect(try content(name, of: archive) == expected, "\(name)") }
    // What repeats itself is packed, noise is not made longer than by its header.
    #expect(archive.entries[0].packedSize * 50 < archive.entries[0].size)
    #expect(archive.entries[2].packedSize == 5000)
    #expect(try written() == bytes)
    #expect(try ZipArchive(data: Data(try ZipWriter().finish())).entries.isEmpty)
  }

  @Test func everyCutIsRefused() {
    for length in 0..<Self.sample.count {
      #expect(throws: ArchiveError.self, "cut to \(length) bytes") {
        let archive = try ZipArchive(data: Data(Self.sample[..<length]))
        for entry in archive.entries { _ = try archive.open(entry).readAll(limit: 1 << 20, name: entry.name) }
      }
    }
  }

  @Test func changedBytesNeverGiveOtherContent() {
    var random = SplitMix64(seed: 7)
    var refused = 0
    for _ in 0..<600 {
      var bytes = [UInt8](Self.sample)
      bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 << (random.next() % 8))
      do {
        let archive = try ZipArchive(data: Data(bytes))
        for entry in archive.entries {
          let content = try archive.open(entry).readAll(limit: 1 << 20, name: entry.name)
          #expect(content == Array("stored".utf8) || content.count == 10_000)
        }
      } catch { refused += 1 }
    }
    #expect(refused > 150)
  }

  @Test func limits() throws {
    var limits = ZipArchive.Limits()
    limits.unpackedBytes = 9_999
    let archive = try ZipArchive(data: Self.sample, limits: limits)
    #expect(throws: ArchiveError.tooLarge(name: "b/c.txt", limit: 9_999)) { _ = try archive.open(archive.entries[1]) }
    limits.entries = 1
    #expect(throws: ArchiveError.self) { _ = try ZipArchive(data: Self.sample, limits: limits) }
  }

  @Test func whatIsNoArchive() {
    #expect(throws: ArchiveError.self) { _ = try ZipArchive(data: Data()) }
    #expect(throws: ArchiveError.self) { _ = try ZipArchive(data: Data(repeating: 0x50, count: 5000)) }
    #expect(throws: ArchiveError.unreadable("/no/such.zip")) { _ = try ZipArchive(path: "/no/such.zip") }
  }
}
