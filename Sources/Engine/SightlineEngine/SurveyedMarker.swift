import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath

/// A marker whose place on the Earth is known: seeing it tells where the camera is and which way it looks, to centimetres
/// and tenths of degrees, where satellites and compass leave metres and tens of degrees.
///
/// ```swift
/// // On a wall that faces south, 1.6 m above a pavement at 478 m
/// let marker = SurveyedMarker(
///   place: Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9912, altitude: 479.6),
///   facing: Angle(degrees: 180), side: 0.2)
/// let sighting = marker.sighting(pose)
/// session.handle(.fix(sighting.fix), at: time)
/// ```
public struct SurveyedMarker: Equatable, Sendable {
  /// The marker's centre; its altitude is above the ellipsoid.
  public var place: Geodetic
  /// Direction that its front faces, clockwise from true north; for a marker that lies flat, the direction that its lower
  /// edge points to.
  public var facing: Angle
  /// How far its front looks up: 0 on a wall, a right angle when it lies on the ground, negative on an overhang.
  public var elevation: Angle
  /// How far it is turned clockwise, as seen by who looks at it, from upright.
  public var roll: Angle
  /// Outer edge of the black border, metres.
  public var side: Double

  /// A marker from its survey.
  public init(
    place: Geodetic,
    facing: Angle,
    elevation: Angle = Angle(radians: 0),
    roll: Angle = Angle(radians: 0),
    side: Double
  ) {
    self.place = place
    self.facing = facing
    self.elevation = elevation
    self.roll = roll
    self.side = side
  }

  /// Turns vectors of the marker (x right, y up, z out of the print) into east, north, up at its place.
  public var eastNorthUpFromMarker: Quaternion {
    let (s, c) = (sin(facing.radians), cos(facing.radians))
    // On a wall: z to where it faces, y up, x to the right of who looks at it.
    let upright = Quaternion(
      Matrix3(rows: Vector3(-c, s, 0), Vector3(0, 0, 1), Vector3(s, c, 0)).transposed
    )
    let raised = Quaternion(axis: Vector3(1, 0, 0), angle: Angle(radians: -elevation.radians))
    // Clockwise for who looks at it, against z.
    let rolled = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: -roll.radians))
    return upright * raised * rolled
  }

  /// Where the camera is, from the marker's pose in its picture.
  ///
  /// - Parameters:
  ///   - cameraFromMarker: pose of the marker, of ``side`` metres.
  ///   - intrinsics: of the picture.
  ///   - noise: standard deviation of a corner's coordinate, pixels.
  /// - Returns: `nil` when the pose is too poor to say anything.
  public func sighting(_ cameraFromMarker: PlanarPose, intrinsics: Intrinsics, noise: Double = 0.1) -> MarkerSighting? {
    guard let uncertainty = cameraFromMarker.uncertainty(side: side, intrinsics: intrinsics, noise: noise) else {
      return nil
    }
    let frame = EastNorthUpFrame(origin: place)
    let markerFromCamera = cameraFromMarker.cameraFromPlane.inverse
    let cameraInFrame = eastNorthUpFromMarker * -(markerFromCamera * cameraFromMarker.translation)
    let camera = frame.geodetic(cameraInFrame)
    // East, north and up where the camera is differ by a hair from those at the marker.
    let there = EastNorthUpFrame(origin: camera)
    guard let attitude = (there.rotation(from: frame) * eastNorthUpFromMarker * markerFromCamera).normalized else {
      return nil
    }
    return MarkerSighting(camera: camera, eastNorthUpFromCamera: attitude, uncertainty: uncertainty)
  }
}

/// Camera position and orientation from a surveyed marker.
public struct MarkerSighting: Equatable, Sendable {
  /// The camera; altitude above the ellipsoid.
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
