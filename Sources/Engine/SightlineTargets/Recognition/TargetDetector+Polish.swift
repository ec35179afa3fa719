import SightlineCamera
import SightlineMath

extension TargetDetector {
  /// How many pixels of the frame there may be to one of the reference along a side, when a pose is refined.
  ///
  /// Enlarged by more, the reference would be compared with detail that it does not have.
  private static let mostEnlarged = 1.2
  /// How sure of its corners a refined pose has to be, pixels of the frame: a print with little in it is better left as it was aligned.
  private static let leastSure = 1.0

  /// What was found in the frame last searched, put where all of its parts together say, see ``Aligner/refined(_:_:_:level:motionBlur:)``.
  ///
  /// For what is reported without frames after it that could correct it. What is said of how well it agrees stays.
  func refined(_ detection: Detection) -> Alignment {
    let (found, model) = (detection.alignment, models[detection.target])
    referenceCache.use(detection.target)
    if !model.isDecoded { _ = open(detection.target) }
    let reference = model.pyramid
    guard let corners = found.frameFromReference.corners(width: reference.width, height: reference.height) else {
      return found
    }
    let own = (reference.width * reference.height).squareRoot()
    let size = (doubleArea(corners) / 2).squareRoot()
    var level = 0
    while level + 1 < frames.levels.count && size / Double(1 << level) > Self.mostEnlarged * own { level += 1 }
    let motionBlur = found.blurVector.map { CoarseToFineAlignment.motionBlur($0) }
    guard let better = aligner.refined(found, reference, frames, level: level, motionBlur: motionBlur),
      better.cornerSigma < Self.leastSure
    else { return found }
    return better
  }
}
