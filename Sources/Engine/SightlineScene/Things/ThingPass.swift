import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineOcclusion

/// The things of a world: which are drawn in a frame, and how they lie before the camera.
///
/// A thing whose box is empty is not there: its file cannot be had, and it is neither drawn nor wanted.
///
/// The rule for what is left out: of the things in view the selected one comes first, then the larger before the smaller as seen from the
/// eye; those that no longer fit into the frame's triangles or number, and those smaller than a few points, are not drawn, and have
/// their label instead. The order depends on where the eye is, not on where it looks.
///
/// Places, turns and order are found when eye or content change; a frame turns them before the camera, in arrays
/// that are reused.
struct ThingPass: Sendable {
  /// A thing near the eye.
  private struct Near: Sendable {
    var feature: Int32
    var thing: Int32
    var isLoaded: Bool
    var isSelected: Bool
    /// East, north, up at the eye, from the eye, metres.
    var origin: Vector3
    var middle: Vector3
    var rotation: Quaternion
    var scale: Double
    var stretch: Double
    var radius: Double
    var distance: Double
    var opacity: Double
    var triangles: Int
    var shadowCenter: Vector3
    var shadowSide: Vector3
    var shadowAhead: Vector3
    var shadowOpacity: Double
    var size: Double
    var visibility: Visibility
  }

  private var near: [Near] = []
  private var boxes: [ModelPlacement.Bounds?] = []
  private var triangles: [Int32] = []
  /// By thing: whether it was drawn in the last frame, and where its label and its middle are: east, north, up from the eye.
  private(set) var isDrawn: [Bool] = []
  private(set) var tops: [Vector3] = []
  private(set) var things: [SceneThing] = []
  /// Indices of `near`, the selected first, then the larger as seen from the eye.
  private var order: [Int32] = []

  /// Takes over another world: nothing is known of its models and pictures until the host tells.
  mutating func setWorld(_ world: WorldDescription) {
    things.removeAll()
    for thing in world.things where world.features.indices.contains(Int(thing.feature)) { things.append(thing.sound) }
    boxes = [ModelPlacement.Bounds?](repeating: nil, count: things.count)
    triangles = [Int32](repeating: 0, count: things.count)
    isDrawn = [Bool](repeating: false, count: things.count)
    tops = [Vector3](repeating: .zero, count: things.count)
    near.removeAll()
  }

  /// Notes the box around a model, or a picture.
  mutating func setBounds(_ box: ModelPlacement.Bounds, of thing: Int32) { boxes[Int(thing)] = box }

  /// Notes how many triangles a model has.
  mutating func setTriangles(_ count: Int32, of thing: Int32) { triangles[Int(thing)] = max(0, count) }

  // MARK: When the eye moves

  /// Places the things among the candidates.
  mutating func refresh(
    _ candidates: borrowing Candidates,
    _ placed: borrowing PlacedWorld,
    eye: Eye,
    parameters: Scene.Parameters.Things
  ) {
    near.removeAll(keepingCapacity: true)
    guard !things.isEmpty else { return }
    let drop = parameters.groundBelowEye
    for index in candidates.details.indices where candidates.details[index].thing >= 0 {
      let detail = candidates.details[index]
      let thing = things[Int(detail.thing)]
      let place = placed.places[Int(detail.feature)]
      let foot = eye.foot(of: place, from: candidates.offsets[index], drop: drop)
      let fromThing = turn(thing, foot: foot, place: place, eye: eye)
      let box = boxes[Int(detail.thing)]
      var size = measures(thing, box)
      if place.rule >= 0, let scaling = placed.rules[Int(place.rule)].scaling {
        size.scale *= scaling.growth(at: foot.length)
      }
      let (low, high) = (box?.low ?? Vector3(-0.5, 0, -0.5), box?.high ?? Vector3(0.5, 1, 0.5))
      let shift = Self.shift(thing, box, pivot: detail.pivot, scale: size.scale, stretch: size.stretch)
      let origin = foot + fromThing * shift
      let stretched = Vector3(1, size.stretch, 1)
      let half = Self.times((high - low) * (size.scale / 2), stretched)
      let middle = origin + fromThing * Self.times((low + high) * (size.scale / 2), stretched)
      let distance = middle.length
      guard distance.isFinite, half.length > 0, half.length <= 1e5 else {
        isDrawn[Int(detail.thing)] = false
        continue
      }
      var item = Near(
        feature: detail.feature,
        thing: detail.thing,
        isLoaded: box != nil,
        isSelected: detail.isSelected,
        origin: origin,
        middle: middle,
        rotation: fromThing,
        scale: size.scale,
        stretch: size.stretch,
        radius: half.length,
        distance: distance,
        opacity: detail.opacity,
        triangles: thing.isModel ? Int(triangles[Int(detail.thing)]) : 2,
        shadowCenter: .zero,
        shadowSide: .zero,
        shadowAhead: .zero,
        shadowOpacity: 0,
        size: half.length / max(distance, 0.1),
        visibility: detail.visibility
      )
      if thing.isModel, item.triangles == 0 { item.triangles = parameters.usualTriangles }
      let (x, y, z) = (fromThing * Vector3(1, 0, 0), fromThing * Vector3(0, 1, 0), fromThing * Vector3(0, 0, 1))
      let rise = abs(x.z) * half.x + abs(y.z) * half.y + abs(z.z) * half.z
      tops[Int(detail.thing)] = middle + Vector3(0, 0, rise)
      shade(&item, half: half, x: x, y: y, z: z, bottom: middle.z - rise, ground: eye.rise(to: place) - drop)
      near.append(item)
    }
    sort()
  }

