import SightlineMath

/// Candidates on their way to detections: their thumbnails are compared, then the best are aligned from coarse to fine
/// and verified.
struct CandidateQueue {
  /// What a step led to.
  enum Outcome {
    /// Work units that it cost.
    case going(Int)
    /// Nothing is left, or as many were aligned as may be.
    case exhausted
    /// The one target there is was found, at so many work units.
    case settled(Int)
  }

  /// How candidates are ranked.
  struct Parameters {
    /// Weight of a hypothesis' matches, as a share of the heaviest's, beside the thumbnail's correlation: of near-
    /// duplicates the thumbnails fit
    /// alike, and their matches say more.
    var matchShare: Float = 0.3
    /// Inlier ratio from which on a single target is found for good.
    var settledRatio = 0.85
  }

  let parameters: Parameters
  private let models: [TargetModel]
  private let frames: FramePyramid
  private let aligner: Aligner
  private let thumbnails = ThumbnailAlignment()
  /// The candidates.
  private(set) var candidates: [Candidate] = []
  private var next = 0
  /// How many were aligned.
  private(set) var attempts = 0
  /// What is being aligned, and the target whose reference has to be decoded for that.
  private var alignment: CoarseToFineAlignment?
  private var decoding: Int?
  /// Which references are kept decoded.
  private(set) var references: ReferenceCache

  init(
    models: [TargetModel],
    few: Int,
    frames: FramePyramid,
    aligner: Aligner,
    parameters: Parameters = Parameters()
  ) {
    (self.models, self.frames, self.aligner, self.parameters) = (models, frames, aligner, parameters)
    references = ReferenceCache(models: models, few: few)
  }

  /// Whether a candidate is being aligned.
  var isBusy: Bool { decoding != nil || alignment != nil }
  /// Whether the next step decodes a reference: the longest step by far.
  var isDecoding: Bool { decoding != nil }
  /// Whether candidates are left.
  var hasNext: Bool { next < candidates.count }

  /// Forgets all, or all but how many were aligned.
  mutating func removeAll(keepsAttempts: Bool = false) {
    candidates.removeAll(keepingCapacity: true)
    next = 0
    if !keepsAttempts { attempts = 0 }
  }

  /// Gives up what is being aligned.
  mutating func cancel() { (alignment, decoding) = (nil, nil) }

  /// Takes candidates in place of those before.
  mutating func replace(_ change: (inout [Candidate]) -> Void) {
    removeAll()
    change(&candidates)
  }

  /// Adds candidates behind those that are left.
  mutating func append(_ more: ArraySlice<Candidate>) {
    next = 0
    candidates.append(contentsOf: more)
  }

  /// Drops those that were looked at, and, where something is clear, those in its place.
  mutating func dropDone(_ detections: DetectionSet) {
    candidates.removeFirst(next)
    next = 0
    if detections.isClear { candidates.removeAll { detections.isTaken($0) } }
  }

  /// Compares the next thumbnail; answers what that cost, work units, and `nil` when those with at least some
  /// correlation are in order.
  mutating func compareThumbnail(leastFit: Double) -> Int? {
    guard next < candidates.count else {
      candidates.removeAll { $0.fit < leastFit }
      rank()
      next = 0
      return nil
    }
    // Looked at before, and left.
    guard candidates[next].fit < 0 else {
      next += 1
      return 0
    }
    let target = candidates[next].target
    let before = aligner.work
    let cost = models[target].isThumbnailDecoded ? 0 : WorkCost.thumbnailDecoding
    references.useThumbnail(target)
    if let result = thumbnails(models[target], candidates[next].hypothesis, frames, aligner) {
      candidates[next].fit = result.fit
      candidates[next].hypothesis.frameFromReference = result.frameFromReference
    }
    next += 1
    return cost + aligner.work - before
  }

  /// Goes on aligning a candidate, or takes the next one; adds what the frame agrees with to the detections.
  mutating func verify(
    limit: Int,
    leastFitBesideClear: Double,
    _ verifier: Verifier,
    into detections: inout DetectionSet
  ) -> Outcome {
    if let decoding { return .going(decode(decoding)) }
    if alignment != nil { return advance(verifier, into: &detections) }
    guard next < candidates.count, attempts < limit else { return .exhausted }
    let candidate = candidates[next]
    next += 1
    // Those that fit clearly worse than one that was found in the same place need not be opened.
    if candidate.fit >= 0 && detections.isHopeless(candidate) { return .going(0) }
    if candidate.fit < leastFitBesideClear && detections.isClear { return .going(0) }
    if detections.isSure(candidate.target) || detections.isRejected(candidate) { return .going(0) }
    attempts += 1
    alignment = CoarseToFineAlignment(candidate, models[candidate.target].extent, frames)
    guard alignment != nil else {
      detections.reject(candidate, nil, .rejected)
      return .going(0)
    }
    references.use(candidate.target)
    if !models[candidate.target].isDecoded { decoding = candidate.target }
    return .going(0)
  }

  /// Does the next alignment of a candidate; keeps it when the frame agrees.
  private mutating func advance(_ verifier: Verifier, into detections: inout DetectionSet) -> Outcome {
    guard var current = alignment else { return .going(0) }
    alignment = nil
    let before = aligner.work
    let (target, reference) = (current.target, models[current.target].pyramid)
    let candidate = Candidate(target: target, hypothesis: current.hypothesis, fit: current.fit)
    var isSettled = false
    switch current.advance(aligner, reference, frames) {
    case .going: alignment = current
    case .failed: detections.reject(candidate, nil, .rejected)
    case .aligned(var found, let comparison):
      let result = verifier(found, comparison, reference, frames, level: current.finest)
      if case .accepted(let score) = result {
        found.score = score
        detections.insert(Detection(target: target, alignment: found, fit: current.fit))
        isSettled = models.count == 1 && found.inlierRatio > parameters.settledRatio
      } else {
        detections.reject(candidate, found, result)
      }
    }
    let work = aligner.work - before
    return isSettled ? .settled(work) : .going(work)
  }

  /// Decodes a reference; one that was given back and is followed is made again as well.
  private mutating func decode(_ target: Int) -> Int {
    _ = models[target].pyramid
    decoding = nil
    return WorkCost.decoding
  }

  /// A reference that is needed at once.
  mutating func reference(of target: Int) -> ReferencePyramid {
    references.use(target)
    return models[target].pyramid
  }

  /// Puts those first that fit best.
  private mutating func rank() {
    var most: Float = 1e-6
    for candidate in candidates { most = max(most, candidate.hypothesis.weight) }
    let share = parameters.matchShare / most
    func worth(_ candidate: Candidate) -> Float { Float(candidate.fit) + share * candidate.hypothesis.weight }
    candidates.sortStably { (worth($0), $1.target) > (worth($1), $0.target) }
  }
}
