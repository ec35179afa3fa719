import SightlineCamera
import SightlineMath

/// Where a marker of the scenery is in a picture, and where it is before the camera.
public struct MarkerTruth: Equatable, Sendable {
  /// Pixels of the corners of the black border, clockwise from the marker's own top left; pixel centres at integers.
  public var corners: [Vector2]
  /// Rotates vectors of the marker's frame (x to its right, y to its top, z out of the paper) into the camera's.
  public var cameraFromMarker: Quaternion
  /// The marker's middle in the camera's frame (x right, y down, z forward), metres.
  public var translation: Vector3
  /// Whether its front is towards the camera, all of it in the picture, and no house before its middle.
  public var isVisible: Bool
}

extension Simulation {
  /// The truth about a marker at the middle of an exposure.
  ///
  /// - Parameters:
  ///   - index: among the scenery's pictures.
  ///   - time: end of the exposure.
  /// - Returns: `nil` when it is no marker, a corner is behind the camera, or the script has no camera.
  public func marker(ofPicture index: Int, at time: Double) -> MarkerTruth? {
    guard let settings = script.camera, let marker = script.scenery.pictures[index].marker else { return nil }
    // The picture is the whole paper; the border is what counts.
    var border = script.scenery.pictures[index]
    border.width = marker.side
    let surface = border.surface(aspect: 1, .plain(.zero))
    guard let pixels = pixels(of: border.corners(aspect: 1), at: time),
      let right = surface.across.normalized, let up = (surface.down * -1).normalized
    else { return nil }
    let state = script.trajectory.state(at: time - settings.exposure / 2)
    let turn = view.cameraFromWorld(state)
    let out = right.cross(up)
    let worldFromMarker = Quaternion(
      Matrix3(
        rows: Vector3(right.x, up.x, out.x),
        Vector3(right.y, up.y, out.y),
        Vector3(right.z, up.z, out.z)
      )
    )
    let lens = settings.intrinsics
    let isInside = pixels.allSatisfy {
      $0.x >= -0.5 && $0.y >= -0.5 && $0.x <= lens.width - 0.5 && $0.y <= lens.height - 0.5
    }
    return MarkerTruth(
      corners: pixels,
      cameraFromMarker: turn * worldFromMarker,
      translation: turn * (border.center - state.position),
      isVisible: isInside && out.dot(state.position - border.center) > 0
        && !houses.contains { $0.isBetween(state.position, border.center + out * 0.01) }
    )
  }
}
