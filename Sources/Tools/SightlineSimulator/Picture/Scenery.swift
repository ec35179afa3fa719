import SightlineMath

/// A colour, 0 … 255 for each part.
public struct Colour: Equatable, Sendable {
  /// Red.
  public var red: Double
  /// Green.
  public var green: Double
  /// Blue.
  public var blue: Double

  /// A colour from its parts.
  public init(_ red: Double, _ green: Double, _ blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// A grey level.
  public init(grey: Double) { self.init(grey, grey, grey) }

  init(_ parts: [Double]) { self.init(parts[0], parts[1], parts[2]) }

  static func * (c: Colour, k: Double) -> Colour { Colour(c.red * k, c.green * k, c.blue * k) }
  static func + (a: Colour, b: Colour) -> Colour { Colour(a.red + b.red, a.green + b.green, a.blue + b.blue) }
  /// Brightness as an eye sees it (the weights of ITU-R BT.601).
  var luminance: Double { 0.299 * red + 0.587 * green + 0.114 * blue }
}

/// What stands around the phone; metres in the world frame.
public struct Scenery: Equatable, Sendable {
  /// Houses on both sides of a way.
  public struct Street: Equatable, Sendable {
    /// Middle of the street.
    public var east: Double
    /// Middle of the street.
    public var north: Double
    /// Along the street.
    public var heading: Angle
    /// Metres.
    public var length: Double
    /// From house to house, metres.
    public var width: Double
  }

  /// A pole with a plate on top: what a label belongs to.
  public struct Landmark: Equatable, Sendable {
    /// As labels say it.
    public var name: String
    /// Where it stands.
    public var foot: Vector3
    /// Metres from the foot to the middle of the plate.
    public var height = 4.0
    /// Of the plate; `nil` for one of its own.
    public var colour: Colour?

    /// A landmark.
    public init(name: String, foot: Vector3) {
      self.name = name
      self.foot = foot
    }

    /// The point that a label points at: the middle of the plate.
    public var point: Vector3 { foot + Vector3(0, 0, height) }
  }

  /// A flat picture in the world: a marker, a poster.
  public struct Picture: Equatable, Sendable {
    /// Where to read it from.
    public var path: String
    /// Its middle.
    public var center: Vector3
    /// Where its front looks, clockwise from north.
    public var facing = Angle.zero
    /// Upwards turn of its front: 90° lies on a table and looks up.
    public var tilt = Angle.zero
    /// Clockwise turn as seen from the front.
    public var turn = Angle.zero
    /// Metres.
    public var width = 1.0
    /// Metres; `nil` for what the picture's own shape gives.
    public var height: Double?
    /// Whether its tones are blended between pixels, as photographs want it, or its pixels are cells with hard edges.
    public var isSmooth = true
    /// What it is a print of, when it is a marker; ``path`` is empty and ``width`` that of its paper then.
    public var marker: Marker?

    /// A picture at a place.
    public init(path: String, center: Vector3) {
      self.path = path
      self.center = center
    }
  }

  /// A square marker by its name.
  public struct Marker: Equatable, Sendable {
    /// Name of its dictionary, as the script has it.
    public var dictionary: String
    /// Its number there.
    public var id: Int
    /// Outer edge of its black border, metres.
    public var side: Double
  }

  /// A table: a top with four sides, for what lies on it.
  public struct Table: Equatable, Sendable {
    /// Middle of its top.
    public var center: Vector3
    /// Side of the square top, metres.
    public var side: Double
    /// Of the top; `nil` for wood.
    public var colour: Colour?
  }

  /// A furnished room with patterned walls; its floor at up = 0, its walls along the axes of the world.
  public struct Room: Equatable, Sendable {
    /// From west to east, metres.
    public var width: Double
    /// From south to north, metres.
    public var depth: Double
    /// Metres.
    public var height: Double
    /// Its middle.
    public var east: Double
    /// Its middle.
    public var north: Double
    /// How many pieces of furniture are tried; those that find no place are left out.
    public var furniture: Int

    /// Metres from a place to the nearest wall, the floor or the ceiling; below 0 outside.
    func margin(of p: Vector3) -> Double {
      min(width / 2 - abs(p.x - east), depth / 2 - abs(p.y - north), p.z, height - p.z)
    }
  }

  /// Rooms.
  public var rooms: [Room] = []
  /// Streets.
  public var streets: [Street] = []
  /// The houses of a place that is.
  public var town: Town?
  /// Landmarks.
  public var landmarks: [Landmark] = []
  /// Pictures.
  public var pictures: [Picture] = []
  /// Tables.
  public var tables: [Table] = []

  /// An empty plain.
  public init() {}
}
