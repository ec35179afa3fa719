import SightlineMath

/// The numbers of matches by kind, so that four matches at a time are compared with one.
struct ItemColumns {
  let room: Int
  var count = 0
  private let frameX: Memory<Float>
  private let frameY: Memory<Float>
  private let targetX: Memory<Float>
  private let targetY: Memory<Float>
  private let ratios: Memory<Float>
  private let turns: Memory<Float>
  /// The highest bit of each says whether the match agrees.
  private let agrees: Memory<UInt32>
  /// Which matches agreed at the last question, in their order.
  let found: Memory<Int32>

  /// Room for so many matches.
  init(room: Int) {
    self.room = room
    let padded = room + 4
    frameX = Memory(count: padded, filledWith: 0)
    frameY = Memory(count: padded, filledWith: 0)
    targetX = Memory(count: padded, filledWith: 0)
    targetY = Memory(count: padded, filledWith: 0)
    ratios = Memory(count: padded, filledWith: 0)
    turns = Memory(count: padded, filledWith: 0)
    agrees = Memory(count: padded, filledWith: 0)
    found = Memory(count: padded, filledWith: 0)
  }

  /// Puts a match in: its places, its size in the frame over that in the target, and how much it is turned.
  func set(_ index: Int, frame: SIMD2<Float>, target: SIMD2<Float>, ratio: Float, turn: Float) {
    frameX.base[index] = frame.x
    frameY.base[index] = frame.y
    targetX.base[index] = target.x
    targetY.base[index] = target.y
    ratios.base[index] = ratio
    turns.base[index] = turn
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
      let lean4 = (load4(turns.base + at) - turn).sized
      // The same direction, or a whole turn from it.
      let turned = bits(lean4 - 0.6) | bits((lean4 - 2 * .pi).sized - 0.6)
      let (dx, dy) = (load4(targetX.base + at) - target.x, load4(targetY.base + at) - target.y)
      let ex = dx * c - dy * s + frame.x - load4(frameX.base + at)
      let ey = dx * s + dy * c + frame.y - load4(frameY.base + at)
      let tolerance = (dx * dx + dy * dy).squareRoot() * lean + 4
      let place = bits(ex * ex + ey * ey - tolerance * tolerance)
      let all = bits(low - r) & bits(r - high) & turned & place
      UnsafeMutableRawPointer(agrees.base + at).storeBytes(of: all, as: SIMD4<UInt32>.self)
      at += 4
    }
    var near = 0
    let (agrees, found) = (agrees.base, found.base)
    for i in 0..<count {
      found[near] = Int32(truncatingIfNeeded: i)
      near &+= Int(agrees[i] &>> 31)
    }
    return near
  }
}
