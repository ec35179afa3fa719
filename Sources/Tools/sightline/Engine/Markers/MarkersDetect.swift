import ArgumentParser
import Foundation
import SightlineCamera
import SightlineFormats
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlinePictures

/// `sightline markers detect`.
struct MarkersDetect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detect",
    abstract: "Find square markers in pictures: which, where, and how they lie to the camera.",
    discussion: """
      Files: PNG, JPEG, WebP, binary PGM and PPM. With --format json there is one line for each file, in the order given: \
      {"file","milliseconds","markers":[{"id","dictionary","corners","confidence","wrongCells","rotation","translation",\
      "reprojectionError","alternative"}]}. Corners are pixels, clockwise from the marker's own top left; the centre of the \
      first pixel is (0, 0). rotation is the quaternion w,x,y,z and translation the metres that take the marker's frame (x \
      right, y up, z out of the print) to the camera's (x right, y down, z forward); they need --intrinsics and \
      --marker-length. alternative is the mirrored pose, which from afar fits almost as well. milliseconds is the \
      processor's time from the grey picture in memory to the finished list, on one thread, once there is room for pictures of \
      its size.

      With --inverted and --mirrored such prints are found too, and say "inverted": true or "mirrored": true; without, they \
      are none. The first corner of a mirrored print is its own top left as well.

      Several markers that are fixed to each other give one pose, far surer than that of each: --board (with --square and \
      --marker-length) for a chessboard as `sightline markers make --board` prints it, or --map FILE for any, a JSON file \
      {"markers":[{"dictionary","id","length","position":[x,y,z],"rotation":[w,x,y,z]}]} with metres and quaternions in the \
      thing's own frame (rotation may be left out: not turned). Each line then has "board": {"rotation","translation",\
      "reprojectionError","markers","fitting"} or null: how many of its markers were seen, and how many lie where the map \
      says. With a map --dictionary may be left out.

      Exit status: 0 all files were read, with markers or without; 1 at least one could not be read.
      """
  )

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(
    name: .customLong("dictionary"),
    help: ArgumentHelp("Dictionary to look for; may be given several times.", valueName: "name")
  )
  var dictionaries: [DictionaryArgument] = []

  @OptionGroup var camera: CameraArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Outer edge of the black border, metres.", valueName: "metres")
  )
  var markerLength: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Shortest side of a marker in the picture; shorter ones take longer.", valueName: "pixels")
  )
  var minimumSide: Double = 16

  @Flag(help: "Also find prints with dark and light exchanged.")
  var inverted = false

  @Flag(help: "Also find mirrored prints.")
  var mirrored = false

  @OptionGroup var layout: MarkerLayoutArguments

  @Option(help: "text: lines for people; json: one object for each file.")
  var format: Format = .text

  @Argument(help: ArgumentHelp("Pictures.", valueName: "file"))
  var files: [String]

  func validate() throws {
    guard !dictionaries.isEmpty || layout.map != nil else {
      throw ValidationError("Say what to look for: --dictionary 6x6-250, for instance.")
    }
    if let markerLength, !(markerLength > 0 && markerLength.isFinite) {
      throw ValidationError("--marker-length has to be a positive number of metres.")
    }
    guard minimumSide >= 6, minimumSide <= 10000 else {
      throw ValidationError("--minimum-side has to be 6 to 10000 pixels.")
    }
    try layout.validate(dictionaries: dictionaries, markerLength: markerLength, camera: camera)
  }

  func run() throws {
    var wanted: [MarkerDictionary] = []
    for argument in dictionaries where !wanted.contains(argument.dictionary) { wanted.append(argument.dictionary) }
    let board = try layout.board(dictionaries: dictionaries, markerLength: markerLength)
    for marker in board?.markers ?? [] where !wanted.contains(where: { $0.family == marker.dictionary.family }) {
      wanted.append(marker.dictionary)
    }
    var parameters = MarkerDetector.Parameters()
    parameters.minimumSide = minimumSide
    (parameters.findsInverted, parameters.findsMirrored) = (inverted, mirrored)
    var detector = MarkerDetector(dictionaries: wanted, parameters: parameters)
    var hasFailed = false
    for file in files {
      do throws(PictureError) {
        let picture = try Picture(contentsOfFile: file, as: .gray)
        Console.say(report(try detection(in: picture, &detector, board), of: file))
      } catch {
        Console.note("\(file): \(error)")
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode(1) }
  }

  /// What was found in one picture.
  private struct Detection {
    var milliseconds: Double
    var markers: [DetectedMarker] = []
    /// One for each marker, when camera and size are known.
    var poses: [SquarePoses?] = []
    /// When one was asked for: its pose, or `nil`.
    var board: MarkerBoard.Pose??
  }

  private func detection(
    in picture: Picture,
    _ detector: inout MarkerDetector,
    _ board: MarkerBoard?
  ) throws(PictureError) -> Detection {
    let intrinsics = camera.camera(width: picture.width, height: picture.height)
    let lens = camera.lens
    let side = markerLength
    // Done once for a video: no part of what finding markers takes.
    detector.reserve(width: picture.width, height: picture.height)
    detector.lens = lens == .none ? nil : intrinsics.map { MarkerLens(intrinsics: $0, distortion: lens) }
    var result = Detection(milliseconds: 0)
    picture.pixels.withUnsafeBufferPointer { pixels in
      guard let view = try? GrayView(pixels, width: picture.width, height: picture.height, stride: picture.width) else {
        return
      }
      let begin = threadMilliseconds()
      detector.detect(in: view, into: &result.markers)
      if let intrinsics, let side {
        for marker in result.markers {
          result.poses.append(
            SquarePoses(
              corners: marker.corners,
              side: side,
              intrinsics: intrinsics,
              distortion: lens,
              covariance: marker.covariance
            )
          )
        }
      }
      if let board, let intrinsics {
        result.board = .some(board.pose(of: result.markers, intrinsics: intrinsics, distortion: lens))
      }
      result.milliseconds = threadMilliseconds() - begin
    }
    return result
  }

  private func report(_ detection: Detection, of file: String) -> String {
    format == .json ? json(detection, file) : text(detection, file)
  }

  private func json(_ detection: Detection, _ file: String) -> String {
    let markers = detection.markers.indices.map { index in
      let marker = detection.markers[index]
      var members = MarkerReport.members(dictionary: marker.dictionary, id: marker.id, corners: marker.corners)
      members += ["\"confidence\": \(fixed(marker.confidence, 4))", "\"wrongCells\": \(marker.wrongCells)"]
      if marker.isInverted { members.append("\"inverted\": true") }
      if marker.isMirrored { members.append("\"mirrored\": true") }
      if index < detection.poses.count, let poses = detection.poses[index] { members += MarkerReport.members(poses) }
      return "{\(members.joined(separator: ", "))}"
    }
    return "{\"file\": \(JSONTextWriter.quoted(file)), \"milliseconds\": \(fixed(detection.milliseconds, 4)), "
      + "\"markers\": [\(markers.joined(separator: ", "))]\(boardMember(detection))}"
  }

  private func boardMember(_ detection: Detection) -> String {
    guard let board = detection.board else { return "" }
    guard let board else { return ", \"board\": null" }
    let members =
      MarkerReport.members(board.cameraFromBoard) + ["\"markers\": \(board.seen)", "\"fitting\": \(board.fitting)"]
    return ", \"board\": {\(members.joined(separator: ", "))}"
  }

  private func text(_ detection: Detection, _ file: String) -> String {
    var lines = ["\(file): \(Console.count(detection.markers.count, "marker")), \(fixed(detection.milliseconds, 2)) ms"]
    for (index, marker) in detection.markers.enumerated() {
      let c = marker.corners
      let center = (c[0] + c[1] + c[2] + c[3]) * 0.25
      var line = "  \(marker.id) of \(marker.dictionary.publicName) at \(fixed(center.x, 1)), \(fixed(center.y, 1))"
      if marker.isInverted { line += ", inverted" }
      if marker.isMirrored { line += ", mirrored" }
      line += ", confidence \(fixed(marker.confidence, 2))"
      if index < detection.poses.count, let pose = detection.poses[index]?.best {
        line += ", \(fixed(pose.translation.length, 3)) m away"
      }
      lines.append(line)
    }
    if let board = detection.board {
      lines.append(
        board.map {
          "  board: \(fixed($0.cameraFromBoard.translation.length, 3)) m away, \($0.fitting) of \(Console.count($0.seen, "marker")) fit, "
            + "error \(fixed($0.cameraFromBoard.reprojectionError, 2)) pixels"
        } ?? "  board: none of its markers was found"
      )
    }
    return lines.joined(separator: "\n")
  }
}
