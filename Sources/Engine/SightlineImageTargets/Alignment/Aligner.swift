import SightlineCamera
import SightlineImaging
import SightlineMath

/// How well a target's picture agrees with a frame where a map puts it.
struct Alignment {
  /// From the reference's pixels to the frame's.
  var frameFromReference: Homography
  /// Patches that were compared and lay in the frame.
  var compared = 0
  /// Those that agree.
  var inlierCount = 0
  /// Share of the compared patches that agree, weighted by how much there is in them.
  var inlierRatio = 0.0
  /// Mean correlation weighted the same way.
  var correlation = 0.0
  /// Standard deviation of the corners as the fit sees it, root mean square, frame pixels.
  var cornerSigma = Double.infinity
  /// Share of the target's surface that inlier count patches are coverage over, 0 … 1, by sixteenths.
  var coverage = 0.0
  /// Matches of features behind it; 0 when it came without.
  var matchInliers = 0
  /// How strongly inlier ratio, matches and outline together speak for it; 0 when there is nothing to be told apart.
  var score = 0.0
  /// The way the frame was found to be blurred along, when that had to be fresh; frame pixels.
  var blurVector: Vector2?
  /// How many times as long as it was thought the exposure seems to be open; `nil` when nothing tells.
  var exposureRatio: Double?
}

/// Moves a map until the target's picture, seen through it, fits the frame.
///
/// The reference is rendered into the frame's grid as small patches (``PatchSet``), each compared with the frame at a
/// common
/// correction, a homography near the identity; Gauss-Newton steps with weights by how well each patch agrees (inverse
/// compositional: the gradients are the rendered picture's). From coarse to fine, rendered anew at each level. Nothing
/// is carried
/// from frame to frame but the start, so nothing drifts.
final class Aligner {
  var chooser = PatchChooser()
  /// What was compared last.
  let set = PatchSet(capacity: 320)
  /// Where the middles of its patches are in the unit of the corrections.
  let places = FixedBuffer<SIMD2<Double>>(count: 320, filledWith: .zero)
  private var outline = BoundaryFit()
  /// Of the frames; `nil` when they are not known, which leaves the shape free, see ``RigidShape``.
  var intrinsics: Intrinsics?
  /// Of their lens.
  var distortion = LensDistortion.none
  /// What was done so far, work units (``WorkCost``): counted, so that it is the same on every machine.
  var work = 0

  init() {}

