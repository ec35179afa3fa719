import SightlineMath

/// Counts which matches say about the same of where a target is: size, direction and middle, in coarse steps.
///
/// A generalised Hough transform (Ballard 1981, as Lowe 2004 uses it): matches by chance are spread over all steps, right ones meet
/// in one. A match counts in two overlapping sets of steps, so that none is lost at a step's edge.
final class PoseVotes {
  private static let room = 1 << 14
  private let keys = Memory<UInt32>(count: PoseVotes.room, filledWith: 0)
  private let sums = Memory<Float>(count: PoseVotes.room, filledWith: 0)
  private var used: [Int] = []

  init() {}

  /// Forgets all votes.
  func clear() {
    for place in used {
      keys.base[place] = 0
      sums.base[place] = 0
    }
    used.removeAll(keepingCapacity: true)
  }

  /// The places of the two votes of a match.
  ///
  /// `center` is the middle of the target's reference, `size` its longer side.
  func places(
    owner: Int,
    _ frame: FeaturePlace,
    _ target: FeaturePlace,
    center: SIMD2<Float>,
    size: Float
  ) -> (Int, Int) {
    let scale = frame.size / target.size
    let turn = frame.direction - target.direction
    let (c, s) = (Float(cos(Double(turn))) * scale, Float(sin(Double(turn))) * scale)
    let (dx, dy) = (center.x - target.x, center.y - target.y)
    // The middle is predicted the less exactly the farther it is; steps of half the target's size suit most.
    let step = max(24, 0.5 * size * scale)
    let x = (frame.x + c * dx - s * dy) / step
    let y = (frame.y + s * dx + c * dy) / step
    var octave: Float = 0
    var rest = scale
    while rest >= 2 && octave < 8 {
      rest /= 2
      octave += 1
    }
    while rest < 1 && octave > -8 {
      rest *= 2
      octave -= 1
    }
    let level = octave + (rest - 1)
    // Eight directions, 45° each; twice a turn is added so that the numbers stay positive.
    let direction = (turn / (2 * .pi) + 2) * 8
    return (
      place(owner, x, y, level, direction, set: 0), place(owner, x + 0.5, y + 0.5, level + 0.5, direction + 0.5, set: 1)
    )
  }

  private func place(_ owner: Int, _ x: Float, _ y: Float, _ level: Float, _ direction: Float, set: UInt32) -> Int {
    guard abs(x) < 500, abs(y) < 500 else { return -1 }
    let (ix, iy) = (UInt32(Int(x.rounded(.down)) & 0x3FF), UInt32(Int(y.rounded(.down)) & 0x3FF))
    let (il, id) = (UInt32(Int(level.rounded(.down)) + 16), UInt32(Int(direction) & 7))
    var key = UInt32(owner) &* 2_654_435_761
    key = (key ^ ix) &* 2_246_822_519
    key = (key ^ iy) &* 3_266_489_917
    key = (key ^ (il << 4 | id << 1 | set)) &* 668_265_263
    key = key ^ key >> 15 | 1
    var at = Int(truncatingIfNeeded: key) & (Self.room - 1)
    for _ in 0..<32 {
      if keys.base[at] == key { return at }
      if keys.base[at] == 0 {
        guard used.count < Self.room * 3 / 4 else { return -1 }
        keys.base[at] = key
        used.append(at)
        return at
      }
      at = (at + 1) & (Self.room - 1)
    }
    return -1
  }

  func add(_ place: Int, _ weight: Float) { if place >= 0 { sums.base[place] += weight } }

  func sum(_ place: Int) -> Float { place >= 0 ? sums.base[place] : 0 }
}
