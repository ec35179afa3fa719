import SightlineCamera
import SightlineImaging
import SightlineMath

/// What lies in one plane with the targets around them, to carry them on by when they are not seen.
///
/// A frame is kept every so often while targets are seen, and of it those parts that moved as a target did since the
/// last one was
/// kept: the wall a poster hangs on, not what is far behind it. When the target is not seen any more, these parts are
/// aligned to the present frame as a target's reference is. When the camera leaves what was kept, the present frame is
/// kept in its place.
final class BackgroundPlane {
  /// Seconds after which a frame is kept anew while targets are seen.
  static let interval = 0.2
  /// Fewest parts beside the targets that make it worth looking for them, of 192.
  private static let leastCells = 5
  private var reference: ReferencePyramid?
  private var mask = CellMask()
  private var cells = 0
  private let set = PatchSet(capacity: 4)
  /// From the pixels of the kept picture, which is half as large, to those of the frame it was.
  private let frameFromHalf: Homography
  private let halfFromFrame: Homography
  private var size = Vector2.zero
  /// Time of the kept frame.
  private(set) var time = -Double.infinity
  /// From the kept frame's pixels to those of the frame now, as far as is known.
  private(set) var frameFromKeyframe = Homography(.identity)

  init() {
    halfFromFrame = FramePyramid.levelFromFrame(1)
    frameFromHalf = halfFromFrame.inverse ?? Homography(.identity)
  }

  /// Whether there is something to carry targets on by.
  var isUseful: Bool { reference != nil && cells >= Self.leastCells }

  /// Forgets everything.
  func forget() {
    (reference, cells, mask) = (nil, 0, CellMask())
    frameFromKeyframe = Homography(.identity)
    time = -.infinity
  }

  /// Says where the kept frame's plane is now.
  func expect(_ map: Homography) { frameFromKeyframe = map.scaled }

  /// Keeps this frame; `targets` are the corners of what is seen in it.
  ///
  /// ``frameFromKey`` has to say where the plane of the frame kept before is now.
  func keep(_ frames: FramePyramid, time: Double, targets: [InlineArray<4, Vector2>]) {
    guard frames.levels.count > 3 else { return forget() }
    size = Vector2(Double(frames.levels[0].width), Double(frames.levels[0].height))
    learn(frames, targets)
    reference = ReferencePyramid(frames.levels[1], levels: 6, mask: mask)
    self.time = time
    frameFromKeyframe = Homography(.identity)
  }

  /// Finds out which parts of this frame are in the plane.
  private func learn(_ frames: FramePyramid, _ targets: [InlineArray<4, Vector2>]) {
    let level = frames.levels[1]
    let (w, h) = (Double(level.width), Double(level.height))
    let back = (halfFromFrame * (frameFromKeyframe * frameFromHalf)).scaled.inverse
    var fresh = CellMask()
    cells = 0
    for row in 0..<CellMask.rows {
      for column in 0..<CellMask.columns {
        let center = Vector2(
          (Double(column) + 0.5) * w / Double(CellMask.columns),
          (Double(row) + 0.5) * h / Double(CellMask.rows)
        )
        var score: Float = 0
        if let back, let reference { score = seen(center, back, reference, level) }
        let inFrame = frameFromHalf(center) ?? center
        let isTarget = targets.contains { isInside(inFrame, $0) }
        // A part beside a target may show some of it, which says nothing of the wall.
        let isBeside = targets.contains { isInside(inFrame, grown($0)) }
        if !isBeside && score > CellMask.least { cells += 1 }
        fresh.scores[row * CellMask.columns + column] = isTarget ? 1 : score
      }
    }
    mask = fresh
  }

