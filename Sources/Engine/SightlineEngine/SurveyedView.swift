import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

extension AnchorSurvey {
  /// Where the camera is, from the anchor's pose in its picture.
  ///
  /// Seeing a surveyed anchor tells it to centimetres and tenths of degrees, where satellites and compass leave metres and tens of
  /// degrees.
  ///
  /// ```swift
  /// // On a wall that faces south, 1.6 m above a pavement at 478 m
  /// let survey = AnchorSurvey(
  ///   place: Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9912, altitude: 479.6),
  ///   facing: Angle(degrees: 180), width: 0.2)
  /// if let view = survey.view(pose, intrinsics: camera) { session.handle(.fix(view.fix), at: time) }
  /// ```
  ///
  /// - Parameters:
  ///   - pose: of the anchor, ``AnchorSurvey/width`` metres wide, in the camera frame.
  ///   - intrinsics: of the picture.
  ///   - noise: standard deviation of a corner's coordinate, pixels.
  /// - Returns: `nil` when the pose is too poor to say anything.
  public func view(_ pose: PlanarPose, intrinsics: Intrinsics, noise: Double = 0.1) -> SurveyedView? {
    guard let uncertainty = pose.uncertainty(side: width, intrinsics: intrinsics, noise: noise) else { return nil }
    let frame = EastNorthUpFrame(origin: place)
    let anchorFromCamera = pose.cameraFromPlane.inverse
    let cameraInFrame = eastNorthUpFromAnchor * -(anchorFromCamera * pose.translation)
    let camera = frame.geodetic(cameraInFrame)
    // East, north and up where the camera is differ by a hair from those at the anchor.
    let there = EastNorthUpFrame(origin: camera)
    guard let attitude = (there.rotation(from: frame) * eastNorthUpFromAnchor * anchorFromCamera).normalized else {
      return nil
    }
    return SurveyedView(camera: camera, eastNorthUpFromCamera: attitude, uncertainty: uncertainty)
  }
}

/// Where the camera is and how it is turned, from seeing something whose survey is known.
public struct SurveyedView: Equatable, Sendable {
  /// The camera; its altitude is measured as that of the survey.
  public var camera: Geodetic
  /// Turns vectors of the camera (x right, y down, z forward) into east, north, up where the camera is.
  public var eastNorthUpFromCamera: Quaternion
  /// One standard deviation.
  public var uncertainty: PoseUncertainty

  /// As a position fix for `SessionEvent.fix`: accuracies at 95 %, never better than a centimetre.
  public var fix: LocationFix {
    let accuracy = max(0.01, 2 * uncertainty.position)
    return LocationFix(
      latitudeDegrees: camera.latitudeDegrees,
      longitudeDegrees: camera.longitudeDegrees,
      altitude: camera.altitude,
      horizontalAccuracy: accuracy,
      verticalAccuracy: accuracy
    )
  }

  /// As an orientation for `SessionEvent.orientation`, against true north.
  ///
  /// - Parameter projection: how the picture lies on the display and the display on the device.
  /// - Returns: the device's turn.
  public func orientation(_ projection: DisplayProjection) -> OrientationReading {
    let cameraFromDevice = projection.cameraFromDisplay * projection.deviceFromDisplay.inverse
    return .quaternion(worldFromDevice: eastNorthUpFromCamera * cameraFromDevice, north: .trueNorth)
  }

  /// What has to be added to a heading from other sensors so that it agrees with the marker, −π … π.
  ///
  /// - Parameter eastNorthUpFromCamera: orientation of the camera at the same moment by those sensors.
  /// - Returns: clockwise is positive.
  public func headingCorrection(of eastNorthUpFromCamera: Quaternion) -> Angle {
    // The turn about "up" in what leads from theirs to ours.
    let q = self.eastNorthUpFromCamera * eastNorthUpFromCamera.inverse
    let turn = 2 * atan2(q.z, q.w)
    // Counter-clockwise is positive for a quaternion about "up", headings run clockwise.
    let heading = -turn
    let whole = 2 * Double.pi
    return Angle(radians: heading > Double.pi ? heading - whole : heading < -Double.pi ? heading + whole : heading)
  }
}
