import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// Where the device is and how it is turned: what sensors, fixes and the camera's path say in, position, attitude and lens out.
///
/// A stage of ``Session`` and of ``PlaceSession``: it knows no content.
struct DeviceTracker: Sendable {
  let parameters: Session.Parameters
  /// Metres of the phone above the ground where nothing better is known.
  private var eyeHeight: Double
  private(set) var orientation: OrientationTracker
  private(set) var location: LocationTracker
  private(set) var declination = Declination()
  private(set) var display: Display?
  private var picture: CameraPicture?
  /// How directions from the device land on the display; `nil` before the display is known.
  private(set) var projection: DisplayProjection?
  private var course: CourseComparison
  private var attitudes = AttitudeMemory()
  /// The same by the sensors alone.
  private var sensedAttitudes = AttitudeMemory()
  /// The same as it was drawn, at the moments of the pictures it was drawn over.
  private var shownAttitudes = AttitudeMemory()
  private var path: PathFollower
  /// Between heights over the sea and over the ellipsoid; `nil` before it is told.
  private var geoid: Geoid?
  /// The ground near the user, over the sea.
  private var ground: Geodetic?
  private var pictureAge = 0.0
  /// The latest time seen.
  private(set) var now = -Double.infinity
  /// As of the last ``judge(into:)``.
  private var heading = HeadingStatus.waiting

  /// A tracker before its first event.
  init(parameters: Session.Parameters) {
    self.parameters = parameters
    eyeHeight = parameters.scene.things.groundBelowEye
    orientation = OrientationTracker(parameters: parameters)
    location = LocationTracker(parameters: parameters)
    course = CourseComparison(parameters: parameters.course)
    path = PathFollower(alignment: parameters.pathAlignment, course: parameters.pathCourse)
  }

  // MARK: Time

  /// Takes over a time that is a number and not earlier than the latest.
  mutating func note(_ time: Double) {
    guard time.isFinite, time > now else { return }
    path.advance(to: time, from: now)
    now = time
  }

  /// Lets time and place have their effect.
  mutating func step() {
    orientation.advance(to: headingSituation, declination: declination)
    orientation.follow(path)
    if let attitude { attitudes.note(attitude, at: now) }
    if let attitude = orientation.sensedEastNorthUpFromDevice(declination) { sensedAttitudes.note(attitude, at: now) }
  }

  /// Writes what it thinks of itself.
  mutating func judge(into status: inout SessionStatus) {
    status.location = location.status(at: now, parameters: parameters)
    let bounds = orientation.bounds
    status.tiltBound = bounds.tilt
    status.headingBound = bounds.heading
    heading = orientation.status(at: now, declination: declination, parameters: parameters)
    status.heading = heading
  }

  // MARK: Attitude

  /// Rotates device vectors into East-North-Up at the device, as of the last reading; `nil` before the first.
  var attitude: Quaternion? { orientation.eastNorthUpFromDevice(declination) }

  /// The same at a moment of the last second or so; `nil` when nothing is known of that moment.
  func attitude(at time: Double) -> Quaternion? { attitudes.attitude(at: time) }

  /// The same as shown in the picture of now; remembered for what the camera's path says of that picture.
  mutating func shownAttitude() -> Quaternion? {
    guard let shown = orientation.shownEastNorthUpFromDevice(declination, at: now, pictureAge: pictureAge) else {
      return nil
    }
    shownAttitudes.note(orientation.sensed(shown: shown), at: now - pictureAge)
    return shown
  }

  mutating func take(_ reading: OrientationReading) { orientation.take(reading, at: now) }
  mutating func take(_ sample: MotionSample) { orientation.take(sample, at: now) }
  mutating func failOrientation(_ reason: UnavailableReason) { orientation.fail(reason) }
  mutating func resume() { orientation.resume() }
  mutating func setPictureAge(_ seconds: Double) { pictureAge = seconds.isFinite ? clamp(seconds, -0.1, 0.3) : 0 }
  mutating func setLevel(right: Double, top: Double) {
    orientation.setLevel(right: right, top: top, largest: parameters.largestLevelError)
  }
  mutating func setCalendar(decimalYear: Double) {
    declination.take(decimalYear: decimalYear, at: location.position, time: now)
  }

  // MARK: Heading

  /// Where, when, and of which heading corrections are now.
  private var headingSituation: HeadingCorrections.Situation {
    orientation.situation(at: now, place: location.position, declination: declination)
  }

  /// Headings are wrong by so much, clockwise.
  mutating func correctHeading(by angle: Angle, deviation: Angle) {
    orientation.correct(by: angle + path.turn, deviation: deviation, in: headingSituation)
    path.correct(by: angle, deviation: deviation)
    orientation.follow(path)
  }

  mutating func restore(_ correction: HeadingCorrection) { orientation.restore(correction) }

  mutating func forgetCorrections() {
    orientation.forgetCorrections()
    // What was believed of north by them is not known any more.
    path = PathFollower(alignment: parameters.pathAlignment, course: parameters.pathCourse)
  }

  /// While the heading is not to be relied on, the way a user walks tells where north is, roughly.
  ///
  /// - Returns: by how much headings are wrong, clockwise, with ``CourseComparison/Parameters/deviation``; `nil` when nothing is known of it.
  mutating func compareCourse(_ fix: LocationFix) -> Angle? {
    let isDoubtful =
      switch heading {
      case .noNorth, .disturbed, .inaccurate, .uncertain: true
      default: false
      }
    guard isDoubtful, let attitude else {
      course.reset()
      return nil
    }
    return course.take(
      course: fix.courseDegrees.map { Angle(degrees: $0) },
      speed: fix.speed,
      heading: Angle(degrees: Attitude(eastNorthUpFromDevice: attitude).bearingDegrees),
      at: now
    )
  }