  /// The score of a part of the frame: whether what is there was where the plane says in the frame kept before.
  private func seen(_ p: Vector2, _ back: Homography, _ reference: ReferencePyramid, _ frame: GrayImage) -> Float {
    guard let q = back(p), let right = back(p + Vector2(1, 0)), let below = back(p + Vector2(0, 1)) else { return 0 }
    let (column, row) = (
      Int(q.x / Double(frame.width) * Double(CellMask.columns)), Int(q.y / Double(frame.height) * Double(CellMask.rows))
    )
    guard q.x >= 6, q.y >= 6, q.x < reference.width - 7, q.y < reference.height - 7 else { return 0 }
    let before = mask.scores[row * CellMask.columns + column]
    // At rest everything is where it was: that tells nothing of what is behind.
    guard (q - p).length > 2.5 else { return before }
    var (sum, compared): (Float, Float) = (0, 0)
    set.removeAll()
    let (across, down) = (right - q, below - q)
    // Four patches: one alone may have edges along the way only, which look the same everywhere on it.
    for (dx, dy) in [(-5.0, -5.0), (5.0, -5.0), (-5.0, 5.0), (5.0, 5.0)] {
      let at = q + across * dx + down * dy - (across + down) * 3.5
      set.add(
        x: Float(p.x + dx - 3.5),
        y: Float(p.y + dy - 3.5),
        from: reference.levels[0].picture,
        origin: SIMD2(Float(at.x), Float(at.y)),
        across: SIMD2(Float(across.x), Float(across.y)),
        down: SIMD2(Float(down.x), Float(down.y)),
        leastNorm: 24
      )
    }
    frame.withView { view in
      for i in set.patches.indices {
        set.compare(i, with: view, x: set.patches[i].x, y: set.patches[i].y)
        guard set.patches[i].correlation > -1.5 else { continue }
        sum += set.patches[i].correlation
        compared += 1
      }
    }
    guard compared > 0 else { return before }
    let mean = sum / compared
    let evidence: Float = mean > 0.85 ? 0.6 : mean < 0.7 ? -0.6 : 0
    return max(-1, min(1, 0.8 * before + evidence))
  }

  /// A quadrilateral with its corners farther from its middle, by more than a part's size.
  private func grown(_ q: InlineArray<4, Vector2>) -> InlineArray<4, Vector2> {
    let middle = (q[0] + q[1] + q[2] + q[3]) * 0.25
    func out(_ p: Vector2) -> Vector2 {
      let way: Vector2 = p - middle
      return middle + way * (1 + size.x / 10 / max(1, way.length))
    }
    return [out(q[0]), out(q[1]), out(q[2]), out(q[3])]
  }

  private func isInside(_ p: Vector2, _ q: InlineArray<4, Vector2>) -> Bool {
    for i in 0..<4 {
      let (a, b) = (q[i], q[(i + 1) & 3])
      if (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) < 0 { return false }
    }
    return true
  }

  /// Looks where the kept frame's plane is now, around where it is thought to be.
  ///
  /// Answers the standard deviation of what is carried by it, pixels; `nil` when it is not seen, and then nothing
  /// changes.
  func follow(_ frames: FramePyramid, aligner: Aligner) -> Double? {
    guard let reference, isUseful, frames.levels.count > 3 else { return nil }
    let start = (frameFromKeyframe * frameFromHalf).scaled
    var found = aligned(reference, frames, start, aligner)
    if found == nil, let place = aligner.search(reference, frames, around: start, level: 2, radius: 7),
      place.correlation > 0.25
    {
      // It moved farther than the gradients reach.
      found = aligned(reference, frames, place.map, aligner)
    }
    guard let found else { return nil }
    frameFromKeyframe = (found.frameFromReference * halfFromFrame).scaled
    return found.cornerSigma
  }

  /// Whether so little of the kept frame is in view that the present one should be kept instead.
  var isLeft: Bool {
    let middle = size * 0.5
    guard let moved = frameFromKeyframe(middle) else { return true }
    let share = max(abs(moved.x - middle.x) / max(1, size.x), abs(moved.y - middle.y) / max(1, size.y))
    return share > 0.4
  }

  private func aligned(
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    _ start: Homography,
    _ aligner: Aligner
  ) -> Alignment? {
    var map = start
    var found: Alignment?
    for level in [3, 2, 1] {
      guard
        let next = aligner.align(
          reference,
          frames,
          from: map,
          level: level,
          count: level == 1 ? 120 : 80,
          steps: level == 3 ? 8 : 6,
          shapeDeviation: 0.02
        )
      else {
        // A narrow strip may be too little at the coarsest level.
        if level == 3 { continue }
        return nil
      }
      guard next.correlation > 0.15 || level == 3 else { return nil }
      if next.correlation > 0.15 { map = next.frameFromReference }
      found = next
    }
    guard let found, found.inlierRatio > 0.6, found.inlierCount >= 10, found.cornerSigma < 8 else { return nil }
    return found
  }
}
