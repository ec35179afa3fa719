/// How many targets there are, as far as it changes how they are searched.
enum DatabaseScale {
  /// One.
  case single
  /// So few that features are looked at before quadrilaterals, which have searches of their own: an own search takes
  /// about a frame.
  case handful
  /// Few enough that descriptors are compared number by number.
  case few
  /// So many that thumbnails are compared before references are decoded.
  case many

  init(_ targets: Int, few: Int) {
    self = targets <= 1 ? .single : targets <= 4 ? .handful : targets <= few ? .few : .many
  }

  var isMany: Bool { self == .many }
  var isHandful: Bool { self == .single || self == .handful }
}

/// How much is done for one frame.
struct SearchEffort {
  /// Most targets of the ranking that are looked at.
  var shortlist = 12
  /// Most candidates that are aligned.
  var attempts = 8
  /// How many of the likeliest targets are matched once more, feature by feature, when nothing was found.
  var exhaustive = 3
  /// Which of the likeliest come first then; frames after one another give them all a turn.
  var turn = 0
  /// Whether the search ends when quadrilaterals, or the likeliest of few targets, led to something that can be nothing
  /// else.
  var isFirstEnough = true
  /// Whether this search is by quadrilaterals alone: a print with few features, or in bad light, may have one.
  var isByQuads = false
  /// Whether quadrilaterals are looked for in the median-filtered frame as well, when nothing was found.
  var isFiltered = false
  /// Which affine views of the frame are looked at when nothing was found, see ``AffineView``.
  var views = 0..<0
}

/// In which order a frame is searched: what comes after what, given what was found.
///
/// Quadrilaterals first, which is quick; then the ranking of targets by votes, pass by pass; then quadrilaterals at
/// twice the resolution; and, only
/// where nothing was found, brute-force matching of the likeliest, quadrilaterals in the filtered frame, and affine
/// views.
struct SearchPlan {
  /// The passes and their sizes.
  struct Parameters {
    /// Passes over the ranking among many targets, those with the most votes first, among few, and among a handful.
    ///
    /// A print that is seen is nearly always among the first four of few (the right one led in 92 of 100 pictures);
    /// among many three passes of 8, 32 and 80 targets.
    var many: [HypothesisGenerator.Pass] = [
      .init(ranks: 0..<8, seeds: 2, closely: 5, hypotheses: 6, attempts: 2),
      .init(ranks: 8..<40, seeds: 2, closely: 7, hypotheses: 5, attempts: 3),
      .init(ranks: 40..<120, seeds: 1, closely: 5, hypotheses: 4, attempts: 5),
    ]
    var few: [HypothesisGenerator.Pass] = [
      .init(ranks: 0..<4, seeds: 2, closely: 0, hypotheses: .max, attempts: 4),
      .init(ranks: 4..<24, seeds: 2, closely: 0, hypotheses: .max, attempts: .max),
    ]
    var handful: [HypothesisGenerator.Pass] = [
      .init(ranks: 0..<24, seeds: 2, closely: 0, hypotheses: .max, attempts: .max)
    ]
    /// Pyramid levels and radii of the median filter, one after another: 3 × 3 and 5 × 5 at a quarter of the size, 3 ×
    /// 3 at a half.
    ///
    /// Of 320 pictures 15 more were named with them; of 3 × 3 and 5 × 5 alone 4 and 3 instead of 6.
    var filters = [(level: 2, radius: 1), (level: 2, radius: 2), (level: 1, radius: 1)]
    /// Targets that come into question in an affine view; with 16 instead of 40 among many one of 320 pictures less was
    /// named.
    var viewShortlist = (few: 6, many: 40)
    /// How many of the ranking's first are matched exhaustively in turn.
    var exhaustiveRanks = 8
    /// Candidates by quadrilaterals whose thumbnails are compared before features: the right one was among the first
    /// six in 46 of 51 pictures.
    var firstQuads = 6
    /// Most candidates by quadrilaterals that are aligned.
    var quadAttempts = 4
    /// Least correlation of a thumbnail that makes the whole reference worth decoding: by features, among few and many;
    /// by quadrilaterals, and by
    /// these among many before features; and beside something clear.
    var leastFit = (few: 0.33, many: 0.45)
    var leastQuadFit = 0.5
    var leastFirstQuadFit = 0.65
    var leastQuadFitBesideClear = 0.7
  }

  /// What was found so far.
  struct Findings {
    var isEmpty: Bool
    var isClear: Bool
  }

  /// What comes next.
  enum Next: Equatable {
    /// Quadrilaterals at ``quadLevel``, of the frame median-filtered with a radius, 0 for as it is.
    case quadrilaterals(radius: Int)
    case thumbnails
    case features
    case nextPass
    case exhaustive
    case view
    case end
  }

  let parameters: Parameters
  let scale: DatabaseScale
  private(set) var effort = SearchEffort()
  /// How many of ``passes`` were begun.
  private(set) var passCount = 0
  /// At which level of the frame quadrilaterals are looked for next; 0 when that is done.
  private(set) var quadLevel = 0
  /// How many of the filters were applied.
  private(set) var filterCount = 0
  /// Whether the candidates that are looked at are those of quadrilaterals, or of a target that was matched
  /// exhaustively.
  private(set) var isAtQuads = false
  var isExhaustive = false
  /// How many targets were matched exhaustively.
  private var exhaustiveCount = 0
  /// Which affine view is looked at; −1 while it is the frame itself.
  private(set) var view = -1

