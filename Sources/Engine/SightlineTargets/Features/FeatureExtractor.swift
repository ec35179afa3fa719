import SightlineImaging
import SightlineMath

/// Finds blobs of all sizes in a picture and describes them.
final class FeatureExtractor {
  /// What is kept.
  struct Parameters {
    /// Most features.
    var limit = 900
    /// Least response, sixteenths of a grey level.
    var threshold: Int16 = 10
    /// Largest ratio of the two curvatures: beyond it is an edge, along which a spot slides.
    var edgeRatio: Float = 12
    /// How many features each part of the picture may have before the strongest of all are taken, as a share of what each would have if all had as many.
    ///
    /// Much below 1 each part keeps some; above, none takes too many.
    var partShare: Float = 2
    /// Whether a spot with two strong directions becomes two features.
    var allowsTwoDirections = false
  }

  private struct Spot {
    var x: Float
    var y: Float
    var level: Int32
    var offset: Float
    var response: Float
  }

  let space = ScaleSpace()
  var parameters: Parameters
  private var spots: [Spot] = []
  private var chosen: [Spot] = []
  private var others: [Spot] = []
  private var keys: [UInt64] = []
  private let sampler = DescriptorSampler()

  init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The features of a picture; of each of its parts the strongest first.
  func extract(_ image: GrayView, into set: inout FeatureSet) {
    begin(image, &set)
    while !isDone { _ = goOn(image, into: &set) }
  }

  /// What comes next of a picture, and with which level or feature.
  private enum Part { case smoothing(Int), spots(Int), choice, descriptors(Int), done }
  private var part = Part.done
  /// Features described at once.
  private static let batch = 60

  /// Whether the features of the picture are complete.
  var isDone: Bool {
    if case .done = part { return true }
    return false
  }

  /// Takes a picture, of which ``goOn(_:into:)`` finds the features piece by piece.
  func begin(_ image: GrayView, _ set: inout FeatureSet) {
    set.features.removeAll(keepingCapacity: true)
    set.descriptors.removeAll(keepingCapacity: true)
    spots.removeAll(keepingCapacity: true)
    space.fit(image.width, image.height)
    part = .smoothing(0)
  }

  /// Does a piece of the work on a picture; answers what that takes in about microseconds of native code.
  func goOn(_ image: GrayView, into set: inout FeatureSet) -> Int {
    switch part {
    case .smoothing(let level):
      guard level < space.levels.count else {
        part = .spots(0)
        return 0
      }
      space.fill(level, image)
      part = .smoothing(level + 1)
      return pixels(level) * (level == 0 ? Cost.first : level == 1 ? Cost.second : Cost.halved) / 1_000_000
    case .spots(let level):
      guard level < space.levels.count else {
        part = .choice
        return 0
      }
      let before = spots.count
      findSpots(level)
      part = .spots(level + 1)
      let scan = level == 0 ? Cost.scan : Cost.scanHalved
      return (pixels(level) * scan / 1000 + (spots.count - before) * Cost.spot) / 1000
    case .choice:
      let count = spots.count
      choose(width: image.width, height: image.height)
      part = .descriptors(0)
      return count * Cost.choice / 1000
    case .descriptors(let first):
      let end = min(spots.count, first + Self.batch)
      describe(spots[first..<end], &set)
      part = end < spots.count ? .descriptors(end) : .done
      return (end - first) * Cost.descriptor / 1000
    case .done: return 0
    }
  }

  /// What takes how long: nanoseconds of a thousand pixels filled or looked through, of a spot found, chosen from, or described.
  private enum Cost {
    static let first = 650
    static let second = 1900
    static let halved = 950
    static let scan = 750
    static let scanHalved = 1100
    static let spot = 50
    static let choice = 50
    static let descriptor = 2500
  }

  private func pixels(_ level: Int) -> Int { space.levels[level].width * space.levels[level].height }

  private func describe(_ spots: ArraySlice<Spot>, _ set: inout FeatureSet) {
    for spot in spots {
      let level = space.levels[Int(spot.level)]
      let spacing = exp2Half(spot.offset)
      let directions = sampler.directions(
        in: level,
        x: spot.x,
        y: spot.y,
        spacing: spacing,
        hasSecond: parameters.allowsTwoDirections
      )
      append(spot, level, spacing, directions.0, &set)
      if let second = directions.1 { append(spot, level, spacing, second, &set) }
    }
  }

