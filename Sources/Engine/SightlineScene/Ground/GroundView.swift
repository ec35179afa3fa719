import SightlineCamera
import SightlineMath

/// The ground map with pins standing on it, seen from a raised eye through the lens of the phone's camera.
///
/// The eye turns exactly as the phone does, so that the horizon and every azimuth agree with the camera's picture, but it
/// is lifted over the user: a little when the phone is upright, so that stops at different distances do not all lie on
/// the horizon, and higher the more it is tilted, until a flat phone shows the ground from the sky. A flat phone becomes a
/// map that is turned the way the user faces; hysteresis keeps it from changing to and fro.
///
/// ```swift
/// var view = GroundView()
/// view.setPins([GroundPin(position: Vector2(120, 80))])
/// view.update(pose, at: now, into: &frame)
/// // frame.clipFromGround draws the ground, frame.pins says where the pins are
/// ```
public struct GroundView: Sendable {
  /// What decides between the view and the map.
  public enum Mode: Int32, Sendable {
    /// The map when the phone is flat.
    case automatic
    /// Always the view.
    case view
    /// Always the map.
    case map
  }

  /// Where the phone is and how it is held at one moment.
  public struct Pose: Sendable {
    /// Rotates device vectors into east, north, up where the user is.
    public var eastNorthUpFromDevice: Quaternion
    /// The lens and the display.
    public var projection: DisplayProjection
    /// Where the user stands in the ground frame, metres.
    public var user: Vector2

    /// A pose.
    public init(eastNorthUpFromDevice: Quaternion, projection: DisplayProjection, user: Vector2) {
      self.eastNorthUpFromDevice = eastNorthUpFromDevice
      self.projection = projection
      self.user = user
    }
  }

  /// A part of the screen that bars and cards cover, points.
  public struct Cover: Equatable, Sendable {
    /// Its top left corner.
    public var minimum: Vector2
    /// Its bottom right corner.
    public var maximum: Vector2

    /// A part between two corners.
    public init(minimum: Vector2, maximum: Vector2) {
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  /// What was set at the start, and what may be changed at any time.
  public var parameters: Parameters
  /// What decides between the view and the map.
  public var mode = Mode.automatic
  /// Height of the eye over the map, metres: its scale.
  public var mapHeight = 420.0
  /// How far the middle of the map is from the user, metres east and north.
  public var mapOffset = Vector2.zero
  /// Whether the map has north up and not the user's heading.
  public var isNorthUp = false
  /// Index of the selected pin.
  public var selected: Int?
  /// What covers the screen: no label lies under it.
  public var covers: [Cover] = []

  /// The pins, in the order they were given.
  public private(set) var pins: [GroundPin] = []
  /// Whether each pin had its label a frame ago.
  var hadLabel: [Bool] = []
  var isFlat = false
  var poseMemory = PoseMemory()
  /// The camera of the last frame, for touches.
  var camera: GroundCamera?
  var lens: DisplayProjection?
  private var mapPart = 0.0
  private var isStarted = false
  private var heading = Angle.zero
  private var time = -Double.infinity

  /// A view without pins.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
  }

  /// Replaces all pins; the selection stays where it is in the order, if it is still there.
  public mutating func setPins(_ pins: [GroundPin]) {
    self.pins = pins
    hadLabel = [Bool](repeating: false, count: pins.count)
    if let selected, selected >= pins.count { self.selected = nil }
  }

  /// Makes the frame for a moment, seconds on the host's clock.
  public mutating func update(_ pose: Pose, at now: Double, into frame: inout GroundFrame) {
    let display = pose.projection.display
    guard display.width > 0, display.height > 0, pose.user.x.isFinite, pose.user.y.isFinite,
      let level = poseMemory.pose(
        eastNorthUpFromDevice: pose.eastNorthUpFromDevice,
        projection: pose.projection,
        parameters: Scene.Parameters()
      )
    else {
      camera = nil
      frame.isValid = false
      frame.pins.removeAll(keepingCapacity: true)
      frame.hasArrow = false
      return
    }
    judge(down: -level.forward.z, at: now)
    heading = facing(forward: level.forward, top: level.displayFromEastNorthUp.row1) ?? heading
    let part = mapPart * mapPart * (3 - 2 * mapPart)
    let camera = makeCamera(pose, level, part)
    self.camera = camera
    lens = pose.projection
    frame.isValid = true
    frame.isMap = isMap
    frame.mapPart = part
    frame.eye = camera.eye
    frame.user = pose.user
    frame.heading = heading
    frame.mapHeading = isNorthUp ? .zero : heading
    frame.pitch = level.pitch
    frame.roll = Angle(radians: level.roll.radians * (1 - part))
    frame.focal = pose.projection.focalPoints.y
    writeClipMatrix(
      into: &frame.clipFromGround,
      displayFromWorld: camera.displayFromGround,
      eyeInWorld: camera.eye,
      projection: pose.projection,
      near: parameters.nearPlane,
      far: parameters.farPlane
    )
    frame.pinAxis = pinAxis(camera, roll: frame.roll)
    describeAxes(camera, in: &frame)
    placePins(camera, pose.projection, into: &frame)
    placeArrow(camera, pose.projection, into: &frame)
  }

