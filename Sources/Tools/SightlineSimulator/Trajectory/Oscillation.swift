import SightlineMath

/// Where an oscillation moves the phone.
enum MotionAxis: Int, CaseIterable, Sendable {
  // Radians.
  case heading, pitch, roll
  // Metres.
  case east, north, up
  /// Across the walking direction, metres.
  case aside
  /// Along the walking direction, metres.
  case along
}

/// A motion back and forth whose strength swells and fades: gait, tremor, vibration.
struct Oscillation: Sendable {
  /// What moves.
  var axis: MotionAxis
  /// Radians or metres at strength 1.
  var amplitude: Double
  /// Hertz.
  var frequency: Double
  /// Radians at time 0.
  var phase: Double

  func displacement(at time: Double) -> Jet {
    let ω = 2 * pi * frequency
    let angle = ω * time + phase
    let (s, c) = (SightlineMath.sin(angle), SightlineMath.cos(angle))
    return Jet(amplitude * s, amplitude * ω * c, -amplitude * ω * ω * s)
  }
}

/// Oscillations that swell and fade together.
struct OscillationGroup: Sendable {
  var oscillations: [Oscillation]
  /// Changes of the strength: by how much, and how.
  var changes: [(by: Double, course: Course)] = []

  init(_ oscillations: [Oscillation]) { self.oscillations = oscillations }

  /// Strength at the end of all changes so far.
  var finalStrength: Double { changes.reduce(0) { $0 + $1.by } }

  /// Lets the strength change to a value, as quickly as a hand does.
  mutating func setStrength(_ strength: Double, at time: Double, within seconds: Double) {
    let by = strength - finalStrength
    if by != 0 { changes.append((by, .reach(start: time, duration: seconds))) }
  }

  func strength(at time: Double) -> Jet {
    var sum = Jet.zero
    for change in changes where time > change.course.start { sum += change.by * change.course.share(at: time) }
    return sum
  }
}

extension OscillationGroup {
  /// A hand that holds a phone: slow sway below 1.3 Hz and the fine tremor of 8 to 12 Hz.
  ///
  /// At strength 1 about 0.35° of sway and 0.03° of tremor (root mean square an axis), 4 mm and 0.1 mm.
  static func hand(from random: inout SeededGenerator) -> OscillationGroup {
    var all: [Oscillation] = []
    func add(_ axis: MotionAxis, _ count: Int, _ band: ClosedRange<Double>, _ deviation: Double) {
      // A sine of amplitude a has a root mean square of a/√2; equal shares for all.
      let amplitude = deviation * (2 / Double(count)).squareRoot()
      for _ in 0..<count {
        all.append(
          Oscillation(
            axis: axis,
            amplitude: amplitude,
            frequency: random.uniform(band.lowerBound, band.upperBound),
            phase: random.uniform(0, 2 * pi)
          )
        )
      }
    }
    for axis in [MotionAxis.heading, .pitch, .roll] {
      add(axis, 6, 0.1...1.3, Angle(degrees: 0.35).radians)
      add(axis, 4, 8...12, Angle(degrees: 0.03).radians)
    }
    for axis in [MotionAxis.east, .north, .up] {
      add(axis, 4, 0.2...1.5, 0.004)
      add(axis, 3, 8...12, 0.0001)
    }
    return OscillationGroup(all)
  }

  /// Steps at a walking speed: up and down with every step, to the sides with every other.
  ///
  /// Step rate 1.35 + 0.4 · speed (1.9 a second at 1.4 m/s), as people's.
  static func gait(speed: Double, from random: inout SeededGenerator) -> OscillationGroup {
    let step = 1.35 + 0.4 * speed
    let vigour = speed / 1.4
    let phase = random.uniform(0, 2 * pi)
    func degrees(_ value: Double) -> Double { Angle(degrees: value * vigour).radians }
    return OscillationGroup([
      Oscillation(axis: .up, amplitude: 0.025 * vigour, frequency: step, phase: phase),
      Oscillation(axis: .up, amplitude: 0.004 * vigour, frequency: 2 * step, phase: phase + 0.7),
      Oscillation(axis: .along, amplitude: 0.012 * vigour, frequency: step, phase: phase + 1.9),
      Oscillation(axis: .aside, amplitude: 0.02 * vigour, frequency: step / 2, phase: phase / 2),
      Oscillation(axis: .pitch, amplitude: degrees(0.8), frequency: step, phase: phase + 0.4),
      Oscillation(axis: .heading, amplitude: degrees(0.7), frequency: step / 2, phase: phase / 2 + 1.1),
      Oscillation(axis: .roll, amplitude: degrees(0.6), frequency: step / 2, phase: phase / 2 + 2.3),
    ])
  }

  /// A vehicle on rails: rocking about 1 Hz, and rattle of 5 to 20 Hz.
  static func rails(from random: inout SeededGenerator) -> OscillationGroup {
    var all: [Oscillation] = []
    func add(_ axis: MotionAxis, _ frequency: Double, _ amplitude: Double) {
      all.append(Oscillation(axis: axis, amplitude: amplitude, frequency: frequency, phase: random.uniform(0, 2 * pi)))
    }
    for _ in 0..<3 {
      add(.aside, random.uniform(0.6, 1.4), 0.01)
      add(.up, random.uniform(1, 2), 0.005)
      add(.roll, random.uniform(0.6, 1.4), Angle(degrees: 0.4).radians)
    }
    for axis in [MotionAxis.up, .aside, .along] {
      for _ in 0..<4 {
        let frequency = random.uniform(5, 20)
        // 0.15 m/s² each, whatever the frequency.
        add(axis, frequency, 0.15 / (4 * pi * pi * frequency * frequency))
      }
    }
    for axis in [MotionAxis.heading, .pitch, .roll] {
      add(axis, random.uniform(5, 15), Angle(degrees: 0.05).radians)
    }
    return OscillationGroup(all)
  }

  /// A phone that is shaken.
  static func shake(
    amplitude: Double,
    frequency: Double,
    from random: inout SeededGenerator
  ) -> OscillationGroup {
    let phase = random.uniform(0, 2 * pi)
    return OscillationGroup([
      Oscillation(axis: .heading, amplitude: amplitude, frequency: frequency, phase: phase),
      Oscillation(axis: .roll, amplitude: amplitude * 0.6, frequency: frequency, phase: phase + 1.2),
      Oscillation(axis: .pitch, amplitude: amplitude * 0.3, frequency: frequency * 2, phase: phase + 2.1),
      // The wrist is the pivot: an angle of 10° moves the phone by about 2 cm.
      Oscillation(axis: .east, amplitude: amplitude * 0.12, frequency: frequency, phase: phase),
      Oscillation(axis: .up, amplitude: amplitude * 0.05, frequency: frequency * 2, phase: phase + 2.1),
    ])
  }
}
