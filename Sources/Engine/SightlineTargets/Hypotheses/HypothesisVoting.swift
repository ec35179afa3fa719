import SightlineCamera
import SightlineImaging
import SightlineMath

/// Says which targets may be in a frame and where, by features alone.
///
/// The features of a frame are looked up among those of all targets; what is alike votes for a target and a place; the matches of the
/// targets with the most votes are made into hypotheses.
final class CandidateFinder {
  /// A hypothesis with its target.
  struct Candidate {
    var target: Int
    var hypothesis: Hypothesis
    /// How well the small picture fits there; −1 before it was looked at.
    var fit = -1.0
  }

  private struct Vote {
    var owner: Int32
    var frame: Int32
    var target: Int32
    var weight: Float
    var places: (Int32, Int32)
    /// The same target's next vote; −1 after its last.
    var next: Int32 = -1
  }

  /// The matches of a target in the best consensus: that of the best place, and that of the best other one.
  private struct Seeds {
    var first = (vote: Vote(owner: 0, frame: 0, target: 0, weight: 0, places: (-1, -1)), consensus: Float(0))
    var second = (vote: Vote(owner: 0, frame: 0, target: 0, weight: 0, places: (-1, -1)), consensus: Float(0))

    /// Of equal consensus the one that itself says most.
    mutating func take(_ vote: Vote, consensus: Float) {
      if (consensus, vote.weight) > (first.consensus, first.vote.weight) {
        if !isSame(vote, first.vote) { second = first }
        first = (vote, consensus)
      } else if !isSame(vote, first.vote), (consensus, vote.weight) > (second.consensus, second.vote.weight) {
        second = (vote, consensus)
      }
    }

    private func isSame(_ a: Vote, _ b: Vote) -> Bool { a.places.0 == b.places.0 || a.places.1 == b.places.1 }
  }

  /// Up to so many targets descriptors are compared number by number.
  static let fewTargets = 24
  /// How many features of a target are asked for at a place that one match says.
  private static let trialFeatures = 45
  /// Least consensus of a target's second place, as a share of that of its first.
  private static let leastSecond: Float = 0.5
  private let models: [TargetModel]
  private let index: DescriptorIndex
  private let extractor: FeatureExtractor
  private(set) var features = FeatureSet()
  /// From the pixels of the view that is looked at to the frame's; `nil` when it is the frame itself.
  private var frameFromView: Homography?
  private var (frameWidth, frameHeight) = (0.0, 0.0)
  private var places = Buffer<Keypoint>(count: 1024, filledWith: .zero)
  private let known = Buffer<Keypoint>(count: TargetFile.featureLimit, filledWith: .zero)
  private var finder = HypothesisFinder()
  private var neighbours: [DescriptorIndex.Neighbour] = []
  private let poses: HoughAccumulator
  private let guided = GuidedMatcher()
  /// Width, height and longer side of each target's reference, pixels.
  private let extents: Buffer<SIMD4<Float>>
  /// For each target the feature it last had a match of, and how many of that.
  private let lastFrame: Buffer<Int32>
  private let ofFrame: Buffer<Int32>
  /// For each target its first and its last vote; −1 when it has none.
  private let firstVote: Buffer<Int32>
  private let lastVote: Buffer<Int32>
  private var seeds: [Seeds] = []
  private var lists: [[Match]] = []
  /// Which of the short list's targets are looked at closely.
  private var likely: [Int] = []
  private var short: [Int] = []
  private var trials: [(weight: Float, list: Int, vote: Vote)] = []
  private var votes: [Vote] = []
  /// How many features are looked up already.
  private var matched = 0
  private var best: [Float]
  /// The most votes that agree in the upper half, the target in the lower.
  private var ranks: [UInt64] = []
  /// Which targets have votes, those with the most inlierCount ones first.
  private(set) var order: [Int] = []
  private var matches: [Match] = []
  private var hypotheses: [Hypothesis] = []
  private var plain = BruteForceMatcher()

