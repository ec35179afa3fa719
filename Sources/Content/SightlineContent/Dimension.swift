/// A world: everything loaded from one source at one time.
///
/// The common model that every format is read into.
///
/// The synthesised `Codable` form is the JSON that `sightline validate --format json`, the server and the web client
/// share: member names are the property names, absent optionals are left out.
public struct Dimension: Codable, Equatable, Sendable {
  /// Title for people.
  public var name: String?
  /// Language of the texts, as BCP 47 tag; `nil` when it is not known.
  public var language: String?
  /// Title and summary in other languages, by BCP 47 tag.
  public var translations: [String: Wording]?
  /// A sentence or two about it.
  public var summary: String?
  /// Who is to be credited for the content.
  public var attribution: String?
  /// Radius of the radar, metres, > 0; `nil` when nothing is said of it: then it shows what the user's radius holds.
  public var radarRange: Double?
  /// Whether the world wants a radar.
  public var radarAvailable: Bool = true
  /// Whether `altitude` of the places is measured from the device (GDDF `relativeAltitude`).
  ///
  /// Kept beside each place's own ``Place/altitudeMode`` so that a document without places is written back as it was.
  public var relativeAltitude: Bool = false
  /// Where it is fetched again.
  public var refreshURL: String?
  /// Seconds after receipt when it is fetched again; 0 is never.
  public var refreshIntervalSeconds: Double = 0
  /// Metres from the last request's position when it is fetched again; 0 is never.
  public var refreshDistance: Double = 0
  /// A sound of the whole world; the page plays it when the user taps on it.
  public var soundURL: String?
  /// Files that visuals use.
  public var assets: [Asset] = []
  /// What stands in the world, in document order.
  public var places: [Place] = []
  /// What is fixed to the screen, in document order.
  public var overlays: [Overlay] = []

  /// An empty world.
  public init() {}
}

/// Texts in one more language; what is missing is shown in the world's own.
public struct Wording: Codable, Equatable, Sendable {
  /// Title for lists and cards.
  public var title: String?
  /// Longer text.
  public var summary: String?
  /// The label, or an overlay's text.
  public var text: String?

  /// Texts in one language.
  public init(title: String? = nil, summary: String? = nil, text: String? = nil) {
    self.title = title
    self.summary = summary
    self.text = text
  }
}

/// A file used by a visual.
public struct Asset: Codable, Equatable, Sendable {
  /// Identifier inside the world.
  public var id: String
  /// Absolute address.
  public var url: String
  /// Declared kind, as written (`PNG`, `JPG`, `GAMA3D`); the real kind is decided from the data.
  public var format: String?

  /// An asset.
  public init(id: String, url: String, format: String? = nil) {
    self.id = id
    self.url = url
    self.format = format
  }
}

/// What an altitude is measured from.
public enum AltitudeMode: String, Codable, Sendable {
  /// The WGS84 ellipsoid.
  case ellipsoid
  /// Mean sea level.
  case seaLevel
  /// The ground.
  case ground
  /// The device.
  case eye
}

/// The point of a visual that is put on its position.
public enum Pivot: String, Codable, CaseIterable, Sendable {
  /// Top left, centre, right.
  case topLeft = "TL"
  case topCenter = "TC"
  case topRight = "TR"
  /// Centre left, centre, right.
  case centerLeft = "CL"
  case center = "CC"
  case centerRight = "CR"
  /// Bottom left, centre, right.
  case bottomLeft = "BL"
  case bottomCenter = "BC"
  case bottomRight = "BR"
}

/// What a tap does.
public enum Action: Equatable, Sendable {
  /// Fetch the world again.
  case refresh
  /// Open a web page.
  case webPage(String)
  /// Load another world.
  case dimension(String)
}

/// How a place looks.
public enum Visual: Equatable, Sendable {
  /// A label.
  case text(String)
  /// A picture.
  case image(assetID: String)
  /// A model: rotations in degrees about its own axes (of a place on the Earth z first, then x, then y), and metres for one of its units.
  case model(assetID: String, xRotation: Double, yRotation: Double, zRotation: Double, scale: Double)
}

/// A position on the Earth.
public struct Position: Codable, Equatable, Sendable {
  /// Degrees, WGS84, −90 … 90.
  public var latitude: Double
  /// Degrees, WGS84, −180 … 180.
  public var longitude: Double
  /// Metres; `nil` when the source gives none.
  public var altitude: Double?

