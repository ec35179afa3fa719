import SightlineCamera
import SightlineImaging
import SightlineMath

/// Finds targets in a frame without knowing anything of the frames before.
///
/// The stages, each in its own type: features (``FrameFeatures``), votes (``HypothesisVoting``), hypotheses by matches
/// (``HypothesisGenerator``) and by
/// quadrilaterals (``QuadrilateralHypotheses``), thumbnails, alignment and verification of the candidates
/// (``CandidateQueue``, ``Verifier``), and
/// non-maximum suppression (``DetectionSet``). ``SearchPlan`` says in which order.
///
/// The work can be spread: ``begin(_:isWanted:effort:)`` takes a frame, ``advance(_:into:)`` goes on with it as far as
/// it may, and the rest waits for
/// the next call.
final class TargetDetector {
  /// What is done in the next step.
  private enum Phase {
    case quadrilaterals, features, voting, pass, hypotheses, thumbnails, verification, exhaustive, view, idle
  }

  /// How poses are refined that are reported at once, see ``refined(_:)``.
  struct RefinementParameters {
    /// Pixels of the frame to one of the reference along a side.
    ///
    /// Enlarged by more, the reference would be compared with detail that it does not have; on the finest level always,
    /// photographs were a tenth worse.
    var mostEnlarged = 1.2
    /// Largest deviation of the corners, pixels of the frame: a print with little in it is better left as it was
    /// aligned.
    ///
    /// Without a limit a plain print went from 3.0 to 8.4 pixels.
    var mostSigma = 1.0
  }

  /// Shortest side of a frame of which affine views are drawn, pixels.
  private static let leastViewed = 48

  let models: [TargetModel]
  /// The frame that is searched.
  let frames = FramePyramid()
  let aligner: Aligner
  let verifier: Verifier
  private let refinement = RefinementParameters()
  private let features = FrameFeatures()
  private let voting: HypothesisVoting
  private let generator: HypothesisGenerator
  private let quads: QuadrilateralHypotheses
  private var affineView = AffineView()
  private var phase = Phase.idle
  private(set) var plan: SearchPlan
  private var isWanted: [Bool] = []
  private var queue: CandidateQueue
  /// Candidates by quadrilaterals that are looked at only where one of those before them was found, and those of the
  /// pass that is made.
  private var postponed: [Candidate] = []
  private var fresh: [Candidate] = []
  private var detections: DetectionSet

  init(models: [TargetModel], aligner: Aligner) {
    (self.models, self.aligner) = (models, aligner)
    voting = HypothesisVoting(models: models, features: features.parameters.keypoints.limit)
    generator = HypothesisGenerator(models: models, voting: voting, features: features)
    quads = QuadrilateralHypotheses(models)
    let few = voting.parameters.exactTargets
    let scale = DatabaseScale(models.count, few: few)
    plan = SearchPlan(scale: scale)
    verifier = Verifier(targetCount: models.count, hasMany: scale.isMany)
    detections = DetectionSet(models: models, hasMany: scale.isMany)
    queue = CandidateQueue(models: models, few: few, frames: frames, aligner: aligner)
    // A few are made ready at once; of more, each when it is likely for the first time.
    if scale.isHandful { for model in models { _ = model.pyramid } }
  }

  /// How many targets there are.
  var scale: DatabaseScale { plan.scale }

  /// Whether a frame is not yet searched to the end.
  var isSearching: Bool { phase != .idle }

  /// Looks for targets in a frame, to the end.
  ///
  /// - Parameters:
  ///   - frame: grey levels.
  ///   - isWanted: which targets are looked for.
  ///   - effort: how much is done.
  ///   - found: is filled with what is found.
  func detect(_ frame: GrayView, isWanted: [Bool], effort: SearchEffort, into found: inout [Detection]) {
    begin(frame, isWanted: isWanted, effort: effort)
    var budget = WorkBudget(.max)
    advance(&budget, into: &found)
  }

