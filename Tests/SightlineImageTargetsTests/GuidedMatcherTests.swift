import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct GuidedMatcherTests {
  /// The cells leave most pairs out; a plain loop compares all.
  @Test(arguments: [UInt64(1), 2, 3])
  func `what is matched near where it has to be is what a plain loop matches there`(seed: UInt64) throws {
    let picture = Posters.rich(width: 200, height: 150, seed: 500 + seed)
    let target = picture.withView { TargetBuilder().build($0, name: []) }
    let quad = Posters.quad(Vector2(160, 120), 210, 158, degrees: 40 * Double(seed), lean: 0.1)
    var set = FeatureSet()
    Posters.frame([(picture, quad)], width: 320, height: 240).withView { FeatureExtractor().extract($0, into: &set) }
    let known = target.features()
    let knownPlaces = known.features.map { Keypoint($0) }
    let matcher = GuidedMatcher()
    matcher.set(set, width: 320, height: 240)
    let unit = FeatureSet.unit * FeatureSet.unit
    var (all, right) = (0, 0)
    var random = SplitMix64(seed: seed)
    for _ in 0..<12 {
      let (i, k) = (Int.random(in: 0..<set.count, using: &random), Int.random(in: 0..<known.count, using: &random))
      let f = set.features[i]
      let frame = Keypoint(f)
      var matches: [Match] = []
      knownPlaces.withUnsafeBufferPointer { places in
        guard let base = places.baseAddress else { return }
        matcher.match(target, known: base, seed: (frame, places[k]), limit: .max, into: &matches)
      }
      let found = Dictionary(uniqueKeysWithValues: matches.map { ($0.target, $0.frame) })
      for (t, own) in known.features.enumerated() {
        let (expected, score) = plain(set, known, t, own, seed: (frame, knownPlaces[k]))
        guard let place = found[t] else {
          #expect(expected < 0 || Float(score) < 0.861 * unit)
          continue
        }
        all += 1
        #expect(similarity(set, place, known, t) == score)
        if place == expected { right += 1 }
      }
    }
    #expect(all > 10)
    #expect(right == all)
  }

  private func similarity(_ a: FeatureSet, _ i: Int, _ b: FeatureSet, _ k: Int) -> Int32 {
    var sum: Int32 = 0
    for d in 0..<64 { sum += Int32(a.descriptors[i * 64 + d]) * Int32(b.descriptors[k * 64 + d]) }
    return sum
  }

  private func wrapped(_ angle: Float) -> Float {
    var angle = angle
    while angle > .pi { angle -= 2 * .pi }
    while angle < -.pi { angle += 2 * .pi }
    return angle
  }

  /// The most alike feature of the frame of those that are in the right place, size, direction and kind.
  private func plain(
    _ set: FeatureSet,
    _ known: FeatureSet,
    _ t: Int,
    _ own: Feature,
    seed: (frame: Keypoint, target: Keypoint)
  ) -> (Int, Int32) {
    let ratio = seed.frame.size / seed.target.size
    let turn = seed.frame.direction - seed.target.direction
    let (c, s) = (Float(cos(Double(turn))) * ratio, Float(sin(Double(turn))) * ratio)
    let (dx, dy) = (own.x - seed.target.x, own.y - seed.target.y)
    let (x, y) = (seed.frame.x + c * dx - s * dy, seed.frame.y + s * dx + c * dy)
    let tolerance = min(40, 4 + 0.3 * ratio * (dx * dx + dy * dy).squareRoot())
    var (best, index) = (Int32(0.86 * FeatureSet.unit * FeatureSet.unit), -1)
    guard own.scale * ratio > 0.7 else { return (index, best) }
    for (i, f) in set.features.enumerated() where (f.response > 0) == (own.response > 0) {
      guard (f.x - x) * (f.x - x) + (f.y - y) * (f.y - y) < tolerance * tolerance else { continue }
      guard f.scale > 0.55 * own.scale * ratio, f.scale < 1.8 * own.scale * ratio else { continue }
      guard abs(wrapped(f.angle - own.angle - turn)) < 0.6 else { continue }
      let score = similarity(set, i, known, t)
      if score > best { (best, index) = (score, i) }
    }
    return (index, best)
  }
}

@Suite struct TwinTests {
  private func target(_ picture: GrayImage, _ name: String) -> Target {
    picture.withView { TargetBuilder().build($0, name: Array(name.utf8)) }
  }

  private func turned(_ picture: GrayImage) -> GrayImage {
    var result = picture
    for y in 0..<picture.height {
      for x in 0..<picture.width { result[picture.width - 1 - x, picture.height - 1 - y] = picture[x, y] }
    }
    return result
  }

  @Test func `a picture that looks the same upside down is in one of its two poses`() throws {
    var picture = Posters.rich(width: 200, height: 150, seed: 901)
    let other = turned(picture)
    for y in 75..<150 { for x in 0..<200 { picture[x, y] = other[x, y] } }
    let recognizer = TargetRecognizer(targets: [target(picture, "same")])
    let quad = Posters.quad(Vector2(160, 120), 210, 158, degrees: 15)
    var found: [TargetSighting] = []
    Posters.frame([(picture, quad)], width: 320, height: 240).withView { recognizer.recognize($0, into: &found) }
    try #require(found.count == 1)
    let corners = found[0].corners(width: 200, height: 150)
    let upsideDown: InlineArray<4, Vector2> = [quad[2], quad[3], quad[0], quad[1]]
    #expect(min(Posters.error(corners, quad), Posters.error(corners, upsideDown)) < 0.6)
  }

  @Test func `of two targets with the same picture in one place one is reported`() {
    let picture = Posters.rich(width: 200, height: 150, seed: 902)
    let recognizer = TargetRecognizer(targets: [target(picture, "a"), target(picture, "b")])
    let quad = Posters.quad(Vector2(160, 120), 210, 158, degrees: -30)
    var found: [TargetSighting] = []
    Posters.frame([(picture, quad)], width: 320, height: 240).withView { recognizer.recognize($0, into: &found) }
    #expect(found.count == 1)
    #expect(Posters.error(found.first?.corners(width: 200, height: 150), quad) < 0.6)
  }

  @Test func `among many targets a mirrored one and one beside its near twin are told apart`() {
    let pictures = (0..<26).map { Posters.rich(width: 150, height: 110, seed: UInt64(920 + $0), shapes: 90) }
    // The twin of number 3 has another right half.
    var twin = pictures[3]
    for y in 0..<110 { for x in 75..<150 { twin[x, y] = pictures[7][x, y] } }
    let targets = pictures.enumerated().map { target($1, "\($0)") } + [target(twin, "twin")]
    let recognizer = TargetRecognizer(targets: targets)
    let quad = Posters.quad(Vector2(150, 118), 220, 161, degrees: 33)
    var found: [TargetSighting] = []
    Posters.frame([(pictures[3], quad)], width: 320, height: 240).withView { recognizer.recognize($0, into: &found) }
    #expect(found.map(\.target) == [3])
    Posters.frame([(twin, quad)], width: 320, height: 240).withView { recognizer.recognize($0, into: &found) }
    #expect(found.map(\.target) == [26])
    Posters.frame([(pictures[3], quad)], width: 320, height: 240, isMirrored: true)
      .withView { recognizer.recognize($0, into: &found) }
    #expect(found.isEmpty)
  }
}
