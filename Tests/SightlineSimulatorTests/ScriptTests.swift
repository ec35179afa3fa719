import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineSimulator

@Suite struct ScriptTests {
  @Test(arguments: [
    ("fly 3", 1, "\"fly\" is not known"), ("hold 1\nturn", 2, "turn: the angle is missing"),
    ("turn east", 1, "has to be a number, not \"east\""), ("hold -3", 1, "has to be 0.01 to 3600, not -3"),
    ("hold 1\nseed 4", 2, "settings come before the first motion"), ("phone nokia", 1, "choose one of perfect"),
    ("walk 5 quickly", 1, "\"quickly\" is not understood; what can stand here: at, bearing, curve"),
    ("landmark \"Minster 3 4", 1, "quotation mark is not closed"), ("# nothing\n", 2, "nothing happens"),
    ("hold nan", 1, "has to be 0.01 to 3600"), ("tilt 100", 1, "beyond straight up"), ("also", 1, "has to follow"),
    ("hold 1\nalso also hold 1", 2, "\"also\" is not known"), ("date 1990", 1, "2025 to 2030"),
    ("look in 3", 1, "say where to"), ("display 390 844 angle 45", 1, "0, 90, 180 or 270"),
    ("hold 3600\nhold 3600", 2, "longer than an hour"), ("camera 640 480 lens 1 2 3", 1, "lens needs 4 numbers"),
    ("pan 1 at 1000", 1, "use turn"), ("room 6 6", 1, "the height is missing"),
    ("room 1 6 3", 1, "the width has to be 2 to 50"), ("room 4 4 2.6\nwalk 5", 1, "make the room larger"),
    ("rig distortion 0.1", 1, "distortion needs 2 numbers"), ("rig readout 1", 1, "readout has to be 0 to"),
    ("watch 0 0.2 0\nhold 3", 1, "comes nearer than 0.5 m"), ("unwatch\nhold 1", 1, "nothing is watched"),
    ("watch 0 3 0\nwatch 0 4 0\nhold 1", 2, "watched already"), ("watch 0 3\nhold 1", 1, "up is missing"),
    ("hold 1\nwatch 0 3 0 in 2\nhold 1\nunwatch\nhold 1", 4, "let more time pass"),
    ("cover", 1, "the seconds is missing"),
  ])
  func `a bad line is named with its reason`(text: String, line: Int, part: String) {
    let problem = #expect(throws: ScriptProblem.self) { try SimulationScript(text) }
    #expect(problem?.line == line && problem?.message.contains(part) == true, "\(String(describing: problem))")
  }

  @Test func `settings are taken over`() throws {
    let script = try SimulationScript(
      """
      seed 42   # a comment
      place -33.9 18.4 altitude 20
      phone native-100 gyroscope-bias 1 2 3 hard-iron 5 0 0 rate 50
      display 844 390 angle 90
      camera 640 480 fov 60 rate 10 grey noise 2 samples 64
      landmark "Town hall" 10 20 height 30 colour 200 20 20
      street length 100 width 12 heading 15
      board marker.png 0 3 1.5 width 0.2
      fixes rate 2 optimism 1.5
      sky canyon
      gap 2
      hold 3
      """
    )
    #expect(script.seed == 42 && script.place.latitudeDegrees == -33.9 && script.phone.rate == 50)
    #expect(script.phone.magnetometer.fixedBias == Vector3(5, 0, 0) && script.phone.magnetometer.bias == 0)
    #expect(script.display.screenAngleDegrees == 90 && script.duration == 5)
    let camera = try #require(script.camera)
    #expect(
      !camera.isColour && camera.samples == 64
        && isNear(camera.intrinsics.longSideFieldOfView.degrees, 60, within: 1e-9)
    )
    let landmark = try #require(script.scenery.landmarks.first)
    #expect(landmark.name == "Town hall" && landmark.point == Vector3(10, 20, 30))
    #expect(script.scenery.pictures.first?.isSmooth == false && script.scenery.streets.count == 1)
    #expect(script.gaps == [0...2] && script.fixOptimism == 1.5)
  }

  @Test func `also starts with the motion before it`() throws {
    let script = try SimulationScript("tremor 0\nhold 1\nturn 90 in 4\nalso tilt 30 in 2\nhold 1\n")
    #expect(script.duration == 6)
    #expect(isNear(script.trajectory.state(at: 3).pitch.degrees, 30, within: 1e-9))
    #expect(isNear(script.trajectory.state(at: 3).heading.degrees, 45, within: 1e-9))
  }

  private func bytes(_ text: String) throws -> [String] {
    var lines: [String] = []
    try Simulation(SimulationScript(text)).run { event, time in lines.append("\(time) \(event)") }
    return lines
  }

  @Test func `the same script gives the same events, another seed others`() throws {
    let text = "phone android-chrome\ncamera 64 48\nlandmark A 0 30\nsky canyon\nwalk 4\npan 40\n"
    let first = try bytes("seed 1\n" + text)
    #expect(first.count > 400)
    #expect(try bytes("seed 1\n" + text) == first)
    #expect(try bytes("seed 2\n" + text) != first)
  }

  @Test func `a camera changes no other reading`() throws {
    let text = "phone android-chrome\nwalk 4\n"
    let without = try bytes(text)
    let with = try bytes("camera 64 48 fov 40\n" + text)
    #expect(with.filter { !$0.contains("picture(") } == without)
  }

  @Test func `nothing happens in a gap`() throws {
    let times = try events(of: "hold 2\ngap 3\nhold 1\n").map(\.time)
    #expect(!times.contains { $0 > 2 && $0 < 5 } && times.contains { $0 > 5 })
  }

  @Test func `a landmark straight ahead is in the middle of the picture`() throws {
    let text =
      "camera 640 480\narm 0\ntremor 0\nstart 0 0 1.6 heading 30\nlandmark A 50 86.60254037844386 height 1.6\nhold 1\n"
    let script = try SimulationScript(text)
    let sight = try #require(try Simulation(script).truth(at: 0.5).sights.first)
    // The ground curves away by 0.8 mm.
    #expect(isNear(sight.pixel.x, 319.5, within: 1e-6) && isNear(sight.pixel.y, 239.5, within: 0.01))
    #expect(sight.isInPicture && isNear(sight.distance, 100, within: 0.01))
    #expect(isNear(sight.displayPoint.x, 195, within: 1e-6) && isNear(sight.displayPoint.y, 422, within: 0.01))
  }
}
