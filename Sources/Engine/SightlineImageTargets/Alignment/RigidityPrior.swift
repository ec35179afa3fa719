import SightlineCamera
import SightlineMath

/// What a flat print seen through a known lens can look like: of the eight numbers of a homography a rigid motion
/// leaves six free.
///
/// The picture of the print's own axes, taken back through the lens, has to be two directions at right angles and of
/// one length. A print with
/// little in it does not fix all eight numbers; with this it mostly fixes what is left.
struct RigidityPrior {
  /// How far off either may be, as a share: what a lens bends that is thought to be straight.
  private static let sigma = 0.003
  /// How exactly the focal length is known, as a share; what that does grows with the square of the tilt.
  private static let focalSigma = 0.03

  /// From the aligner's unit around the target's middle to the camera's axes.
  private let rays: Matrix3
  /// The print's two axes in that unit, before any correction.
  private let across: Vector3
  private let down: Vector3

  /// - Parameters:
  ///   - intrinsics: of the frame, pixels.
  ///   - frameFromUnit: from the aligner's unit to the frame's pixels.
  ///   - unitFromReference: from the reference's pixels, taken to be square, to that unit.
  init(_ intrinsics: Intrinsics, frameFromUnit: Matrix3, unitFromReference: Matrix3) {
    let back = Matrix3(
      rows: Vector3(1 / intrinsics.focalX, 0, -intrinsics.centerX / intrinsics.focalX),
      Vector3(0, 1 / intrinsics.focalY, -intrinsics.centerY / intrinsics.focalY),
      Vector3(0, 0, 1)
    )
    rays = back * frameFromUnit
    let columns = unitFromReference.transposed
    (across, down) = (columns.row0, columns.row1)
  }

  /// Adds what this says to the sums for a step that is taken off a correction.
  func add(to equations: inout NormalEquations, _ correction: Matrix3) {
    let map = rays * correction
    let (a, b) = (map * across, map * down)
    let square = (a.dot(a) + b.dot(b)) / 2
    guard square > 0, square.isFinite else { return }
    let columns = map.transposed
    var angle = InlineArray<8, Double>(repeating: 0)
    var length = InlineArray<8, Double>(repeating: 0)
    for k in 0..<8 {
      // The step's number k takes a part of the axes to one of the three rows.
      let (row, part) = (k / 3, k % 3)
      let column = row == 0 ? columns.row0 : row == 1 ? columns.row1 : columns.row2
      let (u, v) = part == 0 ? (across.x, down.x) : part == 1 ? (across.y, down.y) : (across.z, down.z)
      angle[k] = -(column.dot(b) * u + column.dot(a) * v) / square
      length[k] = -(column.dot(a) * u - column.dot(b) * v) / square
    }
    // What a focal length that is a little off does to either.
    let focal = Self.focalSigma / square
    let (ofAngle, ofLength) = (focal * 2 * a.z * b.z, focal * (a.z * a.z - b.z * b.z))
    let variance = Self.sigma * Self.sigma
    equations.addRow(angle, value: -a.dot(b) / square, information: 1 / (variance + ofAngle * ofAngle))
    equations.addRow(
      length,
      value: -(a.dot(a) - b.dot(b)) / (2 * square),
      information: 1 / (variance + ofLength * ofLength)
    )
  }
}
