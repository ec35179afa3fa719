import SightlineImaging
import SightlineMath

/// Which targets a frame may show: its features are looked up among those of all targets, and what is alike votes for a
/// target and a pose.
///
/// A generalised Hough transform (Lowe 2004) over an inverted index (``DescriptorIndex``): each match votes for a bin
/// of target, size, direction and
/// middle (``HoughAccumulator``). Targets are ranked by their fullest bin.
final class HypothesisVoting {
  /// What votes, and how much.
  struct Parameters {
    /// Up to so many targets descriptors are compared number by number, and all matches of a target are told of; among
    /// more those of the fullest bins stand for them.
    ///
    /// Time and memory of either way meet about here.
    var exactTargets = 24
    /// Most matches of one feature with one target that vote; more only cost time.
    var votesPerTarget = 2
    /// Among few: the distance that chance alone gives is that of the last neighbour, or this cosine when there are
    /// fewer than asked for; never
    /// nearer than ``nearestChance``, or a picture that repeats itself would have no matches.
    var chanceCosine: Float = 0.79
    var nearestChance: Float = 0.5
    /// Among few: a match counts this less the ratio of its distance to that of chance, if that is more than the least
    /// weight.
    var fullWeight: Float = 1.05
    var leastWeight: Float = 0.08
    /// Among many: least weight of a vote, (1 − differing bits / reach)² over the root of the number of neighbours.
    ///
    /// With the square 121 of 160 pictures were named among 1,040 targets instead of 118.
    var leastWeightAmongMany: Float = 0.0002
    /// Least and largest size of a target that a match may mean, pixels: smaller cannot be told, and what is a hundred
    /// times the frame is chance.
    var sizes: (least: Float, most: Float) = (48, 4000)
    /// Features that are looked up in one step.
    var batch = 75
    /// Votes there is room for, as matches of a feature among many.
    var votesPerFeature = 40
  }

  fileprivate struct Vote {
    var owner: Int32
    var frame: Int32
    var target: Int32
    var weight: Float
    var bins: (Int32, Int32)
    /// The same target's next vote; −1 after its last.
    var next: Int32 = -1
  }

  /// A match in a full bin.
  struct Seed {
    /// Index among the frame's features, and among the target's.
    var frame = 0
    var target = 0
    /// Weight of all votes in its bin; 0 when there is none.
    var consensus: Float = 0
    fileprivate var weight: Float = 0
    fileprivate var bins: (Int32, Int32) = (-1, -1)

    fileprivate func isSameBin(_ vote: Vote) -> Bool { vote.bins.0 == bins.0 || vote.bins.1 == bins.1 }
  }

  /// The matches of a target in the fullest bin, and in the fullest other one.
  struct Seeds {
    private(set) var first = Seed()
    private(set) var second = Seed()

    /// Of equal bins the one whose match itself says most.
    fileprivate mutating func take(_ vote: Vote, consensus: Float) {
      let seed = Seed(
        frame: Int(vote.frame),
        target: Int(vote.target),
        consensus: consensus,
        weight: vote.weight,
        bins: vote.bins
      )
      if (consensus, vote.weight) > (first.consensus, first.weight) {
        if !first.isSameBin(vote) { second = first }
        first = seed
      } else if !first.isSameBin(vote), (consensus, vote.weight) > (second.consensus, second.weight) {
        second = seed
      }
    }
  }

  let parameters: Parameters
  /// The descriptors of all targets.
  let index: DescriptorIndex
  /// Which targets have votes, those with the fullest bins first.
  private(set) var ranking: [Int] = []
  private var neighbours: [DescriptorIndex.Neighbour] = []
  private let bins: HoughAccumulator
  /// Width, height and longer side of each target's reference, pixels.
  private let extents: FixedBuffer<SIMD4<Float>>
  /// For each target the feature it last had a match of, and how many of that.
  private let lastFeature: FixedBuffer<Int32>
  private let ofFeature: FixedBuffer<Int32>
  /// For each target its first and its last vote; −1 when it has none.
  private let firstVote: FixedBuffer<Int32>
  private let lastVote: FixedBuffer<Int32>
  private var votes: [Vote] = []
  /// How many features are looked up already.
  private var matched = 0
  private var fullest: [Float]
  /// The fullest bin in the upper half, the target in the lower.
  private var ranks: [UInt64] = []

  init(models: [TargetModel], features: Int, parameters: Parameters = Parameters()) {
    self.parameters = parameters
    let isFew = models.count <= parameters.exactTargets
    index = DescriptorIndex(models.map { $0.target }, isExact: isFew)
    fullest = [Float](repeating: 0, count: models.count)
    bins = HoughAccumulator(votes: 2 * features * (isFew ? index.kept : parameters.votesPerFeature))
    extents = FixedBuffer(count: models.count, filledWith: .zero)
    for (i, model) in models.enumerated() {
      extents.base[i] = SIMD4(model.extent.x, model.extent.y, model.longSide, 0)
    }
    lastFeature = FixedBuffer(count: models.count, filledWith: -1)
    ofFeature = FixedBuffer(count: models.count, filledWith: 0)
    firstVote = FixedBuffer(count: models.count, filledWith: -1)
    lastVote = FixedBuffer(count: models.count, filledWith: -1)
  }

