import Foundation

/// What the phone does, and where; each is run with several seeds.
struct Scenario {
  let name: String
  /// What holds from the beginning.
  let surroundings: String
  let motions: String
  /// Whether what the camera sees can be drawn: not the inside of a tram, which turns and goes along.
  let isFilmed: Bool
  /// Of the camera at the beginning, degrees.
  private let pitch: Int
  /// How the run begins, eight seconds.
  private let start: String

  /// `pitch` is the camera's from the beginning on; without one, the phone is taken up as people do: first they look at its
  /// screen, then through it.
  init(
    name: String,
    surroundings: String = "sky street",
    pitch: Int? = nil,
    isFilmed: Bool = true,
    motions: String
  ) {
    self.name = name
    self.isFilmed = isFilmed
    self.pitch = pitch ?? -50
    start = pitch == nil ? "hold 2\nlook pitch 0 in 1.2\nhold 4.8" : "hold 8"
    self.surroundings = surroundings
    self.motions = motions
  }

  /// Of the phone at the beginning, degrees clockwise from north.
  static func firstHeading(_ seed: Int) -> Int { seed * 67 % 360 }

  /// The whole script for a phone.
  ///
  /// - Parameters:
  ///   - seed: of all chance, the first heading and the lens.
  ///   - phone: its name.
  ///   - camera: of the script's statement, without the field of view.
  ///   - more: statements that are added.
  /// - Returns: text of the script.
  func script(seed: Int, phone: String, camera: String = "720 1280 rate 1", surroundings more: String = "") -> String {
    """
    seed \(seed)
    phone \(phone)
    place 48.3984 9.9916 altitude 480
    display 720 1280
    camera \(camera) fov \(Self.fieldOfView(seed))
    ticks 60
    \(Self.landmarks)
    start 0 0 1.6 heading \(Self.firstHeading(seed)) pitch \(pitch)
    \(surroundings)
    \(more)
    \(start)
    \(motions)
    """
  }

  /// Of each phone another, degrees along the longer side: 58 to 74, as rear cameras have.
  private static func fieldOfView(_ seed: Int) -> Double {
    58 + 16 * (Double(seed) * 0.61803398875).truncatingRemainder(dividingBy: 1)
  }

  /// Landmarks all around, 40 m to 1.5 km away, so that some are always in view: each 10° further and farther by the golden
  /// ratio.
  private static let landmarks: String = {
    var lines: [String] = []
    for k in 0..<36 {
      let share = (Double(k) * 0.61803398875).truncatingRemainder(dividingBy: 1)
      let distance = 40 * pow(37.5, share)
      let bearing = Double(k) * 10 * .pi / 180
      lines.append("landmark L\(k) \(distance * sin(bearing)) \(distance * cos(bearing)) height \(2 + distance / 25)")
    }
    return lines.joined(separator: "\n")
  }()

  static let all = [
    Scenario(
      name: "stand and look around",
      motions: """
        pan 60 at 25
        hold 2
        pan -100 at 35
        tilt 10 in 1
        hold 2
        tilt -10 in 1
        turn 50 in 1.2
        hold 3
        """
    ),
    Scenario(
      name: "walk",
      motions: """
        walk 20 at 1.4
        turn 40 in 1.5
        walk 15 at 1.3 curve 60
        hold 2
        """
    ),
    Scenario(
      name: "quick turns",
      motions: """
        turn 60 in 0.3
        hold 1.5
        turn -60 in 0.3
        hold 1.5
        turn 90 in 0.5
        hold 1.5
        shake 2 by 12
        hold 1.5
        """
    ),
    Scenario(
      name: "tram",
      surroundings: "sky canyon",
      isFilmed: false,
      motions: """
        ride 120 at 9
        hold 2
        ride 60 at 7 curve 30
        hold 2
        """
    ),
    Scenario(
      name: "magnet in the case",
      surroundings: "sky street\nattach 9 -5 3",
      motions: """
        pan 120 at 35
        hold 2
        pan -180 at 40
        turn 60 in 1
        hold 4
        """
    ),
    Scenario(
      name: "hold still",
      surroundings: "sky street\ntremor 0.3",
      motions: """
        hold 12
        """
    ),
    // Where the compass of iOS, that of the top edge, tells next to nothing.
    Scenario(
      name: "upright all the time",
      surroundings: "sky street\ntremor 1",
      pitch: -4,
      motions: """
        pan 60 at 25
        hold 6
        pan -100 at 35
        hold 6
        """
    ),
    Scenario(
      name: "looking up all the time",
      surroundings: "sky street\ntremor 1",
      pitch: 6,
      motions: """
        pan 60 at 25
        hold 6
        pan -100 at 35
        hold 6
        """
    ),
  ]
}
