import Glibc

/// A video file that is written through ffmpeg.
struct VideoOutput {
  private let program: ChildProcess
  private let path: String

  init(_ path: String, width: Int, height: Int, rate: Double) throws {
    self.path = path
    // A program that ends early is an error to report and not the end of this one.
    signal(SIGPIPE, SIG_IGN)
    program = try ChildProcess(
      [
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "bgr0", "-s",
        "\(width)x\(height)", "-r", "\(rate)", "-i", "pipe:0", "-an", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-pix_fmt",
        "yuv420p", "-preset", "veryfast", "file:" + path,
      ],
      piping: .itsInput
    )
  }

  func write(_ frame: Frame) throws {
    guard fwrite(frame.pixels, 1, frame.pixels.count, program.stream) == frame.pixels.count else {
      program.finish()
      throw Problem("\(path): ffmpeg ended early; see what it says above.")
    }
  }

  /// Ends the file.
  func finish() throws {
    guard program.finish() == 0 else { throw Problem("\(path): ffmpeg could not write it; see what it says above.") }
  }
}
