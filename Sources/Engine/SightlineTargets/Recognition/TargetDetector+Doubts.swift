extension TargetDetector {
  /// Least agreement of another target that casts a doubt on what lies in the same place.
  private static let leastRivalAgreement = 0.45
  /// By how much less than is wanted may speak for what no other target agrees with, when it is covered.
  ///
  /// What agrees as a whole and hardly ends where it should is rather a part of another picture.
  private static let slack = 0.1
  /// By how much less may speak for another target in the same place that still casts a doubt.
  private static let rivalry = 0.7
  /// Agreement from which on a print is not covered.
  private static let whole = 0.9

  /// Remembers what was just judged and not believed.
  func doubt(_ target: Int, _ fit: Double) {
    guard hasMany, let judged, judged.alignment.agreement > Self.leastRivalAgreement else { return }
    doubts.append((Detection(target: target, alignment: judged.alignment, fit: fit), judged.margin))
  }

  /// By how much less than is wanted may speak for what explains the place of a find better, and how many times as much it has to explain.
  private static let better = (margin: 1.2, share: 1.3)

  /// Among many targets, at the end of a search: believes what was nearly believed, or takes a find back for it.
  func settleDoubts() {
    guard hasMany else { return }
    if found.isEmpty { believeDoubts() } else { takeBack() }
  }

  /// When nothing was found: believes what was nearly believed, if no other target agrees with the frame in its place.
  ///
  /// Most of what is wanted among many stands for pictures that share a part. Where a photograph is shared, others that have it agree there
  /// too, and were looked at; where none does, and about as much speaks for it, chance is all there is to fear.
  private func believeDoubts() {
    var best: (detection: Detection, margin: Double)?
    for doubt in doubts where doubt.detection.alignment.support > 0 && doubt.margin > (best?.margin ?? -.infinity) {
      guard doubt.margin > -Self.slack, doubt.detection.alignment.agreement < Self.whole else { continue }
      let isAlone = !doubts.contains {
        $0.detection.target != doubt.detection.target && $0.margin > doubt.margin - Self.rivalry
          && isRival($0.detection, doubt.detection)
      }
      if isAlone { best = doubt }
    }
    if let best { found.append(best.detection) }
  }

  /// Takes back what is not beyond doubt where another target, not believed for want of an outline, agrees better and with clearly more.
  ///
  /// So agrees a part of a photograph where the whole one hangs on a wall as light as its margin, or in glare. The other one is believed
  /// instead if it agrees as a whole.
  private func takeBack() {
    for i in found.indices.reversed() where found[i].alignment.strength <= clear {
      let least = max(0, explained(found[i])) * Self.better.share
      var best: (detection: Detection, explained: Double)?
      for doubt in doubts where doubt.margin > -Self.better.margin && doubt.detection.alignment.support > 0 {
        let other = doubt.detection
        let explained = self.explained(other)
        guard other.target != found[i].target, other.alignment.agreement > found[i].alignment.agreement,
          explained > max(least, best?.explained ?? 0), isRival(other, found[i])
        else { continue }
        best = (other, explained)
      }
      guard let best else { continue }
      found.remove(at: i)
      if best.detection.alignment.agreement > Self.whole { keep(best.detection, &found) }
    }
  }
}
