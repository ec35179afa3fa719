import SightlineCamera
import SightlineMath

/// Everything about one frame's pose that does not depend on a feature.
///
/// Vectors in `eastNorthUp` are at the eye.
struct ViewPose: Sendable {
  /// Rows are the display's axes (x right, y up, z out of the screen) in EastNorthUp.
  var displayFromEastNorthUp: Matrix3
  /// Unit, EastNorthUp: where the camera looks.
  var forward: Vector3
  var bearing: Angle
  var pitch: Angle
  /// World's up on the display, radians clockwise from its top; held when looking steeply up or down.
  var roll: Angle
  var rollCosine: Double
  var rollSine: Double
  /// Horizontal unit vectors of the levelled view: to its right and ahead.
  ///
  /// Well defined in every pose, because they follow from the (possibly held) roll.
  var rightEast: Double
  var rightNorth: Double
  /// Length of the world's up in the plane of the screen: the cosine of the pitch.
  var upInScreen: Double
  /// World's up on the display as it is, not held, clockwise from the top.
  var trueRoll: Angle

  /// The camera's axes, x right, y down, z forward.
  var cameraFromEastNorthUp: Matrix3 {
    let display = displayFromEastNorthUp
    return Matrix3(rows: display.row0, -display.row1, -display.row2)
  }

  /// A screen point in levelled coordinates, and back: turned about the centre of the screen.
  func levelled(_ point: Vector2, center: Vector2) -> Vector2 {
    center + (point - center).rotated(cosine: rollCosine, sine: -rollSine)
  }
  func onScreen(_ levelled: Vector2, center: Vector2) -> Vector2 {
    center + (levelled - center).rotated(cosine: rollCosine, sine: rollSine)
  }
}

/// What the pose remembers from frame to frame: hysteresis only.
struct PoseMemory: Sendable {
  var heldRoll = Angle.zero
  var isHolding = false
  var isFlat = false

  /// The pose of a frame, or `nil` if the orientation is none.
  ///
  /// Roll. Near the vertical the direction of "up" on the screen turns wildly with the slightest movement and means
  /// nothing at the vertical itself. So from `holdCosine` (|vertical part of the view|) on the last roll is kept until
  /// the view leaves the wider cone of `releaseCosine`. Starting inside the cone, labels stand as the display does.
  ///
  /// Bearing. Within 2.6° of the vertical it is the direction of the display's top edge, expressed so that it runs on
  /// without a jump when a level phone is tilted there.
  mutating func pose(
    eastNorthUpFromDevice: Quaternion,
    projection: borrowing DisplayProjection,
    parameters: Scene.Parameters
  ) -> ViewPose? {
    guard let rotation = (eastNorthUpFromDevice * projection.deviceFromDisplay).normalized else { return nil }
    let axes = Matrix3(rotation.inverse)
    let (right, top, out) = (axes.row0, axes.row1, axes.row2)
    let forward = -out
    let upInScreen = (right.z * right.z + top.z * top.z).squareRoot()
    let trueRoll = Angle(radians: atan2(right.z, top.z))
    let steepness = abs(forward.z)
    if steepness > (isHolding ? parameters.rollReleaseCosine : parameters.rollHoldCosine) {
      isHolding = true
    } else {
      isHolding = false
      heldRoll = trueRoll
    }
    let (sine, cosine) = (sin(heldRoll.radians), cos(heldRoll.radians))
    // The levelled right axis is the display's right axis turned back by the roll. Its horizontal part cannot vanish:
    // only a vertical axis has none, and this one is level up to what holding the roll adds.
    let levelRight = right * cosine + top * -sine
    let length = hypot(levelRight.x, levelRight.y)
    let isVertical = steepness > 0.999
    return ViewPose(
      displayFromEastNorthUp: axes,
      forward: forward,
      bearing: Angle(radians: isVertical ? -atan2(right.y, right.x) : atan2(forward.x, forward.y)),
      pitch: Angle(radians: asin(forward.z)),
      roll: heldRoll,
      rollCosine: cosine,
      rollSine: sine,
      rightEast: length > 0 ? levelRight.x / length : 1,
      rightNorth: length > 0 ? levelRight.y / length : 0,
      upInScreen: upInScreen,
      trueRoll: trueRoll
    )
  }
}
