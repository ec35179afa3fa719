import SightlineCamera
import SightlineImaging
import SightlineMath

/// Chooses where in a frame a target is compared: patches wholly inside target and frame, on what there is to hold on
/// to,
/// coverage over what is visible.
struct PatchChooser {
  private struct Candidate {
    var x: Float
    var y: Float
    var bucket: Int32
    var level: Int32
  }

  private static let buckets = 8
  /// How many pictures of patches the last call drew: a blurred patch takes several.
  private(set) var drawn = 0
  /// Most that is left out along a side for being mixed with what is behind, as a share of the target's size.
  private static let mixedLimit = 0.12
  /// From left to right, row by row.
  private var candidates: [Candidate] = []
  /// Their corner scores in the upper half of the bits, which for numbers above nothing are in the same order, and
  /// their numbers.
  private var order: [UInt64] = []
  private var left: [Int] = []
  private var taken = [Int](repeating: 0, count: PatchChooser.buckets * PatchChooser.buckets)

  init() {}

  /// Fills a set of patches for a frame's level.
  ///
  /// `levelFromReference` is the map from the reference's pixels to those of the frame's level, `count` the most
  /// patches.
  /// Answers how many places there were to choose from.
  @_optimize(speed)
  mutating func fill(
    _ set: PatchSet,
    from reference: ReferencePyramid,
    _ levelFromReference: Homography,
    frameWidth: Int,
    frameHeight: Int,
    count: Int,
    motionBlur: LevelMotionBlur? = nil
  ) -> Int {
    set.removeAll()
    candidates.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    drawn = 0
    guard let corners = levelFromReference.corners(width: reference.width, height: reference.height),
      let back = levelFromReference.inverse?.scaled
    else { return 0 }
    var lines = InlineArray<4, (a: Double, b: Double, c: Double)>(repeating: (0, 0, 0))
    let size = (abs(doubleArea(corners)) / 2).squareRoot()
    var (minX, minY, maxX, maxY) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    for i in 0..<4 {
      let (p, q) = (corners[i], corners[(i + 1) & 3])
      let d = q - p
      let length = d.length
      guard length > 1e-6 else { return 0 }
      // Positive inside, less what half a patch and its gradients reach.
      let (a, b) = (-d.y / length, d.x / length)
      // Beside an edge that is blurred across, the print is mixed with what is behind it.
      var mixed = 0.0
      if let way = motionBlur?.at((p + q) * 0.5) {
        mixed = min(Self.mixedLimit * size, max(0, abs(a * way.x + b * way.y) / 2 - 2))
      }
      lines[i] = (a, b, -(a * p.x + b * p.y) - 4.6 * (abs(a) + abs(b)) - mixed)
      (minX, minY) = (min(minX, p.x), min(minY, p.y))
      (maxX, maxY) = (max(maxX, p.x), max(maxY, p.y))
    }
    // Patch centres lie half a pixel off whole ones.
    let (x0, x1) = (max(minX, 6), min(maxX, Double(frameWidth) - 7))
    let (y0, y1) = (max(minY, 6), min(maxY, Double(frameHeight) - 7))
    guard x1 > x0, y1 > y0 else { return 0 }
    var step = 8.0
    if (x1 - x0) * (y1 - y0) < Double(count) * 90 { step = 4 }
    while (x1 - x0) * (y1 - y0) / (step * step) > Double(4 * count) { step += 4 }
    let m = back.matrix
    let determinant = determinantOf(m)
    var y = y0.rounded(.down) + 0.5
    while y <= y1 {
      // What part of the row is inside.
      var (from, to) = (x0, x1)
      for i in 0..<4 {
        let l = lines[i]
        let rest = l.b * y + l.c
        if l.a > 1e-9 {
          from = max(from, -rest / l.a)
        } else if l.a < -1e-9 {
          to = min(to, -rest / l.a)
        } else if rest < 0 {
          to = -1
        }
      }
      var x = (from - 0.5).rounded(.up) + 0.5
      while x <= to {
        consider(x, y, m, determinant, reference)
        x += step
      }
      y += step
    }
    // Of equal ones the last.
    order.sort(by: >)
    for i in taken.indices { taken[i] = 0 }
    let share = max(1, count * 3 / (Self.buckets * Self.buckets))
    // First each part of the target gets its share, then what is left goes to the best.
    left.removeAll(keepingCapacity: true)
    for key in order {
      guard set.patches.count < count else { break }
      let i = Int(truncatingIfNeeded: key & 0xFFFF_FFFF)
      let bucket = Int(candidates[i].bucket)
      if taken[bucket] < share {
        taken[bucket] += 1
        render(candidates[i], m, reference, set, motionBlur)
      } else {
        left.append(i)
      }
    }
    for i in left {
      guard set.patches.count < count else { break }
      render(candidates[i], m, reference, set, motionBlur)
    }
    return candidates.count
  }

