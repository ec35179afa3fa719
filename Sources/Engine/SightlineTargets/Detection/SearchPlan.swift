extension TargetDetector {
  /// Least correlation of a small picture at an outline that makes the whole one cornerScore opening.
  ///
  /// Among many there are always some a little like what an outline holds. Before features were looked at more is wanted: opening one takes as long as
  /// looking for outlines, and what is missed is found later.
  var leastOutlineFit: Double { hasMany && isAtFirstOutlines ? Self.sureOutlineFit : 0.5 }
  private static let sureOutlineFit = 0.65
  /// The same of others among many in a frame in which one was found beyond doubt.
  static let otherOutlineFit = 0.7
  /// Whether outlines are looked at before features.
  private var isAtFirstOutlines: Bool { !effort.isByOutlines && outlineLevel == 1 && looks == 0 }
  /// How many hypotheses by outlines are looked at before features.
  ///
  /// The others only elsewhere, when one of these was found beyond doubt: where one print is seen with its outline others may be.
  private static let firstOutlines = 6
  /// Least share of patches that have to agree where no features speak for a hypothesis.
  static let leastOutlineAgreement = 0.75
  /// Least share of the outline that has to be seen where no features speak for a hypothesis.
  static let leastOutlineShare = 0.45
  /// Share of the outline from which on what agrees need not lie all over a print.
  static let wholeOutlineShare = 0.9
  /// How many hypotheses of outlines are aligned at most.
  static let outlineAttempts = 4

  /// Hypotheses by the outlines of prints: first of all in the frame at a quarter of its size, where the grain of a wall is gone, and
  /// that is quick; then, if features led to nothing sure, at a half.
  func beginOutlines(radius: Int = 0) {
    candidates.removeAll(keepingCapacity: true)
    if outlineLevel < frames.levels.count { outlines.begin(frames, level: outlineLevel, radius: radius, &candidates) }
    stage = .outlines
  }

  /// Where outlines are looked for without the frame's grain, one after another when all else led to nothing: in which level, and how far
  /// around a pixel.
  ///
  /// Grass, gravel and brick have more edges than a print, and of a few hundred its own are left out or broken.
  private static let smoothed = [(level: 2, radius: 1), (level: 2, radius: 2), (level: 1, radius: 1)]

  /// What comes when the frame was searched and nothing was found: outlines in it without its grain, then views from aside.
  func lookDeeper() {
    guard effort.isSmoothed, view < 0, found.isEmpty, smoothings < Self.smoothed.count else {
      stage = .view
      return
    }
    let (level, radius) = Self.smoothed[smoothings]
    smoothings += 1
    outlineLevel = level
    beginOutlines(radius: radius)
  }

  /// Goes on making hypotheses of outlines.
  func guessOutlines() -> Int {
    var work = 0
    if outlineLevel < frames.levels.count {
      work = outlines.goOn(frames, level: outlineLevel, isWanted: isWanted, into: &candidates)
      guard outlines.isDone else { return work }
    }
    (next, attempts) = (0, 0)
    isAtOutlines = true
    stage = .fit
    outlineLevel -= 1
    if isAtFirstOutlines && candidates.count > Self.firstOutlines {
      putOff.append(contentsOf: candidates[Self.firstOutlines...])
      candidates.removeLast(candidates.count - Self.firstOutlines)
    }
    return work
  }

  /// What comes after the hypotheses of outlines were looked at.
  func afterOutlines(isFirstEnough: Bool) {
    candidates.removeAll(keepingCapacity: true)
    (next, attempts) = (0, 0)
    if isClear {
      for hypothesis in putOff where !isTaken(hypothesis) { candidates.append(hypothesis) }
    }
    putOff.removeAll(keepingCapacity: true)
    if !candidates.isEmpty {
      stage = .fit
      return
    }
    isAtOutlines = false
    if smoothings > 0 {
      lookDeeper()
    } else if effort.isByOutlines {
      if found.isEmpty && outlineLevel > 0 { beginOutlines() } else { stage = .idle }
    } else if outlineLevel == 1 {
      if isClear && isFirstEnough { stage = .idle } else { beginLook() }
    } else if hasMany && !isClear && hasLooks {
      stage = .candidates
    } else {
      endCandidates()
    }
  }
}
