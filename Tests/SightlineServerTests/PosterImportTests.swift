import Foundation
import SightlineContent
import SightlinePictures
import SightlineStore
import SightlineTestSupport
import Testing

@testable import SightlineServer

/// A folder of pictures with a table, and a store to import it into.
private struct ImportFixture {
  let server: ServerFixture
  let folder: String

  init() async throws {
    server = try await ServerFixture(prepared: false)
    folder = server.folder + "/posters"
    try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  func picture(_ name: String, _ width: Int, _ height: Int, _ color: [UInt8] = [200, 100, 50]) throws {
    let pixels = (0..<width * height).flatMap { _ in color }
    try write(name, Picture(width: width, height: height, layout: .rgb, pixels: pixels).jpeg())
  }

  func run(_ table: String) async throws -> [PosterImporter.RowOutcome] {
    try write("posters.csv", Array(table.utf8))
    var rows: [PosterImporter.RowOutcome] = []
    try await PosterImporter(posters: server.stores.posters, assets: server.stores.assets).importFolder(folder) {
      rows.append($0)
    }
    return rows
  }
}

@Suite struct PosterImportTests {
  @Test func `a table's rows become posters with pictures in fitting widths`() async throws {
    let fixture = try await ImportFixture()
    try fixture.picture("wide.jpg", 1200, 600)
    try fixture.picture("sub/Tall One.jpg", 200, 300)
    let rows = try await fixture.run(
      """
      file,title,artist,text,categories,sizes,shop
      wide.jpg,"Wide, and ""quoted"" words",Mara,"Two
      lines",Nature; City ;Nature,A3 24.90 EUR; Large 1000x500 60 EUR,https://shop.example/wide
      sub/Tall%20One.jpg,Tall,,,,50x75cm,

      """
    )
    #expect(rows.map(\.outcome) == [.added, .added])
    #expect(rows.map(\.line) == [2, 4])
    let wide = try #require(try await fixture.server.stores.posters.poster("wide"))
    #expect(wide.title == "Wide, and \"quoted\" words" && wide.text == "Two\nlines" && wide.artist == "Mara")
    #expect(wide.categories == ["Nature", "City"])
    #expect(
      wide.sizes == [
        PosterSize(name: "A3", width: 420, height: 297, price: PosterPrice(amount: "24.90", currency: "EUR")),
        PosterSize(name: "Large", width: 1000, height: 500, price: PosterPrice(amount: "60", currency: "EUR")),
      ]
    )
    #expect(wide.pictures.map(\.width) == [240, 480, 960, 1200])
    #expect(wide.pictures.map(\.height) == [120, 240, 480, 600])
    #expect(wide.color == "#c86432" || wide.color.hasPrefix("#c"))
    #expect(rows[0].problems.map(\.code) == ["poster.shape"])
    let tall = try #require(try await fixture.server.stores.posters.poster("tall-20one"))
    #expect(tall.sizes.map(\.name) == ["50 × 75 cm"] && tall.pictures.map(\.width) == [200])
    for picture in wide.pictures {
      let asset = try #require(
        try await fixture.server.stores.assets.asset(String(picture.url.dropFirst("/assets/".count)))
      )
      let decoded = try Picture(decoding: [UInt8](asset.bytes), as: .rgb)
      #expect(decoded.width == picture.width && decoded.height == picture.height && asset.mediaType == "image/jpeg")
    }
    #expect(try await fixture.run("file,title,sizes\nwide.jpg,Wide,A3\n").map(\.outcome) == [.changed])
    #expect(try await fixture.run("\u{FEFF}sizes;file;title\r\nA3;wide.jpg;Wide\r\n").map(\.outcome) == [.unchanged])
  }

  @Test func `each fault is reported with its row, and the other rows are stored`() async throws {
    let fixture = try await ImportFixture()
    try fixture.picture("good.jpg", 300, 400)
    try fixture.picture("tiny.jpg", 40, 300)
    try fixture.picture("ribbon.jpg", 2000, 70)
    try fixture.write("text.png", Array("not a picture".utf8))
    try fixture.write(
      "cut.jpg",
      Array([UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.folder + "/good.jpg"))).prefix(400))
    )
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder + "/link.jpg",
      withDestinationPath: "/etc/hostname"
    )
    let long = String(repeating: "x", count: 201)
    let table = [
      "file,id,title,sizes,shop,categories", "good.jpg,,Good,A3,,", ",,No file,A3,,", "gone.jpg,,Gone,A3,,",
      "text.png,,Text,A3,,", "cut.jpg,,Cut,A3,,", "tiny.jpg,,Tiny,A3,,", "ribbon.jpg,,Ribbon,A3,,",
      "link.jpg,,Link,A3,,",
      "../good.jpg,up,Up,A3,,", "good.jpg,good,Twice,A3,,", "good.jpg,Bad Id,Bad,A3,,", "good.jpg,a,,A3,,",
      "good.jpg,b,\(long),A3,,", "good.jpg,c,No size,,,", "good.jpg,d,Bad size,A33,,", "good.jpg,e,Huge,9000x10,,",
      "good.jpg,f,Shop,A3,javascript:alert(1),", "good.jpg,g,Shop,A3,https://user:pass@shop.example/,",
      "good.jpg,h,Price,A3 12 EURO,,", "good.jpg,i,Many,A3,,a,b,c", "good.jpg,j,Bell\u{7},A3,,",
      "good.jpg,last,Last,A3,,",
    ]
    let rows = try await fixture.run(table.joined(separator: "\n"))
    #expect(rows.count == table.count - 1)
    let expected: [Int: String] = [
      3: "poster.file", 4: "poster.file", 5: "poster.file", 6: "poster.file", 7: "poster.file", 8: "poster.file",
      9: "poster.file", 10: "poster.file", 11: "poster.id", 12: "poster.id", 13: "poster.title", 14: "poster.title",
      15: "poster.sizes", 16: "poster.sizes", 17: "poster.sizes", 18: "poster.shop", 19: "poster.shop",
      20: "poster.sizes", 21: "poster.row", 22: "poster.title",
    ]
    for row in rows {
      let codes = row.problems.filter { $0.severity == .error }.map(\.code)
      #expect(codes == expected[row.line].map { [$0] } ?? [], "line \(row.line): \(row.problems)")
      #expect((row.outcome == nil) == (expected[row.line] != nil))
      #expect(row.problems.allSatisfy { $0.line == row.line && $0.message.hasSuffix(".") })
    }
    #expect(
      try await fixture.server.stores.posters.posters(PosterQuery(order: .title)).posters.map(\.id) == ["good", "last"]
    )
  }

  @Test(arguments: [
    ("", 1, "empty"), ("file,title\n", 1, "no column sizes"), ("file,title,sizes\n\"open,x,A3\n", 2, "never closed"),
  ])
  func `a table that cannot be read is refused with its line`(table: String, line: Int, words: String) async throws {
    let fixture = try await ImportFixture()
    let error = try await #require(throws: PosterImporter.Unreadable.self) { try await fixture.run(table) }
    #expect(error.description.contains("posters.csv:\(line): ") && error.description.contains(words), "\(error)")
  }

  @Test func `a table that is not UTF-8 names the line`() async throws {
    let fixture = try await ImportFixture()
    try fixture.write("other.csv", Array("file,title,sizes\na,b,c\n".utf8) + [0x78, 0xFC, 0x78])
    let error = try await #require(throws: PosterImporter.Unreadable.self) {
      try await PosterImporter(posters: fixture.server.stores.posters, assets: fixture.server.stores.assets)
        .importFolder(fixture.folder, table: fixture.folder + "/other.csv") { _ in }
    }
    #expect(error.description.contains("other.csv:3: "))
  }

  @Test func `a line's end belongs to a quoted text, and not to a field`() throws {
    let table = try PosterTable(Data("file,title\r\na,\"b\r\r\"\r\nc,\"\r\"".utf8))
    #expect(table.columns == ["file", "title"])
    #expect(table.rows.map { $0.fields.map { Array($0.utf8) } } == [[[97], [98, 13, 13]], [[99], [13]]])
  }

  @Test func `measures larger than any whole number are refused in words`() throws {
    let size = try #require(try PosterSizeText.sizes("1e30x5", isLandscape: false).first)
    var draft = PosterDraft()
    (draft.id, draft.title, draft.sizes) = ("a", "A", [size])
    #expect(draft.problems().map(\.code) == ["poster.sizes"])
    #expect(throws: PosterSizeText.Unreadable.self) { try PosterSizeText.sizes("1e400x5", isLandscape: false) }
  }

  @Test func `random bytes are a table or a reason`() {
    var random = SplitMix64(seed: 3)
    let alphabet = Array("\",;\n\r\tab\u{FEFF}ü ".utf8)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      do throws(PosterTable.Malformed) {
        let table = try PosterTable(Data(bytes))
        #expect(table.rows.allSatisfy { $0.line >= 1 && !$0.fields.isEmpty })
      } catch {
        #expect(error.line >= 1 && error.description.hasSuffix("."))
      }
    }
  }
}

