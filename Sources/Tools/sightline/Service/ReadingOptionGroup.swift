import ArgumentParser
import SightlineReadWorkers

/// How much foreign documents may cost.
struct ReadingOptionGroup: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Processes that read what strangers send (default: one for each processor, two at least).",
      valueName: "number"
    )
  )
  var readWorkers: Int?

  @Option(help: ArgumentHelp("Most memory that reading one document may take (default: 1024).", valueName: "MiB"))
  var readMemory: Int?

  @Option(
    help: ArgumentHelp(
      "Keeps documents on which a reader failed in this folder, to look at; at most 100 and 256 MiB.",
      valueName: "folder"
    )
  )
  var keepUnreadable: String?

  /// Puts what was given, here or in the environment, into the options.
  func apply(to options: inout ReadWorkersOptions) throws {
    options.workers = try Setting.integer(readWorkers, "read-workers", in: 1...64) ?? options.workers
    options.mebibytes = try Setting.integer(readMemory, "read-memory", in: 128...65_536) ?? options.mebibytes
    options.keepFolder = Setting.text(keepUnreadable, "keep-unreadable")
  }
}
