import SightlineMath

/// A pin to be placed.
public struct GroundPin: Equatable, Sendable {
  /// Where it stands in the ground frame, metres: x east, y north.
  public var position: Vector2
  /// Width of its label, points; 0 for none.
  public var labelWidth: Double
  /// Height of its label, points.
  public var labelHeight: Double

  /// A pin.
  public init(position: Vector2, labelWidth: Double = 0, labelHeight: Double = 0) {
    self.position = position
    self.labelWidth = labelWidth
    self.labelHeight = labelHeight
  }
}

/// Where a pin is drawn.
public struct PlacedPin: Equatable, Sendable {
  /// The point where it stands, on the screen; meaningless when it is not in front.
  public var foot = Vector2.zero
  /// The middle of its head, on the screen.
  public var head = Vector2.zero
  /// Depth of the foot along the line of sight, metres; not positive behind the eye.
  public var depth = 0.0
  /// From foot to head in the world, metres, along ``GroundFrame/pinAxis``.
  public var height = 0.0
  /// Whether some of it is on the screen.
  public var isInView = false
  /// Whether its label has room.
  public var hasLabel = false
  /// Middle of the label, on the screen; the label is turned by ``GroundFrame/roll``.
  public var label = Vector2.zero
}

/// The ground map of one moment: what to draw it with.
///
/// The ground frame is east, north, up at a place near the user, metres, with the ground at height 0. Screen coordinates
/// are points, x right, y down. Arrays are reused from frame to frame.
public struct GroundFrame: Sendable {
  /// Whether a picture could be made: orientation, position and display are known.
  public var isValid = false
  /// Whether the phone lies flat, or the map is wanted.
  public var isMap = false
  /// From the view (0) to the map (1).
  public var mapPart = 0.0
  /// The eye in the ground frame; its height is not the user's, see ``GroundView``.
  public var eye = Vector3.zero
  /// Where the user stands in the ground frame.
  public var user = Vector2.zero
  /// Which way the user faces, clockwise from north: the line of sight's, and the top edge's when flat.
  public var heading = Angle.zero
  /// Which way the top of the screen is, clockwise from north, when the map is shown.
  public var mapHeading = Angle.zero
  /// Viewing direction of the phone above the horizon.
  public var pitch = Angle.zero
  /// Turn of the world's "up" on the screen, clockwise from its top; labels are turned by it.
  public var roll = Angle.zero
  /// Focal length along the screen's y axis, points.
  public var focal = 0.0
  /// Clip-space matrix from the ground frame, column-major as WebGL wants it: 16 numbers, depth −1 … 1.
  public var clipFromGround = [Float](repeating: 0, count: 16)
  /// Unit vector from a pin's foot to its head in the ground frame.
  public var pinAxis = Vector3(0, 0, 1)
  /// Unit vector to the right of the screen, turned upright by ``roll``, in the ground frame.
  public var right = Vector3(1, 0, 0)
  /// Unit vector to the top of the screen, turned upright by ``roll``, in the ground frame.
  public var up = Vector3(0, 0, 1)
  /// Unit vector across a pin, square to ``pinAxis`` and to the line of sight.
  public var pinSide = Vector3(1, 0, 0)
  /// The pins, in the order they were given.
  public var pins: [PlacedPin] = []
  /// Whether the selected pin is outside the screen, and an arrow points to it.
  public var hasArrow = false
  /// Where the arrow is, on the screen.
  public var arrow = Vector2.zero
  /// Where it points, clockwise from the screen's top.
  public var arrowDirection = Angle.zero

  /// An empty frame.
  public init() {}
}
