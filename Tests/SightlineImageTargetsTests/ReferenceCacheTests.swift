import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// What is kept of many targets, and what is given back.
@Suite struct ReferenceCacheTests {
  @Test func `of those used the one used longest ago falls out`() {
    var used = LeastRecentlyUsed(limit: 2)
    #expect(used.use(7) == nil)
    #expect(used.use(8) == nil)
    #expect(used.use(7) == nil)
    #expect(used.use(9) == 8)
    #expect(used.use(7) == nil)
    #expect(used.use(8) == 9)
  }

  @Test func `an array grows by the step that it is told`() {
    var numbers: [UInt32] = []
    for i in 0..<5000 { numbers.append(growingBy: 512, UInt32(i)) }
    #expect(numbers == Array(0..<5000))
    // Twice as many as before would be 8192 at least.
    #expect(numbers.capacity < 6000)
  }

  @Test func `sizes that were given back are made again without the picture being decoded, and are the same`() {
    let model = TargetModel(
      Posters.rich(width: 200, height: 150, seed: 85).withView { TargetBuilder().build($0, name: Array("a".utf8)) }
    )
    #expect(!model.isDecoded && !model.isThumbnailDecoded)
    func levels(_ pyramid: ReferencePyramid) -> [Float] {
      let picture = pyramid.levels[1].picture
      return (0..<(picture.width * picture.height)).map { picture.pixels.base[$0] }
    }
    let (large, small) = (levels(model.pyramid), levels(model.thumbnailPyramid))
    weak var (kept, keptSmall) = (model.pyramid, model.thumbnailPyramid)
    model.evictPyramid()
    model.evictThumbnailPyramid()
    #expect(kept == nil && keptSmall == nil)
    #expect(model.isDecoded && model.isThumbnailDecoded)
    #expect(levels(model.pyramid) == large && levels(model.thumbnailPyramid) == small)
    model.evict()
    model.evictThumbnail()
    #expect(!model.isDecoded && !model.isThumbnailDecoded)
  }

  @Test(arguments: [1 << 10, 1 << 20])
  func `votes are counted in lent memory as in their own, whatever was in it`(lent: Int) {
    let (own, other) = (HoughAccumulator(votes: 100), HoughAccumulator(votes: 100))
    let (none, some) = (FixedBuffer<Int16>(count: 1, filledWith: 0), FixedBuffer<Int16>(count: lent, filledWith: -7))
    for round in 0..<3 {
      own.clear(in: none)
      other.clear(in: some)
      for k in 0..<200 {
        let frame = Keypoint(x: Float(k % 7 * 90), y: Float(k % 5 * 80), size: 2, direction: 0.3)
        let target = Keypoint(x: Float(20 + k % 11), y: 30, size: 1, direction: Float(round))
        let vote = { (votes: HoughAccumulator) in
          votes.bins(owner: k % 3, frame, target, center: SIMD2(100, 80), size: 200)
        }
        let (a, b) = (vote(own), vote(other))
        #expect(a == b)
        own.add(a.0, Float(k))
        other.add(b.0, Float(k))
        #expect(own.sum(a.0) == other.sum(b.0) && own.sum(a.0) >= Float(k))
      }
      // Whoever lent it uses it again.
      for i in 0..<some.count { some.base[i] = Int16(truncatingIfNeeded: i) }
    }
  }

  @Test func `among many targets the sizes of one reference are kept at most`() {
    // As many copies of one poster as make many targets, and three that are in the frame one after another.
    let posters = (0..<4).map { Posters.rich(width: 120, height: 90, seed: UInt64(8500 + $0)) }
    let built = posters.map { poster in poster.withView { TargetBuilder().build($0, name: Array("a".utf8)) } }
    let models = (0..<30).map { TargetModel(built[max(0, $0 - 26)]) }
    let detector = TargetDetector(models: models, aligner: Aligner())
    var found: [Detection] = []
    var opened = Set<Int>()
    for k in 27..<30 {
      let frame = Posters.frame(
        [(posters[k - 26], Posters.quad(Vector2(160, 120), 200, 150, degrees: 8))],
        width: 320,
        height: 240,
        seed: UInt64(k)
      )
      frame.withView {
        detector.detect($0, isWanted: [Bool](repeating: true, count: 30), effort: SearchEffort(), into: &found)
      }
      opened.formUnion(found.map { $0.target })
      #expect(models.count { $0.isDecoded } <= 2)
      #expect(models.count { $0.hasPyramid } <= 1)
    }
    #expect(opened.count == 3)
  }
}