  private func append(
    _ spot: Spot,
    _ level: ScaleSpace.Level,
    _ spacing: Float,
    _ angle: Float,
    _ set: inout FeatureSet
  ) {
    set.features.append(
      Feature(
        x: (spot.x + 0.5) * level.scale - 0.5,
        y: (spot.y + 0.5) * level.scale - 0.5,
        scale: level.scale * spacing,
        angle: angle,
        response: spot.response
      )
    )
    sampler.describe(level, x: spot.x, y: spot.y, angle: angle, spacing: spacing, into: &set.descriptors)
  }

  /// √2 to a power of −0.5 … 0.5.
  private func exp2Half(_ offset: Float) -> Float { 1 + offset * (0.346_57 + offset * 0.060_06) }

  private func findSpots(_ index: Int) {
    let level = space.levels[index]
    let (width, height) = (level.width, level.height)
    guard width >= 8, height >= 8 else { return }
    let threshold = parameters.threshold
    let stride = width
    for y in 2..<(height - 2) {
      let row = level.difference + y &* stride
      var x = 2
      while x &+ 8 <= width &- 2 {
        let bits = extrema(row + x, stride, threshold)
        for half in 0..<2 {
          var rest = half == 0 ? bits.x : bits.y
          while rest != 0 {
            let lane = rest.trailingZeroBitCount &>> 4
            rest &= ~(0xFFFF &<< UInt64(lane &<< 4))
            let at = x &+ lane &+ half &* 4
            let v = row[at]
            examine(index, level, row + at, at, y, v, v > 0 ? 1 : -1)
          }
        }
        x &+= 8
      }
      while x < width &- 2 {
        look(index, level, row, x, y)
        x &+= 1
      }
    }
  }

  /// Which of eight pixels stand out from the eight around them: 16 bits each.
  @inline(__always)
  private func extrema(_ p: UnsafePointer<Int16>, _ stride: Int, _ threshold: Int16) -> SIMD2<UInt64> {
    @inline(__always) func load(_ offset: Int) -> SIMD8<Int16> {
      UnsafeRawPointer(p + offset).loadUnaligned(as: SIMD8<Int16>.self)
    }
    let v = load(0)
    // Of equal neighbours the last one counts, as in `look`.
    let (a, b, c, d) = (load(-1), load(-stride), load(-stride &- 1), load(stride &- 1))
    let (e, f, g, h) = (load(1), load(stride), load(-stride &+ 1), load(stride &+ 1))
    let level = SIMD8<Int16>(repeating: threshold)
    let above = pointwiseMax(pointwiseMax(a, b), pointwiseMax(c, d))
    let aboveOrEqual = pointwiseMax(pointwiseMax(e, f), pointwiseMax(g, h))
    let below = pointwiseMin(pointwiseMin(a, b), pointwiseMin(c, d))
    let belowOrEqual = pointwiseMin(pointwiseMin(e, f), pointwiseMin(g, h))
    let top: SIMDMask<SIMD8<Int16>> = (v .> above) .& (v .>= aboveOrEqual) .& (v .>= level)
    let bottom: SIMDMask<SIMD8<Int16>> = (v .< below) .& (v .<= belowOrEqual) .& (v .<= (SIMD8<Int16>.zero &- level))
    return unsafeBitCast(top .| bottom, to: SIMD2<UInt64>.self)
  }

  /// Keeps a pixel that stands out from the eight around it.
  private func look(_ index: Int, _ level: ScaleSpace.Level, _ row: UnsafeMutablePointer<Int16>, _ x: Int, _ y: Int) {
    let stride = level.width
    let threshold = parameters.threshold
    let v = row[x]
    if v >= threshold {
      guard v > row[x &- 1], v >= row[x &+ 1], v > row[x &- stride], v >= row[x &+ stride] else { return }
      guard v > row[x &- stride &- 1], v >= row[x &- stride &+ 1] else { return }
      guard v > row[x &+ stride &- 1], v >= row[x &+ stride &+ 1] else { return }
      examine(index, level, row + x, x, y, v, 1)
    } else if v <= 0 &- threshold {
      guard v < row[x &- 1], v <= row[x &+ 1], v < row[x &- stride], v <= row[x &+ stride] else { return }
      guard v < row[x &- stride &- 1], v <= row[x &- stride &+ 1] else { return }
      guard v < row[x &+ stride &- 1], v <= row[x &+ stride &+ 1] else { return }
      examine(index, level, row + x, x, y, v, -1)
    }
  }

