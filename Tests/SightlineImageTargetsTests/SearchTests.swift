import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct SearchTests {
  private func target(_ picture: GrayImage, _ name: String = "a") -> Target {
    picture.withView { TargetBuilder().build($0, name: Array(name.utf8)) }
  }

  /// The index skips most descriptors; a plain loop skips none.
  @Test func `the index finds most of what a plain loop finds, and nothing else`() throws {
    let targets = (0..<3).map { target(Posters.rich(width: 200, height: 150, seed: UInt64(60 + $0)), "\($0)") }
    let index = DescriptorIndex(targets, isExact: true)
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

  /// A look-up among many targets reads the lists of some words; reading all lists misses nothing.
  @Test func `among many targets the nearest binaryCodes are found`() throws {
    let targets = (0..<30).map { target(Posters.rich(width: 120, height: 90, seed: UInt64(700 + $0)), "\($0)") }
    let index = DescriptorIndex(targets, isExact: false)
    let chooser = BinaryEncoder(targets)
    let known = targets.map { $0.features() }
    let wanted = [Bool](repeating: true, count: targets.count)
    var neighbours: [DescriptorIndex.Neighbour] = []
    var own = 0
    for k in 0..<known[17].count {
      let descriptor = Array(known[17].descriptors[(k * 64)..<(k * 64 + 64)])
      let isLight = known[17].features[k].response > 0
      descriptor.withUnsafeBufferPointer { descriptor in
        wanted.withUnsafeBufferPointer { wanted in
          guard let base = descriptor.baseAddress, let wanted = wanted.baseAddress else { return }
          index.neighbours(of: base, isLight: isLight, isWanted: wanted, into: &neighbours)
          let binaryCode = chooser.binaryCode(of: base)
          for n in neighbours {
            let other = Array(known[n.owner].descriptors[(n.feature * 64)..<(n.feature * 64 + 64)])
            let there = other.withUnsafeBufferPointer { $0.baseAddress.map { chooser.binaryCode(of: $0) } }
            let bits =
              (there.map { ($0.first ^ binaryCode.first).nonzeroBitCount } ?? -1)
              + (there.map { ($0.second ^ binaryCode.second).nonzeroBitCount } ?? 0)
            #expect(n.distance == bits)
            #expect((known[n.owner].features[n.feature].response > 0) == isLight)
            #expect(abs(n.place.x - known[n.owner].features[n.feature].x) < 0.01)
            #expect(n.distance <= index.reach)
          }
        }
      }
      // A descriptor is in the list of its own nearest word, with nothing between.
      if neighbours.contains(where: { $0.owner == 17 && $0.feature == k && $0.distance == 0 }) { own += 1 }
    }
    #expect(known[17].count > 30)
    #expect(own == known[17].count)
    #expect(neighbours.count <= DescriptorIndex.most)
  }

  @Test func `a word of a descriptor is the nearest of those looked at`() {
    var random = SplitMix64(seed: 5)
    let samples = (0..<(600 * 64)).map { _ in Int16.random(in: 0...60, using: &random) }
    samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      let words = Vocabulary(base, sampleCount: 600, words: 64)
      let again = Vocabulary(base, sampleCount: 600, words: 64)
      #expect(words.count == 64)
      var near: [(score: Int32, word: Int)] = []
      var seen: Set<Int> = []
      for i in 0..<100 {
        words.words(near: base + i * 64, nodes: words.count, limit: 5, into: &near)
        #expect(near.count == 5)
        #expect(zip(near, near.dropFirst()).allSatisfy { $0.score >= $1.score })
        let word = words.word(of: base + i * 64)
        #expect(word == again.word(of: base + i * 64))
        seen.insert(word)
      }
      #expect(seen.count > 15)
    }
  }

  @Test func `a search that is coverage over frames finds the same`() throws {
    let picture = Posters.rich(width: 200, height: 150, seed: 81)
    var parameters = TargetTracker.Parameters()
    parameters.searchWork = 1
    let slow = TargetTracker(targets: [target(picture), target(Posters.rich(seed: 82))], parameters: parameters)
    var found: [TargetSighting] = []
    var frames = 0
    while found.isEmpty && frames < 60 {
      // It moves on while its first frame is searched.
      let quad = Posters.quad(Vector2(150 + 0.3 * Double(frames), 120), 200, 150, degrees: 9)
      Posters.frame([(picture, quad)], width: 320, height: 240, seed: UInt64(frames)).withView {
        slow.process($0, time: Double(frames) / 30, into: &found)
      }
      if let first = found.first {
        #expect(first.target == 0 && first.state == .detected)
        #expect(Posters.error(first.corners(width: 200, height: 150), quad) < 0.5)
      }
      frames += 1
    }
    #expect(found.count == 1)
    #expect(frames > 3)
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
