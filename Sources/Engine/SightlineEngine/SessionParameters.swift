import SightlineFusion
import SightlineMath
import SightlineScene

extension Session {
  /// What can be set about a session before it starts.
  ///
  /// The defaults follow the AR browsers of 2010 where those were right.
  public struct Parameters: Sendable {
    /// How the scene is drawn.
    public var scene = Scene.Parameters()

    /// Seconds for which the first world waits for position and orientation before it is asked for without them.
    ///
    /// Larger: the first request is more often complete, and a phone without sensors waits longer.
    public var sensorPatience = 12.0
    /// Seconds between a request and an automatic one at least, whatever a world asks for; larger spares servers.
    public var shortestRefreshInterval = 1.0

    /// Seconds after which a fix that is delivered late is not taken over any more; larger lets older places in.
    public var fixDeliveryLimit = 10.0
    /// Metres per second that nobody exceeds; larger lets poor fixes in sooner after a good one.
    ///
    /// A new fix whose accuracy radius is larger than the last one's plus this speed times the time between them is an
    /// outlier and ignored.
    public var fastestMovement = 200.0
    /// Seconds after which a fix is called stale; larger is more patient.
    public var fixLifetime = 10.0
    /// Metres of accuracy radius beyond which a fix is called inaccurate; larger is more lenient.
    ///
    /// At 50 m, a place 200 m away can be 14° beside its label.
    public var goodFixAccuracy = 50.0
    /// Seconds for which the last known altitude stands in for fixes without one, so that heights do not jump whenever a
    /// fix lacks it; larger holds it longer.
    public var altitudeMemory = 60.0
    /// Metres from the user within which the ground's height is taken for that below the user; larger asks less often, and is wrong on
    /// slopes.
    public var groundReach = 100.0

    /// How positions are smoothed for drawing.
    public var location = LocationFilter.Parameters()

    /// Seconds after which an orientation is called stale; larger is more patient.
    ///
    /// Browsers report changes only, in steps of 0.1°: a phone lying still is silent. At the 1 s that suits a sensor with
    /// a fixed rate, a resting phone would be called broken.
    public var orientationLifetime = 3.0
    /// Stated compass error beyond which a heading is called inaccurate; larger is more lenient.
    public var goodCompassAccuracy = Angle(degrees: 25)
    /// Bound of the heading's error (95 %) from which on it is called uncertain; larger is more lenient.
    public var goodHeadingBound = Angle(degrees: 30)
    /// How orientations are estimated.
    public var fusion = OrientationFusion.Parameters()
    /// How they are shown.
    public var presentation = Presentation.Parameters()
    /// How the user's corrections of the heading last.
    public var corrections = HeadingCorrections.Parameters()
    /// How the course over ground is compared with the heading.
    public var course = CourseComparison.Parameters()
    /// How north is found for a path that the camera follows.
    public var pathAlignment = PathAlignment.Parameters()
    /// How the way that the camera follows is compared with that of fixes.
    public var pathCourse = PathCourse.Parameters()
    /// Standard deviation of a user's correction up to which the heading is called aligned.
    public var goodAlignment = Angle(degrees: 10)
    /// Standard deviation of pointing a phone at something by hand.
    public var pointing = Angle(degrees: 1)
    /// Standard deviation of a world dragged until it fits.
    public var dragging = Angle(degrees: 2)
    /// Most that the elevation of what the user points at may be off what it should be: a phone's horizon is better
    /// than that, so something else was meant.
    public var pointingTolerance = Angle(degrees: 10)
    /// Largest error of the sensors' own level that is believed; larger believes a phone that does not lie flat.
    public var largestLevelError = Angle(degrees: 8)
    /// Elevation above or below which pointing tells no direction.
    public var steepestPointing = Angle(degrees: 70)
    /// Standard deviation of a coordinate of a code's corner, pixels; larger trusts codes less.
    public var surveyNoise = 0.5
    /// Standard deviation of a heading from a code, at best: codes do not hang quite straight.
    public var surveyDeviation = Angle(degrees: 1)
    /// Seconds out of sight after which a code is told of again.
    public var surveySilence = 10.0
    /// Seconds between two sightings of surveyed anchors that are taken: what follows closer says the same.
    public var surveyInterval = 0.2
    /// Shortest side of a surveyed anchor in the picture that tells the way it faces well enough, pixels.
    public var surveySide = 24.0
    /// Metres of movement after which the magnetic declination is computed again; larger is coarser.
    ///
    /// It changes by less than 0.02° a kilometre outside the polar regions.
    public var declinationDistance = 5_000.0

    /// Field of view along the longer side of the display while no camera picture is known.
    public var fieldOfViewWithoutCamera = Angle(degrees: 65)

    /// The defaults.
    public init() {}
  }
}
