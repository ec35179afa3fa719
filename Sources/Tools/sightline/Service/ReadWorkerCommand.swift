import ArgumentParser
import SightlineReadWorkers
import SightlineServer

/// `sightline read-worker`: started by `sightline serve`, not by people.
struct ReadWorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-worker",
    abstract: "Read foreign documents for a server, which starts this itself.",
    shouldDisplay: false
  )

  @Option(help: "Most mebibytes for a document.")
  var mebibytes: Int

  @Option(help: "Largest job, bytes.")
  var jobBytes: Int

  func validate() throws {
    guard (16...1 << 20).contains(mebibytes), (1...1 << 30).contains(jobBytes) else {
      throw ValidationError("The limits of a worker are out of range.")
    }
  }

  func run() throws {
    var settings = ReadWorker.Settings()
    settings.mebibytes = mebibytes
    settings.jobBytes = jobBytes
    ReadWorker.run(ForeignReaders.handlers + ReadTrials.handlers, settings: settings) { ForeignReaders.warmUp() }
  }
}

/// `sightline read-feed`: started by `sightline serve`, not by people.
struct ReadFeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-feed",
    abstract: "Read a GTFS feed for a server, which starts this itself.",
    shouldDisplay: false
  )

  @Option(help: "The feed: zip archive or folder.")
  var feed: String

  @Option(help: "Folder for the schedule file that is made, and all that may be written.")
  var folder: String

  @Option(help: "The schedule file that is in use, or will be.")
  var into: String

  @Option(help: "Most mebibytes.")
  var mebibytes: Int

  @Option(help: "Most seconds of processor time.")
  var seconds: Double

  func validate() throws {
    guard (1...1 << 20).contains(mebibytes), (0.001...1e6).contains(seconds) else {
      throw ValidationError("The limits of a worker are out of range.")
    }
  }

  func run() throws {
    FeedProcess.run(feed: feed, folder: folder, inPlaceOf: into, mebibytes: mebibytes, seconds: seconds)
  }
}
