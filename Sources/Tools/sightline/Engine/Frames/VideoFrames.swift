import Foundation
import SightlinePictures

/// Pictures of a video, by the program ffmpeg.
enum VideoFrames {
  /// Takes some pictures a second out of a video.
  ///
  /// - Parameters:
  ///   - file: the video.
  ///   - perSecond: how many.
  ///   - most: at most so many.
  ///   - body: is given each picture and its number.
  /// - Throws: ``Failure`` when there is no ffmpeg or it cannot read the file.
  static func forEach(
    of file: String,
    perSecond: Double,
    most: Int,
    _ body: (Picture, Int) throws -> Void
  ) throws {
    guard let program = program else {
      throw Failure(
        "\(file) is no picture. To read videos the program ffmpeg is needed: install it (apt-get install ffmpeg), or take "
          + "pictures out of the video by other means."
      )
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sightline-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "-nostdin", "-v", "error", "-i", URL(fileURLWithPath: file).path, "-vf", "fps=\(perSecond)", "-frames:v",
      "\(most)",
      "-pix_fmt", "gray", folder.appendingPathComponent("%06d.pgm").path,
    ]
    let messages = folder.appendingPathComponent("messages")
    FileManager.default.createFile(atPath: messages.path, contents: nil)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: messages)
    try process.run()
    process.waitUntilExit()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".pgm") }
      .sorted()
    guard process.terminationStatus == 0, !names.isEmpty else {
      let text = (try? String(contentsOf: messages, encoding: .utf8)) ?? ""
      throw Failure(
        "\(file): this is neither a PNG, JPEG, WebP, PGM or PPM picture nor a video that ffmpeg can read\(reason(text)). "
          + "Check the file, or convert it."
      )
    }
    for (number, name) in names.enumerated() {
      try body(try Picture(contentsOfFile: folder.appendingPathComponent(name).path, as: .gray), number)
    }
  }

  /// The first thing that ffmpeg says, which is the cause of the others, without the names that it puts before it.
  private static func reason(_ messages: String) -> String {
    guard var line = messages.split(separator: "\n").first else { return "" }
    if line.hasPrefix("["), let end = line.range(of: "] ") { line = line[end.upperBound...] }
    if line.hasPrefix("/"), let end = line.range(of: ": ") { line = line[end.upperBound...] }
    return " (\(line.trimmingCharacters(in: CharacterSet(charactersIn: " ."))))"
  }

  /// Where ffmpeg is, by the search path.
  private static var program: String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
