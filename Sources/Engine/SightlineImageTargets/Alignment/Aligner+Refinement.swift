import SightlineCamera
import SightlineImaging
import SightlineMath

extension Aligner {
  /// What is refined with.
  private enum Refinement {
    /// Most patches.
    static let count = 320
    /// Fewest that tell a plane from what is off it.
    static let fewest = 16
    /// How often patches are drawn anew, and steps each time.
    static let rounds = 2
    static let steps = 4
    /// Least correlation of a patch that has a say.
    static let leastCorrelation = 0.4
    /// What moves the target by less is the last step, and what moves it by less in all the last round; pixels of the
    /// level.
    static let still = 0.01
    static let near = 0.1
    /// By how much the mean correlation may fall: what counts less may agree less.
    static let loss = 0.03
  }

  /// Puts a target that was found where all of its parts together say, each no surer than the scene is flat
  /// (``Displacements``).
  ///
  /// - Parameters:
  ///   - found: where it is, to a pixel or so.
  ///   - reference: its picture.
  ///   - frames: the frame it was found in.
  ///   - level: the frame's level to do it on.
  ///   - motionBlur: how the frame is blurred, if it is.
  /// - Returns: what was found with another map, and how sure its corners are; `nil` when the patches do not tell.
  func refined(
    _ found: Alignment,
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    level: Int,
    motionBlur: MotionBlur?
  ) -> Alignment? {
    let frame = frames.levels[level]
    let levelFromFrame = FramePyramid.levelFromFrame(level)
    guard let frameFromLevel = levelFromFrame.inverse else { return nil }
    var result = found
    var displacements = PatchDisplacements()
    var (before, after) = (-1.0, -1.0)
    var spent = 0
    defer { work += spent / WorkCost.unit }
    for round in 0..<Refinement.rounds {
      let map = (levelFromFrame * result.frameFromReference).scaled
      let count = chooser.fill(
        set,
        from: reference,
        map,
        frameWidth: frame.width,
        frameHeight: frame.height,
        count: Refinement.count,
        motionBlur: motionBlur.map { LevelMotionBlur(motionBlur: $0, level: level) }
      )
      spent += filled(count, reference)
      guard let unit = NormalizedFrame(map, width: reference.width, height: reference.height) else { return nil }
      note(unit)
      var correction = Matrix3.identity
      var equations = NormalEquations()
      for step in 0..<Refinement.steps {
        frame.withView { compare($0, correction, unit) }
        spent += set.patches.count * WorkCost.patchComparison
        if round == 0 && step == 0 { before = meanCorrelation }
        measure(&displacements)
        guard displacements.count >= Refinement.fewest else { return nil }
        equations.clear()
        // The first step takes off what they have in common.
        displacements.gather(
          &equations,
          size: unit.size,
          variance: round == 0 && step == 0 ? 0 : displacements.offPlane
        )
        guard let delta = equations.solve(), let next = Self.moved(correction, delta) else { return nil }
        correction = next
        if step > 0 && Self.largest(delta) * unit.size < Refinement.still { break }
      }
      frame.withView { compare($0, correction, unit, hasGradients: false) }
      spent += set.patches.count * WorkCost.patchComparison
      after = meanCorrelation
      let next = (frameFromLevel * (unit.toLevel * (Homography(correction) * (unit.fromLevel * map)))).scaled
      guard next.isFinite, let there = next.corners(width: reference.width, height: reference.height),
        isPlausible(there)
      else { return nil }
      result.frameFromReference = next
      result.cornerSigma = Self.deviation(&equations, unit) * Double(1 << level)
      if Self.largest(Self.change(correction)) * unit.size < Refinement.near { break }
    }
    return after > before - Refinement.loss ? result : nil
  }

  private static func largest(_ numbers: InlineArray<8, Double>) -> Double {
    var largest = 0.0
    for i in 0..<8 { largest = max(largest, abs(numbers[i])) }
    return largest
  }

  /// The mean correlation of what was compared last.
  private var meanCorrelation: Double {
    var (sum, total) = (0.0, 0.0)
    for p in set.patches where p.correlation > -1.5 {
      let weight = Double(p.norm).squareRoot()
      sum += weight * Double(p.correlation)
      total += weight
    }
    return total > 0 ? sum / total : 0
  }

  /// Where the patches that were compared last are displaced to.
  @_optimize(speed)
  private func measure(_ displacements: inout PatchDisplacements) {
    displacements.removeAll()
    let patches = set.patches
    for i in patches.indices where Double(patches[i].correlation) > Refinement.leastCorrelation {
      let (p, place) = (patches[i], places.base[i])
      let information = 1 / Self.variance(of: p)
      displacements.add(
        x: place.x,
        y: place.y,
        xx: Double(p.xx) * information,
        xy: Double(p.xy) * information,
        yy: Double(p.yy) * information,
        bx: Double(p.bx) * information,
        by: Double(p.by) * information
      )
    }
  }
}
