import SightlineCamera
import SightlineGeodesy
import SightlineMath

/// All that one run of the simulator is made of: read from a script, see `Documentation/simulator.md`.
public struct SimulationScript: Sendable {
  /// Of all chance.
  public var seed: UInt64 = 1
  /// Origin of the world frame.
  public var place = Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9916, altitude: 480)
  /// For the magnetic model.
  public var decimalYear = 2026.5
  /// Height of the sea above the ellipsoid, metres; `nil`: the script does not say, and it is ``seaHeight``.
  public var geoidHeight: Double?
  /// What the phone delivers.
  public var phone = PhoneProfile.androidChrome
  /// The screen.
  public var display = Display(width: 390, height: 844)
  /// The camera; `nil` for none.
  public var camera: CameraSettings?
  /// What can be seen.
  public var scenery = Scenery()
  /// Whether the landmarks' world states heights over the sea; else it states them against the eye.
  public var heightsAreAbsolute = false
  /// How the phone moves.
  public internal(set) var trajectory = Trajectory()
  /// Seconds.
  public internal(set) var duration = 0.0
  /// Moments from which satellites are seen otherwise.
  public internal(set) var skyViews: [(time: Double, view: SkyView)] = [(0, .street)]
  /// By what factor fixes state too small an accuracy.
  public internal(set) var fixOptimism = 1.0
  /// Fixes a second.
  public internal(set) var fixRate = 1.0
  /// Times without any event, as of a hidden page.
  public internal(set) var gaps: [ClosedRange<Double>] = []
  /// How camera and motion sensors sit in the phone, for sequences.
  public var rig = RigSettings()
  /// Times in which the lens is covered, in sequences.
  public internal(set) var covers: [ClosedRange<Double>] = []
  /// Times of a second and more in which only the hand trembles.
  public internal(set) var rests: [ClosedRange<Double>] = []
  /// Frames the page draws a second; ground truth is given for each.
  public internal(set) var tickRate = 60.0

  var magnets: [MagneticSurroundings.Magnet] = []
  var disturbances: [MagneticSurroundings.Disturbance] = []
  var steel = 0.5
  var tractionChanges: [(by: Double, course: Course)] = []

  /// Height of the sea above the ellipsoid, metres: what the script says, else that of its first place.
  public var seaHeight: Double { geoidHeight ?? 48 }

  /// Where the phone goes, at steps of a quarter of a second, and from there to what it watches; furniture keeps away from it.
  var way: [Vector3] {
    guard !scenery.rooms.isEmpty else { return [] }
    var places: [Vector3] = []
    for step in 0...Int(clamp(duration / 0.25, 0, 1e6)) {
      let time = Double(step) * 0.25
      let place = trajectory.state(at: time).position
      places.append(place)
      for gaze in trajectory.gazes where gaze.weight(at: time).value > 0.5 {
        places += [(place + gaze.point) * 0.5, gaze.point]
      }
    }
    return places
  }

  /// A phone at rest for no time.
  public init() {}
}

/// The virtual camera.
public struct CameraSettings: Equatable, Sendable {
  /// As the browser delivers it: upright on the display.
  public var intrinsics: Intrinsics
  /// Pictures a second.
  public var rate = 15.0
  /// Colour, or grey levels only.
  public var isColour = true
  /// Standard deviation of each pixel's noise, grey levels.
  public var noise = 0.0
  /// Standard deviation of the lens' blur, pixels.
  public var blur = 0.0
  /// Seconds that a picture is exposed; more than 0 blurs what moves.
  public var exposure = 0.0
  /// Whether light is mixed as light and written down by sRGB's curve; else levels are mixed as they are.
  public var hasToneCurve = false
  /// Samples in a pixel where there is detail, 1 … 256.
  public var samples = 16

  /// A camera with a lens.
  public init(intrinsics: Intrinsics) { self.intrinsics = intrinsics }
}

/// How a camera sits in a phone and how its clock goes, where no page is told: what a sequence for world tracking has.
///
/// `nil` is drawn from the seed, as it differs from phone to phone.
public struct RigSettings: Sendable {
  /// Radial terms of r² and r⁴ (±0.06, ±0.02).
  public var distortion: (k1: Double, k2: Double)?
  /// Place of the lens as seen from the motion sensors, device axes, metres (3 to 7 cm above, up to 3 cm aside).
  public var lever: Vector3?
  /// By how much the camera's axes are turned against the device's, about a drawn axis (up to 1°).
  public var misalignment: Angle?
  /// Seconds from the first line of a picture to its last (18 to 32 ms).
  public var readout: Double?
  /// By how much a picture's stamp is later than the middle of its exposure, seconds (0 to 80 ms).
  public var lateness: Double?
  /// By how much the stated focal length is too long, as a share (within ±12 %).
  public var focalError: Double?
  /// Share of pictures that never arrive.
  public var lost = 0.012
  /// Share of pictures that are taken 4 to 14 ms late.
  public var delayed = 0.012

  /// All of it drawn.
  public init() {}
}
