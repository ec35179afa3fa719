import ArgumentParser
import Foundation
import SightlineFormats
import SightlineImageTargets
import SightlinePictures

/// `sightline target rate`.
struct TargetRate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate",
    abstract: "Say how well pictures will be found as targets, and why not better.",
    discussion: """
      Files: pictures or target files. With --format json one line for each file: \
      {"file","stars","reasons","features"}.
      """
  )

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: "text: lines for people; json: one object for each file.")
  var format: Format = .text

  @Argument(help: ArgumentHelp("Pictures, marker patterns (.patt) or target files.", valueName: "file"))
  var files: [String]

  func run() throws {
    var hasFailed = false
    for (number, file) in files.enumerated() {
      if files.count > 1, Console.isWatched { Console.note("[\(number + 1)/\(files.count)] \(file)") }
      do {
        let target = try Self.target(file)
        let rating = target.rating
        if format == .json {
          let reasons = TargetFiles.codes(rating).map { "\"\($0)\"" }.joined(separator: ", ")
          Console.say(
            "{\"file\": \(JSONTextWriter.quoted(file)), \"stars\": \(fixed(rating.stars, 2)), \"reasons\": [\(reasons)], "
              + "\"features\": \(target.featureCount)}"
          )
        } else {
          let reasons = TargetFiles.reasons(rating).map { "\n  \($0)" }.joined()
          Console.say("\(file): \(fixed(rating.stars, 1)) of 5 stars\(reasons)")
        }
      } catch {
        Console.note("\(error)")
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode(1) }
  }

  /// The target in a file, or of the picture in it.
  static func target(_ file: String) throws -> Target {
    if file.hasSuffix(".target") { return try TargetFiles.read(file) }
    let picture = try TargetFiles.print(file)
    return try TargetFiles.withView(picture) { TargetBuilder().build($0, name: Array(file.utf8.prefix(255))) }
  }
}

/// `sightline target show`.
struct TargetShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Draw what a target is found by: its reference with its features.",
    discussion: "A circle for each feature, as large as what it describes, with a line in its direction."
  )

  @Argument(help: ArgumentHelp("A target file, a picture or a marker pattern (.patt).", valueName: "file"))
  var file: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The picture, PNG.", valueName: "file"))
  var output: String

  func run() throws {
    let target = try TargetRate.target(file)
    var canvas = Canvas(
      gray: target.reference().pixels,
      width: target.referenceWidth,
      height: target.referenceHeight,
      scale: 2
    )
    for feature in target.features().features {
      let color: Canvas.Color = feature.response > 0 ? (255, 180, 0) : (0, 190, 255)
      let (x, y) = (Double(feature.x), Double(feature.y))
      let radius = 3.0 * Double(feature.scale)
      canvas.circle(x, y, radius, color)
      canvas.line(x, y, x + radius * cos(Double(feature.angle)), y + radius * sin(Double(feature.angle)), color)
    }
    try TargetFiles.write(output) { () throws(PictureError) in try canvas.picture.png() }
    Console.note(
      "\(TargetFiles.name(target)): \(Console.count(target.featureCount, "feature")), \(fixed(target.rating.stars, 1)) stars"
    )
  }
}
