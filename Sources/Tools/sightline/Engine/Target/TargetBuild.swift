import ArgumentParser
import Foundation
import SightlineImageTargets
import SightlinePictures

/// `sightline target build`.
struct TargetBuild: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Make a target file of a picture.",
    discussion: """
      The same picture and options give the same bytes. The rating, 0 to 5 stars, and what keeps the picture from being a \
      better target go to standard error; a poor one is still built. Exit status 2: no target could be made.

      Of a marker pattern of ARToolKit or AR.js (NAME.patt, patt.NAME) the print is built, the pattern in its black \
      border, whose outer edge --width then means.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "JPEG, PNG, WebP, PGM or PPM, of which only the luminance is used; or .patt.",
      valueName: "image"
    )
  )
  var image: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The target file.", valueName: "file"))
  var output: String

  @Option(help: "Name that results are reported under; at most 255 bytes (default: the picture's, without its ending).")
  var name: String?

  private var reportedName: String { name ?? URL(fileURLWithPath: image).deletingPathExtension().lastPathComponent }

  @Option(parsing: .unconditional, help: ArgumentHelp("Width of the whole print.", valueName: "metres"))
  var width: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Of a marker pattern: its width in widths of the print with its border, 0.1 to 0.95.",
      valueName: "ratio"
    )
  )
  var patternRatio: Double = MarkerPattern.usualRatio

  func validate() throws {
    guard !reportedName.isEmpty, reportedName.utf8.count <= 255 else {
      throw ValidationError("--name has to be 1 to 255 bytes long.")
    }
    if let width {
      guard width > 0, width < 10000 else { throw ValidationError("--width has to be a positive number of metres.") }
    }
    guard (0.1...0.95).contains(patternRatio) else {
      throw ValidationError(
        "--pattern-ratio has to be 0.1 to 0.95; AR.js makes markers with 0.5 unless told otherwise."
      )
    }
  }

  func run() throws {
    do {
      let picture = try TargetFiles.print(image, patternRatio: patternRatio)
      let bytes = try TargetFiles.withView(picture) {
        TargetBuilder().file(of: $0, name: Array(reportedName.utf8), printedWidth: width ?? 0)
      }
      let rating = try TargetFile.decode(bytes).rating
      guard FileManager.default.createFile(atPath: output, contents: Data(bytes)) else {
        throw Failure("\(output): cannot be written; does its folder exist?")
      }
      Console.note("\(reportedName): \(fixed(rating.stars, 1)) of 5 stars, \(bytes.count) bytes")
      for reason in TargetFiles.reasons(rating) { Console.note("  \(reason)") }
      if MarkerPattern.isNamed(image) { Console.note(TargetFiles.patternAdvice) }
    } catch {
      Console.note("\(error)")
      throw ExitCode(2)
    }
  }
}