  // MARK: The camera

  mutating func set(_ display: Display) {
    self.display = display
    renewProjection()
  }

  mutating func set(_ picture: CameraPicture) {
    if picture.isUsable { self.picture = picture }
    renewProjection()
  }

  private mutating func renewProjection() {
    guard let display, display.width > 0, display.height > 0 else {
      projection = nil
      return
    }
    // Before the camera says otherwise: a picture of the display's own shape with an ordinary phone's field of view.
    let picture =
      self.picture
      ?? CameraPicture(
        intrinsics: Intrinsics(
          width: display.width,
          height: display.height,
          longSideFieldOfView: parameters.fieldOfViewWithoutCamera
        )
      )
    projection = DisplayProjection(display: display, picture: picture)
  }

  /// Takes where world tracking says that the camera was; answers whether the position to draw from moved.
  mutating func follow(_ reading: PathReading) -> Bool {
    // One of the future would be later than all that come.
    guard let reading = reading.believable, let projection, -0.1...2 ~= now - reading.time,
      let attitude = sensedAttitudes.attitude(at: reading.time)
    else { return false }
    let compass = PathFollower.Compass(
      eastNorthUpFromDevice: attitude,
      shown: shownAttitudes.attitude(at: reading.time),
      deviation: Angle(radians: orientation.sensedBounds.heading.radians / 2),
      isDisturbed: orientation.isNorthDisturbed,
      isLearning: orientation.fusion.source == .magnetometer
    )
    let step = path.take(
      reading,
      deviceFromCamera: projection.deviceFromDisplay * projection.cameraFromDisplay.inverse,
      compass: compass,
      at: now
    )
    orientation.follow(path)
    guard let step else { return false }
    location.move(east: step.east, north: step.north, duration: step.duration, at: now)
    return true
  }

  // MARK: Position

  /// Takes a fix that happened at a time; answers whether it was believed.
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

  /// The platform's fix moved the user: the path that the camera follows is compared with it.
  mutating func followFix() {
    if let position = location.position { path.take(fix: position, deviation: location.deviation, at: now) }
  }

  mutating func failLocation(_ reason: UnavailableReason) { location.fail(reason) }

  /// Magnetic north is that of where the user is now.
  mutating func renewDeclination() {
    if let position = location.position { declination.take(position, distance: parameters.declinationDistance) }
  }

  /// Moves what is drawn from towards the estimate; answers whether it moved.
  mutating func advancePosition() -> Bool { location.advance(to: now) }

  // MARK: Heights

  // Documents and terrain mostly count from the sea, positions from whatever the platform does. So altitudes of positions are
  // turned into heights over the sea as they come, once the geoid is known. What a document measures from the ellipsoid is
  // lowered by the geoid where the eye is.

  mutating func take(_ geoid: Geoid) {
    self.geoid = geoid
    if location.datum == .ellipsoid, let place = location.position, let height = geoidHeight(at: place) {
      location.measureFromSea(geoidHeight: height)
    }
  }

  mutating func setGround(_ place: Geodetic) { ground = place }

  /// Metres from the ellipsoid up to sea level; `nil` before the geoid is known there.
  mutating func geoidHeight(at place: Geodetic) -> Double? {
    geoid?.height(latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
  }

  /// Height of the ground where the user is, metres over the sea; `nil` when nobody has told it, or of a place too far off.
  var groundHeight: Double? {
    guard let ground, ground.altitude.isFinite, let here = location.shown,
      greatCircleDistance(from: here, to: ground) <= parameters.groundReach
    else { return nil }
    return ground.altitude
  }

  /// Takes over how far the phone is above the ground; `false` for what is no such height.
  mutating func setEyeHeight(_ metres: Double) -> Bool {
    guard (0.1...100).contains(metres) else { return false }
    eyeHeight = metres
    return true
  }

  /// What the altitudes of positions are measured from; `nil` when the altitude is unknown.
  var altitudeDatum: HeightDatum? { location.altitudeKnown ? location.datum : nil }

  /// How high the world is drawn from: the position's altitude, or that of somebody who stands on the ground there; `nil` when neither
  /// is known.
  var height: Height? {
    guard let shown = location.shown else { return nil }
    if let altitudeDatum { return Height(shown.altitude, above: altitudeDatum) }
    return groundHeight.map { Height($0 + eyeHeight, above: .seaLevel) }
  }

  /// Where the world is drawn from; `nil` before the first fix.
  mutating func eyePlacement() -> EyePlacement? {
    guard var shown = location.shown else { return nil }
    let height = height
    if let height { shown.altitude = height.metres }
    let geoidHeight = geoidHeight(at: shown)
    // Where no terrain tells it, the ground is below the user.
    let below = height?.height(above: .seaLevel, geoidHeight: geoidHeight).map {
      $0 - eyeHeight
    }
    return EyePlacement(
      position: shown,
      datum: height?.datum,
      geoidHeight: geoidHeight,
      ground: groundHeight ?? below,
      sigma: location.shownAccuracy / 2.448
    )
  }
}

extension CameraPicture {
  /// Whether it has an extent and a lens.
  fileprivate var isUsable: Bool {
    let i = intrinsics
    return i.width > 0 && i.height > 0 && i.focalX > 0 && i.focalY > 0 && i.width.isFinite && i.height.isFinite
      && i.focalX.isFinite && i.focalY.isFinite && i.centerX.isFinite && i.centerY.isFinite
  }
}
