import Foundation
import SightlineArchive
import SightlineContent
import SightlineImport
import Testing

/// Documents whose pictures to be looked for lie in archives.
struct PackedTargetTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private func trackable(_ source: String, tracker: String = "k") -> String {
    "<Feature><name>\(source)</name><anchors><Trackable><assets/><config><tracker xlink:href=\"#\(tracker)\"/><src>\(source)</src></config>"
      + "<size>0.5</size></Trackable></anchors></Feature>"
  }

  private func arml(_ features: String, archive: String?) -> [UInt8] {
    let source = archive.map { "<src xlink:href=\"\($0)\"/>" } ?? ""
    return Array(
      """
      <arml xmlns="http://www.opengis.net/arml/2.0" xmlns:xlink="http://www.w3.org/1999/xlink"><ARElements>\(features)
      <Tracker id="k"><uri xlink:href="http://www.opengis.net/arml/tracker/genericImageTracker"/>\(source)</Tracker></ARElements></arml>
      """.utf8
    )
  }

  /// What is read of a file of these bytes, with what it stored.
  private func read(_ files: [String: [UInt8]], _ name: String) async throws -> (ImportedDocument, [Data]) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("packed-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name)) }
    var document = try ImportedDocument(fileAt: folder + "/" + name)
    var stored: [Data] = []
    try await document.takeFiles { bytes, _ in
      stored.append(bytes)
      return "/assets/\(stored.count)"
    }
    return (document, stored)
  }

  private func zip(_ files: [(String, [UInt8])]) throws -> [UInt8] {
    var zip = ZipWriter()
    for (name, bytes) in files { try zip.add(name, bytes) }
    return try zip.finish()
  }

  private func address(of place: Place, in document: ImportedDocument) -> String? {
    document.dimension?.assets.first { $0.id == place.target?.assetID }?.url
  }

  @Test func `pictures in the archive of a tracker become targets`() async throws {
    let pictures = try zip([("first.png", Self.png + [1]), ("deep/second é.png", Self.png + [2])])
    let features = trackable("first.png") + trackable("second é.png") + trackable("missing.png")
    let (document, stored) = try await read(
      ["w.arml": arml(features, archive: "my%20pictures.zip"), "my pictures.zip": pictures],
      "w.arml"
    )
    let places = try #require(document.dimension, "\(document.problems)").places
    #expect(places.map(\.target?.width) == [0.5, 0.5, 0.5])
    #expect(stored == [Data(Self.png + [1]), Data(Self.png + [2])])
    #expect(address(of: places[0], in: document) == "/assets/1" && address(of: places[1], in: document) == "/assets/2")
    let missing = document.problems.filter { $0.code == "asset.missing" }
    #expect(missing.count == 1 && missing[0].message.contains("missing.png is not in the archive my pictures.zip"))
  }

  @Test(arguments: [
    ("https://example.org/p.zip", "a.png", "anchor.unsupported"), ("p.tar", "a.png", "anchor.unsupported"),
    ("p.zip", "../a.png", "archive.path"), ("p.zip", "/a.png", "archive.path"),
  ]) func `archives that are not opened are said, and the rest is shown`(
    archive: String,
    source: String,
    code: String
  ) async throws {
    let good = "<Feature id=\"g\"><name>G</name></Feature>"
    let (document, stored) = try await read(["w.arml": arml(trackable(source) + good, archive: archive)], "w.arml")
    #expect(document.problems.contains { $0.code == code }, "\(document.problems)")
    let places = try #require(document.dimension).places
    #expect(stored.isEmpty && places.allSatisfy { $0.target == nil } && places.contains { $0.id == "g" })
  }

  @Test func `what is no archive is said`() async throws {
    let (document, stored) = try await read(
      ["w.arml": arml(trackable("a.png"), archive: "p.zip"), "p.zip": Array("no archive".utf8)],
      "w.arml"
    )
    #expect(stored.isEmpty && document.problems.contains { $0.code == "asset.missing" }, "\(document.problems)")
  }

  @Test func `a document in an archive that is no KMZ brings its pictures along`() async throws {
    let inner = try zip([("b.png", Self.png + [2])])
    let bytes = try zip([
      ("readme.txt", [0x41]), ("tour/w.arml", arml(trackable("a.png"), archive: nil)),
      ("tour/data.json", Array("{}".utf8)), ("tour/a.png", Self.png + [1]), ("tour/p.zip", inner),
    ])
    let (document, stored) = try await read(["w.zip": bytes], "w.zip")
    #expect(document.format == "arml" && stored == [Data(Self.png + [1])], "\(document.problems)")
    let packed = try zip([("w.arml", arml(trackable("b.png"), archive: "p.zip")), ("p.zip", inner)])
    #expect(try await read(["w.zip": packed], "w.zip").1 == [Data(Self.png + [2])])
    let geojson = Array(
      """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 48]},
        "properties": {"name": "A", "image": "a.png"}}]}
      """.utf8
    )
    let (world, pictures) = try await read(["w.zip": try zip([("w.geojson", geojson), ("a.png", Self.png)])], "w.zip")
    #expect(world.format == "geojson" && pictures == [Data(Self.png)])
    let (empty, _) = try await read(["w.zip": try zip([("a.png", Self.png)])], "w.zip")
    #expect(empty.dimension == nil)
    #expect(empty.problems.contains { $0.code == "format.unknown" && $0.message.contains(".arml") })
  }
}
