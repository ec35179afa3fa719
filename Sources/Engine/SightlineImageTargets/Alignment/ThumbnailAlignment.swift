import SightlineCamera
import SightlineImaging
import SightlineMath

/// Aligns a target's thumbnail to a frame at a hypothesis: coarse and quick.
///
/// Of a hundred hypotheses it finds the few that are worth decoding the whole reference for (0.2 ms each beside 4 ms).
struct ThumbnailAlignment {
  /// How it is aligned.
  struct Parameters {
    /// Patches, Gauss–Newton steps and deviation of the shape's prior, see ``Aligner``.
    var patches = 48
    var steps = 6
    var shapeDeviation = 0.25
    /// Least side of the print in a level's pixels at the coarse level.
    var leastSide = 30.0
    /// Least mean correlation at the coarse level to go on; with 0.2 instead of 0.1 the same names were given on four
    /// sets of pictures.
    var leastCorrelation = 0.2
    /// See ``CoarseToFineAlignment/Parameters/mostEnlarged``.
    var mostEnlarged = 1.7
  }

  var parameters = Parameters()

  /// The mean correlation of the thumbnail where it fits best, and the hypothesis moved there; `nil` when it does not
  /// fit.
  func callAsFunction(
    _ model: TargetModel,
    _ hypothesis: Hypothesis,
    _ frames: FramePyramid,
    _ aligner: Aligner
  ) -> (fit: Double, frameFromReference: Homography)? {
    let reference = model.thumbnailPyramid
    let start = (hypothesis.frameFromReference * model.referenceFromThumbnail).scaled
    var map = start
    guard let corners = map.corners(width: reference.width, height: reference.height), isPlausible(corners) else {
      return nil
    }
    let size = (doubleArea(corners) / 2).squareRoot()
    let finest = frames.finestLevel(
      size,
      reference.width,
      reference.height,
      mostEnlarged: parameters.mostEnlarged
    )
    func aligned(from map: Homography, level: Int) -> Alignment? {
      aligner.align(
        reference,
        frames,
        from: map,
        level: level,
        count: parameters.patches,
        steps: parameters.steps,
        shapeDeviation: parameters.shapeDeviation
      )
    }
    var found: Alignment?
    for level in [finest + 1, finest] where level < frames.levels.count {
      guard level == finest || size / Double(1 << level) > parameters.leastSide else { continue }
      var next = aligned(from: map, level: level)
      // From where the coarse level came from: among bars its few patches may have gone astray.
      if next == nil && level == finest && found != nil { next = aligned(from: start, level: level) }
      guard let next, level == finest || reference.isSimilar(next.frameFromReference, to: map) else {
        // Too few patches at the coarse level do not speak against the hypothesis.
        if level == finest { return nil }
        continue
      }
      guard next.correlation > parameters.leastCorrelation else { return nil }
      map = next.frameFromReference
      found = next
    }
    guard let found, let back = model.referenceFromThumbnail.inverse else { return nil }
    return (found.correlation, (map * back).scaled)
  }
}
