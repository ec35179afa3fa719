import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// Scene: frames, fixes and placing, against the plain loop.
func benchmarkScene(_ harness: Harness) {
  guard harness.includes("Scene") else { return }
  var frameTimes: [Double] = []
  for size in [1000, 10_000, 100_000] {
    let workload = SceneWorkload(places: size, inRadius: 1000)
    var stage = SceneStage(workload)
    stage.step(0)
    let name = "\(size)-\(stage.frame.candidateCount)-\(stage.inView)"
    let median = harness.measure("Scene/frame/\(name)", iterations: 100, countingAllocations: true) { stage.step($0) }
    if let median { frameTimes.append(median) }
    harness.measure("Scene/frame+fix/\(name)", iterations: 20) {
      stage.moveEye($0)
      stage.step($0)
    }
    harness.measure("Scene/place/\(size)", samples: size > 10_000 ? 10 : 30) { _ in
      var scene = Scene()
      scene.setWorld(workload.world)
      consume(scene.selected)
    }
    for keepsPositions in [false, true] {
      var peer = PlainLoop(workload, keepsPositions: keepsPositions)
      harness.measure("Scene/plain-loop\(keepsPositions ? "-kept-positions" : "")/\(name)", samples: 20) {
        peer.step(eye: workload.eye, eastNorthUpFromDevice: workload.orientation($0), projection: workload.projection)
        consume(peer.placed.count)
      }
    }
  }
  if frameTimes.count == 3 {
    harness.note("a frame at 100,000 places costs \(rounded(frameTimes[2] / frameTimes[0])) × one at 1,000")
  }
  for crowd in [10, 100, 300, 1000] {
    let workload = SceneWorkload(places: crowd * 10, inRadius: crowd * 10)
    var stage = SceneStage(workload)
    stage.step(0)
    harness.measure(
      "Scene/in-view/\(stage.frame.candidateCount)-\(stage.inView)",
      iterations: 20,
      countingAllocations: true
    ) {
      stage.step($0)
    }
  }
}

/// A world of places strewn evenly around an eye, so that a given number is inside the radius and about a tenth of those
/// in view, and a phone in a hand: turning slowly, trembling a little.
struct SceneWorkload {
  let world: WorldDescription
  let eye = Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9915, altitude: 480)
  let radius = 5000.0
  let picture = CameraPicture(
    intrinsics: Intrinsics(width: 720, height: 1280, longSideFieldOfView: Angle(degrees: 66))
  )
  let projection: DisplayProjection

  init(places: Int, inRadius: Int) {
    var random = SplitMix(state: 20_261_121)
    var world = WorldDescription()
    let axes = EastNorthUpFrame(origin: eye)
    // Evenly over a disc whose area is to that inside the radius as the places are to those in it.
    let edge = radius * (Double(places) / Double(inRadius)).squareRoot() * 0.999
    for i in 0..<places {
      let distance = edge * random.unit().squareRoot()
      let azimuth = 2 * pi * random.unit()
      let up = distance * 0.1 * (random.unit() - 0.5)
      let place = axes.geodetic(Vector3(distance * sin(azimuth), distance * cos(azimuth), up))
      var feature = SceneFeature(latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
      feature.altitude = place.altitude
      feature.key = UInt64(i + 1)
      feature.width = 70 + 90 * random.unit()
      feature.height = 28
      feature.category = UInt8(i % 6)
      world.features.append(feature)
    }
    world.radarRange = radius
    self.world = world
    projection = DisplayProjection(display: Display(width: 390, height: 844), picture: picture)
  }

  /// The phone at a frame: 60 a second, a turn of 4° a second to and fro, a tremor of 0.1°.
  func orientation(_ frame: Int) -> Quaternion {
    let t = Double(frame % 100_000) / 60
    let heading = 8 * sin(t / 2) + 0.1 * sin(t * 40)
    let pitch = 3 * sin(t / 3) + 0.1 * sin(t * 47)
    return Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: -heading))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90 + pitch))
      * Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 2 * sin(t)))
  }
}

/// A scene with its frame, as a session would hold them.
struct SceneStage {
  let workload: SceneWorkload
  var scene = Scene()
  var frame = SceneFrame()

