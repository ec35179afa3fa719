import ArgumentParser
import Foundation
import SightlineContent
import SightlineFormats

extension OffsetAxes: ExpressibleByArgument {}
extension DocumentFormat: ExpressibleByArgument {}

/// How documents are read, for all commands that read them without a database.
struct ReadingArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Axes of the offsets in GDDF: enu (east, north, up; default) or gamaray (east, up, south).",
      valueName: "enu|gamaray"
    )
  )
  var axes: OffsetAxes?

  @Option(help: ArgumentHelp("Address that relative addresses in the document are resolved against.", valueName: "url"))
  var base: String?

  func options() throws -> ReadingOptions {
    var options = ReadingOptions(baseURL: Setting.text(base, "base"))
    if let axes {
      options.axes = axes
    } else if let text = Setting.text(nil, "axes") {
      guard let known = OffsetAxes(rawValue: text) else {
        throw ValidationError("\(Setting.variable("axes")) is \"\(text)\"; write enu or gamaray.")
      }
      options.axes = known
    }
    return options
  }
}

/// A document on its way in.
enum DocumentFile {
  /// Reads a file, or standard input for `-`.
  ///
  /// More than the reader takes on is not read: it reports the size.
  static func read(_ path: String, options: ReadingOptions) throws -> [UInt8] {
    let limit = options.limits.bytes + 1
    do {
      if path == "-" { return [UInt8](try FileHandle.standardInput.read(upToCount: limit) ?? Data()) }
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        throw Failure("\(path) is a folder. Name the files in it.")
      }
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      return [UInt8](try handle.read(upToCount: limit) ?? Data())
    } catch let failure as Failure {
      throw failure
    } catch {
      let reason = FileManager.default.fileExists(atPath: path) ? "cannot be read. Check its rights" : "does not exist"
      throw Failure("\(path) \(reason).")
    }
  }
}

/// `sightline validate`.
struct Validate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check files and say what is wrong where.",
    discussion: """
      The format (GDDF, AREA XML, GeoJSON, KML or KMZ with the additions of ARML 1.0, mixare, Layar, Overpass) is recognised by the content. Each finding has a severity, a code, the line, \
      the path of the element and a sentence that says what to do. With --format json there is one line for each file: \
      {"file","format","valid","problems":[{"severity","code","line","path","message"}],"dimension":{…}}. The file - is \
      standard input.

      Exit status: 0 all files are valid (warnings allowed, unless --strict); 1 at least one is not; 64 the command \
      line was not understood.
      """
  )

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Argument(help: ArgumentHelp("Files to check.", valueName: "file"))
  var files: [String]

  @Option(help: "text: lines for people and editors; json: one object for each file.")
  var format: Format = .text

  @Flag(help: "Warnings count as errors for the exit status.")
  var strict = false

  @OptionGroup var reading: ReadingArguments

  func run() throws {
    let options = try reading.options()
    var isFine = true
    for (number, file) in files.enumerated() {
      if files.count > 1, format == .json, Console.isWatched { Console.note("[\(number + 1)/\(files.count)] \(file)") }
      let report: ValidationReport
      do {
        report = ValidationReport(try DocumentFile.read(file, options: options), file: file, options: options)
      } catch let failure as Failure {
        let problem = Problem(.error, "file.unreadable", line: nil, path: "", message: failure.description)
        report = ValidationReport(file: file, format: nil, reading: Reading(dimension: nil, problems: [problem]))
      }
      Console.say(format == .json ? try report.json() : report.text())
      if !report.valid || (strict && report.problems.contains { $0.severity == .warning }) { isFine = false }
    }
    if !isFine { throw ExitCode(1) }
  }
}
