import Foundation

/// ffmpeg, which is given raw frames and writes a video.
final class VideoProcess {
  private let process = Process()
  private let input = Pipe()
  private let errors = Pipe()
  private let width: Int
  private let height: Int

  /// Starts the program.
  ///
  /// - Throws: ``RenderingError/noVideoProgram``.
  init(path: String, width: Int, height: Int, rate: Double) throws {
    self.width = width
    self.height = height
    guard let program = Self.find("ffmpeg") else { throw RenderingError.noVideoProgram }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "-hide_banner", "-loglevel", "error", "-nostdin", "-y",
      "-f", "rawvideo", "-pix_fmt", "bgr0", "-s", "\(width)x\(height)", "-r", "\(rate)", "-i", "pipe:0",
      "-an", "-pix_fmt", "yuv420p", "-crf", "20", "-preset", "veryfast", "-movflags", "+faststart", "file:" + path,
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

  func finish() throws { if let words = end() { throw RenderingError.video(words) } }

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
