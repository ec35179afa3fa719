import SightlineCamera
import SightlineGeodesy
import SightlineMath

extension ScriptReader {
  private static let metres = -20_000.0...20_000.0

  mutating func readSetting(_ given: Statement) throws(ScriptProblem) {
    var statement = given
    switch statement.verb {
    case "seed": script.seed = UInt64(try statement.number("the seed", in: 0...1e15).rounded())
    case "place":
      script.place.latitudeDegrees = try statement.number("the latitude", in: -90...90)
      script.place.longitudeDegrees = try statement.number("the longitude", in: -180...180)
      script.place.altitude = try statement.option("altitude", default: 0, in: -500...9000)
    case "date":
      let model = MagneticModel.wmm2025
      script.decimalYear = try statement.number("the decimal year", in: model.firstYear...model.lastYear)
    case "geoid": script.geoidHeight = try statement.number("the height", in: -150...150)
    case "phone": try readPhone(&statement)
    case "display":
      script.display = Display(
        width: try statement.number("the width", in: 100...10_000),
        height: try statement.number("the height", in: 100...10_000)
      )
      let angle = try statement.option("angle", default: 0, in: 0...270)
      guard fmod(angle, 90) == 0 else { throw statement.fail("angle has to be 0, 90, 180 or 270.") }
      script.display.screenAngleDegrees = Int32(angle)
    case "camera": try readCamera(&statement)
    case "ticks": script.tickRate = try statement.number("the rate", in: 1...240)
    case "rig": try readRig(&statement)
    case "start": try readStart(&statement)
    case "arm": script.trajectory.armLength = try statement.number("the length", in: 0...2)
    case "steel": script.steel = try statement.number("the strength", in: 0...100)
    case "fixes":
      script.fixRate = try statement.option("rate", default: script.fixRate, in: 0.05...10)
      script.fixOptimism = try statement.option("optimism", default: script.fixOptimism, in: 0.2...5)
    case "heights":
      script.heightsAreAbsolute = try statement.choice("the kind", of: [("absolute", true), ("eye", false)])
    default: try readScenery(&statement)
    }
    try statement.end()
  }

  private mutating func readPhone(_ statement: inout Statement) throws(ScriptProblem) {
    var phone = try statement.choice("the phone", of: PhoneProfile.all.map { ($0.name, $0) })
    if let rate = try statement.optionIfAny("rate", in: 5...500) { phone.rate = rate }
    if let degrees = try statement.numbers("gyroscope-bias", count: 3, in: -20...20) {
      phone.gyroscope?.bias = 0
      phone.gyroscope?.fixedBias = vector(degrees) * (pi / 180)
    }
    if let bias = try statement.numbers("accelerometer-bias", count: 3, in: -2...2) {
      phone.accelerometer.bias = 0
      phone.accelerometer.fixedBias = vector(bias)
    }
    if let bias = try statement.numbers("hard-iron", count: 3, in: -500...500) {
      phone.magnetometer.bias = 0
      phone.magnetometer.fixedBias = vector(bias)
    }
    script.phone = phone
  }

  private mutating func readCamera(_ statement: inout Statement) throws(ScriptProblem) {
    let width = try statement.number("the width", in: 16...4096).rounded()
    let height = try statement.number("the height", in: 16...4096).rounded()
    let view = try statement.option("fov", default: 65, in: 5...150)
    var camera = CameraSettings(
      intrinsics: Intrinsics(width: width, height: height, longSideFieldOfView: Angle(degrees: view))
    )
    if let lens = try statement.numbers("lens", count: 4, in: -10_000...10_000) {
      guard lens[0] > 0, lens[1] > 0 else { throw statement.fail("focal lengths have to be more than 0.") }
      camera.intrinsics = Intrinsics(
        width: width,
        height: height,
        focalX: lens[0],
        focalY: lens[1],
        centerX: lens[2],
        centerY: lens[3]
      )
    }
    camera.rate = try statement.option("rate", default: 15, in: 0.1...120)
    camera.noise = try statement.option("noise", default: 0, in: 0...60)
    camera.blur = try statement.option("blur", default: 0, in: 0...10)
    camera.exposure = try statement.option("exposure", default: 0, in: 0...0.2)
    camera.samples = Int(try statement.option("samples", default: 16, in: 1...256))
    camera.hasToneCurve = statement.flag("tone-curve")
    camera.isColour = !statement.flag("grey")
    script.camera = camera
  }

  private mutating func readRig(_ statement: inout Statement) throws(ScriptProblem) {
    var rig = RigSettings()
    if let terms = try statement.numbers("distortion", count: 2, in: -0.2...0.2) {
      rig.distortion = (terms[0], terms[1])
    }
    rig.lever = try statement.numbers("lever", count: 3, in: -0.3...0.3).map(vector)
    rig.misalignment = try statement.optionIfAny("misalignment", in: 0...5).map { Angle(degrees: $0) }
    rig.readout = try statement.optionIfAny("readout", in: 0...0.06)
    rig.lateness = try statement.optionIfAny("lateness", in: 0...0.2)
    rig.focalError = try statement.optionIfAny("focal-error", in: -0.3...0.3)
    rig.lost = try statement.option("lost", default: rig.lost, in: 0...0.5)
    rig.delayed = try statement.option("delayed", default: rig.delayed, in: 0...0.5)
    script.rig = rig
  }