  /// Puts ``order`` right: Shell's method with the gaps of Knuth, as nothing larger is worth its code.
  private mutating func sort() {
    order.removeAll(keepingCapacity: true)
    for k in near.indices { order.append(Int32(truncatingIfNeeded: k)) }
    var gap = 1
    while gap < order.count / 3 { gap = 3 * gap + 1 }
    while gap > 0 {
      for end in stride(from: gap, to: order.count, by: 1) {
        let moved = order[end]
        var place = end
        while place >= gap, comes(moved, before: order[place - gap]) {
          order[place] = order[place - gap]
          place -= gap
        }
        order[place] = moved
      }
      gap /= 3
    }
  }

  private func comes(_ a: Int32, before b: Int32) -> Bool {
    let (one, other) = (near[Int(a)], near[Int(b)])
    if one.isSelected != other.isSelected { return one.isSelected }
    return one.size != other.size ? one.size > other.size : a < b
  }

  /// East, north, up at the eye from the thing's own frame.
  private func turn(_ thing: SceneThing, foot: Vector3, place: PlacedWorld.Place, eye: Eye) -> Quaternion {
    var attitude = thing.attitude
    if attitude == nil, !thing.isModel, hypot(foot.x, foot.y) > 1e-6 {
      // Towards the eye; there is nothing to be seen of how east turns on the way.
      return SceneThing.Attitude(heading: Angle(radians: atan2(-foot.x, -foot.y))).eastNorthUpFromThing
    }
    if attitude == nil { attitude = SceneThing.Attitude(heading: Angle(degrees: 180)) }
    let own: Quaternion
    if thing.isModel {
      let model = thing.model
      own =
        Quaternion(axis: Vector3(0, 1, 0), angle: model.yRotation)
        * Quaternion(axis: Vector3(1, 0, 0), angle: model.xRotation)
        * Quaternion(axis: Vector3(0, 0, 1), angle: model.zRotation)
    } else {
      own = .identity
    }
    let atPlace = (attitude?.eastNorthUpFromThing ?? .identity) * own
    if place.followsEye { return atPlace }
    // East and north at the place are not quite those at the eye.
    let axes = Eye.axes(normal: place.normal)
    return (Quaternion(eye.axes) * Quaternion(axes).inverse * atPlace).normalized ?? atPlace
  }

  /// Metres a unit, and how much more a unit of y is.
  private func measures(_ thing: SceneThing, _ box: ModelPlacement.Bounds?) -> (scale: Double, stretch: Double) {
    if thing.isModel {
      guard thing.height > 0 else { return (thing.model.scale ?? 1, 1) }
      guard let box else { return (thing.height, 1) }
      return (thing.height / max(box.high.y - box.low.y, 1e-6), 1)
    }
    // Of a picture the width is the unit, its height is known with its box.
    let ratio = box.map { max($0.high.y - $0.low.y, 1e-6) } ?? 1
    if thing.width > 0 { return (thing.width, thing.height > 0 ? thing.height / thing.width / ratio : 1) }
    return (thing.height > 0 ? thing.height / ratio : 1, 1)
  }

  /// From the place to the thing's origin, in its own axes, metres.
  private static func shift(
    _ thing: SceneThing,
    _ box: ModelPlacement.Bounds?,
    pivot: Vector2,
    scale: Double,
    stretch: Double
  ) -> Vector3 {
    guard let box else { return thing.isModel ? .zero : Vector3(0, scale / 2, 0) }
    if thing.isModel {
      guard thing.height > 0 else { return .zero }
      return Vector3(-(box.low.x + box.high.x) / 2, -box.low.y, -(box.low.z + box.high.z) / 2) * scale
    }
    let height = (box.high.y - box.low.y) * scale * stretch
    return Vector3((0.5 - pivot.x) * scale, (pivot.y - 0.5) * height, 0)
  }

