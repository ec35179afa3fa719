import ArgumentParser
import Foundation
import SightlineInput
import SightlineRecording
import SightlineRendering

/// `sightline replay`.
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the engine over a recorded session.",
    discussion: """
      Reads a recording (Documentation/recording.md; - is standard input), runs the engine over it as it ran on the phone, \
      and writes each frame as a line of JSON to standard output or --output: the same recording gives the same bytes. \
      Progress and remarks go to standard error.

      --render draws what the phone showed: the camera's picture with labels, arrows and radar, as a video (.mp4 and what \
      else ffmpeg writes) or as pictures (frame-%04d.png).

      A recording that is cut or damaged is played up to there; what is lost is said, and the exit status is 2.
      """
  )

  @Argument(help: ArgumentHelp("The recording.", valueName: "recording")) var recording: String

  @Option(name: .shortAndLong, help: ArgumentHelp("File for the frames (default: standard output).", valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Make so many frames a second, instead of those that were made in the session.",
      valueName: "rate"
    )
  )
  var fps: Double?

  @Option(help: ArgumentHelp("Draw the frames: a video, or pictures with a number in their name.", valueName: "file"))
  var render: String?
  @Option(help: ArgumentHelp("Pixels for a point of the display when drawing.", valueName: "pixels")) var scale = 2.0
  @Flag(help: "Also draw where the landmarks of a simulation really are, as rings.") var showTruth = false

  @Option(
    help: ArgumentHelp(
      "Metres of the phone above the ground, 0.1 to 100, until the recording says otherwise (default: 1.5).",
      valueName: "metres"
    )
  )
  var eyeHeight: Double?

  @Option(help: ArgumentHelp(stringLiteral: ModelArgument.help)) var model: [ModelArgument] = []

  @Flag(help: "Only play; write a summary instead of the frames.") var summary = false

  func validate() throws {
    if let fps, !(fps >= 0.1 && fps <= 1000) { throw ValidationError("--fps is \(fps); it has to be 0.1 to 1000.") }
    if let eyeHeight, !(0.1...100).contains(eyeHeight) {
      throw ValidationError("--eye-height is \(eyeHeight); it has to be 0.1 to 100.")
    }
    if !(scale >= 0.25 && scale <= 8) { throw ValidationError("--scale is \(scale); it has to be 0.25 to 8.") }
    if render == nil && !model.isEmpty { throw ValidationError("--model is drawn; say with --render where to.") }
    if render != nil && summary { throw ValidationError("--summary only plays; leave it out to render.") }
  }

  func run() throws {
    let (reader, size) = try RecordingInput.open(recording)
    // A video has a rate of its own, whenever frames were made.
    let isVideo = render.map { !$0.lowercased().hasSuffix(".png") } ?? false
    let rate = fps ?? (isVideo ? 30 : nil)
    var player = RecordingPlayer(reader, eyeHeight: eyeHeight, pace: rate.map { .every(1 / $0) } ?? .recorded)
    let progress = Progress(total: size)
    if summary {
      var sink = NoFrames()
      try player.play(into: &sink, progress: progress.show)
    } else if let render {
      let lines = try output.map { try OutputFile($0) }
      var sink = RenderSink(
        to: render,
        rate: rate ?? 30,
        scale: scale,
        showsTruth: showTruth,
        models: try RenderedModels(model),
        folder: URL(fileURLWithPath: recording).deletingLastPathComponent(),
        lines: lines
      )
      do {
        try player.play(into: &sink, progress: progress.show)
        try sink.finish()
      } catch let error as RenderingError {
        progress.clear()
        throw Failure("\(error)")
      }
      try lines?.close()
    } else {
      let target = try OutputFile(output)
      var sink = SceneFrameJSON { try target.write($0) }
      try player.play(into: &sink, progress: progress.show)
      try target.close()
    }
    progress.clear()
    let played = player.summary
    let text =
      "\(Console.count(played.frames, "frame")) (\(played.validFrames) with a view) from "
      + "\(Console.count(played.events, "event")) in \(played.duration) s"
    if summary { Console.say(text) } else { Console.note(text) }
    if played.skippedGaps > 0 {
      Console.note(
        "\(Console.count(played.skippedGaps, "gap")) between events, beyond an hour of them in all: no frames were made in them. "
          + "The clock of the recording leaps; the frames' times tell where."
      )
    }
    try RecordingInput.report(player.reader)
  }
}

/// A sink for those who only want to know whether a recording plays.
private struct NoFrames: ReplaySink {
  func take(_ frame: ReplayedFrame) {}
}

/// What the commands on recordings share.
enum RecordingInput {
  /// Opens a recording; its size when that is known.
  static func open(_ path: String) throws -> (reader: RecordingReader<FileSource>, size: UInt64?) {
    let source: FileSource
    do {
      source = try FileSource(path)
    } catch {
      let reason = FileManager.default.fileExists(atPath: path) ? "cannot be read. Check its rights" : "does not exist"
      throw Failure("\(path) \(reason).")
    }
    do {
      return (try RecordingReader(from: source), source.size)
    } catch let error as RecordingError {
      throw Failure("\(path): \(error)")
    }
  }

  /// Says how a recording ended.
  ///
  /// - Throws: exit status 2 when something of it is lost.
  static func report(_ reader: RecordingReader<FileSource>) throws {
    if reader.skippedCount > 0 {
      Console.note("\(Console.count(Int(clamping: reader.skippedCount), "chunk")) of a later version skipped.")
    }
    switch reader.end {
    case .complete, nil: return
    case .unfinished?: Console.note("\(RecordingEnd.unfinished)")
    case let end?:
      Console.note("\(end)")
      throw ExitCode(2)
    }
  }
}

/// Standard output or a file, written in large pieces.
final class OutputFile {
  private let handle: FileHandle
  private var buffer: [UInt8] = []

  init(_ path: String?) throws {
    guard let path, path != "-" else {
      handle = .standardOutput
      return
    }
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
    else {
      throw Failure("\(path) cannot be written. Check the path and the rights of its folder.")
    }
    handle = file
  }

  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count > 1 << 20 { try flush() }
  }

  func close() throws { try flush() }

  private func flush() throws {
    try handle.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}

/// A bar on standard error, when someone watches.
final class Progress {
  private let total: UInt64?
  private var shown = -1

  init(total: UInt64?) { self.total = total }

  func show(_ done: UInt64) {
    guard Console.isWatched, let total, total > 0 else { return }
    let percent = Int(clamped: Double(done) / Double(total) * 100)
    guard percent != shown else { return }
    shown = percent
    let bar = String(repeating: "█", count: percent / 4) + String(repeating: "░", count: 25 - percent / 4)
    FileHandle.standardError.write(Data("\r\(bar) \(percent) %".utf8))
  }

  func clear() {
    if shown >= 0 { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
  }
}
