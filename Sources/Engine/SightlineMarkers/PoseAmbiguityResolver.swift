import SightlineCamera
import SightlineMath

/// Chooses between the two mirrored poses of a marker, over several frames.
///
/// A single frame from afar cannot tell them apart. Two things can, over time: how much worse the other one fits, frame after
/// frame; and that a thing at rest turns in the picture as the camera turns (gyroscope), which the mirrored pose does not.
/// The evidence is a sum of logarithms of odds that fades; the choice changes only when it is clearly against the old one. A
/// frame that leaves no doubt is believed at once: after a leap the mirrored pose may be the one that looks like the last.
struct PoseAmbiguityResolver: Sendable {
  /// Logarithm of the odds for `chosen` against `other`.
  private(set) var evidence = 0.0
  private var chosen: Quaternion?
  private var other: Quaternion?

  /// Evidence below which the choice changes.
  private static let threshold = -6.0
  private static let most = 30.0

  /// Takes the poses of a frame and gives them in the order of belief.
  ///
  /// - Parameters:
  ///   - poses: of this frame.
  ///   - noise: standard deviation of a corner's coordinate, pixels.
  ///   - currentFromPrevious: rotation of the camera since the last frame (camera frame), when it is known.
  /// - Returns: the same poses, the believed one first.
  mutating func take(_ poses: SquarePoses, noise: Double, currentFromPrevious: Quaternion?) -> SquarePoses {
    guard let alternative = poses.alternative else {
      // Only one minimum: both poses have met.
      chosen = poses.best.cameraFromPlane
      other = nil
      evidence = 0
      return poses
    }
    // Errors of a real lens and print are larger than the noise; below a twentieth of a pixel no difference counts.
    let scale = max(noise, 0.05)
    let fit = 2 * (square(alternative.reprojectionError) - square(poses.best.reprojectionError)) / square(scale)
    let isPlain =
      poses.best.reprojectionError < 3 * scale
      && alternative.reprojectionError > 6 * max(scale, poses.best.reprojectionError)
    let limit = isPlain ? 40.0 : 4
    guard let old = chosen else {
      remember(poses.best, alternative)
      evidence = min(Self.most, fit)
      return poses
    }
    let turn = currentFromPrevious ?? .identity
    let expected = turn * old
    let expectedOther = other.map { turn * $0 }
    // Which of the two continues the chosen one.
    let straight =
      expected.angle(to: poses.best.cameraFromPlane).radians
      + (expectedOther.map { $0.angle(to: alternative.cameraFromPlane).radians } ?? 0)
    let crossed =
      expected.angle(to: alternative.cameraFromPlane).radians
      + (expectedOther.map { $0.angle(to: poses.best.cameraFromPlane).radians } ?? 0)
    let isBest = straight <= crossed
    var (first, second) = isBest ? (poses.best, alternative) : (alternative, poses.best)
    evidence = 0.9 * evidence + max(-limit, min(limit, isBest ? fit : -fit))
    if currentFromPrevious != nil, let expectedOther {
      // A degree is what a marker of medium size leaves open from frame to frame.
      let sigma = 0.0175
      let a = expected.angle(to: first.cameraFromPlane).radians / sigma
      let b = expectedOther.angle(to: second.cameraFromPlane).radians / sigma
      evidence += max(-4, min(4, (b * b - a * a) / 2))
    }
    evidence = max(-Self.most, min(Self.most, evidence))
    if evidence < Self.threshold {
      swap(&first, &second)
      evidence = -evidence
    }
    remember(first, second)
    var believed = poses
    (believed.best, believed.alternative) = (first, second)
    return believed
  }

  private mutating func remember(_ first: PlanarPose, _ second: PlanarPose) {
    chosen = first.cameraFromPlane
    other = second.cameraFromPlane
  }

  private func square(_ x: Double) -> Double { x * x }
}
