import SightlineMath

/// How a camera picture lies on the display: the screen transform S from picture pixels to display points.
///
/// The picture is turned upright and scaled until nothing of the display is bare, centred, and cropped where it is too
/// long, as CSS does with `object-fit: cover`.
public struct PicturePlacement: Equatable, Sendable {
  /// Top left corner of the whole, partly cropped picture, display points.
  public let origin: Vector2
  /// Size of the whole, partly cropped picture, display points.
  public let size: Vector2
  /// Display points per pixel.
  public let scale: Double
  /// Size of the picture as delivered, pixels.
  private let pictureSize: Vector2
  /// Quarter turns clockwise that bring the delivered picture upright, 0 … 3.
  private let quarterTurns: Int32

  /// The placement of a picture on a display, both of which have an extent.
  public init(display: Display, picture: CameraPicture) {
    let i = picture.intrinsics
    // Only multiples of 90° turn, as in ``Intrinsics/rotated(clockwiseDegrees:)``.
    let turn = ((picture.rotationDegrees % 360) + 360) % 360
    quarterTurns = turn % 90 == 0 ? turn / 90 : 0
    pictureSize = Vector2(i.width, i.height)
    let upright = quarterTurns & 1 == 0 ? pictureSize : Vector2(i.height, i.width)
    scale = max(display.width / upright.x, display.height / upright.y)
    size = upright * scale
    origin = Vector2((display.width - size.x) / 2, (display.height - size.y) / 2)
  }

  /// S: the display point of a pixel of the picture as delivered.
  public func displayPoint(ofPixel pixel: Vector2) -> Vector2 {
    // Pixel centres are at integers, so the picture's edge is at −0.5.
    let (x, y) = (pixel.x + 0.5, pixel.y + 0.5)
    let upright =
      switch quarterTurns {
      case 1: Vector2(pictureSize.y - y, x)
      case 2: Vector2(pictureSize.x - x, pictureSize.y - y)
      case 3: Vector2(y, pictureSize.x - x)
      default: Vector2(x, y)
      }
    return origin + upright * scale
  }

  /// The pixel of the picture as delivered that lies under a display point: the inverse of ``displayPoint(ofPixel:)``.
  public func pixel(atDisplayPoint point: Vector2) -> Vector2 {
    let upright = (point - origin) * (1 / scale)
    let edge =
      switch quarterTurns {
      case 1: Vector2(upright.y, pictureSize.y - upright.x)
      case 2: Vector2(pictureSize.x - upright.x, pictureSize.y - upright.y)
      case 3: Vector2(pictureSize.x - upright.y, upright.x)
      default: upright
      }
    return edge - Vector2(0.5, 0.5)
  }
}