  /// The place on the ground at a point of the screen, in the ground frame; `nil` above the horizon or before the first
  /// frame.
  public func ground(at point: Vector2) -> Vector2? {
    guard let camera, let lens else { return nil }
    return camera.ground(along: lens.ray(through: point), far: parameters.farPlane)
  }

  /// Where a point of the ground is on the screen of the last frame; `nil` behind the eye.
  public func screen(ofGround point: Vector2) -> Vector2? {
    guard let camera, let lens else { return nil }
    let p = camera.inDisplay(Vector3(point.x, point.y, 0))
    return p.z < -parameters.nearPlane ? lens.project(pointInDisplay: p) : nil
  }

  // MARK: Inside

  private var isMap: Bool { mode == .map || (mode == .automatic && isFlat) }

  /// Whether the phone is flat, with hysteresis, and how far the eye is on its way between view and map.
  private mutating func judge(down: Double, at now: Double) {
    isFlat = down > (isFlat ? parameters.flatLeaveCosine : parameters.flatEnterCosine)
    let step = isStarted ? max(0, now - time) : .infinity
    time = max(time, now)
    isStarted = true
    let way = parameters.transitionSeconds > 0 ? step / parameters.transitionSeconds : .infinity
    mapPart = isMap ? min(1, mapPart + way) : max(0, mapPart - way)
  }

  private func makeCamera(_ pose: Pose, _ level: ViewPose, _ part: Double) -> GroundCamera {
    let height = parameters.height(down: -level.forward.z)
    let held = GroundCamera(
      displayFromGround: level.displayFromEastNorthUp,
      eye: Vector3(pose.user.x, pose.user.y, height)
    )
    guard part > 0 else { return held }
    let up = isNorthUp ? 0 : heading.radians
    let map = Matrix3(
      rows: Vector3(cos(up), -sin(up), 0),
      Vector3(sin(up), cos(up), 0),
      Vector3(0, 0, 1)
    )
    // Heights go from one to the other by equal factors, so that the map grows evenly.
    let eye = Vector3(
      pose.user.x + mapOffset.x * part,
      pose.user.y + mapOffset.y * part,
      exp(log(height) * (1 - part) + log(mapHeight) * part)
    )
    guard part < 1 else { return GroundCamera(displayFromGround: map, eye: eye) }
    let turned = between(Quaternion(held.displayFromGround), Quaternion(map), part)
    return GroundCamera(displayFromGround: Matrix3(turned), eye: eye)
  }

  /// The screen's axes, upright as labels are, and the pins'.
  private func describeAxes(_ camera: GroundCamera, in frame: inout GroundFrame) {
    let (x, y, out) = (camera.displayFromGround.row0, camera.displayFromGround.row1, camera.displayFromGround.row2)
    let (s, c) = (sin(frame.roll.radians), cos(frame.roll.radians))
    frame.right = x * c - y * s
    frame.up = x * s + y * c
    // A pin that is seen end on has no side; any will do.
    frame.pinSide = frame.pinAxis.cross(out).normalized ?? frame.right
  }

  /// The direction from a pin's foot to its head: up, leaned towards the plane of the screen where it would be seen end on.
  private func pinAxis(_ camera: GroundCamera, roll: Angle) -> Vector3 {
    let rows = camera.displayFromGround
    // The world's up in the display frame, and its part in the plane of the screen.
    let up = Vector3(rows.row0.z, rows.row1.z, rows.row2.z)
    let inScreen = hypot(up.x, up.y)
    // Where up is on the screen; held by the roll where it means nothing.
    let side =
      inScreen > 1e-6 ? Vector2(up.x / inScreen, up.y / inScreen) : Vector2(sin(roll.radians), cos(roll.radians))
    let lean = parameters.leanAngle.radians
    let angle = clamp(acos(up.z), lean, pi - lean)
    let axis = Vector3(side.x * sin(angle), side.y * sin(angle), cos(angle))
    return rows.transposed * axis
  }
}