  private static func times(_ a: Vector3, _ b: Vector3) -> Vector3 { Vector3(a.x * b.x, a.y * b.y, a.z * b.z) }

  /// The shadow under a thing: as wide and deep as its box is on the ground.
  private func shade(
    _ item: inout Near,
    half: Vector3,
    x: Vector3,
    y: Vector3,
    z: Vector3,
    bottom: Double,
    ground: Double
  ) {
    let height = bottom - ground
    let least = max(0.15, 0.06 * half.length)
    guard height > -2 * half.length, height < 2 * half.length else { return }
    let length = hypot(x.x, x.y)
    let (right, ahead) =
      length > 1e-6
      ? (Vector3(x.x / length, x.y / length, 0), Vector3(-x.y / length, x.x / length, 0))
      : (Vector3(1, 0, 0), Vector3(0, 1, 0))
    let side = abs(x.dot(right)) * half.x + abs(y.dot(right)) * half.y + abs(z.dot(right)) * half.z
    let deep = abs(x.dot(ahead)) * half.x + abs(y.dot(ahead)) * half.y + abs(z.dot(ahead)) * half.z
    item.shadowCenter = Vector3(item.middle.x, item.middle.y, ground + 0.01)
    item.shadowSide = right * (max(side, least) * 1.25)
    item.shadowAhead = ahead * (max(deep, least) * 1.25)
    item.shadowOpacity = 0.5 * (1 - clamp(max(height, 0) / (2 * half.length), 0, 1))
  }

  // MARK: Every frame

  /// Chooses what is drawn, and turns it before the camera.
  mutating func run(
    pose: ViewPose,
    projection: borrowing DisplayProjection,
    parameters: Scene.Parameters.Things,
    into frame: inout SceneFrame
  ) {
    frame.things.removeAll(keepingCapacity: true)
    guard !near.isEmpty else { return }
    let focal = projection.focalPoints
    let camera = pose.cameraFromEastNorthUp
    let turn = Quaternion(camera)
    frame.cameraFromEastNorthUp = turn
    let view = ViewCone(projection)
    var (left, wanted) = (parameters.triangles, parameters.wanted)
    for k in order.indices {
      let item = near[Int(order[k])]
      let wasDrawn = isDrawn[Int(item.thing)]
      isDrawn[Int(item.thing)] = false
      let middle = camera * item.middle
      guard view.reaches(middle, radius: item.radius) else { continue }
      let size = item.size * (focal.x + focal.y) / 2
      guard size >= (wasDrawn ? 0.75 : 1) * parameters.least / 2 || item.isSelected else { continue }
      var out = ThingItem()
      out.feature = item.feature
      out.distance = item.distance
      out.radius = size
      if item.isLoaded {
        guard item.triangles <= left || item.isSelected, frame.things.count < parameters.most else { continue }
        left -= item.triangles
        isDrawn[Int(item.thing)] = true
        out.state = size < parameters.small / 2 ? .small : .drawn
        if let box = boxes[Int(item.thing)] { (out.low, out.high) = (box.low, box.high) }
      } else {
        guard wanted > 0 else { continue }
        wanted -= 1
      }
      out.cameraFromThing = SimilarityTransform(
        rotation: (turn * item.rotation).normalized ?? .identity,
        translation: camera * item.origin,
        scale: item.scale
      )
      out.stretch = item.stretch
      out.opacity = item.opacity
      out.visibility = item.visibility
      out.shadow.center = camera * item.shadowCenter
      out.shadow.side = camera * item.shadowSide
      out.shadow.ahead = camera * item.shadowAhead
      out.shadow.opacity = item.shadowOpacity * item.opacity
      frame.things.append(out)
    }
    frame.clipFromThingCamera = cameraClipMatrix(projection, near: parameters.near, far: parameters.far)
  }
}

/// What a display shows, as four planes through the eye.
private struct ViewCone {
  let planes: InlineArray<4, Vector3>

  init(_ projection: borrowing DisplayProjection) {
    let (f, c) = (projection.focalPoints, projection.center)
    let (w, h) = (projection.display.width, projection.display.height)
    planes = [
      Self.unit(Vector3(f.x, 0, c.x)), Self.unit(Vector3(-f.x, 0, w - c.x)), Self.unit(Vector3(0, f.y, c.y)),
      Self.unit(Vector3(0, -f.y, h - c.y)),
    ]
  }

  private static func unit(_ v: Vector3) -> Vector3 { v * (1 / max(v.length, 1e-9)) }

  /// Whether a sphere before the eye may be in view.
  func reaches(_ middle: Vector3, radius: Double) -> Bool {
    guard middle.z > -radius else { return false }
    for k in 0..<4 where planes[k].dot(middle) < -radius { return false }
    return true
  }
}
