import SightlineGeodesy
import SightlineMath

/// The light that things of a world are in: that of the hour.
///
/// The sun lights from where it stands, warm while it is low, and not at all below the horizon; the sky falls from day over dusk to a
/// night in which things are still to be seen.
public struct SceneLight: Equatable, Sendable {
  /// Unit vector to the sun; of a night, to what is left of it above.
  public var cameraTowardsSun: Vector3
  /// Unit vector upwards.
  public var cameraUp: Vector3
  /// Red, green and blue of the sun, linear; 1 is a clear day.
  public var sun: Vector3
  /// Red, green and blue of the sky, linear; 1 is a clear day.
  public var sky: Vector3
  /// How dark shadows on the ground are, 0 … 1.
  public var shadow: Double

  /// The light with the sun in a direction.
  ///
  /// - Parameters:
  ///   - direction: of the sun; `nil` where hour or place are not known: half up in the south-east, of a clear day.
  ///   - cameraFromEastNorthUp: how the camera is turned.
  public init(sun direction: Ephemeris.Direction?, cameraFromEastNorthUp: Quaternion) {
    let height = direction?.apparentElevation ?? Angle(degrees: 45)
    let azimuth = direction?.azimuth ?? Angle(degrees: 135)
    let degrees = height.degrees
    // By night it would come from below.
    let shown = Angle(degrees: max(degrees, 5))
    let flat = cos(shown.radians)
    cameraTowardsSun =
      cameraFromEastNorthUp
      * Vector3(sin(azimuth.radians) * flat, cos(azimuth.radians) * flat, sin(shown.radians))
    cameraUp = cameraFromEastNorthUp * Vector3(0, 0, 1)
    let risen = Self.smooth(-2, 8, degrees)
    let high = Self.smooth(0, 30, degrees)
    sun = Vector3(1, 0.6 + 0.4 * high, 0.35 + 0.65 * high) * risen
    let day = Self.smooth(-12, 8, degrees)
    sky = Vector3(0.22 + 0.78 * day, 0.25 + 0.75 * day, 0.34 + 0.66 * day)
    shadow = 0.45 + 0.55 * day
  }

  private static func smooth(_ low: Double, _ high: Double, _ value: Double) -> Double {
    let t = clamp((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)
  }
}