  init(models: [TargetModel]) {
    self.models = models
    let isFew = models.count <= Self.fewTargets
    index = DescriptorIndex(models.map { $0.target }, isExact: isFew)
    var parameters = FeatureExtractor.Parameters()
    parameters.limit = 600
    parameters.threshold = 14
    // Gravel, grass and the like around a plain print have thousands of stronger features than it has; yet a small, steep print has its own in
    // one place.
    parameters.partShare = 0.4
    extractor = FeatureExtractor(parameters: parameters)
    best = [Float](repeating: 0, count: models.count)
    poses = HoughAccumulator(votes: 2 * parameters.limit * (isFew ? index.kept : 40))
    extents = Buffer(count: models.count, filledWith: .zero)
    for (i, model) in models.enumerated() {
      extents.base[i] = SIMD4(model.extent.x, model.extent.y, model.longSide, 0)
    }
    lastFrame = Buffer(count: models.count, filledWith: -1)
    ofFrame = Buffer(count: models.count, filledWith: 0)
    firstVote = Buffer(count: models.count, filledWith: -1)
    lastVote = Buffer(count: models.count, filledWith: -1)
  }

  /// Takes a frame, whose features ``look(_:)`` finds.
  func beginLook(_ frame: GrayView) {
    extractor.begin(frame, &features)
    frameFromView = nil
  }

  /// Takes a view of a frame of that size instead; hypotheses are told in the frame's pixels nevertheless.
  func beginLook(_ view: GrayView, frameFromView: Homography, width: Int, height: Int) {
    extractor.begin(view, &features)
    self.frameFromView = frameFromView
    (frameWidth, frameHeight) = (Double(width), Double(height))
  }

  /// Does a piece of finding the features of what was taken; answers what that took, and whether it was the last.
  func look(_ frame: GrayView) -> (work: Int, isDone: Bool) {
    if !extractor.isDone { return (extractor.goOn(frame, into: &features), false) }
    if let frameFromView {
      // What a view has beyond the frame's rim is drawn out of that.
      features.keep { feature in
        guard let p = frameFromView(Vector2(Double(feature.x), Double(feature.y))) else { return false }
        return p.x > 3 && p.y > 3 && p.x < frameWidth - 4 && p.y < frameHeight - 4
      }
    }
    if places.count < features.count { places = Buffer(count: features.count * 2, filledWith: .zero) }
    for (i, f) in features.features.enumerated() { places.base[i] = Keypoint(f) }
    guided.set(features, width: frame.width, height: frame.height)
    return (features.count * Cost.place / 1000, true)
  }

  /// What takes how long, nanoseconds: a feature put in its place, a vote, a place tried, a match that a place is looked for with, a thousand compared
  /// with another, and one fitted to.
  private enum Cost {
    static let place = 60
    static let vote = 25
    static let trial = 36_000
    static let match = 105
    static let compared = 3000
    static let fitted = 47
  }

  /// Begins to look the features up.
  func beginMatch() {
    votes.removeAll(keepingCapacity: true)
    // Differences have told where features are.
    poses.clear(in: extractor.space.differences)
    matched = 0
    for i in best.indices { (lastFrame.base[i], firstVote.base[i], lastVote.base[i]) = (-1, -1, -1) }
  }

  /// Looks the next features up; at the end counts what agrees, and ``order`` says which targets are likely.
  ///
  /// Answers whether that was the end.
  func match(_ count: Int, isWanted: [Bool]) -> Bool {
    let end = min(features.count, matched + count)
    features.descriptors.withUnsafeBufferPointer { descriptors in
      isWanted.withUnsafeBufferPointer { isWanted in
        guard let base = descriptors.baseAddress, let isWanted = isWanted.baseAddress else { return }
        for i in matched..<end {
          index.neighbours(
            of: base + i * Feature.descriptorLength,
            isLight: features.features[i].response > 0,
            isWanted: isWanted,
            into: &neighbours
          )
          if !neighbours.isEmpty { take(neighbours, of: i) }
        }
      }
    }
    matched = end
    guard end == features.count else { return false }
    poll()
    return true
  }

