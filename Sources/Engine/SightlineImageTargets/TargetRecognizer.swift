import SightlineCamera
import SightlineImaging
import SightlineMath

/// Tells which of many targets a picture shows, each picture for itself.
///
/// ```swift
/// let recognizer = TargetRecognizer(targets: database)
/// recognizer.recognize(picture, into: &sightings)
/// ```
public final class TargetRecognizer {
  private let models: [TargetModel]
  private let detector: TargetDetector
  private let isWanted: [Bool]
  var effort: SearchEffort
  /// Whether the search goes on when a target was found that can be nothing else; default `false`.
  ///
  /// Prints that are seen with their outlines are looked for first, all of them at once, and that is quick. Without
  /// this, others in the same
  /// picture that are covered or have no outline are then not looked for; and where there is none with its outline, of
  /// five to 24
  /// targets only the four with the most features in it, when one of these is beyond doubt.
  public var looksForAll = false
  private var detections: [Detection] = []

  /// A recogniser of some targets, at most 65535.
  public init(targets: [Target]) {
    precondition(targets.count <= 65535)
    models = targets.map { TargetModel($0) }
    detector = TargetDetector(models: models, aligner: Aligner())
    var effort = SearchEffort()
    if detector.scale.isMany { (effort.shortlist, effort.attempts, effort.exhaustive) = (120, 5, 8) }
    effort.views = 0..<AffineView.count
    effort.isFiltered = detector.scale.isMany
    self.effort = effort
    isWanted = [Bool](repeating: true, count: targets.count)
  }

  /// Finds the targets in a picture; the one that agrees best first.
  ///
  /// Empty when none of them is shown.
  public func recognize(_ picture: GrayView, into sightings: inout [TargetSighting]) {
    sightings.removeAll(keepingCapacity: true)
    effort.isFirstEnough = !looksForAll
    detector.detect(picture, isWanted: isWanted, effort: effort, into: &detections)
    for detection in detections {
      let found = detector.refined(detection)
      let map = (found.frameFromReference * models[detection.target].referenceFromPicture).scaled
      sightings.append(
        TargetSighting(
          target: detection.target,
          state: .detected,
          frameFromPicture: map,
          shownFromPicture: map,
          inlierCount: found.inlierCount,
          inlierRatio: found.inlierRatio,
          coverage: found.coverage,
          matchInliers: found.matchInliers,
          cornerSigma: found.cornerSigma
        )
      )
    }
    sightings.sortStably { ($0.inlierRatio, $1.target) > ($1.inlierRatio, $0.target) }
  }
}