  /// One level's steps.
  ///
  /// From `start`, where the target is thought to be, on a level of the frame's pyramid, with at most `count` patches
  /// and
  /// `steps` steps. `stiffness` is how far the shape may change from the start, as a share of the target's size. With
  /// an outline,
  /// the edges of the print have their say at the end.
  @_optimize(speed)
  func align(
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    from start: Homography,
    level: Int,
    count: Int,
    steps: Int,
    shapeDeviation: Double,
    motionBlur: MotionBlur? = nil,
    hasOutline: Bool = false
  ) -> Alignment? {
    let frame = frames.levels[level]
    let levelFromFrame = FramePyramid.levelFromFrame(level)
    let map = (levelFromFrame * start).scaled
    let count = chooser.fill(
      set,
      from: reference,
      map,
      frameWidth: frame.width,
      frameHeight: frame.height,
      count: count,
      motionBlur: motionBlur.map { LevelMotionBlur(motionBlur: $0, level: level) }
    )
    var spent = filled(count, reference)
    defer { work += spent / WorkCost.unit }
    guard set.patches.count >= 4, let unit = NormalizedFrame(map, width: reference.width, height: reference.height),
      let frameFromLevel = levelFromFrame.inverse
    else { return nil }
    note(unit)
    let unitFromReference = unit.fromLevel * map
    let rigid = intrinsics.flatMap { intrinsics in
      straightFromFrame(around: start, reference, intrinsics).map {
        RigidityPrior(
          intrinsics,
          frameFromUnit: ($0 * (frameFromLevel * unit.toLevel)).matrix,
          unitFromReference: unitFromReference.matrix
        )
      }
    }
    var correction = Matrix3.identity
    var equations = NormalEquations()
    var change = InlineArray<8, Double>(repeating: 0)
    // With the outline two more, each with the edges where they were found to be.
    let last = steps + (hasOutline ? 2 : 0)
    var isSolved = false
    var step = 0
    while true {
      // What is compared last is only judged.
      frame.withView { compare($0, correction, unit, hasGradients: step != last) }
      spent += set.patches.count * WorkCost.patchComparison
      if step == last { break }
      if step >= steps {
        // Patches that fix the corners leave nothing for the outline to say.
        if step == steps {
          guard equations.solve() != nil else { return nil }
          if Self.deviation(&equations, unit) < BoundaryFit.worthwhile { break }
        }
        spent += WorkCost.boundary
        frame.withView { view in
          outline.look(
            reference,
            corners: unit.corners,
            map: map,
            corrected: { Self.corrected($0, correction, unit) },
            frame: view,
            motionBlur: motionBlur.map { LevelMotionBlur(motionBlur: $0, level: level) }
          )
        }
        if outline.edges.isEmpty { break }
      }
      equations.clear()
      gather(&equations, unit, isFirst: step < 2)
      addPriors(&equations, change, shapeDeviation)
      if step >= steps { addOutline(&equations, unit) }
      let solution: InlineArray<8, Double>?
      if let rigid {
        // Apart, so that what is said of how sure it is comes from the frame alone.
        var all = equations
        rigid.add(to: &all, correction)
        solution = all.solve()
      } else {
        solution = equations.solve()
        isSolved = true
      }
      guard let delta = solution else { return nil }
      guard let next = Self.moved(correction, delta) else { return nil }
      correction = next
      change = Self.change(correction)
      var largest = 0.0
      for i in 0..<8 { largest = max(largest, abs(delta[i])) }
      step = largest * unit.size < 0.004 ? max(steps, step + 1) : step + 1
    }
    let result = (frameFromLevel * (unit.toLevel * (Homography(correction) * unitFromReference))).scaled
    guard result.isFinite, result.corners(width: reference.width, height: reference.height) != nil else { return nil }
    guard isSolved || equations.solve() != nil else { return nil }
    var found = judged(result, &equations, unit, level)
    if found.inlierRatio < 0.9 { allowForNoise(&found, frames.noise(level), unit) }
    return found
  }

  /// From the frame to what a straight lens would have seen of a target in it; `nil` where the lens's terms say nothing.
  private func straightFromFrame(
    around start: Homography,
    _ reference: ReferencePyramid,
    _ intrinsics: Intrinsics
  ) -> Homography? {
    if distortion == .none { return Homography(.identity) }
    return Homography(
      straightening: start,
      width: reference.width,
      height: reference.height,
      intrinsics: intrinsics,
      distortion: distortion
    )
  }

  /// What choosing and drawing the present patches cost, thousandths of a work unit.
  func filled(_ places: Int, _ reference: ReferencePyramid) -> Int {
    defer { reference.lazyWork.done = 0 }
    return WorkCost.alignment + places * WorkCost.patchPlace + chooser.drawn * WorkCost.patchDrawn
      + reference.lazyWork.done
  }

  /// The correction after a step: the rendered picture moved by it fits the frame, so the correction moves the other
  /// way.
  static func moved(_ correction: Matrix3, _ delta: InlineArray<8, Double>) -> Matrix3? {
    let moved = Matrix3(
      rows: Vector3(1 + delta[0], delta[1], delta[2]),
      Vector3(delta[3], 1 + delta[4], delta[5]),
      Vector3(delta[6], delta[7], 1)
    )
    guard let inverse = Homography(moved).inverse else { return nil }
    let next = (Homography(correction) * inverse).scaled
    return next.isFinite ? next.matrix : nil
  }

  /// The eight numbers of a correction, none of which is anything when it does nothing.
  static func change(_ correction: Matrix3) -> InlineArray<8, Double> {
    [
      correction.row0.x - 1, correction.row0.y, correction.row0.z, correction.row1.x, correction.row1.y - 1,
      correction.row1.z, correction.row2.x, correction.row2.y,
    ]
  }

  /// Where the correction takes a place.
  private static func corrected(_ p: Vector2, _ correction: Matrix3, _ unit: NormalizedFrame) -> Vector2? {
    let q = Homography(correction)(unit(p))
    return q.map { $0 * unit.size + unit.center }
  }

