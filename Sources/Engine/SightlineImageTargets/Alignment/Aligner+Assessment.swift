import SightlineCamera
import SightlineMath

extension Aligner {
  /// What the patches that were compared last say of a map.
  func judged(
    _ map: Homography,
    _ equations: inout NormalEquations,
    _ unit: NormalizedFrame,
    _ level: Int
  ) -> Alignment {
    var result = Alignment(frameFromReference: map)
    var (total, good, sum) = (0.0, 0.0, 0.0)
    var cells: UInt32 = 0
    for p in set.patches where p.correlation > -1.5 {
      result.compared += 1
      let weight = Double(p.norm).squareRoot()
      total += weight
      sum += weight * Double(p.correlation)
      if Double(p.correlation) > Self.agreement {
        result.inlierCount += 1
        good += weight
        cells |= cell(of: p, unit)
      }
    }
    if total > 0 {
      result.inlierRatio = good / total
      result.correlation = sum / total
    }
    result.coverage = Double(cells.nonzeroBitCount) / 16
    result.cornerSigma = Self.deviation(&equations, unit) * Double(1 << level)
    return result
  }

  /// Correlation from which on a patch agrees.
  static let agreement = 0.6
  /// Noise that is worth allowing for, grey levels.
  static let worthAllowing = 1.5
  /// Share of the noise's variance that is left between pixels.
  static let between = 0.6
  /// Least correlation that a patch has to have in the mean when it is where it should be, to be asked at all.
  static let leastExpected = 0.4

  /// Judges again with what noise leaves of the correlation of patches that are where they should be.
  ///
  /// How strong the target's contrast is in the frame comes from all patches together: where nothing agrees there is
  /// none, and nothing to
  /// allow for.
  func allowForNoise(_ result: inout Alignment, _ noise: Double, _ unit: NormalizedFrame) {
    guard noise > Self.worthAllowing else { return }
    var (signal, power) = (0.0, 0.0)
    for p in set.patches where p.correlation > -1.5 {
      signal += Double(p.norm * p.frameNorm * p.correlation)
      power += Double(p.norm * p.norm)
    }
    guard signal > 0, power > 0 else { return }
    let gain = signal / power
    let variance = 63 * Self.between * noise * noise
    var (total, good, inlierCount) = (0.0, 0.0, 0)
    var cells: UInt32 = 0
    for p in set.patches where p.correlation > -1.5 {
      let square = Double(p.norm * p.norm) * gain * gain
      let expected = (square / (square + variance)).squareRoot()
      guard expected > Self.leastExpected else { continue }
      let weight = Double(p.norm).squareRoot() * expected
      total += weight
      guard Double(p.correlation) > Self.agreement * expected else { continue }
      inlierCount += 1
      good += weight
      cells |= cell(of: p, unit)
    }
    guard total > 0, good > result.inlierRatio * total else { return }
    (result.inlierRatio, result.inlierCount) = (good / total, inlierCount)
    result.coverage = Double(cells.nonzeroBitCount) / 16
  }

  /// Which sixteenth of the target a patch lies in, as a bit.
  private func cell(of p: PatchSet.Patch, _ unit: NormalizedFrame) -> UInt32 {
    let place = unit(p)
    let (u, v) = ((place.x + 1.4) / 0.7, (place.y + 1.4) / 0.7)
    return 1 << UInt32(max(0, min(3, Int(v))) * 4 + max(0, min(3, Int(u))))
  }
}