  /// Keeps an extremum of its level if it is one between the levels and no edge.
  private func examine(
    _ index: Int,
    _ level: ScaleSpace.Level,
    _ p: UnsafePointer<Int16>,
    _ x: Int,
    _ y: Int,
    _ v: Int16,
    _ sign: Int16
  ) {
    let stride = level.width
    let value = Float(v &* sign)
    let finer = index > 0 ? neighbour(space.levels[index - 1], x, y, ScaleSpace.step, sign) : nil
    if let finer, finer > value { return }
    let coarser =
      index + 1 < space.levels.count ? neighbour(space.levels[index + 1], x, y, 1 / ScaleSpace.step, sign) : nil
    if let coarser, coarser >= value { return }

    func d(_ o: Int) -> Float { Float(p[o] &* sign) }
    let gx = (d(1) - d(-1)) * 0.5
    let gy = (d(stride) - d(-stride)) * 0.5
    let xx = d(1) + d(-1) - 2 * value
    let yy = d(stride) + d(-stride) - 2 * value
    let xy = (d(stride + 1) - d(stride - 1) - d(-stride + 1) + d(-stride - 1)) * 0.25
    let determinant = xx * yy - xy * xy
    let trace = xx + yy
    let r = parameters.edgeRatio
    guard determinant > 0, trace * trace * r < (r + 1) * (r + 1) * determinant else { return }
    let dx = max(-0.7, min(0.7, -(yy * gx - xy * gy) / determinant))
    let dy = max(-0.7, min(0.7, -(xx * gy - xy * gx) / determinant))
    var offset: Float = 0
    if let finer, let coarser {
      let bend = finer + coarser - 2 * value
      if bend < 0 { offset = max(-0.5, min(0.5, 0.5 * (finer - coarser) / bend)) }
    }
    spots.append(
      growingBy: 4096,
      Spot(
        x: Float(x) + dx,
        y: Float(y) + dy,
        level: Int32(truncatingIfNeeded: index),
        offset: offset,
        response: value * Float(sign)
      )
    )
  }

  /// The largest of the four pixels around the same place in another level, with the sign turned.
  private func neighbour(_ level: ScaleSpace.Level, _ x: Int, _ y: Int, _ ratio: Float, _ sign: Int16) -> Float {
    let nx = max(0, min(level.width - 2, Int((Float(x) + 0.5) * ratio - 0.5)))
    let ny = max(0, min(level.height - 2, Int((Float(y) + 0.5) * ratio - 0.5)))
    let p = level.difference + (ny &* level.width &+ nx)
    return Float(max(max(p[0] &* sign, p[1] &* sign), max(p[level.width] &* sign, p[level.width &+ 1] &* sign)))
  }

  /// Keeps the strongest of each part of the picture, then the strongest of all.
  private func choose(width: Int, height: Int) {
    // One number orders them: how much they stand out, then where they were found.
    keys.removeAll(keepingCapacity: true)
    keys.reserveCapacity(spots.count)
    for (place, spot) in spots.enumerated() {
      let strength = abs(spot.response)
      keys.append(UInt64(min(16_777_216, strength * 64)) << 32 | UInt64(0xFFFF_FFFF - UInt32(place)))
    }
    keys.sort(by: >)
    let (columns, rows) = (8, 6)
    let fair = Float(parameters.limit) / Float(columns * rows)
    let share = spots.count > parameters.limit ? max(1, Int(fair * parameters.partShare)) : Int.max
    var used = InlineArray<48, Int>(repeating: 0)
    chosen.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    for key in keys {
      guard chosen.count < parameters.limit else { break }
      let spot = spots[Int(0xFFFF_FFFF - UInt32(truncatingIfNeeded: key))]
      let scale = space.levels[Int(spot.level)].scale
      let column = min(columns - 1, max(0, Int(spot.x * scale) * columns / width))
      let row = min(rows - 1, max(0, Int(spot.y * scale) * rows / height))
      if used[row * columns + column] < share {
        used[row * columns + column] += 1
        chosen.append(spot)
      } else if others.count < parameters.limit {
        others.append(spot)
      }
    }
    chosen.append(contentsOf: others.prefix(max(0, parameters.limit - chosen.count)))
    // Copied back, so that room for all that stands out is kept once.
    spots.removeAll(keepingCapacity: true)
    spots.append(contentsOf: chosen)
  }
}