  private mutating func readStart(_ statement: inout Statement) throws(ScriptProblem) {
    position = Vector3(
      try statement.number("east", in: Self.metres),
      try statement.number("north", in: Self.metres),
      try statement.numberIfAny("up", in: Self.metres) ?? 1.6
    )
    heading = Angle(degrees: try statement.option("heading", default: 0, in: -360...360)).radians
    pitch = Angle(degrees: try statement.option("pitch", default: 0, in: -90...90)).radians
    roll = Angle(degrees: try statement.option("roll", default: 0, in: -180...180)).radians
    (script.trajectory.start, script.trajectory.startHeading) = (position, heading)
    (script.trajectory.startPitch, script.trajectory.startRoll) = (pitch, roll)
  }

  private mutating func readScenery(_ statement: inout Statement) throws(ScriptProblem) {
    switch statement.verb {
    case "street":
      script.scenery.streets.append(
        Scenery.Street(
          east: try statement.option("east", default: 0, in: Self.metres),
          north: try statement.option("north", default: 0, in: Self.metres),
          heading: Angle(degrees: try statement.option("heading", default: 0, in: -360...360)),
          length: try statement.option("length", default: 160, in: 10...2000),
          width: try statement.option("width", default: 14, in: 3...200)
        )
      )
    case "town":
      guard script.scenery.town == nil else { throw statement.fail("there is one already; leave this line out.") }
      script.scenery.town = Scenery.Town(
        path: try statement.text("the path of the ground file"),
        reach: try statement.option("reach", default: 250, in: 20...1500),
        line: statement.line
      )
    case "room":
      guard script.scenery.rooms.count < 8 else { throw statement.fail("more than 8 rooms are not built.") }
      script.scenery.rooms.append(
        Scenery.Room(
          width: try statement.number("the width", in: 2...50),
          depth: try statement.number("the depth", in: 2...50),
          height: try statement.number("the height", in: 1.8...10),
          east: try statement.option("east", default: 0, in: Self.metres),
          north: try statement.option("north", default: 0, in: Self.metres),
          furniture: Int(try statement.option("furniture", default: 12, in: 0...60))
        )
      )
      roomLines.append(statement.line)
    case "landmark":
      let name = try statement.text("the name")
      let foot = Vector3(
        try statement.number("east", in: Self.metres),
        try statement.number("north", in: Self.metres),
        try statement.numberIfAny("up", in: Self.metres) ?? 0
      )
      var landmark = Scenery.Landmark(name: name, foot: foot)
      landmark.height = try statement.option("height", default: 4, in: 0.2...500)
      if let colour = try statement.numbers("colour", count: 3, in: 0...255) { landmark.colour = Colour(colour) }
      script.scenery.landmarks.append(landmark)
    case "table":
      script.scenery.tables.append(
        Scenery.Table(
          center: try point(&statement),
          side: try statement.option("side", default: 1.2, in: 0.05...20),
          colour: try statement.numbers("colour", count: 3, in: 0...255).map { Colour($0) }
        )
      )
    case "marker":
      let dictionary = try statement.text("the dictionary of the marker")
      let id = try statement.number("the number of the marker", in: 0...9999)
      guard id == id.rounded() else { throw statement.fail("the number of the marker has to be a whole one.") }
      var picture = Scenery.Picture(path: "", center: try point(&statement))
      try readTurns(&statement, of: &picture)
      let side = try statement.option("side", default: 0.2, in: 0.005...20)
      picture.marker = Scenery.Marker(dictionary: dictionary, id: Int(id), side: side)
      picture.width = side
      picture.isSmooth = false
      script.scenery.pictures.append(picture)
    default:
      let path = try statement.text("the path of the picture")
      var picture = Scenery.Picture(path: path, center: try point(&statement))
      try readTurns(&statement, of: &picture)
      picture.width = try statement.option("width", default: 1, in: 0.005...200)
      picture.height = try statement.optionIfAny("height", in: 0.005...200)
      // A board has hard cells, a picture has soft tones.
      picture.isSmooth = statement.verb == "picture"
      script.scenery.pictures.append(picture)
    }
  }

  private func point(_ statement: inout Statement) throws(ScriptProblem) -> Vector3 {
    Vector3(
      try statement.number("east", in: Self.metres),
      try statement.number("north", in: Self.metres),
      try statement.number("up", in: Self.metres)
    )
  }

  private func readTurns(_ statement: inout Statement, of picture: inout Scenery.Picture) throws(ScriptProblem) {
    picture.facing = Angle(degrees: try statement.option("facing", default: 180, in: -360...360))
    picture.tilt = Angle(degrees: try statement.option("tilt", default: 0, in: -90...90))
    picture.turn = Angle(degrees: try statement.option("turn", default: 0, in: -360...360))
  }

  private func vector(_ v: [Double]) -> Vector3 { Vector3(v[0], v[1], v[2]) }
}
