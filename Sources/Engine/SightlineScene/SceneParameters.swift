import SightlineMath
import SightlineOcclusion

extension Scene {
  /// What can be tuned.
  ///
  /// Lengths on the screen are points, in the world metres.
  public struct Parameters: Equatable, Sendable {
    /// Radius inside which features are shown until ``Scene/setRadius(_:)`` says otherwise; larger shows more and farther.
    public var radius: Double = 20_000
    /// How far the eye may go from the world frame's origin before that is put under the eye again; larger means rarer
    /// shifts and coarser single-precision coordinates in ``SceneFrame/clipFromWorld`` (1 mm at 10 km).
    public var originShiftDistance: Double = 10_000
    /// Features nearer than this are neither drawn nor pointed at, because a direction to them means nothing (they stay
    /// on the radar); nor are those drawn that are nearer along the optical axis.
    ///
    /// Larger hides more of what one stands in.
    public var nearestDepth: Double = 0.5
    /// Most features that take part in the label layout of a frame: the nearest in view, and always the selected one.
    ///
    /// The rest is left out of the picture (it is still on the radar). Larger shows more in crowds and costs more time.
    public var maximumItems = 200
    /// Part of the limit of visibility in which features fade; larger fades earlier.
    public var fadeFraction: Double = 0.1
    /// Opacity at the limit of visibility; larger keeps far features clearer.
    public var fadeOpacity: Double = 0.4
    /// Largest distance from the screen's centre at which a feature is in focus; larger shows focus overlays earlier.
    public var focusDistance: Double = 50
    /// Distance of edge arrows from the screen's edge; larger keeps them clearer of notches and controls.
    public var arrowInset: Double = 32
    /// Distance from the free area's rim over which features fade, where the host says what covers the view; larger
    /// fades earlier.
    public var rimFade: Double = 16
    /// Least distance between the selection's arrow and a group's.
    public var arrowSpacing: Double = 48
    /// Cosine of the angle from the vertical below which the roll is held.
    public var rollHoldCosine = 0.984_807_753_012_208
    /// Cosine of the angle from the vertical above which the roll is free again, smaller than ``rollHoldCosine``; a
    /// smaller one holds longer.
    public var rollReleaseCosine = 0.965_925_826_289_068_3
    /// Near plane of ``SceneFrame/clipFromWorld``; larger gives a finer depth buffer.
    public var nearPlane: Double = 0.5
    /// Far plane of ``SceneFrame/clipFromWorld``.
    public var farPlane: Double = 200_000
    /// Of models and pictures in their true size.
    public var things = Things()
    /// Of what stands behind buildings.
    public var hidden = Hidden()
    /// The label layout's own.
    public var layout = LabelLayout.Parameters()

    /// The defaults.
    public init() {}

    /// How it is judged what stands behind buildings.
    public struct Hidden: Equatable, Sendable {
      /// Most walls that are kept.
      public var mostWalls = 65_536
      /// Most features that are judged, the nearest; what is farther counts as seen.
      public var most = 2_000
      /// Standard deviation of the eye's position along an axis where nobody says it, metres.
      public var sigma = 3.3
      /// Metres of the eye's movement after which it is judged again, at least; larger is rarer and later.
      public var leastStep = 0.5
      /// The same as a part of the standard deviation of its position.
      public var stepOfSigma = 0.25
      /// How an uncertain eye is spread.
      public var eye = UncertainEye.Parameters()
      /// Where classes end.
      public var thresholds = Visibility.Thresholds()

      /// The defaults.
      public init() {}
    }

    /// How models and pictures in their true size are drawn.
    public struct Things: Equatable, Sendable {
      /// How far the ground is below the eye where nothing better is known, metres.
      public var groundBelowEye = 1.5
      /// Most triangles of a frame; larger shows more and costs more time.
      public var triangles = 250_000
      /// Most things of a frame.
      public var most = 100
      /// Most things of a frame that the host is asked to fetch.
      public var wanted = 32
      /// What a model counts as long as its triangles are not known.
      public var usualTriangles = 5_000
      /// What is seen smaller than this, points, has its label instead; what is drawn stays down to three quarters of it.
      public var least = 16.0
      /// Below this, points, what moves may rest.
      public var small = 64.0
      /// Nearest that is drawn, metres.
      public var near = 0.1
      /// Farthest that is drawn, metres.
      public var far = 30_000.0

      /// The defaults.
      public init() {}
    }
  }
}