  /// A position.
  public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

/// Metres east, north and up, added to a position.
public struct Offset: Codable, Equatable, Sendable {
  /// Metres east.
  public var east: Double
  /// Metres north.
  public var north: Double
  /// Metres up.
  public var up: Double

  /// An offset; none by default.
  public init(east: Double = 0, north: Double = 0, up: Double = 0) {
    self.east = east
    self.north = north
    self.up = up
  }
}

/// One thing that stands in the world.
public struct Place: Codable, Equatable, Sendable {
  /// Identifier inside the world, as written or derived.
  public var id: String?
  /// Title for lists and cards.
  public var title: String
  /// Longer text.
  public var summary: String?
  /// Where it is; `nil` for a place without usable position (kept in lists, not in the view).
  public var position: Position?
  /// What `position.altitude` is measured from.
  public var altitudeMode: AltitudeMode = .ellipsoid
  /// Added to the position.
  public var offset = Offset()
  /// Whether it goes along with the user; `nil` is no.
  ///
  /// Then ``offset`` is metres east, north and up from the eye, and there is no position.
  public var followsUser: Bool?
  /// The printed marker it stands on, beside or instead of a position; ``offset`` and rotations are then in the
  /// marker's frame.
  public var marker: MarkerAnchor?
  /// The flat picture it stands on, beside or instead of a position; ``offset`` and rotations are then in the picture's
  /// frame.
  public var target: TargetAnchor?
  /// Its lines and areas; `nil` for a place that is but a point.
  public var shapes: [Shape]?
  /// How these are drawn.
  public var shapeStyle: ShapeStyle?
  /// How it looks.
  public var visual: Visual
  /// How large its picture or model is in the world; without one a picture is a label of points, and a model has its own scale.
  public var size: TrueSize?
  /// How its picture (with a size) or model stands at its position; `nil`: a picture faces the user, the front of a model south.
  public var attitude: Attitude?
  /// How its sign is drawn; `nil` is as usual.
  public var icon: PlaceIcon?
  /// The point of the visual that is put on the position.
  public var pivot: Pivot = .bottomCenter
  /// What a tap does.
  public var action: Action?
  /// Whether it is on the radar.
  public var showInRadar: Bool = true
  /// Overlays shown while this place is in focus.
  public var showOnFocus: [String] = []
  /// Categories it belongs to; the first is the one shown.
  public var categories: [String] = []
  /// Shown only when the user is nearer than this, metres.
  public var visibilityRadius: Double?
  /// When its visual is shown, and how large; `nil`: always, and as usual.
  public var display: PlaceDisplay?
  /// A web page about it.
  public var link: String?
  /// A picture of it.
  public var imageURL: String?
  /// A sound about it; the page plays it when the user taps on it.
  public var soundURL: String?
  /// A telephone number.
  public var phone: String?
  /// Texts in other languages, by BCP 47 tag.
  public var translations: [String: Wording]?
  /// Everything else the source said.
  public var metadata: [String: String] = [:]

  /// A place with the defaults above.
  public init(title: String, position: Position?, visual: Visual) {
    self.title = title
    self.position = position
    self.visual = visual
  }
}

/// One thing fixed to the screen.
public struct Overlay: Codable, Equatable, Sendable {
  /// Identifier inside the world.
  public var id: String?
  /// Points from the left edge of the screen, or inwards from ``anchor``.
  public var x: Double
  /// Points from the top edge of the screen, or inwards from ``anchor``.
  public var y: Double
  /// The point of the free part of the screen that x and y count from; `nil` is the top left corner of the whole screen.
  ///
  /// Free is what the page's own bars and the edges of the device leave. From the left and from the middle x goes to the right,
  /// from the right to the left; from the top and from the middle y goes down, from the bottom up.
  public var anchor: Pivot?
  /// The point of the overlay that is put on (x, y).
  public var pivot: Pivot = .bottomCenter
  /// Invisible until a place in focus names it.
  public var hidden: Bool = false
  /// What a tap does.
  public var action: Action?
  /// How it looks.
  public var content: OverlayContent
  /// The text in other languages, by BCP 47 tag.
  public var translations: [String: Wording]?

  /// An overlay with the defaults above.
  public init(x: Double, y: Double, content: OverlayContent) {
    self.x = x
    self.y = y
    self.content = content
  }
}

/// How an overlay looks.
public enum OverlayContent: Equatable, Sendable {
  /// Text in a box of the given width, points; 0 is as wide as the text needs.
  case text(String, width: Double)
  /// A picture in its natural size.
  case image(assetID: String)
  /// A web page in a box, points.
  case html(url: String, width: Double, height: Double)
}
