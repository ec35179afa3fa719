/// How much work may still be done, in work units (``WorkCost``).
///
/// A search is cut into steps, each of which says what it cost; it goes on in the next frame when the budget is spent.
/// Nothing is timed, so the
/// same frames give the same results on every machine, and only their ratio to each other has to be right in what steps
/// say.
struct WorkBudget {
  /// Units that are left; less than none when the last step took more.
  private(set) var remaining: Int

  /// A budget of so many units.
  init(_ units: Int) { remaining = units }

  /// Takes off what a step cost.
  mutating func spend(_ units: Int) { remaining -= units }

  /// Whether nothing is left.
  var isSpent: Bool { remaining <= 0 }

  /// Whether a step of so many units fits.
  func affords(_ units: Int) -> Bool { remaining >= units }
}

/// What each operation of recognition and tracking costs.
///
/// The unit is abstract: comparing nine patches of 8 × 8 pixels with a frame is about one. Costs are told in
/// thousandths of it, for one item or,
/// where the name says so, for a thousand. Their ratios were fitted to the times of some hundred thousand steps on one
/// machine, so that the true
/// time over the counted one was 1.01 to 1.05 in the median and at most 1.12 for 95 of 100 frames; another machine is
/// faster or slower in all of
/// them alike, within some tens of percent. A loop that is made faster changes nothing here until the ratios are fitted
/// again: results stay as
/// they are, and frames end a little earlier.
enum WorkCost {
  /// Thousandths in a unit.
  static let unit = 1000

  /// Units of so many items at a cost each.
  @inline(__always)
  static func units(_ count: Int, _ cost: Int) -> Int { count * cost / unit }

  /// Units of so many items at a cost a thousand.
  @inline(__always)
  static func units(_ count: Int, perThousand cost: Int) -> Int { count * cost / (unit * 1000) }

  // Keypoints and descriptors.

  /// Smoothing a thousand pixels of the first level of the scale space, of the second, and of one that is a half of
  /// another.
  static let firstLevel = 650
  static let secondLevel = 1900
  static let halvedLevel = 950
  /// Looking through a thousand pixels of the first level, and of another.
  static let scan = 750
  static let halvedScan = 1100
  static let keypoint = 50
  static let keypointChoice = 50
  static let descriptor = 2500

  // Votes and hypotheses.

  static let keypointEntry = 60
  static let vote = 25
  static let seedTrial = 36_000
  static let match = 105
  /// Comparing a thousand matches with one.
  static let matchComparisons = 3000
  static let fittedMatch = 47
  /// Looking up a batch of features (``HypothesisVoting/Parameters/batch``) among so many targets, units.
  static func lookUp(among targets: Int) -> Int {
    targets < 24 ? min(350, 55 + 47 * targets) : 260 + 3 * targets / 10
  }
  /// Matching a target feature by feature, units.
  static let exhaustiveMatch = 680
  /// Pixels of a frame that are drawn into an affine view for a unit.
  static let drawnPixels = 250

  // Quadrilaterals.

  /// Gradients, thinning and thinned pixels of a thousand.
  static let gradient = 4400
  static let ridge = 1200
  static let ridgePixel = 9300
  static let segment = 920
  static let segmentOrder = 300
  /// Comparing a thousand pairs of segments, to join them and to find corners.
  static let joinedPair = 1200
  static let cornerPair = 3000
  /// Comparing a thousand pairs of corners.
  static let quadPair = 4300
  static let measuredQuad = 310
  static let foundQuad = 300
  /// Reading what a quadrilateral holds, and comparing that with a target.
  static let thumbnailRead = 12_500
  static let thumbnailComparison = 25
  /// Medians of a thousand pixels, of nine and of twenty-five each.
  static let medianOf9 = 2000
  static let medianOf25 = 30_000

  // Alignment.

  static let alignment = 4700
  static let patchPlace = 125
  static let patchDrawn = 255
  static let patchComparison = 113
  static let boundary = 55_000
  /// A pixel of a level of a reference that is made, and its corner score.
  static let referencePixel = 6
  static let cornerScorePixel = 2
  /// Decoding a reference, and a thumbnail, units.
  static let decoding = 1500
  static let thumbnailDecoding = 100

  // Tracking, units.

  /// Keeping a frame as background.
  static let background = 400
}
