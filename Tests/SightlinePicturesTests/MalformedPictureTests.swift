import Foundation
import SightlinePictures
import SightlineTestSupport
import Testing

/// What reading says about bytes; `nil` when it reads them.
private func fault(_ bytes: [UInt8], limits: PictureLimits = .init()) -> PictureError? {
  do throws(PictureError) {
    _ = try Picture(decoding: bytes, as: .gray, limits: limits)
    return nil
  } catch {
    return error
  }
}

@Suite struct MalformedPictureTests {
  static let whole = [
    "colors.png", "interlaced.png", "palette.png", "baseline.jpg", "progressive.jpg", "lossless.webp", "lossy.webp",
    "colors.ppm",
  ]

  @Test(arguments: whole)
  func `a file cut short anywhere is refused`(name: String) throws {
    let bytes = try PictureFixtures.bytes(name)
    // A JPEG that lacks only its end mark, or fill bits, is whole to every reader.
    let last = name.hasSuffix("jpg") ? bytes.count - 6 : bytes.count - 1
    for count in 0...last {
      let fault = fault(Array(bytes[..<count]))
      #expect(fault != nil, "\(name) cut to \(count) of \(bytes.count) bytes was read")
      if let fault { #expect(fault.description.hasSuffix(".") && fault.description.contains(". ")) }
    }
    #expect(fault(bytes) == nil)
  }

  @Test(arguments: whole)
  func `damaged bytes give a picture of the announced size or a reason`(name: String) throws {
    let bytes = try PictureFixtures.bytes(name)
    var random = SplitMix64(seed: 41)
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var limits = PictureLimits()
      limits.pixels = 100_000
      do throws(PictureError) {
        let picture = try Picture(decoding: damaged, as: .gray, limits: limits)
        #expect(picture.pixels.count == picture.width * picture.height)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test func `every bit of a PNG's pixels is under its checksum`() throws {
    let bytes = try PictureFixtures.bytes("grays.png")
    for index in 16..<(bytes.count - 12) {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(fault(damaged) != nil, "byte \(index)")
    }
  }

  @Test func `what is no picture is told apart`() throws {
    #expect(fault([])?.kind == .unknownFormat)
    #expect(fault([])?.description.contains("empty") == true)
    #expect(fault(Array("GIF89a".utf8) + [1, 0, 1, 0, 0])?.kind == .unknownFormat)
    #expect(fault(Array("P3 1 1 255 0 0 0".utf8))?.kind == .unknownFormat)
    #expect(fault(try PictureFixtures.bytes("animated.webp"))?.kind == .unsupported)
  }

  @Test(arguments: [
    ("P5", PictureError.Kind.truncated), ("P5 ", .truncated), ("P5 x 1 255 a", .damaged), ("P5 1 1 255", .truncated),
    ("P5 1 1 0 a", .damaged), ("P5 1 1 65536 a", .damaged), ("P5 0 1 255 a", .empty), ("P5 -1 1 255 a", .damaged),
    ("P5 99999999999 1 255 a", .damaged), ("P5 1 1 255 ", .truncated), ("P6 1 1 255 ab", .truncated),
    ("P5 1 1 65535 a", .truncated), ("P5 # endless", .truncated), ("P55 1 255 a", .damaged),
  ])
  func `headers of PGM and PPM`(text: String, kind: PictureError.Kind) {
    #expect(fault(Array(text.utf8))?.kind == kind)
  }

  @Test func `size is limited before anything is decoded`() throws {
    // A PNG of 30000 × 30000 pixels in a hundred bytes, and PGM likewise.
    var bomb = try PictureFixtures.bytes("grays.png")
    bomb.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
    #expect(fault(bomb)?.kind == .tooLarge)
    #expect(fault(Array("P5 30000 30000 255 a".utf8))?.kind == .tooLarge)
    #expect(fault(Array("P5 40000 2 255 a".utf8))?.kind == .tooLarge)
    #expect(fault(Array("P5 999999999 999999999 255 a".utf8))?.kind == .tooLarge)
    var limits = PictureLimits()
    limits.pixels = 23 * 14
    for name in Self.whole { #expect(fault(try PictureFixtures.bytes(name), limits: limits) == nil) }
    limits.pixels -= 1
    for name in Self.whole { #expect(fault(try PictureFixtures.bytes(name), limits: limits)?.kind == .tooLarge) }
  }

  @Test func `files that cannot be opened say why`() throws {
    func fault(_ path: String, _ limits: PictureLimits = .init()) -> PictureError? {
      do throws(PictureError) {
        _ = try Picture(contentsOfFile: path, as: .gray, limits: limits)
        return nil
      } catch {
        return error
      }
    }
    #expect(fault(PictureFixtures.path("none.png"))?.description.contains("no such file") == true)
    #expect(fault(PictureFixtures.folder.path)?.description.contains("folder") == true)
    var limits = PictureLimits()
    limits.fileBytes = 100
    #expect(fault(PictureFixtures.path("colors.png"), limits)?.kind == .tooLarge)
  }
}
