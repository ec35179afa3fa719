import ArgumentParser
import Foundation
import SightlineContent
import SightlineFormats
import SightlineImport

/// What can be written: a format, or KML packed with its files.
enum WrittenFormat: ExpressibleByArgument, Equatable {
  case document(DocumentFormat)
  case kmz

  init?(argument: String) {
    if argument == "kmz" {
      self = .kmz
    } else if let format = DocumentFormat(rawValue: argument) {
      self = .document(format)
    } else {
      return nil
    }
  }

  /// What the ending of a file's name asks for.
  init?(fileName: String) {
    if fileName.lowercased().hasSuffix(".kmz") {
      self = .kmz
    } else if let format = DocumentFormat(fileName: fileName) {
      self = .document(format)
    } else {
      return nil
    }
  }

  /// As it is written on the command line.
  var name: String {
    switch self {
    case .document(let format): format.rawValue
    case .kmz: "kmz"
    }
  }

  static var allValueStrings: [String] { DocumentFormat.allCases.map(\.rawValue) + ["kmz"] }
}

/// `sightline convert`.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a file in another format.",
    discussion: """
      With --to kmz the pictures, models and sounds that the file names by relative addresses are packed with it. Without --output the document goes to standard output. What the reader finds and what the new format cannot hold \
      is said on standard error. The file - is standard input.

      Exit status: 0 written; 1 the file was refused or cannot be written; 64 the command line was not understood.
      """
  )

  @Argument(help: ArgumentHelp("File to read.", valueName: "file"))
  var input: String

  @Option(
    help: ArgumentHelp(
      "Format to write (default: by the ending of --output).",
      valueName: WrittenFormat.allValueStrings.joined(separator: "|")
    )
  )
  var to: WrittenFormat?

  @Option(name: .shortAndLong, help: ArgumentHelp("File to write.", valueName: "file"))
  var output: String?

  @OptionGroup var reading: ReadingArguments

  func validate() throws {
    guard to == nil, output.flatMap({ WrittenFormat(fileName: $0) }) == nil else { return }
    throw ValidationError("The format to write is not clear. Add --to gddf, --to kml or another of the known formats.")
  }

  func run() throws {
    guard let format = to ?? output.flatMap({ WrittenFormat(fileName: $0) }) else { return }
    let options = try reading.options()
    let bytes = try DocumentFile.read(input, options: options)
    let report = ValidationReport(bytes, file: input, options: options)
    for problem in report.problems where problem.severity != .info {
      Console.note(Console.line(for: problem, in: input))
    }
    guard let dimension = report.dimension else {
      throw Failure("\(input) is not converted. Correct what is named above.")
    }
    let writing = try write(dimension, as: format, bytes)
    for problem in writing.problems { Console.note(Console.line(for: problem, in: output ?? format.name)) }
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
    Console.note("\(output): \(content.joined(separator: ", ")) (\(format.name))")
  }

  private func write(
    _ dimension: SightlineContent.Dimension,
    as format: WrittenFormat,
    _ bytes: [UInt8]
  ) throws -> Writing {
    let options = WritingOptions(geoidHeight: Installation.geoidHeight())
    switch format {
    case .document(let format): return FormatRegistry.write(dimension, as: format, options: options)
    case .kmz:
      let files = input == "-" ? nil : CompanionFiles(ofDocumentAt: input, bytes: Data(bytes))
      do { return try KMZWriter.write(dimension, files: files, options: options) } catch {
        throw Failure("\(input) and its files are more than an archive holds (4 GiB). Convert it to KML.")
      }
    }
  }
}
