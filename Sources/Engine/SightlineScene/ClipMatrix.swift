import SightlineCamera
import SightlineMath

/// Writes the clip-space matrix of a pinhole camera whose optical axis may be off the display's centre: x right, y up,
/// depth −1 at the near plane … 1 at the far plane, w the depth; column-major.
///
/// Formed in `Double` and rounded once, so that the eye's large coordinates and the matrix's translation cancel before
/// single precision takes its share.
func writeClipMatrix(
  into matrix: inout [Float],
  displayFromWorld: Matrix3,
  eyeInWorld: Vector3,
  projection: borrowing DisplayProjection,
  near: Double,
  far: Double
) {
  let (width, height) = (projection.display.width, projection.display.height)
  let (right, up, out) = (displayFromWorld.row0, displayFromWorld.row1, displayFromWorld.row2)
  let row0 = right * (2 * projection.focalPoints.x / width) - out * (2 * projection.center.x / width - 1)
  let row1 = up * (2 * projection.focalPoints.y / height) - out * (1 - 2 * projection.center.y / height)
  let row2 = out * (-(far + near) / (far - near))
  let row3 = -out
  if matrix.count != 16 { matrix = [Float](repeating: 0, count: 16) }
  write(row0, -row0.dot(eyeInWorld), row: 0, into: &matrix)
  write(row1, -row1.dot(eyeInWorld), row: 1, into: &matrix)
  write(row2, -row2.dot(eyeInWorld) - 2 * far * near / (far - near), row: 2, into: &matrix)
  write(row3, -row3.dot(eyeInWorld), row: 3, into: &matrix)
}

private func write(_ values: Vector3, _ translation: Double, row: Int, into matrix: inout [Float]) {
  matrix[row] = Float(values.x)
  matrix[4 + row] = Float(values.y)
  matrix[8 + row] = Float(values.z)
  matrix[12 + row] = Float(translation)
}

/// From the camera's frame (x right, y down, z forward) to clip space of the display, depth −1 … 1; column-major.
func cameraClipMatrix(
  _ projection: borrowing DisplayProjection,
  near: Double,
  far: Double
) -> InlineArray<16, Float> {
  let (width, height) = (projection.display.width, projection.display.height)
  var matrix = InlineArray<16, Float>(repeating: 0)
  matrix[0] = Float(2 * projection.focalPoints.x / width)
  matrix[5] = Float(-2 * projection.focalPoints.y / height)
  matrix[8] = Float(2 * projection.center.x / width - 1)
  matrix[9] = Float(1 - 2 * projection.center.y / height)
  matrix[10] = Float((far + near) / (far - near))
  matrix[11] = 1
  matrix[14] = Float(-2 * far * near / (far - near))
  return matrix
}
