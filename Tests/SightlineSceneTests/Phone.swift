import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// A phone in a test: how it is held, and an independent prediction of where things appear on it.
///
/// The prediction uses azimuths, elevations and spherical trigonometry only: no quaternion, no matrix, nothing of the
/// engine's own path but the numbers of the display.
struct Phone {
  /// Degrees clockwise from north, up, and counter-clockwise as the user sees it.
  var heading = 0.0
  var pitch = 0.0
  var roll = 0.0
  var display = Display(width: 320, height: 480)
  /// The iPhone 3GS: 3.85 mm behind 2.69 × 3.58 mm.
  var picture = CameraPicture(
    intrinsics: Intrinsics(width: 269, height: 358, focalX: 385, focalY: 385, centerX: 134, centerY: 178.5)
  )

  init(heading: Double = 0, pitch: Double = 0, roll: Double = 0) {
    self.heading = heading
    self.pitch = pitch
    self.roll = roll
  }

  var projection: DisplayProjection { DisplayProjection(display: display, picture: picture) }

  /// Turns about up, then about the device's x, then about the line of sight.
  var eastNorthUpFromDevice: Quaternion {
    Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: -heading))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90 + pitch))
      * Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: roll))
  }

  /// Focal length in points of a picture that covers the display.
  var focal: Double {
    let i = picture.intrinsics
    return i.focalX * max(display.width / i.width, display.height / i.height)
  }

  /// Where a direction appears, or `nil` behind the camera.
  func point(azimuth: Double, elevation: Double) -> Vector2? {
    let a = (azimuth - heading) * pi / 180
    let e = elevation * pi / 180
    let p = pitch * pi / 180
    let ahead = sin(e) * sin(p) + cos(e) * cos(a) * cos(p)
    guard ahead > 0 else { return nil }
    let right = focal * cos(e) * sin(a) / ahead
    let up = focal * (sin(e) * cos(p) - cos(e) * cos(a) * sin(p)) / ahead
    let turn = (roll - Double(display.screenAngleDegrees)) * pi / 180
    // A phone turned counter-clockwise shows the world turned clockwise.
    return Vector2(
      display.width / 2 + right * cos(turn) + up * sin(turn),
      display.height / 2 - up * cos(turn) + right * sin(turn)
    )
  }
}

/// Azimuth and elevation in degrees by plain formulas of the ellipsoid, with the altitudes given.
func direction(from eye: Geodetic, to place: Geodetic) -> (azimuth: Double, elevation: Double, range: Double) {
  func earthCentred(_ g: Geodetic) -> (Double, Double, Double) {
    let e2 = 6.69437999014e-3
    let (p, l) = (g.latitudeDegrees * pi / 180, g.longitudeDegrees * pi / 180)
    let n = 6_378_137 / (1 - e2 * sin(p) * sin(p)).squareRoot()
    return (
      (n + g.altitude) * cos(p) * cos(l), (n + g.altitude) * cos(p) * sin(l), (n * (1 - e2) + g.altitude) * sin(p)
    )
  }
  let (a, b) = (earthCentred(eye), earthCentred(place))
  let d = (b.0 - a.0, b.1 - a.1, b.2 - a.2)
  let (p, l) = (eye.latitudeDegrees * pi / 180, eye.longitudeDegrees * pi / 180)
  let east = -sin(l) * d.0 + cos(l) * d.1
  let north = -sin(p) * (cos(l) * d.0 + sin(l) * d.1) + cos(p) * d.2
  let up = cos(p) * (cos(l) * d.0 + sin(l) * d.1) + sin(p) * d.2
  let range = (east * east + north * north + up * up).squareRoot()
  return (atan2(east, north) * 180 / pi, asin(up / range) * 180 / pi, range)
}

/// A scene whose labels stand where they are, and what it shows on a phone.
struct Stage {
  var scene = Scene()
  var phone = Phone()
  var frame = SceneFrame()
  var time = 0.0

  /// A scene with features around an eye that sees as far as `radius`.
  init(_ features: [SceneFeature], eye: Geodetic = ulm, altitudeKnown: Bool = true, radius: Double = 20_000) {
    var world = WorldDescription()
    world.features = features
    world.radarRange = radius
    scene.setWorld(world)
    scene.setRadius(radius)
    scene.setEye(eye, datum: altitudeKnown ? .ellipsoid : nil)
  }

  mutating func look(heading: Double = 0, pitch: Double = 0, roll: Double = 0) {
    phone.heading = heading
    phone.pitch = pitch
    phone.roll = roll
    update()
  }

  mutating func update() {
    time += 1
    scene.update(
      time: time,
      eastNorthUpFromDevice: phone.eastNorthUpFromDevice,
      projection: phone.projection,
      into: &frame
    )
  }

  func item(_ feature: Int32) -> SceneItem? { frame.items.first { $0.feature == feature } }
}

let ulm = Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9915, altitude: 480)

/// A feature so many metres east, north and up of a place, by its offset: exact at the place itself.
func feature(
  east: Double = 0,
  north: Double = 0,
  up: Double = 0,
  at place: Geodetic = ulm,
  datum: HeightDatum = .eye
) -> SceneFeature {
  var feature = SceneFeature(latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
  feature.altitudeDatum = datum
  feature.altitude = datum.isAbsolute ? place.altitude : 0
  feature.offset = Vector3(east, north, up)
  return feature
}

/// A feature with a small picture box, so that layout has nothing to move.
func dot(_ feature: SceneFeature) -> SceneFeature {
  var feature = feature
  feature.width = 0
  feature.height = 0
  return feature
}
