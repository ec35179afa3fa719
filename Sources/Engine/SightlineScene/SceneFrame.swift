import SightlineMath
import SightlineOcclusion

/// What to draw at one moment: the engine's output.
///
/// Screen coordinates are points (CSS pixels), origin at the top left corner of the display as it is held, x right,
/// y down. Arrays are reused from frame to frame; copy what you keep.
public struct SceneFrame: Sendable {
  /// Seconds, the session's clock.
  public var time: Double = 0
  /// Display size, points.
  public var width: Double = 0
  /// Display size, points.
  public var height: Double = 0
  /// Whether a picture could be made: orientation, position, display and camera are known.
  public var isValid = false
  /// Rotates device vectors into the session's world frame (EastNorthUp at the origin).
  public var worldFromDevice = Quaternion.identity
  /// The eye in the world frame, metres.
  public var eyeInWorld = Vector3.zero
  /// Clip-space matrix from the world frame, column-major as WebGL wants it: 16 numbers, depth −1 … 1.
  public var clipFromWorld = [Float](repeating: 0, count: 16)
  /// Viewing direction clockwise from true north, −π … π; when flat, of the display's top edge.
  public var bearing = Angle.zero
  /// Viewing direction above the horizon, −π/2 … π/2.
  public var pitch = Angle.zero
  /// Turn of the world's "up" on the display, radians clockwise on the screen from the display's top.
  ///
  /// Rotate a billboard by this (CSS `rotate`) and it stands upright in the world. Near straight up and straight down,
  /// where "up" on the screen means nothing, the last value is held.
  public var roll = Angle.zero
  /// Horizontal field of view of the display.
  public var horizontalFieldOfView = Angle.zero
  /// Vertical field of view of the display.
  public var verticalFieldOfView = Angle.zero
  /// Visible features, nearest first; draw them from last to first.
  public var items: [SceneItem] = []
  /// Groups that could not be laid out.
  public var clusters: [SceneCluster] = []
  /// Feature indices of the clusters' members, see ``SceneCluster/members``.
  public var clusterMembers: [Int32] = []
  /// Pointers at the screen's edge to what lies outside.
  public var arrows: [EdgeArrow] = []
  /// What is before the eye of the lines and areas on the ground.
  public var paths: [ScenePathRun] = []
  /// Points of the paths on the display, also far outside of it.
  public var pathPoints: [Vector2] = []
  /// The radar.
  public var radar = RadarFrame()
  /// The world's anchors that something is known of, or that were lost with the newest picture of the camera.
  public var anchors: [SceneAnchor] = []
  /// What stands on anchors that are not lost.
  public var anchored: [AnchoredItem] = []
  /// When that picture was taken, seconds; −∞ before the first.
  public var pictureTime = -Double.infinity
  /// Clip-space matrix from the frame of that picture's camera (x right, y down, z forward), column-major, depth −1 … 1;
  /// zeros before the first picture.
  public var clipFromCamera = InlineArray<16, Float>(repeating: 0)
  /// Models and pictures in their true size before the camera, the selected one first, then by how large they are seen.
  public var things: [ThingItem] = []
  /// Clip-space matrix from the camera's frame of ``things`` (x right, y down, z forward, as the display is held), column-major,
  /// depth −1 … 1; zeros before there was one.
  public var clipFromThingCamera = InlineArray<16, Float>(repeating: 0)
  /// How the camera of ``things`` is turned against east, north and up at the eye.
  public var cameraFromEastNorthUp = Quaternion.identity
  /// For each overlay of the world, whether it is visible now.
  public var overlayVisible: [Bool] = []
  /// The selected feature.
  public var selected: Int32?
  /// The feature whose `focusOverlays` are shown: the one with such overlays nearest to the display's centre.
  public var focused: Int32?
  /// Features inside the radius and the category filter, in view or not.
  public var candidateCount = 0
  /// Those of them that stand behind buildings, in view or not, nearest first: what
  /// `visibility(of:)` tells of features, clusters and arrows.
  public var hidden: [Int32] = []
  /// Those of which part is seen, likewise.
  public var partlySeen: [Int32] = []

  /// An empty frame.
  public init() {}
}