@Suite struct PosterPictureTests {
  @Test func `nothing of a camera's notes is kept, and the picture stands upright`() throws {
    // Left half dark, right half light; noted as lying on its side (6: by 90 degrees clockwise).
    let (w, h) = (300, 200)
    let pixels = (0..<w * h).flatMap { index -> [UInt8] in index % w < w / 2 ? [20, 20, 20] : [230, 230, 230] }
    let jpeg = try Picture(width: w, height: h, layout: .rgb, pixels: pixels).jpeg()
    let secret = Array("GPS 48.4 N 10.0 E, serial 12345".utf8)
    let tiff = Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0] + secret
    let body = Array("Exif\0\0".utf8) + tiff
    let file = Array(jpeg[..<2]) + [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body + Array(jpeg[2...])
    let made = try PosterPictures.make(Data(file))
    #expect(abs(made.aspect - 2.0 / 3) < 1e-9)
    for rendition in made.renditions {
      #expect(rendition.bytes.range(of: Data(secret)) == nil && rendition.bytes.range(of: Data("Exif".utf8)) == nil)
      let picture = try Picture(decoding: [UInt8](rendition.bytes), as: .gray)
      // Turned clockwise, what was left is above.
      #expect(picture.pixels[picture.width / 2] < 60)
      #expect(picture.pixels[(picture.height - 1) * picture.width + picture.width / 2] > 190)
    }
  }