  /// Takes a frame to be searched; one that was not searched to the end is given up.
  func begin(_ frame: GrayView, isWanted: [Bool], effort: SearchEffort) {
    frames.set(frame)
    self.isWanted = isWanted
    detections.removeAll()
    queue.removeAll()
    queue.cancel()
    postponed.removeAll(keepingCapacity: true)
    enter(plan.begin(effort))
  }

  /// Gives up what was begun.
  func cancel() {
    phase = .idle
    queue.cancel()
  }

  /// Goes on with the search until the budget is spent or the search is at its end; at least one step is taken.
  ///
  /// `found` is filled with all that was found in the frame, when the search is at its end; else with nothing.
  func advance(_ budget: inout WorkBudget, into found: inout [Detection]) {
    found.removeAll(keepingCapacity: true)
    guard phase != .idle else { return }
    // Decoding a reference is the longest step by far: it begins a frame's work rather than that it ends it.
    repeat {
      budget.spend(step())
    } while !budget.isSpent && phase != .idle && (!queue.isDecoding || budget.affords(WorkCost.decoding))
    if phase == .idle {
      detections.acceptDeferred()
      found.append(contentsOf: detections.found)
    }
  }

  private var findings: SearchPlan.Findings {
    SearchPlan.Findings(isEmpty: detections.isEmpty, isClear: detections.isClear)
  }

  /// One step; answers what it cost, work units.
  private func step() -> Int {
    switch phase {
    case .quadrilaterals: return proposeQuadrilaterals()
    case .features:
      let picture = plan.view < 0 ? frames.levels[0] : affineView.picture
      let (work, isDone) = picture.withView { features.advance($0) }
      if isDone {
        voting.begin(in: features.scratch)
        phase = .voting
      }
      return work
    case .voting:
      if voting.advance(features, isWanted: isWanted) { phase = .pass }
      return WorkCost.lookUp(among: models.count)
    case .pass: return beginPass()
    case .hypotheses:
      let (work, isDone) = generator.advance(into: &fresh)
      guard isDone else { return work }
      queue.append(fresh.prefix(plan.pass.hypotheses))
      phase = models.count > 1 ? .thumbnails : .verification
      return work
    case .thumbnails:
      if let work = queue.compareThumbnail(leastFit: plan.leastFit) { return work }
      phase = .verification
      return 0
    case .verification: return verify { [self] in endCandidates() }
    case .exhaustive: return matchExhaustively()
    case .view: return drawView()
    case .idle: return 0
    }
  }

  /// Goes where the plan says.
  private func enter(_ next: SearchPlan.Next) {
    switch next {
    case .quadrilaterals(let radius):
      queue.removeAll(keepsAttempts: true)
      if plan.quadLevel < frames.levels.count { quads.begin(frames, level: plan.quadLevel, radius: radius) }
      phase = .quadrilaterals
    case .thumbnails: phase = .thumbnails
    case .features:
      frames.levels[0].withView { features.begin($0) }
      phase = .features
    case .nextPass: phase = .pass
    case .exhaustive: phase = .exhaustive
    case .view: phase = .view
    case .end: phase = .idle
    }
  }

  /// Goes on making candidates of quadrilaterals.
  private func proposeQuadrilaterals() -> Int {
    var (work, candidates): (Int, [Candidate]) = (0, [])
    if plan.quadLevel < frames.levels.count {
      work = quads.advance(frames, level: plan.quadLevel, isWanted: isWanted)
      guard quads.isDone else { return work }
      candidates = quads.candidates
    }
    plan.beginQuadCandidates()
    phase = .thumbnails
    let first = plan.parameters.firstQuads
    if plan.isAtFirstQuads && candidates.count > first {
      postponed.append(contentsOf: candidates[first...])
      candidates.removeLast(candidates.count - first)
    }
    queue.replace { $0.append(contentsOf: candidates) }
    return work
  }

