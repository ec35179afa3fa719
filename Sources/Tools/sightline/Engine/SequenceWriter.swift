import Foundation
import SightlineMath
import SightlineSimulator

/// Writes a simulated sequence as the folder that `sightline odometry track` reads, with the truth beside it.
struct SequenceWriter {
  private struct Description: Encodable {
    struct Frames: Encodable {
      var kind = "pgm"
      var pattern = "frames/%06d.pgm"
    }
    struct Inertial: Encodable {
      var rate: Double
      var profile: String
      var gyro_noise: Double
      var acc_noise: Double
      var gyro_bias: Double
      var acc_bias: Double
      var gyro_step: Double
      var acc_step: Double
    }
    var format = "sightline-odometry-1"
    var kind = "simulated"
    var width: Int
    var height: Int
    var focal_guess: Double
    var distortion_guess = [0.0, 0.0]
    var screen_angle: Int
    var readout: String
    var fps: Double
    var global_shutter: Bool?
    var frames = Frames()
    var imu: Inertial
  }

  private struct Truth: Encodable {
    struct Plane: Encodable {
      var name: String
      var centre: [Double]
      var right: [Double]
      var down: [Double]
      var width: Double
      var height: Double
    }
    struct Known: Encodable {
      struct Marker: Encodable {
        var dictionary: String
        var id: Int
        var side: Double
        var centre: [Double]
        var right: [Double]
        var down: [Double]
      }
      var marker: Marker?
    }
    struct Sensor: Encodable {
      var gyro_density: Double
      var acc_density: Double
      var profile: String
    }
    var name: String
    var kind = "simulated"
    var seed: UInt64
    var seconds: Double
    var epoch: Double
    var focal: Double
    var centre: [Double]
    var distortion: [Double]
    var offset: Double
    var row_time: Double
    var readout: Double
    var readout_direction: String
    var exposure: Double
    var lever_device: [Double]
    var misalignment_deg: [Double]
    var device_from_camera: [[Double]]
    var gravity: Double
    var sensor: Sensor
    var events: [String: [Double]]
    var rest: [[Double]]
    var known: Known
    var fit: [String: Double] = [:]
    var planes: [Plane]
  }

  private let folder: URL
  private let name: String
  private let phone: PhoneProfile

  /// A writer into a folder, which is made; what is there already of a sequence is written over.
  init(to path: String, phone: PhoneProfile) throws {
    folder = URL(fileURLWithPath: path, isDirectory: true)
    name = folder.lastPathComponent
    self.phone = phone
    let manager = FileManager.default
    do {
      let frames = folder.appending(path: "frames")
      // Frames of a longer sequence before would stay otherwise.
      for file in (try? manager.contentsOfDirectory(at: frames, includingPropertiesForKeys: nil)) ?? []
      where file.pathExtension == "pgm" { try manager.removeItem(at: file) }
      try manager.createDirectory(at: frames, withIntermediateDirectories: true)
      try manager.createDirectory(at: folder.appending(path: "truth"), withIntermediateDirectories: true)
    } catch {
      throw Failure("\(path) cannot be made a folder to write to. Check the path and the rights of its folder.")
    }
  }

  /// Writes everything; `step` hears the number of each frame that is done.
  func write(_ sequence: SimulatedSequence, script: SimulationScript, step: (Int) -> Void) throws {
    var sequence = sequence
    try write(description(of: sequence, script), to: "sequence.json")
    try write(truth(of: sequence, script), to: "truth/truth.json")
    try write(readings(sequence), to: "imu.csv")
    let stamps = sequence.frames.map { "\(fixed($0.stamp, 6)),\($0.number)\n" }.joined()
    try write("t,frame\n" + stamps, to: "frames.csv")
    try write(trueReadings(sequence), to: "truth/imu.csv")
    try write(poses(sequence), to: "truth/poses.csv")
    try write(motion(sequence, seconds: script.duration), to: "truth/motion.csv")
    for frame in sequence.frames {
      let levels = sequence.picture(of: frame)
      let digits = String(frame.number)
      let file = "frames/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".pgm"
      try write(Data("P5\n\(sequence.rig.width) \(sequence.rig.height)\n255\n".utf8) + Data(levels), to: file)
      step(frame.number + 1)
    }
  }

  private var profile: String {
    switch phone.fusedOrientation {
    case .iOS: "ios"
    case .specification: "android"
    case .none: phone.name
    }
  }

  /// Noise of a reading as a density: half of the rate is its bandwidth.
  private func density(_ deviation: Double) -> Double { deviation / (phone.rate / 2).squareRoot() }

  private func description(of sequence: SimulatedSequence, _ script: SimulationScript) throws -> Data {
    let gyroscope = phone.gyroscope ?? SensorErrors()
    let rig = sequence.rig
    return try json(
      Description(
        width: rig.width,
        height: rig.height,
        focal_guess: (rig.focalGuess * 100).rounded() / 100,
        screen_angle: Int(script.display.screenAngleDegrees),
        readout: rig.order.rawValue,
        fps: script.camera?.rate ?? 30,
        global_shutter: rig.rowTime == 0 ? true : nil,
        imu: .init(
          rate: phone.rate,
          profile: profile,
          gyro_noise: density(gyroscope.noise),
          acc_noise: density(phone.accelerometer.noise),
          gyro_bias: gyroscope.bias + gyroscope.drift,
          acc_bias: phone.accelerometer.bias + phone.accelerometer.drift,
          gyro_step: gyroscope.resolution,
          acc_step: phone.accelerometer.resolution
        )
      )
    )
  }

