import SightlineCamera
import SightlineImaging
import SightlineMath

/// Finds targets in a frame without knowing anything of the frames before.
///
/// Features give hypotheses; each hypothesis is aligned densely from coarse to fine, and only what then agrees with the frame over
/// enough of the target is a detection. The work can be coverage: ``begin(_:isWanted:effort:)`` takes a frame,
/// ``advance(_:into:)`` goes on with it as far as it may, and the rest waits for the next call.
final class TargetDetector {
  /// A target that was found.
  struct Detection {
    var target: Int
    var alignment: Alignment
    /// How well its small picture fitted, when that was asked.
    var fit = -1.0

    init(target: Int, alignment: Alignment, fit: Double) {
      self.target = target
      self.alignment = alignment
      self.fit = fit
    }

    /// What a hypothesis says, not looked at yet.
    init(target: Int, hypothesis: Hypothesis) {
      self.target = target
      alignment = Alignment(frameFromReference: hypothesis.frameFromReference)
    }
  }

  /// How much is done for one frame.
  struct Effort {
    /// Most targets whose matches are looked at for inlierRatio about a place.
    var shortlist = 12
    /// Most hypotheses that are aligned.
    var attempts = 8
    /// How many of the likeliest targets are matched once more, feature by feature, when nothing was found.
    var exhaustive = 3
    /// Which of the likeliest come first then; frames after one another give them all a turn.
    var turn = 0
    /// Whether the search ends when outlines, or the likeliest of few targets, led to something that can be nothing else.
    var isFirstEnough = true
    /// Whether this search is by outlines alone: a print with few features, or in bad light, may have one.
    var isByOutlines = false
    /// Whether outlines are looked for without the frame's grain as well, when nothing was found.
    var isSmoothed = false
    /// Which squeezed views of the frame are looked at when nothing was found, see ``SqueezedView``.
    var views = 0..<0
  }

  /// What a step takes that does not count itself, in about microseconds of native code: what ``advance(_:into:)`` is given in.
  enum Cost {
    /// Looking up so many features.
    static let batch = 75
    static func match(among targets: Int) -> Int { targets < 24 ? min(350, 55 + 47 * targets) : 260 + 3 * targets / 10 }
    /// Making a target's picture ready: the whole one, and the small one.
    static let opening = 1500
    static let smallOpening = 100
    static let exhaustive = 680
  }

  enum Stage { case outlines, look, match, candidates, hypothesis, fit, lockOn, exhaustive, view, idle }

  let models: [TargetModel]
  let finder: CandidateFinder
  /// The frame that is searched.
  let frames = FramePyramid()
  let outlines: QuadrilateralHypotheses
  var stage = Stage.idle
  var effort = Effort()
  var isWanted: [Bool] = []
  var candidates: [CandidateFinder.Candidate] = []
  /// Hypotheses by outlines that are looked at only where one of those before them was found.
  var putOff: [CandidateFinder.Candidate] = []
  private var fresh: [CandidateFinder.Candidate] = []
  /// The hypothesis that is being aligned, and the target whose picture has to be made ready for that.
  var lockOn: CoarseToFineAlignment?
  var opening: Int?
  /// How many of ``looks`` at many targets were begun.
  var looks = 0
  /// At which level of the frame outlines are looked for next; 0 when that is done.
  var outlineLevel = 0
  /// How often outlines were looked for without the frame's grain.
  var smoothings = 0
  /// Whether there are so few targets that outlines are looked for in searches of their own.
  var isHandful: Bool { models.count <= Self.handful }
  /// Up to so many targets features are looked at first.
  private static let handful = 4
  /// Whether the hypotheses that are looked at are those of outlines.
  var isAtOutlines = false
  var next = 0
  var attempts = 0
  var exhaustive = 0
  /// Whether the hypotheses that are looked at are of a target that was matched feature by feature.
  var isExhaustive = false
  var squeezed = AffineView()
  /// Which squeezed view is looked at; −1 while it is the frame itself.
  var view = -1
  var found: [Detection] = []
  /// Hypotheses of the present search that the frame did not agree with.
  var refused: [(target: Int, hypothesis: Hypothesis)] = []
  /// What was last aligned well enough to be judged, and by how much more spoke for it than is wanted.
  var judged: (alignment: Alignment, margin: Double)?
  /// What was judged in the present search and not believed, see ``settleDoubts()``.
  var doubts: [(detection: Detection, margin: Double)] = []
  let aligner: Aligner
  var referenceCache: ReferenceCache

