import SightlineCamera
import SightlineImaging
import SightlineMath

/// A hypothesis with its target.
struct Candidate {
  /// Which target.
  var target: Int
  /// Where it is thought to be.
  var hypothesis: Hypothesis
  /// Correlation of its thumbnail there; −1 before it was looked at.
  var fit = -1.0
}

/// Makes pose hypotheses of the targets with the most votes.
///
/// Among few targets all their matches are fitted to (``HypothesisFinder``). Among many, where an index finds only a
/// part of what matches, each
/// target is tried at its fullest bins first: one match there says where all others have to be (``GuidedMatcher``), and
/// those places with the most
/// of it are matched closely.
final class HypothesisGenerator {
  /// How much is tried.
  struct Parameters {
    /// How many features of a target are asked for at a place that a seed says.
    ///
    /// With 45 instead of 100 two of 74 pictures less were named among 1,000 targets, for a tenth of the time.
    var trialFeatures = 45
    /// Least consensus of a target's second seed, as a share of that of its first; a second place that far fewer speak
    /// for is chance.
    var secondSeed: Float = 0.5
    /// Most hypotheses of a target.
    var perTarget = 3
  }

  /// Which targets of the ranking come next, and how much is done for them.
  struct Pass {
    /// Their places in the ranking.
    var ranks: Range<Int>
    /// Among many: how many seeds of each are tried, and how many places of all are matched closely.
    var seeds: Int
    var closely: Int
    /// Most hypotheses whose thumbnails are compared.
    var hypotheses: Int
    /// Most candidates that may have been aligned when it is done.
    var attempts: Int
  }

  let parameters: Parameters
  private let models: [TargetModel]
  private let voting: HypothesisVoting
  private let features: FrameFeatures
  private var finder = HypothesisFinder()
  private var bruteForce = BruteForceMatcher()
  /// The keypoints of the target that is looked at.
  private let known = FixedBuffer<Keypoint>(count: TargetFile.featureLimit, filledWith: .zero)
  /// The targets of the pass, the seeds of each, and their matches.
  private var targets: [Int] = []
  private var seeds: [HypothesisVoting.Seeds] = []
  private var lists: [[Match]] = []
  /// Which of the pass' targets are left to be fitted.
  private var pending: [Int] = []
  private var trials: [(weight: Float, list: Int, seed: HypothesisVoting.Seed)] = []
  private var matches: [Match] = []
  private var hypotheses: [Hypothesis] = []

  init(models: [TargetModel], voting: HypothesisVoting, features: FrameFeatures, parameters: Parameters = Parameters())
  {
    (self.models, self.voting, self.features, self.parameters) = (models, voting, features, parameters)
  }

  /// Begins to make hypotheses of some targets of the ranking; answers what that cost, work units.
  ///
  /// Among many those are left out whose middle is where something was found already.
  func begin(_ pass: Pass, ranks: Range<Int>, isTaken: (SIMD2<Float>) -> Bool) -> Int {
    targets = Array(voting.ranking[ranks.clamped(to: voting.ranking.indices)])
    while lists.count < targets.count { lists.append([]) }
    seeds.removeAll(keepingCapacity: true)
    for (i, target) in targets.enumerated() { seeds.append(voting.seeds(of: target, matches: &lists[i])) }
    trials.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    if voting.index.isExact {
      pending.append(contentsOf: targets.indices)
    } else {
      tryFullestBins(pass, isTaken)
    }
    return (voting.voteCount * WorkCost.vote + trials.count * WorkCost.seedTrial) / WorkCost.unit
  }

