import SightlineImaging
import SightlineMath

/// A corner with a descriptor of 256 bits.
public struct BinaryFeature: Equatable, Sendable {
  /// Place, pixels of the picture.
  public var x: Double
  /// Place, pixels of the picture.
  public var y: Double
  /// Pixels of the picture in one of the level it was found in.
  public var scale: Double
  /// Direction from the corner to the middle of light around it, radians.
  public var angle: Double
  /// How much the ring differs from the middle: the least difference at which it still is a corner.
  public var response: Int
  /// The comparisons of pairs of places around it.
  public var bits: SIMD4<UInt64>
}

/// FAST corners with turned binary descriptors.
///
/// Sources: Rosten and Drummond 2006 (FAST), Calonder and others 2010 (BRIEF), Rublee and others 2011 (ORB). What the
/// poster apps of 2014 chose, for comparison with `TargetTracker`; nothing of the product uses it.
public final class BinaryFeatureExtractor {
  /// What is kept.
  public struct Parameters: Sendable {
    /// Most features; default 500.
    public var limit = 500
    /// Levels of the pyramid; default 8.
    public var levels = 8
    /// Step from level to level; default 1.2.
    public var step = 1.2
    /// Least difference of grey levels between ring and middle; default 20.
    public var threshold = 20

    /// The defaults.
    public init() {}
  }

  private static let radius = 15
  private let parameters: Parameters
  /// Pairs of places to be compared, drawn once: normal around the middle.
  private let pairs: [(Double, Double, Double, Double)]
  private let ring: [(x: Int, y: Int)] = [
    (0, -3), (1, -3), (2, -2), (3, -1), (3, 0), (3, 1), (2, 2), (1, 3), (0, 3), (-1, 3), (-2, 2), (-3, 1), (-3, 0),
    (-3, -1), (-2, -2), (-1, -3),
  ]
  private var levels: [(image: GrayImage, smooth: GrayImage, scale: Double)] = []

  /// An extractor.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func uniform() -> Double {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Double(state >> 11) / Double(1 << 53)
    }
    // The sum of four uniform numbers is nearly normal, and never far out.
    func place() -> Double { (uniform() + uniform() + uniform() + uniform() - 2) * 10.5 }
    pairs = (0..<256).map { _ in (place(), place(), place(), place()) }
  }

  /// The corners of a picture at all sizes, strongest first, without descriptors.
  public func detect(_ picture: GrayView) -> [BinaryFeature] {
    prepare(picture)
    var found: [BinaryFeature] = []
    for level in levels.indices { corners(level, &found) }
    found.sort { ($0.response, $1.y, $1.x) > ($1.response, $0.y, $0.x) }
    return Array(found.prefix(parameters.limit))
  }

  /// Fills the descriptors of features of the picture that was last looked at.
  public func describe(_ features: inout [BinaryFeature]) {
    for i in features.indices {
      guard let level = levels.firstIndex(where: { abs($0.scale - features[i].scale) < 1e-9 }) else { continue }
      let image = levels[level].smooth
      let (x, y) = (features[i].x / features[i].scale, features[i].y / features[i].scale)
      let (c, s) = (cos(features[i].angle), sin(features[i].angle))
      var bits = SIMD4<UInt64>(repeating: 0)
      image.withView { view in
        func at(_ u: Double, _ v: Double) -> UInt8 {
          let (px, py) = (Int((x + c * u - s * v).rounded()), Int((y + s * u + c * v).rounded()))
          return view.row(max(0, min(view.height - 1, py)))[max(0, min(view.width - 1, px))]
        }
        for (k, pair) in pairs.enumerated() where at(pair.0, pair.1) < at(pair.2, pair.3) {
          bits[k >> 6] |= 1 << UInt64(k & 63)
        }
      }
      features[i].bits = bits
    }
  }

  private func prepare(_ picture: GrayView) {
    levels = []
    let whole = FloatImage(picture)
    var scale = 1.0
    for k in 0..<parameters.levels {
      let (w, h) = (Int(Double(picture.width) / scale), Int(Double(picture.height) / scale))
      guard w > 2 * Self.radius + 2, h > 2 * Self.radius + 2 else { break }
      let image = k == 0 ? GrayImage(copying: picture) : whole.resized(width: w, height: h).rounded()
      var smooth = GrayImage(width: w, height: h)
      image.withView { smooth.setGaussianBlur(of: $0, sigma: 2) }
      levels.append((image, smooth, scale))
      scale *= parameters.step
    }
  }

  private func corners(_ index: Int, _ found: inout [BinaryFeature]) {
    let (image, _, scale) = levels[index]
    let r = Self.radius
    image.withView { view in
      var scores = [Int](repeating: 0, count: view.width * view.height)
      for y in r..<(view.height - r) {
        for x in r..<(view.width - r) { scores[y * view.width + x] = score(view, x, y) }
      }
      for y in r..<(view.height - r) {
        for x in r..<(view.width - r) {
          let own = scores[y * view.width + x]
          guard own > 0, isPeak(scores, view.width, x, y, own) else { continue }
          found.append(
            BinaryFeature(
              x: Double(x) * scale,
              y: Double(y) * scale,
              scale: scale,
              angle: direction(view, x, y),
              response: own,
              bits: .zero
            )
          )
        }
      }
    }
  }

  /// The largest threshold at which nine in a row of the ring are lighter or darker than the middle; 0 for no corner.
  private func score(_ view: GrayView, _ x: Int, _ y: Int) -> Int {
    let middle = Int(view.row(y)[x])
    let t = parameters.threshold
    // Of four places at right angles two next to each other have to differ.
    let (north, south) = (Int(view.row(y - 3)[x]) - middle, Int(view.row(y + 3)[x]) - middle)
    let (east, west) = (Int(view.row(y)[x + 3]) - middle, Int(view.row(y)[x - 3]) - middle)
    let isLight = (north > t || south > t) && (east > t || west > t)
    let isDark = (north < -t || south < -t) && (east < -t || west < -t)
    guard isLight || isDark else { return 0 }
    var differences = InlineArray<16, Int>(repeating: 0)
    for (k, offset) in ring.enumerated() { differences[k] = Int(view.row(y + offset.y)[x + offset.x]) - middle }
    var best = 0
    for start in 0..<16 {
      var (light, dark) = (Int.max, Int.max)
      for k in 0..<9 {
        let d = differences[(start + k) & 15]
        light = min(light, d)
        dark = min(dark, -d)
      }
      best = max(best, light, dark)
    }
    return best > t ? best : 0
  }

  private func isPeak(_ scores: [Int], _ width: Int, _ x: Int, _ y: Int, _ own: Int) -> Bool {
    for dy in -1...1 {
      for dx in -1...1 where dx != 0 || dy != 0 {
        let other = scores[(y + dy) * width + x + dx]
        // Of equal ones the last counts.
        if other > own || (other == own && (dy > 0 || (dy == 0 && dx > 0))) { return false }
      }
    }
    return true
  }

  /// The direction from the middle to the centre of grey of the disc around it.
  private func direction(_ view: GrayView, _ x: Int, _ y: Int) -> Double {
    let r = Self.radius
    var (alongX, alongY) = (0, 0)
    for dy in -r...r {
      let row = view.row(y + dy)
      for dx in -r...r where dx * dx + dy * dy <= r * r {
        let level = Int(row[x + dx])
        alongX += dx * level
        alongY += dy * level
      }
    }
    return atan2(Double(alongY), Double(alongX))
  }
}
