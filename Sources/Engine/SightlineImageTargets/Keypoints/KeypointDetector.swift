import SightlineImaging
import SightlineMath

/// Finds keypoints: extrema of the differences of smoothings in place and size.
///
/// The detector of SIFT (Lowe 2004) on a half-octave pyramid (``ScaleSpace``): a pixel that stands out from the eight
/// around it and from the four
/// that are nearest in the levels next to it, brought to a fraction of a pixel by a Taylor expansion, unless the ratio
/// of curvatures says that it
/// is an edge. Then the strongest of each part of the picture are kept, and of what is left the strongest of all.
final class KeypointDetector {
  /// What is kept.
  struct Parameters {
    /// Most keypoints.
    ///
    /// More find prints that are small, and take longer: 1,500 instead of 600 found nine more of 160 pictures that were
    /// not named, and made near-duplicates more believable (18 wrong names instead of 9).
    var limit = 900
    /// Least response, sixteenths of a grey level; less finds more in the dark, and more noise.
    ///
    /// From development sequences, not measured apart.
    var threshold: Int16 = 10
    /// Largest ratio of the two curvatures: beyond it is an edge, along which a keypoint slides.
    ///
    /// SIFT has 10.
    var edgeRatio: Float = 12
    /// How many keypoints each part of the picture may have before the strongest of all are taken, as a share of what
    /// each would have if all had as
    /// many; much below 1 each part keeps some, above 1 none takes too many.
    ///
    /// For searching 0.4, five of each part: with it 133 and 134 of 160 pictures were named among 1,040 targets, with
    /// three 130 and 135, with ten
    /// 129 and 132, with an upper limit alone 125 and 131.
    var partShare: Float = 2
    /// How far from the extremum's pixel the fitted one may be, pixels.
    var largestOffset: Float = 0.7
  }

  /// A keypoint in its level, not yet turned.
  struct Extremum {
    /// Place, pixels of the level.
    var x: Float = 0
    var y: Float = 0
    /// Which level.
    var level: Int32 = 0
    /// How far between the levels it is, −0.5 … 0.5 of a level.
    var offset: Float = 0
    /// How much it stands out, sixteenths of a grey level; negative in the middle of what is dark.
    var response: Float = 0
  }

  /// More than any response is, sixteenths of a grey level.
  private static let responses = 4096
  /// Parts of a picture across and down.
  private static let (columns, rows) = (8, 6)
  /// Smallest level that is searched, pixels along a side.
  private static let shortestSide = 8

  var parameters: Parameters
  /// What stands out, in the order it was found; after ``choose(width:height:in:)`` what was chosen.
  private var found = FixedBuffer<Extremum>(count: 4096, filledWith: Extremum())
  /// How many there are.
  private(set) var count = 0
  private var chosen: [Extremum] = []
  private var others: [UInt32] = []
  private let extrema = RowExtrema()
  /// What is largest around an extremum in the level before its own, and in the one after.
  private var largest = FixedBuffer<SIMD2<Int32>>(count: 1024, filledWith: .zero)
  /// The places of keypoints in ``found``, the strongest first, and where those of each response begin.
  private var order = FixedBuffer<UInt32>(count: 4096, filledWith: 0)
  private let starts = FixedBuffer<UInt32>(count: KeypointDetector.responses, filledWith: 0)

  init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// One of the keypoints.
  subscript(_ index: Int) -> Extremum { found.base[index] }

  /// Forgets all.
  func removeAll() { count = 0 }

  /// Adds the keypoints of a level; answers how many.
  @_optimize(speed)
  func detect(in space: ScaleSpace, level index: Int) -> Int {
    let level = space.levels[index]
    let (width, height) = (level.width, level.height)
    let before = count
    guard width >= Self.shortestSide, height >= Self.shortestSide else { return 0 }
    let finer = index > 0 ? Neighbour(space.levels[index - 1], level.finerColumns, ScaleSpace.step) : nil
    let coarser =
      index + 1 < space.levels.count
      ? Neighbour(space.levels[index + 1], level.coarserColumns, 1 / ScaleSpace.step) : nil
    if largest.count < width { largest = FixedBuffer(count: width, filledWith: .zero) }
    for y in 2..<(height - 2) {
      let row = level.difference + y &* width
      let inRow = extrema.find(row, width, threshold: parameters.threshold)
      if inRow == 0 { continue }
      makeRoom(count + inRow)
      let kept = keepExtrema(inRow, row, finer, coarser, y)
      for k in 0..<kept {
        let x = Int(extrema.columns[k])
        guard var keypoint = localised(row + x, width, x, y) else { continue }
        keypoint.level = Int32(truncatingIfNeeded: index)
        if finer != nil, coarser != nil {
          let (larger, smaller) = (largest.base[k].x, largest.base[k].y)
          let bend = Float(larger &+ smaller &- 2 &* abs(Int32(row[x])))
          if bend < 0 { keypoint.offset = max(-0.5, min(0.5, 0.5 * Float(larger &- smaller) / bend)) }
        }
        found.base[count] = keypoint
        count &+= 1
      }
    }
    return count - before
  }

