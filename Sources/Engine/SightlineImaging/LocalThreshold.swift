/// Finds what is darker than the middle between the darkest and the lightest pixel around it, where both differ enough.
///
/// Unlike a comparison with the mean, the middle of both extremes lies halfway up an edge whatever is on its two sides, and
/// places without contrast are nothing: neither noise nor a slow change of light is taken for a border.
///
/// The surroundings of a pixel are 13 columns, and the band of four rows that it lies in with the one above and the one
/// below. Source of the idea: Wang and Olson 2016, doi:10.1109/IROS.2016.7759617, section III.A; here the columns slide.
public struct LocalThreshold: Sendable {
  private static let rowsInBand = 4
  private static let reach = 6
  /// Columns beside the picture on either side of a band, so that windows need no test.
  private static let margin = 16

  private var width = 0
  private var height = 0
  private var lows: [UInt8] = []
  private var highs: [UInt8] = []
  private var work: [UInt8] = []

  /// A threshold with room for no picture yet.
  public init() {}

  /// Marks the dark pixels of a picture; allocates only when it needs more room than any before.
  ///
  /// - Parameters:
  ///   - image: grey levels.
  ///   - contrast: least difference of the lightest and the darkest pixel around, grey levels, 2 or more.
  ///   - share: where between the two a dark pixel ends, in sixteenths; 8 is the middle.
  ///   - ink: becomes the map of dark pixels.
  public mutating func mark(_ image: GrayView, contrast: Int, share: Int = 8, in ink: inout InkMap) {
    precondition(share > 0 && share < 16)
    let bands = (image.height + Self.rowsInBand - 1) / Self.rowsInBand
    let line = image.width + 2 * Self.margin
    if width != image.width || height != image.height { resize(image, bands, line) }
    ink.resize(width: width, height: height)
    let least = UInt8(max(2, min(255, contrast)))
    let part = UInt16(share)
    lows.withUnsafeMutableBufferPointer { lows in
      highs.withUnsafeMutableBufferPointer { highs in
        work.withUnsafeMutableBufferPointer { work in
          guard let low = lows.baseAddress, let high = highs.baseAddress, let work = work.baseAddress else { return }
          for band in 0..<bands {
            let at = (band + 1) * line + Self.margin
            Self.extremes(of: image, band: band, low: low + at, high: high + at)
          }
          ink.withPixels { target in
            let stride = image.width + 10
            for band in 0..<bands {
              let at = band * line
              let levels = work + 4 * line
              Self.levels(low + at, high + at, line, least, part, work, levels)
              let from = levels + Self.margin
              for y in (band * Self.rowsInBand)..<min(image.height, (band + 1) * Self.rowsInBand) {
                let row = image.row(y)
                let to = target + y * stride
                for x in 0..<image.width { to[x] = row[x] < from[x] ? inkLevel : 0 }
              }
            }
          }
        }
      }
    }
  }

  /// Makes room for a picture, with a band more above and below it whose extremes never win.
  private mutating func resize(_ image: GrayView, _ bands: Int, _ line: Int) {
    (width, height) = (image.width, image.height)
    let count = line * (bands + 2)
    guard lows.count >= count, work.count >= line * 5 else {
      lows = [UInt8](repeating: 255, count: count)
      highs = [UInt8](repeating: 0, count: count)
      work = [UInt8](repeating: 0, count: line * 5)
      return
    }
    lows.withUnsafeMutableBufferPointer { lows in for index in 0..<count { lows[index] = 255 } }
    highs.withUnsafeMutableBufferPointer { highs in for index in 0..<count { highs[index] = 0 } }
  }

  /// The darkest and lightest pixel of each column of a band.
  private static func extremes(
    of image: GrayView,
    band: Int,
    low: UnsafeMutablePointer<UInt8>,
    high: UnsafeMutablePointer<UInt8>
  ) {
    let first = band * rowsInBand
    // The last band may have less than four rows: it looks at its last row again.
    let a = image.row(first)
    let b = image.row(min(first + 1, image.height - 1))
    let c = image.row(min(first + 2, image.height - 1))
    let d = image.row(min(first + 3, image.height - 1))
    for x in 0..<image.width {
      low[x] = min(min(a[x], b[x]), min(c[x], d[x]))
      high[x] = max(max(a[x], b[x]), max(c[x], d[x]))
    }
  }

  /// For each column of a band the level that dark pixels are below; 0 where there is too little contrast.
  private static func levels(
    _ low: UnsafeMutablePointer<UInt8>,
    _ high: UnsafeMutablePointer<UInt8>,
    _ line: Int,
    _ least: UInt8,
    _ part: UInt16,
    _ work: UnsafeMutablePointer<UInt8>,
    _ levels: UnsafeMutablePointer<UInt8>
  ) {
    let (la, lb, ha, hb) = (work, work + line, work + 2 * line, work + 3 * line)
    for x in 0..<line {
      la[x] = min(min(low[x], low[x &+ line]), low[x &+ 2 &* line])
      ha[x] = max(max(high[x], high[x &+ line]), high[x &+ 2 &* line])
    }
    // Windows of 2, 4 and 8 columns that begin at x; the margin takes what reads past the last column.
    let end = line &- 8
    for x in 0..<end {
      lb[x] = min(la[x], la[x &+ 1])
      hb[x] = max(ha[x], ha[x &+ 1])
    }
    for x in 0..<end {
      la[x] = min(lb[x], lb[x &+ 2])
      ha[x] = max(hb[x], hb[x &+ 2])
    }
    for x in 0..<end {
      lb[x] = min(la[x], la[x &+ 4])
      hb[x] = max(ha[x], ha[x &+ 4])
    }
    for x in reach..<(line &- margin) {
      let darkest = min(lb[x &- 6], lb[x &- 1])
      let lightest = max(hb[x &- 6], hb[x &- 1])
      let middle = UInt8(truncatingIfNeeded: (UInt16(darkest) &* (16 &- part) &+ UInt16(lightest) &* part &+ 8) &>> 4)
      levels[x] = lightest >= darkest && lightest &- darkest >= least ? middle : 0
    }
  }
}
