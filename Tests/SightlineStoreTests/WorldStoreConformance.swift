import Foundation
import SightlineContent
import SightlineStore
import Testing

/// What every ``WorldStore`` has to do, with the ``AssetStore`` beside it.
///
/// A back end runs each check on a new, empty store.
enum WorldStoreConformance {
  typealias Check = @Sendable (Stores) async throws -> Void

  static let checks: [(name: String, run: Check)] = [
    ("an empty store has no worlds", emptyStore),
    ("a saved world reads back as it was", roundTrip),
    ("identical content makes no new version", unchangedContent),
    ("a change makes a new version and keeps the old one", history),
    ("changed problems alone make a new version", changedProblems),
    ("a removed world is gone, and its numbers go on", removal),
    ("generations grow with every change and are never used twice", generations),
    ("malformed identifiers are refused", identifiers),
    ("numbers without JSON form are refused and nothing is written", notFinite),
    ("places without position are left out of the search list", placesWithoutPosition),
    ("the centre lies right across the date line", centerAcrossDateLine),
    ("text of every script survives", unicode),
    ("files are kept under their hash", assets),
    ("malformed hashes name no file", malformedHashes),
    ("writers at the same time lose nothing", concurrentWriters),
    ("readers see whole versions while a writer works", readersDuringWrites),
  ]

  static func place(_ title: String, _ latitude: Double, _ longitude: Double, _ altitude: Double? = nil) -> Place {
    Place(
      title: title,
      position: Position(latitude: latitude, longitude: longitude, altitude: altitude),
      visual: .text(title)
    )
  }

  static func draft(_ id: String, _ places: [Place], name: String? = "World") -> WorldDraft {
    var dimension = Dimension()
    dimension.name = name
    dimension.places = places
    return WorldDraft(id: id, dimension: dimension, format: "gddf", source: "\(id).gddf")
  }

  @Sendable static func emptyStore(_ stores: Stores) async throws {
    #expect(try await stores.worlds.worlds().isEmpty)
    #expect(try await stores.worlds.world("ulm", version: nil) == nil)
    #expect(try await stores.worlds.versions(of: "ulm").isEmpty)
    #expect(try await stores.worlds.places(of: "ulm") == nil)
    #expect(try await stores.worlds.generation() == 0)
    #expect(try await stores.worlds.remove("ulm") == false)
  }

