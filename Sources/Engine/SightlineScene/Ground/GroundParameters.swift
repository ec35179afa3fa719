import SightlineMath

extension GroundView {
  /// What can be tuned.
  ///
  /// Heights and distances in the world are metres, lengths on the screen points.
  public struct Parameters: Equatable, Sendable {
    /// Height of the eye over the ground while the view is level or looks up; larger spreads far stops farther apart
    /// under the horizon, and takes the ground farther away from the feet.
    public var minimumHeight = 20.0
    /// Height of the eye while the view looks straight down; larger shows more of the map.
    public var maximumHeight = 150.0
    /// Cosine of the angle between the line of sight and straight down below which the phone counts as flat: 25°.
    public var flatEnterCosine = 0.906_307_787_036_650
    /// Cosine of the angle at which a flat phone counts as held up again, smaller than ``flatEnterCosine``: 35°.
    public var flatLeaveCosine = 0.819_152_044_288_992
    /// How long the eye takes from the view to the map and back, seconds; 0 for at once.
    public var transitionSeconds = 0.4
    /// Pins stand as they are while their axis makes at least this angle with the line of sight, and lean towards the
    /// plane of the screen when looked at from nearer above; larger lays them down more.
    public var leanAngle = Angle(degrees: 50)
    /// Length of a near pin on the screen, seen from the side.
    public var nearPinLength = 84.0
    /// Length of a far pin on the screen; the original drew all alike.
    public var farPinLength = 46.0
    /// Depth up to which a pin counts as near.
    public var nearPinDepth = 60.0
    /// Depth from which a pin counts as far.
    public var farPinDepth = 900.0
    /// Radius of a pin's head, in lengths from its foot to the middle of its head.
    public var headRadius = 0.36
    /// Room between a pin's head and its label.
    public var labelGap = 8.0
    /// Least distance of a label from the screen's edge, as long as its pin is on the screen.
    public var labelMargin = 8.0
    /// Most labels at one time; larger shows more names and hides more of the street.
    public var maximumLabels = 9
    /// How far from a pin's axis a touch still means it.
    public var touchRadius = 26.0
    /// Distance of the arrow to the selected pin from the screen's edge.
    public var arrowInset = 40.0
    /// Near plane of ``GroundFrame/clipFromGround``.
    public var nearPlane = 1.0
    /// Far plane of ``GroundFrame/clipFromGround``.
    public var farPlane = 40_000.0

    /// The defaults.
    public init() {}
  }
}
