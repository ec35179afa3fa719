import ArgumentParser
import Foundation
import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlinePictures

/// `sightline markers track`.
struct MarkersTrack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Find square markers in a row of frames and follow them.",
    discussion: """
      Frames: a folder of pictures, read in the order of their names, a video (needs ffmpeg), or a recorded session \
      (Documentation/recording.md), whose gyroscope and lens are used unless others are given. With --format json one line \
      for each frame: {"frame","time","milliseconds","markers":[{"track","id","dictionary","corners","state","resting",\
      "confidence","rotation","translation","reprojectionError","alternative"}],"events":[{"event","track","id","dictionary"}]}. \
      track is a number that stays with one marker while it is followed, also where several show the same id. state is \
      detected (seen for the first time), tracked, or expected (not seen in this frame, and not yet lost: corners are where it \
      should be). Corners are still at rest and have no lag in motion. event is found (with the second frame that shows the \
      marker) or lost. rotation and translation are those of `sightline markers detect`; they need --intrinsics and \
      --marker-length. milliseconds are those of this thread, from the grey frame in memory to the result.
      """
  )

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(
    name: .customLong("dictionary"),
    help: ArgumentHelp("Dictionary to look for; may be given several times.", valueName: "name")
  )
  var dictionaries: [DictionaryArgument]

  @OptionGroup var camera: CameraArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Outer edge of the black border, metres.", valueName: "metres")
  )
  var markerLength: Double?

  @Option(
    help: ArgumentHelp("Angular velocity in camera axes, rad/s: CSV with the header time,x,y,z.", valueName: "file")
  )
  var gyro: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Frames a second, of a folder or a video.", valueName: "number"))
  var rate: Double = 30

  @Option(help: "text: lines for people; json: one object for each frame.")
  var format: Format = .text

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
    guard !dictionaries.isEmpty else {
      throw ValidationError("Say what to look for: --dictionary 6x6-250, for instance.")
    }
    if let markerLength, !(markerLength > 0 && markerLength.isFinite) {
      throw ValidationError("--marker-length has to be a positive number of metres.")
    }
    guard rate > 0, rate <= 1000 else { throw ValidationError("--rate has to be a positive number, at most 1000.") }
  }

  func run() throws {
    var wanted: [MarkerDictionary] = []
    for argument in dictionaries where !wanted.contains(argument.dictionary) { wanted.append(argument.dictionary) }
    let isRecording = RecordedFrames.isRecording(frames)
    let gyro =
      try gyro.map { try GyroFile(path: $0) } ?? (isRecording ? RecordedFrames.gyro(in: frames) : nil)
    let drawn = try render.map { try DrawnFrames($0, rate: rate) }
    var tracker = MarkerTracker(dictionaries: wanted, side: markerLength, distortion: camera.lens)
    var orientation = CameraOrientation(gyro: gyro)
    var index = 0
    try FrameSource.forEach(in: frames, rate: rate) { frame in
      let picture = frame.picture
      tracker.intrinsics = camera.camera(width: picture.width, height: picture.height) ?? frame.camera
      let worldFromCamera = orientation.worldFromCamera(at: frame.time)
      var elapsed = 0.0
      try TargetFiles.withView(picture) { view in
        let start = threadMilliseconds()
        tracker.track(view, time: frame.time, worldFromCamera: worldFromCamera)
        elapsed = threadMilliseconds() - start
      }
      Console.say(line(index, frame.time, elapsed, tracker))
      if let drawn { try drawn.write(draw(picture, tracker.markers), name: frame.name) }
      index += 1
    }
    if index == 0 {
      throw Failure("\(frames): no \(isRecording ? "pictures" : "frames (*.jpg, *.png, *.pgm, *.webp)") in it.")
    }
    try drawn?.finish()
  }

  private func line(_ index: Int, _ time: Double, _ elapsed: Double, _ tracker: MarkerTracker) -> String {
    let events = tracker.events.map { event -> (word: String, track: Int, dictionary: MarkerDictionary?, id: Int) in
      switch event {
      case .found(let track):
        let marker = tracker.markers.first { $0.track == track }
        return ("found", track, marker?.dictionary, marker?.id ?? 0)
      case .lost(let track, let dictionary, let id): return ("lost", track, dictionary, id)
      }
    }
    if format == .json {
      let markers = tracker.markers.map { "{\(members($0).joined(separator: ", "))}" }
      let changes = events.map {
        "{\"event\": \"\($0.word)\", \"track\": \($0.track), \"id\": \($0.id), "
          + "\"dictionary\": \"\($0.dictionary?.publicName ?? "")\"}"
      }
      return "{\"frame\": \(index), \"time\": \(fixed(time, 6)), \"milliseconds\": \(fixed(elapsed, 4)), "
        + "\"markers\": [\(markers.joined(separator: ", "))], \"events\": [\(changes.joined(separator: ", "))]}"
    }
    let words =
      tracker.markers.map { "\($0.id) of \($0.dictionary.publicName) \(Self.state($0))" }
      + events.map { "\($0.word) \($0.id)" }
    return "\(index): \(words.isEmpty ? "nothing" : words.joined(separator: ", ")), \(fixed(elapsed, 2)) ms"
  }

  private static func state(_ marker: TrackedMarker) -> String {
    guard marker.isSeen else { return "expected" }
    return marker.sightings == 1 ? "detected" : "tracked"
  }

  private func members(_ marker: TrackedMarker) -> [String] {
    var members = ["\"track\": \(marker.track)"]
    members += MarkerReport.members(dictionary: marker.dictionary, id: marker.id, corners: marker.corners)
    members += [
      "\"state\": \"\(Self.state(marker))\"", "\"resting\": \(marker.isResting)",
      "\"confidence\": \(fixed(marker.confidence, 4))",
    ]
    if let poses = marker.poses { members += MarkerReport.members(poses) }
    return members
  }

  private func draw(_ picture: Picture, _ markers: [TrackedMarker]) -> Picture {
    var canvas = Canvas(gray: picture.pixels, width: picture.width, height: picture.height, scale: 1)
    for marker in markers {
      let q = marker.corners
      let color: Canvas.Color = marker.isSeen ? (60, 230, 60) : (255, 150, 0)
      for i in 0..<4 { canvas.line(q[i].x, q[i].y, q[(i + 1) & 3].x, q[(i + 1) & 3].y, color) }
      canvas.circle(q[0].x, q[0].y, 5, color)
    }
    return canvas.picture
  }
}

/// How the camera is turned by its gyroscope, in a world that is the camera's own axes at the first frame.
struct CameraOrientation {
  private let gyro: GyroFile?
  private var last: (time: Double, orientation: Quaternion)?

  /// Of a gyroscope's samples, or of none.
  init(gyro: GyroFile?) { self.gyro = gyro }

  /// The orientation at a frame's time; `nil` when there are no samples between it and the frame before.
  mutating func worldFromCamera(at time: Double) -> Quaternion? {
    guard let gyro else { return nil }
    guard let before = last else {
      let start = Quaternion(w: 1, x: 0, y: 0, z: 0)
      last = (time, start)
      return start
    }
    let turn = gyro.turn(from: before.time, to: time)
    let orientation = turn.map { before.orientation * $0 } ?? before.orientation
    last = (time, orientation)
    return turn == nil ? nil : orientation
  }
}
