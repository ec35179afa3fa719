import Sightline

/// The session of the app: readings in, frames out.
struct PhoneSession {
  private(set) var session = Session()
  private var world = PhoneWorld()
  private var description: WorldDescription?

  /// The size of the view, points.
  mutating func setView(width: Double, height: Double, at time: Double) {
    session.handle(.display(Display(width: width, height: height)), at: time)
  }

  /// The lens and size of the camera's pictures, which come upright.
  mutating func setCamera(_ camera: FrameCamera, at time: Double) {
    session.handle(.camera(CameraPicture(intrinsics: camera.intrinsics)), at: time)
  }

  mutating func take(_ motion: MotionReading) {
    session.handle(.orientation(motion.orientation), at: motion.time)
    session.handle(.motion(motion.sample), at: motion.time)
    carryOut(at: motion.time)
  }

  /// A position; the first one says where the world is.
  mutating func take(_ fix: LocationFix, at time: Double) {
    session.handle(.fix(fix), at: time)
    if description == nil {
      description = world.description(around: fix)
      session.handle(.setRadius(1000), at: time)
      session.handle(.open(AddressID(0)), at: time)
    }
    carryOut(at: time)
  }

  mutating func positionIsDenied(at time: Double) { session.handle(.locationUnavailable(.denied), at: time) }

  /// For the direction of magnetic north.
  mutating func setDate(decimalYear: Double, at time: Double) {
    session.handle(.calendar(decimalYear: decimalYear), at: time)
  }

  mutating func take(_ observations: Observations, at time: Double) {
    session.handle(.observations(observations), at: time)
  }

  /// How large the labels are drawn, points.
  mutating func setLabelSize(width: Double, height: Double, at time: Double) {
    for feature in world.things.indices {
      session.handle(.labelSize(feature: Int32(feature), width: width, height: height), at: time)
    }
  }

  private mutating func carryOut(at time: Double) {
    while let effect = session.nextEffect() {
      // There is one world, and it is here.
      if case .request(let request) = effect, let description {
        session.handle(.loaded(request.id, description), at: time)
        setLabelSize(width: 140, height: 44, at: time)
      }
    }
  }

  /// What to draw at a moment.
  mutating func frame(at time: Double) -> PhoneFrame {
    session.makeFrame(at: time)
    let scene = session.frame
    var frame = PhoneFrame()
    for item in scene.items.reversed() {
      let metres = Int(item.distance.rounded())
      frame.labels.append(
        PhoneFrame.Label(
          id: Int(item.feature),
          text: "\(world.things[Int(item.feature)].name)\n\(metres) m",
          x: item.center.x,
          y: item.center.y,
          width: item.width,
          height: item.height,
          opacity: item.opacity,
          turn: scene.roll.radians
        )
      )
    }
    for anchor in scene.anchors where anchor.isInPicture {
      guard let corners = anchor.corners else { continue }
      frame.outlines.append(
        PhoneFrame.Outline(
          id: Int(anchor.anchor),
          corners: (0..<4).map { (corners[$0].x, corners[$0].y) },
          opacity: anchor.opacity
        )
      )
    }
    for item in scene.anchored {
      guard let box = item.label, let anchor = scene.anchors.first(where: { $0.anchor == item.anchor }) else {
        continue
      }
      let distance = anchor.cameraFromAnchor.map { "\n\(Int(($0.translation.length * 100).rounded())) cm" } ?? ""
      frame.labels.append(
        PhoneFrame.Label(
          id: Int(item.feature),
          text: world.things[Int(item.feature)].name + distance,
          x: box.x + box.width / 2,
          y: box.y + box.height / 2,
          width: box.width,
          height: box.height,
          opacity: item.opacity,
          turn: 0
        )
      )
    }
    switch session.status.location {
    case .denied: frame.missing = .positionDenied
    case .waiting, .missing: frame.missing = .position
    default: frame.missing = session.status.heading.quality == .none ? .orientation : nil
    }
    return frame
  }
}
