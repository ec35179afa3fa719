/// Why a picture cannot be drawn.
public enum RenderingError: Error, Equatable, CustomStringConvertible {
  /// The frame is smaller or larger than can be drawn.
  case size(width: Int, height: Int)
  /// The video program is not there.
  case noVideoProgram
  /// The video of a recording is not there.
  case noVideo(String)
  /// The video program failed; its last words.
  case video(String)
  /// A file cannot be written.
  case file(String)

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .size(let width, let height):
      "A picture of \(width) × \(height) pixels cannot be drawn: each side has to be 2 to 8192. Choose another --scale."
    case .noVideoProgram:
      "ffmpeg is not installed, which writes videos. Install it (apt-get install ffmpeg), or render frame-%04d.png."
    case .noVideo(let path):
      "The recording's pictures are in \(path), which cannot be read. Put the video beside the recording."
    case .video(let words): "ffmpeg could not write the video: \(words)"
    case .file(let path): "\(path) cannot be written. Check the path and the rights of its folder."
    }
  }
}