  private func truth(of sequence: SimulatedSequence, _ script: SimulationScript) throws -> Data {
    let (rig, epoch) = (sequence.rig, sequence.epoch)
    func list(_ v: Vector3) -> [Double] { [v.x, v.y, v.z] }
    let turn = Matrix3(rig.deviceFromCamera)
    var events: [String: [Double]] = [:]
    if let cover = script.covers.first { events["cover"] = [cover.lowerBound + epoch, cover.upperBound + epoch] }
    var known = Truth.Known()
    if let picture = script.scenery.pictures.first(where: { $0.marker != nil }), let marker = picture.marker {
      let corners = picture.corners(aspect: 1)
      known.marker = .init(
        dictionary: marker.dictionary,
        id: marker.id,
        side: marker.side,
        centre: list(picture.center),
        right: list((corners[1] - corners[0]).normalized ?? .zero),
        down: list((corners[3] - corners[0]).normalized ?? .zero)
      )
    }
    return try json(
      Truth(
        name: name,
        seed: script.seed,
        seconds: script.duration,
        epoch: epoch,
        focal: rig.focal,
        centre: [rig.center.x, rig.center.y],
        distortion: [rig.distortion.k1, rig.distortion.k2],
        offset: rig.lateness,
        row_time: rig.rowTime,
        readout: rig.readout,
        readout_direction: rig.order.rawValue,
        exposure: sequence.frames.first?.exposure ?? 0,
        lever_device: list(rig.lever),
        misalignment_deg: list(rig.misalignment).map { Angle(radians: $0).degrees },
        device_from_camera: [list(turn.row0), list(turn.row1), list(turn.row2)],
        gravity: SimulatedSequence.gravity,
        sensor: .init(
          gyro_density: density(phone.gyroscope?.noise ?? 0),
          acc_density: density(phone.accelerometer.noise),
          profile: profile
        ),
        events: events,
        rest: script.rests.map { [$0.lowerBound + epoch, $0.upperBound + epoch] },
        known: known,
        planes: sequence.planes.map {
          .init(
            name: $0.name,
            centre: list($0.center),
            right: list($0.right),
            down: list($0.down),
            width: $0.width,
            height: $0.height
          )
        }
      )
    )
  }

  private func readings(_ sequence: SimulatedSequence) -> String {
    let isSplit = profile == "ios"
    var text = "t,gx,gy,gz,ax,ay,az" + (isSplit ? ",ux,uy,uz\n" : "\n")
    var gravity: Vector3?
    for reading in sequence.readings {
      let (w, a) = (reading.angularRate, reading.specificForce)
      var row: [String] = [fixed(reading.stamp, 6)]
      row += numbers(w, 6) + numbers(a, 6)
      if isSplit {
        // As systems split it: gravity turns with the gyroscope and is drawn slowly to what is felt.
        let size = SimulatedSequence.gravity
        var g = gravity ?? a * (size / max(a.length, 1e-9))
        let step = 1 / phone.rate
        g = g - w.cross(g) * step
        let shaken = (a.length - size) / 0.8
        let calm = SightlineMath.exp(-shaken * shaken) * step / 4
        g = g + (a - g) * calm
        g = g * (size / max(g.length, 1e-9))
        gravity = g
        row += numbers(a - g, 6)
      }
      text += row.joined(separator: ",") + "\n"
    }
    return text
  }

  private func trueReadings(_ sequence: SimulatedSequence) -> String {
    var text = "t,gx,gy,gz,ax,ay,az,bgx,bgy,bgz,bax,bay,baz\n"
    for reading in sequence.readings {
      var row: [String] = [fixed(reading.time, 7)]
      row += numbers(reading.trueAngularRate, 7) + numbers(reading.trueSpecificForce, 7)
      row += numbers(reading.rateError, 7) + numbers(reading.forceError, 7)
      text += row.joined(separator: ",") + "\n"
    }
    return text
  }

  private func poses(_ sequence: SimulatedSequence) -> String {
    var text = "frame,t,px,py,pz,qw,qx,qy,qz,vx,vy,vz,exposure,blur,covered\n"
    for frame in sequence.frames {
      let pose = sequence.pose(at: frame.time)
      var row: [String] = ["\(frame.number)", fixed(frame.time, 7)]
      row += numbers(pose.position, 7) + numbers(of: pose.worldFromCamera) + numbers(pose.velocity, 7)
      row += [fixed(frame.exposure, 7), fixed(frame.blur, 3), frame.isCovered ? "1" : "0"]
      text += row.joined(separator: ",") + "\n"
    }
    return text
  }

  private func motion(_ sequence: SimulatedSequence, seconds: Double) -> String {
    var text = "t,px,py,pz,qw,qx,qy,qz\n"
    var last = Quaternion.identity
    for time in stride(from: 0, to: seconds, by: 0.005) {
      let pose = sequence.pose(at: sequence.epoch + time)
      var q = pose.worldFromCamera
      // Of q and −q the one that lets who reads it blend rows.
      if q.dot(last) < 0 { q = Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z) }
      last = q
      let row: [String] = [fixed(sequence.epoch + time, 7)] + numbers(pose.position, 7) + numbers(of: q)
      text += row.joined(separator: ",") + "\n"
    }
    return text
  }

  private func numbers(_ v: Vector3, _ decimals: Int) -> [String] {
    [fixed(v.x, decimals), fixed(v.y, decimals), fixed(v.z, decimals)]
  }

  private func numbers(of q: Quaternion) -> [String] { [fixed(q.w, 8), fixed(q.x, 8), fixed(q.y, 8), fixed(q.z, 8)] }

  private func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }

  private func write(_ text: String, to file: String) throws { try write(Data(text.utf8), to: file) }

  private func write(_ data: Data, to file: String) throws {
    do {
      try data.write(to: folder.appending(path: file))
    } catch {
      throw Failure("\(folder.path)/\(file) cannot be written. Check the space and the rights of the folder.")
    }
  }
}
