import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineSimulator

@Suite struct SequenceTests {
  private func sequence(_ text: String, textures: [Texture] = []) throws -> SimulatedSequence {
    try SimulatedSequence(try Simulation(SimulationScript(text)), textures: textures)
  }

  private let walk = """
    seed 5
    camera 48 64 rate 30 exposure 0.004
    room 6 6 2.6
    start 0 -1 1.5 heading 20 pitch -20
    walk 1 at 0.7
    also turn 70 in 2
    hold 1

    """

  @Test func `readings without errors integrate to the true motion`() throws {
    let run = try sequence("phone perfect rate 60\n" + walk)
    let trajectory = run.simulation.script.trajectory
    let first = try #require(run.readings.first)
    let start = trajectory.state(at: first.time - run.epoch)
    var (q, v, time) = (start.worldFromDevice, start.velocity, first.time)
    for reading in run.readings.dropFirst() {
      let step = reading.time - time
      // The mean force belongs to the attitude on the way: half of the turn is done by then, to second order.
      let middle = q * Quaternion(turn: reading.angularRate * (step / 2))
      v = v + (middle * reading.specificForce - Vector3(0, 0, SimulatedSequence.gravity)) * step
      q = q * Quaternion(turn: reading.angularRate * step)
      time = reading.time
    }
    let end = trajectory.state(at: time - run.epoch)
    #expect(time - first.time > 2.5)
    #expect(q.angle(to: end.worldFromDevice).radians < 1e-9)
    #expect((v - end.velocity).length < 0.003, "\((v - end.velocity).length)")
  }

  @Test func `a phone's readings jitter, get lost, and are off by what the truth says`() throws {
    let run = try sequence("phone android-chrome\n" + walk + "hold 60\n")
    let readings = run.readings
    let duration = run.simulation.script.duration
    #expect(readings.count < Int(duration * 60) && readings.count > Int(duration * 59))
    #expect(zip(readings, readings.dropFirst()).allSatisfy { $0.stamp < $1.stamp && $0.time < $1.time })
    let jitter = readings.map { $0.stamp - $0.time }
    let spread = (jitter.reduce(0) { $0 + $1 * $1 } / Double(jitter.count)).squareRoot()
    #expect(spread > 0.001 && spread < 0.002)
    // What is left after the stated errors is noise: small, and nothing in the mean.
    var (sum, square) = (Vector3.zero, 0.0)
    for reading in readings {
      let left = reading.angularRate - reading.trueAngularRate - reading.rateError
      sum = sum + left
      square += left.dot(left)
    }
    let count = Double(readings.count)
    #expect((sum * (1 / count)).length < 2e-4 && (square / count).squareRoot() < 0.005)
    #expect(readings[0].rateError.length > 1e-4)
  }

  /// The middle of what is brighter than half of the brightest.
  private func centroid(_ levels: [UInt8], width: Int) -> Vector2 {
    let brightest = levels.max() ?? 0
    var (sum, weight) = (Vector2.zero, 0.0)
    for (k, level) in levels.enumerated() where level > brightest / 2 {
      let w = Double(level) - Double(brightest / 2)
      sum = sum + Vector2(Double(k % width), Double(k / width)) * w
      weight += w
    }
    return sum * (1 / weight)
  }

  @Test(arguments: [
    (0, "-x", "camera 240 320"), (90, "+y", "camera 320 240"), (180, "+x", "camera 240 320"),
    (270, "-y", "camera 320 240"),
  ])
  func `a point is drawn where the pose of its own line puts it`(angle: Int, order: String, camera: String) throws {
    // A white dot on a black board, while the phone turns by 80°/s.
    var pixels = [UInt8](repeating: 3, count: 41 * 41)
    for y in 19...21 { for x in 19...21 { pixels[y * 41 + x] = 255 } }
    let board = Texture(width: 41, height: 41, bytes: pixels, channels: 1, isSmooth: false)
    let run = try sequence(
      """
      seed 3
      phone perfect
      display 390 844 angle \(angle)
      \(camera) fov 60 rate 15 exposure 0.004
      rig readout 0.03 lost 0 delayed 0 distortion 0.05 -0.02
      board dot.png 0 3 1.6 width 6
      start 0 0 1.6 heading -20 pitch 0
      arm 0.3
      tremor 1
      pan 40 at 80
      also tilt 6 in 0.8
      hold 0.6
      """,
      textures: [board]
    )
    #expect(run.rig.order.rawValue == order)
    var drawn = run
    let point = Vector3(0, 3, 1.6)
    var (seen, worst, byMiddle) = (0, 0.0, 0.0)
    for frame in run.frames {
      let levels = drawn.picture(of: frame)
      guard let pixel = run.pixel(of: point, in: frame), pixel.x > 25, pixel.y > 25,
        pixel.x < Double(run.rig.width) - 25, pixel.y < Double(run.rig.height) - 25
      else { continue }
      let pose = run.pose(at: frame.time)
      let global = try #require(run.rig.pixel(ofPointInCamera: pose.worldFromCamera.inverse * (point - pose.position)))
      let found = centroid(levels, width: run.rig.width)
      seen += 1
      worst = max(worst, (found - pixel).length)
      byMiddle = max(byMiddle, (found - global).length)
    }
    #expect(seen >= 8)
    #expect(worst < 0.15, "\(worst)")
    // A camera without a rolling shutter would have it elsewhere.
    #expect(byMiddle > 1, "\(byMiddle)")
  }

