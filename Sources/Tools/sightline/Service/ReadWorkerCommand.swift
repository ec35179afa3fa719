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
