import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineSimulator

/// All events of a script.
func events(of text: String) throws -> [(event: SimulatedEvent, time: Double)] {
  let simulation = try Simulation(SimulationScript(text))
  var all: [(SimulatedEvent, Double)] = []
  simulation.run { event, time in all.append((event, time)) }
  return all
}

func samples(of text: String) throws -> [MotionSample] {
  try events(of: text).compactMap { if case .motion(let sample, _) = $0.event { sample } else { nil } }
}

@Suite struct SensorTests {
  @Test func `integrating a true gyroscope gives the true attitude`() throws {
    let text = "phone perfect\n" + everyMotion
    let script = try SimulationScript(text)
    var q: Quaternion?
    var last = 0.0
    var worst = 0.0
    for sample in try samples(of: text) {
      let rate = try #require(sample.angularVelocity)
      q = (q ?? script.trajectory.state(at: sample.time).worldFromDevice)
      if last > 0, let before = q {
        let now = before * Quaternion(turn: rate * (sample.time - last))
        worst = max(worst, now.angle(to: script.trajectory.state(at: sample.time).worldFromDevice).radians)
        q = now
      }
      last = sample.time
    }
    #expect(worst < 1e-9)
  }

  @Test func `at rest, the accelerometer reads gravity and the magnetometer the Earth's field`() throws {
    let text =
      "phone perfect\nsteel 0\nplace 48.4 10 altitude 480\nstart 0 0 heading 70 pitch 15 roll -20\ntremor 0\nhold 1\n"
    let all = try samples(of: text)
    #expect(all.count == 100)
    let place = Geodetic(latitudeDegrees: 48.4, longitudeDegrees: 10, altitude: 480)
    let field = try MagneticModel.wmm2025.field(at: place, decimalYear: 2026.5)
    let q = try SimulationScript(text).trajectory.state(at: 0).worldFromDevice
    for sample in all {
      let force = try #require(sample.specificForce)
      let magnetic = try #require(sample.magneticField)
      #expect((q * force - Vector3(0, 0, 9.81)).length < 1e-9)
      #expect((q * magnetic - Vector3(field.east, field.north, -field.down) * 0.001).length < 1e-9)
      #expect(sample.angularVelocity == .zero || sample.angularVelocity.map { $0.length < 1e-12 } == true)
    }
  }

