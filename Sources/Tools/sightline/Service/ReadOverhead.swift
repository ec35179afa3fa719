import ArgumentParser
import Foundation
import Logging
import SightlineInput
import SightlineReadWorkers
import SightlineServer

/// `sightline read-overhead`: what reading a document in a worker costs beside the reading itself.
///
/// For `Benchmarks/reading/overhead.py`, not for people: each document is read by turns in this process and in a warm
/// worker, in one run, for the machine's mood changes.
struct ReadOverhead: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-overhead",
    abstract: "Measure what reading documents in a worker costs.",
    shouldDisplay: false
  )

  @Option(help: "Times that each document is read in either place.")
  var rounds = 200

  @Argument(help: "Documents.")
  var files: [String]

  func run() async throws {
    var options = ReadWorkersOptions()
    options.workers = 1
    // No change of workers in the midst of it.
    options.documentsPerWorker = 1_000_000
    let workers = try ReadWorkers(options, log: Logger(label: "sightline"))
    guard let handler = ForeignReaders.handlers.first(where: { $0.kind.name == "world" }) else { return }
    var parameters = WireWriter()
    parameters.write("http://example.org/world")
    for path in files {
      let document = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let job = ReadJob(handler.kind, parameters: parameters.bytes, document: document)
      var here: [Double] = []
      var apart: [Double] = []
      var bytes = 0
      for round in 0..<(max(1, rounds) + 5) {
        let start = ContinuousClock.now
        let answer = handler.read(parameters.bytes, document)
        let middle = ContinuousClock.now
        let other = try await workers.read(job, client: "measure")
        let end = ContinuousClock.now
        guard answer.count == other.count else { throw Failure("\(path): the answers differ.") }
        bytes = answer.count
        // The first rounds warm up.
        guard round >= 5 else { continue }
        here.append(ReadOverhead.milliseconds(middle - start))
        apart.append(ReadOverhead.milliseconds(end - middle))
      }
      let row: [Double] = [
        ReadOverhead.quantile(here, 0.5), ReadOverhead.quantile(apart, 0.5),
        ReadOverhead.quantile(zip(apart, here).map { $0 - $1 }, 0.5),
        ReadOverhead.quantile(zip(apart, here).map { $0 - $1 }, 0.95),
      ]
      let numbers = row.map { String(format: "%.3f", $0) }.joined(separator: "\t")
      Console.say("\(path)\t\(document.count)\t\(bytes)\t\(here.count)\t\(numbers)")
    }
    await workers.shutdown()
  }

  private static func milliseconds(_ time: Duration) -> Double {
    Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) / 1e15
  }

  private static func quantile(_ values: [Double], _ part: Double) -> Double {
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(clamped: (part * Double(sorted.count)).rounded(.down)))]
  }
}
