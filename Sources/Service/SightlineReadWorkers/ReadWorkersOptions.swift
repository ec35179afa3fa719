import Foundation

/// How foreign documents are read.
public struct ReadWorkersOptions: Sendable {
  /// Where.
  public enum Place: Sendable {
    /// In processes of this program, started as `PROGRAM read-worker`; `nil` for the program that runs.
    case processes(program: String?)
    /// In this process, by these readers: for programs that hold the server as a library and have no command
    /// `read-worker`.
    ///
    /// A document on which a reader traps then ends the program.
    case thisProcess([ReadHandler])
  }

  /// Where documents are read.
  public var place = Place.processes(program: nil)
  /// Workers; documents that are read at a time.
  ///
  /// With one alone, a document that takes its whole time keeps all others.
  public var workers = max(2, min(16, ProcessInfo.processInfo.activeProcessorCount))
  /// Most mebibytes that a document may take, beside those of the waiting worker.
  public var mebibytes = 1024
  /// Most mebibytes that reading a feed of public transport may take.
  public var feedMebibytes = 4096
  /// Documents that may wait, in all.
  public var waiting = 64
  /// Documents of one client (`Exchange.client`) that may wait or be read.
  public var waitingOfClient = 16
  /// Bytes of all documents that wait.
  public var waitingBytes = 256 * 1024 * 1024
  /// Largest job, bytes.
  public var jobBytes = 64 * 1024 * 1024
  /// Longest wait for a worker.
  public var waitLimit = Duration.seconds(20)
  /// Documents after which a worker is replaced, so that nothing that one of them left behind stays for long.
  public var documentsPerWorker = 500
  /// Memory after which a worker is replaced, bytes.
  public var retiringBytes = 384 * 1024 * 1024
  /// Time in which a started worker has to be ready.
  public var startLimit = Duration.seconds(20)
  /// Factor on the seconds of every kind of document, for slow machines.
  public var patience = 1.0
  /// Folder for documents that could not be read; `nil` to keep none.
  public var keepFolder: String?
  /// Most documents in that folder.
  public var keptFiles = 100
  /// Most bytes in that folder.
  public var keptBytes = 256 * 1024 * 1024
  /// Variables of a worker's environment beside its own; for tests.
  package var variables: [String: String] = [:]

  /// The usual settings.
  public init() {}
}
