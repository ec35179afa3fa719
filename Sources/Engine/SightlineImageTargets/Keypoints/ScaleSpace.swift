import SightlineImaging

/// A picture at sizes that fall by √2, each smoothed, and the difference of two smoothings: where blobs stand out.
///
/// Half-octave pyramid with binomial kernels (Crowley, Riff and Piater 2002): the ratio of the two smoothings is the
/// same at
/// every size, so their differences compare between sizes, and a blob's size is where its difference is largest. All in
/// 16-bit integers, sixteen parts of a grey level, so that one instruction works on eight pixels.
final class ScaleSpace {
  /// One size.
  final class Level {
    let width: Int
    let height: Int
    /// Pixels of the picture in one of this level.
    let scale: Float
    /// Smoothed once: standard deviation of about 1.15 of this level's pixels.
    let smooth: UnsafeMutablePointer<UInt16>
    /// Smoothed once less smoothed twice: positive in the middle of what is light.
    let difference: UnsafeMutablePointer<Int16>
    /// The column of the next larger level, and of the next smaller one, that is at each of this one's.
    let finerColumns: UnsafePointer<Int32>
    let coarserColumns: UnsafePointer<Int32>
    private let memory: (FixedBuffer<UInt16>, FixedBuffer<Int16>)
    private let columns: FixedBuffer<Int32>
    /// The picture at this size, until ``difference`` is told: it lies where that will.
    fileprivate var raw: UnsafeMutablePointer<UInt16> {
      UnsafeMutableRawPointer(difference).assumingMemoryBound(to: UInt16.self)
    }

    /// A level that lies in some memory.
    init(width: Int, height: Int, scale: Float, in memory: (FixedBuffer<UInt16>, FixedBuffer<Int16>), at first: Int) {
      self.width = width
      self.height = height
      self.scale = scale
      self.memory = memory
      smooth = memory.0.base + first
      difference = memory.1.base + first
      columns = FixedBuffer(count: 2 * width, filledWith: 0)
      (finerColumns, coarserColumns) = (UnsafePointer(columns.base), UnsafePointer(columns.base + width))
    }

    /// Finds which columns of the levels next to it, which are so wide, are at this one's.
    fileprivate func fillColumns(finer: Int, coarser: Int) {
      for x in 0..<width {
        columns.base[x] = Int32(truncatingIfNeeded: place(x, in: finer, step))
        columns.base[width &+ x] = Int32(truncatingIfNeeded: place(x, in: coarser, 1 / step))
      }
    }
  }

  /// √2 as the step from one level to the next.
  static let step: Float = 1.414_213_56
  /// Fewest pixels along a level's shorter side.
  static let shortestSide = 22

  /// The sizes, largest first; none before the first picture or when that was under four pixels a side.
  private(set) var levels: [Level] = []
  /// Where the levels' differences lie, which are needed until keypoints are found and no longer: others may use it
  /// until the next picture.
  private(set) var differences = FixedBuffer<Int16>(count: 1, filledWith: 0)
  private var smooths = FixedBuffer<UInt16>(count: 1, filledWith: 0)
  private var width = 0
  private var height = 0
  private var line = FixedBuffer<UInt16>(count: 1, filledWith: 0)
  /// For each column of the second level the column of the picture before it, and how many of 64 parts the next one
  /// has.
  private var places = FixedBuffer<UInt16>(count: 1, filledWith: 0)
  private var shares = FixedBuffer<UInt8>(count: 1, filledWith: 0)

  init() {}

  /// Takes a picture; allocates only when it is larger than those before.
  func set(_ image: GrayView) {
    fit(image.width, image.height)
    for index in levels.indices { fill(index, image) }
  }

  /// Has ``levels`` for pictures of a size.
  func fit(_ width: Int, _ height: Int) {
    if self.width != width || self.height != height { prepare(width, height) }
  }

  /// Fills one size from a picture that ``fit(_:_:)`` knows the size of; those before it have to be filled.
  @_optimize(speed)
  func fill(_ index: Int, _ image: GrayView) {
    let level = levels[index]
    switch index {
    case 0: smooth(image, level)
    case 1: resample(image, level)
    default: halve(levels[index - 2], level)
    }
    if index > 0 { smooth(level) }
    subtract(level)
  }

