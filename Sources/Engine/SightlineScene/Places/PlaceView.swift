import SightlineCamera
import SightlineGeodesy
import SightlineMath

/// Places before the camera, for hosts that draw them by themselves: no labels, no layout, no radar.
///
/// Places and eye are ``Scene``'s own: equal poses come out of both.
public struct PlaceView: Sendable {
  /// A place that a host wants to see.
  public struct Place: Equatable, Sendable {
    /// −90 … 90; any other: the place is never shown.
    public var latitudeDegrees: Double
    /// −720 … 720.
    public var longitudeDegrees: Double
    /// Metres over ``altitudeDatum``.
    public var altitude: Double
    /// What the altitude is measured from.
    public var altitudeDatum: HeightDatum

    /// A place.
    public init(latitudeDegrees: Double, longitudeDegrees: Double, altitude: Double, altitudeDatum: HeightDatum) {
      self.latitudeDegrees = latitudeDegrees
      self.longitudeDegrees = longitudeDegrees
      self.altitude = altitude
      self.altitudeDatum = altitudeDatum
    }
  }

  /// A place seen from the eye.
  private struct Near: Sendable {
    var place: Int32
    /// East, north, up from the eye, metres.
    var offset: Vector3
    /// Turns east, north, up at the place into those at the eye.
    var rotation: Quaternion
    var opacity: Double
  }

  /// Metres within which places are shown.
  private var radius: Double
  private let parameters: Scene.Parameters
  private var places: [PlacedWorld.Place] = []
  private var eye: Eye?
  private var near: [Near] = []
  private var needsRefresh = true
  private var memory = PoseMemory()

  /// A view without places or an eye.
  public init(parameters: Scene.Parameters = Scene.Parameters()) {
    self.parameters = parameters
    radius = parameters.radius
  }

  /// Replaces the places.
  ///
  /// - Complexity: O(*n*).
  public mutating func setPlaces(_ places: [Place]) {
    self.places.removeAll(keepingCapacity: true)
    self.places.reserveCapacity(places.count)
    for place in places { self.places.append(PlacedWorld.Place(place)) }
    needsRefresh = true
  }

  /// Sets the radius inside which places are shown, metres; values that are not above 0 are ignored.
  public mutating func setRadius(_ metres: Double) {
    guard metres > 0, metres != radius else { return }
    radius = metres
    needsRefresh = true
  }

  /// Moves the eye; a position that is none is ignored.
  ///
  /// See ``Scene/setEye(_:datum:geoidHeight:ground:sigma:)``.
  public mutating func setEye(_ placement: EyePlacement) {
    let eye = Eye(
      placement.position,
      datum: placement.datum,
      geoidHeight: placement.geoidHeight,
      ground: placement.ground
    )
    guard let eye else { return }
    self.eye = eye
    needsRefresh = true
  }

  /// Makes a frame; without an eye, an orientation or a display it is not valid and empty.
  ///
  /// - Parameters:
  ///   - eastNorthUpFromDevice: rotates device vectors into east, north, up at the eye.
  ///   - projection: the display and the camera behind it.
  ///   - frame: filled in place.
  /// - Complexity: O(*n*) for *n* places.
  public mutating func update(
    eastNorthUpFromDevice: Quaternion,
    projection: borrowing DisplayProjection,
    into frame: inout PlaceFrame
  ) {
    frame.items.removeAll(keepingCapacity: true)
    frame.isValid = false
    guard let eye, projection.isUsable,
      let pose = memory.pose(
        eastNorthUpFromDevice: eastNorthUpFromDevice,
        projection: projection,
        parameters: parameters
      )
    else { return }
    if needsRefresh { refresh(eye) }
    let camera = pose.cameraFromEastNorthUp
    let turn = Quaternion(camera)
    for item in near {
      var out = PlaceFrame.Item()
      out.place = item.place
      out.distance = item.offset.length
      out.opacity = item.opacity
      out.cameraFromPlace.rotation = (turn * item.rotation).normalized ?? .identity
      out.cameraFromPlace.translation = camera * item.offset
      frame.items.append(out)
    }
    frame.isValid = true
    (frame.bearing, frame.pitch, frame.roll) = (pose.bearing, pose.pitch, pose.roll)
    let (closest, farthest) = (parameters.things.near, parameters.things.far)
    frame.clipFromCamera = cameraClipMatrix(projection, near: closest, far: farthest)
    writeClipMatrix(
      into: &frame.clipFromEastNorthUp,
      displayFromWorld: pose.displayFromEastNorthUp,
      eyeInWorld: .zero,
      projection: projection,
      near: parameters.nearPlane,
      far: parameters.farPlane
    )
  }

  /// Takes the places as they are seen from the eye.
  private mutating func refresh(_ eye: Eye) {
    needsRefresh = false
    near.removeAll(keepingCapacity: true)
    let eyeAxes = Quaternion(eye.axes)
    for index in places.indices where places[index].isPlaced {
      let place = places[index]
      let distance = greatCircleDistance(from: eye.geodetic, to: place.geodetic)
      guard distance <= radius else { continue }
      let foot = eye.foot(of: place, from: eye.offset(to: place), drop: parameters.things.groundBelowEye)
      guard foot.length.isFinite else { continue }
      near.append(
        Near(
          place: Int32(clamping: index),
          offset: foot,
          rotation: (eyeAxes * Quaternion(Eye.axes(normal: place.normal)).inverse).normalized ?? .identity,
          opacity: edgeOpacity(
            distance: distance,
            limit: radius,
            fraction: parameters.fadeFraction,
            least: parameters.fadeOpacity
          )
        )
      )
    }
  }
}

extension PlacedWorld.Place {
  /// A bare place.
  fileprivate init(_ place: PlaceView.Place) {
    datum = abs(place.altitude) <= Limits.altitude ? place.altitudeDatum : .eye
    settle(
      latitudeDegrees: place.latitudeDegrees,
      longitudeDegrees: place.longitudeDegrees,
      altitude: place.altitude,
      offset: .zero
    )
  }
}
