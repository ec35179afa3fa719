import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// One function for each event of the session; the first argument is its time. An unknown value of an enumeration is taken
// as its most cautious case, a number below 0 as "none".

/// `OrientationReading.quaternion`.
@_expose(wasm) @c public func sl_orientation_quaternion(
  _ time: Double,
  _ w: Double,
  _ x: Double,
  _ y: Double,
  _ z: Double,
  _ north: Int32
) {
  session.handle(
    .orientation(.quaternion(worldFromDevice: Quaternion(w: w, x: x, y: y, z: z), north: reference(north))),
    at: time
  )
}

/// `OrientationReading.browserAngles`, degrees.
@_expose(wasm) @c public func sl_orientation_angles(
  _ time: Double,
  _ alpha: Double,
  _ beta: Double,
  _ gamma: Double,
  _ north: Int32
) {
  session.handle(
    .orientation(.browserAngles(alpha: alpha, beta: beta, gamma: gamma, north: reference(north))),
    at: time
  )
}

/// `OrientationReading.browserAnglesWithCompass`, degrees.
@_expose(wasm) @c public func sl_orientation_compass(
  _ time: Double,
  _ alpha: Double,
  _ beta: Double,
  _ gamma: Double,
  _ heading: Double,
  _ accuracy: Double
) {
  session.handle(
    .orientation(
      .browserAnglesWithCompass(alpha: alpha, beta: beta, gamma: gamma, heading: heading, accuracy: accuracy)
    ),
    at: time
  )
}

/// A motion sample: angular velocity, specific force, magnetic field; a sensor that is missing gives NaN.
@_expose(wasm) @c public func sl_motion(
  _ time: Double,
  _ rateX: Double,
  _ rateY: Double,
  _ rateZ: Double,
  _ forceX: Double,
  _ forceY: Double,
  _ forceZ: Double,
  _ fieldX: Double,
  _ fieldY: Double,
  _ fieldZ: Double
) {
  session.handle(
    .motion(
      MotionSample(
        time: time,
        angularVelocity: vector(rateX, rateY, rateZ),
        specificForce: vector(forceX, forceY, forceZ),
        magneticField: vector(fieldX, fieldY, fieldZ)
      )
    ),
    at: time
  )
}

/// No orientation.
@_expose(wasm) @c public func sl_orientation_unavailable(_ time: Double, _ reason: Int32) {
  session.handle(.orientationUnavailable(unavailable(reason)), at: time)
}

/// A fix; altitude, vertical accuracy, course (degrees clockwise from north) and speed are NaN when unknown.
@_expose(wasm) @c public func sl_fix(
  _ time: Double,
  _ latitude: Double,
  _ longitude: Double,
  _ altitude: Double,
  _ horizontalAccuracy: Double,
  _ verticalAccuracy: Double,
  _ courseDegrees: Double,
  _ speed: Double
) {
  session.handle(
    .fix(
      LocationFix(
        latitudeDegrees: latitude,
        longitudeDegrees: longitude,
        altitude: altitude.isNaN ? nil : altitude,
        horizontalAccuracy: horizontalAccuracy,
        verticalAccuracy: verticalAccuracy.isNaN ? nil : verticalAccuracy,
        courseDegrees: courseDegrees.isNaN ? nil : courseDegrees,
        speed: speed.isNaN ? nil : speed
      )
    ),
    at: time
  )
}

/// No position.
@_expose(wasm) @c public func sl_location_unavailable(_ time: Double, _ reason: Int32) {
  session.handle(.locationUnavailable(unavailable(reason)), at: time)
}

/// The display, points and degrees.
@_expose(wasm) @c public func sl_display(_ time: Double, _ width: Double, _ height: Double, _ screenAngle: Int32) {
  session.handle(.display(Display(width: width, height: height, screenAngleDegrees: screenAngle)), at: time)
}

