import SightlineCamera
import SightlineImaging
import SightlineMath

/// A turn of pictures by quarters: from the frames of a tracker to the pictures that a browser hands on, or back.
///
/// When a phone's screen turns, the browser turns the pictures; the sensor stays where it is. Turned back, they are frames of the camera that
/// tracking began with, and all that is known of lens and surroundings holds. By a quarter, what was right is at the top: x right and y down
/// become y and −x.
public struct PictureTurn: Equatable, Sendable {
  /// 0 to 3.
  public let quarters: Int
  /// Of the pictures that are turned, pixels.
  public let width: Int, height: Int
  /// x becomes `cosine` · x + `sine` · y, y becomes `cosine` · y − `sine` · x, and both are shifted into the picture.
  private let cosine: Int, sine: Int, right: Int, down: Int

  /// A turn of pictures of a size.
  ///
  /// - Parameters:
  ///   - quarters: any number of them.
  ///   - width: pixels.
  ///   - height: as `width`.
  public init(quarters: Int, width: Int, height: Int) {
    self.quarters = quarters & 3
    (self.width, self.height) = (width, height)
    let isAcross = quarters & 1 != 0
    cosine = isAcross ? 0 : 1 - (quarters & 2)
    sine = isAcross ? 2 - (quarters & 3) : 0
    right = quarters & 2 == 0 ? 0 : (isAcross ? height : width) - 1
    down = self.quarters == 1 ? width - 1 : self.quarters == 2 ? height - 1 : 0
  }

  /// The way back.
  public var inverse: PictureTurn {
    let isAcross = quarters & 1 != 0
    return PictureTurn(quarters: -quarters, width: isAcross ? height : width, height: isAcross ? width : height)
  }

  /// The pixel that shows in the turned picture what one does in the other.
  public func callAsFunction(_ pixel: Vector2) -> Vector2 {
    let (c, s) = (Double(cosine), Double(sine))
    return Vector2(c * pixel.x + s * pixel.y + Double(right), c * pixel.y - s * pixel.x + Double(down))
  }

  /// From the camera axes of the one to those of the turned picture.
  public var rotation: Quaternion {
    let half = quarters & 1 != 0 ? 0.5.squareRoot() : Double(1 - quarters / 2)
    return Quaternion(w: half, x: 0, y: 0, z: quarters == 0 ? 0 : quarters == 2 ? 1 : quarters == 1 ? -half : half)
  }

  /// What was seen, as it is seen in the turned picture: corners and pose.
  public func callAsFunction(_ seen: Observation) -> Observation {
    guard quarters != 0 else { return seen }
    var seen = seen
    for corner in 0..<4 { seen.corners[corner] = self(seen.corners[corner]) }
    if var pose = seen.pose {
      pose.cameraFromPlane = (rotation * pose.cameraFromPlane).normalized ?? pose.cameraFromPlane
      pose.translation = rotation * pose.translation
      seen.pose = pose
    }
    return seen
  }

  /// The camera of the turned picture by that of the other, whose focal length is the same in x and y.
  public func callAsFunction(_ camera: FrameCamera) -> FrameCamera {
    var camera = camera
    let lens = camera.intrinsics
    let (isAcross, center) = (quarters & 1 != 0, self(Vector2(lens.centerX, lens.centerY)))
    camera.intrinsics = Intrinsics(
      width: isAcross ? lens.height : lens.width,
      height: isAcross ? lens.width : lens.height,
      focalX: lens.focalX,
      focalY: lens.focalY,
      centerX: center.x,
      centerY: center.y
    )
    return camera
  }

  /// Turns a picture.
  ///
  /// - Parameters:
  ///   - picture: one of another size is not taken.
  ///   - turned: gets the pixels.
  public func turn(_ picture: GrayView, into turned: inout GrayImage) {
    guard picture.width == width, picture.height == height else { return }
    let back = inverse
    turned.resize(width: back.width, height: back.height)
    // From one pixel of the turned picture to the next, right and down, so far in the other.
    let stride = picture.stride
    let (across, along) = (back.cosine - back.sine * stride, back.sine + back.cosine * stride)
    let first = picture.pixels + (back.down * stride + back.right)
    turned.withMutablePixels { target in
      // Squares of pixels, so that neither side leaves the cache.
      let side = 16
      var top = 0
      while top < back.height {
        let bottom = min(back.height, top + side)
        for x in 0..<back.width {
          for y in top..<bottom { target[y &* back.width &+ x] = first[x &* across &+ y &* along] }
        }
        top = bottom
      }
    }
  }
}
