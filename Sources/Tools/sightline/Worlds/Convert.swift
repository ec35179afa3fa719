import ArgumentParser
import Foundation
import SightlineContent
import SightlineFormats

/// `sightline convert`.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a file in another format.",
    discussion: """
      Without --output the document goes to standard output. What the reader finds and what the new format cannot hold \
      is said on standard error. The file - is standard input.

      Exit status: 0 written; 1 the file was refused or cannot be written; 64 the command line was not understood.
      """
  )

  @Argument(help: ArgumentHelp("File to read.", valueName: "file"))
  var input: String

  @Option(
    help: ArgumentHelp(
      "Format to write (default: by the ending of --output).",
      valueName: DocumentFormat.allCases.map(\.rawValue).joined(separator: "|")
    )
  )
  var to: DocumentFormat?

  @Option(name: .shortAndLong, help: ArgumentHelp("File to write.", valueName: "file"))
  var output: String?

  @OptionGroup var reading: ReadingArguments

  func validate() throws {
    guard to == nil, output.flatMap({ DocumentFormat(fileName: $0) }) == nil else { return }
    throw ValidationError("The format to write is not clear. Add --to gddf, --to kml or another of the known formats.")
  }

  func run() throws {
    guard let format = to ?? output.flatMap({ DocumentFormat(fileName: $0) }) else { return }
    let options = try reading.options()
    let bytes = try DocumentFile.read(input, options: options)
    let report = ValidationReport(bytes, file: input, options: options)
    for problem in report.problems where problem.severity != .info {
      Console.note(Console.line(for: problem, in: input))
    }
    guard let dimension = report.dimension else {
      throw Failure("\(input) is not converted. Correct what is named above.")
    }
    let writing = FormatRegistry.write(dimension, as: format)
    for problem in writing.problems { Console.note(Console.line(for: problem, in: output ?? format.rawValue)) }
    guard let output else {
      FileHandle.standardOutput.write(Data(writing.bytes))
      return
    }
    do {
      try Data(writing.bytes).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw Failure("\(output) cannot be written. Check the path and the rights of its folder.")
    }
    let content = [
      Console.count(dimension.places.count, "place"), Console.count(dimension.overlays.count, "overlay"),
    ]
    Console.note("\(output): \(content.joined(separator: ", ")) (\(format.rawValue))")
  }
}
