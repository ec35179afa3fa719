import ArgumentParser
import Foundation
import SightlineRendering

/// `sightline odometry render`.
struct OdometryRender: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draw what world tracking knows over the frames: surfaces, points and the way gone.",
    discussion: """
      Input: a folder as for odometry track. Each frame is drawn with the surfaces that were found (floor green, level ones \
      blue, upright ones orange, ceilings violet), the points of the surroundings (near ones red, far ones blue), rings \
      around those that are followed, the way gone on the floor, and a plan from above; a line says what is known. Where the \
      place was lost, the way has a gap, until the surroundings are recognised.
      Output: a video (.mp4 and what else ffmpeg writes), at the rate of the sequence, or pictures (frame-%04d.png).
      """
  )

  @Option(help: ArgumentHelp("Folder with the sequence.", valueName: "folder")) var input: String
  @Option(help: ArgumentHelp("Video, or pictures with a number in their name.", valueName: "file")) var output: String
  @Option(help: ArgumentHelp("Pixels for a pixel of the frames.", valueName: "pixels")) var scale = 1.0

  @OptionGroup var known: KnownSizeOptions

  func validate() throws {
    if !(scale >= 0.25 && scale <= 8) { throw ValidationError("--scale is \(scale); it has to be 0.25 to 8.") }
  }

  func run() throws {
    var run = try OdometryRun(folder: input, markers: known.knownMarker, targets: known.knownTarget)
    let tracker = run.tracker
    let writer = FrameWriter(to: FrameTarget(path: output, rate: run.sequence.rate), scale: scale)
    var view = SpaceView()
    var start: Double?
    do {
      try run.forEach { frame in
        let first = start ?? frame.stamp
        start = first
        try writer.write(view.draw(frame, of: tracker, since: first))
      }
      try writer.finish()
    } catch let error as RenderingError {
      throw Failure("\(error)")
    }
    Console.note("\(Console.count(writer.count, "frame")) drawn.")
  }
}