  private func take(_ neighbours: [DescriptorIndex.Neighbour], of i: Int) {
    let unit = FeatureSet.unit * FeatureSet.unit
    // How far away the last of them is tells what chance alone would give.
    // Never nearer than that, or a picture that repeats itself would have no matches at all.
    var reference: Float = 0.6
    if index.isExact {
      let last = neighbours.count == index.kept ? Float(neighbours[index.kept - 1].score) / unit : 0.79
      reference = max(0.5, max(0, 2 - 2 * last).squareRoot())
    }
    // Of many targets the near ones count, the less the more there are: what all have tells nothing.
    let share = 1 / Float(neighbours.count).squareRoot()
    for neighbour in neighbours {
      let owner = neighbour.owner
      // More than two places of one target for one keypoint only cost time.
      if lastFrame.base[owner] != Int32(i) { (lastFrame.base[owner], ofFrame.base[owner]) = (Int32(i), 0) }
      guard ofFrame.base[owner] < 2 else { continue }
      ofFrame.base[owner] += 1
      let weight =
        index.isExact
        ? 1.05 - max(1e-4, 2 - 2 * Float(neighbour.score) / unit).squareRoot() / reference
        : nearness(neighbour.distance) * share
      guard weight > (index.isExact ? 0.08 : 0.0002) else { continue }
      let extent = extents.base[owner]
      // What would be too small to be told, or a hundred times the frame, is chance.
      let size = extent.z * places.base[i].size / neighbour.place.size
      guard size > 48, size < 4000 else { continue }
      let pair = poses.places(
        owner: owner,
        places.base[i],
        neighbour.place,
        center: extent.lowHalf * 0.5,
        size: extent.z
      )
      votes.append(
        growingBy: 4096,
        Vote(
          owner: Int32(truncatingIfNeeded: owner),
          frame: Int32(truncatingIfNeeded: i),
          target: Int32(truncatingIfNeeded: neighbour.feature),
          weight: weight,
          places: pair
        )
      )
    }
  }

  /// What a number of bits that differ counts: of a third of those allowed chance has a hundred times as many as of none.
  @inline(__always)
  private func nearness(_ distance: Int) -> Float {
    let rest = 1 - Float(distance) / Float(index.reach)
    return rest * rest
  }

  /// Adds the votes up, and strings those of each target together.
  private func poll() {
    for i in best.indices { best[i] = 0 }
    let (first, last) = (firstVote.base, lastVote.base)
    votes.withUnsafeMutableBufferPointer { votes in
      best.withUnsafeMutableBufferPointer { best in
        for vote in votes {
          poses.add(vote.places.0, vote.weight)
          poses.add(vote.places.1, vote.weight)
        }
        for i in votes.indices {
          let owner = Int(votes[i].owner)
          best[owner] = max(best[owner], poses.sum(votes[i].places.0), poses.sum(votes[i].places.1))
          if last[owner] < 0 {
            first[owner] = Int32(truncatingIfNeeded: i)
          } else {
            votes[Int(last[owner])].next = Int32(truncatingIfNeeded: i)
          }
          last[owner] = Int32(truncatingIfNeeded: i)
        }
      }
    }
    // More than nothing is in order as its bits are; of equal ones the first target comes first.
    ranks.removeAll(keepingCapacity: true)
    for i in best.indices where best[i] > 0 {
      ranks.append(UInt64(best[i].bitPattern) << 32 | UInt64(~UInt32(truncatingIfNeeded: i)))
    }
    ranks.sort(by: >)
    order.removeAll(keepingCapacity: true)
    for rank in ranks { order.append(Int(~UInt32(truncatingIfNeeded: rank))) }
  }

  /// Begins to hypothesis where the targets on some places of ``order`` are; answers what that took.
  ///
  /// Of many targets so many best places of each are tried, and so many of all looked at closely; those whose middle is taken by what was found already are left out.
  func beginCandidates(_ ranks: Range<Int>, seeds count: Int, closely: Int, isTaken: (SIMD2<Float>) -> Bool) -> Int {
    let short = Array(order[ranks.clamped(to: order.indices)])
    while lists.count < short.count { lists.append([]) }
    seeds.removeAll(keepingCapacity: true)
    for (i, target) in short.enumerated() {
      lists[i].removeAll(keepingCapacity: true)
      var best = Seeds()
      var at = Int(firstVote.base[target])
      while at >= 0 {
        let vote = votes[at]
        at = Int(vote.next)
        let consensus = max(poses.sum(vote.places.0), poses.sum(vote.places.1))
        best.take(vote, consensus: consensus)
        // Of many the matches at the best places take their stead.
        guard index.isExact else { continue }
        lists[i].append(
          Match(frame: Int(vote.frame), target: Int(vote.target), weight: vote.weight, consensus: consensus)
        )
      }
      seeds.append(best)
    }
    self.short = short
    trials.removeAll(keepingCapacity: true)
    if index.isExact { rankByVotes(short) } else { rankByTrials(short, count, closely, isTaken) }
    return (votes.count * Cost.vote + trials.count * Cost.trial) / 1000
  }

