import SightlineCamera
import SightlineGeodesy
import SightlineMath

/// Something in the camera's view that features of a world stand on: a marker, a picture, a code, a wall.
///
/// Its frame, as that of anything flat: origin in its middle, x to its right, y to its top, z towards the viewer, metres.
public struct WorldAnchor: Equatable, Sendable {
  /// What it is related to when it is not seen itself.
  public enum Reference: Equatable, Sendable {
    /// To nothing: it is known where it is only while it is seen.
    case none
    /// To another anchor, by its index in ``WorldDescription/anchors``: known while that one is.
    case anchor(Int32)
    /// To the user: east, north and up from the eye. Known as long as it is known how the phone is turned.
    case user
  }

  /// What it is.
  public var id: AnchorID
  /// Width of it, metres, > 0.
  public var width: Double
  /// Where it hangs on the Earth: seeing it then tells where the user is.
  public var survey: AnchorSurvey?
  /// What it is related to.
  public var reference = Reference.none
  /// How it lies in the frame of its ``reference``.
  public var referenceFromAnchor = SimilarityTransform.identity

  /// An anchor that is known while it is seen.
  public init(_ id: AnchorID, width: Double, survey: AnchorSurvey? = nil) {
    self.id = id
    self.width = width
    self.survey = survey
  }
}

/// Where something flat hangs on the Earth, and how.
///
/// Equal by value; two unknown altitudes are equal.
public struct AnchorSurvey: Equatable, Sendable {
  /// Its middle; an altitude that is no number is unknown, and seeing it then says nothing about heights.
  public var place: Geodetic
  /// What its altitude is measured from.
  public var altitudeDatum: HeightDatum
  /// Direction that its front faces, clockwise from true north; for one that lies flat, the direction that its lower edge points to.
  public var facing: Angle
  /// How far its front looks up: 0 on a wall, a right angle when it lies on the ground, negative on an overhang.
  public var elevation: Angle
  /// How far it is turned clockwise, as seen by who looks at it, from upright.
  public var roll: Angle
  /// Width of what is between its corners, metres.
  public var width: Double

  /// A survey.
  public init(
    place: Geodetic,
    altitudeDatum: HeightDatum = .ellipsoid,
    facing: Angle,
    elevation: Angle = .zero,
    roll: Angle = .zero,
    width: Double
  ) {
    self.place = place
    self.altitudeDatum = altitudeDatum
    self.facing = facing
    self.elevation = elevation
    self.roll = roll
    self.width = width
  }

  /// Turns vectors of the anchor's frame into east, north, up at its place.
  public var eastNorthUpFromAnchor: Quaternion {
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

  /// Whether it is a place on the Earth and a size that something can have.
  public var isSound: Bool {
    place.latitudeDegrees.magnitude <= 90 && place.longitudeDegrees.magnitude <= 180 && width > 0 && width <= 100
      && facing.radians.isFinite && elevation.radians.isFinite && roll.radians.isFinite
  }

  /// Whether it says the same.
  public static func == (a: AnchorSurvey, b: AnchorSurvey) -> Bool {
    let isSameHeight = a.place.altitude == b.place.altitude || a.place.altitude.isNaN && b.place.altitude.isNaN
    return isSameHeight && a.altitudeDatum == b.altitudeDatum && a.place.latitudeDegrees == b.place.latitudeDegrees
      && a.place.longitudeDegrees == b.place.longitudeDegrees && a.facing == b.facing && a.elevation == b.elevation
      && a.roll == b.roll && a.width == b.width
  }
}
