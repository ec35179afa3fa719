extension TargetDetector {
  /// Least correlation of a small picture at an outline that makes the whole one worth opening.
  static let leastOutlineFit = 0.5
  /// Least share of patches that have to agree where no features speak for a guess.
  static let leastOutlineAgreement = 0.75
  /// Least share of the outline that has to be seen where no features speak for a guess.
  static let leastOutlineShare = 0.5
  /// How many guesses of outlines are aligned at most.
  static let outlineAttempts = 4

  /// Guesses by the outlines of prints: first of all in the frame at a quarter of its size, where the grain of a wall is gone, and
  /// that is quick; then, if features led to nothing sure, at a half.
  func guessOutlines() -> Int {
    (next, attempts) = (0, 0)
    isAtOutlines = true
    stage = .fit
    let level = outlineLevel
    outlineLevel -= 1
    candidates.removeAll(keepingCapacity: true)
    guard level < frames.levels.count else { return 0 }
    outlines.guess(frames, level: level, isWanted: isWanted, into: &candidates)
    return Cost.outlines(atHalf: level == 1)
  }

  /// What comes after the guesses of outlines were looked at.
  func afterOutlines(isFirstEnough: Bool) {
    candidates.removeAll(keepingCapacity: true)
    (next, attempts) = (0, 0)
    isAtOutlines = false
    let isClear = found.contains { $0.alignment.strength > Self.clear }
    if effort.isByOutlines {
      stage = found.isEmpty && outlineLevel > 0 ? .outlines : .idle
    } else if outlineLevel == 1 {
      stage = isClear && isFirstEnough ? .idle : .look
    } else if hasMany && !isClear && looks < Self.looks.count && Self.looks[looks].ranks.lowerBound < effort.shortlist {
      stage = .candidates
    } else {
      endCandidates()
    }
  }
}
