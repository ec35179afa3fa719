import SightlineCamera
import SightlineImaging
import SightlineMath

extension Aligner {
  /// Shifts the start to where the frame agrees best, without turning or scaling it.
  ///
  /// Shifts are whole pixels of the level, up to `radius` along each axis. Answers the shifted start and its mean
  /// correlation.
  func search(
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    around start: Homography,
    level: Int,
    radius: Int,
    motionBlur: MotionBlur? = nil
  ) -> (map: Homography, correlation: Double)? {
    let frame = frames.levels[level]
    let map = (FramePyramid.levelFromFrame(level) * start).scaled
    // Parts of the target that now are outside may come in by the shift, so the frame is taken as larger than it is.
    let margin = Double(radius)
    let moved = Homography(Matrix3(rows: Vector3(1, 0, margin), Vector3(0, 1, margin), Vector3(0, 0, 1))) * map
    let places = chooser.fill(
      set,
      from: reference,
      moved,
      frameWidth: frame.width + 2 * radius,
      frameHeight: frame.height + 2 * radius,
      count: 24,
      motionBlur: nil
    )
    let side = 2 * radius + 1
    work += (filled(places, reference) + side * side * set.patches.count * WorkCost.patchComparison) / WorkCost.unit
    guard set.patches.count >= 4 else { return nil }
    var best = (x: 0, y: 0, score: -1.0)
    frame.withView { view in
      for dy in -radius...radius {
        for dx in -radius...radius {
          var (sum, total) = (0.0, 0.0)
          var outside = 0
          for i in set.patches.indices {
            let p = set.patches[i]
            set.compare(
              i,
              with: view,
              x: p.x - Float(radius) + Float(dx),
              y: p.y - Float(radius) + Float(dy),
              hasGradients: false
            )
            guard set.patches[i].correlation > -1.5 else {
              outside += 1
              continue
            }
            let weight = Double(p.norm).squareRoot()
            sum += weight * Double(set.patches[i].correlation)
            total += weight
          }
          guard outside * 2 <= set.patches.count, total > 0 else { continue }
          // Of equal ones the nearest.
          let score = sum / total - 0.0008 * Double(dx * dx + dy * dy)
          if score > best.score { best = (dx, dy, score) }
        }
      }
    }
    guard best.score > 0 else { return nil }
    let k = Double(1 << level)
    let shift = Homography(
      Matrix3(rows: Vector3(1, 0, Double(best.x) * k), Vector3(0, 1, Double(best.y) * k), Vector3(0, 0, 1))
    )
    return ((shift * start).scaled, best.score)
  }
}
