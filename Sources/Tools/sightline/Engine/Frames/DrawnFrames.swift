import ArgumentParser
import Foundation
import SightlinePictures
import SightlineRendering

/// Where frames go that `track` has drawn its results over: a video, or JPEG files in a folder.
final class DrawnFrames {
  private enum Target {
    case folder(String)
    case video(path: String, rate: Double)
  }

  private let target: Target
  private var video: VideoProcess?

  private static let videos: Set = ["mp4", "m4v", "mov", "mkv"]
  private static let files: Set = ["jpg", "jpeg", "png", "webp", "pgm", "gif", "webm", "avi", "pdf", "svg"]

  /// A target by its name: a video where it ends as one, else a folder, which is made.
  ///
  /// - Throws: A sentence that says what to write instead.
  init(_ path: String, rate: Double) throws {
    let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
    if DrawnFrames.videos.contains(ending) {
      guard VideoProcess.isAvailable else {
        throw Failure(
          "--render \(path): ffmpeg is not installed, which writes videos. Install it (apt-get install ffmpeg), or give the name "
            + "of a folder, such as --render drawn, for JPEG files."
        )
      }
      target = .video(path: path, rate: rate)
      return
    }
    guard !DrawnFrames.files.contains(ending) else {
      throw ValidationError(
        "--render \(path): give the name of a folder for JPEG files, such as --render drawn, or of a video, such as "
          + "--render drawn.mp4."
      )
    }
    target = .folder(path)
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
      throw Failure("--render \(path): there is a file of that name; give the name of a folder or of a video (.mp4).")
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw Failure("--render \(path): the folder cannot be made. Check the path and the rights of the one it is in.")
    }
  }

  /// Writes a frame; `name` is that of the picture it was drawn over.
  func write(_ picture: Picture, name: String) throws {
    switch target {
    case .folder(let folder):
      try TargetFiles.write("\(folder)/\(name).result.jpg") { () throws(PictureError) in try picture.jpeg(quality: 88) }
    case .video(let path, let rate):
      do {
        let process = try video ?? VideoProcess(path: path, jpegRate: rate)
        video = process
        try process.write(jpeg: try picture.jpeg(quality: 95))
      } catch {
        throw Failure("--render \(path): \(error)")
      }
    }
  }

  /// Ends the video.
  func finish() throws {
    guard case .video(let path, _) = target, let video else { return }
    do { try video.finish() } catch { throw Failure("--render \(path): \(error)") }
  }
}
