import Foundation
import SightlinePictures

/// Frames of a video file, read from the first on through ffmpeg.
public final class VideoReader {
  private let process = Process()
  private let output = Pipe()
  private let width: Int
  private let height: Int
  private var next = 0
  private var last: Picture?

  /// Starts reading.
  ///
  /// - Parameters:
  ///   - path: of the video.
  ///   - width: pixels that frames are brought to, 1 … 8192.
  ///   - height: pixels that frames are brought to, 1 … 8192.
  /// - Throws: ``RenderingError``.
  public init(path: String, width: Int, height: Int) throws {
    guard (1...8192).contains(width), (1...8192).contains(height) else {
      throw RenderingError.size(width: width, height: height)
    }
    guard FileManager.default.isReadableFile(atPath: path) else { throw RenderingError.noVideo(path) }
    guard let program = VideoProcess.find("ffmpeg") else { throw RenderingError.noVideoProgram }
    self.width = width
    self.height = height
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "-hide_banner", "-loglevel", "quiet", "-nostdin", "-i", "file:" + path, "-fps_mode", "passthrough",
      "-vf", "scale=\(width):\(height)", "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1",
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  /// A frame, counted from 0.
  ///
  /// - Parameter index: not less than that of the call before.
  /// - Returns: the frame; `nil` when the video has no such frame, or it was passed already.
  public func frame(_ index: Int) -> Picture? {
    if index == next - 1 { return last }
    while next <= index {
      let count = 3 * width * height
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count)
      while bytes.count < count {
        guard let more = try? output.fileHandleForReading.read(upToCount: count - bytes.count), !more.isEmpty else {
          return nil
        }
        bytes += more
      }
      next += 1
      if next > index { last = Picture(width: width, height: height, layout: .rgb, pixels: bytes) }
    }
    return index == next - 1 ? last : nil
  }
}