  /// A group of the likeliest targets: which places among all, how many best places of each, how many places closely, how many hypotheses by their
  /// small pictures, and how many hypotheses may have been aligned when it is done.
  typealias Look = (ranks: Range<Int>, seeds: Int, closely: Int, hypotheses: Int, attempts: Int)
  /// The groups that many targets are looked at in, one after another: those with the most votes first.
  private static let looksAtMany: [Look] = [(0..<8, 2, 5, 6, 2), (8..<40, 2, 7, 5, 3), (40..<120, 1, 5, 4, 5)]
  /// The same of few: a print that is seen is nearly always among the first four.
  private static let looksAtFew: [Look] = [
    (0..<4, 2, 0, .max, 4), (4..<CandidateFinder.fewTargets, 2, 0, .max, .max),
  ]
  private static let looksAtHandful: [Look] = [(0..<CandidateFinder.fewTargets, 2, 0, .max, .max)]
  var allLooks: [Look] { hasMany ? Self.looksAtMany : isHandful ? Self.looksAtHandful : Self.looksAtFew }
  /// Whether there are targets on the short list that were not looked at.
  var hasLooks: Bool { looks < allLooks.count && allLooks[looks].ranks.lowerBound < shortlist }
  /// How much has to speak for what is found that others in its place need not be looked at.
  static let clear = 3.8
  /// Whether something was found beyond doubt.
  var isClear: Bool { found.contains { $0.alignment.score > Self.clear } }
  /// Least correlation of a small picture that makes the whole one cornerScore opening.
  var leastFit: Double { hasMany ? 0.45 : 0.33 }
  /// How many targets there are.
  var targetCount: Int { models.count }
  /// Whether there is more than one target.
  var hasSeveral: Bool { models.count > 1 }
  /// Whether there are so many targets that small pictures are looked at first.
  var hasMany: Bool { models.count > CandidateFinder.fewTargets }

  init(models: [TargetModel], aligner: Aligner) {
    self.models = models
    self.aligner = aligner
    finder = CandidateFinder(models: models)
    outlines = QuadrilateralHypotheses(models)
    referenceCache = ReferenceCache(models: models, few: CandidateFinder.fewTargets)
    // A few are made ready at once; of more, each when it is likely for the first time.
    if models.count <= 4 { for model in models { _ = model.pyramid } }
  }

  /// Whether a frame is not yet searched to the end.
  var isSearching: Bool { stage != .idle }

  /// Looks for targets in a frame, to the end.
  ///
  /// - Parameters:
  ///   - frame: grey levels.
  ///   - isWanted: which targets are looked for.
  ///   - effort: how much is done.
  ///   - detections: is filled with what is found.
  func detect(_ frame: GrayView, isWanted: [Bool], effort: Effort, into detections: inout [Detection]) {
    begin(frame, isWanted: isWanted, effort: effort)
    _ = advance(.max, into: &detections)
  }

  /// Takes a frame to be searched; one that was not searched to the end is given up.
  func begin(_ frame: GrayView, isWanted: [Bool], effort: Effort) {
    frames.set(frame)
    self.isWanted = isWanted
    self.effort = effort
    found.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    putOff.removeAll(keepingCapacity: true)
    refused.removeAll(keepingCapacity: true)
    doubts.removeAll(keepingCapacity: true)
    (looks, attempts, view, isExhaustive, smoothings) = (0, 0, -1, false, 0)
    // A handful is found by features as quickly, and the frame that a search begins in may report it.
    let hasOutlines = !isHandful || effort.isByOutlines
    (outlineLevel, isAtOutlines) = (hasOutlines ? 2 : 0, false)
    (lockOn, opening) = (nil, nil)
    if hasOutlines { beginOutlines() } else { beginLook() }
  }

