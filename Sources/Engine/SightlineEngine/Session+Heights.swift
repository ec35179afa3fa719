import SightlineGeodesy
import SightlineScene

/// Heights that agree: of positions, of documents, and of the ground.
///
/// Documents and terrain mostly count from the sea, positions from whatever the platform does. So altitudes of positions are
/// turned into heights over the sea as they come, once the geoid is known. What a document measures from the ellipsoid is
/// lowered by the geoid where the eye is.
extension Session {
  /// Metres from the ellipsoid up to sea level where the user is; `nil` while position or geoid are not known.
  public var geoidHeight: Double? {
    mutating get { location.shown.flatMap { geoidHeight(at: $0) } }
  }

  /// Height of the ground where the user is, metres over the sea; `nil` when nobody has told it, or of a place too far off.
  public var groundHeight: Double? {
    guard let ground, ground.altitude.isFinite, let here = location.shown,
      greatCircleDistance(from: here, to: ground) <= parameters.groundReach
    else { return nil }
    return ground.altitude
  }

  /// How high the world is drawn from: the position's altitude, or that of somebody who stands on the ground there; `nil` when neither
  /// is known.
  public var height: Height? {
    guard let shown = location.shown else { return nil }
    if let altitudeDatum { return Height(shown.altitude, above: altitudeDatum) }
    return groundHeight.map { Height($0 + parameters.scene.things.groundBelowEye, above: .seaLevel) }
  }

  mutating func geoidHeight(at place: Geodetic) -> Double? {
    geoid?.height(latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
  }

  mutating func take(_ geoid: Geoid) {
    self.geoid = geoid
    if location.datum == .ellipsoid, let place = location.position, let height = geoidHeight(at: place) {
      location.measureFromSea(geoidHeight: height)
    }
    placeEye()
  }

  /// Takes a position; answers whether it was believed.
  mutating func take(_ fix: LocationFix, happened: Double) -> Bool {
    var fix = fix
    if let altitude = fix.altitude, fix.altitudeDatum == .ellipsoid {
      let place = Geodetic(latitudeDegrees: fix.latitudeDegrees, longitudeDegrees: fix.longitudeDegrees)
      if let height = geoidHeight(at: place) {
        fix.altitude = altitude - height
        fix.altitudeDatum = .seaLevel
      }
    }
    return location.take(fix, happened: happened, at: now, parameters: parameters)
  }

  mutating func placeEye() {
    guard var shown = location.shown else { return }
    // A held picture keeps its eye, but one that has none yet gets its first.
    guard !isFrozen || scene.origin == nil else { return }
    let height = height
    if let height { shown.altitude = height.metres }
    let geoidHeight = geoidHeight(at: shown)
    // Where no terrain tells it, the ground is below the user.
    let below = height?.height(above: .seaLevel, geoidHeight: geoidHeight).map {
      $0 - parameters.scene.things.groundBelowEye
    }
    scene.setEye(
      shown,
      datum: height?.datum,
      geoidHeight: geoidHeight,
      ground: groundHeight ?? below,
      sigma: location.shownAccuracy / 2.448
    )
  }
}