  private func prepare(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
    levels = []
    guard width >= 4, height >= 4 else { return }
    var sizes: [(width: Int, height: Int, scale: Float)] = []
    var (w, h, scale, total) = (width, height, Float(1), 0)
    while (min(w, h) >= Self.shortestSide || sizes.isEmpty) && sizes.count < 16 {
      sizes.append((w, h, scale))
      total += w * h
      // Every second level is an exact half of the last but one, whatever rounding says.
      scale *= Self.step
      if sizes.count >= 2 {
        let half = sizes[sizes.count - 2]
        (w, h) = (half.width / 2, half.height / 2)
      } else {
        w = Int(Float(width) / scale)
        h = Int(Float(height) / scale)
      }
    }
    // Those who read eight pixels at a time may read some behind the last one.
    total += 16
    if differences.count < total {
      // A little more: frames and views of them that are squeezed aslant, slightly larger, come one after another.
      total += total / 15
      differences = FixedBuffer(count: total, filledWith: 0)
      smooths = FixedBuffer(count: total, filledWith: 0)
    }
    var first = 0
    for (width, height, scale) in sizes {
      levels.append(Level(width: width, height: height, scale: scale, in: (smooths, differences), at: first))
      first += width * height
    }
    for (index, level) in levels.enumerated() {
      level.fillColumns(
        finer: index > 0 ? levels[index - 1].width : 2,
        coarser: index + 1 < levels.count ? levels[index + 1].width : 2
      )
    }
    if line.count < width + 4 {
      line = FixedBuffer(count: width + 4, filledWith: 0)
      places = FixedBuffer(count: width, filledWith: 0)
      shares = FixedBuffer(count: width, filledWith: 0)
    }
  }

  /// Where a pixel of a level is in the next one, which is `ratio` times as long along one side: the first of the two
  /// around it.
  @inline(__always)
  static func place(_ at: Int, in length: Int, _ ratio: Float) -> Int {
    max(0, min(length - 2, Int((Float(at) + 0.5) * ratio - 0.5)))
  }

  /// The picture 1/√2 as large, linear between pixels: at this step hardly anything is skipped.
  @_optimize(speed)
  private func resample(_ image: GrayView, _ level: Level) {
    let (width, height) = (level.width, level.height)
    let (places, shares) = (places.base, shares.base)
    // Steps of 1/65536 pixel; the longest side times that fits 32 bits.
    var sx = UInt32((0.5 * Self.step - 0.5) * 65536)
    let last = UInt32(image.width - 2) << 16 | 0xFFFF
    for x in 0..<width {
      let s = min(sx, last)
      places[x] = UInt16(truncatingIfNeeded: s &>> 16)
      shares[x] = UInt8(truncatingIfNeeded: (s &>> 10) & 63)
      sx &+= 92682
    }
    let raw = level.raw
    let between = line.base
    for y in 0..<height {
      let sy = min(max(0, (Float(y) + 0.5) * Self.step - 0.5), Float(image.height - 1) - 0.001)
      let y0 = Int(sy)
      let fy = UInt16((sy - Float(y0)) * 64)
      let (a, b) = (image.row(y0), image.row(y0 + 1))
      // First between two rows, then between their pixels: 64 and 64 parts, of which sixteen of a level are left.
      for x in 0..<image.width { between[x] = UInt16(a[x]) &* (64 &- fy) &+ UInt16(b[x]) &* fy }
      let to = raw + y &* width
      for x in 0..<width {
        // Two neighbours in one piece.
        let pair = UnsafeRawPointer(between + Int(places[x])).loadUnaligned(as: UInt32.self)
        let left = pair & 0xFFFF
        let rise = (pair &>> 16) &- left
        to[x] = UInt16(truncatingIfNeeded: (left &* 64 &+ rise &* UInt32(shares[x])) &>> 8)
      }
    }
  }

  /// The smoothed picture of a level, halved by means of four.
  private func halve(_ larger: Level, _ level: Level) {
    let (width, height) = (level.width, level.height)
    let raw = level.raw
    for y in 0..<height {
      let a = larger.smooth + 2 &* y &* larger.width
      let b = a + larger.width
      let to = raw + y &* width
      var x = 0
      while x &+ 8 <= width {
        let first = Self.means(a + 2 &* x, b + 2 &* x)
        let second = Self.means(a + (2 &* x &+ 8), b + (2 &* x &+ 8))
        let both = SIMD8<UInt16>(truncatingIfNeeded: SIMD8<UInt32>(lowHalf: first, highHalf: second))
        UnsafeMutableRawPointer(to + x).storeBytes(of: both, as: SIMD8<UInt16>.self)
        x &+= 8
      }
      while x < width {
        to[x] = (a[2 &* x] &+ a[2 &* x &+ 1] &+ b[2 &* x] &+ b[2 &* x &+ 1] &+ 2) &>> 2
        x &+= 1
      }
    }
  }

