import SightlineCamera
import SightlineImaging
import SightlineMath

/// The numbers of matches by kind, so that four matches at a time are compared with one.
struct MatchColumns {
  let room: Int
  var count = 0
  private let frameX: FixedBuffer<Float>
  private let frameY: FixedBuffer<Float>
  private let targetX: FixedBuffer<Float>
  private let targetY: FixedBuffer<Float>
  private let ratios: FixedBuffer<Float>
  private let turns: FixedBuffer<Float>
  private let sizes: FixedBuffer<Float>
  /// The highest bit of each says whether the match agrees.
  private let agrees: FixedBuffer<UInt32>
  /// Which matches agreed at the last question, in their order.
  let found: FixedBuffer<Int32>

  /// Room for so many matches.
  init(room: Int) {
    self.room = room
    let padded = room + 4
    frameX = FixedBuffer(count: padded, filledWith: 0)
    frameY = FixedBuffer(count: padded, filledWith: 0)
    targetX = FixedBuffer(count: padded, filledWith: 0)
    targetY = FixedBuffer(count: padded, filledWith: 0)
    ratios = FixedBuffer(count: padded, filledWith: 0)
    turns = FixedBuffer(count: padded, filledWith: 0)
    sizes = FixedBuffer(count: padded, filledWith: 0)
    agrees = FixedBuffer(count: padded, filledWith: 0)
    found = FixedBuffer(count: padded, filledWith: 0)
  }

  /// Puts a match in: its places, its size in the frame over that in the target, how much it is turned, and its size in
  /// the frame.
  func set(_ index: Int, frame: SIMD2<Float>, target: SIMD2<Float>, ratio: Float, turn: Float, size: Float) {
    frameX.base[index] = frame.x
    frameY.base[index] = frame.y
    targetX.base[index] = target.x
    targetY.base[index] = target.y
    ratios.base[index] = ratio
    turns.base[index] = turn
    sizes.base[index] = size
  }

  /// Which matches say about the same as one does; answers how many, ``found`` says which.
  func agreeing(frame: SIMD2<Float>, target: SIMD2<Float>, ratio: Float, turn: Float) -> Int {
    let (c, s) = (Float(cos(Double(turn))) * ratio, Float(sin(Double(turn))) * ratio)
    let (low, high, lean) = (0.55 * ratio, 1.8 * ratio, 0.3 * ratio)
    // What is under a bound is less than nothing once the bound is taken off; signs are bits.
    @inline(__always) func bits(_ v: SIMD4<Float>) -> SIMD4<UInt32> { unsafeBitCast(v, to: SIMD4<UInt32>.self) }
    var at = 0
    while at < count {
      let r = load4(ratios.base + at)
      let lean4 = (load4(turns.base + at) - turn).magnitudes
      // The same direction, or a whole turn from it.
      let turned = bits(lean4 - 0.6) | bits((lean4 - 2 * .pi).magnitudes - 0.6)
      let (dx, dy) = (load4(targetX.base + at) - target.x, load4(targetY.base + at) - target.y)
      let ex = dx * c - dy * s + frame.x - load4(frameX.base + at)
      let ey = dx * s + dy * c + frame.y - load4(frameY.base + at)
      let tolerance = (dx * dx + dy * dy).squareRoot() * lean + 4
      let place = bits(ex * ex + ey * ey - tolerance * tolerance)
      let all = bits(low - r) & bits(r - high) & turned & place
      UnsafeMutableRawPointer(agrees.base + at).storeBytes(of: all, as: SIMD4<UInt32>.self)
      at += 4
    }
    return gather()
  }

  /// Which matches may lie so near to where a map puts them, pixels, large ones in proportion; answers how many,
  /// ``found`` says which.
  ///
  /// None that does is left out, some that hardly do not are told of.
  func near(_ map: Homography, tolerance: Double) -> Int {
    let m = map.matrix
    let (ax, ay, az) = (Float(m.row0.x), Float(m.row0.y), Float(m.row0.z))
    let (bx, by, bz) = (Float(m.row1.x), Float(m.row1.y), Float(m.row1.z))
    let (cx, cy, cz) = (Float(m.row2.x), Float(m.row2.y), Float(m.row2.z))
    let (most, least) = (Float(tolerance) * 1.001, SIMD4<Float>(repeating: 2.5))
    var at = 0
    while at < count {
      let (x, y, u, v) = (
        load4(targetX.base + at), load4(targetY.base + at), load4(frameX.base + at), load4(frameY.base + at)
      )
      let size = load4(sizes.base + at)
      let (px, py, w) = (x * ax + y * ay + az, x * bx + y * by + bz, x * cx + y * cy + cz)
      let (ex, ey) = (px - u * w, py - v * w)
      // What rounding may do to those: a few parts in ten million of the numbers they are sums of.
      let (right, down) = (x.magnitudes * (abs(ax) + abs(bx)), y.magnitudes * (abs(ay) + abs(by)))
      let depth: SIMD4<Float> = x.magnitudes * abs(cx) + y.magnitudes * abs(cy) + abs(cz)
      let reach: SIMD4<Float> = (u.magnitudes + v.magnitudes + 1000) * depth
      let sum: SIMD4<Float> = right + down + (abs(az) + abs(bz)) + reach
      let rounding = sum * 2e-6
      let bound = least.replacing(with: size, where: size .> least) * (most / 2.5) * w.magnitudes + rounding
      let isNear = ex * ex + ey * ey .< bound * bound
      UnsafeMutableRawPointer(agrees.base + at).storeBytes(
        of: unsafeBitCast(isNear, to: SIMD4<UInt32>.self),
        as: SIMD4<UInt32>.self
      )
      at += 4
    }
    return gather()
  }

  /// Puts together which matches ``agrees`` speaks of.
  private func gather() -> Int {
    var near = 0
    let (agrees, found) = (agrees.base, found.base)
    for i in 0..<count {
      found[near] = Int32(truncatingIfNeeded: i)
      near &+= Int(agrees[i] &>> 31)
    }
    return near
  }
}
