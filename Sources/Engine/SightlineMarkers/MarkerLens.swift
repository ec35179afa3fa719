import SightlineCamera
import SightlineMath

/// The camera that a frame is from, for a detector that is to allow for the lens.
///
/// A lens bends straight edges: the sides of a large marker by a pixel and more, which a fit of straight lines cannot follow.
public struct MarkerLens: Equatable, Sendable {
  /// Of the frame.
  public var intrinsics: Intrinsics
  /// Of the lens.
  public var distortion: LensDistortion

  /// A lens from its parts.
  public init(intrinsics: Intrinsics, distortion: LensDistortion) {
    self.intrinsics = intrinsics
    self.distortion = distortion
  }

  /// Where a point of the frame would be without distortion, pixels; `nil` where the distortion has no inverse.
  func straightened(_ p: Vector2) -> Vector2? {
    let ray = Vector2((p.x - intrinsics.centerX) / intrinsics.focalX, (p.y - intrinsics.centerY) / intrinsics.focalY)
    return distortion.undistorted(ray).map(pixel)
  }

  /// Where the lens puts a point, pixels, and how that moves with the point's x and with its y.
  func bent(_ p: Vector2) -> (point: Vector2, byX: Vector2, byY: Vector2) {
    let ray = Vector2((p.x - intrinsics.centerX) / intrinsics.focalX, (p.y - intrinsics.centerY) / intrinsics.focalY)
    // By differences over a pixel: the distortion changes little from one to the next.
    let point = pixel(distortion.distorted(ray))
    let besideX = pixel(distortion.distorted(ray + Vector2(1 / intrinsics.focalX, 0)))
    let besideY = pixel(distortion.distorted(ray + Vector2(0, 1 / intrinsics.focalY)))
    return (point, besideX - point, besideY - point)
  }

  private func pixel(_ ray: Vector2) -> Vector2 {
    Vector2(ray.x * intrinsics.focalX + intrinsics.centerX, ray.y * intrinsics.focalY + intrinsics.centerY)
  }
}