  @Test func `the same script gives the same frames, and another seed another phone`() throws {
    func levels(_ seed: Int) throws -> (frames: [[UInt8]], stamps: [Double], lateness: Double) {
      var run = try sequence(walk.replacing("seed 5", with: "seed \(seed)") + "also cover 0.4\n")
      let frames = run.frames.suffix(20)
      return (frames.map { run.picture(of: $0) }, run.frames.map(\.stamp), run.rig.lateness)
    }
    let (first, second, other) = (try levels(5), try levels(5), try levels(6))
    #expect(first.frames == second.frames && first.stamps == second.stamps)
    #expect(other.frames != first.frames && other.lateness != first.lateness)
  }

  @Test func `a covered lens sees nothing, and lost pictures leave gaps`() throws {
    var run = try sequence(
      """
      seed 5
      camera 48 64 rate 30
      rig lost 0.3 delayed 0.2 lateness 0.05
      room 6 6 2.6
      start 0 -1 1.5 pitch -20
      hold 2
      also cover 0.4 after 0.7
      """
    )
    let covered = run.frames.filter(\.isCovered)
    #expect(!covered.isEmpty && covered.count < run.frames.count)
    let gaps = zip(run.frames, run.frames.dropFirst()).map { $1.time - $0.time }
    #expect(gaps.contains { $0 > 0.06 } && gaps.contains { abs($0 - 1.0 / 30) > 0.003 && $0 < 0.055 })
    #expect(run.frames.allSatisfy { abs($0.stamp - $0.time - 0.05) < 0.003 })
    for frame in run.frames.prefix(24) {
      let levels = run.picture(of: frame)
      let brightest = levels.max() ?? 0
      #expect(frame.isCovered == (brightest < 30), "\(frame.number): \(brightest)")
    }
  }

  @Test func `what a sequence lacks is said`() throws {
    for (text, part) in [
      ("hold 2", "needs a camera"), ("phone iphone-3gs\ncamera 64 64\nhold 2", "needs a phone with a gyroscope"),
      ("camera 64 64 lens 60 61 32 32\nhold 2", "one focal length"), ("camera 32 64\nhold 2", "64 pixels"),
      ("camera 64 64\nhold 0.5", "a second or more"),
    ] {
      let problem = #expect(throws: SequenceProblem.self) { _ = try sequence(text) }
      #expect(problem?.description.contains(part) == true, "\(String(describing: problem))")
    }
  }

  @Test func `fronts of a room's surfaces look into it`() throws {
    let run = try sequence(walk)
    let eye = run.simulation.script.trajectory.state(at: 0).position
    for name in ["wall0", "wall1", "wall2", "wall3", "floor", "ceiling", "poster"] {
      let planes = run.planes.filter { $0.name == name }
      #expect(!planes.isEmpty, "\(name)")
      for plane in planes {
        #expect(plane.right.cross(plane.down).dot(plane.center - eye) > 0, "\(name)")
      }
    }
    // Above a table's top one looks down on it.
    for plane in run.planes where plane.name == "table" && plane.right.cross(plane.down).z < -0.9 {
      #expect(plane.center.z > 0.6 && plane.center.z < 0.8)
    }
  }

  @Test func `furniture keeps away from the way`() throws {
    let run = try sequence(walk.replacing("2.6", with: "2.6 furniture 40"))
    #expect(run.planes.count > 40)
    for time in stride(from: 0, to: run.simulation.script.duration, by: 0.1) {
      let p = run.pose(at: run.epoch + time).position
      for plane in run.planes where ["cupboard", "shelf", "chair", "table", "thing"].contains(plane.name) {
        let offset = p - plane.center
        let (x, y) = (offset.dot(plane.right), offset.dot(plane.down))
        let away = Vector3(
          max(0, abs(x) - plane.width / 2),
          max(0, abs(y) - plane.height / 2),
          offset.dot(plane.right.cross(plane.down))
        ).length
        #expect(away > 0.3, "\(plane.name)")
      }
    }
  }
}