  private func addOutline(_ equations: inout NormalEquations, _ unit: NormalizedFrame) {
    let weight = unit.size * unit.size / (BoundaryFit.sigma * BoundaryFit.sigma)
    for edge in outline.edges {
      let (n, offset, place) = (edge.normal, edge.offset / unit.size, unit(edge.place))
      equations.add(
        x: place.x,
        y: place.y,
        xx: n.x * n.x * weight,
        xy: n.x * n.y * weight,
        yy: n.y * n.y * weight,
        bx: -n.x * offset * weight,
        by: -n.y * offset * weight
      )
    }
  }

  /// Notes where the patches are that were drawn last.
  func note(_ unit: NormalizedFrame) {
    let (center, patches) = (SIMD2(unit.center.x, unit.center.y), set.patches)
    for i in patches.indices {
      let middle = SIMD2(Double(patches[i].x) + 3.5, Double(patches[i].y) + 3.5)
      places.base[i] = (middle - center) / unit.size
    }
  }

  /// Compares the patches, whose places have been noted, with the frame at a correction.
  @_optimize(speed)
  func compare(_ frame: GrayView, _ correction: Matrix3, _ unit: NormalizedFrame, hasGradients: Bool = true) {
    let (center, size, places) = (SIMD2(unit.center.x, unit.center.y), unit.size, places.base)
    let byX = SIMD2(correction.row0.x, correction.row1.x)
    let byY = SIMD2(correction.row0.y, correction.row1.y)
    let rest = SIMD2(correction.row0.z, correction.row1.z)
    set.compareAll(with: frame, hasGradients: hasGradients) { i in
      let p = places[i]
      let w = correction.row2.x * p.x + correction.row2.y * p.y + correction.row2.z
      guard w > 0.05 else { return nil }
      let place = (byX * p.x + byY * p.y + rest) / w * size + center
      return SIMD2(Float(place.x) - 3.5, Float(place.y) - 3.5)
    }
  }

  /// Grey levels a patch may be off without counting less: noise and the reference's own coarseness.
  private static let noise = 4.0

  /// The variance of a patch's grey levels about the picture's, as far as it fits.
  static func variance(of p: PatchSet.Patch) -> Double {
    let c = Double(max(0, p.correlation))
    return noise * noise + Double(p.norm * p.norm) * (1 - c * c) / 62
  }

  private func gather(_ equations: inout NormalEquations, _ unit: NormalizedFrame, isFirst: Bool) {
    let (s, patches) = (unit.size, set.patches)
    for i in patches.indices where patches[i].correlation > (isFirst ? -0.5 : 0.25) {
      let p = patches[i]
      let c = Double(max(0, p.correlation))
      var weight = s * s / Self.variance(of: p)
      if !isFirst { weight *= min(1, max(0.02, (c - 0.25) / 0.5)) }
      let place = places.base[i]
      let b = SIMD2(Double(p.bx), Double(p.by)) * weight / s
      equations.add(
        x: place.x,
        y: place.y,
        xx: Double(p.xx) * weight,
        xy: Double(p.xy) * weight,
        yy: Double(p.yy) * weight,
        bx: b.x,
        by: b.y
      )
    }
  }

  private func addPriors(
    _ equations: inout NormalEquations,
    _ change: InlineArray<8, Double>,
    _ shapeDeviation: Double
  ) {
    // The step is taken off the correction, so what brings it back to nothing has its sign.
    let shape = 1 / (shapeDeviation * shapeDeviation)
    let perspective = 1 / (0.25 * shapeDeviation * shapeDeviation)
    let place = 1 / (4.0 * 4.0)
    for i in 0..<8 {
      let information = i == 2 || i == 5 ? place : i >= 6 ? perspective : shape
      equations.addPrior(i, value: change[i], information: information)
    }
  }

  /// The standard deviation of the corners as the sums have it, root mean square, pixels of the level.
  static func deviation(_ equations: inout NormalEquations, _ unit: NormalizedFrame) -> Double {
    var (x, y) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for i in 0..<4 {
      let corner = unit(unit.corners[i])
      (x[i], y[i]) = (corner.x, corner.y)
    }
    let variances = equations.variances(x: x, y: y) / 4
    return (variances.x + variances.y + variances.z + variances.w).squareRoot() * unit.size
  }
}
