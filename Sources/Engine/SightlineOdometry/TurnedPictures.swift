/// What the pictures that come are of those that tracking began with: turned with the screen, not settled yet, or others.
///
/// The screen's angle is told by the sensors' readings, the size by the picture itself: for some frames one may be of before the turn and the
/// other of after it.
public struct TurnedPictures: Sendable {
  /// What is to be done with a picture.
  public enum Judgement: Equatable, Sendable {
    /// It is one of before, turned by so many quarters.
    case turned(quarters: Int)
    /// Size and angle do not belong together yet, or it is not sure that they do.
    case unsettled
    /// It is none of before.
    case other
  }

  /// How long pictures and screen may be apart, and how long is waited where the picture's shape does not tell which way up it is, seconds.
  ///
  /// Both are less than the pause after which a tracker has to begin again.
  private static let (longestApart, longestDoubt) = (0.5, 0.25)

  private let width: Int, height: Int, angle: Int
  private var quarters = 0
  /// Size and angle of the picture before, and since when they are those, seconds.
  private var last: (width: Int, height: Int, angle: Int), since: Double

  /// Pictures of the size that tracking begins with.
  ///
  /// - Parameters:
  ///   - width: pixels.
  ///   - height: as `width`.
  ///   - screenAngleDegrees: by how much the screen is turned against the device.
  public init(width: Int, height: Int, screenAngleDegrees: Int32) {
    let angle = Self.positive(screenAngleDegrees)
    (self.width, self.height, self.angle) = (width, height, angle)
    (last, since) = ((width, height, angle), -.infinity)
  }

  /// Judges the picture that comes next.
  ///
  /// - Parameters:
  ///   - width: pixels.
  ///   - height: as `width`.
  ///   - screenAngleDegrees: by how much the screen is turned against the device, as the last reading says.
  ///   - time: seconds, not before the last one's.
  /// - Returns: what it is.
  public mutating func judge(width: Int, height: Int, screenAngleDegrees: Int32, time: Double) -> Judgement {
    let now = (width, height, Self.positive(screenAngleDegrees))
    if now != last { (last, since) = (now, time) }
    let turn = now.2 - angle
    let wanted = ((turn / 90) + 4) & 3
    let size = wanted & 1 == 0 ? (self.width, self.height) : (self.height, self.width)
    let fits = turn % 90 == 0 && (width, height) == size
    guard fits else { return time - since < Self.longestApart ? .unsettled : .other }
    // Between upright and across the shape tells; upside down, and of a square, it does not.
    let isTold = width != height && (wanted ^ quarters) & 1 != 0
    if wanted != quarters, !isTold, time - since < Self.longestDoubt { return .unsettled }
    quarters = wanted
    return .turned(quarters: quarters)
  }

  private static func positive(_ degrees: Int32) -> Int { ((Int(degrees) % 360) + 360) % 360 }
}
