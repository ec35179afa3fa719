import Dispatch
import Foundation
import SightlineInput
import Subprocess
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that a process of its own reads, because it needs files itself: it is too large for a message, or a file is to be
/// made of it.
public struct FileReadJob: Sendable {
  /// What it is, and what reading it may cost.
  public var kind: ReadKind
  /// The file, for people to read.
  public var document: String
  /// The command of the program, and its options.
  public var arguments: [String]
  /// The folder that the process may write to.
  public var folder: String

  /// A job.
  public init(_ kind: ReadKind, document: String, arguments: [String], folder: String) {
    self.kind = kind
    self.document = document
    self.arguments = arguments
    self.folder = folder
  }
}

extension ReadWorkers {
  /// Whether documents are read in this process, and not in others.
  public var readsHere: Bool {
    if case .thisProcess = options.place { return true }
    return false
  }

  /// Reads a file in a process of its own, which ends with it; for what the operator names, which is not queued.
  ///
  /// The program has to have a command for it that calls ``FileReadWorker/run(_:_:)``.
  ///
  /// - Parameter job: What to read; its kind's time is held by the clock at four times as much.
  /// - Returns: The answer. It comes from a process that read a foreign document: believe nothing of it that was not
  ///   checked.
  /// - Throws: Why there is none.
  public func readFile(_ job: FileReadJob) async throws(ReadFailure) -> [UInt8] {
    let start = ContinuousClock.now
    let (result, note) = await runFileWorker(job)
    let seconds = (ContinuousClock.now - start).seconds
    metrics.change(job.kind) { counts in
      counts.seconds += seconds
      switch result {
      case .success: counts.answered += 1
      case .failure(let failure): counts.failures[failure.word, default: 0] += 1
      }
    }
    if case .failure(let failure) = result {
      log.warning(
        "a file could not be read",
        metadata: [
          "kind": .string(job.kind.name), "file": .string(job.document), "reason": .string(failure.word),
          "note": .string(note),
        ]
      )
    }
    return try result.get()
  }

  private func runFileWorker(_ job: FileReadJob) async -> (Result<[UInt8], ReadFailure>, note: String) {
    var ends: [Int32] = [-1, -1]
    var errorEnds: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (.failure(.unavailable), "") }
    guard pipe(&errorEnds) == 0 else {
      for end in ends { close(end) }
      return (.failure(.unavailable), "")
    }
    for end in ends + errorEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let words = ErrorWords(errorEnds[0])
    let output = FileAnswer(ends[0], limit: job.kind.largestAnswer)
    var platform = PlatformOptions()
    platform.processGroupID = 0
    var variables = environment
    for name in ["TMPDIR", "SQLITE_TMPDIR"] {
      if let key = Environment.Key(rawValue: name) { variables[key] = job.folder }
    }
    let limit = Duration.milliseconds(Int(clamped: job.kind.seconds * options.patience * 4000))
    do {
      let outcome = try await Subprocess.run(
        Configuration(
          executable: .path(FilePath(program)),
          arguments: Arguments(executablePathOverride: "sightline", remainingValues: job.arguments),
          environment: .custom(variables),
          platformOptions: platform
        ),
        input: .none,
        output: .fileDescriptor(FileDescriptor(rawValue: ends[1]), closeAfterSpawningProcess: true),
        error: .fileDescriptor(FileDescriptor(rawValue: errorEnds[1]), closeAfterSpawningProcess: true)
      ) { execution in
        await output.collect(
          within: limit,
          process: execution.processIdentifier.processDescriptor
        ) { try? execution.send(signal: .kill) }
      }
      let note = "\(outcome.terminationStatus) \(words.all)"
      switch outcome.closureResult {
      case .failure(let failure): return (.failure(failure), note)
      case .success(let bytes):
        guard case .exited(0) = outcome.terminationStatus else {
          return (.failure(Self.failure(outcome.terminationStatus, note)), note)
        }
        return (.success(bytes), note)
      }
    } catch {
      return (.failure(.unavailable), "\(error)")
    }
  }
}

/// What a process writes until it ends: a bounded number of bytes, in a bounded time.
private final class FileAnswer: Sendable {
  private let descriptor: Int32
  private let limit: Int
  private let thread = DispatchQueue(label: "sightline.reading.file")

  /// Takes over the end of a pipe.
  init(_ descriptor: Int32, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Everything until the end; `kill` ends a process that takes too long, says too much, or stays after its last word.
  func collect(
    within limit: Duration,
    process: Int32,
    kill: @escaping @Sendable () -> Void
  ) async -> Result<[UInt8], ReadFailure> {
    await withCheckedContinuation { continuation in
      thread.async { [self] in
        let end = ContinuousClock.now + limit
        let result = collect(until: end)
        if case .failure = result {
          kill()
        } else if !waits(for: process, until: min(end, ContinuousClock.now + .seconds(5))) {
          kill()
        }
        continuation.resume(returning: result)
      }
    }
  }

  private func collect(until end: ContinuousClock.Instant) -> Result<[UInt8], ReadFailure> {
    var bytes: [UInt8] = []
    while true {
      guard waits(for: descriptor, until: end) else { return .failure(.time) }
      var isOver = false
      let part = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        isOver = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
        filled = max(0, count)
      }
      if isOver { return .success(bytes) }
      guard bytes.count + part.count <= limit else { return .failure(.garbage) }
      bytes += part
    }
  }

  /// Whether there is something to read, or the end of it, before a time.
  private func waits(for descriptor: Int32, until end: ContinuousClock.Instant) -> Bool {
    guard descriptor >= 0 else { return false }
    while true {
      let left = (end - ContinuousClock.now).seconds
      guard left > 0 else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(clamping: POLLIN), revents: 0)
      if poll(&entry, 1, Int32(clamped: (left * 1000).rounded(.up))) > 0 { return true }
    }
  }
}