  @Test func `integrating a true accelerometer gives the true path`() throws {
    let text = "phone perfect rate 200\ntremor 0\nwalk 10 curve 40\nhold 0.5\n"
    let script = try SimulationScript(text)
    var (velocity, position) = (Vector3.zero, script.trajectory.state(at: 0).position)
    var last: Double?
    for sample in try samples(of: text) {
      let force = try #require(sample.specificForce)
      if let last {
        let step = sample.time - last
        let q = script.trajectory.state(at: sample.time - step / 2).worldFromDevice
        let acceleration = q * force - Vector3(0, 0, 9.81)
        position = position + velocity * step + acceleration * (step * step / 2)
        velocity = velocity + acceleration * step
      } else {
        (velocity, position) = {
          let state = script.trajectory.state(at: sample.time)
          return (state.velocity, state.position)
        }()
      }
      last = sample.time
    }
    let truth = script.trajectory.state(at: try #require(last))
    #expect((velocity - truth.velocity).length < 0.01)
    #expect((position - truth.position).length < 0.05)
  }

  @Test func `Chrome rounds, Safari turns the signs`() throws {
    for case (.motion(let sample, let event), _) in try events(of: "phone android-chrome\nwalk 3\n") {
      let degrees = try #require(event.rotationRate)
      let force = try #require(event.accelerationIncludingGravity)
      for value in [degrees.x, degrees.y, degrees.z, force.x, force.y, force.z] {
        #expect(isNear((value * 10).rounded() / 10, value, within: 1e-9))
      }
      #expect(sample.magneticField == nil)
    }
    let flat = "phone ios-safari\nstart 0 0 pitch -90\ntremor 0\nhold 1\n"
    for case (.motion(let sample, let event), _) in try events(of: flat) {
      let z = try #require(event.accelerationIncludingGravity).z
      #expect(isNear(z, -9.81, within: 0.6))
      #expect(isNear(try #require(sample.specificForce).z, 9.81, within: 0.6))
    }
  }

  @Test func `each phone has its rate and its sensors`() throws {
    let expected: [(String, Int, Bool, Bool)] = [
      ("perfect", 100, true, true), ("native-100", 100, true, true), ("native-200", 200, true, true),
      ("android-chrome", 60, true, false), ("android-chrome-magnetometer", 60, true, true),
      ("ios-safari", 60, true, false),
      ("iphone-3gs", 30, false, true),
    ]
    #expect(expected.map(\.0).sorted() == PhoneProfile.all.map(\.name).sorted())
    for (name, rate, hasGyroscope, hasMagnetometer) in expected {
      let all = try samples(of: "phone \(name)\nhold 10\n")
      #expect(abs(all.count - 10 * rate) <= rate / 10 + 2, "\(name): \(all.count)")
      #expect(all.allSatisfy { ($0.angularVelocity != nil) == hasGyroscope })
      #expect(all.contains { $0.magneticField != nil } == hasMagnetometer)
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.time < $1.time })
    }
  }

  @Test func `a sensor has the noise, offset and steps that it should`() {
    var errors = SensorErrors()
    (errors.noise, errors.noiseCorrelation, errors.fixedBias) = (0.3, 0.7, Vector3(1, -2, 0.5))
    var sensor = SimulatedSensor(errors, seed: 5, purpose: "test")
    var (sum, square, product, last) = (0.0, 0.0, 0.0, 0.0)
    let count = 20_000
    for _ in 0..<count {
      let value = sensor.read(.zero, after: 0.01).y + 2
      sum += value
      square += value * value
      product += value * last
      last = value
    }
    let n = Double(count)
    #expect(isNear(sum / n, 0, within: 0.02))
    #expect(isNear((square / n).squareRoot(), 0.3, within: 0.01))
    #expect(isNear(product / square, 0.7, within: 0.03))
    errors = SensorErrors()
    (errors.resolution, errors.range) = (0.25, 2)
    sensor = SimulatedSensor(errors, seed: 5, purpose: "test")
    #expect(sensor.read(Vector3(0.3, 0.4, 9), after: 0) == Vector3(0.25, 0.5, 2))
  }

  @Test func `the platform's orientation is near the truth, and magnets lead it astray`() throws {
    func worst(_ text: String) throws -> Double {
      let simulation = try Simulation(SimulationScript(text))
      let declination = atan2(simulation.surroundings.earth.x, simulation.surroundings.earth.y)
      let magnetic = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: declination))
      var worst = 0.0
      simulation.run { event, time in
        guard case .orientation(let orientation) = event, orientation.isAbsolute, time > 5 else { return }
        let truth = magnetic * simulation.script.trajectory.state(at: time).worldFromDevice
        worst = max(worst, orientation.angles.worldFromDevice.angle(to: truth).degrees)
      }
      return worst
    }
    let calm = try worst("seed 4\nsteel 0\nphone android-chrome hard-iron 0 0 0\nhold 6\npan 90 at 30\nwalk 10\n")
    #expect(calm > 0.05 && calm < 4)
    let disturbed = try worst("seed 4\nphone android-chrome hard-iron 0 0 0\nhold 6\ndisturb 30 0 0\nhold 20\n")
    #expect(disturbed > 15)
  }

  @Test func `browser angles and attitudes agree`() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<2000 {
      func part() -> Double { Double.random(in: -1...1, using: &random) }
      guard let q = Quaternion(w: part(), x: part(), y: part(), z: part()).normalized else { continue }
      let angles = BrowserAngles(worldFromDevice: q)
      #expect(angles.worldFromDevice.angle(to: q).radians < 1e-7)
      #expect((0...360).contains(angles.alphaDegrees) && abs(angles.betaDegrees) <= 180)
      #expect(abs(angles.gammaDegrees) <= 90)
    }
    // The top edge straight up, straight down, and lying on the side.
    for beta in [90.0, -90] {
      let q =
        Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 33))
        * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: beta))
      #expect(BrowserAngles(worldFromDevice: q).worldFromDevice.angle(to: q).radians < 1e-7)
    }
  }

  @Test func `the field of a magnet falls with distance`() throws {
    let text = "phone perfect\nsteel 0\ntremor 0\narm 0\nmagnet 0 10 1.6 moment 50 bearing 0\nwalk 9\nhold 1\n"
    let all = try samples(of: text)
    let strengths = all.compactMap { $0.magneticField?.length }
    let first = try #require(strengths.first)
    let last = try #require(strengths.last)
    // In line with the moment, 50 A m² are 10 nT at 10 m, and 10 µT at 1 m: added to 21 µT of the 49 that point north.
    #expect(isNear(first, 48.7, within: 1))
    #expect(last - first > 3 && last - first < 6)
  }
}