  func beginLook() {
    frames.levels[0].withView { finder.beginLook($0) }
    stage = .look
  }

  /// Gives up what was begun.
  func cancel() { (stage, lockOn, opening) = (.idle, nil, nil) }

  /// Goes on with the search until the work is used up or the search is at its end.
  ///
  /// - Parameters:
  ///   - work: how much may be done, see ``Cost``; at least one step is taken.
  ///   - detections: is filled with all that was found in the frame, when the search is at its end; else with none.
  /// - Returns: the work that is left; may be a little less than nothing.
  func advance(_ work: Int, into detections: inout [Detection]) -> Int {
    detections.removeAll(keepingCapacity: true)
    guard stage != .idle else { return work }
    var left = work
    // Making a picture ready is the longest step by far: it begins a frame's work rather than that it ends it.
    repeat { left -= step() } while left > 0 && stage != .idle && (opening == nil || left >= Cost.opening)
    if stage == .idle {
      settleDoubts()
      detections.append(contentsOf: found)
    }
    return left
  }

  /// One step; answers what it took.
  private func step() -> Int {
    switch stage {
    case .outlines: return guessOutlines()
    case .look:
      let (work, isDone) = (view < 0 ? frames.levels[0] : squeezed.picture).withView { finder.look($0) }
      if isDone {
        finder.beginMatch()
        stage = .match
      }
      return work
    case .match:
      if finder.match(Cost.batch, isWanted: isWanted) { stage = .candidates }
      return Cost.match(among: models.count)
    case .candidates: return gather()
    case .hypothesis: return guessNext()
    case .fit: return fitNext()
    case .lockOn: return tryNext(after: afterCandidates)
    case .exhaustive: return exhaustiveNext()
    case .view: return lookAside()
    case .idle: return 0
    }
  }

  /// Begins to hypothesis where the likeliest targets are; of many those first that have by far the most votes.
  private func gather() -> Int {
    isAtOutlines = false
    fresh.removeAll(keepingCapacity: true)
    stage = .hypothesis
    let look = allLooks[looks]
    looks += 1
    return finder.beginCandidates(
      look.ranks.clamped(to: 0..<shortlist),
      seeds: look.seeds,
      closely: look.closely,
      isTaken: { hasMany && isTaken($0) }
    )
  }

  private func guessNext() -> Int {
    let (work, isDone) = finder.addCandidates(to: &fresh)
    guard isDone else { return work }
    next = 0
    candidates.append(contentsOf: fresh.prefix(allLooks[looks - 1].hypotheses))
    stage = hasSeveral ? .fit : .lockOn
    return work
  }

  private func afterCandidates() {
    if isExhaustive {
      stage = .exhaustive
      return
    }
    if isAtOutlines { return afterOutlines(isFirstEnough: effort.isFirstEnough) }
    if hasLooks && (hasMany || !isClear || !effort.isFirstEnough) {
      candidates.removeFirst(next)
      if isClear { candidates.removeAll { isTaken($0) } }
      // The last look is for what was missed, and for twins of what is not sure.
      if looks < 2 {
        stage = .candidates
        return
      }
      if !isClear {
        if outlineLevel == 1 { beginOutlines() } else { stage = .candidates }
        return
      }
    } else if found.isEmpty && outlineLevel == 1 {
      return beginOutlines()
    }
    endCandidates()
  }

  /// Nothing is left but to look more thoroughly, without the frame's grain, then from aside, where nothing was found.
  func endCandidates() {
    exhaustive = 0
    candidates.removeAll(keepingCapacity: true)
    next = 0
    if !found.isEmpty {
      stage = .idle
    } else if view < 0 && effort.exhaustive > 0 && !finder.order.isEmpty {
      stage = .exhaustive
    } else {
      lookDeeper()
    }
  }
}