/// The camera picture as the browser delivers it, upright: pixels, and the field of view along its longer side, degrees.
@_expose(wasm) @c public func sl_camera(
  _ time: Double,
  _ width: Double,
  _ height: Double,
  _ longSideFieldOfViewDegrees: Double
) {
  guard width > 0, height > 0, longSideFieldOfViewDegrees > 1, longSideFieldOfViewDegrees < 179 else { return }
  session.handle(
    .camera(
      CameraPicture(
        intrinsics: Intrinsics(
          width: width,
          height: height,
          longSideFieldOfView: Angle(degrees: longSideFieldOfViewDegrees)
        )
      )
    ),
    at: time
  )
}

/// Age of the camera's picture when a frame is drawn over it, seconds.
@_expose(wasm) @c public func sl_picture_age(_ time: Double, _ seconds: Double) {
  session.handle(.pictureAge(seconds), at: time)
}

/// Calendar time.
@_expose(wasm) @c public func sl_calendar(_ time: Double, _ decimalYear: Double) {
  session.handle(.calendar(decimalYear: decimalYear), at: time)
}

/// Open a world.
@_expose(wasm) @c public func sl_open(_ time: Double, _ address: Int32) {
  session.handle(.open(AddressID(address)), at: time)
}

/// Opens an address beside what is open: `world` is the page's number for it, 0 … 15.
@_expose(wasm) @c public func sl_open_beside(_ time: Double, _ world: Int32, _ address: Int32) {
  session.handle(.openBeside(AddressID(address), world: world), at: time)
}

/// Forgets one of the worlds.
@_expose(wasm) @c public func sl_close_world(_ time: Double, _ world: Int32) {
  session.handle(.closeWorld(world), at: time)
}

/// Hides one of the worlds, or shows it again.
@_expose(wasm) @c public func sl_hide_world(_ time: Double, _ world: Int32, _ isHidden: Int32) {
  session.handle(.hideWorld(world, isHidden != 0), at: time)
}

/// State of one of the worlds as in the status; −1 when there is none.
@_expose(wasm) @c public func sl_world_status(_ world: Int32) -> Int32 {
  session.contentStatus(ofWorld: world).map { Int32($0.rawValue) } ?? -1
}

/// A request failed: 0 network, 1 timed out, 2 status (with its number), 3 malformed, 4 not a world, 5 refused.
@_expose(wasm) @c public func sl_failed(_ time: Double, _ request: Int32, _ reason: Int32, _ status: Int32) {
  let failure: FailureReason =
    switch reason {
    case 1: .timedOut
    case 2: .status(status)
    case 3: .malformed
    case 4: .notAWorld
    case 5: .refused
    default: .network
    }
  session.handle(.failed(RequestID(request), failure), at: time)
}

/// Fetch the world again.
@_expose(wasm) @c public func sl_refresh_by_hand(_ time: Double) { session.handle(.refreshByHand, at: time) }

/// A label's size, points.
@_expose(wasm) @c public func sl_label_size(_ time: Double, _ feature: Int32, _ width: Double, _ height: Double) {
  session.handle(.labelSize(feature: feature, width: width, height: height), at: time)
}

/// Where the page writes what covers the view: rectangles (x, y, width, height), then sizes of arrows (width, height).
@_expose(wasm) @c public func sl_occupied_values_in() -> UnsafeMutablePointer<Double> { occupiedValues }

/// What covers the view has changed: so many rectangles and sizes of arrows were written.
@_expose(wasm) @c public func sl_occupied(_ time: Double, _ rectangles: Int32, _ arrows: Int32) {
  var source = Reader(occupiedValues)
  var occupied = Occupied()
  for _ in 0..<min(max(0, rectangles), Int32(Occupied.most)) {
    let (x, y) = (source.next(), source.next())
    occupied.rectangles.append(ScreenRectangle(x: x, y: y, width: source.next(), height: source.next()))
  }
  for _ in 0..<min(max(0, arrows), mostArrows) {
    let width = source.next()
    occupied.arrowSizes.append(Vector2(width, source.next()))
  }
  session.handle(.occupied(occupied), at: time)
}

