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
  var agreeing = 0
  /// Share of the compared patches that agree, weighted by how much there is in them.
  var agreement = 0.0
  /// Mean correlation weighted the same way.
  var correlation = 0.0
  /// Standard deviation of the corners as the fit sees it, root mean square, frame pixels.
  var cornerSigma = Double.infinity
  /// Share of the target's surface that agreeing patches are spread over, 0 … 1, by sixteenths.
  var spread = 0.0
  /// Matches of features behind it; 0 when it came without.
  var support = 0
  /// How strongly agreement, matches and outline together speak for it; 0 when there is nothing to be told apart.
  var strength = 0.0
  /// The way the frame was found to be smeared along, when that had to be guessed; frame pixels.
  var way: Vector2?
  /// How many times as long as it was thought the shutter seems to be open; `nil` when nothing tells.
  var shutterRatio: Double?
}

/// Moves a map until the target's picture, seen through it, fits the frame.
///
/// The reference is rendered into the frame's grid as small patches (``PatchSet``), each compared with the frame at a common
/// correction, a homography near the identity; Gauss-Newton steps with weights by how well each patch agrees (inverse
/// compositional: the slopes are the rendered picture's). From coarse to fine, rendered anew at each level. Nothing is carried
/// from frame to frame but the start, so nothing drifts.
final class Aligner {
  var chooser = PatchChooser()
  /// What was compared last.
  let set = PatchSet(capacity: 320)
  private var outline = OutlineFit()
  /// Of the frames; `nil` when they are not known, which leaves the shape free, see ``RigidShape``.
  var intrinsics: Intrinsics?
  /// What was done so far, in about microseconds of native code: counted, so that it is the same on every machine.
  var work = 0

  /// What takes how long, nanoseconds: a call, a place that patches may be at, a patch drawn, one compared, the outline looked at.
  ///
  /// Fitted to the times of some thousand calls.
  enum Cost {
    static let call = 4700
    static let place = 125
    static let drawn = 255
    static let compared = 113
    static let outline = 55_000
  }

  init() {}

  /// One level's steps.
  ///
  /// From `start`, where the target is thought to be, on a level of the frame's pyramid, with at most `count` patches and
  /// `steps` steps. `stiffness` is how far the shape may change from the start, as a share of the target's size. With an outline,
  /// the edges of the print have their say at the end.
  func align(
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    from start: Homography,
    level: Int,
    count: Int,
    steps: Int,
    stiffness: Double,
    smear: Smear? = nil,
    hasOutline: Bool = false
  ) -> Alignment? {
    let frame = frames.levels[level]
    let levelFromFrame = FramePyramid.levelFromFrame(level)
    let map = (levelFromFrame * start).scaled
    let places = chooser.fill(
      set,
      from: reference,
      map,
      frameWidth: frame.width,
      frameHeight: frame.height,
      count: count,
      smear: smear.map { LevelSmear(smear: $0, level: level) }
    )
    var spent = filled(places, reference)
    defer { work += spent / 1000 }
    guard set.patches.count >= 4, let corners = map.corners(width: reference.width, height: reference.height) else {
      return nil
    }
    let center = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25
    let size = max(8, (doubleArea(corners) / 2).squareRoot() / 2)
    let normal = Homography(
      Matrix3(rows: Vector3(1 / size, 0, -center.x / size), Vector3(0, 1 / size, -center.y / size), Vector3(0, 0, 1))
    )
    let denormal = Homography(
      Matrix3(rows: Vector3(size, 0, center.x), Vector3(0, size, center.y), Vector3(0, 0, 1))
    )
    guard let frameFromLevel = levelFromFrame.inverse else { return nil }
    let rigid = intrinsics.map {
      RigidShape($0, frameFromUnit: (frameFromLevel * denormal).matrix, unitFromReference: (normal * map).matrix)
    }
    var correction = Matrix3.identity
    var equations = NormalEquations()
    var change = InlineArray<8, Double>(repeating: 0)
    // With the outline two more, each with the edges where they were found to be.
    let last = steps + (hasOutline ? 2 : 0)
    var step = 0
    while true {
      frame.withView { compare($0, correction, center, size) }
      spent += set.patches.count * Cost.compared
      if step == last { break }
      if step >= steps {
        // Patches that fix the corners leave nothing for the outline to say.
        if step == steps {
          guard equations.solve() != nil else { return nil }
          if Self.deviation(equations, corners, center, size) < OutlineFit.worthwhile { break }
        }
        spent += Cost.outline
        frame.withView { view in
          outline.look(
            reference,
            corners: corners,
            map: map,
            corrected: { Self.corrected($0, correction, center, size) },
            frame: view,
            smear: smear.map { LevelSmear(smear: $0, level: level) }
          )
        }
        if outline.edges.isEmpty { break }
      }
      equations = NormalEquations()
      gather(&equations, center, size, isFirst: step < 2)
      addPriors(&equations, change, size, stiffness)
      if step >= steps { addOutline(&equations, center, size) }
      // Apart, so that what is said of how sure it is comes from the frame alone.
      var all = equations
      rigid?.add(to: &all, correction)
      guard let delta = all.solve() else { return nil }
      guard let next = Self.moved(correction, delta) else { return nil }
      correction = next
      change = Self.change(correction)
      var largest = 0.0
      for i in 0..<8 { largest = max(largest, abs(delta[i])) }
      step = largest * size < 0.004 ? max(steps, step + 1) : step + 1
    }
    let result = (frameFromLevel * (denormal * (Homography(correction) * (normal * map)))).scaled
    guard result.isFinite, result.corners(width: reference.width, height: reference.height) != nil else { return nil }
    guard equations.solve() != nil else { return nil }
    var found = judged(result, equations, reference, corners, center, size, level)
    if found.agreement < 0.9 { allowForNoise(&found, frames.noise(level), center, size) }
    return found
  }

