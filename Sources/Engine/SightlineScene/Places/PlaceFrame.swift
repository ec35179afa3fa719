import SightlineMath

/// Places before the camera at a moment.
public struct PlaceFrame: Sendable {
  /// A place.
  public struct Item: Sendable {
    /// Index of the place as it was told.
    public var place: Int32 = 0
    /// From the eye, metres, in a straight line.
    public var distance = 0.0
    /// 0 … 1: places fade towards the radius.
    public var opacity = 0.0
    /// From the place (x east, y north, z up; metres) to the camera (x right, y down, z forward).
    public var cameraFromPlace = SimilarityTransform(rotation: .identity, translation: .zero, scale: 1)
  }

  /// Whether position, orientation and display are known; without, there is nothing else in it.
  public internal(set) var isValid = false
  /// Places within the radius, before and behind the camera, in the order in which they were told.
  public internal(set) var items: [Item] = []
  /// From the camera to clip space of the display, depth −1 … 1; column-major.
  public internal(set) var clipFromCamera = InlineArray<16, Float>(repeating: 0)
  /// The same from east, north, up at the eye.
  public internal(set) var clipFromEastNorthUp = [Float](repeating: 0, count: 16)
  /// Where the camera looks, clockwise from true north.
  public internal(set) var bearing = Angle.zero
  /// How far it looks up.
  public internal(set) var pitch = Angle.zero
  /// World's up on the display, clockwise from its top.
  public internal(set) var roll = Angle.zero

  /// An empty frame.
  public init() {}
}
