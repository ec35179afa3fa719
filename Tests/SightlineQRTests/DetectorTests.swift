import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineQR

struct DetectorTests {
  private func code(_ text: String, version: Int = 1, level: QRLevel = .medium) throws -> QRCode {
    var encoder = QREncoder()
    encoder.minimumVersion = version
    encoder.level = level
    return try encoder.encode(text.utf8.map { QRCharacter($0) })
  }

  private func texts(_ codes: [DetectedQRCode]) -> [String] {
    codes.map { String(decoding: $0.content.bytes, as: UTF8.self) }
  }

  @Test(arguments: [1, 2, 3, 6, 7, 10, 14, 20, 27, 33, 40])
  func `codes straight on are read, with their corners`(number: Int) throws {
    let text = "v\(number) of 40"
    let code = try code(text, version: number)
    let image = code.matrix.picture(module: 3)
    let found = codes(in: image)
    #expect(texts(found) == [text])
    let first = try #require(found.first)
    #expect(first.version.number == number && !first.isInverted && !first.isMirrored)
    let (near, far) = (11.5, 11.5 + 3 * Double(code.matrix.size))
    let expected = [Vector2(near, near), Vector2(far, near), Vector2(far, far), Vector2(near, far)]
    for index in 0..<4 { #expect((first.corners[index] - expected[index]).length < 0.6) }
  }

  @Test func `codes turned and tilted are read, with their corners`() throws {
    for (index, degrees) in [0.0, 17, 45, 90, 133, 180, 222, 301].enumerated() {
      let text = "https://example.org/\(index)"
      let tilt = [0.0, 25, 45][index % 3]
      let corners = square(Vector2(120, 110), side: 130, degrees: degrees, tilt: tilt)
      let image = try code(text, version: 1 + index).matrix.picture(250, 220, corners: corners)
      let found = codes(in: image)
      #expect(texts(found) == [text], "\(degrees)°, tilt \(tilt)°")
      if let first = found.first { for k in 0..<4 { #expect((first.corners[k] - corners[k]).length < 1.5) } }
    }
  }

  @Test func `inverted and mirrored codes are read and said to be so`() throws {
    let code = try code("two sides", version: 3)
    var image = code.matrix.picture(module: 4)
    image.invert()
    let inverted = codes(in: image)
    #expect(texts(inverted) == ["two sides"])
    #expect(inverted.first?.isInverted == true && inverted.first?.isMirrored == false)
    let corners = square(Vector2(100, 100), side: 120, degrees: 20)
    let mirrored = Quadrilateral(corners[1], corners[0], corners[3], corners[2])
    let seen = codes(in: code.matrix.picture(200, 200, corners: mirrored))
    #expect(texts(seen) == ["two sides"])
    #expect(seen.first?.isMirrored == true)
    if let first = seen.first { for k in 0..<4 { #expect((first.corners[k] - mirrored[k]).length < 1.5) } }
  }

  @Test func `several codes in a picture are read`() throws {
    var image = GrayImage(width: 400, height: 300, level: 200)
    for (index, place) in [(10, 10), (210, 20), (20, 160), (250, 170)].enumerated() {
      let part = try code("number \(index)").matrix.picture(module: 4)
      for y in 0..<part.height { for x in 0..<part.width { image[place.0 + x, place.1 + y] = part[x, y] } }
    }
    #expect(texts(codes(in: image)).sorted() == ["number 0", "number 1", "number 2", "number 3"])
  }

  @Test func `shadow, noise and little contrast do not matter`() throws {
    var random = SplitMix64(seed: 21)
    let matrix = try code("in the dark", version: 2).matrix
    for round in 0..<12 {
      let corners = square(Vector2(150, 120), side: 140, degrees: Double(round) * 31)
      var image = matrix.picture(300, 240, corners: corners, dark: 90, light: round % 2 == 0 ? 230 : 125)
      for y in 0..<240 {
        for x in 0..<300 {
          let shade = round % 3 == 0 ? 0.35 + 0.65 * Double(x) / 300 : 1
          let noise = Double.random(in: -6...6, using: &random)
          image[x, y] = UInt8(max(0, min(255, Double(image[x, y]) * shade + noise)))
        }
      }
      #expect(texts(codes(in: image)) == ["in the dark"], "round \(round)")
    }
  }

  /// Half the size has less noise, and too few pixels for these modules.
  @Test func `small modules are read in noise`() throws {
    var random = SplitMix64(seed: 22)
    let matrix = try code("grain", version: 2).matrix
    for round in 0..<4 {
      let corners = square(Vector2(160, 130), side: 50, degrees: Double(round) * 23)
      var image = matrix.picture(320, 260, corners: corners)
      for y in 0..<260 {
        for x in 0..<320 {
          let noise = (0..<4).reduce(0) { sum, _ in sum + Int.random(in: -7...7, using: &random) }
          image[x, y] = UInt8(max(0, min(255, Int(image[x, y]) + noise)))
        }
      }
      #expect(texts(codes(in: image)) == ["grain"], "round \(round)")
    }
  }

  @Test func `pictures of any size are taken`() throws {
    for (width, height) in [(1, 1), (1, 50), (50, 1), (2, 2), (20, 21), (21, 21), (23, 37), (64, 64), (65, 129)] {
      var random = SplitMix64(seed: UInt64(width))
      #expect(codes(in: GrayImage(width: width, height: height, level: 128)).isEmpty)
      var image = GrayImage(width: width, height: height)
      for y in 0..<height { for x in 0..<width { image[x, y] = UInt8.random(in: 0...255, using: &random) } }
      #expect(codes(in: image).isEmpty)
    }
    #expect(texts(codes(in: try code("tiny").matrix.picture(module: 2, quiet: 2))) == ["tiny"])
  }

  @Test func `what is seen of a code partly is not read wrong`() throws {
    let text = "part of the whole"
    let whole = try code(text, version: 4, level: .high).matrix.picture(module: 4)
    var random = SplitMix64(seed: 30)
    for _ in 0..<60 {
      var image = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let (x, y) = (Int.random(in: 0..<image.width, using: &random), Int.random(in: 0..<image.height, using: &random))
        let level = UInt8.random(in: 0...255, using: &random)
        for py in y..<min(image.height, y + Int.random(in: 4...40, using: &random)) {
          for px in x..<min(image.width, x + 30) { image[px, py] = level }
        }
      }
      for found in texts(codes(in: image)) { #expect(found == text) }
    }
  }

  @Test func `a detector used again gives the same`() throws {
    var detector = QRDetector()
    let first = try code("first").matrix.picture(module: 3)
    let second = try code("second", version: 5).matrix.picture(module: 4)
    var found: [DetectedQRCode] = []
    for _ in 0..<2 {
      first.withView { detector.detect(in: $0, into: &found) }
      #expect(texts(found) == ["first"])
      second.withView { detector.detect(in: $0, into: &found) }
      #expect(texts(found) == ["second"])
    }
  }
}