  @Sendable static func roundTrip(_ stores: Stores) async throws {
    var draft = draft("ulm", [place("Minster", 48.3984, 9.9916, 482.5), place("Town hall", 48.3971, 9.9933)])
    draft.dimension.summary = "Two places"
    draft.dimension.places[0].id = "minster"
    draft.dimension.overlays = [Overlay(x: 1, y: 2, content: .text("Hello", width: 100))]
    draft.problems = [Problem(.warning, "D020", line: 3, path: "dimension/features", message: "Twice.")]
    let saved = try await stores.worlds.save(draft)
    guard case .saved(let record) = saved else {
      Issue.record("a new world is saved, not \(saved)")
      return
    }
    #expect(record.version == 1)
    let content = try #require(try await stores.worlds.world("ulm", version: nil))
    #expect(try content.dimension() == draft.dimension)
    #expect(try content.problems() == draft.problems)
    #expect(content.record == record)
    #expect(record.title == "World")
    #expect(record.summary == "Two places")
    #expect(record.places == 2)
    #expect(record.overlays == 1)
    #expect(record.format == "gddf")
    #expect(record.source == "ulm.gddf")
    // Long enough for a busy machine, and far from any other time that could be meant.
    #expect(abs(record.saved.timeIntervalSinceNow) < 1800)
    #expect(try await stores.worlds.worlds() == [record])
    let list = try #require(try await stores.worlds.places(of: "ulm"))
    #expect(list.generation == record.generation)
    #expect(
      list.places == [
        PlaceRecord(
          index: 0,
          id: "minster",
          title: "Minster",
          latitude: 48.3984,
          longitude: 9.9916,
          altitude: 482.5
        ),
        PlaceRecord(index: 1, id: nil, title: "Town hall", latitude: 48.3971, longitude: 9.9933, altitude: nil),
      ]
    )
  }

  @Sendable static func unchangedContent(_ stores: Stores) async throws {
    let draft = draft("ulm", [place("Minster", 48.3984, 9.9916)])
    let first = try await stores.worlds.save(draft).record
    let generation = try await stores.worlds.generation()
    #expect(try await stores.worlds.save(draft) == .unchanged(first))
    #expect(try await stores.worlds.generation() == generation)
    #expect(try await stores.worlds.versions(of: "ulm").count == 1)
  }

  @Sendable static func history(_ stores: Stores) async throws {
    let old = draft("ulm", [place("Minster", 48.3984, 9.9916)])
    let new = draft("ulm", [place("Minster", 48.3984, 9.9916), place("Town hall", 48.3971, 9.9933)])
    _ = try await stores.worlds.save(old)
    let record = try await stores.worlds.save(new).record
    #expect(record.version == 2)
    #expect(try await stores.worlds.versions(of: "ulm").map(\.version) == [2, 1])
    #expect(try await stores.worlds.world("ulm", version: 1)?.dimension() == old.dimension)
    #expect(try await stores.worlds.world("ulm", version: 2)?.dimension() == new.dimension)
    #expect(try await stores.worlds.world("ulm", version: nil)?.record.version == 2)
    #expect(try await stores.worlds.world("ulm", version: 3) == nil)
    #expect(try await stores.worlds.places(of: "ulm")?.places.count == 2)
    // Going back is a change like any other.
    #expect(try await stores.worlds.save(old).record.version == 3)
    #expect(try await stores.worlds.places(of: "ulm")?.places.count == 1)
  }

  @Sendable static func changedProblems(_ stores: Stores) async throws {
    var draft = draft("ulm", [place("Minster", 48.3984, 9.9916)])
    _ = try await stores.worlds.save(draft)
    draft.problems = [Problem(.info, "D050", line: nil, path: "", message: "Uses an overlay.")]
    #expect(try await stores.worlds.save(draft).record.version == 2)
    #expect(try await stores.worlds.world("ulm", version: nil)?.problems() == draft.problems)
  }

  @Sendable static func removal(_ stores: Stores) async throws {
    let draft = draft("ulm", [place("Minster", 48.3984, 9.9916)])
    _ = try await stores.worlds.save(draft)
    #expect(try await stores.worlds.remove("ulm"))
    #expect(try await stores.worlds.worlds().isEmpty)
    #expect(try await stores.worlds.world("ulm", version: nil) == nil)
    #expect(try await stores.worlds.world("ulm", version: 1) == nil)
    #expect(try await stores.worlds.versions(of: "ulm").isEmpty)
    #expect(try await stores.worlds.places(of: "ulm") == nil)
    #expect(try await stores.worlds.remove("ulm") == false)
    // The same content again is a new version: version 1 may still be in somebody's cache.
    guard case .saved(let record) = try await stores.worlds.save(draft) else {
      Issue.record("a world that was removed is saved again")
      return
    }
    #expect(record.version == 2)
    #expect(try await stores.worlds.places(of: "ulm")?.places.count == 1)
  }

  @Sendable static func generations(_ stores: Stores) async throws {
    var seen: [Int64] = [try await stores.worlds.generation()]
    for count in 1...3 {
      let record = try await stores.worlds.save(
        draft("a", Array(repeating: place("P", 1, 2), count: count))
      ).record
      #expect(record.generation == (try await stores.worlds.generation()))
      seen.append(record.generation)
    }
    seen.append(try await stores.worlds.save(draft("b", [])).record.generation)
    _ = try await stores.worlds.remove("a")
    seen.append(try await stores.worlds.generation())
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 }, "\(seen)")
  }

  @Sendable static func identifiers(_ stores: Stores) async throws {
    for id in ["", ".", "..", "a..b", "-a", "Ulm", "ulm münster", "a/b", "a\0", String(repeating: "a", count: 65)] {
      await #expect(throws: StoreError.badIdentifier(id)) { try await stores.worlds.save(draft(id, [])) }
    }
    for id in ["a", "0", "ulm-2", "ulm.v1", "a_b", String(repeating: "a", count: 64)] {
      #expect(try await stores.worlds.save(draft(id, [])).record.id == id)
    }
    // Text in an SQL statement would be a name like this one.
    #expect(try await stores.worlds.world("x' OR '1'='1", version: nil) == nil)
  }

  @Sendable static func notFinite(_ stores: Stores) async throws {
    await #expect(throws: StoreError.self) {
      try await stores.worlds.save(draft("ulm", [place("Nowhere", .nan, 0)]))
    }
    await #expect(throws: StoreError.self) {
      try await stores.worlds.save(draft("ulm", [place("High", 0, 0, .infinity)]))
    }
    #expect(try await stores.worlds.generation() == 0)
    #expect(try await stores.worlds.worlds().isEmpty)
  }

  @Sendable static func placesWithoutPosition(_ stores: Stores) async throws {
    let lost = Place(title: "Lost", position: nil, visual: .text("Lost"))
    let record = try await stores.worlds.save(draft("ulm", [lost, place("Minster", 48.3984, 9.9916)])).record
    #expect(record.places == 2)
    let places = try #require(try await stores.worlds.places(of: "ulm")).places
    #expect(places.map(\.index) == [1])
    // A world of nothing but lost places has no centre.
    #expect(try await stores.worlds.save(draft("lost", [lost])).record.center == nil)
  }

  @Sendable static func centerAcrossDateLine(_ stores: Stores) async throws {
    let record = try await stores.worlds.save(draft("fiji", [place("W", -17, 179), place("E", -17, -179)])).record
    let center = try #require(record.center)
    #expect(abs(abs(center.longitude) - 180) < 1e-6)
    #expect(abs(center.latitude + 17) < 0.01)
    let antipodes = try await stores.worlds.save(draft("antipodes", [place("A", 0, 0), place("B", 0, 180)])).record
    #expect(antipodes.center == nil)
  }

  @Sendable static func unicode(_ stores: Stores) async throws {
    let titles = ["Münster", "Gårda 🏛️", "مئذنة", "東京タワー", "a\u{0301}", "\u{1F1EB}\u{1F1F7}", "\u{0}\u{1}\"\\"]
    let draft = draft("text", titles.map { place($0, 1, 2) }, name: "Ωορλδ")
    #expect(try await stores.worlds.save(draft).record.title == "Ωορλδ")
    #expect(try await stores.worlds.world("text", version: nil)?.dimension() == draft.dimension)
    let stored = try #require(try await stores.worlds.places(of: "text")).places.map(\.title)
    // A zero character would end the text in the index; it is replaced there, and there alone.
    let expected = titles.map { $0.replacing("\0", with: "\u{FFFD}") }
    #expect(stored.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
  }

  @Sendable static func assets(_ stores: Stores) async throws {
    let bytes = Data("abc".utf8)
    let hash = try await stores.assets.saveAsset(bytes, mediaType: "image/png")
    // FIPS 180-2, example B.1.
    #expect(hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(try await stores.assets.asset(hash) == StoredAsset(hash: hash, mediaType: "image/png", bytes: bytes))
    #expect(try await stores.assets.saveAsset(bytes, mediaType: "image/png") == hash)
    let empty = try await stores.assets.saveAsset(Data(), mediaType: "text/plain")
    #expect(try await stores.assets.asset(empty)?.bytes == Data())
    let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let largeHash = try await stores.assets.saveAsset(large, mediaType: "image/jpeg")
    #expect(try await stores.assets.asset(largeHash)?.bytes == large)
  }

  @Sendable static func malformedHashes(_ stores: Stores) async throws {
    let hash = try await stores.assets.saveAsset(Data("abc".utf8), mediaType: "image/png")
    for text in ["", "ba78", hash.uppercased(), hash + "00", String(hash.dropLast()), "../../etc/passwd", "%00"] {
      #expect(try await stores.assets.asset(text) == nil, "\(text)")
    }
  }

  @Sendable static func concurrentWriters(_ stores: Stores) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for step in 1...8 {
            _ = try await stores.worlds.save(draft("shared", [place("W\(writer) S\(step)", 1, 2)]))
            _ = try await stores.worlds.save(draft("own-\(writer)", Array(repeating: place("P", 1, 2), count: step)))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await stores.worlds.versions(of: "shared").map(\.version) == Array((1...32).reversed()))
    for writer in 0..<4 {
      #expect(try await stores.worlds.world("own-\(writer)", version: nil)?.record.version == 8)
    }
    #expect(try await stores.worlds.generation() == 64)
  }

  @Sendable static func readersDuringWrites(_ stores: Stores) async throws {
    // Version n has n places, so that a mixture of two versions shows.
    _ = try await stores.worlds.save(draft("ulm", [place("1", 1, 2)]))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for count in 2...30 {
          _ = try await stores.worlds.save(draft("ulm", (1...count).map { place("\($0)", 1, 2) }))
        }
      }
      group.addTask {
        for _ in 0..<100 {
          let content = try #require(try await stores.worlds.world("ulm", version: nil))
          #expect(try content.dimension().places.count == content.record.version)
          let list = try #require(try await stores.worlds.places(of: "ulm"))
          let versions = try await stores.worlds.versions(of: "ulm")
          #expect(versions.first { $0.generation == list.generation }?.places == list.places.count)
        }
      }
      try await group.waitForAll()
    }
  }
}
