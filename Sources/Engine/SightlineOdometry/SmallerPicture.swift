import SightlineCamera
import SightlineImaging
import SightlineMath

/// A camera's picture, halved until it is of a size to track in.
///
/// A pixel of the smaller picture is the mean of `factor` × `factor` of the camera's; rows and columns that are left over at the right
/// and at the bottom are left out.
public struct SmallerPicture: Sendable {
  /// The longest side that is tracked in, pixels.
  public static let longest = 640

  /// Pixels of the camera's picture in a row of one of the smaller: a power of two.
  public let factor: Int
  /// Of the smaller picture, pixels.
  public let width: Int, height: Int
  private var pyramid = Pyramid()

  /// For pictures of a size.
  ///
  /// - Parameters:
  ///   - width: of the camera's picture, pixels.
  ///   - height: as `width`.
  public init(width: Int, height: Int) {
    var factor = 1
    while max(width, height) / factor > Self.longest { factor *= 2 }
    self.factor = factor
    (self.width, self.height) = (width / factor, height / factor)
  }

  /// Hands over the smaller picture.
  ///
  /// - Parameters:
  ///   - picture: of the camera.
  ///   - body: what is done with it.
  /// - Returns: what `body` returns.
  public mutating func with<Result>(_ picture: GrayView, _ body: (GrayView) -> Result) -> Result {
    guard factor > 1, min(picture.width, picture.height) >= factor else { return body(picture) }
    var level = 0
    while 1 << level < factor { level += 1 }
    pyramid.setHalves(of: picture, levels: level + 1)
    return pyramid.levels[level].withView(body)
  }

  /// The place in the camera's picture of one in the smaller.
  public func whole(_ pixel: Vector2) -> Vector2 { pixel * Double(factor) + shift }

  /// The place in the smaller picture of one in the camera's.
  public func smaller(_ pixel: Vector2) -> Vector2 { (pixel - shift) * (1 / Double(factor)) }

  /// What a camera of the smaller picture is for the whole one.
  ///
  /// - Parameters:
  ///   - camera: of the smaller picture.
  ///   - width: of the camera's picture, pixels.
  ///   - height: as `width`.
  /// - Returns: the camera of the whole picture.
  public func whole(_ camera: FrameCamera, width: Int, height: Int) -> FrameCamera {
    let (lens, scale) = (camera.intrinsics, Double(factor))
    let center = whole(Vector2(lens.centerX, lens.centerY))
    return FrameCamera(
      intrinsics: Intrinsics(
        width: Double(width),
        height: Double(height),
        focalX: lens.focalX * scale,
        focalY: lens.focalY * scale,
        centerX: center.x,
        centerY: center.y
      ),
      distortion: camera.distortion
    )
  }

  private var shift: Vector2 { Vector2(1, 1) * (Double(factor - 1) / 2) }
}