  /// How many votes there are.
  var voteCount: Int { votes.count }

  /// Begins to look features up; bins are counted in memory that is lent.
  func begin(in scratch: FixedBuffer<Int16>) {
    votes.removeAll(keepingCapacity: true)
    bins.clear(in: scratch)
    matched = 0
    for i in fullest.indices { (lastFeature.base[i], firstVote.base[i], lastVote.base[i]) = (-1, -1, -1) }
  }

  /// Looks the next batch of features up; at the end counts votes, and ``ranking`` says which targets are likely.
  ///
  /// Answers whether that was the end.
  func advance(_ features: FrameFeatures, isWanted: [Bool]) -> Bool {
    let set = features.all
    let end = min(set.count, matched + parameters.batch)
    set.descriptors.withUnsafeBufferPointer { descriptors in
      isWanted.withUnsafeBufferPointer { isWanted in
        guard let base = descriptors.baseAddress, let isWanted = isWanted.baseAddress else { return }
        for i in matched..<end {
          index.neighbours(
            of: base + i * Feature.descriptorLength,
            isLight: set.features[i].response > 0,
            isWanted: isWanted,
            into: &neighbours
          )
          if !neighbours.isEmpty { vote(i, features.keypoints.base[i]) }
        }
      }
    }
    matched = end
    guard end == set.count else { return false }
    count()
    return true
  }

  /// The neighbours of a feature vote.
  @_optimize(speed)
  private func vote(_ i: Int, _ keypoint: Keypoint) {
    let unit = FeatureSet.unit * FeatureSet.unit
    var chance = parameters.nearestChance
    if index.isExact {
      let last =
        neighbours.count == index.kept ? Float(neighbours[index.kept - 1].score) / unit : parameters.chanceCosine
      chance = max(parameters.nearestChance, max(0, 2 - 2 * last).squareRoot())
    }
    // Among many the near ones count, the less the more there are: what all have tells nothing.
    let share = 1 / Float(neighbours.count).squareRoot()
    let leastWeight = index.isExact ? parameters.leastWeight : parameters.leastWeightAmongMany
    for neighbour in neighbours {
      let owner = neighbour.owner
      if lastFeature.base[owner] != Int32(i) { (lastFeature.base[owner], ofFeature.base[owner]) = (Int32(i), 0) }
      guard ofFeature.base[owner] < parameters.votesPerTarget else { continue }
      ofFeature.base[owner] += 1
      let weight =
        index.isExact
        ? parameters.fullWeight - max(1e-4, 2 - 2 * Float(neighbour.score) / unit).squareRoot() / chance
        : nearness(neighbour.distance) * share
      guard weight > leastWeight else { continue }
      let extent = extents.base[owner]
      let size = extent.z * keypoint.size / neighbour.place.size
      guard size > parameters.sizes.least, size < parameters.sizes.most else { continue }
      let pair = bins.bins(
        owner: owner,
        keypoint,
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
          bins: pair
        )
      )
    }
  }

  /// What a number of bits that differ counts: of a third of those allowed chance has a hundred times as many as of
  /// none.
  @inline(__always)
  private func nearness(_ distance: Int) -> Float {
    let rest = 1 - Float(distance) / Float(index.reach)
    return rest * rest
  }

  /// Adds the votes up, strings those of each target together, and ranks the targets.
  private func count() {
    for i in fullest.indices { fullest[i] = 0 }
    let (first, last) = (firstVote.base, lastVote.base)
    votes.withUnsafeMutableBufferPointer { votes in
      fullest.withUnsafeMutableBufferPointer { fullest in
        for vote in votes {
          bins.add(vote.bins.0, vote.weight)
          bins.add(vote.bins.1, vote.weight)
        }
        for i in votes.indices {
          let owner = Int(votes[i].owner)
          fullest[owner] = max(fullest[owner], bins.sum(votes[i].bins.0), bins.sum(votes[i].bins.1))
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
    for i in fullest.indices where fullest[i] > 0 {
      ranks.append(UInt64(fullest[i].bitPattern) << 32 | UInt64(~UInt32(truncatingIfNeeded: i)))
    }
    ranks.sort(by: >)
    ranking.removeAll(keepingCapacity: true)
    for rank in ranks { ranking.append(Int(~UInt32(truncatingIfNeeded: rank))) }
  }

  /// A target's matches in the fullest bins; fills `matches` with all of them when descriptors are compared number by
  /// number, else with none.
  func seeds(of target: Int, matches: inout [Match]) -> Seeds {
    matches.removeAll(keepingCapacity: true)
    var seeds = Seeds()
    var at = Int(firstVote.base[target])
    while at >= 0 {
      let vote = votes[at]
      at = Int(vote.next)
      let consensus = max(bins.sum(vote.bins.0), bins.sum(vote.bins.1))
      seeds.take(vote, consensus: consensus)
      guard index.isExact else { continue }
      matches.append(
        Match(frame: Int(vote.frame), target: Int(vote.target), weight: vote.weight, consensus: consensus)
      )
    }
    return seeds
  }
}
