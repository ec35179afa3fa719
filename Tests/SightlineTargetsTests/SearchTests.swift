import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineTargets

@Suite struct SearchTests {
  private func target(_ picture: GrayImage, _ name: String = "a") -> Target {
    picture.withView { TargetBuilder().build($0, name: Array(name.utf8)) }
  }

  /// The index skips most descriptors; a plain loop skips none.
  @Test func `the index finds most of what a plain loop finds, and nothing else`() throws {
    let targets = (0..<3).map { target(Posters.rich(width: 200, height: 150, seed: UInt64(60 + $0)), "\($0)") }
    let index = DescriptorIndex(targets, limit: 4000, isLarge: false)
    let frame = Posters.frame(
      [(Posters.rich(width: 200, height: 150, seed: 61), Posters.quad(Vector2(160, 120), 210, 158, degrees: 21))],
      width: 320,
      height: 240
    )
    var set = FeatureSet()
    frame.withView { FeatureExtractor().extract($0, into: &set) }
    let known = targets.map { $0.features() }
    var (alike, found) = (0, 0)
    var neighbours: [DescriptorIndex.Neighbour] = []
    let wanted = [true, true, true]
    for i in 0..<set.count {
      let own = Array(set.descriptors[(i * 64)..<(i * 64 + 64)])
      let isLight = set.features[i].response > 0
      own.withUnsafeBufferPointer { own in
        wanted.withUnsafeBufferPointer { wanted in
          guard let own = own.baseAddress, let wanted = wanted.baseAddress else { return }
          index.neighbours(of: own, isLight: isLight, isWanted: wanted, into: &neighbours)
        }
      }
      var best: (score: Int32, owner: Int, feature: Int) = (0, 0, 0)
      for (owner, other) in known.enumerated() {
        for k in 0..<other.count where (other.features[k].response > 0) == isLight {
          var score: Int32 = 0
          for d in 0..<64 { score += Int32(own[d]) * Int32(other.descriptors[k * 64 + d]) }
          if score > best.score { best = (score, owner, k) }
        }
      }
      for neighbour in neighbours {
        let other = known[neighbour.owner]
        var score: Int32 = 0
        for d in 0..<64 { score += Int32(own[d]) * Int32(other.descriptors[neighbour.feature * 64 + d]) }
        #expect(neighbour.score == score)
        #expect((other.features[neighbour.feature].response > 0) == isLight)
      }
      guard Float(best.score) > 0.93 * FeatureSet.unit * FeatureSet.unit else { continue }
      alike += 1
      if neighbours.first?.score == best.score { found += 1 }
    }
    #expect(alike > 40)
    #expect(found * 100 > alike * 80, "\(found) of \(alike)")
  }

  @Test func `of many targets the one that is shown is named`() {
    let pictures = (0..<26).map { Posters.rich(width: 150, height: 110, seed: UInt64(400 + $0), shapes: 90) }
    let recognizer = TargetRecognizer(targets: pictures.enumerated().map { target($1, "\($0)") })
    var found: [TargetSighting] = []
    for shown in [3, 25] {
      let quad = Posters.quad(Vector2(150, 118), 220, 161, degrees: Double(shown * 20), lean: 0.1)
      Posters.frame([(pictures[shown], quad)], width: 320, height: 240).withView {
        recognizer.recognize($0, into: &found)
      }
      #expect(found.map(\.target) == [shown])
      #expect(Posters.error(found.first?.corners(width: 150, height: 110), quad) < 0.6)
    }
    Posters.frame([(Posters.rich(width: 150, height: 110, seed: 399), Posters.quad(Vector2(150, 118), 220, 161))])
      .withView { recognizer.recognize($0, into: &found) }
    #expect(found.isEmpty)
  }

  @Test func `a list that changes keeps what is followed`() throws {
    let (a, b) = (Posters.rich(width: 200, height: 150, seed: 71), Posters.rich(width: 200, height: 150, seed: 72))
    let (first, second) = (target(a, "a"), target(b, "b"))
    let tracker = TargetTracker(targets: [first])
    let frame = Posters.frame([(a, Posters.quad(Vector2(150, 120), 200, 150))], width: 320, height: 240)
    var found: [TargetSighting] = []
    frame.withView { tracker.process($0, time: 0, into: &found) }
    #expect(found.map(\.state) == [.detected])
    tracker.setTargets([second, first])
    frame.withView { tracker.process($0, time: 1.0 / 30, into: &found) }
    #expect(found.map(\.state) == [.tracked] && found.first?.target == 1)
    tracker.setTargets([])
    frame.withView { tracker.process($0, time: 2.0 / 30, into: &found) }
    #expect(found.isEmpty)
  }
}
