/// Finds what is darker than the middle between the darkest and the lightest pixel around it, where both differ enough.
///
/// Unlike a comparison with the mean, the middle of both extremes lies halfway up an edge whatever is on its two sides, and
/// places without contrast are nothing: neither noise nor a slow change of light is taken for a border.
///
/// The surroundings of a pixel are 13 columns, and the band of four rows that it lies in with the one above and the one
/// below. Source of the idea: Wang and Olson 2016, doi:10.1109/IROS.2016.7759617, section III.A; here the columns slide.
public struct LocalThreshold: Sendable {
  private static let rowsInBand = 4
  /// Columns beside the picture on either side of a band, so that windows need no test.
  private static let margin = 16
  /// Columns that are looked at together.
  private static let lanes = 16

  private var width = 0
  /// The darkest and the lightest pixel of each column of three bands, and of none, which never win; those of three bands
  /// together; and those of four columns of these.
  private var lows: [UInt8] = []
  private var highs: [UInt8] = []

  /// A threshold with room for no picture yet.
  public init() {}

  /// Marks the dark pixels of a picture; allocates only when it needs more room than any before.
  ///
  /// - Parameters:
  ///   - image: grey levels.
  ///   - contrast: least difference of the lightest and the darkest pixel around, grey levels, 2 or more.
  ///   - share: where between the two a dark pixel ends, in sixteenths; 8 is the middle.
  ///   - mask: becomes the map of dark pixels.
  public mutating func mark(_ image: GrayView, contrast: Int, share: Int = 8, in mask: inout BinaryMask) {
    precondition(share > 0 && share < 16)
    let line = (image.width + Self.lanes - 1) / Self.lanes * Self.lanes + 2 * Self.margin
    if width != image.width { resize(image.width, line) }
    mask.resize(width: image.width, height: image.height)
    let limit = Limit(contrast: UInt8(max(2, min(255, contrast))), share: UInt16(share))
    let bands = (image.height + Self.rowsInBand - 1) / Self.rowsInBand
    let stride = mask.stride
    lows.withUnsafeMutableBufferPointer { lows in
      highs.withUnsafeMutableBufferPointer { highs in
        mask.withPixels { target in
          guard let firstLow = lows.baseAddress, let firstHigh = highs.baseAddress else { return }
          let (low, high) = (firstLow + Self.margin, firstHigh + Self.margin)
          // Each row is read twice within some bands, while it is at hand.
          Self.extremes(of: image, band: 0, low, high)
          for band in 0..<bands {
            let none = 3 * line
            let (above, here) = (band == 0 ? none : (band &- 1) % 3 &* line, band % 3 &* line)
            let below = band &+ 1 == bands ? none : (band &+ 1) % 3 &* line
            if below != none { Self.extremes(of: image, band: band &+ 1, low + below, high + below) }
            let (together, wide) = (4 &* line, 5 &* line)
            Self.combine(low, high, (above, here, below), line, to: together)
            Self.widen(low, high, from: together, to: wide, line)
            Self.mark(image, band: band, low + wide, high + wide, limit, target, stride)
          }
        }
      }
    }
  }

  /// Makes room for pictures of a width.
  private mutating func resize(_ width: Int, _ line: Int) {
    self.width = width
    let count = 6 * line
    guard lows.count >= count else {
      lows = [UInt8](repeating: 255, count: count)
      highs = [UInt8](repeating: 0, count: count)
      return
    }
    lows.withUnsafeMutableBufferPointer { lows in for index in 0..<count { lows[index] = 255 } }
    highs.withUnsafeMutableBufferPointer { highs in for index in 0..<count { highs[index] = 0 } }
  }

  /// The darkest and lightest pixel of each column of a band.
  private static func extremes(
    of image: GrayView,
    band: Int,
    _ low: UnsafeMutablePointer<UInt8>,
    _ high: UnsafeMutablePointer<UInt8>
  ) {
    let first = band * rowsInBand
    // The last band may have less than four rows: it looks at its last row again.
    let a = image.row(first)
    let b = image.row(min(first + 1, image.height - 1))
    let c = image.row(min(first + 2, image.height - 1))
    let d = image.row(min(first + 3, image.height - 1))
    visitSixteen(image.width) { x in
      let (a, b, c, d) = (Lanes(a + x), Lanes(b + x), Lanes(c + x), Lanes(d + x))
      a.darker(b).darker(c.darker(d)).store(low + x)
      a.lighter(b).lighter(c.lighter(d)).store(high + x)
    } one: { x in
      low[x] = min(min(a[x], b[x]), min(c[x], d[x]))
      high[x] = max(max(a[x], b[x]), max(c[x], d[x]))
    }
  }

  /// The extremes of three bands together.
  private static func combine(
    _ low: UnsafeMutablePointer<UInt8>,
    _ high: UnsafeMutablePointer<UInt8>,
    _ bands: (Int, Int, Int),
    _ line: Int,
    to together: Int
  ) {
    var x = -margin
    while x < line &- margin {
      let (a, b, c) = (Lanes(low + bands.0 + x), Lanes(low + bands.1 + x), Lanes(low + bands.2 + x))
      a.darker(b).darker(c).store(low + together + x)
      let (d, e, f) = (Lanes(high + bands.0 + x), Lanes(high + bands.1 + x), Lanes(high + bands.2 + x))
      d.lighter(e).lighter(f).store(high + together + x)
      x &+= lanes
    }
  }