  /// Shifts the start to where the frame agrees best, without turning or scaling it.
  ///
  /// Shifts are whole pixels of the level, up to `radius` along each axis. Answers the shifted start and its mean correlation.
  func search(
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    around start: Homography,
    level: Int,
    radius: Int,
    smear: Smear? = nil
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
      smear: nil
    )
    let side = 2 * radius + 1
    work += (filled(places, reference) + side * side * set.patches.count * Cost.compared) / 1000
    guard set.patches.count >= 4 else { return nil }
    var best = (x: 0, y: 0, score: -1.0)
    frame.withView { view in
      for dy in -radius...radius {
        for dx in -radius...radius {
          var (sum, total) = (0.0, 0.0)
          var outside = 0
          for i in set.patches.indices {
            let p = set.patches[i]
            set.compare(i, with: view, x: p.x - Float(radius) + Float(dx), y: p.y - Float(radius) + Float(dy))
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

  /// What choosing and drawing the present patches took, nanoseconds.
  func filled(_ places: Int, _ reference: ReferencePyramid) -> Int {
    defer { reference.putOff.done = 0 }
    return Cost.call + places * Cost.place + chooser.drawn * Cost.drawn + reference.putOff.done
  }

  /// The correction after a step: the rendered picture moved by it fits the frame, so the correction moves the other way.
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
  private static func corrected(_ p: Vector2, _ correction: Matrix3, _ center: Vector2, _ size: Double) -> Vector2? {
    let q = Homography(correction)((p - center) * (1 / size))
    return q.map { $0 * size + center }
  }

  private func addOutline(_ equations: inout NormalEquations, _ center: Vector2, _ size: Double) {
    let weight = size * size / (OutlineFit.sigma * OutlineFit.sigma)
    for edge in outline.edges {
      let (n, offset) = (edge.normal, edge.offset / size)
      equations.add(
        x: (edge.place.x - center.x) / size,
        y: (edge.place.y - center.y) / size,
        xx: n.x * n.x * weight,
        xy: n.x * n.y * weight,
        yy: n.y * n.y * weight,
        bx: -n.x * offset * weight,
        by: -n.y * offset * weight
      )
    }
  }

  func compare(_ frame: GrayView, _ correction: Matrix3, _ center: Vector2, _ size: Double) {
    set.compareAll(with: frame) { p in
      let x = (Double(p.x) + 3.5 - center.x) / size
      let y = (Double(p.y) + 3.5 - center.y) / size
      let w = correction.row2.x * x + correction.row2.y * y + correction.row2.z
      guard w > 0.05 else { return nil }
      let u = (correction.row0.x * x + correction.row0.y * y + correction.row0.z) / w
      let v = (correction.row1.x * x + correction.row1.y * y + correction.row1.z) / w
      return SIMD2(Float(u * size + center.x) - 3.5, Float(v * size + center.y) - 3.5)
    }
  }

  /// Grey levels a patch may be off without being worth less: noise and the reference's own coarseness.
  private static let noise = 4.0

  /// The variance of a patch's grey levels about the picture's, as far as it fits.
  static func variance(of p: PatchSet.Patch) -> Double {
    let c = Double(max(0, p.correlation))
    return noise * noise + Double(p.norm * p.norm) * (1 - c * c) / 62
  }

  private func gather(_ equations: inout NormalEquations, _ center: Vector2, _ size: Double, isFirst: Bool) {
    for p in set.patches where p.correlation > (isFirst ? -0.5 : 0.25) {
      let c = Double(max(0, p.correlation))
      var weight = size * size / Self.variance(of: p)
      if !isFirst { weight *= min(1, max(0.02, (c - 0.25) / 0.5)) }
      let s = size
      equations.add(
        x: (Double(p.x) + 3.5 - center.x) / s,
        y: (Double(p.y) + 3.5 - center.y) / s,
        xx: Double(p.xx) * weight,
        xy: Double(p.xy) * weight,
        yy: Double(p.yy) * weight,
        bx: Double(p.bx) * weight / s,
        by: Double(p.by) * weight / s
      )
    }
  }

  private func addPriors(
    _ equations: inout NormalEquations,
    _ change: InlineArray<8, Double>,
    _ size: Double,
    _ stiffness: Double
  ) {
    // The step is taken off the correction, so what brings it back to nothing has its sign.
    let shape = 1 / (stiffness * stiffness)
    let perspective = 1 / (0.25 * stiffness * stiffness)
    let place = 1 / (4.0 * 4.0)
    for i in 0..<8 {
      let information = i == 2 || i == 5 ? place : i >= 6 ? perspective : shape
      equations.addPrior(i, value: change[i], information: information)
    }
  }

  private func judged(
    _ map: Homography,
    _ equations: NormalEquations,
    _ reference: ReferencePyramid,
    _ corners: InlineArray<4, Vector2>,
    _ center: Vector2,
    _ size: Double,
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
      if p.correlation > 0.6 {
        result.agreeing += 1
        good += weight
        cells |= cell(of: p, center, size)
      }
    }
    if total > 0 {
      result.agreement = good / total
      result.correlation = sum / total
    }
    result.spread = Double(cells.nonzeroBitCount) / 16
    result.cornerSigma = Self.deviation(equations, corners, center, size) * Double(1 << level)
    return result
  }

  /// Noise that is worth allowing for, grey levels.
  static let worthAllowing = 1.5
  /// Share of the noise's variance that is left between pixels.
  static let between = 0.6
  /// Least correlation that a patch has to have in the mean when it is where it should be, to be asked at all.
  static let leastExpected = 0.4

  /// Judges again with what noise leaves of the correlation of patches that are where they should be.
  ///
  /// How strong the target's contrast is in the frame comes from all patches together: where nothing agrees there is none, and nothing to
  /// allow for.
  private func allowForNoise(_ result: inout Alignment, _ noise: Double, _ center: Vector2, _ size: Double) {
    guard noise > Self.worthAllowing else { return }
    var (signal, power) = (0.0, 0.0)
    for p in set.patches where p.correlation > -1.5 {
      signal += Double(p.norm * p.frameNorm * p.correlation)
      power += Double(p.norm * p.norm)
    }
    guard signal > 0, power > 0 else { return }
    let gain = signal / power
    let variance = 63 * Self.between * noise * noise
    var (total, good, agreeing) = (0.0, 0.0, 0)
    var cells: UInt32 = 0
    for p in set.patches where p.correlation > -1.5 {
      let square = Double(p.norm * p.norm) * gain * gain
      let expected = (square / (square + variance)).squareRoot()
      guard expected > Self.leastExpected else { continue }
      let weight = Double(p.norm).squareRoot() * expected
      total += weight
      guard Double(p.correlation) > 0.6 * expected else { continue }
      agreeing += 1
      good += weight
      cells |= cell(of: p, center, size)
    }
    guard total > 0, good > result.agreement * total else { return }
    (result.agreement, result.agreeing) = (good / total, agreeing)
    result.spread = Double(cells.nonzeroBitCount) / 16
  }

  /// Which sixteenth of the target a patch lies in, as a bit.
  private func cell(of p: PatchSet.Patch, _ center: Vector2, _ size: Double) -> UInt32 {
    let u = ((Double(p.x) + 3.5 - center.x) / size + 1.4) / 0.7
    let v = ((Double(p.y) + 3.5 - center.y) / size + 1.4) / 0.7
    return 1 << UInt32(max(0, min(3, Int(v))) * 4 + max(0, min(3, Int(u))))
  }

  /// The standard deviation of the corners as the sums have it, root mean square, pixels of the level.
  static func deviation(
    _ equations: NormalEquations,
    _ corners: InlineArray<4, Vector2>,
    _ center: Vector2,
    _ size: Double
  ) -> Double {
    var variance = 0.0
    for i in 0..<4 {
      variance += equations.variance(x: (corners[i].x - center.x) / size, y: (corners[i].y - center.y) / size) / 4
    }
    return variance.squareRoot() * size
  }
}
