import ArgumentParser
import Foundation
import SightlineCamera
import SightlineFormats
import SightlineImageTargets

/// `sightline target recognize`.
struct TargetRecognize: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recognize",
    abstract: "Say which targets of a database pictures show, and where; each picture for itself.",
    discussion: """
      With --format json one line for each picture: {"file","milliseconds","targets":[{"name","corners","homography",\
      "inliers"}]}; an empty list says that nothing known is shown. With --intrinsics and a target's \
      width there is also its pose, as `target track` gives it. milliseconds are those of this thread, from the grey picture \
      in memory to the result.
      """
  )

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: ArgumentHelp("Folder of target files (*.target).", valueName: "folder"))
  var database: String

  @Option(help: "text: lines for people; json: one object for each picture.")
  var format: Format = .text

  @OptionGroup var camera: CameraArguments

  @Flag(help: "Go on after a print was found by its outline: others may be covered or have none. Takes longer.")
  var all = false

  @Argument(help: ArgumentHelp("Pictures.", valueName: "image"))
  var images: [String]

  func run() throws {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: database) else {
      throw Failure("\(database): there is no such folder; --database takes a folder of target files.")
    }
    let files = names.filter { $0.hasSuffix(".target") }.sorted()
    guard !files.isEmpty else { throw Failure("\(database): no target files (*.target) in it.") }
    let targets = try files.map { try TargetFiles.read(database + "/" + $0) }
    let recognizer = TargetRecognizer(targets: targets)
    recognizer.looksForAll = all
    var sightings: [TargetSighting] = []
    var hasFailed = false
    for image in images {
      do {
        let picture = try TargetFiles.picture(image)
        var elapsed = 0.0
        try TargetFiles.withView(picture) { view in
          let start = threadMilliseconds()
          recognizer.recognize(view, into: &sightings)
          elapsed = threadMilliseconds() - start
        }
        if format == .json {
          let seenBy = camera.camera(width: picture.width, height: picture.height)
            .map { FrameCamera(intrinsics: $0, distortion: camera.lens) }
          let found = sightings.map { TargetReport.json($0, targets[$0.target], hasState: false, camera: seenBy) }
          Console.say(
            "{\"file\": \(JSONTextWriter.quoted(image)), \"milliseconds\": \(fixed(elapsed, 3)), "
              + "\"targets\": [\(found.joined(separator: ", "))]}"
          )
        } else {
          let found = sightings.map { TargetFiles.name(targets[$0.target]) }
          Console.say(
            "\(image): \(found.isEmpty ? "nothing known" : found.joined(separator: ", ")), \(fixed(elapsed, 1)) ms"
          )
        }
      } catch {
        Console.note("\(error)")
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode(1) }
  }
}
