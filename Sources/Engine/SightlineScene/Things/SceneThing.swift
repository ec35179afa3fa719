import SightlineCamera
import SightlineMath
import SightlineOcclusion

/// A model or a picture that stands at a place of the Earth in its true size.
///
/// Its own frame is that of anything flat, and of a glTF model: x to its right, y to its top, z out of its front; of a model one unit,
/// of a picture its width is the unit, its middle the origin.
public struct SceneThing: Equatable, Sendable {
  /// The feature that it is of, an index in ``WorldDescription/features``.
  public var feature: Int32
  /// Whether it is a model; otherwise it is a picture.
  public var isModel = false
  /// Turns of a model about its own axes, z first, then x, then y; and metres for one of its units.
  public var model = ModelPlacement()
  /// Width of a picture, metres; 0: as its height and shape make it.
  public var width = 0.0
  /// Height of a picture, or of a model's box as the file has it, metres; 0: as the width, or the model's scale, make it.
  ///
  /// A model of a height has its foot on the place and its middle over it; one without stands with its own origin on it.
  public var height = 0.0
  /// How it stands; `nil`: a picture is upright and faces the user, a model faces south.
  public var attitude: Attitude?

  /// How something stands on the Earth.
  public struct Attitude: Equatable, Sendable {
    /// Direction that its front faces, clockwise from true north; of what lies flat, the direction that its lower edge points to.
    public var heading: Angle
    /// How far its front looks up: 0 upright, a right angle when it lies on its back.
    public var pitch: Angle
    /// How far it is turned clockwise, as seen by who looks at its front.
    public var roll: Angle

    /// An attitude.
    public init(heading: Angle, pitch: Angle = .zero, roll: Angle = .zero) {
      self.heading = heading
      self.pitch = pitch
      self.roll = roll
    }

    /// Turns vectors of its own frame into east, north, up at its place.
    public var eastNorthUpFromThing: Quaternion {
      let (s, c) = (sin(heading.radians), cos(heading.radians))
      let upright = Quaternion(Matrix3(rows: Vector3(-c, s, 0), Vector3(0, 0, 1), Vector3(s, c, 0)).transposed)
      return upright * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(radians: -pitch.radians))
        * Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: -roll.radians))
    }

    var isSound: Bool { heading.radians.isFinite && pitch.radians.isFinite && roll.radians.isFinite }
  }

  /// The thing of a feature, a picture without a size.
  public init(feature: Int32) { self.feature = feature }

  /// What is wrong with a number becomes what an absent one means.
  var sound: SceneThing {
    var thing = self
    let sides = 0...Limits.size
    if !sides.contains(width) { thing.width = 0 }
    if !sides.contains(height) { thing.height = 0 }
    if let attitude, !attitude.isSound { thing.attitude = nil }
    let turns = [model.xRotation, model.yRotation, model.zRotation]
    if !turns.allSatisfy({ $0.radians.isFinite }) { thing.model = ModelPlacement() }
    let scale = model.scale ?? 1
    thing.model.scale = scale > 0 && scale <= 1e6 ? scale : 1
    return thing
  }
}

/// A thing of the world before the camera.
///
/// The camera's frame: x right, y down, z forward, as the display is held; metres.
public struct ThingItem: Equatable, Sendable {
  /// Index in ``WorldDescription/features``.
  public var feature: Int32 = 0
  /// How it is drawn.
  public var state = ThingState.wanted
  /// From its own frame to the camera's.
  public var cameraFromThing = SimilarityTransform.identity
  /// How much longer its y axis is than its x axis: pictures that were given both sides.
  public var stretch = 1.0
  /// Radius of the sphere around it on the display, points.
  public var radius = 0.0
  /// From the eye to its middle, metres.
  public var distance = 0.0
  /// 0 … 1.
  public var opacity = 1.0
  /// The middle of its shadow on the ground, and the shadow's half axes, in the camera's frame.
  public var shadow = ThingShadow()
  /// Its box in its own frame.
  public var low = Vector3.zero
  /// Its box in its own frame.
  public var high = Vector3.zero
  /// Whether its place is seen from here, or stands behind buildings.
  public var visibility = Visibility.seen

  /// An item with the defaults above.
  public init() {}
}

/// How a thing in view is drawn.
public enum ThingState: UInt8, Sendable {
  /// Not yet: its box is not known, the host has to fetch it. Until then its label is shown.
  case wanted = 0
  /// As it is.
  case drawn = 1
  /// As it is, but small: what moves may rest.
  case small = 2
}

/// What a thing darkens on the ground below it.
public struct ThingShadow: Equatable, Sendable {
  /// Its middle.
  public var center = Vector3.zero
  /// Half of its width.
  public var side = Vector3.zero
  /// Half of its depth.
  public var ahead = Vector3.zero
  /// 0 … 1: fainter the higher the thing is above the ground; 0 for none.
  public var opacity = 0.0

  /// No shadow.
  public init() {}
}