  /// The means of four pixels each, of eight columns.
  @inline(__always)
  private static func means(_ a: UnsafePointer<UInt16>, _ b: UnsafePointer<UInt16>) -> SIMD4<UInt32> {
    let above = UnsafeRawPointer(a).loadUnaligned(as: SIMD8<UInt16>.self)
    let below = UnsafeRawPointer(b).loadUnaligned(as: SIMD8<UInt16>.self)
    let pairs = unsafeBitCast(above &+ below, to: SIMD4<UInt32>.self)
    return ((pairs & SIMD4(repeating: 0xFFFF)) &+ (pairs &>> SIMD4(repeating: 16)) &+ SIMD4(repeating: 2))
      &>> SIMD4(repeating: 2)
  }

  // Weights 1 4 6 4 1 along both axes; pixels outside are those at the edge. Levels stay under 4096 so that sixteen
  // fit.

  /// The picture, smoothed.
  @_optimize(speed)
  private func smooth(_ image: GrayView, _ level: Level) {
    let width = level.width
    let inner = line.base + 2
    for y in 0..<level.height {
      let (a, b) = (image.row(max(0, y &- 2)), image.row(max(0, y &- 1)))
      let c = image.row(y)
      let (d, e) = (image.row(min(level.height &- 1, y &+ 1)), image.row(min(level.height &- 1, y &+ 2)))
      for x in 0..<width {
        // Sixteen parts of a level, so that nothing is lost when the sixteenth is taken.
        inner[x] = UInt16(a[x]) &+ UInt16(e[x]) &+ (UInt16(b[x]) &+ UInt16(d[x])) &* 4 &+ UInt16(c[x]) &* 6
      }
      finishLine(width)
      let (line, row) = (line.base, level.smooth + y &* width)
      for x in 0..<width { row[x] = Self.across(line + x) }
    }
  }

  /// What ``Level/raw`` holds, smoothed.
  @_optimize(speed)
  private func smooth(_ level: Level) {
    for y in 0..<level.height {
      down(level.raw, level, y)
      let (line, row) = (line.base, level.smooth + y &* level.width)
      for x in 0..<level.width { row[x] = Self.across(line + x) }
    }
  }

  /// What is smoothed once less what is smoothed twice.
  @_optimize(speed)
  private func subtract(_ level: Level) {
    for y in 0..<level.height {
      down(level.smooth, level, y)
      let (line, once) = (line.base, level.smooth + y &* level.width)
      let row = level.difference + y &* level.width
      for x in 0..<level.width { row[x] = Int16(truncatingIfNeeded: once[x] &- Self.across(line + x)) }
    }
  }

  /// A row of what is smoothed down, in ``line``.
  @_optimize(speed)
  private func down(_ from: UnsafePointer<UInt16>, _ level: Level, _ y: Int) {
    let (width, last) = (level.width, level.height &- 1)
    let (a, b) = (from + max(0, y &- 2) &* width, from + max(0, y &- 1) &* width)
    let c = from + y &* width
    let (d, e) = (from + min(last, y &+ 1) &* width, from + min(last, y &+ 2) &* width)
    let inner = line.base + 2
    for x in 0..<width { inner[x] = (a[x] &+ e[x] &+ (b[x] &+ d[x]) &* 4 &+ c[x] &* 6 &+ 8) &>> 4 }
    finishLine(width)
  }

  private func finishLine(_ width: Int) {
    let (line, inner) = (line.base, line.base + 2)
    line[0] = inner[0]
    line[1] = inner[0]
    inner[width] = inner[width &- 1]
    inner[width &+ 1] = inner[width &- 1]
  }

  @inline(__always)
  private static func across(_ p: UnsafePointer<UInt16>) -> UInt16 {
    (p[0] &+ p[4] &+ (p[1] &+ p[3]) &* 4 &+ p[2] &* 6 &+ 8) &>> 4
  }
}
