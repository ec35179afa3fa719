import SightlineGeodesy
import SightlineMath

/// The magnetic field around a phone: the Earth's, steel and currents of a town, magnets near by and on the phone itself.
struct MagneticSurroundings: Sendable {
  /// A small magnet that stands in the world.
  struct Magnet: Sendable {
    /// Metres, world frame.
    var position: Vector3
    /// Ampere square metres, world frame; a loudspeaker's magnet has about 1.
    var moment: Vector3
  }

  /// A field that comes and goes.
  struct Disturbance: Sendable {
    /// Microtesla; world frame, or device frame for something fixed to the phone.
    var field: Vector3
    var isOnDevice: Bool
    var rise: Course
    var fall: Course?
  }

  /// Undisturbed field of the place, microtesla, East-North-Up.
  var earth = Vector3(0, 20, -43)
  var magnets: [Magnet] = []
  var disturbances: [Disturbance] = []
  /// Steel of houses, kerbs and cars: changes from step to step; microtesla, root mean square of each component.
  var steel = 0.0
  /// Strength in time of the currents of a tramway; 1 is about 10 µT.
  var traction = OscillationGroup([])

  private let waves: [(number: Vector3, phase: Double, direction: Vector3)]

  /// The surroundings with the Earth's field at a place and date.
  ///
  /// - Throws: for a date outside of the magnetic model's years.
  init(place: Geodetic, decimalYear: Double, from random: inout SeededGenerator) throws(MagneticModelError) {
    let field = try MagneticModel.wmm2025.field(at: place, decimalYear: decimalYear)
    earth = Vector3(field.east, field.north, -field.down) * 0.001
    var waves: [(Vector3, Double, Vector3)] = []
    for _ in 0..<16 {
      // Wavelengths of 3 to 20 m, lying: what stands in a street is upright.
      let bearing = random.uniform(0, 2 * pi)
      let number = 2 * pi / random.uniform(3, 20)
      let wave = Vector3(sin(bearing) * number, cos(bearing) * number, random.uniform(-0.1, 0.1) * number)
      waves.append((wave, random.uniform(0, 2 * pi), random.normalVector((1.0 / 8).squareRoot())))
    }
    self.waves = waves
    var currents: [Oscillation] = []
    for axis in [MotionAxis.east, .north, .up] {
      for _ in 0..<4 {
        currents.append(
          Oscillation(axis: axis, amplitude: 7, frequency: random.uniform(0.02, 0.3), phase: random.uniform(0, 2 * pi))
        )
      }
    }
    traction = OscillationGroup(currents)
  }

  /// The field in device axes, microtesla.
  func fieldInDevice(_ state: Trajectory.State, at time: Double) -> Vector3 {
    var field = earth
    var onDevice = Vector3.zero
    for magnet in magnets {
      // Not nearer than 3 cm, which is inside the phone or the magnet.
      let offset = state.position - magnet.position
      let distance = max(0.03, offset.length)
      let direction = offset * (1 / distance)
      let strength = 0.1 / (distance * distance * distance)
      field = field + (3 * magnet.moment.dot(direction) * direction - magnet.moment) * strength
    }
    for disturbance in disturbances where time > disturbance.rise.start {
      let share = disturbance.rise.share(at: time).value - (disturbance.fall?.share(at: time).value ?? 0)
      if disturbance.isOnDevice {
        onDevice = onDevice + disturbance.field * share
      } else {
        field = field + disturbance.field * share
      }
    }
    if steel > 0 {
      for wave in waves { field = field + wave.direction * (steel * sin(wave.number.dot(state.position) + wave.phase)) }
    }
    let currents = traction.strength(at: time).value
    if currents > 0 {
      for oscillation in traction.oscillations {
        let value = currents * oscillation.displacement(at: time).value
        switch oscillation.axis {
        case .east: field.x += value
        case .north: field.y += value
        default: field.z += value
        }
      }
    }
    return state.worldFromDevice.inverse * field + onDevice
  }
}