private let mostArrows: Int32 = 5

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private let occupiedValues = UnsafeMutablePointer<Double>.allocate(
  capacity: 4 * Occupied.most + 10
)

/// A tap, points.
@_expose(wasm) @c public func sl_touch(_ time: Double, _ x: Double, _ y: Double) {
  session.handle(.touch(Vector2(x, y)), at: time)
}

/// A feature chosen by other means.
@_expose(wasm) @c public func sl_press(_ time: Double, _ feature: Int32) {
  session.handle(.press(feature: feature), at: time)
}

/// An overlay tapped.
@_expose(wasm) @c public func sl_press_overlay(_ time: Double, _ overlay: Int32) {
  session.handle(.pressOverlay(overlay), at: time)
}

/// Select a feature, or none (below 0).
@_expose(wasm) @c public func sl_select(_ time: Double, _ feature: Int32) {
  session.handle(.select(feature < 0 ? nil : feature), at: time)
}

/// Open or close a cluster.
@_expose(wasm) @c public func sl_toggle_cluster(_ time: Double, _ cluster: Int32) {
  session.handle(.toggleCluster(cluster), at: time)
}

/// Visible radius, metres.
@_expose(wasm) @c public func sl_set_radius(_ time: Double, _ metres: Double) {
  session.handle(.setRadius(metres), at: time)
}

/// Shown categories: bits 0 … 31 and 32 … 63.
@_expose(wasm) @c public func sl_set_categories(_ time: Double, _ low: Int32, _ high: Int32) {
  let mask = UInt64(UInt32(bitPattern: high)) << 32 | UInt64(UInt32(bitPattern: low))
  session.handle(.setCategories(mask), at: time)
}

/// Hold the picture still.
@_expose(wasm) @c public func sl_set_frozen(_ time: Double, _ frozen: Int32) {
  session.handle(.setFrozen(frozen != 0), at: time)
}

/// The view is not active.
@_expose(wasm) @c public func sl_suspend(_ time: Double) { session.handle(.suspend, at: time) }

/// The view is active again.
@_expose(wasm) @c public func sl_resume(_ time: Double) { session.handle(.resume, at: time) }

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private let codeValues = UnsafeMutablePointer<Double>.allocate(capacity: 18)

/// Where the page writes a code that it sees: four corners (x, y), width and height of the picture, its age in seconds, then
/// latitude, longitude (degrees), altitude (metres, NaN unknown), facing, elevation, roll (degrees), side (metres).
@_expose(wasm) @c public func sl_code_values_in() -> UnsafeMutablePointer<Double> { codeValues }

/// The code that was written is before the camera.
@_expose(wasm) @c public func sl_code_seen(_ time: Double) {
  let v = codeValues
  let code = SurveyedMarker(
    place: Geodetic(latitudeDegrees: v[11], longitudeDegrees: v[12], altitude: v[13]),
    facing: Angle(degrees: v[14]),
    elevation: Angle(degrees: v[15]),
    roll: Angle(degrees: v[16]),
    side: v[17]
  )
  let sighting = CodeSighting(
    code: code,
    corners: Quadrilateral(Vector2(v[0], v[1]), Vector2(v[2], v[3]), Vector2(v[4], v[5]), Vector2(v[6], v[7])),
    pictureSize: Vector2(v[8], v[9]),
    age: v[10]
  )
  session.handle(.codeSeen(sighting), at: time)
}

private func vector(_ x: Double, _ y: Double, _ z: Double) -> Vector3? {
  x.isFinite && y.isFinite && z.isFinite ? Vector3(x, y, z) : nil
}

private func reference(_ value: Int32) -> NorthReference {
  UInt8(exactly: value).flatMap { NorthReference(rawValue: $0) } ?? .arbitrary
}

private func unavailable(_ value: Int32) -> UnavailableReason {
  UInt8(exactly: value).flatMap { UnavailableReason(rawValue: $0) } ?? .missing
}
