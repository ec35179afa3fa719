import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// One place as its document says it, before anything is decided: what ``WorldCompiler`` makes a ``SceneFeature`` of.
///
/// Texts are UTF-16 code units, as `String.utf16` or a stretch of memory: they are hashed and compared, never read.
public struct PlaceContent<Text: Collection<UInt16>> {
  /// Identifier inside the world; `nil` when the document gives none.
  public var id: Text?
  /// Title for people.
  public var title: Text
  /// Degrees, WGS84; not a number without a position.
  public var latitudeDegrees = Double.nan
  /// Degrees, WGS84; not a number without a position.
  public var longitudeDegrees = Double.nan
  /// Metres above ``altitudeDatum``; not a number when the document gives none.
  public var altitude = Double.nan
  /// What ``altitude``, and those of shapes, are measured from.
  public var altitudeDatum = HeightDatum.ellipsoid
  /// Metres east, north, up, added to the position; in the print's frame for what stands on one.
  public var offset = Vector3.zero
  /// Whether it goes along with the user, ``offset`` away from the eye; it has no position then.
  public var followsUser = false
  /// The printed picture or marker that it stands on; `nil` for a place with a position alone.
  public var print: PrintContent?
  /// How its model stands there, when ``visual`` is one.
  public var model = ModelPlacement()
  /// Size of a picture, or height of a model, in the world, metres; 0 or not a number where the document says none.
  public var size = Vector2.zero
  /// How its model or picture stands at its place; `nil` where the document does not say.
  public var attitude: SceneThing.Attitude?
  /// Kind of visual.
  public var visual = VisualKind.text
  /// Size of its label with everything on it, points, as the host's letters need it.
  public var label = LabelSize(width: 120, height: 32)
  /// Size of its label with its name alone, points.
  public var compactLabel = LabelSize()
  /// The point of the visual that is put on the place.
  public var pivot = ContentPivot.bottomCenter
  /// The first of its categories; `nil` or empty without one.
  public var category: Text?
  /// Whether it is on the radar.
  public var showInRadar = true
  /// Shown only when the user is nearer than this, metres; 0 or not a number is no limit of its own.
  public var visibilityRadius = 0.0
  /// What a tap does; the host has given addresses their numbers.
  public var action = SceneAction.none

  /// A place without position, with the defaults above.
  public init(id: Text?, title: Text) {
    self.id = id
    self.title = title
  }
}

/// Size of a label, points on the screen.
public struct LabelSize: Equatable, Sendable {
  /// Points.
  public var width: Double
  /// Points.
  public var height: Double

  /// A size; nothing by default.
  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }
}

/// A printed picture or marker that a place stands on.
public struct PrintContent: Equatable, Sendable {
  /// How a print hangs whose place is that of what stands on it.
  public struct Hanging: Equatable, Sendable {
    /// Direction that its front faces, clockwise from true north.
    public var facing: Angle
    /// How far its front looks up.
    public var elevation: Angle
    /// How far it is turned clockwise from upright, for who looks at it.
    public var roll: Angle

    /// A way to hang.
    public init(facing: Angle, elevation: Angle = .zero, roll: Angle = .zero) {
      self.facing = facing
      self.elevation = elevation
      self.roll = roll
    }
  }

  /// What it is; pictures have the host's numbers.
  public var id: AnchorID
  /// Of a marker its black border, of a picture the whole print, metres.
  public var width: Double
  /// `nil`: it may be anywhere.
  public var hanging: Hanging?

  /// A print.
  public init(_ id: AnchorID, width: Double, hanging: Hanging? = nil) {
    self.id = id
    self.width = width
    self.hanging = hanging
  }
}

/// The point of a visual that is put on its position, row by row from the top left.
public enum ContentPivot: UInt8, CaseIterable, Sendable {
  /// Top left, centre, right.
  case topLeft = 0
  case topCenter = 1
  case topRight = 2
  /// Centre left, centre, right.
  case centerLeft = 3
  case center = 4
  case centerRight = 5
  /// Bottom left, centre, right.
  case bottomLeft = 6
  case bottomCenter = 7
  case bottomRight = 8

  /// As fractions of the visual's box: (0, 0) top left, (0.5, 1) bottom centre.
  var fractions: Vector2 { Vector2(Double(rawValue % 3) / 2, Double(rawValue / 3) / 2) }
}
