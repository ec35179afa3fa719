import Foundation
import SightlineArchive
import SightlineContent
import SightlineImport
import Testing

/// Reading a document from a file, and the files beside it.
struct ImportedDocumentTests {
  /// A folder that is removed again.
  private func withFolder(_ work: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/pictures", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await work(folder)
  }

  private let document = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 48]},
       "properties": {"name": "A", "image": "pictures/a.png"}},
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 48]},
       "properties": {"name": "B", "image": "../outside.png"}},
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 48]},
       "properties": {"name": "C", "image": "pictures/text.png"}},
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 48]},
       "properties": {"name": "D", "image": "https://example.org/d.png"}}]}
    """

  @Test func `a document brings the files along that lie beside it, and says which it cannot`() async throws {
    try await withFolder { folder in
      let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
      try Data(png).write(to: URL(fileURLWithPath: folder + "/pictures/a.png"))
      try Data("no picture".utf8).write(to: URL(fileURLWithPath: folder + "/pictures/text.png"))
      try Data(document.utf8).write(to: URL(fileURLWithPath: folder + "/walk.geojson"))
      var read = try ImportedDocument(fileAt: folder + "/walk.geojson")
      #expect(read.name == "walk.geojson" && read.format == "geojson")
      var stored: [(Data, String)] = []
      try await read.takeFiles { bytes, mediaType in
        stored.append((bytes, mediaType))
        return "/assets/\(stored.count)"
      }
      let pictures = try #require(read.dimension).places.map(\.imageURL)
      #expect(pictures == ["/assets/1", "../outside.png", "pictures/text.png", "https://example.org/d.png"])
      #expect(stored.count == 1 && stored[0].0 == Data(png) && stored[0].1 == "image/png")
      #expect(read.problems.map(\.code).filter { $0.hasPrefix("asset") } == ["asset.type"])
    }
  }

  @Test func `files of an archive are taken as those beside a document, and not others`() async throws {
    try await withFolder { folder in
      let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
      let names = ["near.png", "top.png", "usual.png", "a%20b.png", "missing.png", "huge.png", "text.png"]
      let placemarks = names.enumerated().map { number, name in
        "<Placemark><name>\(number)</name><ExtendedData><Data name=\"image\"><value>\(name)</value></Data></ExtendedData>"
          + "<Point><coordinates>\(number),1</coordinates></Point></Placemark>"
      }
      let kml = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>\(placemarks.joined())</Document></kml>"
      var zip = ZipWriter()
      try zip.add("tour/doc.kml", Array(kml.utf8))
      for (number, name) in ["tour/near.png", "top.png", "files/usual.png", "tour/a b.png"].enumerated() {
        try zip.add(name, png + [UInt8(number)])
      }
      try zip.add("tour/text.png", Array("no picture".utf8))
      try zip.add("huge.png", png + [UInt8](repeating: 0, count: ImportedDocument.largestPicture))
      // Beside the archive lies a file of the name that is missing in it: it is none of the archive's.
      try Data(png).write(to: URL(fileURLWithPath: folder + "/missing.png"))
      try Data(try zip.finish()).write(to: URL(fileURLWithPath: folder + "/tour.kmz"))
      var read = try ImportedDocument(fileAt: folder + "/tour.kmz")
      var stored: [Data] = []
      try await read.takeFiles { bytes, mediaType in
        #expect(mediaType == "image/png")
        stored.append(bytes)
        return "/assets/\(stored.count)"
      }
      #expect(stored == (0..<4).map { Data(png + [UInt8($0)]) })
      let pictures = try #require(read.dimension).places.map(\.imageURL)
      #expect(pictures.prefix(4) == ["/assets/1", "/assets/2", "/assets/3", "/assets/4"])
      #expect(pictures.suffix(3) == ["missing.png", "huge.png", "text.png"])
      let codes = read.problems.map(\.code)
      #expect(codes.filter { $0.hasPrefix("asset") } == ["asset.missing", "asset.missing", "asset.type"])
      #expect(read.problems.allSatisfy { !$0.message.contains(folder) })
    }
  }

  @Test func `what is refused has reasons and no world; what is no file is an error`() async throws {
    try await withFolder { folder in
      try Data("<dimension".utf8).write(to: URL(fileURLWithPath: folder + "/bad.gddf"))
      var bad = try ImportedDocument(fileAt: folder + "/bad.gddf")
      #expect(bad.dimension == nil && bad.problems.contains { $0.severity == .error })
      try await bad.takeFiles { _, _ in
        Issue.record("a refused document has no files")
        return ""
      }
      for path in [folder, folder + "/missing.gddf"] {
        #expect(throws: LocalFile.Unreadable.self) { try ImportedDocument(fileAt: path) }
      }
    }
  }

  @Test(arguments: [
    "", "/a.png", "#a", "?a", "https://e.org/a.png", "a/../b", "../a", "a//b", "./a", "a/%2e%2e/b", "a%00",
  ])
  func `addresses that are no files below the folder`(url: String) { #expect(LocalFile.relativePath(url) == nil) }

  @Test func `paths are decoded, and end before a question mark`() {
    #expect(LocalFile.relativePath("a%20b/c.png?x=1#y") == "a b/c.png")
  }

  @Test func `a link that leads out of the folder is not followed`() async throws {
    try await withFolder { folder in
      try Data("secret".utf8).write(to: URL(fileURLWithPath: folder + "/secret"))
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/pictures/a.png",
        withDestinationPath: folder + "/secret"
      )
      #expect(throws: LocalFile.Unreadable.self) {
        try LocalFile.read(folder + "/pictures/a.png", named: "a.png", largest: 100, below: folder + "/pictures")
      }
      #expect(throws: LocalFile.Unreadable.self) {
        try LocalFile.read(folder + "/secret", named: "secret", largest: 5)
      }
      #expect(try LocalFile.read(folder + "/secret", named: "secret", largest: 6) == Data("secret".utf8))
    }
  }

  @Test func `sounds of the world and of its places come along, and what is none is said`() async throws {
    try await withFolder { folder in
      let sounds: [(String, [UInt8], String)] = [
        ("a.mp3", Array("ID3 one".utf8), "audio/mpeg"), ("b.ogg", Array("OggS two".utf8), "audio/ogg"),
        ("c.wav", Array("RIFF....WAVE".utf8), "audio/wav"), ("d.m4a", Array("....ftypM4A ".utf8), "audio/mp4"),
      ]
      for (name, bytes, _) in sounds { try Data(bytes).write(to: URL(fileURLWithPath: folder + "/pictures/" + name)) }
      try Data("no sound".utf8).write(to: URL(fileURLWithPath: folder + "/pictures/e.mp3"))
      let features = (sounds.map(\.0) + ["e.mp3", "gone.mp3"]).map { name in
        #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 48]}, "properties": {"name": "A", "sound": "pictures/\#(name)"}}"#
      }
      try Data(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#.utf8)
        .write(to: URL(fileURLWithPath: folder + "/walk.geojson"))
      try Data(
        #"<dimension version="1.0"><playSound><url>pictures/a.mp3</url></playSound></dimension>"#.utf8
      )
      .write(to: URL(fileURLWithPath: folder + "/walk.gddf"))
      var read = try ImportedDocument(fileAt: folder + "/walk.geojson")
      var stored: [(bytes: Data, mediaType: String)] = []
      func store(_ bytes: Data, _ mediaType: String) -> String {
        stored.append((bytes, mediaType))
        return "/assets/\(stored.count)"
      }
      try await read.takeFiles { store($0, $1) }
      #expect(stored.map(\.mediaType) == sounds.map(\.2) && stored.map(\.bytes) == sounds.map { Data($0.1) })
      let heard = try #require(read.dimension).places.map(\.soundURL)
      #expect(heard == (1...4).map { "/assets/\($0)" } + ["pictures/e.mp3", "pictures/gone.mp3"])
      let problems = read.problems.filter { $0.code.hasPrefix("asset") }
      #expect(problems.map(\.code) == ["asset.type", "asset.missing"], "\(problems)")
      #expect(problems.map(\.path) == ["places/4/soundURL", "places/5/soundURL"])
      // Packed with the document, as pictures are.
      let packed = try KMZWriter.write(
        #require(try ImportedDocument(fileAt: folder + "/walk.geojson").dimension),
        files: CompanionFiles(ofDocumentAt: folder + "/walk.geojson", bytes: Data())
      )
      let entries = try ZipArchive(data: Data(packed.bytes)).entries.map(\.name)
      #expect(entries == ["doc.kml"] + sounds.map { "pictures/\($0.0)" })
      #expect(packed.problems.count { $0.code == "asset.missing" } == 2, "\(packed.problems)")
      var world = try ImportedDocument(fileAt: folder + "/walk.gddf")
      try await world.takeFiles { store($0, $1) }
      #expect(world.dimension?.soundURL == "/assets/5" && stored.last?.mediaType == "audio/mpeg")
    }
  }
}
