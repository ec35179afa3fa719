import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// What a host tells the session.
///
/// Every event is handed over with the time it happened, seconds on the host's monotonic clock
/// (`Session.handle(_:at:)`).
public enum SessionEvent: Sendable {
  // The phone.
  /// A new orientation as the platform's own fusion has it.
  case orientation(OrientationReading)
  /// What the motion sensors said; its time is on the session's clock.
  ///
  /// May come beside ``orientation(_:)``: the session takes from each what it is best at, and the fused one's north where
  /// there is no magnetometer. Of accelerations with the opposite sign (iOS) the right one is found as soon as both
  /// are there.
  case motion(MotionSample)
  /// There will be no orientation.
  case orientationUnavailable(UnavailableReason)
  /// A new position.
  case fix(LocationFix)
  /// Where world tracking says that the camera was in a picture: headings then go on as the camera sees the device turn, without drift
  /// and whatever disturbs the compass, and the position moves from fix to fix as the camera does.
  case path(PathReading)
  /// How high the sea is above the ellipsoid, everywhere: heights over the one and the other agree from now on.
  ///
  /// Until then what is measured from the other than ``LocationFix/altitudeDatum`` stands at eye level. Best told before the
  /// first fix: nothing has to move then.
  case geoid(Geoid)
  /// How high the ground is where the user is, or near it: an altitude over the sea, or not a number when nobody knows.
  ///
  /// It stands in for a position's altitude where the platform tells none, and is where what stands on the ground is
  /// measured from.
  case ground(Geodetic)
  /// There will be no position.
  case locationUnavailable(UnavailableReason)
  /// The display's size or turn changed.
  case display(Display)
  /// The camera picture's size or field of view changed.
  case camera(CameraPicture)
  /// How old the camera's picture is when a frame is drawn over it, seconds (−0.1 … 0.3): frames are then made for the
  /// moment it was taken.
  ///
  /// Negative where there is no picture and the display is seen later than the frame's time. At the start 0.
  case pictureAge(Double)
  /// Calendar time at this event as a decimal year, for the magnetic model.
  case calendar(decimalYear: Double)
  /// What the sensors say of "up" while the device lies level with its screen up: the parts of that unit vector to the
  /// device's right and top, see ``Session/sensedUp``. From then on directions are corrected by as much.
  ///
  /// Ignored when it is more than ``Session/Parameters/largestLevelError`` or no number; 0, 0 is no correction.
  case setLevel(right: Double, top: Double)

  // The world.
  /// The user, a link or a scanned code wants this world; waits until position and orientation are known.
  case open(AddressID)
  /// As ``open(_:)``, beside what is open: `world` is the host's number for it, 0 … 15, and ``open(_:)`` means number 0.
  ///
  /// A number that is in use already is given another world. Each world is fetched again by its own rules; all are shown
  /// as one, see ``Session/world``.
  case openBeside(AddressID, world: Int32)
  /// Forget a world.
  case closeWorld(Int32)
  /// Show a world or not; one that is hidden is not fetched again by itself.
  case hideWorld(Int32, Bool)
  /// The answer to a request came and could be read. Replaces the world.
  case loaded(RequestID, WorldDescription)
  /// A request ended without a world.
  case failed(RequestID, FailureReason)
  /// The user wants the world, or all that are shown, fetched again, now ("refresh" in the menu, "try again" after a failure).
  case refreshByHand
  /// The host measured a label: its size in points.
  case labelSize(feature: Int32, width: Double, height: Double)

  /// How high the ground is where a feature stands, metres over the sea, or not a number when nobody knows.
  case featureGround(feature: Int32, height: Double)
  /// How high the ground is below a corner of a line or an area that lies on it, metres over the sea, or not a number when nobody knows.
  ///
  /// The corner is an index in ``WorldDescription/pathVertices``.
  case cornerGround(corner: Int32, height: Double)

  /// What the host draws over the view has changed: nothing is laid out under it, see `Occupied`.
  case occupied(Occupied)

  /// The buildings around have changed: features behind them are hidden, see `SceneItem.visibility`; none: everything is seen.
  ///
  /// Of more walls than `Scene.Parameters.Hidden.mostWalls` the first are kept.
  case buildings([SceneBuilding])

