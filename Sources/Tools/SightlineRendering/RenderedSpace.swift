import SightlineMath
import SightlinePictures

/// What is drawn of world tracking: surfaces, points and the way gone over the camera's picture, and a plan from above.
///
/// Places are pixels of the picture; the middle of the first one is 0, 0.
public struct RenderedSpace: Sendable {
  /// What kind of surface is drawn.
  public enum Surface: Sendable { case floor, level, upright, ceiling }

  /// A surface as far as it has been seen.
  public struct Plane: Sendable {
    /// Corners in order.
    public var outline: [Vector2]
    /// What it is.
    public var surface: Surface

    /// A surface.
    public init(outline: [Vector2], surface: Surface) { (self.outline, self.surface) = (outline, surface) }
  }

  /// A point whose place is known.
  public struct Point: Sendable {
    /// Where it is seen.
    public var pixel: Vector2
    /// From the lens, metres.
    public var distance: Double

    /// A point.
    public init(pixel: Vector2, distance: Double) { (self.pixel, self.distance) = (pixel, distance) }
  }

  /// The same from above: metres, x right, y up.
  public struct Plan: Sendable {
    /// Points of the surroundings.
    public var points: [Vector2] = []
    /// The way gone, in pieces between which nobody knows it.
    public var path: [[Vector2]] = []
    /// Where the lens is.
    public var place = Vector2(0, 0)
    /// Which way it looks, of length 1.
    public var direction = Vector2(0, 1)

    /// Nothing.
    public init() {}
  }

  /// The camera's picture.
  public var picture: Picture
  /// Surfaces.
  public var planes: [Plane] = []
  /// Points of the surroundings.
  public var points: [Point] = []
  /// Points that are followed in this frame.
  public var followed: [Vector2] = []
  /// The way gone, in pieces.
  public var path: [[Vector2]] = []
  /// From above; `nil` as long as there is nothing.
  public var plan: Plan?
  /// What is known, in a line.
  public var caption = ""
  /// Whether the place is not known for sure.
  public var isUnsure = false

  /// A picture over which nothing is drawn.
  public init(picture: Picture) { self.picture = picture }
}
