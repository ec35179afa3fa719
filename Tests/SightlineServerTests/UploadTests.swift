import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SightlinePictures
import SightlineStore
import Testing

@testable import SightlineServer

@Suite struct UploadTests {
  /// A picture whose left upper quarter is red, the rest green.
  private static func picture(_ width: Int, _ height: Int, layout: PixelLayout = .rgb) -> Picture {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let isRed = x < width / 2 && y < height / 2
        pixels += isRed ? [220, 30, 30] : [30, 180, 30]
        if layout == .rgba { pixels.append(x == 0 ? 0 : 255) }
      }
    }
    return Picture(width: width, height: height, layout: layout, pixels: pixels)
  }

  /// A JPEG file with an Exif segment: an orientation and a text that stands for a position.
  private static func photograph(orientation: UInt8) throws -> [UInt8] {
    let secret = Array("GPS 48.3984N 9.9916E".utf8)
    var tiff: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
    tiff += [0, 0, 0, 0] + secret
    let payload = Array("Exif\0\0".utf8) + tiff
    let length = payload.count + 2
    var file = try picture(64, 32).jpeg(quality: 95)
    file.insert(contentsOf: [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + payload, at: 2)
    return file
  }

  private func upload(_ author: SignedIn, _ bytes: [UInt8], _ query: String = "") async throws -> TestResponse {
    try await author.fixture.request(
      "/api/v1/assets" + query,
      .post,
      headers: [.cookie: author.cookie, .csrfToken: author.csrf, .contentType: "application/octet-stream"],
      bytes: bytes
    )
  }

  private func stored(_ author: SignedIn, _ response: TestResponse) async throws -> (Picture, [UInt8]) {
    let text = String(buffer: response.body)
    #expect(response.status == .created, "\(text)")
    let url = try #require(try JSONAnswer(response)["url"] as? String)
    let bytes = Array((try await author.fixture.request(url)).body.readableBytesView)
    return (try Picture(decoding: bytes, as: .rgb), bytes)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt8])
  func `a photograph is stored upright and without its notes`(orientation: UInt8) async throws {
    let fixture = try await ServerFixture.withAccounts()
    let author = try await fixture.signedIn("olga")
    let file = try Self.photograph(orientation: orientation)
    #expect(Data(file).range(of: Data("48.3984N".utf8)) != nil)
    #expect(ExifOrientation.ofJPEG(file) == Int(orientation))
    let (picture, bytes) = try await stored(author, try await upload(author, file))
    #expect(Data(bytes).range(of: Data("48.3984N".utf8)) == nil)
    #expect(Data(bytes).range(of: Data("Exif".utf8)) == nil)
    let isTurned = orientation >= 5
    #expect(picture.width == (isTurned ? 32 : 64) && picture.height == (isTurned ? 64 : 32))
    // The red corner: where the first row and column are shown, by the table of Exif 2.3.
    let corner = [1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (0, 1), 5: (0, 0), 6: (1, 0), 7: (1, 1), 8: (0, 1)]
    let place = try #require(corner[Int(orientation)])
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      let column = x == 0 ? picture.width / 4 : picture.width * 3 / 4
      let row = y == 0 ? picture.height / 4 : picture.height * 3 / 4
      let red = picture.pixels[(row * picture.width + column) * 3]
      #expect((red > 128) == ((x, y) == place), "\(x), \(y)")
    }
  }

  @Test func `equal files are stored once and counted once for each author`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let otto = try await fixture.signedIn("otto")
    let file = try Self.picture(100, 80).png()
    let first = try JSONAnswer(try await upload(olga, file))
    let again = try JSONAnswer(try await upload(olga, file))
    let others = try JSONAnswer(try await upload(otto, file))
    #expect(first["hash"] as? String == again["hash"] as? String)
    #expect(first["hash"] as? String == others["hash"] as? String)
    #expect(first["used"] as? Int == again["used"] as? Int)
    #expect(first["used"] as? Int == first["bytes"] as? Int)
  }

  @Test func `large pictures are made smaller, transparent ones stay transparent`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let author = try await fixture.signedIn("olga")
    let answer = try JSONAnswer(try await upload(author, try Self.picture(600, 300).png(), "?side=128"))
    #expect(answer["width"] as? Int == 128 && answer["height"] as? Int == 64)
    let clear = try JSONAnswer(try await upload(author, try Self.picture(40, 40, layout: .rgba).png()))
    #expect(clear["mediaType"] as? String == "image/png")
    let url = try #require(clear["url"] as? String)
    let bytes = Array((try await fixture.request(url)).body.readableBytesView)
    #expect(try Picture(decoding: bytes, as: .rgba).pixels[3] == 0)
  }

  @Test func `a sound is kept as it is`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let author = try await fixture.signedIn("olga")
    let sound = Array("RIFF\u{24}\0\0\0WAVEfmt ".utf8) + [UInt8](repeating: 7, count: 40)
    let answer = try JSONAnswer(try await upload(author, sound))
    #expect(answer["mediaType"] as? String == "audio/wav" && answer["width"] == nil)
    let kept = try await fixture.request(try #require(answer["url"] as? String))
    #expect(Array(kept.body.readableBytesView) == sound)
    #expect(kept.headers[.contentType] == "audio/wav")
  }

  @Test func `what cannot be taken is refused with a reason`() async throws {
    let fixture = try await ServerFixture.withAccounts { $0.quotas.uploadBytes = 50_000 }
    let author = try await fixture.signedIn("olga")
    try expectProblem(try await upload(author, []), 400, "asset.empty")
    try expectProblem(try await upload(author, Array("<svg/>".utf8)), 415, "asset.type")
    try expectProblem(try await upload(author, Array("GIF89a......".utf8)), 415, "asset.type")
    // A photograph of an iPhone is in the container that sounds are in, too.
    try expectProblem(try await upload(author, [0, 0, 0, 36] + Array("ftypheic........".utf8)), 415, "asset.type")
    try expectProblem(try await upload(author, Array("glTFxxxxxxxxxxxxxxxxx".utf8)), 422, "asset.model")
    let whole = try Self.picture(64, 64).png()
    try expectProblem(try await upload(author, Array(whole.prefix(60))), 422, "asset.unreadable")
    try expectProblem(try await upload(author, whole, "?side=9"), 400, "asset.side")
    try expectProblem(try await upload(author, [UInt8](repeating: 0, count: 50_001)), 413, "body.too-large")
    // A header that promises 65,000 × 65,000 pixels is refused without a pixel being decoded.
    var bomb = whole
    bomb.replaceSubrange(16..<24, with: [0, 0, 0xFD, 0xE8, 0, 0, 0xFD, 0xE8])
    try expectProblem(try await upload(author, bomb), 422, "asset.unreadable")
  }

  @Test func `an author's files stay within the quota`() async throws {
    let file = try Self.picture(64, 64).png()
    let fixture = try await ServerFixture.withAccounts { $0.quotas.assetBytes = file.count + 100 }
    let author = try await fixture.signedIn("olga")
    #expect(try await upload(author, file).status == .created)
    #expect(try await upload(author, file).status == .created)
    try expectProblem(try await upload(author, try Self.picture(65, 64).png()), 413, "asset.quota")
    // Somebody else's room is their own.
    #expect(try await upload(try await fixture.signedIn("otto"), file).status == .created)
  }

  @Test func `notes in a model's textures are blanked in place`() throws {
    let notes = Array("Exif\0\0II GPS 48.3984N".utf8)
    let segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(notes.count + 2)] + notes
    let file: [UInt8] = [1, 2, 3] + segment + [4, 5, 6]
    let clean = PictureIntake.withoutNotes(file)
    #expect(clean.count == file.count)
    #expect(clean.prefix(7) == file.prefix(7) && clean.suffix(3) == [4, 5, 6])
    #expect(Data(clean).range(of: Data("GPS".utf8)) == nil)
  }
}
