import SightlineCamera
import SightlineImaging
import SightlineMath

extension TargetTracker {
  /// Aligns what was found in this frame as what is followed is: with the outline, and blurred as the camera turns.
  func realigned(_ i: Int, _ found: Alignment, _ turn: RotationPrior?) -> Alignment {
    let reference = tracks[i].model.pyramid
    var best = found
    func take(_ before: Homography) {
      var track = tracks[i]
      track.begin(found, time: searchedTime)
      track.map = (before * found.frameFromReference).scaled
      guard let next = align(track, found.frameFromReference), next.correlation > best.correlation - 0.02,
        distance(next.frameFromReference, found.frameFromReference, reference) < 8
      else { return }
      (best, best.matchInliers, best.score, best.blurVector) = (next, found.matchInliers, found.score, found.blurVector)
    }
    if let way = found.blurVector {
      let step = way * (1 / tracks[i].exposure)
      take(Homography(Matrix3(rows: Vector3(1, 0, -step.x), Vector3(0, 1, -step.y), Vector3(0, 0, 1))))
    }
    if let back = turn?.shift.inverse { take(back) } else if found.blurVector == nil { take(Homography(.identity)) }
    return best
  }

  /// Looks in this frame for what was found in an earlier one.
  func brought(_ i: Int, _ earlier: Alignment) -> Alignment? {
    var track = tracks[i]
    track.begin(earlier, time: searchedTime)
    // What it moved by took so many frames, of which the exposure was open in one.
    let exposure = track.exposure
    track.exposure = exposure / Double(max(1, searchedFrames))
    let expected = (sinceSearched * track.map).scaled
    var best = align(track, expected)
    if (best?.inlierRatio ?? 0) < 0.85, let way = track.blurVector {
      for sign in [1.0, -1.0] {
        let way = way * (sign * Double(searchedFrames) / exposure)
        let shift = Homography(Matrix3(rows: Vector3(1, 0, way.x), Vector3(0, 1, way.y), Vector3(0, 0, 1)))
        guard let found = align(track, (shift * expected).scaled) else { continue }
        if found.inlierRatio > best?.inlierRatio ?? 0 { best = found }
      }
    }
    if (best?.inlierRatio ?? 0) < 0.6, let found = searched(track, expected, radius: 6 + 4 * min(3, searchedFrames)) {
      if found.inlierRatio > best?.inlierRatio ?? 0 { best = found }
    }
    guard var best, best.inlierRatio > 0.6, best.inlierCount >= 12, best.coverage >= 0.25, best.cornerSigma < 6 else {
      return nil
    }
    best.matchInliers = earlier.matchInliers
    return best
  }
}
