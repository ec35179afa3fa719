import Foundation
import SightlineCamera
import SightlineMath
import SightlinePictures
import SightlineRecording
import SightlineRendering

/// The camera's pictures of a recorded session, with what the recording knows of the camera and of how it was turned.
enum RecordedFrames {
  private static let magic: [UInt8] = [0x89, 0x53, 0x4C, 0x52, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Whether a file begins as recordings do.
  static func isRecording(_ path: String) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: magic.count)).map { $0.map { [UInt8]($0) == magic } ?? false } ?? false
  }

  /// Angular velocities in the camera's axes; `nil` when the phone had no gyroscope.
  static func gyro(in path: String) throws -> GyroFile? {
    var (reader, _) = try RecordingInput.open(path)
    var optics = Optics()
    var samples: [(time: Double, rate: Vector3)] = []
    var last = -Double.infinity
    while let entry = try reader.next() {
      optics.take(entry.event)
      guard case .motion(let sample) = entry.event, let rate = sample.angularVelocity, sample.time > last else {
        continue
      }
      // A sample is the mean since the one before; the file's readings stand for the middle of their interval.
      let step = min(sample.time - last, GyroFile.longestGap)
      if rate.length < 200 { samples.append((sample.time - step / 2, optics.cameraFromDevice * rate)) }
      last = sample.time
    }
    return samples.isEmpty ? nil : GyroFile(samples: samples)
  }

  /// Calls `body` with each picture.
  ///
  /// - Throws: what `body` throws; exit status 2 at the end when the recording is damaged.
  static func forEach(in path: String, _ body: (FrameSource.Frame) throws -> Void) throws {
    var (reader, _) = try RecordingInput.open(path)
    var optics = Optics()
    var video: (file: String, reader: VideoReader)?
    var index = 0
    var unreadable = 0
    while let entry = try reader.next() {
      optics.take(entry.event)
      guard case .picture(let recorded) = entry.event else { continue }
      if let picture = try picture(recorded, beside: path, &video) {
        let camera = optics.camera(width: picture.width, height: picture.height)
        try body(
          FrameSource.Frame(picture: picture, time: entry.time, name: String(format: "%06d", index), camera: camera)
        )
      } else {
        unreadable += 1
      }
      index += 1
    }
    if unreadable > 0 {
      Console.note("\(path): \(Console.count(unreadable, "picture")) of it cannot be decoded and were left out.")
    }
    try RecordingInput.report(reader)
  }

  private static func picture(
    _ recorded: RecordedPicture,
    beside path: String,
    _ video: inout (file: String, reader: VideoReader)?
  ) throws -> Picture? {
    switch recorded.source {
    case .embedded(_, let bytes): return try? Picture(decoding: bytes, as: .gray)
    case .video(let file, let frame):
      if video?.file != file {
        // The name only: a recording does not decide which files are read.
        let name = URL(fileURLWithPath: file).lastPathComponent
        let beside = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: name).path
        video = (file, try VideoReader(path: beside, width: Int(recorded.width), height: Int(recorded.height)))
      }
      return video?.reader.frame(Int(frame))?.converted(to: .gray)
    }
  }

  /// How the camera looks out of the phone, as far as the recording has said.
  private struct Optics {
    private var display = Display(width: 1, height: 1)
    private var lens: CameraPicture?
    private(set) var cameraFromDevice: Quaternion

    init() { cameraFromDevice = Self.cameraFromDevice(display, nil) }

    mutating func take(_ event: RecordingEvent) {
      guard case .session(let event) = event else { return }
      switch event {
      case .display(let display): self.display = display
      case .camera(let lens): self.lens = lens
      default: return
      }
      cameraFromDevice = Self.cameraFromDevice(display, lens)
    }

    private static func cameraFromDevice(_ display: Display, _ lens: CameraPicture?) -> Quaternion {
      let unknown = CameraPicture(
        intrinsics: Intrinsics(width: 4, height: 3, longSideFieldOfView: Angle(degrees: 62))
      )
      let projection = DisplayProjection(display: display, picture: lens ?? unknown)
      return projection.cameraFromDisplay * projection.deviceFromDisplay.inverse
    }

    /// The lens for a picture of some size: recorded ones may be smaller than the camera's.
    func camera(width: Int, height: Int) -> Intrinsics? {
      guard let known = lens?.intrinsics, known.width > 0, known.height > 0 else { return nil }
      let (x, y) = (Double(width) / known.width, Double(height) / known.height)
      // Of another shape is of another camera, or cut in a way that nobody told of.
      guard abs(x / y - 1) < 0.02 else { return nil }
      return Intrinsics(
        width: Double(width),
        height: Double(height),
        focalX: known.focalX * x,
        focalY: known.focalY * y,
        centerX: (known.centerX + 0.5) * x - 0.5,
        centerY: (known.centerY + 0.5) * y - 0.5
      )
    }
  }
}