  /// Adds the hypotheses of the next of those targets; answers what that took, and whether it was the last.
  ///
  /// At the end they are in order, the best first.
  func addCandidates(to candidates: inout [Candidate]) -> (work: Int, isDone: Bool) {
    guard let i = likely.popLast() else {
      candidates.sort { ($0.hypothesis.weight, $1.target) > ($1.hypothesis.weight, $0.target) }
      return (0, true)
    }
    find(lists[i], short[i])
    for hypothesis in hypotheses { candidates.append(Candidate(target: short[i], hypothesis: hypothesis)) }
    let pairs = finder.compared * Cost.compared / 1000 + finder.fittedTo * Cost.fitted
    return ((lists[i].count * Cost.match + pairs) / 1000, false)
  }

  private func rankByVotes(_ short: [Int]) {
    likely.removeAll(keepingCapacity: true)
    likely.append(contentsOf: short.indices)
  }

  /// Looks at each target's best places, and adds what matches there to the lists of those with most of it.
  private func rankByTrials(_ short: [Int], _ count: Int, _ closely: Int, _ isTaken: (SIMD2<Float>) -> Bool) {
    trials.removeAll(keepingCapacity: true)
    likely.removeAll(keepingCapacity: true)
    for (i, target) in short.enumerated() {
      _ = index.places(of: target, into: known.base)
      for k in 0..<min(2, count) {
        let seed = k == 0 ? seeds[i].first : seeds[i].second
        guard seed.consensus > 0 else { continue }
        // A second place that far fewer speak for is chance.
        guard seed.consensus > Self.leastSecond * seeds[i].first.consensus else { continue }
        if isTaken(middle(of: target, places(seed.vote))) { continue }
        guided.match(
          models[target].target,
          known: known.base,
          seed: places(seed.vote),
          limit: Self.trialFeatures,
          into: &matches
        )
        var weight: Float = 0
        for match in matches { weight += match.weight }
        trials.append((weight, i, seed.vote))
      }
    }
    trials.sort { ($0.weight, $1.list) > ($1.weight, $0.list) }
    for trial in trials.prefix(closely) {
      let target = short[trial.list]
      _ = index.places(of: target, into: known.base)
      guided.match(models[target].target, known: known.base, seed: places(trial.vote), limit: .max, into: &matches)
      if !likely.contains(trial.list) {
        likely.append(trial.list)
        lists[trial.list].removeAll(keepingCapacity: true)
      }
      lists[trial.list].append(contentsOf: matches)
    }
  }

  /// Where both features of a vote are; ``known`` has to be of its target.
  private func places(_ vote: Vote) -> (frame: Keypoint, target: Keypoint) {
    (places.base[Int(vote.frame)], known.base[Int(vote.target)])
  }

  /// Where in the frame a target's middle is when two features are the same.
  private func middle(of target: Int, _ seed: (frame: Keypoint, target: Keypoint)) -> SIMD2<Float> {
    let ratio = seed.frame.size / seed.target.size
    let turn = Double(seed.frame.direction - seed.target.direction)
    let (c, s) = (Float(cos(turn)) * ratio, Float(sin(turn)) * ratio)
    let d = models[target].extent * 0.5 - seed.target.position
    let (x, y) = (seed.frame.x + c * d.x - s * d.y, seed.frame.y + s * d.x + c * d.y)
    guard let frameFromView, let p = frameFromView(Vector2(Double(x), Double(y))) else { return SIMD2(x, y) }
    return SIMD2(Float(p.x), Float(p.y))
  }

  /// Hypotheses of one target by comparing all its features with all of the frame's.
  func exhaustiveCandidates(of target: Int, into candidates: inout [Candidate]) {
    candidates.removeAll(keepingCapacity: true)
    plain.match(features, with: models[target].target.features(), into: &matches)
    find(matches, target)
    for hypothesis in hypotheses { candidates.append(Candidate(target: target, hypothesis: hypothesis)) }
  }

  private func find(_ matches: [Match], _ target: Int) {
    let count = index.places(of: target, into: known.base)
    finder.find(
      matches,
      frame: places.base,
      frameCount: features.count,
      target: known.base,
      targetCount: count,
      extent: models[target].extent,
      limit: 3,
      into: &hypotheses
    )
    guard let frameFromView else { return }
    for i in hypotheses.indices {
      hypotheses[i].frameFromReference = (frameFromView * hypotheses[i].frameFromReference).scaled
    }
  }
}