@Suite struct FixTests {
  private func fixes(_ text: String) throws -> [(fix: SimulatedFix, error: Double)] {
    let simulation = try Simulation(SimulationScript(text))
    var all: [(SimulatedFix, Double)] = []
    simulation.run { event, time in
      guard case .fix(let fix) = event else { return }
      let stated = Geodetic(latitudeDegrees: fix.latitudeDegrees, longitudeDegrees: fix.longitudeDegrees, altitude: 480)
      let error = simulation.frame.point(stated) - simulation.script.trajectory.state(at: time).position
      all.append((fix, hypot(error.x, error.y)))
    }
    return all
  }

  @Test func `stated accuracies hold about 95 per cent of the time`() throws {
    for sky in ["open", "street", "canyon"] {
      var (inside, count, sum) = (0.0, 0.0, 0.0)
      for seed in 1...10 {
        for (fix, error) in try fixes("seed \(seed)\nticks 1\nphone perfect rate 5\nsky \(sky)\nhold 120\n") {
          inside += error <= fix.horizontalAccuracy ? 1 : 0
          sum += error * error
          count += 1
        }
      }
      #expect(count > 1000)
      #expect(inside / count > 0.88 && inside / count < 0.99, "\(sky): \(inside / count)")
      let each = try #require(SkyView(rawValue: sky)).deviation
      #expect((sum / count).squareRoot() > each && (sum / count).squareRoot() < 2.4 * each)
    }
  }

  @Test func `errors of fixes are correlated in time`() throws {
    let all = try fixes("seed 2\nticks 1\nphone perfect rate 5\nsky street\nhold 300\n")
    let jumps: [Double] = zip(all, all.dropFirst()).map { abs($0.error - $1.error) }
    let mean = jumps.reduce(0, +) / Double(jumps.count)
    #expect(mean < 2.5)
  }

  @Test func `perfect fixes are, and walking has a course`() throws {
    let all = try fixes("phone perfect\nsky perfect\nstart 0 0 heading 75\nwalk 30\n")
    #expect(all.count > 15 && all.allSatisfy { $0.error < 0.05 })
    let courses = all.dropFirst(2).dropLast(2).compactMap(\.fix.courseDegrees)
    // Swaying from foot to foot moves the phone aside by up to 0.15 m/s.
    #expect(courses.count > 10 && courses.allSatisfy { abs($0 - 75) < 8 })
  }

  @Test func `iOS counts heights from the sea, the phone of 2010 starts with a mast`() throws {
    let sea = try fixes("phone ios-safari\ngeoid 48\nplace 48 10 altitude 500\nsky perfect\nhold 3\n")
    #expect(isNear(try #require(sea.first?.fix.altitude), 453.6, within: 0.2))
    let old = try fixes("phone iphone-3gs\nhold 6\n")
    #expect(
      try #require(old.first).fix.horizontalAccuracy > 1000 && old.last.map { $0.fix.horizontalAccuracy < 100 } == true
    )
  }
}
