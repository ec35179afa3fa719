import Foundation
import SightlineMath
import SightlineOdometry
import SightlinePictures

/// A folder with frames and motion readings of a phone, as Documentation/odometry.md describes it.
struct OdometrySequence {
  /// A row of frames.csv.
  struct Frame {
    /// As the platform has it, seconds.
    var stamp: Double
    /// Number of its picture.
    var number: Int
  }

  /// sequence.json, as far as it is used.
  private struct Description: Decodable {
    struct Camera: Decodable {
      var distortion: [Double]
      var readout_time: Double
      var offset: Double
    }

    struct Frames: Decodable {
      var kind: String
      var pattern: String?
      var file: String?
    }

    var width: Int
    var height: Int
    var focal_guess: Double
    var distortion_guess: [Double]?
    var learned_camera: Camera?
    var screen_angle: Int
    var readout: String?
    var fps: Double?
    var global_shutter: Bool?
    var frames: Frames
  }

  /// Rows that a file may have.
  private static let mostRows = 2_000_000

  private let folder: String
  private let description: Description
  /// What the tracker is told before it begins.
  let configuration: OdometryConfiguration

  /// Reads sequence.json.
  init(folder: String) throws {
    self.folder = folder
    let path = folder + "/sequence.json"
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure("\(path) cannot be read. --input takes the folder of a sequence.")
    }
    do {
      description = try JSONDecoder().decode(Description.self, from: data)
    } catch {
      throw Failure(
        "\(path) does not describe a sequence: width, height, focal_guess, screen_angle and frames are needed. \(Self.words(error))"
      )
    }
    let d = description
    guard (64...4096).contains(d.width), (64...4096).contains(d.height) else {
      throw Failure("\(path): width and height have to be 64 to 4096 pixels.")
    }
    guard d.focal_guess.isFinite, d.focal_guess > 50, d.focal_guess < 20000 else {
      throw Failure("\(path): focal_guess has to be 50 to 20000 pixels.")
    }
    guard [0, 90, 180, 270].contains(d.screen_angle) else {
      throw Failure("\(path): screen_angle has to be 0, 90, 180 or 270.")
    }
    guard (d.fps ?? 30) >= 0.1, (d.fps ?? 30) <= 1000 else {
      throw Failure("\(path): fps has to be 0.1 to 1000.")
    }
    let direction: ReadoutDirection
    switch d.readout ?? "+y" {
    case "+x": direction = .right
    case "-x": direction = .left
    case "+y": direction = .down
    case "-y": direction = .up
    default: throw Failure("\(path): readout has to be +x, -x, +y or -y.")
    }
    var configuration = OdometryConfiguration(
      width: d.width,
      height: d.height,
      focal: d.focal_guess,
      screenAngleDegrees: Int32(truncatingIfNeeded: d.screen_angle),
      readoutDirection: direction
    )
    if let terms = d.distortion_guess {
      guard terms.count == 2, terms.allSatisfy({ $0.isFinite && abs($0) < 0.5 }) else {
        throw Failure("\(path): distortion_guess has to be two numbers between −0.5 and 0.5.")
      }
      (configuration.k1, configuration.k2) = (terms[0], terms[1])
    }
    if let camera = d.learned_camera {
      guard camera.distortion.count == 2,
        let learned = LearnedCamera(
          k1: camera.distortion[0],
          k2: camera.distortion[1],
          readout: camera.readout_time,
          timeOffset: camera.offset
        )
      else {
        throw Failure(
          "\(path): learned_camera has to have distortion, two numbers between −0.4 and 0.4 and between −0.2 and 0.2, and, in seconds, "
            + "readout_time from 0 to 0.06 and offset from −0.05 to 0.15."
        )
      }
      configuration.begin(with: learned)
    }
    if d.global_shutter == true { (configuration.readout, configuration.readoutDeviation) = (0, 0) }
    self.configuration = configuration
  }

  /// Frames a second of a video of it.
  var rate: Double { description.fps ?? 30 }

  /// The rows of imu.csv.
  func readings() throws -> [InertialReading] {
    var readings: [InertialReading] = []
    try forEachRow(of: "imu.csv", header: ["t", "gx", "gy", "gz", "ax", "ay", "az"]) { row in
      readings.append(
        InertialReading(
          time: row[0],
          angularRate: Vector3(row[1], row[2], row[3]),
          specificForce: Vector3(row[4], row[5], row[6])
        )
      )
    }
    return readings
  }

  /// The rows of frames.csv.
  func frames() throws -> [Frame] {
    var frames: [Frame] = []
    try forEachRow(of: "frames.csv", header: ["t", "frame"]) { row in
      guard let number = Int(exactly: row[1]), number >= 0 else {
        throw Failure("\(folder)/frames.csv:\(frames.count + 2): frame has to be a whole number from 0 on.")
      }
      frames.append(Frame(stamp: row[0], number: number))
    }
    guard !frames.isEmpty else { throw Failure("\(folder)/frames.csv: there is no frame in it.") }
    return frames
  }

  /// Calls `body` with the picture of each frame.
  func forEachPicture(of frames: [Frame], _ body: (Frame, Picture) throws -> Void) throws {
    let kinds = description.frames
    switch kinds.kind {
    case "pgm", "jpg", "png":
      guard let pattern = kinds.pattern, let name = Self.name(pattern) else {
        throw Failure("\(folder)/sequence.json: frames.pattern has to hold the number as %d or %06d, once.")
      }
      for frame in frames { try body(frame, checked(try TargetFiles.picture(folder + "/" + name(frame.number)))) }
    case "mkv", "mp4":
      guard let file = kinds.file, !file.contains("/") else {
        throw Failure("\(folder)/sequence.json: frames.file has to name the video in the folder.")
      }
      var waiting = frames[...]
      var number = 0
      try FrameSource.forEach(in: folder + "/" + file, rate: rate) { picture in
        if let frame = waiting.first, frame.number == number {
          waiting.removeFirst()
          try body(frame, checked(picture.picture))
        }
        number += 1
      }
      guard waiting.isEmpty else {
        throw Failure("\(folder)/\(file): it has \(number) pictures; frames.csv names others, or not in their order.")
      }
    default: throw Failure("\(folder)/sequence.json: frames.kind has to be pgm, jpg, png, mkv or mp4.")
    }
  }

  private func checked(_ picture: Picture) throws -> Picture {
    guard picture.width == description.width, picture.height == description.height else {
      throw Failure(
        "\(folder): a picture has \(picture.width) × \(picture.height) pixels; sequence.json says "
          + "\(description.width) × \(description.height)."
      )
    }
    return picture
  }

  /// What makes a file's name of a number, by a pattern such as `frames/%06d.pgm`; never `String(format:)`, which trusts it.
  private static func name(_ pattern: String) -> ((Int) -> String)? {
    guard !pattern.contains(".."), !pattern.hasPrefix("/"), let percent = pattern.firstIndex(of: "%"),
      let d = pattern[percent...].firstIndex(of: "d")
    else { return nil }
    let digits = pattern[pattern.index(after: percent)..<d]
    let (before, after) = (String(pattern[..<percent]), String(pattern[pattern.index(after: d)...]))
    guard !after.contains("%"), digits.allSatisfy(\.isNumber), digits.count <= 2 else { return nil }
    let width = Int(digits) ?? 0
    return { number in
      let text = String(number)
      return before + String(repeating: "0", count: max(0, width - text.count)) + text + after
    }
  }

  private func forEachRow(of file: String, header: [String], _ body: ([Double]) throws -> Void) throws {
    let path = folder + "/" + file
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Failure("\(path) cannot be read as text.")
    }
    var (line, last) = (0, -Double.infinity)
    for row in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      line += 1
      let fields = row.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if line == 1 {
        guard Array(fields.prefix(header.count)) == header else {
          throw Failure("\(path):1: the header has to begin with \(header.joined(separator: ",")).")
        }
        continue
      }
      if fields == [""] { continue }
      let numbers = fields.prefix(header.count).compactMap(Double.init)
      guard numbers.count == header.count, numbers.allSatisfy(\.isFinite) else {
        throw Failure("\(path):\(line): \(header.count) numbers are needed, separated by commas.")
      }
      guard numbers[0] >= last else { throw Failure("\(path):\(line): the times have to rise.") }
      guard line <= Self.mostRows else { throw Failure("\(path): more than \(Self.mostRows) rows are not read.") }
      last = numbers[0]
      try body(numbers)
    }
    if line == 0 { throw Failure("\(path): the file is empty.") }
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing."
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of another kind."
    default: "It is no JSON."
    }
  }
}
