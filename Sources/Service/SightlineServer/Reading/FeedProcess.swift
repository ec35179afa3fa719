import Foundation
import SightlineReadWorkers
import SightlineTransit

/// Makes schedule files of feeds in a process of its own: what a feed does to its reader is done to nobody else.
///
/// The process writes into a folder that is made for it and goes with it; the server looks at what it made, and puts it in
/// the place of the schedule in use.
public enum FeedProcess {
  /// A GTFS feed; a country's takes some minutes.
  static let kind = ReadKind(11, "feed", seconds: 900, largestAnswer: 64 << 10)

  /// Why a feed was not imported, as a sentence.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    /// Whether it is the feed's fault, not that of this machine at the moment.
    var isOfFeed = true
  }

  private static let schedule = "schedule"
  private static let longestSentence = 4000

  // MARK: In the server

  /// Makes a schedule file of a feed; when that fails the file is as it was, and nothing is left over.
  ///
  /// - Throws: ``Failure``.
  static func importFeed(_ feed: String, into file: String, workers: ReadWorkers) async throws {
    let folder = file + ".importing"
    let manager = FileManager.default
    // One of a server that was ended in the midst of it.
    try? manager.removeItem(atPath: folder)
    do {
      try manager.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw Failure(description: "\(folder) cannot be made: \(error)", isOfFeed: false)
    }
    defer { try? manager.removeItem(atPath: folder) }
    let options = workers.options
    let job = FileReadJob(
      kind,
      document: feed,
      arguments: [
        "read-feed", "--feed", absolute(feed), "--folder", absolute(folder), "--into", absolute(file),
        "--mebibytes", "\(options.feedMebibytes)", "--seconds", "\(kind.seconds * options.patience)",
      ],
      folder: absolute(folder)
    )
    let answer: [UInt8]
    do throws(ReadFailure) { answer = try await workers.readFile(job) } catch { throw failure(error) }
    let refusal: String?
    do throws(WireReader.Malformed) { refusal = try read(answer) } catch { throw failure(.garbage) }
    if let refusal { throw Failure(description: refusal) }
    let fresh = "\(folder)/\(schedule)"
    // Nothing that leads elsewhere.
    guard (try? manager.attributesOfItem(atPath: fresh))?[.type] as? FileAttributeType == .typeRegular else {
      throw failure(.garbage)
    }
    try ScheduleImporter.put(fresh, inPlaceOf: file)
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  private static func failure(_ failure: ReadFailure) -> Failure {
    switch failure {
    case .trap:
      Failure(
        description: "its reader failed on it. It is damaged, or made to do harm; please report it with the feed."
      )
    case .memory:
      Failure(
        description: "that takes more memory than is given to a feed. Import it with sightline transit import, which "
          + "has no such limit."
      )
    case .time:
      Failure(
        description: "that takes more time than is given to a feed. Import it with sightline transit import, which has "
          + "no such limit."
      )
    case .large, .garbage: Failure(description: "its reader gave no answer that makes sense.")
    case .busy, .unavailable, .stopping:
      Failure(description: "no process that reads it can be started; the log says why.", isOfFeed: false)
    }
  }

  /// Why a feed was refused; `nil` when it was read.
  private static func read(_ answer: [UInt8]) throws(WireReader.Malformed) -> String? {
    var reader = WireReader(answer)
    let refusal = try reader.optionalText(limit: longestSentence)
    try reader.end()
    return refusal
  }

  // MARK: In the process

  /// What the command `read-feed` does: makes `folder/schedule` of a feed, says why not, and ends the process.
  ///
  /// - Parameters:
  ///   - feed: Zip archive or folder.
  ///   - folder: Where the schedule file is made; nothing is written elsewhere.
  ///   - file: The schedule in use, whose stops count as retired when they are not in the feed any more; it may be missing.
  ///   - mebibytes: Most memory beside what the process begins with.
  ///   - seconds: Most processor time.
  public static func run(
    feed: String,
    folder: String,
    inPlaceOf file: String,
    mebibytes: Int,
    seconds: Double
  ) -> Never {
    var settings = FileReadWorker.Settings(folder: folder)
    settings.mebibytes = mebibytes
    settings.seconds = seconds
    settings.readable = [feed, file]
    FileReadWorker.run(settings) {
      if let answer = ReadTrials.answer(ofFile: feed) { return answer }
      var refusal: String?
      do {
        _ = try ScheduleImporter().make("\(folder)/\(schedule)", of: feed, inPlaceOf: file)
      } catch {
        refusal = ProviderText.cut("\(error)", longestSentence)
      }
      var writer = WireWriter()
      writer.write(refusal)
      return writer.bytes
    }
  }
}