  /// Adds the hypotheses of the next of those targets; answers what that cost, work units, and whether it was the last.
  ///
  /// At the end they are in order, the best first.
  func advance(into candidates: inout [Candidate]) -> (work: Int, isDone: Bool) {
    guard let i = pending.popLast() else {
      candidates.sortStably { ($0.hypothesis.weight, $1.target) > ($1.hypothesis.weight, $0.target) }
      return (0, true)
    }
    fit(lists[i], targets[i])
    for hypothesis in hypotheses { candidates.append(Candidate(target: targets[i], hypothesis: hypothesis)) }
    let pairs = finder.compared * WorkCost.matchComparisons / 1000 + finder.fittedTo * WorkCost.fittedMatch
    return ((lists[i].count * WorkCost.match + pairs) / WorkCost.unit, false)
  }

  /// Hypotheses of one target by comparing all its features with all of the frame's.
  func exhaustiveCandidates(of target: Int, into candidates: inout [Candidate]) {
    candidates.removeAll(keepingCapacity: true)
    bruteForce.match(features.all, with: models[target].target.features(), into: &matches)
    fit(matches, target)
    for hypothesis in hypotheses { candidates.append(Candidate(target: target, hypothesis: hypothesis)) }
  }

  /// Tries each target's fullest bins, and adds what matches there to the lists of those with most of it.
  private func tryFullestBins(_ pass: Pass, _ isTaken: (SIMD2<Float>) -> Bool) {
    for (i, target) in targets.enumerated() {
      _ = voting.index.places(of: target, into: known.base)
      for k in 0..<min(2, pass.seeds) {
        let seed = k == 0 ? seeds[i].first : seeds[i].second
        guard seed.consensus > 0, seed.consensus > parameters.secondSeed * seeds[i].first.consensus else { continue }
        let pair = keypoints(seed)
        if isTaken(middle(of: target, pair)) { continue }
        matchGuided(target, pair, limit: parameters.trialFeatures)
        var weight: Float = 0
        for match in matches { weight += match.weight }
        trials.append((weight, i, seed))
      }
    }
    trials.sortStably { ($0.weight, $1.list) > ($1.weight, $0.list) }
    for trial in trials.prefix(pass.closely) {
      let target = targets[trial.list]
      _ = voting.index.places(of: target, into: known.base)
      matchGuided(target, keypoints(trial.seed), limit: .max)
      if !pending.contains(trial.list) {
        pending.append(trial.list)
        lists[trial.list].removeAll(keepingCapacity: true)
      }
      lists[trial.list].append(contentsOf: matches)
    }
  }

  private func matchGuided(_ target: Int, _ seed: (frame: Keypoint, target: Keypoint), limit: Int) {
    features.matcher.match(models[target].target, known: known.base, seed: seed, limit: limit, into: &matches)
  }

  /// Both keypoints of a seed; ``known`` has to be of its target.
  private func keypoints(_ seed: HypothesisVoting.Seed) -> (frame: Keypoint, target: Keypoint) {
    (features.keypoints.base[seed.frame], known.base[seed.target])
  }

  /// Where in the frame a target's middle is when two keypoints are the same.
  private func middle(of target: Int, _ seed: (frame: Keypoint, target: Keypoint)) -> SIMD2<Float> {
    let ratio = seed.frame.size / seed.target.size
    let turn = Double(seed.frame.direction - seed.target.direction)
    let (c, s) = (Float(cos(turn)) * ratio, Float(sin(turn)) * ratio)
    let d = models[target].extent * 0.5 - seed.target.position
    return features.inFrame(SIMD2(seed.frame.x + c * d.x - s * d.y, seed.frame.y + s * d.x + c * d.y))
  }

  private func fit(_ matches: [Match], _ target: Int) {
    let count = voting.index.places(of: target, into: known.base)
    finder.find(
      matches,
      frame: features.keypoints.base,
      frameCount: features.count,
      target: known.base,
      targetCount: count,
      extent: models[target].extent,
      limit: parameters.perTarget,
      into: &hypotheses
    )
    for i in hypotheses.indices {
      hypotheses[i].frameFromReference = features.inFrame(hypotheses[i].frameFromReference)
    }
  }
}