  init(_ workload: SceneWorkload) {
    self.workload = workload
    scene.setWorld(workload.world)
    scene.setRadius(workload.radius)
    scene.setEye(workload.eye, datum: .ellipsoid)
  }

  /// Labels laid out or gathered in clusters.
  var inView: Int { frame.items.count + frame.clusterMembers.count }

  /// One frame with a touch.
  mutating func step(_ i: Int) {
    scene.update(
      time: Double(i) / 60,
      eastNorthUpFromDevice: workload.orientation(i),
      projection: workload.projection,
      into: &frame
    )
    consume(scene.hit(Vector2(195, 422), in: frame))
  }

  /// A fix a step further.
  mutating func moveEye(_ i: Int) {
    var eye = workload.eye
    eye.latitudeDegrees += Double(i % 100) * 1e-5
    scene.setEye(eye, datum: .ellipsoid)
  }
}

/// The designs of 2010, plainly written: at every update of a sensor every feature of the world is converted, turned,
/// filtered, sorted, projected and laid out, each label against all those before it; and so is the radar.
struct PlainLoop {
  let features: [SceneFeature]
  /// Whether Earth-centred positions are kept from the start; the originals differ in this.
  let keepsPositions: Bool
  private let positions: [Vector3]
  private let radius: Double
  /// Boxes that found room, with their feature.
  private(set) var placed: [(feature: Int, x: Double, y: Double, width: Double, height: Double)] = []
  /// Blips on the radar.
  private(set) var blips: [Vector2] = []

  init(_ workload: SceneWorkload, keepsPositions: Bool) {
    features = workload.world.features
    radius = workload.radius
    self.keepsPositions = keepsPositions
    positions = keepsPositions ? features.map { Self.position($0) } : []
  }

  private static func position(_ feature: SceneFeature) -> Vector3 {
    Geocentric(
      Geodetic(
        latitudeDegrees: feature.latitudeDegrees,
        longitudeDegrees: feature.longitudeDegrees,
        altitude: feature.altitude
      )
    ).vector
  }

  mutating func step(eye: Geodetic, eastNorthUpFromDevice: Quaternion, projection: DisplayProjection) {
    let eyePosition = Geocentric(eye).vector
    let latitude = Angle(degrees: eye.latitudeDegrees).radians
    let longitude = Angle(degrees: eye.longitudeDegrees).radians
    let axes = Matrix3(
      rows: Vector3(-sin(longitude), cos(longitude), 0),
      Vector3(-sin(latitude) * cos(longitude), -sin(latitude) * sin(longitude), cos(latitude)),
      Vector3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    )
    let displayFromEastNorthUp = Matrix3((eastNorthUpFromDevice * projection.deviceFromDisplay).inverse)
    var visible: [(distance: Double, feature: Int, point: Vector2)] = []
    blips.removeAll(keepingCapacity: true)
    for i in features.indices {
      let offset = axes * ((keepsPositions ? positions[i] : Self.position(features[i])) - eyePosition)
      let distance = hypot(offset.x, offset.y)
      guard distance <= radius else { continue }
      blips.append(Vector2(offset.x / radius, -offset.y / radius))
      guard let point = projection.project(pointInDisplay: displayFromEastNorthUp * offset),
        point.x >= 0, point.y >= 0, point.x <= projection.display.width, point.y <= projection.display.height
      else { continue }
      visible.append((distance, i, point))
    }
    visible.sort { $0.distance < $1.distance }
    placed.removeAll(keepingCapacity: true)
    for candidate in visible {
      let feature = features[candidate.feature]
      var y = candidate.point.y - feature.height / 2
      // Lift until it meets nobody, at most 180 points.
      for _ in 0..<30 {
        let isFree = placed.allSatisfy {
          abs($0.x - candidate.point.x) >= ($0.width + feature.width) / 2
            || abs($0.y - y) >= ($0.height + feature.height) / 2
        }
        if isFree {
          placed.append((candidate.feature, candidate.point.x, y, feature.width, feature.height))
          break
        }
        y -= 6
      }
    }
  }
}

/// A small seeded generator.
struct SplitMix {
  var state: UInt64
  /// 0 …< 1.
  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }
}
