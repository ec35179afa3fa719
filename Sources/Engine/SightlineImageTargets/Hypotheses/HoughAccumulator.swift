import SightlineImaging
import SightlineMath

/// Counts which matches say about the same of which target is where: size, direction and middle, in coarse steps.
///
/// A generalised Hough transform (Ballard 1981, as Lowe 2004 uses it): matches by chance are coverage over all targets
/// and steps,
/// right ones meet in one. A match counts in two overlapping sets of steps, so that none is lost at a step's edge.
final class HoughAccumulator {
  private let room: Int
  /// Where keys and sums lie since ``clear(in:)``, and whose memory that is.
  private var keys: UnsafeMutablePointer<UInt32>
  private var sums: UnsafeMutablePointer<Float>
  private var memory: FixedBuffer<Int16>
  private var used = 0
  /// Cosine and sine of whole turns by 1024.
  private let turns: FixedBuffer<SIMD2<Float>>

  /// Room for so many votes, at least.
  init(votes: Int) {
    var room = 1 << 14
    while room * 2 < votes * 3 { room *= 2 }
    self.room = room
    memory = FixedBuffer(count: 1, filledWith: 0)
    let raw = UnsafeMutableRawPointer(memory.base)
    (keys, sums) = (raw.assumingMemoryBound(to: UInt32.self), raw.assumingMemoryBound(to: Float.self))
    turns = FixedBuffer(count: 1024, filledWith: .zero)
    for i in 0..<1024 {
      let angle = Double(i) * 2 * pi / 1024
      turns.base[i] = SIMD2(Float(cos(angle)), Float(sin(angle)))
    }
  }

  /// Forgets all votes; the next ones are counted in memory that nobody else needs until then, or in its own when that
  /// is too small.
  ///
  /// Has to be called before the first vote.
  func clear(in lent: FixedBuffer<Int16>) {
    // A key and a sum take as much as four numbers.
    if lent.count >= 4 * room {
      memory = lent
    } else if memory.count < 4 * room || memory === lent {
      memory = FixedBuffer(count: 4 * room, filledWith: 0)
    }
    let raw = UnsafeMutableRawPointer(memory.base)
    keys = raw.bindMemory(to: UInt32.self, capacity: room)
    sums = (raw + 4 * room).bindMemory(to: Float.self, capacity: room)
    for i in 0..<room { keys[i] = 0 }
    for i in 0..<room { sums[i] = 0 }
    used = 0
  }

  /// The two bins that a match votes for.
  ///
  /// `center` is the middle of the target's reference, `size` its longer side.
  func bins(
    owner: Int,
    _ frame: Keypoint,
    _ target: Keypoint,
    center: SIMD2<Float>,
    size: Float
  ) -> (Int32, Int32) {
    let scale = frame.size / target.size
    // Two turns are added so that the number stays positive.
    let turn = (frame.direction - target.direction) * (1 / (2 * .pi)) + 2
    let rotation = turns.base[Int(turn * 1024) & 1023] * scale
    let (dx, dy) = (center.x - target.x, center.y - target.y)
    // The middle is predicted the less exactly the farther it is; steps of half the target's size suit most.
    let step = 1 / max(24, 0.5 * size * scale)
    let x = (frame.x + rotation.x * dx - rotation.y * dy) * step
    let y = (frame.y + rotation.y * dx + rotation.x * dy) * step
    let level = Float(scale.exponent) + (scale.significand - 1)
    // Eight directions, 45° each.
    let direction = turn * 8
    return (
      bin(owner, x, y, level, direction, set: 0), bin(owner, x + 0.5, y + 0.5, level + 0.5, direction + 0.5, set: 1)
    )
  }

  private func bin(_ owner: Int, _ x: Float, _ y: Float, _ level: Float, _ direction: Float, set: UInt32) -> Int32 {
    guard abs(x) < 500, abs(y) < 500, abs(level) < 12 else { return -1 }
    let (ix, iy) = (UInt32(Int32(x + 512)) & 0x3FF, UInt32(Int32(y + 512)) & 0x3FF)
    let (il, id) = (UInt32(Int32(level + 16)), UInt32(Int32(direction) & 7))
    var key = UInt32(truncatingIfNeeded: owner) &* 2_654_435_761
    key = (key ^ ix) &* 2_246_822_519
    key = (key ^ iy) &* 3_266_489_917
    key = (key ^ (il << 4 | id << 1 | set)) &* 668_265_263
    key = key ^ key >> 15 | 1
    var at = Int(truncatingIfNeeded: key) & (room - 1)
    for _ in 0..<32 {
      if keys[at] == key { return Int32(truncatingIfNeeded: at) }
      if keys[at] == 0 {
        guard used < room * 3 / 4 else { return -1 }
        keys[at] = key
        used += 1
        return Int32(truncatingIfNeeded: at)
      }
      at = (at + 1) & (room - 1)
    }
    return -1
  }

  /// Adds to a place; −1 is none.
  func add(_ place: Int32, _ weight: Float) { if place >= 0 { sums[Int(place)] += weight } }

  /// What a place was given.
  func sum(_ place: Int32) -> Float { place >= 0 ? sums[Int(place)] : 0 }
}
