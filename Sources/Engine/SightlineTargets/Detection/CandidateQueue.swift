extension TargetDetector {
  /// Looks at the small picture of the next candidate; at the end those that fit best come first.
  func fitNext() -> Int {
    guard next < candidates.count else {
      let least = isAtOutlines ? leastOutlineFit : leastFit
      candidates.removeAll { $0.fit < least }
      rankCandidates()
      next = 0
      stage = .lockOn
      return 0
    }
    // Looked at before, and left.
    guard candidates[next].fit < 0 else {
      next += 1
      return 0
    }
    let target = candidates[next].target
    let before = aligner.work
    var cost = 0
    if !models[target].isThumbnailDecoded { cost += Cost.smallOpening }
    referenceCache.useSmall(target)
    if let result = fit(models[target], frames, candidates[next].hypothesis) {
      candidates[next].fit = result.fit
      candidates[next].hypothesis.frameFromReference = result.map
    }
    next += 1
    return cost + aligner.work - before
  }

  /// Goes on aligning a candidate, or takes the next one.
  func tryNext(after: () -> Void) -> Int {
    if let opening { return open(opening) }
    if lockOn != nil { return goOnLockingOn() }
    let limit = isAtOutlines ? Self.outlineAttempts : min(allLooks[looks - 1].attempts, effort.attempts)
    guard next < candidates.count, attempts < limit else {
      after()
      return 0
    }
    let (target, hypothesis, fit) = (candidates[next].target, candidates[next].hypothesis, candidates[next].fit)
    next += 1
    // Those that fit clearly worse than one that was found in the same place need not be opened.
    if fit >= 0 && isHopeless(target, hypothesis, fit) { return 0 }
    if hasMany && isAtOutlines && fit < Self.otherOutlineFit && isClear { return 0 }
    if let known = found.firstIndex(where: { $0.target == target }), found[known].alignment.inlierRatio > 0.85 {
      return 0
    }
    if isRefused(target, hypothesis) { return 0 }
    attempts += 1
    lockOn = CoarseToFineAlignment(target, hypothesis, fit: fit, models[target].extent, frames)
    judged = nil
    guard lockOn != nil else {
      refuse(target, hypothesis, fit)
      return 0
    }
    referenceCache.use(target)
    if !models[target].isDecoded { opening = target }
    return 0
  }

  /// Does the next alignment of a candidate; keeps it when the frame agrees.
  func goOnLockingOn() -> Int {
    guard var lockOn else { return 0 }
    self.lockOn = nil
    judged = nil
    let before = aligner.work
    let (target, reference) = (lockOn.target, models[lockOn.target].pyramid)
    switch lockOn.goOn(aligner, reference, frames) {
    case .going: self.lockOn = lockOn
    case .failed: refuse(target, lockOn.hypothesis, lockOn.fit)
    case .aligned(var alignment):
      if isConvincing(&alignment, reference, frames, level: lockOn.finest) {
        keep(Detection(target: target, alignment: alignment, fit: lockOn.fit), &found)
        if !hasSeveral && alignment.inlierRatio > 0.85 { stage = .idle }
      } else {
        refuse(target, lockOn.hypothesis, lockOn.fit)
      }
    }
    return aligner.work - before
  }

  func refuse(_ target: Int, _ hypothesis: Hypothesis, _ fit: Double) {
    if hasSeveral { refused.append((target, hypothesis)) }
    doubt(target, fit)
  }

  /// Matches the next of the likeliest targets feature by feature.
  func exhaustiveNext() -> Int {
    let isGoingOn = opening != nil || lockOn != nil
    if isGoingOn || !hasMany && next < candidates.count && attempts < effort.attempts { return tryNext {} }
    isExhaustive = false
    let likeliest = finder.order.prefix(8)
    guard exhaustive < min(effort.exhaustive, likeliest.count), found.isEmpty else {
      lookDeeper()
      return 0
    }
    let target = likeliest[(effort.turn * effort.exhaustive + exhaustive) % likeliest.count]
    exhaustive += 1
    finder.exhaustiveCandidates(of: target, into: &candidates)
    (next, attempts) = (0, 0)
    // Of many targets few are at hand: their small pictures tell which hypotheses are cornerScore the whole one.
    if hasMany { (stage, isExhaustive) = (.fit, true) }
    return Cost.exhaustive
  }

  /// Makes a reference ready; one that was given back and is followed is made again as well.
  func open(_ target: Int) -> Int {
    _ = models[target].pyramid
    opening = nil
    return Cost.opening
  }
}
