extension TargetDetector {
  /// Least inlierRatio of another target that casts a doubt on what lies in the same place.
  private static let leastRivalAgreement = 0.45
  /// By how much less than is wanted may speak for what no other target agrees with: when all of it agrees, and when it is covered.
  private static let slack = (whole: 0.8, part: 0.4)

  /// Remembers what was just judged and not believed.
  func doubt(_ target: Int, _ fit: Double) {
    guard hasMany, let judged, judged.alignment.inlierRatio > Self.leastRivalAgreement else { return }
    doubts.append((Detection(target: target, alignment: judged.alignment, fit: fit), judged.margin))
  }

  /// Among many targets, when nothing was found: believes what was nearly believed, if no other target agrees with the frame in its place.
  ///
  /// Most of what is wanted among many stands for pictures that share a part. Where a photograph is shared, others that have it agree there
  /// too, and were looked at; where none does, chance is all there is to fear.
  func settleDoubts() {
    guard found.isEmpty, hasMany else { return }
    var best: (detection: Detection, margin: Double)?
    for doubt in doubts where doubt.detection.alignment.matchInliers > 0 && doubt.margin > (best?.margin ?? -.infinity)
    {
      let slack = doubt.detection.alignment.inlierRatio > 0.9 ? Self.slack.whole : Self.slack.part
      guard doubt.margin > -slack else { continue }
      let isAlone = !doubts.contains {
        $0.detection.target != doubt.detection.target && isRival($0.detection, doubt.detection)
      }
      if isAlone { best = doubt }
    }
    if let best { found.append(best.detection) }
  }
}
