import SightlineImaging
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct TargetFileTests {
  private func file(_ picture: GrayImage) -> [UInt8] {
    picture.withView { TargetBuilder().file(of: $0, name: Array("café".utf8), printedWidth: 0.42) }
  }

  @Test func `the same picture gives the same bytes, and they give the target`() throws {
    let picture = Posters.rich()
    let bytes = file(picture)
    #expect(bytes == file(picture))
    let target = try TargetFile.decode(bytes)
    #expect(String(decoding: target.name, as: UTF8.self) == "café")
    #expect(target.width == 360 && target.height == 270)
    #expect(abs(target.printedWidth - 0.42) < 1e-6)
    #expect(target.featureCount > 100)
    #expect(target.features().descriptors.count == target.featureCount * Feature.descriptorLength)
    #expect(bytes.count < 60_000)
    let built = picture.withView { TargetBuilder().build($0, name: Array("café".utf8), printedWidth: 0.42) }
    #expect(built == target)
  }

  @Test func `the stored reference is close to the picture`() throws {
    let picture = Posters.rich()
    let target = try TargetFile.decode(file(picture))
    let reference = target.reference()
    var sum = 0.0
    for y in 0..<270 {
      for x in 0..<360 {
        let d = Double(picture[x, y]) - Double(reference[x, y])
        sum += d * d
      }
    }
    #expect((sum / (360 * 270)).squareRoot() < 5)
  }

  @Test func `what is no target file says why`() {
    let bytes = file(Posters.rich(width: 100, height: 80))
    #expect(throws: TargetFileError.notATarget) { try TargetFile.decode([]) }
    #expect(throws: TargetFileError.notATarget) { try TargetFile.decode(Array("hello, this is no target".utf8)) }
    var later = bytes
    later[4] = 3
    #expect(throws: TargetFileError.version(3)) { try TargetFile.decode(later) }
    #expect(throws: TargetFileError.length(needed: bytes.count, given: bytes.count - 1)) {
      try TargetFile.decode(bytes.dropLast())
    }
    #expect(throws: TargetFileError.length(needed: bytes.count, given: bytes.count + 1)) {
      try TargetFile.decode(bytes + [0])
    }
    var changed = bytes
    changed[bytes.count / 2] ^= 4
    #expect(throws: TargetFileError.checksum) { try TargetFile.decode(changed) }
  }

  @Test func `a file of version 1 is read, without its small picture`() throws {
    let bytes = file(Posters.rich(width: 200, height: 150))
    let target = try TargetFile.decode(bytes)
    #expect(!target.smallCode.isEmpty)
    // What version 1 wrote: no small picture, and 0 for its length.
    var old = Array(bytes[..<target.smallCode.lowerBound]) + Array(bytes[target.smallCode.upperBound...])
    (old[4], old[6], old[7]) = (1, 0, 0)
    TargetFileTests.mend(&old)
    let former = try TargetFile.decode(old)
    #expect(former.features().features == target.features().features)
    #expect(former.reference() == target.reference())
    let (a, b) = (former.thumbnail(), target.thumbnail())
    #expect(a.width == 80 && a.height == 60 && b.width == 80 && b.height == 60)
    var square = 0.0
    for y in 0..<60 {
      for x in 0..<80 { square += (Double(a[x, y]) - Double(b[x, y])) * (Double(a[x, y]) - Double(b[x, y])) }
    }
    #expect((square / 4800).squareRoot() < 6)
    // A length that is not there.
    (old[4], old[6]) = (2, 9)
    #expect(throws: TargetFileError.length(needed: old.count + 9, given: old.count)) { try TargetFile.decode(old) }
  }

  @Test func `damaged files are refused or read, never fatal`() {
    let bytes = file(Posters.rich(width: 90, height: 70))
    var random = SplitMix64(seed: 99)
    var refused = 0
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        damaged[Int.random(in: 0..<(damaged.count - 4), using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { TargetFileTests.mend(&damaged) }
      if (try? TargetFile.decode(damaged)) == nil { refused += 1 }
    }
    #expect(refused > 100)
  }

  /// Makes the checksum right again, so that what is behind it is reached.
  static func mend(_ bytes: inout [UInt8]) {
    var hash: UInt32 = 2_166_136_261
    for byte in bytes.dropLast(4) { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    for i in 0..<4 { bytes[bytes.count - 4 + i] = UInt8(truncatingIfNeeded: hash >> UInt32(8 * i)) }
  }

  @Test(arguments: [(1, 1), (2, 2), (7, 3), (33, 65), (1, 500), (3001, 2000)])
  func `pictures of any size become targets`(width: Int, height: Int) throws {
    let picture =
      width * height > 100_000
      ? Posters.rich(width: width, height: height, shapes: 40) : GrayImage(width: width, height: height, level: 128)
    let target = try TargetFile.decode(file(picture))
    #expect(target.width == width && target.height == height)
    #expect(max(target.referenceWidth, target.referenceHeight) <= 384)
  }

  @Test func `a poor picture is rated poor and says why`() throws {
    let flat = try TargetFile.decode(file(GrayImage(width: 300, height: 200, level: 140)))
    #expect(flat.rating.stars < 0.5)
    #expect(flat.rating.reasons.contains(.littleTexture))
    let rich = try TargetFile.decode(file(Posters.rich(shapes: 200)))
    #expect(rich.rating.stars > 3.5)
    var faint = Posters.rich(shapes: 200)
    for y in 0..<faint.height { for x in 0..<faint.width { faint[x, y] = UInt8(120 + Int(faint[x, y]) / 24) } }
    #expect(try TargetFile.decode(file(faint)).rating.reasons.contains(.lowContrast))
    var tiled = GrayImage(width: 360, height: 360)
    let tile = Posters.rich(width: 60, height: 60, shapes: 12)
    for y in 0..<360 { for x in 0..<360 { tiled[x, y] = tile[x % 60, y % 60] } }
    #expect(try TargetFile.decode(file(tiled)).rating.reasons.contains(.repeatsItself))
  }

  @Test func `arithmetic coding gives the bits back`() {
    var random = SplitMix64(seed: 4)
    let bits = (0..<5000).map { _ in Int.random(in: 0..<10, using: &random) == 0 ? 1 : 0 }
    var encoder = RangeEncoder()
    let models = BitModels(count: 2)
    for (i, bit) in bits.enumerated() {
      if i % 3 == 0 { encoder.encodeEvenly(bit) } else { encoder.encode(bit, models, i % 2) }
    }
    let bytes = encoder.finish()
    #expect(bytes.count < 450)
    let again = BitModels(count: 2)
    let missing = bytes.withUnsafeBufferPointer { buffer -> Int? in
      guard let base = buffer.baseAddress else { return nil }
      var decoder = RangeDecoder(base, count: buffer.count)
      for (i, bit) in bits.enumerated() {
        let read = i % 3 == 0 ? decoder.decodeEvenly() : decoder.decode(again.base + i % 2)
        if read != bit {
          Issue.record("bit \(i)")
          break
        }
      }
      return decoder.missing
    }
    #expect(missing == 0)
  }
}
