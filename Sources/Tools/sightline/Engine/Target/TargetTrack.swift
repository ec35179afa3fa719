import ArgumentParser
import Foundation
import SightlineCamera
import SightlineImageTargets
import SightlineImaging
import SightlineMath
import SightlinePictures

/// `sightline target track`.
struct TargetTrack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Find targets in a row of frames and follow them.",
    discussion: """
      Frames: a folder of pictures, read in the order of their names, a video (needs ffmpeg), or a recorded session \
      (Documentation/recording.md), whose gyroscope and lens are used unless others are given. With --format json one line \
      for each frame: {"frame","time","milliseconds","targets":[{"name","state","corners","homography","inliers"}]}. state is detected (found \
      without earlier frames), tracked, or extrapolated (not seen well enough, carried on by motion and gyroscope). \
      homography takes the target picture's pixels to the frame's, row by row. With --intrinsics and a target's width there are \
      also rotation (w,x,y,z), translation (metres) and reprojectionError (pixels): the pose, before the camera (x right, \
      y down, z forward), of the picture (origin in its middle, x right, y to its top, z out of the print), as for markers. \
      milliseconds are those of this thread, from the grey frame in memory to the result.
      """
  )

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(
    name: .customLong("target"),
    help: ArgumentHelp("Target file; may be given several times.", valueName: "file")
  )
  var targets: [String]

  @Option(help: "text: lines for people; json: one object for each frame.")
  var format: Format = .text

  @OptionGroup var camera: CameraArguments

  @Option(
    help: ArgumentHelp("Angular velocity in camera axes, rad/s: CSV with the header time,x,y,z.", valueName: "file")
  )
  var gyro: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Frames a second, of a folder or a video.", valueName: "number"))
  var rate: Double = 30

  @Option(
    help: ArgumentHelp(
      "Draw the result over the frames: a video when the name ends in .mp4, .m4v, .mov or .mkv (needs ffmpeg), else JPEG files "
        + "in a folder of that name.",
      valueName: "file or folder"
    )
  )
  var render: String?

  @Argument(help: ArgumentHelp("Folder of frames, a video, or a recorded session.", valueName: "frames"))
  var frames: String

  func validate() throws {
    guard !targets.isEmpty else { throw ValidationError("Say what to follow: --target FILE.target.") }
    guard rate > 0, rate <= 1000 else { throw ValidationError("--rate has to be a positive number, at most 1000.") }
  }

  func run() throws {
    let known = try targets.map { try TargetFiles.read($0) }
    let isRecording = RecordedFrames.isRecording(frames)
    let gyro =
      try gyro.map { try GyroFile(path: $0) } ?? (isRecording ? RecordedFrames.gyro(in: frames) : nil)
    let drawn = try render.map { try DrawnFrames($0, rate: rate) }
    var tracker: TargetTracker?
    var sightings: [TargetSighting] = []
    var index = 0
    var lastTime: Double?
    try FrameSource.forEach(in: frames, rate: rate) { frame in
      let (picture, time) = (frame.picture, frame.time)
      let seenBy = (camera.camera(width: picture.width, height: picture.height) ?? frame.camera)
        .map { FrameCamera(intrinsics: $0, distortion: camera.lens) }
      let current = tracker ?? TargetTracker(targets: known)
      tracker = current
      (current.intrinsics, current.distortion) = (seenBy?.intrinsics, seenBy?.distortion ?? .none)
      let turn = lastTime.flatMap { gyro?.turn(from: $0, to: time) }
      lastTime = time
      var elapsed = 0.0
      try TargetFiles.withView(picture) { view in
        let start = threadMilliseconds()
        current.process(view, time: time, turn: turn, into: &sightings)
        elapsed = threadMilliseconds() - start
      }
      Console.say(line(index, time, elapsed, sightings, known, seenBy))
      if let drawn { try drawn.write(draw(picture, sightings, known), name: frame.name) }
      index += 1
    }
    if index == 0 {
      throw Failure("\(frames): no \(isRecording ? "pictures" : "frames (*.jpg, *.png, *.pgm, *.webp)") in it.")
    }
    try drawn?.finish()
  }

  private func line(
    _ index: Int,
    _ time: Double,
    _ elapsed: Double,
    _ sightings: [TargetSighting],
    _ known: [Target],
    _ camera: FrameCamera?
  ) -> String {
    if format == .json {
      let found = sightings.map { TargetReport.json($0, known[$0.target], hasState: true, camera: camera) }
      return
        "{\"frame\": \(index), \"time\": \(fixed(time, 6)), \"milliseconds\": \(fixed(elapsed, 3)), \"targets\": [\(found.joined(separator: ", "))]}"
    }
    let found = sightings.map { "\(TargetFiles.name(known[$0.target])) \(TargetReport.word($0.state))" }
    return "\(index): \(found.isEmpty ? "nothing" : found.joined(separator: ", ")), \(fixed(elapsed, 1)) ms"
  }

  private func draw(_ picture: Picture, _ sightings: [TargetSighting], _ known: [Target]) -> Picture {
    var canvas = Canvas(gray: picture.pixels, width: picture.width, height: picture.height, scale: 1)
    for sighting in sightings {
      let target = known[sighting.target]
      guard let q = sighting.corners(width: target.width, height: target.height) else { continue }
      let color: Canvas.Color =
        switch sighting.state {
        case .detected: (0, 190, 255)
        case .tracked: (60, 230, 60)
        case .extrapolated: (255, 150, 0)
        }
      for i in 0..<4 { canvas.line(q[i].x, q[i].y, q[(i + 1) & 3].x, q[(i + 1) & 3].y, color) }
      canvas.circle(q[0].x, q[0].y, 5, color)
    }
    return canvas.picture
  }
}