  // The user.
  /// What becomes of labels of what stands behind buildings.
  case setHiddenLabels(HiddenLabels)
  /// A tap on the picture, display points.
  case touch(Vector2)
  /// A feature was chosen by other means (list, map, keyboard): select it and do what it does.
  case press(feature: Int32)
  /// An overlay was tapped.
  case pressOverlay(Int32)
  /// Select a feature (or none) without doing what it does.
  case select(Int32?)
  /// Open or close a cluster.
  case toggleCluster(Int32)
  /// Radius inside which features are shown, metres, > 0.
  case setRadius(Double)
  /// Which categories are shown: bit *n* is category *n*.
  case setCategories(UInt64)
  /// How far the phone is above the ground on which the user stands, metres, 0.1 … 100: where the ground is not known, it is that far
  /// below. Until then as ``Scene/Parameters/Things/groundBelowEye`` says.
  case setEyeHeight(Double)
  /// The user drags the world about until it fits: what was seen at the first point of the display is at the second now.
  ///
  /// Many small drags add up.
  case dragWorld(from: Vector2, to: Vector2)
  /// A landmark is seen at a point of the display (`nil`: its centre).
  case pointAtPlace(Geodetic, at: Vector2?)
  /// A feature of the world is seen at a point of the display (`nil`: its centre).
  case pointAtFeature(Int32, at: Vector2?)
  /// Sun or moon is seen at a point of the display (`nil`: its centre).
  case pointAtBody(Ephemeris.Body, at: Vector2?)
  /// A correction of the heading from an earlier session, see ``Session/headingCorrections``.
  case restoreHeadingCorrection(HeadingCorrection)
  /// No corrections of the heading any more.
  case forgetHeadingCorrections
  /// What vision saw in a picture of the camera: where the world's anchors are in it, and, when one of them is surveyed, where
  /// the user is and where north is.
  case observations(Observations)
  /// Where an anchor hangs, or (`nil`) that it is no longer believed to hang anywhere: for codes that say so themselves. Worlds say it
  /// of their own anchors, see `WorldAnchor.survey`.
  case survey(AnchorID, AnchorSurvey?)
  /// The host has read a feature's model or picture: the box around it, in its units. An empty one says that it could not: the feature
  /// has its label then, and is not asked for again.
  case modelBounds(feature: Int32, ModelPlacement.Bounds)
  /// How many triangles a feature's model has: they count towards the most of a frame.
  case modelTriangles(feature: Int32, Int32)
  /// Hold the picture still, or let it move again.
  case setFrozen(Bool)
  /// The view is not active (menu, alert, hidden page): no automatic refreshing. What runs goes on, and the user can
  /// still ask for a world.
  case suspend
  /// The view is active again: what became due meanwhile is fetched at once.
  case resume
}

/// Which way the device is turned.
public enum OrientationReading: Equatable, Sendable {
  /// A unit quaternion that rotates device vectors into EastNorthUp.
  case quaternion(worldFromDevice: Quaternion, north: NorthReference)
  /// The angles of the browser's `deviceorientation` events, degrees: intrinsic Z-X′-Y″.
  case browserAngles(alpha: Double, beta: Double, gamma: Double, north: NorthReference)
  /// Angles as above with the separate compass heading of iOS: degrees clockwise from magnetic north of the device's top
  /// edge, and its accuracy in degrees (negative: invalid).
  case browserAnglesWithCompass(alpha: Double, beta: Double, gamma: Double, heading: Double, accuracy: Double)
}

/// A position fix.
public struct LocationFix: Equatable, Sendable {
  /// Degrees, WGS84.
  public var latitudeDegrees: Double
  /// Degrees, WGS84.
  public var longitudeDegrees: Double
  /// Metres, or `nil` when the platform does not know.
  public var altitude: Double?
  /// What ``altitude`` is measured from; one that is not the same for everybody counts as unknown.
  public var altitudeDatum: HeightDatum
  /// Radius of the 95 % circle, metres; negative is invalid.
  public var horizontalAccuracy: Double
  /// 95 %, metres, or `nil` when the altitude is unknown.
  public var verticalAccuracy: Double?
  /// Course over ground, degrees clockwise from true north, or `nil` when standing or unknown.
  public var courseDegrees: Double?
  /// Metres a second, or `nil` when unknown.
  public var speed: Double?

  /// A fix.
  public init(
    latitudeDegrees: Double,
    longitudeDegrees: Double,
    altitude: Double? = nil,
    altitudeDatum: HeightDatum = .ellipsoid,
    horizontalAccuracy: Double,
    verticalAccuracy: Double? = nil,
    courseDegrees: Double? = nil,
    speed: Double? = nil
  ) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
    self.altitude = altitude
    self.altitudeDatum = altitudeDatum
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.courseDegrees = courseDegrees
    self.speed = speed
  }
}

/// Why a sensor gives nothing.
public enum UnavailableReason: UInt8, Sendable {
  /// The user or a policy said no.
  case denied = 0
  /// The device has none, or it failed.
  case missing = 1
  /// It took too long.
  case timedOut = 2
}

/// A host's number for a request it was asked to make.
public struct RequestID: Equatable, Hashable, Sendable {
  /// The number, counted up from 1.
  public var rawValue: Int32
  /// An identifier from its number.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
}

/// Why a world could not be loaded.
///
/// The host words and translates it.
public enum FailureReason: Equatable, Sendable {
  /// No answer: network, name, refused, reset.
  case network
  /// No answer in time.
  case timedOut
  /// An answer with another status than success.
  case status(Int32)
  /// The answer is not a document of a known format.
  case malformed
  /// The document is well formed but has no world in it.
  case notAWorld
  /// The address may not be opened.
  case refused
}