  /// Keeps the strongest of each part of the picture, then the strongest of all.
  func choose(width: Int, height: Int, in space: ScaleSpace) {
    sort()
    let limit = parameters.limit
    let fair = Float(limit) / Float(Self.columns * Self.rows)
    let share = count > limit ? max(1, Int(fair * parameters.partShare)) : Int.max
    var used = InlineArray<48, Int>(repeating: 0)
    var unfilled = Self.columns * Self.rows
    chosen.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    for k in 0..<count {
      guard chosen.count < limit else { break }
      // Nothing more is kept when all parts have what they may.
      if unfilled == 0, chosen.count + others.count >= limit { break }
      let index = order.base[k]
      let keypoint = found.base[Int(index)]
      let scale = space.levels[Int(keypoint.level)].scale
      let column = min(Self.columns - 1, max(0, Int(keypoint.x * scale) * Self.columns / width))
      let row = min(Self.rows - 1, max(0, Int(keypoint.y * scale) * Self.rows / height))
      let part = row * Self.columns + column
      if used[part] < share {
        used[part] += 1
        if used[part] == share { unfilled -= 1 }
        chosen.append(keypoint)
      } else if others.count < limit {
        others.append(index)
      }
    }
    for index in others.prefix(max(0, limit - chosen.count)) { chosen.append(found.base[Int(index)]) }
    count = chosen.count
    for (k, keypoint) in chosen.enumerated() { found.base[k] = keypoint }
  }

  /// A level next to another, as seen from that.
  private struct Neighbour {
    var pixels: UnsafePointer<Int16>
    var width: Int
    var height: Int
    /// The column of each of the other's.
    var columns: UnsafePointer<Int32>
    /// How much larger it is.
    var ratio: Float

    init(_ level: ScaleSpace.Level, _ columns: UnsafePointer<Int32>, _ ratio: Float) {
      (pixels, width, height) = (UnsafePointer(level.difference), level.width, level.height)
      (self.columns, self.ratio) = (columns, ratio)
    }

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

  /// Leaves those of a row's extrema that are some between the levels too, and sets ``largest``; answers how many.
  @_optimize(speed)
  private func keepExtrema(
    _ count: Int,
    _ row: UnsafePointer<Int16>,
    _ finer: Neighbour?,
    _ coarser: Neighbour?,
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

  private func makeRoom(_ room: Int) {
    guard found.count < room else { return }
    let more = FixedBuffer<Extremum>(count: room + 4096, filledWith: Extremum())
    copy(more.base, found.base, count)
    found = more
  }

  /// The keypoint at an extremum of its level, unless that is an edge.
  @inline(__always)
  private func localised(_ p: UnsafePointer<Int16>, _ stride: Int, _ x: Int, _ y: Int) -> Extremum? {
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
    let most = parameters.largestOffset
    let dx = max(-most, min(most, -(yy * gx - xy * gy) / determinant))
    let dy = max(-most, min(most, -(xx * gy - xy * gx) / determinant))
    return Extremum(x: Float(x) + dx, y: Float(y) + dy, response: Float(d(0)))
  }

  /// Sets ``order`` by counting: those that stand out most first, of equal ones those found first.
  private func sort() {
    if order.count < count { order = FixedBuffer(count: found.count, filledWith: 0) }
    let (starts, found, order) = (starts.base, found.base, order.base)
    @inline(__always) func bucket(_ keypoint: Extremum) -> Int {
      Self.responses &- 1 &- min(Self.responses &- 1, Int(abs(keypoint.response)))
    }
    for i in 0..<Self.responses { starts[i] = 0 }
    for k in 0..<count { starts[bucket(found[k])] &+= 1 }
    var first: UInt32 = 0
    for i in 0..<Self.responses {
      let inBucket = starts[i]
      starts[i] = first
      first &+= inBucket
    }
    for k in 0..<count {
      let i = bucket(found[k])
      order[Int(starts[i])] = UInt32(truncatingIfNeeded: k)
      starts[i] &+= 1
    }
  }
}