/// One visible feature.
public struct SceneItem: Equatable, Sendable {
  /// Index in ``WorldDescription/features``.
  public var feature: Int32 = 0
  /// The place itself on the screen, points.
  public var anchor = Vector2.zero
  /// Centre of the visual's box on the screen, points.
  ///
  /// The box is turned by ``SceneFrame/roll``.
  public var center = Vector2.zero
  /// Width of the box, points.
  public var width: Double = 0
  /// Height of the box, points.
  public var height: Double = 0
  /// By how much the box and all in it are larger than the host draws the label otherwise; see ``DistanceScaling``.
  public var scale: Double = 1
  /// Distance along the optical axis, metres, > 0.
  public var depth: Double = 0
  /// Horizontal distance along the ground from the user, metres.
  public var distance: Double = 0
  /// 0 … 1, for fading in and out.
  public var opacity: Double = 1
  /// Whether the box stands away from its place: draw a leader line from the box to ``anchor``.
  public var hasLeader = false
  /// Whether it is the selected feature.
  public var isSelected = false
  /// Whether it was fanned out of a cluster.
  public var isFannedOut = false
  /// How much of the label is shown.
  public var level = LabelLevel.card
  /// Whether the circle of the position's error covers the place: its direction means nothing then, "you are there".
  public var isNearField = false
  /// Whether its place is seen from here, or stands behind buildings.
  public var visibility = Visibility.seen

  /// An item with the defaults above.
  public init() {}
}

/// Features that stand too close together for their own labels.
public struct SceneCluster: Equatable, Sendable {
  /// Stable while the cluster lives, > 0: the key to open it.
  public var id: Int32 = 0
  /// The place it stands for on the screen, points: where one of its members is, or was before it left the view.
  public var anchor = Vector2.zero
  /// Centre on the screen, points; the box is turned by ``SceneFrame/roll``.
  public var center = Vector2.zero
  /// Width of the box, points.
  public var width: Double = 0
  /// Height of the box, points.
  public var height: Double = 0
  /// Distance of the nearest member along the ground, metres.
  public var nearestDistance: Double = 0
  /// Range in ``SceneFrame/clusterMembers``, nearest first.
  ///
  /// Of an open cluster these are the members fanned out now; those that found no room in the fan are the members of a
  /// second, closed cluster, the remainder.
  public var members: Range<Int> = 0..<0
  /// Whether its members are fanned out at the moment.
  public var isOpen = false
  /// 0 … 1, for fading in.
  public var opacity: Double = 1
  /// Whether the box stands away from its place: draw a leader line from the box to ``anchor``.
  public var hasLeader = false

  /// A cluster with the defaults above.
  public init() {}
}

/// Which edge an arrow stands at, in world terms: "above" is towards the sky however the phone is rolled.
public enum EdgeSide: UInt8, Sendable {
  /// To the left of the view.
  case left = 0
  /// To the right of the view.
  case right = 1
  /// Above the view.
  case above = 2
  /// Below the view.
  case below = 3
}

/// A pointer to features outside the view.
public struct EdgeArrow: Equatable, Sendable {
  /// Side of the view.
  public var side = EdgeSide.left
  /// Place of the arrow on the screen, points.
  public var position = Vector2.zero
  /// Where it points on the screen: radians clockwise from the display's top.
  public var direction = Angle.zero
  /// How many features lie that way.
  public var count: Int32 = 0
  /// The nearest of them (or the selected one), an index in ``WorldDescription/features``.
  public var nearest: Int32 = 0
  /// Its distance along the ground, metres.
  public var nearestDistance: Double = 0
  /// Whether this arrow leads to the selected feature alone.
  public var isForSelection = false

  /// An arrow with the defaults above.
  public init() {}
}

/// How the phone is held, as far as the radar is concerned.
public enum RadarAttitude: UInt8, Sendable {
  /// Held up: ahead is where the sky is on the screen.
  case upright = 0
  /// Lying, screen up: the radar turns like a compass, without a view wedge.
  case flat = 1
  /// Screen down, looking at the sky overhead: no blips.
  case upsideDown = 2
}

/// The radar disc.
///
/// Coordinates are fractions of its radius, origin in the centre, x right, y down on the display.
public struct RadarFrame: Sendable {
  /// How the phone is held.
  public var attitude = RadarAttitude.upright
  /// Radius, metres.
  public var range: Double = 1000
  /// Direction of true north on the disc: radians clockwise from the display's top.
  public var north = Angle.zero
  /// Direction of the view wedge on the disc: radians clockwise from the display's top.
  public var wedgeDirection = Angle.zero
  /// Opening of the view wedge: the horizontal angle that the display shows, as it is turned against the horizon.
  public var wedgeOpening = Angle.zero
  /// Length of the view wedge, 0 (hidden) … 1.
  public var wedgeLength: Double = 0
  /// Whether the world wants a radar.
  public var isAvailable = true
  /// The blips, nearest first.
  public var blips: [RadarBlip] = []

  /// An empty radar.
  public init() {}
}

/// A feature on the radar.
public struct RadarBlip: Equatable, Sendable {
  /// Index in ``WorldDescription/features``.
  public var feature: Int32
  /// Place on the disc.
  public var position: Vector2
  /// Whether it is the selected feature.
  public var isSelected: Bool

  /// A blip.
  public init(feature: Int32, position: Vector2, isSelected: Bool) {
    self.feature = feature
    self.position = position
    self.isSelected = isSelected
  }
}
