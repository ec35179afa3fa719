import SightlineCamera
import SightlineMath
import SightlineWasmMemory

// A wall before the camera and what hangs on it, for a page that lets fingers move it; `WebClient/engine/plane.js` mirrors it.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private let values = UnsafeMutablePointer<Double>.allocate(capacity: 16)
nonisolated(unsafe) private var view: PlaneView?

/// Nearest and farthest that is drawn, metres.
private let (near, far) = (0.02, 50.0)

/// Where the page writes a plane (`cameraFromPlane` as quaternion, w first, and translation, then width, height and focal length of the
/// picture, pixels), and where it reads answers.
@_expose(wasm) @c public func sl_plane_values() -> UnsafeMutablePointer<Double> { values }

/// The plane that was written is meant by what follows; answers whether it is one.
@_expose(wasm) @c public func sl_plane_set() -> Int32 {
  var source = Reader(values)
  let (w, x, y, z) = (source.next(), source.next(), source.next(), source.next())
  let translation = Vector3(source.next(), source.next(), source.next())
  let (width, height, focal) = (source.next(), source.next(), source.next())
  view = nil
  guard let rotation = Quaternion(w: w, x: x, y: y, z: z).normalized, width > 0, height > 0, focal > 0, focal.isFinite
  else { return 0 }
  view = PlaneView(
    pose: PlanarPose(cameraFromPlane: rotation, translation: translation, reprojectionError: 0),
    intrinsics: Intrinsics(
      width: width,
      height: height,
      focalX: focal,
      focalY: focal,
      centerX: (width - 1) / 2,
      centerY: (height - 1) / 2
    )
  )
  return 1
}

/// The pixel of a point of the plane; answers whether there is one, and then the values are x and y.
@_expose(wasm) @c public func sl_plane_pixel(_ x: Double, _ y: Double) -> Int32 {
  answer(view?.pixel(of: Vector2(x, y)))
}

/// The point of the plane at a pixel; answers as ``sl_plane_pixel(_:_:)``.
@_expose(wasm) @c public func sl_plane_point(_ x: Double, _ y: Double) -> Int32 {
  answer(view?.point(at: Vector2(x, y)))
}

/// How far what hangs upright is turned against the plane, degrees counter-clockwise; NaN where nothing is upright.
///
/// - Parameters:
///   - beta: of the browser's `deviceorientation`, degrees.
///   - gamma: as above.
///   - screenAngle: degrees.
@_expose(wasm) @c public func sl_plane_upright(_ beta: Double, _ gamma: Double, _ screenAngle: Int32) -> Double {
  let (sb, cb) = sineCosine(degrees: beta)
  let (sg, cg) = sineCosine(degrees: gamma)
  // "Up" in the device's axes: the last row of the turn that the angles are of.
  let up = Vector3(-cb * sg, sb, cb * cg)
  let (s, c) = sineCosine(degrees: Double(screenAngle))
  return view?.uprightTurn(up: Vector3(c * up.x - s * up.y, -(s * up.x + c * up.y), -up.z))?.degrees ?? .nan
}

/// The corners of a rectangle on the plane, from its own top left clockwise: eight values.
@_expose(wasm) @c public func sl_plane_corners(
  _ x: Double,
  _ y: Double,
  _ turnDegrees: Double,
  _ width: Double,
  _ height: Double
) {
  let corners = rectangle(x, y, turnDegrees, width, height).corners
  var out = Writer(values)
  for k in 0..<4 {
    out.put(corners[k].x)
    out.put(corners[k].y)
  }
}

/// Whether a point of the plane lies on a rectangle.
@_expose(wasm) @c public func sl_plane_is_on(
  _ x: Double,
  _ y: Double,
  _ turnDegrees: Double,
  _ width: Double,
  _ height: Double,
  _ pointX: Double,
  _ pointY: Double
) -> Int32 { rectangle(x, y, turnDegrees, width, height).contains(Vector2(pointX, pointY)) ? 1 : 0 }

/// The matrix from what is drawn on a rectangle, a unit wide, to the camera: sixteen values by columns; answers whether there is a plane.
@_expose(wasm) @c public func sl_plane_matrix(
  _ x: Double,
  _ y: Double,
  _ turnDegrees: Double,
  _ width: Double,
  _ lift: Double
) -> Int32 {
  guard let view else { return 0 }
  let cameraFromPlane = SimilarityTransform(rotation: view.pose.cameraFromPlane, translation: view.pose.translation)
  let hung = rectangle(x, y, turnDegrees, width, 0)
  var matrix = InlineArray<16, Float>(repeating: 0)
  (cameraFromPlane * hung.planeFromPicture(lift: lift)).write(into: &matrix)
  for k in 0..<16 { values[k] = Double(matrix[k]) }
  return 1
}

/// The clip-space matrix of a picture's camera: sixteen values by columns.
@_expose(wasm) @c public func sl_plane_clip(_ width: Double, _ height: Double, _ focal: Double) {
  for k in 0..<16 { values[k] = 0 }
  values[0] = 2 * focal / width
  values[5] = -2 * focal / height
  values[10] = (far + near) / (far - near)
  values[11] = 1
  values[14] = -2 * far * near / (far - near)
}

private func rectangle(
  _ x: Double,
  _ y: Double,
  _ turnDegrees: Double,
  _ width: Double,
  _ height: Double
) -> HungRectangle {
  HungRectangle(center: Vector2(x, y), turn: Angle(degrees: turnDegrees), width: width, height: height)
}

private func answer(_ point: Vector2?) -> Int32 {
  guard let point else { return 0 }
  values[0] = point.x
  values[1] = point.y
  return 1
}
