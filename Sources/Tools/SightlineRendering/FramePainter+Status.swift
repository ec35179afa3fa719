import SightlineEngine
import SightlineMath

extension FramePainter {
  /// The lights at the top, and in words what is wrong.
  func drawStatus(_ scene: RenderedScene, _ canvas: Canvas) {
    let lights: [(name: String, quality: Quality, words: String)] = [
      ("World", scene.status.content.quality, scene.status.content.words),
      ("Location", scene.status.location.quality, scene.status.location.words),
      ("Compass", scene.status.heading.quality, scene.status.heading.words),
    ]
    var y = 26.0
    let spacing = 78.0
    let width = spacing * 3 + 6
    canvas.box(center: Vector2(14 + width / 2, y), width: width, height: 26, radius: 13, .glass, line: .glassLine)
    for (k, light) in lights.enumerated() {
      let x = 28 + Double(k) * spacing
      canvas.disc(Vector2(x, y), 4.2, Self.paint(light.quality))
      canvas.write(light.name, at: Vector2(x + 9, y), .init(size: 11, alignment: .left))
    }
    let widest = max(120, (scene.frame.width > 0 ? scene.frame.width : 390) - 28)
    for light in lights where light.quality != .good && !light.words.isEmpty {
      y += 25
      let length = min(widest, Double(light.words.count) * 5.9 + 24)
      canvas.box(center: Vector2(14 + length / 2, y), width: length, height: 21, radius: 10.5, .glass, line: .glassLine)
      canvas.write(
        light.words,
        at: Vector2(25, y),
        .init(size: 10.5, paint: light.quality == .none ? .bad : .pick, alignment: .left),
        widest: length - 20
      )
    }
  }

  private static func paint(_ quality: Quality) -> Paint {
    switch quality {
    case .good: .accent
    case .poor: .pick
    case .none: .bad
    }
  }
}

extension ContentStatus {
  /// What is wrong, in a few words.
  var words: String {
    switch self {
    case .nothingOpened: "No world is open"
    case .waitingForSensors: "Waiting for position and direction"
    case .loading: "Loading the world"
    case .outdated: "The last refresh failed: an older state"
    case .failed: "The world could not be loaded"
    case .nothingInRange: "No place inside the radius"
    default: ""
    }
  }
}

extension LocationStatus {
  /// What is wrong, in a few words.
  var words: String {
    switch self {
    case .waiting: "Waiting for the position"
    case .denied: "The position was refused"
    case .missing: "No position here"
    case .inaccurate: "The position is inaccurate"
    case .stale: "The position is old"
    default: ""
    }
  }
}

extension HeadingStatus {
  /// What is wrong, in a few words.
  var words: String {
    if self == .good { return "" }
    // A table and not a switch: a state that is new to this module is still uncertain.
    let known: [HeadingStatus: String] = [
      .waiting: "Waiting for the direction",
      .denied: "The motion sensors were refused",
      .missing: "No motion sensors",
      .noNorth: "North is not known: everything may be turned",
      .inaccurate: "The compass is disturbed: keep away from metal",
      .stale: "The motion sensors are silent",
      .noMagneticNorth: "Too near to a magnetic pole",
      .disturbed: "North is disturbed: move away from metal",
      .uncertain: "North is only roughly known: hold the phone flat for a moment",
      .noDeclination: "Without correction to true north",
    ]
    return known[self] ?? "The direction is uncertain"
  }
}
