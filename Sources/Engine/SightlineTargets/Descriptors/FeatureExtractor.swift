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
    /// Largest ratio of the two curvatures: beyond it is an edge, along which a keypoint slides.
    var edgeRatio: Float = 12
    /// How many features each part of the picture may have before the strongest of all are taken, as a share of what each would have if all had as many.
    ///
    /// Much below 1 each part keeps some; above, none takes too many.
    var partShare: Float = 2
    /// Whether a keypoint with two strong directions becomes two features.
    var allowsTwoDirections = false
  }

  private struct RawKeypoint {
    var x: Float = 0
    var y: Float = 0
    var level: Int32 = 0
    var offset: Float = 0
    var response: Float = 0
  }
  /// More than any keypoint is strong, sixteenths of a grey level.
  private static let strengths = 4096
  /// Parts of a picture across and down.
  private static let (columns, rows) = (8, 6)

  let space = ScaleSpace()
  var parameters: Parameters
  /// What stands out, in the order it was found; after the choice what was chosen.
  private var keypoints = Buffer<RawKeypoint>(count: 4096, filledWith: RawKeypoint())
  private var keypointCount = 0
  private var chosen: [RawKeypoint] = []
  private var others: [UInt32] = []
  private let extrema = RowExtrema()
  /// What is largest around an extremum in the level before its own, and in the one after.
  private var largest = Buffer<SIMD2<Int32>>(count: 1024, filledWith: .zero)
  private var marks = Buffer<UInt64>(count: 128, filledWith: 0)
  /// The places of keypoints in ``spots``, the strongest first, and where those of each score begin.
  private var order = Buffer<UInt32>(count: 4096, filledWith: 0)
  private let starts = Buffer<UInt32>(count: FeatureExtractor.strengths, filledWith: 0)
  private let directions = OrientationAssigner()
  private let sampler = DescriptorExtractor()

  init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The features of a picture; of each of its parts the strongest first.
  func extract(_ image: GrayView, into set: inout FeatureSet) {
    begin(image, &set)
    while !isDone { _ = goOn(image, into: &set) }
  }

  /// What comes next of a picture, and with which level or feature.
  private enum Step { case smoothing(Int), keypoints(Int), choice, descriptors(Int), done }
  private var part = Step.done
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
    keypointCount = 0
    space.fit(image.width, image.height)
    part = .smoothing(0)
  }

  /// Does a piece of the work on a picture; answers what that takes in about microseconds of native code.
  func goOn(_ image: GrayView, into set: inout FeatureSet) -> Int {
    switch part {
    case .smoothing(let level):
      guard level < space.levels.count else {
        part = .keypoints(0)
        return 0
      }
      space.fill(level, image)
      part = .smoothing(level + 1)
      return pixels(level) * (level == 0 ? Cost.first : level == 1 ? Cost.second : Cost.halved) / 1_000_000
    case .keypoints(let level):
      guard level < space.levels.count else {
        part = .choice
        return 0
      }
      let before = keypointCount
      findKeypoints(level)
      part = .keypoints(level + 1)
      let scan = level == 0 ? Cost.scan : Cost.scanHalved
      return (pixels(level) * scan / 1000 + (keypointCount - before) * Cost.keypoint) / 1000
    case .choice:
      let count = keypointCount
      choose(width: image.width, height: image.height)
      part = .descriptors(0)
      return count * Cost.choice / 1000
    case .descriptors(let first):
      let end = min(keypointCount, first + Self.batch)
      describe(first..<end, &set)
      part = end < keypointCount ? .descriptors(end) : .done
      return (end - first) * Cost.descriptor / 1000
    case .done: return 0
    }
  }

  /// What takes how long: nanoseconds of a thousand pixels filled or looked through, of a keypoint found, chosen from, or described.
  private enum Cost {
    static let first = 650
    static let second = 1900
    static let halved = 950
    static let scan = 750
    static let scanHalved = 1100
    static let keypoint = 50
    static let choice = 50
    static let descriptor = 2500
  }

  private func pixels(_ level: Int) -> Int { space.levels[level].width * space.levels[level].height }

  private func describe(_ places: Range<Int>, _ set: inout FeatureSet) {
    for place in places {
      let keypoint = keypoints.base[place]
      let level = space.levels[Int(keypoint.level)]
      let spacing = exp2Half(keypoint.offset)
      let angles = directions.directions(
        in: level,
        x: keypoint.x,
        y: keypoint.y,
        hasSecond: parameters.allowsTwoDirections
      )
      append(keypoint, level, spacing, angles.0, &set)
      if let second = angles.1 { append(keypoint, level, spacing, second, &set) }
    }
  }

  private func append(
    _ keypoint: RawKeypoint,
    _ level: ScaleSpace.Level,
    _ spacing: Float,
    _ angle: Float,
    _ set: inout FeatureSet
  ) {
    set.features.append(
      Feature(
        x: (keypoint.x + 0.5) * level.scale - 0.5,
        y: (keypoint.y + 0.5) * level.scale - 0.5,
        scale: level.scale * spacing,
        angle: angle,
        response: keypoint.response
      )
    )
    sampler.describe(level, x: keypoint.x, y: keypoint.y, angle: angle, spacing: spacing, into: &set.descriptors)
  }

  /// √2 to a power of −0.5 … 0.5.
  private func exp2Half(_ offset: Float) -> Float { 1 + offset * (0.346_57 + offset * 0.060_06) }

  /// A level next to another, as seen from that.
  private struct Beside {
    var pixels: UnsafePointer<Int16>
    var width: Int
    var height: Int
    /// The column of each of the other's.
    var columns: UnsafePointer<Int32>
    /// How much larger it is.
    var ratio: Float

    /// Its row at one of the other's.
    @inline(__always)
    func row(_ y: Int) -> UnsafePointer<Int16> {
      pixels + ScaleSpace.place(y, in: height, ratio) &* width
    }

    /// The largest of the four pixels around a column of the other's, with the sign turned.
    @inline(__always)
    func largest(_ row: UnsafePointer<Int16>, _ x: Int, _ sign: Int32) -> Int32 {
      let p = row + Int(columns[x])
      let (a, b) = (Int32(p[0]) &* sign, Int32(p[1]) &* sign)
      let (c, d) = (Int32(p[width]) &* sign, Int32(p[width &+ 1]) &* sign)
      return max(max(a, b), max(c, d))
    }
  }

  private func findKeypoints(_ index: Int) {
    let level = space.levels[index]
    let (width, height) = (level.width, level.height)
    guard width >= 8, height >= 8 else { return }
    let finer = index > 0 ? beside(space.levels[index - 1], level.finerColumns, ScaleSpace.step) : nil
    let coarser =
      index + 1 < space.levels.count
      ? beside(space.levels[index + 1], level.coarserColumns, 1 / ScaleSpace.step) : nil
    if largest.count < width { largest = Buffer(count: width, filledWith: .zero) }
    for y in 2..<(height - 2) {
      let row = level.difference + y &* width
      let count = extrema.find(row, width, threshold: parameters.threshold)
      if count == 0 { continue }
      makeRoom(keypointCount + count)
      let kept = keepExtrema(count, row, finer, coarser, y)
      for k in 0..<kept {
        let x = Int(extrema.columns[k])
        guard var keypoint = keypoint(row + x, width, x, y) else { continue }
        keypoint.level = Int32(truncatingIfNeeded: index)
        if finer != nil, coarser != nil {
          let (larger, smaller) = (largest.base[k].x, largest.base[k].y)
          let bend = Float(larger &+ smaller &- 2 &* abs(Int32(row[x])))
          if bend < 0 { keypoint.offset = max(-0.5, min(0.5, 0.5 * Float(larger &- smaller) / bend)) }
        }
        keypoints.base[keypointCount] = keypoint
        keypointCount &+= 1
      }
    }
  }

  /// Leaves those of a row's extrema that are some between the levels too, and sets ``largest``; answers how many.
  private func keepExtrema(
    _ count: Int,
    _ row: UnsafePointer<Int16>,
    _ finer: Beside?,
    _ coarser: Beside?,
    _ y: Int
  ) -> Int {
    let (extrema, largest) = (extrema.columns, largest.base)
    let rows = (finer?.row(y), coarser?.row(y))
    var kept = 0
    for k in 0..<count {
      let x = extrema[k]
      let v = Int32(row[Int(x)])
      let sign: Int32 = v < 0 ? -1 : 1
      // Less than any level has, where there is none.
      var (larger, smaller): (Int32, Int32) = (-65536, -65536)
      if let finer, let row = rows.0 { larger = finer.largest(row, Int(x), sign) }
      if let coarser, let row = rows.1 { smaller = coarser.largest(row, Int(x), sign) }
      // Which are kept is hard to foresee: all are written, and the others written over.
      extrema[kept] = x
      largest[kept] = SIMD2(larger, smaller)
      kept &+= Int(truncatingIfNeeded: 1 &+ (v &* sign &- max(larger, smaller &+ 1)) &>> 31)
    }
    return kept
  }

  private func beside(_ level: ScaleSpace.Level, _ columns: UnsafePointer<Int32>, _ ratio: Float) -> Beside? {
    Beside(pixels: level.difference, width: level.width, height: level.height, columns: columns, ratio: ratio)
  }

  private func makeRoom(_ count: Int) {
    guard keypoints.count < count else { return }
    let more = Buffer<RawKeypoint>(count: count + 4096, filledWith: RawKeypoint())
    copy(more.base, keypoints.base, keypointCount)
    keypoints = more
  }

  /// The keypoint at an extremum of its level, unless that is an edge.
  @inline(__always)
  private func keypoint(_ p: UnsafePointer<Int16>, _ stride: Int, _ x: Int, _ y: Int) -> RawKeypoint? {
    @inline(__always) func d(_ o: Int) -> Int32 { Int32(p[o]) }
    let middle = 2 &* d(0)
    let gx = Float(d(1) &- d(-1)) * 0.5
    let gy = Float(d(stride) &- d(-stride)) * 0.5
    let xx = Float(d(1) &+ d(-1) &- middle)
    let yy = Float(d(stride) &+ d(-stride) &- middle)
    let corners = d(stride &+ 1) &- d(stride &- 1) &- d(-stride &+ 1) &+ d(-stride &- 1)
    let xy = Float(corners) * 0.25
    let determinant = xx * yy - xy * xy
    let trace = xx + yy
    let r = parameters.edgeRatio
    guard determinant > 0, trace * trace * r < (r + 1) * (r + 1) * determinant else { return nil }
    let dx = max(-0.7, min(0.7, -(yy * gx - xy * gy) / determinant))
    let dy = max(-0.7, min(0.7, -(xx * gy - xy * gx) / determinant))
    return RawKeypoint(x: Float(x) + dx, y: Float(y) + dy, response: Float(d(0)))
  }

  /// Keeps the strongest of each part of the picture, then the strongest of all.
  private func choose(width: Int, height: Int) {
    sort()
    let limit = parameters.limit
    let fair = Float(limit) / Float(Self.columns * Self.rows)
    let share = keypointCount > limit ? max(1, Int(fair * parameters.partShare)) : Int.max
    var used = InlineArray<48, Int>(repeating: 0)
    var unfilled = Self.columns * Self.rows
    chosen.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    for k in 0..<keypointCount {
      guard chosen.count < limit else { break }
      // Nothing more is kept when all parts have what they may.
      if unfilled == 0, chosen.count + others.count >= limit { break }
      let place = order.base[k]
      let keypoint = keypoints.base[Int(place)]
      let scale = space.levels[Int(keypoint.level)].scale
      let column = min(Self.columns - 1, max(0, Int(keypoint.x * scale) * Self.columns / width))
      let row = min(Self.rows - 1, max(0, Int(keypoint.y * scale) * Self.rows / height))
      let part = row * Self.columns + column
      if used[part] < share {
        used[part] += 1
        if used[part] == share { unfilled -= 1 }
        chosen.append(keypoint)
      } else if others.count < limit {
        others.append(place)
      }
    }
    for place in others.prefix(max(0, limit - chosen.count)) { chosen.append(keypoints.base[Int(place)]) }
    keypointCount = chosen.count
    for (k, keypoint) in chosen.enumerated() { keypoints.base[k] = keypoint }
  }

  /// Sets ``order``: those that stand out most first, of equal ones those found first.
  private func sort() {
    if order.count < keypointCount { order = Buffer(count: keypoints.count, filledWith: 0) }
    let (starts, keypoints, order) = (starts.base, keypoints.base, order.base)
    @inline(__always) func bucket(_ keypoint: RawKeypoint) -> Int {
      Self.strengths &- 1 &- min(Self.strengths &- 1, Int(abs(keypoint.response)))
    }
    for i in 0..<Self.strengths { starts[i] = 0 }
    for k in 0..<keypointCount { starts[bucket(keypoints[k])] &+= 1 }
    var first: UInt32 = 0
    for i in 0..<Self.strengths {
      let count = starts[i]
      starts[i] = first
      first &+= count
    }
    for k in 0..<keypointCount {
      let i = bucket(keypoints[k])
      order[Int(starts[i])] = UInt32(truncatingIfNeeded: k)
      starts[i] &+= 1
    }
  }
}
