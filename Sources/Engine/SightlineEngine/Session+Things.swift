import SightlineGeodesy
import SightlineMath
import SightlineScene

extension Session {
  /// The light that the things of the last frame are in.
  ///
  /// - Parameter decimalYear: the hour, universal time; not a number where it is not known.
  /// - Returns: the light, in the camera's frame.
  public func light(decimalYear: Double) -> SceneLight {
    let isKnown = (1900...2200).contains(decimalYear)
    let direction = standpoint.flatMap { place in
      isKnown
        ? Ephemeris.direction(of: .sun, from: place, julianDate: Ephemeris.julianDate(decimalYear: decimalYear)) : nil
    }
    return SceneLight(sun: direction, cameraFromEastNorthUp: frame.cameraFromEastNorthUp)
  }
}