  @Test func `a header that promises too many pixels is refused before anything is decoded`() throws {
    // A PNG of 60,000 × 60,000 pixels in a few bytes, as a bomb would be.
    var png = try Picture(width: 64, height: 64, layout: .gray, pixels: [UInt8](repeating: 0, count: 4096)).png()
    for (offset, value) in [(16, 60_000), (20, 60_000)] {
      for k in 0..<4 { png[offset + k] = UInt8(value >> (24 - 8 * k) & 255) }
    }
    let error = try #require(throws: PictureError.self) { try PosterPictures.make(Data(png)) }
    #expect(error.kind == .tooLarge)
    // Each side within its limit, together too many.
    for (offset, value) in [(16, 19_000), (20, 19_000)] {
      for k in 0..<4 { png[offset + k] = UInt8(value >> (24 - 8 * k) & 255) }
    }
    #expect(try #require(throws: PictureError.self) { try PosterPictures.make(Data(png)) }.kind == .tooLarge)
  }

  @Test func `what is transparent becomes paper`() throws {
    let pixels = (0..<100 * 100).flatMap { _ in [0, 0, 0, 0] as [UInt8] }
    let made = try PosterPictures.make(Data(try Picture(width: 100, height: 100, layout: .rgba, pixels: pixels).png()))
    #expect(made.color == "#ffffff")
  }

  @Test func `a very tall picture keeps its shape within the longest side`() throws {
    let picture = Picture(width: 600, height: 9000, layout: .gray, pixels: [UInt8](repeating: 90, count: 5_400_000))
    let made = try PosterPictures.make(Data(try picture.jpeg()))
    let largest = try #require(made.renditions.last)
    #expect(largest.height <= PosterPictures.longestSide)
    #expect(abs(Double(largest.width) / Double(largest.height) - 600.0 / 9000) < 0.001)
  }
}
