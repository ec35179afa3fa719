import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite("Features of a target are chosen by what is found again from elsewhere")
struct BuildingTests {
  /// A light keypoint on grey, and where it is.
  private func keypoint(_ x: Int, _ y: Int) -> GrayImage {
    var image = GrayImage(width: 161, height: 120, level: 60)
    for v in -6...6 {
      for u in -6...6 where u * u + v * v <= 36 { image[x + u, y + v] = 220 }
    }
    return image
  }

  @Test("a keypoint lies where it was, from every side", arguments: 0..<8)
  func places(eighths: Int) throws {
    let source = keypoint(97, 41).withView { FloatImage($0) }
    let turned = TurnedPicture(source, eighths: eighths)
    let view = SimulatedView(turned, SimulatedView.Stance(zoom: 0.9, squeeze: 0.6, eighths: eighths))
    var set = FeatureSet()
    view.picture.withView { FeatureExtractor().extract($0, into: &set) }
    let strongest = try #require(set.features.max { abs($0.response) < abs($1.response) })
    let place = view.place(strongest)
    #expect(abs(place.x - 97) < 1 && abs(place.y - 41) < 1)
    #expect(place.scale > strongest.scale)
  }

  @Test("the same picture gives the same features, all inside it, no more than wanted")
  func deterministic() {
    let picture = Posters.rich(seed: 5)
    var (one, two) = (FeatureSelector(), FeatureSelector())
    let first = one.select(picture, limit: 150)
    let second = two.select(picture, limit: 150)
    #expect(first.features == second.features && first.descriptors == second.descriptors)
    #expect(first.count == 150)
    #expect(first.descriptors.count == 150 * Feature.descriptorLength)
    let again = one.select(picture, limit: 150)
    #expect(again.features == first.features)
    for f in first.features { #expect(f.x > 0 && f.y > 0 && f.x < 359 && f.y < 269) }
  }

  @Test("pictures without anything, and of few pixels, have no features", arguments: [1, 3, 9, 40])
  func empty(side: Int) {
    var selector = FeatureSelector()
    let set = selector.select(GrayImage(width: side, height: side, level: 128), limit: 100)
    #expect(set.count == 0)
  }

  @Test("lists of pairs are those that a plain loop finds")
  func pairLists() {
    var random = SplitMix64(seed: 9)
    let pairs = (0..<200).map { _ in
      PairLists.Pair(
        i: Int32.random(in: 0..<30, using: &random),
        j: Int32.random(in: 30..<60, using: &random),
        share: Float.random(in: 0...1, using: &random)
      )
    }
    let lists = PairLists(pairs, count: 60)
    for k in 0..<60 {
      var expected: [Int32] = []
      for pair in pairs {
        if Int(pair.i) == k { expected.append(pair.j) }
        if Int(pair.j) == k { expected.append(pair.i) }
      }
      #expect(lists.range(k).map { lists.others.base[$0] }.sorted() == expected.sorted())
    }
  }

  @Test("the heap gives the most first, of equal ones the lower number")
  func heap() {
    var random = SplitMix64(seed: 4)
    var heap = GainHeap()
    var expected: [(gain: Float, item: Int32)] = []
    for i in 0..<300 {
      let gain = Float(Int.random(in: 0..<40, using: &random))
      heap.push(gain, Int32(i))
      expected.append((gain, Int32(i)))
    }
    expected.sort { ($0.gain, $1.item) > ($1.gain, $0.item) }
    for next in expected {
      let top = heap.pop()
      #expect(top?.gain == next.gain && top?.item == next.item)
    }
    let none = heap.pop()
    #expect(none == nil)
  }
}
