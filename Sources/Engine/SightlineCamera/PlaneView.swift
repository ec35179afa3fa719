import SightlineMath

/// A plane before a camera: between its points, the picture's pixels, and what hangs on it.
///
/// The plane's frame, as that of anything flat: x right, y up, z towards the viewer, metres.
public struct PlaneView: Equatable, Sendable {
  /// How the plane lies before the camera.
  public var pose: PlanarPose
  /// Of the picture.
  public var intrinsics: Intrinsics

  /// A plane before a camera.
  public init(pose: PlanarPose, intrinsics: Intrinsics) {
    self.pose = pose
    self.intrinsics = intrinsics
  }

  /// The pixel at which a point of the plane is seen; `nil` behind the camera.
  public func pixel(of point: Vector2) -> Vector2? {
    let p = pose.cameraFromPlane * Vector3(point.x, point.y, 0) + pose.translation
    return p.z > 1e-6 ? intrinsics.pixel(ofPointInCamera: p) : nil
  }

  /// The point of the plane that is seen at a pixel; `nil` when the ray does not meet the plane before the camera.
  public func point(at pixel: Vector2) -> Vector2? {
    let planeFromCamera = pose.cameraFromPlane.inverse
    let direction = planeFromCamera * intrinsics.rayInCamera(through: pixel)
    let origin = planeFromCamera * -pose.translation
    let s = -origin.z / direction.z
    guard s > 0, s.isFinite else { return nil }
    return Vector2(origin.x + s * direction.x, origin.y + s * direction.y)
  }

  /// How far what hangs upright is turned against the plane's frame, counter-clockwise.
  ///
  /// - Parameter up: in the camera's axes (x right, y down, z forward), of unit length.
  /// - Returns: `nil` for planes that lie, on which nothing is upright: more than 60° from the vertical.
  public func uprightTurn(up: Vector3) -> Angle? {
    let p = pose.cameraFromPlane.inverse * up
    return hypot(p.x, p.y) < 0.5 ? nil : Angle(radians: atan2(-p.x, p.y))
  }
}

/// A rectangle that hangs on a plane.
public struct HungRectangle: Equatable, Sendable {
  /// Its middle in the plane's frame, metres.
  public var center: Vector2
  /// How far it is turned, counter-clockwise as it is seen.
  public var turn: Angle
  /// Metres.
  public var width: Double
  /// Metres.
  public var height: Double

  /// A rectangle from its parts.
  public init(center: Vector2, turn: Angle, width: Double, height: Double) {
    self.center = center
    self.turn = turn
    self.width = width
    self.height = height
  }

  /// Its corners in the plane's frame, from its own top left clockwise.
  public var corners: Quadrilateral {
    let (s, c) = (sin(turn.radians), cos(turn.radians))
    let (x, y) = (width / 2, height / 2)
    var corners = Quadrilateral(Vector2(-x, y), Vector2(x, y), Vector2(x, -y), Vector2(-x, -y))
    for k in 0..<4 { corners[k] = center + corners[k].rotated(cosine: c, sine: s) }
    return corners
  }

  /// Whether a point of the plane lies on it.
  public func contains(_ point: Vector2) -> Bool {
    let p = (point - center).rotated(cosine: cos(turn.radians), sine: -sin(turn.radians))
    return abs(p.x) <= width / 2 && abs(p.y) <= height / 2
  }

  /// From what is drawn on it, a unit wide, to the plane's frame, so far before the plane.
  public func planeFromPicture(lift: Double) -> SimilarityTransform {
    SimilarityTransform(
      rotation: Quaternion(axis: Vector3(0, 0, 1), angle: turn),
      translation: Vector3(center.x, center.y, lift),
      scale: width
    )
  }
}
