import SightlineImaging

/// What would help world tracking most, in one word.
public enum TrackingAdvice: UInt8, Sendable {
  /// Nothing: all is well.
  case none = 0
  /// No readings of the motion sensors arrive.
  case noMotion = 1
  /// It is too dark.
  case moreLight = 2
  /// The picture is blurred by motion.
  case tooFast = 3
  /// There is nothing in the picture that could be followed: a white wall, a covered lens.
  case morePattern = 4
  /// Distances can only be told by moving aside.
  case moveSideways = 5
  /// No floor and no other surface was seen yet.
  case lookAtFloor = 6
}

/// Chooses the advice, and keeps to it long enough to be read.
public struct TrackingAdvisor: Sendable {
  /// Shortest time that advice stands, seconds.
  private static let shortest = 1.2
  /// Grey level below which a picture is dark, in the mean.
  private static let dark = 38.0
  /// Turn rate above which pictures blur, rad/s.
  private static let fast = 2.2
  /// Followed points below which little is seen, and below which more light may help.
  private static let (few, some) = (12, 30)

  /// What stands now.
  public private(set) var advice = TrackingAdvice.none
  private var since = -Double.infinity

  /// Nothing to say yet.
  public init() {}

  /// Judges a frame.
  ///
  /// - Parameters:
  ///   - estimate: of the frame.
  ///   - level: mean grey level of the picture, 0 … 255.
  ///   - turnRate: of the device, rad/s.
  ///   - hasSurface: whether a surface is known.
  ///   - time: of the frame, seconds.
  public mutating func judge(
    _ estimate: OdometryEstimate,
    level: Double,
    turnRate: Double,
    hasSurface: Bool,
    time: Double
  ) {
    let wanted = wanted(estimate, level, turnRate, hasSurface)
    guard wanted != advice, !(time - since < Self.shortest) else { return }
    (advice, since) = (wanted, time)
  }

  private func wanted(
    _ estimate: OdometryEstimate,
    _ level: Double,
    _ rate: Double,
    _ hasSurface: Bool
  ) -> TrackingAdvice {
    if estimate.state == .none { return .noMotion }
    if level < Self.dark, estimate.trackCount < Self.some { return .moreLight }
    if rate > Self.fast { return .tooFast }
    if estimate.trackCount < Self.few { return .morePattern }
    if estimate.state != .metric, estimate.scaleDeviation > 0.15 { return .moveSideways }
    return hasSurface ? .none : .lookAtFloor
  }
}

extension GrayView {
  /// Mean grey level of every eighth pixel of every eighth row.
  public var meanLevel: Double {
    var (sum, count) = (0, 0)
    var y = 0
    while y < height {
      let pixels = row(y)
      var x = 0
      while x < width {
        sum += Int(pixels[x])
        count += 1
        x += 8
      }
      y += 8
    }
    return count > 0 ? Double(sum) / Double(count) : 0
  }
}
