import SightlineGeodesy
import SightlineMath

/// Everything of a loaded world that the engine needs: where its features are, how large their visuals are, what a tap
/// does.
///
/// Texts, pictures and addresses stay with the host, which knows them by index or ``AddressID``; the engine holds no
/// strings.
public struct WorldDescription: Equatable, Sendable {
  /// The places, in document order.
  ///
  /// A feature's index in this array is its identity for as long as the world is loaded.
  public var features: [SceneFeature] = []
  /// What is fixed to the screen, in document order; later ones are drawn on top.
  public var overlays: [SceneOverlay] = []
  /// Overlay indices named by ``SceneFeature/focusOverlays``.
  public var focusOverlays: [Int32] = []
  /// Lines and areas on the ground.
  public var paths: [ScenePath] = []
  /// Corners of the paths.
  public var pathVertices: [PathVertex] = []
  /// What features stand on in the camera's view, see ``SceneFeature/anchor``.
  public var anchors: [WorldAnchor] = []
  /// Models and pictures that stand at features in their true size, at most one for each.
  public var things: [SceneThing] = []
  /// When visuals are shown and how large, of those features whose document says so; the last of a feature counts.
  public var rules: [DisplayRule] = []
  /// Whether models and pictures on anchors have their names beside them also while they are not selected; otherwise a dot.
  public var namesWhatStandsOnAnchors = false
  /// Radius of the radar, metres; 0: what ``Scene/setRadius(_:)`` says, so that all that is shown is on it.
  public var radarRange: Double = 0
  /// Whether the world wants a radar.
  public var radarAvailable = true
  /// When the world is to be fetched again.
  public var refresh = RefreshRule()
  /// Where it is fetched again, if it may be.
  public var refreshAddress: AddressID?

  /// An empty world.
  public init() {}
}

/// A host's number for an address (URL) it keeps in a table of its own.
public struct AddressID: Equatable, Hashable, Sendable {
  /// The number.
  public var rawValue: Int32
  /// An identifier from its number.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
}

/// When a world is fetched again without the user asking.
public struct RefreshRule: Equatable, Sendable {
  /// Seconds after the world was received; 0 is never.
  public var intervalSeconds: Double = 0
  /// Metres from the position sent with the last request, horizontally; 0 is never.
  public var distance: Double = 0

  /// A rule; the default never refreshes.
  public init(intervalSeconds: Double = 0, distance: Double = 0) {
    self.intervalSeconds = intervalSeconds
    self.distance = distance
  }
}

/// What kind of visual a feature has.
public enum VisualKind: UInt8, Sendable {
  /// A label with text.
  case text = 0
  /// A picture.
  case image = 1
  /// A three-dimensional model: at a place it is one of ``WorldDescription/things``, and its label stands in for it.
  case model = 2
  /// A label of what stands in the open, such as a stop: a house beside it hides it, also when it stands at its front.
  case stop = 3
}

/// How a visual's size on the screen follows from its size in the world.
public enum SizeMode: UInt8, Sendable {
  /// ``SceneFeature/width`` and ``SceneFeature/height`` are points on the screen at any distance.
  case constant = 0
  /// ``SceneFeature/width`` and ``SceneFeature/height`` are metres, drawn in perspective.
  case trueSize = 1
}

/// What a tap on a feature or an overlay does.
public enum SceneAction: Equatable, Sendable {
  /// Nothing but selecting it.
  case none
  /// Fetch the world again from its refresh address, naming the tapped item.
  case refresh
  /// Let the host open a web page, after asking.
  case webPage(AddressID)
  /// Load another world.
  case dimension(AddressID)
}

/// One place of a world.
public struct SceneFeature: Equatable, Sendable {
  /// Identity that survives a refresh: equal keys are the same thing in the old and the new world.
  ///
  /// 0 is none.
  public var key: UInt64 = 0
  /// Degrees, WGS84.
  public var latitudeDegrees: Double
  /// Degrees, WGS84.
  public var longitudeDegrees: Double
  /// Metres above ``altitudeDatum``.
  public var altitude: Double = 0
  /// What ``altitude`` is measured from.
  ///
  /// Of the ground nothing is known at first: it is as high as where the user stands, see
  /// ``Scene/setGround(feature:height:)``.
  public var altitudeDatum = HeightDatum.ellipsoid
  /// Metres east, north, up, added to the position; of a feature on an anchor right, up and out of it, from its middle.
  public var offset = Vector3.zero
  /// Whether it goes along with the user: then it is ``offset`` away from the eye wherever that is, and its position counts for nothing.
  public var followsEye = false
  /// What it stands on, an index in ``WorldDescription/anchors``; −1 for a feature with a place on the Earth.
  public var anchor: Int32 = -1
  /// How its model stands there, when it has one.
  public var model: ModelPlacement?
  /// Kind of visual.
  public var kind = VisualKind.text
  /// Meaning of ``width`` and ``height``.
  public var sizeMode = SizeMode.constant
  /// Width of the visual, points or metres.
  public var width: Double = 120
  /// Height of the visual, points or metres.
  public var height: Double = 32
  /// Width of the label with less on it (its name alone), points; 0: there is no such, and no dot for it either.
  ///
  /// Labels that have one are shown at three levels, see ``LabelLevel``.
  public var compactWidth: Double = 0
  /// Height of the label with less on it, points.
  public var compactHeight: Double = 0
  /// The point of the visual that is put on the place, as fractions of its box: (0, 0) top left, (0.5, 1) bottom centre.
  public var pivot = Vector2(0.5, 1)
  /// Number of its category, 0 …< 64; 0 is "none".
  public var category: UInt8 = 0
  /// Whether it is a blip on the radar.
  public var showInRadar = true
  /// Shown only when the user is nearer than this, metres; 0 is no limit of its own.
  public var visibilityRadius: Double = 0
  /// What a tap does.
  public var action = SceneAction.none
  /// Range in ``WorldDescription/focusOverlays`` of the overlays shown while this feature is in focus.
  public var focusOverlays: Range<Int> = 0..<0

  /// A feature at a place, with the defaults above.
  public init(latitudeDegrees: Double, longitudeDegrees: Double) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }
}

/// One thing fixed to the screen.
public struct SceneOverlay: Equatable, Sendable {
  /// Identity that survives a refresh, as ``SceneFeature/key``.
  public var key: UInt64 = 0
  /// Invisible until a feature in focus names it.
  public var hidden = false
  /// What a tap does.
  public var action = SceneAction.none

  /// A visible overlay without action.
  public init() {}
}
