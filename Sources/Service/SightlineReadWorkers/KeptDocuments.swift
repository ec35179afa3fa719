import Crypto
import Foundation
import Logging

/// Documents that could not be read, kept for the operator to look at: a bounded number, the oldest go first.
final class KeptDocuments: Sendable {
  private let folder: String
  private let files: Int
  private let bytes: Int
  private let log: Logger
  /// One after the other, away from what answers requests.
  private let queue = DispatchQueue(label: "sightline.unreadable", qos: .utility)

  /// A keeper of at most so many `files` with so many `bytes` in a `folder`, which is made for its owner alone when
  /// there is none.
  init(folder: String, files: Int, bytes: Int, log: Logger) throws {
    self.folder = folder
    self.files = files
    self.bytes = bytes
    self.log = log
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// Keeps a document and what is known of its end, unless it is here already.
  func keep(_ job: ReadJob, _ failure: ReadFailure, note: String) {
    queue.async { [self] in
      guard job.document.count <= bytes else { return }
      do { try write(job, failure, note) } catch {
        log.warning("an unreadable document was not kept", metadata: ["reason": .string("\(error)")])
      }
    }
  }

  /// Waits until all that was given is on the disk.
  func flush() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  private func write(_ job: ReadJob, _ failure: ReadFailure, _ note: String) throws {
    let digest = SHA256.hash(data: job.document).prefix(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
    let known = try kept()
    guard !known.contains(where: { $0.name.contains(digest) }) else { return }
    // Room first: the folder never holds more than it may.
    var count = known.count
    var sum = known.reduce(0) { $0 + $1.bytes }
    for old in known where count >= files || sum + job.document.count > bytes {
      for ending in ["", ".txt"] { try? FileManager.default.removeItem(atPath: "\(folder)/\(old.name)\(ending)") }
      count -= 1
      sum -= old.bytes
    }
    let time = Date().formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    let name = "\(time)-\(job.kind.name)-\(failure.word)-\(digest)"
    try create(name, job.document)
    // Parameters hold addresses with queries, which may hold positions: they are not kept.
    try create(name + ".txt", Array("kind: \(job.kind.name)\nreason: \(failure.word)\n\(note)\n".utf8))
  }

  /// The documents that are kept, oldest first.
  private func kept() throws -> [(name: String, bytes: Int)] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix(".txt") && !$0.hasPrefix(".") }
      .sorted().map { name in
        let size = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int
        return (name, size ?? 0)
      }
  }

  private func create(_ name: String, _ bytes: [UInt8]) throws {
    let path = "\(folder)/\(name)"
    guard
      FileManager.default.createFile(
        atPath: path,
        contents: Data(bytes),
        attributes: [.posixPermissions: 0o600]
      )
    else { throw CocoaError(.fileWriteUnknown) }
  }
}