  /// Begins to make hypotheses of the next targets of the ranking.
  private func beginPass() -> Int {
    let pass = plan.beginPass()
    fresh.removeAll(keepingCapacity: true)
    phase = .hypotheses
    return generator.begin(
      pass,
      ranks: pass.ranks.clamped(to: 0..<plan.shortlist),
      isTaken: { plan.scale.isMany && detections.isTaken($0) }
    )
  }

  /// Goes on verifying candidates.
  private func verify(whenExhausted: () -> Void) -> Int {
    let outcome = queue.verify(
      limit: plan.attemptLimit,
      leastFitBesideClear: plan.leastFitBesideClear,
      verifier,
      into: &detections
    )
    switch outcome {
    case .going(let work): return work
    case .exhausted:
      whenExhausted()
      return 0
    case .settled(let work):
      phase = .idle
      return work
    }
  }

  /// What comes after the candidates were verified.
  private func endCandidates() {
    guard plan.isAtQuads && !plan.isExhaustive else {
      queue.dropDone(detections)
      let next = plan.afterVerification(findings)
      switch next {
      case .nextPass: break
      case .quadrilaterals: break
      default: if !plan.isExhaustive { queue.removeAll(keepsAttempts: true) }
      }
      return enter(next)
    }
    queue.removeAll()
    if detections.isClear {
      queue.replace { [self] candidates in
        for candidate in postponed where !detections.isTaken(candidate) { candidates.append(candidate) }
      }
    }
    postponed.removeAll(keepingCapacity: true)
    enter(queue.hasNext ? .thumbnails : plan.afterQuads(findings, hasRanking: !voting.ranking.isEmpty))
  }

  /// Matches the next of the likeliest targets feature by feature.
  private func matchExhaustively() -> Int {
    let isGoingOn = queue.hasNext && queue.attempts < plan.effort.attempts
    if queue.isBusy || !plan.scale.isMany && isGoingOn { return verify {} }
    guard let target = plan.nextExhaustive(voting.ranking, findings) else {
      enter(plan.deeper(findings))
      return 0
    }
    queue.replace { generator.exhaustiveCandidates(of: target, into: &$0) }
    // Of many targets few references are decoded: their thumbnails tell which hypotheses are worth the whole one.
    if plan.scale.isMany { (phase, plan.isExhaustive) = (.thumbnails, true) }
    return WorkCost.exhaustiveMatch
  }

  /// Begins with the next affine view of the frame; ends the search when that is over.
  private func drawView() -> Int {
    // What the frame nearly says is believed before what a view makes of it.
    if plan.view < 0 { detections.acceptDeferred() }
    let frame = frames.levels[0]
    guard let direction = plan.nextView(), detections.isEmpty, min(frame.width, frame.height) >= Self.leastViewed
    else {
      phase = .idle
      return 0
    }
    frame.withView { affineView.draw($0, direction: direction) }
    affineView.picture.withView {
      features.begin($0, frameFromView: affineView.frameFromView, width: frame.width, height: frame.height)
    }
    queue.removeAll()
    plan.beginView()
    phase = .features
    return frame.width * frame.height / WorkCost.drawnPixels
  }

  /// What was found in the frame last searched, put where all of its patches together say, see
  /// ``Aligner/refined(_:_:_:level:motionBlur:)``.
  ///
  /// For what is reported without frames after it that could correct it. What is said of how well it agrees stays.
  func refined(_ detection: Detection) -> Alignment {
    let found = detection.alignment
    let reference = queue.reference(of: detection.target)
    guard let corners = found.frameFromReference.corners(width: reference.width, height: reference.height) else {
      return found
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    let level = frames.finestLevel(size, reference.width, reference.height, mostEnlarged: refinement.mostEnlarged)
    let motionBlur = found.blurVector.map { MotionBlur($0) }
    guard let better = aligner.refined(found, reference, frames, level: level, motionBlur: motionBlur),
      better.cornerSigma < refinement.mostSigma
    else { return found }
    return better
  }
}
