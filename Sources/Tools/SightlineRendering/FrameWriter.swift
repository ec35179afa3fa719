import Foundation
import SightlinePictures

/// Where drawn frames go.
public enum FrameTarget: Equatable, Sendable {
  /// A video of a rate, frames a second.
  case video(path: String, rate: Double)
  /// Numbered PNG files; the path has one `%d` or `%04d`, or none for a single picture.
  case pictures(pattern: String)

  /// The target that a path means: `.png` are pictures, all else a video.
  public init(path: String, rate: Double) {
    let lower = path.lowercased()
    self = lower.hasSuffix(".png") ? .pictures(pattern: path) : .video(path: path, rate: rate)
  }

  /// The file of a number: `%04d` replaced by its digits.
  static func path(_ pattern: String, _ number: Int) -> String {
    guard let range = pattern.range(of: "%[0-9]*d", options: .regularExpression) else { return pattern }
    let digits = Int(pattern[range].dropFirst().dropLast()) ?? 0
    let text = String(number)
    return pattern.replacingCharacters(
      in: range,
      with: String(repeating: "0", count: max(0, digits - text.count)) + text
    )
  }
}

/// Draws frames and writes them as a video or as numbered pictures.
public final class FrameWriter {
  /// Frames written.
  public private(set) var count = 0
  private let target: FrameTarget
  private let painter: FramePainter
  private let spacePainter: SpacePainter
  private var video: VideoProcess?

  /// A writer.
  ///
  /// - Parameters:
  ///   - target: what to write.
  ///   - scale: pixels for a point; where there is no display, for a pixel of the camera's picture.
  public init(to target: FrameTarget, scale: Double = 2) {
    self.target = target
    painter = FramePainter(scale: scale)
    spacePainter = SpacePainter(scale: scale)
  }

  /// Draws and writes a scene.
  ///
  /// All scenes of a video have to be of one size; later ones of another size are drawn into the first one's.
  /// - Parameter scene: what to draw.
  /// - Throws: ``RenderingError``.
  public func write(_ scene: RenderedScene) throws { try write(try painter.draw(scene)) }

  /// Draws and writes what world tracking knows in a frame.
  ///
  /// - Parameter space: what to draw; in a video all of one size.
  /// - Throws: ``RenderingError``.
  public func write(_ space: RenderedSpace) throws { try write(try spacePainter.draw(space)) }

  private func write(_ canvas: Canvas) throws {
    switch target {
    case .pictures(let pattern):
      let path = FrameTarget.path(pattern, count)
      guard let bytes = try? canvas.picture.png(), (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil
      else {
        throw RenderingError.file(path)
      }
    case .video(let path, let rate):
      let process = try video ?? VideoProcess(path: path, width: canvas.width, height: canvas.height, rate: rate)
      video = process
      try process.write(canvas)
    }
    count += 1
  }

  /// Ends the file.
  ///
  /// - Throws: ``RenderingError/video(_:)``.
  public func finish() throws {
    try video?.finish()
    video = nil
  }
}
