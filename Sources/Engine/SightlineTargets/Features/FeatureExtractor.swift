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
    /// Whether a spot with two strong directions becomes two features.
    var allowsTwoDirections = false
  }

  private struct Spot {
    var x: Float
    var y: Float
    var level: Int
    var offset: Float
    var response: Float
  }

  let space = ScaleSpace()
  var parameters: Parameters
  private var spots: [Spot] = []
  private let sampler = DescriptorSampler()

  init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The features of a picture, strongest first.
  func extract(_ image: GrayView, into set: inout FeatureSet) {
    set.features.removeAll(keepingCapacity: true)
    set.descriptors.removeAll(keepingCapacity: true)
    space.set(image)
    spots.removeAll(keepingCapacity: true)
    for level in space.levels.indices { findSpots(level) }
    choose(width: image.width, height: image.height)
    for spot in spots {
      let level = space.levels[spot.level]
      let spacing = exp2Half(spot.offset)
      var directions: (Float, Float?) = sampler.directions(in: level, x: spot.x, y: spot.y, spacing: spacing)
      if !parameters.allowsTwoDirections { directions.1 = nil }
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
      let row = level.difference.base + y &* stride
      for x in 2..<(width - 2) {
        let v = row[x]
        if v >= threshold {
          guard v > row[x &- 1], v >= row[x &+ 1], v > row[x &- stride], v >= row[x &+ stride] else { continue }
          guard v > row[x &- stride &- 1], v >= row[x &- stride &+ 1] else { continue }
          guard v > row[x &+ stride &- 1], v >= row[x &+ stride &+ 1] else { continue }
          examine(index, level, row + x, x, y, v, 1)
        } else if v <= 0 &- threshold {
          guard v < row[x &- 1], v <= row[x &+ 1], v < row[x &- stride], v <= row[x &+ stride] else { continue }
          guard v < row[x &- stride &- 1], v <= row[x &- stride &+ 1] else { continue }
          guard v < row[x &+ stride &- 1], v <= row[x &+ stride &+ 1] else { continue }
          examine(index, level, row + x, x, y, v, -1)
        }
      }
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
    spots.append(Spot(x: Float(x) + dx, y: Float(y) + dy, level: index, offset: offset, response: value * Float(sign)))
  }

  /// The largest of the four pixels around the same place in another level, with the sign turned.
  private func neighbour(_ level: ScaleSpace.Level, _ x: Int, _ y: Int, _ ratio: Float, _ sign: Int16) -> Float {
    let nx = max(0, min(level.width - 2, Int((Float(x) + 0.5) * ratio - 0.5)))
    let ny = max(0, min(level.height - 2, Int((Float(y) + 0.5) * ratio - 0.5)))
    let p = level.difference.base + (ny &* level.width &+ nx)
    return Float(max(max(p[0] &* sign, p[1] &* sign), max(p[level.width] &* sign, p[level.width &+ 1] &* sign)))
  }

  /// Keeps the strongest, with no part of the picture taking them all.
  private func choose(width: Int, height: Int) {
    spots.sort { (abs($0.response), $0.level, $0.y, $0.x) > (abs($1.response), $1.level, $1.y, $1.x) }
    guard spots.count > parameters.limit else { return }
    let (columns, rows) = (8, 6)
    let share = max(1, parameters.limit * 2 / (columns * rows))
    var used = [Int](repeating: 0, count: columns * rows)
    var chosen: [Spot] = []
    var others: [Spot] = []
    for spot in spots {
      let scale = space.levels[spot.level].scale
      let column = min(columns - 1, max(0, Int(spot.x * scale) * columns / width))
      let row = min(rows - 1, max(0, Int(spot.y * scale) * rows / height))
      if used[row * columns + column] < share && chosen.count < parameters.limit {
        used[row * columns + column] += 1
        chosen.append(spot)
      } else {
        others.append(spot)
      }
    }
    chosen.append(contentsOf: others.prefix(max(0, parameters.limit - chosen.count)))
    spots = chosen
  }
}
