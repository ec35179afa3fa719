import Foundation
import SightlineCamera
import SightlinePictures

/// Frames one after another as grey pictures, from a folder, a video or a recorded session.
enum FrameSource {
  /// A frame and what is known of it.
  struct Frame {
    /// Grey levels.
    var picture: Picture
    /// Seconds.
    var time: Double
    /// What its file is called, or its number.
    var name: String
    /// Its lens, when a recording tells of it.
    var camera: Intrinsics?
  }

  /// Calls `body` with each frame.
  static func forEach(in path: String, rate: Double, _ body: (Frame) throws -> Void) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Failure("\(path): there is no such folder, video or recording.")
    }
    if !isFolder.boolValue, RecordedFrames.isRecording(path) { return try RecordedFrames.forEach(in: path, body) }
    if isFolder.boolValue {
      let kinds = [".jpg", ".jpeg", ".png", ".pgm", ".webp"]
      let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
        kinds.contains { name.lowercased().hasSuffix($0) }
      }
      for (index, name) in names.sorted().enumerated() {
        let picture = try TargetFiles.picture(path + "/" + name)
        try body(Frame(picture: picture, time: Double(index) / rate, name: name))
      }
    } else {
      try video(path, rate: rate, body)
    }
  }

  /// Decodes a video with ffmpeg.
  private static func video(_ path: String, rate: Double, _ body: (Frame) throws -> Void) throws {
    let size = try output(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0", path]
    )
    let numbers = size.split(whereSeparator: { $0 == "," || $0.isNewline }).compactMap { Int($0) }
    guard numbers.count >= 2, numbers[0] > 0, numbers[1] > 0, numbers[0] <= 16384, numbers[1] <= 16384 else {
      throw Failure("\(path): this is neither a folder of frames, nor a recording, nor a video that ffmpeg can read.")
    }
    let (width, height) = (numbers[0], numbers[1])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "ffmpeg", "-v", "error", "-nostdin", "-noautorotate", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-r",
      "\(rate)", "-",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    defer {
      if process.isRunning { process.terminate() }
      process.waitUntilExit()
    }
    var index = 0
    while let data = try whole(pipe.fileHandleForReading, width * height) {
      let picture = Picture(width: width, height: height, layout: .gray, pixels: data)
      try body(Frame(picture: picture, time: Double(index) / rate, name: String(format: "%06d", index)))
      index += 1
    }
  }

  /// So many bytes; `nil` at the end.
  private static func whole(_ handle: FileHandle, _ count: Int) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      guard let part = try handle.read(upToCount: count - bytes.count), !part.isEmpty else { return nil }
      bytes.append(contentsOf: part)
    }
    return bytes
  }

  private static func output(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw Failure("\(program) cannot be started; videos need ffmpeg (apt-get install ffmpeg).")
    }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
