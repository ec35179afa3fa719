import Foundation

/// ffmpeg, which is given frames and writes a video.
public final class VideoProcess {
  private let process = Process()
  private let input = Pipe()
  private let errors = Pipe()
  private let width: Int
  private let height: Int

  /// Whether the program is there.
  public static var isAvailable: Bool { find("ffmpeg") != nil }

  /// Starts the program for raw frames of one size.
  ///
  /// - Throws: ``RenderingError/noVideoProgram``.
  convenience init(path: String, width: Int, height: Int, rate: Double) throws {
    let source = ["-f", "rawvideo", "-pix_fmt", "bgr0", "-s", "\(width)x\(height)", "-r", "\(rate)"]
    try self.init(path: path, source: source, width: width, height: height)
  }

  /// Starts the program for JPEG files; frames of other sizes than the first are scaled to it.
  ///
  /// - Throws: ``RenderingError/noVideoProgram``.
  public convenience init(path: String, jpegRate rate: Double) throws {
    let source = ["-f", "image2pipe", "-c:v", "mjpeg", "-framerate", "\(rate)"]
    try self.init(path: path, source: source, width: 0, height: 0)
  }

  private init(path: String, source: [String], width: Int, height: Int) throws {
    self.width = width
    self.height = height
    guard let program = Self.find("ffmpeg") else { throw RenderingError.noVideoProgram }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments =
      ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + source + [
        // The usual kind of video has an even number of columns and rows.
        "-i", "pipe:0", "-an", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-crf", "20",
        "-preset", "veryfast", "-movflags", "+faststart", "file:" + path,
      ]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    // A program that ends early is an error to report and not the end of this one.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
  }

  func write(_ canvas: Canvas) throws {
    guard canvas.width == width, canvas.height == height else {
      throw RenderingError.video("the display changed its size in the middle; render frame-%04d.png instead.")
    }
    do {
      try canvas.withPixels { pixels, stride in
        if stride == 4 * width {
          try input.fileHandleForWriting.write(contentsOf: Data(pixels))
        } else {
          for y in 0..<height {
            let row = UnsafeRawBufferPointer(rebasing: pixels[(y * stride)..<(y * stride + 4 * width)])
            try input.fileHandleForWriting.write(contentsOf: Data(row))
          }
        }
      }
    } catch {
      throw RenderingError.video(end() ?? "it ended early.")
    }
  }

  /// Writes one JPEG file as a frame.
  ///
  /// - Throws: ``RenderingError/video(_:)``.
  public func write(jpeg: [UInt8]) throws {
    do {
      try input.fileHandleForWriting.write(contentsOf: Data(jpeg))
    } catch {
      throw RenderingError.video(end() ?? "it ended early.")
    }
  }

  /// Ends the file.
  ///
  /// - Throws: ``RenderingError/video(_:)``.
  public func finish() throws { if let words = end() { throw RenderingError.video(words) } }

  /// Waits for the program; its complaints when it failed.
  private func end() -> String? {
    try? input.fileHandleForWriting.close()
    let words = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus != 0 else { return nil }
    let text = String(decoding: words, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? "exit status \(process.terminationStatus)." : text
  }

  static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