  private mutating func consider(
    _ x: Double,
    _ y: Double,
    _ m: Matrix3,
    _ determinant: Double,
    _ reference: ReferencePyramid
  ) {
    let w = m.row2.x * x + m.row2.y * y + m.row2.z
    guard w > 1e-9 else { return }
    let u = (m.row0.x * x + m.row0.y * y + m.row0.z) / w
    let v = (m.row1.x * x + m.row1.y * y + m.row1.z) / w
    let index = reference.level(forPixels: (abs(determinant) / (w * w * w)).squareRoot())
    let level = reference.levels[index]
    let column = Int((u + 0.5) * level.ratio.x) >> 2
    let row = Int((v + 0.5) * level.ratio.y) >> 2
    guard column >= 0, row >= 0, column < level.columns, row < level.rows else { return }
    let cornerScore = level.cornerScore.base[row &* level.columns &+ column]
    guard cornerScore > 6 else { return }
    let n = Double(Self.buckets)
    let bucket =
      min(Self.buckets - 1, Int((v + 0.5) / reference.height * n)) * Self.buckets
      + min(Self.buckets - 1, Int((u + 0.5) / reference.width * n))
    order.append(UInt64(cornerScore.bitPattern) &<< 32 | UInt64(candidates.count))
    candidates.append(
      Candidate(
        x: Float(x),
        y: Float(y),
        bucket: Int32(truncatingIfNeeded: bucket),
        level: Int32(truncatingIfNeeded: index)
      )
    )
  }

  private static func rounded(_ v: SIMD2<Double>) -> SIMD2<Float> { SIMD2(Float(v.x), Float(v.y)) }

  private mutating func render(
    _ candidate: Candidate,
    _ m: Matrix3,
    _ reference: ReferencePyramid,
    _ set: PatchSet,
    _ motionBlur: LevelMotionBlur?
  ) {
    let (x, y) = (Double(candidate.x), Double(candidate.y))
    let w = m.row2.x * x + m.row2.y * y + m.row2.z
    let (byX, byY) = (SIMD2(m.row0.x, m.row1.x), SIMD2(m.row0.y, m.row1.y))
    let place = (byX * x + byY * y + SIMD2(m.row0.z, m.row1.z)) / w
    let level = reference.levels[Int(candidate.level)]
    let ratio = SIMD2(level.ratio.x, level.ratio.y)
    let across = Self.rounded((byX - place * m.row2.x) / w * ratio)
    let down = Self.rounded((byY - place * m.row2.y) / w * ratio)
    let center = Self.rounded((place + 0.5) * ratio - 0.5)
    var (way, samples) = (SIMD2<Float>.zero, 1)
    if let motionBlur {
      let d = motionBlur.at(Vector2(x, y))
      let length = d.length
      if length > 1.2 {
        samples = min(9, Int((length / 1.6).rounded(.up)) + 1)
        way = across * Float(d.x) + down * Float(d.y)
      }
    }
    drawn += samples
    set.add(
      x: candidate.x - 3.5,
      y: candidate.y - 3.5,
      from: level.picture,
      origin: center - (across + down) * 3.5,
      across: across,
      down: down,
      motionBlur: way,
      samples: samples,
      leastNorm: 20
    )
  }
}

func determinantOf(_ m: Matrix3) -> Double { m.row0.dot(m.row1.cross(m.row2)) }