  /// The extremes of four columns, from each on.
  private static func widen(
    _ low: UnsafeMutablePointer<UInt8>,
    _ high: UnsafeMutablePointer<UInt8>,
    from: Int,
    to: Int,
    _ line: Int
  ) {
    var x = -margin
    // What reads past the last column is in the margin, whose last columns are not needed.
    while x < line &- margin &- lanes {
      let (a, b) = (low + from + x, high + from + x)
      Lanes(a).darker(Lanes(a + 1)).darker(Lanes(a + 2).darker(Lanes(a + 3))).store(low + to + x)
      Lanes(b).lighter(Lanes(b + 1)).lighter(Lanes(b + 2).lighter(Lanes(b + 3))).store(high + to + x)
      x &+= lanes
    }
  }

  /// Marks the dark pixels of a band, from the extremes of four columns each.
  private static func mark(
    _ image: GrayView,
    band: Int,
    _ low: UnsafePointer<UInt8>,
    _ high: UnsafePointer<UInt8>,
    _ limit: Limit,
    _ target: UnsafeMutablePointer<UInt8>,
    _ stride: Int
  ) {
    let first = band &* rowsInBand
    let count = min(image.height, first &+ rowsInBand) &- first
    let (row, to) = (image.row(first), target + first &* stride)
    visitSixteen(image.width) { x in
      // Thirteen columns: x - 6 to x - 3, x - 2 to x + 1, x + 2 to x + 5, x + 3 to x + 6.
      let (a, b) = (low + x, high + x)
      let darkest = Lanes(a - 6).darker(Lanes(a - 2)).darker(Lanes(a + 2).darker(Lanes(a + 3)))
      let lightest = Lanes(b - 6).lighter(Lanes(b - 2)).lighter(Lanes(b + 2).lighter(Lanes(b + 3)))
      let level = limit.level(darkest, lightest)
      var offset = x
      var place = x
      for _ in 0..<count {
        limit.mask(Lanes(row + offset), below: level).store(to + place)
        offset &+= image.stride
        place &+= stride
      }
    } one: { x in
      var (darkest, lightest): (UInt8, UInt8) = (255, 0)
      for begin in [-6, -2, 2, 3] {
        darkest = min(darkest, low[x &+ begin])
        lightest = max(lightest, high[x &+ begin])
      }
      let level = limit.level(darkest, lightest)
      for y in 0..<count { to[y &* stride &+ x] = row[y &* image.stride &+ x] < level ? maskLevel : 0 }
    }
  }
}

/// Where dark pixels end.
private struct Limit {
  private let contrast: UInt8
  /// Of the way from the darkest to the lightest, in sixteenths.
  let share: UInt16
  // The same for many, made once: to fill a vector takes longer than all that is done with it.
  private let contrasts: Lanes
  private let (shares, others, half): (SIMD8<UInt16>, SIMD8<UInt16>, SIMD8<UInt16>)
  private let none = Lanes(SIMD16(repeating: 0))
  private let all = Lanes(SIMD16(repeating: maskLevel))

  init(contrast: UInt8, share: UInt16) {
    self.contrast = contrast
    self.share = share
    contrasts = Lanes(SIMD16(repeating: contrast))
    shares = SIMD8(repeating: share)
    others = SIMD8(repeating: 16 - share)
    half = SIMD8(repeating: 8)
  }

  /// The level that dark pixels are below; 0 where there is too little contrast.
  func level(_ darkest: UInt8, _ lightest: UInt8) -> UInt8 {
    guard lightest >= darkest, lightest &- darkest >= contrast else { return 0 }
    let sum = UInt16(darkest) &* (16 &- share) &+ UInt16(lightest) &* share &+ 8
    return UInt8(truncatingIfNeeded: sum &>> 4)
  }

  /// The same for many.
  @inline(__always)
  func level(_ darkest: Lanes, _ lightest: Lanes) -> Lanes {
    let level: Lanes
    if share == 8 {
      level = darkest.middle(lightest)
    } else {
      let (dark, light) = (PixelPairs(darkest.levels), PixelPairs(lightest.levels))
      let even = (dark.even &* others &+ light.even &* shares &+ half) &>> SIMD8(repeating: 4)
      let odd = (dark.odd &* others &+ light.odd &* shares &+ half) &>> SIMD8(repeating: 4)
      level = Lanes(PixelPairs(even: even, odd: odd).levels)
    }
    // Both may be the other way around where there is nothing.
    let range = lightest.levels &- darkest.levels
    let isEnough = (lightest.levels .>= darkest.levels) .& (range .>= contrasts.levels)
    return Lanes(none.levels.replacing(with: level.levels, where: isEnough))
  }

  /// ``maskLevel`` where pixels are below a level, 0 elsewhere.
  @inline(__always)
  func mask(_ pixels: Lanes, below level: Lanes) -> Lanes {
    Lanes(none.levels.replacing(with: all.levels, where: pixels.levels .< level.levels))
  }
}

/// Grey levels of sixteen pixels beside each other.
private struct Lanes {
  let levels: SIMD16<UInt8>

  @inline(__always)
  init(_ levels: SIMD16<UInt8>) { self.levels = levels }

  @inline(__always)
  init(_ pixels: UnsafePointer<UInt8>) {
    levels = UnsafeRawPointer(pixels).loadUnaligned(as: SIMD16<UInt8>.self)
  }

  @inline(__always)
  func store(_ pixels: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(pixels).storeBytes(of: levels, as: SIMD16<UInt8>.self)
  }

  @inline(__always)
  func darker(_ other: Lanes) -> Lanes {
    Lanes(levels.replacing(with: other.levels, where: other.levels .< levels))
  }

  @inline(__always)
  func lighter(_ other: Lanes) -> Lanes {
    Lanes(levels.replacing(with: other.levels, where: other.levels .> levels))
  }

  /// The middle of both, rounded up.
  @inline(__always)
  func middle(_ other: Lanes) -> Lanes {
    // Half of what differs less than both: fits eight bits.
    Lanes((levels | other.levels) &- ((levels ^ other.levels) &>> 1))
  }
}
