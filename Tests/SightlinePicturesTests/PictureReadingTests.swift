import Foundation
import SightlinePictures
import SightlineTestSupport
import Testing

enum PictureFixtures {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/pictures")

  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  static func picture(_ name: String, as layout: PixelLayout) throws -> Picture {
    try Picture(contentsOfFile: path(name), as: layout)
  }
}

/// Largest difference of two pictures' bytes.
private func difference(_ a: Picture, _ b: Picture) -> Int {
  guard a.width == b.width, a.height == b.height, a.layout == b.layout else { return .max }
  return zip(a.pixels, b.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
}

@Suite struct PictureReadingTests {
  @Test(arguments: ["colors.png", "interlaced.png", "lossless.webp", "alpha.png", "alpha.webp"])
  func `files without loss give the stored colours`(name: String) throws {
    let picture = try PictureFixtures.picture(name, as: .rgb)
    #expect(picture.width == 23 && picture.height == 14)
    #expect(picture == (try PictureFixtures.picture("colors.ppm", as: .rgb)))
    // The reference itself, by the formula it was made with.
    #expect(Array(picture.pixels[3 * (5 * 23 + 7)..<3 * (5 * 23 + 8)]) == [77, 90, 105])
  }

  @Test func `on white, what cannot be seen is white, and half of it half`() {
    let seen: [UInt8] = [10, 20, 30, 255, 10, 20, 30, 0, 0, 100, 255, 128]
    let picture = Picture(width: 3, height: 1, layout: .rgba, pixels: seen)
    // 255 − 255 · 128/255, and so on, rounded.
    let expected = Picture(width: 3, height: 1, layout: .rgb, pixels: [10, 20, 30, 255, 255, 255, 127, 177, 255])
    #expect(picture.onWhite() == expected)
    #expect(expected.onWhite() == expected)
  }

  @Test(arguments: ["grays.png", "gamma.png", "wide.png", "gray-alpha.png", "comment.pgm", "wide.pgm"])
  func `files without loss give the stored grey levels`(name: String) throws {
    let picture = try PictureFixtures.picture(name, as: .gray)
    #expect(picture == (try PictureFixtures.picture("grays.pgm", as: .gray)))
    #expect(picture.pixels[5 * 23 + 7] == 79)
  }

  @Test func `palettes and single bits are unfolded`() throws {
    let reference = try PictureFixtures.picture("palette.ppm", as: .rgb)
    #expect(try PictureFixtures.picture("palette.png", as: .rgb) == reference)
    let bits = try PictureFixtures.picture("bits.png", as: .gray)
    let grays = try PictureFixtures.picture("grays.pgm", as: .gray)
    #expect(bits.pixels == grays.pixels.map { $0 > 127 ? 255 : 0 })
  }

  @Test func `alpha is kept when it is asked for`() throws {
    let grays = try PictureFixtures.picture("grays.pgm", as: .gray).pixels
    for name in ["alpha.png", "alpha.webp"] {
      let picture = try PictureFixtures.picture(name, as: .rgba)
      #expect(channel(3, of: picture) == grays)
    }
    let twoChannels = try PictureFixtures.picture("gray-alpha.png", as: .rgba)
    #expect(channel(3, of: twoChannels) == grays.reversed())
    let opaque = try PictureFixtures.picture("grays.png", as: .rgba)
    #expect(channel(3, of: opaque) == [UInt8](repeating: 255, count: grays.count))
    #expect(channel(0, of: opaque) == grays)
  }

  /// One of the four channels of a picture with alpha.
  private func channel(_ index: Int, of picture: Picture) -> [UInt8] {
    stride(from: index, to: picture.pixels.count, by: 4).map { picture.pixels[$0] }
  }

  @Test(arguments: [
    ("baseline.jpg", 24, 3.0), ("progressive.jpg", 24, 3), ("inks.jpg", 24, 3), ("lossy.webp", 130, 12),
  ])
  func `files with loss come near the colours`(name: String, largest: Int, mean: Double) throws {
    let reference = try PictureFixtures.picture("colors.ppm", as: .rgb)
    let picture = try PictureFixtures.picture(name, as: .rgb)
    #expect(difference(picture, reference) <= largest)
    let sum = zip(picture.pixels, reference.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(sum) / Double(reference.pixels.count) < mean)
  }

  @Test func `a grey JPEG has no colour to weigh`() throws {
    let reference = try PictureFixtures.picture("grays.pgm", as: .gray)
    #expect(difference(try PictureFixtures.picture("gray.jpg", as: .gray), reference) <= 12)
  }

  @Test func `colour becomes grey with the weights of BT 601`() throws {
    let colors = try PictureFixtures.picture("colors.ppm", as: .rgb)
    let grays = try PictureFixtures.picture("colors.png", as: .gray)
    for i in 0..<(23 * 14) {
      let (r, g, b) = (Double(colors.pixels[3 * i]), Double(colors.pixels[3 * i + 1]), Double(colors.pixels[3 * i + 2]))
      #expect(isNear(Double(grays.pixels[i]), 0.299 * r + 0.587 * g + 0.114 * b, within: 0.51))
    }
    // A JPEG's own luminance is what the weights give.
    let photograph = try PictureFixtures.picture("baseline.jpg", as: .gray)
    let weighed = try PictureFixtures.picture("baseline.jpg", as: .rgb).converted(to: .gray)
    #expect(difference(photograph, weighed) <= 3)
  }

  @Test func `what is written can be read again`() throws {
    var random = SplitMix64(seed: 7)
    for layout in [PixelLayout.gray, .rgb, .rgba] {
      for (width, height) in [(1, 1), (1, 40), (33, 1), (64, 31)] {
        let count = width * height * layout.bytesInPixel
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let picture = Picture(width: width, height: height, layout: layout, pixels: noise)
        #expect(try Picture(decoding: picture.png(), as: layout) == picture)
        let printed = try picture.png(pixelsPerMetre: 11811)
        #expect(try Picture(decoding: printed, as: layout) == picture)
        #expect(Array(printed[37..<41]) == Array("pHYs".utf8) && Array(printed[41..<45]) == [0, 0, 0x2E, 0x23])
        let smooth = (0..<count).map { UInt8(100 + $0 * 100 / count) }
        let calm = Picture(width: width, height: height, layout: layout, pixels: smooth)
        let again = try Picture(decoding: calm.jpeg(quality: 95, halvesColors: false), as: .rgb)
        #expect(difference(again, calm.converted(to: .rgb)) <= 8)
      }
    }
  }
}
