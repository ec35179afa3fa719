import SightlineScene

extension Session {
  /// What can be set about a session before it starts. The defaults follow the AR browsers of 2010 where those were right.
  public struct Parameters: Sendable {
    /// How the scene is drawn.
    public var scene = Scene.Parameters()
    /// Seconds for which a world waits for position and orientation before it is asked for without them. Larger: the
    /// first request is more often complete, and a phone without sensors waits longer.
    public var sensorPatience = 12.0
    /// Seconds between two automatic requests at least, whatever a world asks for.
    public var shortestRefreshInterval = 1.0
    /// Metres per second that nobody exceeds: a new fix whose accuracy radius is larger than the last one's plus this
    /// speed times the time between them is an outlier and ignored.
    public var fastestMovement = 200.0
    /// Seconds after which a fix is called stale.
    public var fixLifetime = 10.0
    /// Metres of accuracy radius beyond which a fix is called inaccurate.
    public var goodFixAccuracy = 50.0
    /// Seconds after which an orientation is called stale. Browsers report changes only, so a phone lying still is
    /// silent: below 1 s a resting phone would be called broken.
    public var orientationLifetime = 3.0
    /// Degrees of stated compass error beyond which a heading is called inaccurate.
    public var goodCompassAccuracyDegrees = 25.0
    /// Seconds in which a separate compass heading corrects the yaw of an orientation to 63 %, with the top edge level.
    /// Larger: calmer, and longer wrong after a disturbance.
    public var compassTimeConstant = 5.0
    /// Metres of movement after which the magnetic declination is computed again.
    public var declinationDistance = 10_000.0

    /// The defaults.
    public init() {}
  }
}