  init(scale: DatabaseScale, parameters: Parameters = Parameters()) {
    (self.scale, self.parameters) = (scale, parameters)
  }

  /// The passes over the ranking.
  private var passes: [HypothesisGenerator.Pass] {
    scale.isMany ? parameters.many : scale.isHandful ? parameters.handful : parameters.few
  }
  /// How many targets of the ranking are looked at.
  var shortlist: Int {
    guard view >= 0 else { return effort.shortlist }
    return min(effort.shortlist, scale.isMany ? parameters.viewShortlist.many : parameters.viewShortlist.few)
  }
  /// Whether there are targets on the short list that were not looked at.
  private var hasPass: Bool { passCount < passes.count && passes[passCount].ranks.lowerBound < shortlist }
  /// The pass that was begun last.
  var pass: HypothesisGenerator.Pass { passes[passCount - 1] }
  /// Whether quadrilaterals are looked at before features.
  var isAtFirstQuads: Bool { !effort.isByQuads && quadLevel == 1 && passCount == 0 }
  /// Most candidates that may be aligned now.
  var attemptLimit: Int { isAtQuads ? parameters.quadAttempts : min(pass.attempts, effort.attempts) }
  /// Least correlation of a thumbnail that makes the whole reference worth decoding now.
  var leastFit: Double {
    guard isAtQuads else { return scale.isMany ? parameters.leastFit.many : parameters.leastFit.few }
    return scale.isMany && isAtFirstQuads ? parameters.leastFirstQuadFit : parameters.leastQuadFit
  }
  /// The same beside something clear; −∞ where that makes no difference.
  var leastFitBesideClear: Double { scale.isMany && isAtQuads ? parameters.leastQuadFitBesideClear : -.infinity }

  /// Begins the search of a frame.
  ///
  /// A handful is found by features as quickly, and the frame that a search begins in may report it.
  mutating func begin(_ effort: SearchEffort) -> Next {
    self.effort = effort
    (passCount, filterCount, view, isExhaustive, isAtQuads) = (0, 0, -1, false, false)
    let hasQuads = !scale.isHandful || effort.isByQuads
    quadLevel = hasQuads ? 2 : 0
    return hasQuads ? .quadrilaterals(radius: 0) : .features
  }

  /// Begins the next pass.
  mutating func beginPass() -> HypothesisGenerator.Pass {
    isAtQuads = false
    passCount += 1
    return pass
  }

  /// Quadrilaterals were found: their candidates come next.
  mutating func beginQuadCandidates() {
    isAtQuads = true
    quadLevel -= 1
  }

  /// What comes after the candidates were aligned.
  mutating func afterVerification(_ findings: Findings) -> Next {
    if isExhaustive { return .exhaustive }
    if hasPass && (scale.isMany || !findings.isClear || !effort.isFirstEnough) {
      // The last pass is for what was missed, and for near-duplicates of what is not sure.
      if passCount < 2 { return .nextPass }
      if !findings.isClear { return quadLevel == 1 ? .quadrilaterals(radius: 0) : .nextPass }
    } else if findings.isEmpty && quadLevel == 1 {
      return .quadrilaterals(radius: 0)
    }
    return afterCandidates(findings, hasRanking: true)
  }

  /// What comes after the candidates of quadrilaterals; `hasRanking` says whether any target has votes.
  mutating func afterQuads(_ findings: Findings, hasRanking: Bool) -> Next {
    isAtQuads = false
    if filterCount > 0 { return deeper(findings) }
    if effort.isByQuads { return findings.isEmpty && quadLevel > 0 ? .quadrilaterals(radius: 0) : .end }
    if quadLevel == 1 { return findings.isClear && effort.isFirstEnough ? .end : .features }
    if scale.isMany && !findings.isClear && hasPass { return .nextPass }
    return afterCandidates(findings, hasRanking: hasRanking)
  }

  /// Nothing is left but to look more closely where nothing was found.
  mutating func afterCandidates(_ findings: Findings, hasRanking: Bool) -> Next {
    exhaustiveCount = 0
    guard findings.isEmpty else { return .end }
    return view < 0 && effort.exhaustive > 0 && hasRanking ? .exhaustive : deeper(findings)
  }

  /// Which of the likeliest targets is matched exhaustively next; `nil` when that is over.
  mutating func nextExhaustive(_ ranking: [Int], _ findings: Findings) -> Int? {
    isExhaustive = false
    let likeliest = ranking.prefix(parameters.exhaustiveRanks)
    guard exhaustiveCount < min(effort.exhaustive, likeliest.count), findings.isEmpty else { return nil }
    defer { exhaustiveCount += 1 }
    return likeliest[(effort.turn * effort.exhaustive + exhaustiveCount) % likeliest.count]
  }

  /// Quadrilaterals in the filtered frame, then affine views.
  mutating func deeper(_ findings: Findings) -> Next {
    guard effort.isFiltered, view < 0, findings.isEmpty, filterCount < parameters.filters.count else { return .view }
    let filter = parameters.filters[filterCount]
    filterCount += 1
    quadLevel = filter.level
    return .quadrilaterals(radius: filter.radius)
  }

  /// The next affine view; `nil` when there is none.
  mutating func nextView() -> Int? {
    view = max(view + 1, effort.views.lowerBound)
    return effort.views.contains(view) ? view : nil
  }

  /// Begins with the features of a view.
  mutating func beginView() { (passCount, quadLevel) = (0, 0) }
}
