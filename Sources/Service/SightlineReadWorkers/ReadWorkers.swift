import Dispatch
import Foundation
public import Logging
import SightlineInput
import Subprocess
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads foreign documents in processes of their own: one on which a reader traps, hangs or swells costs its own
/// answer, and nobody else's.
///
/// A few workers are kept warm. Each has a line, a task that starts it, gives it documents from the one queue, holds it
/// against the clock, and starts the next one when it has ended.
public final class ReadWorkers: Sendable {
  /// How documents are read.
  public let options: ReadWorkersOptions
  /// What was done.
  public let metrics = ReadMetrics()
  let log: Logger
  private let kept: KeptDocuments?
  private let state: Mutex<State>

  /// A document on its way.
  private final class Pending: Sendable {
    let job: ReadJob
    let start = ContinuousClock.now
    private let continuation: Mutex<CheckedContinuation<Result<[UInt8], ReadFailure>, Never>?>
    /// Workers that ended before they had it.
    let losses = Atomic(0)

    init(_ job: ReadJob, _ continuation: CheckedContinuation<Result<[UInt8], ReadFailure>, Never>) {
      self.job = job
      self.continuation = Mutex(continuation)
    }

    /// Answers; only the first answer counts.
    func resume(_ result: Result<[UInt8], ReadFailure>) {
      continuation.withLock { continuation in
        defer { continuation = nil }
        return continuation
      }?.resume(returning: result)
    }
  }

  private typealias Entry = ReadQueue<Pending>.Entry

  private struct State {
    var queue: ReadQueue<Pending>
    /// Lines that wait for a document.
    var idle: [(line: Int, continuation: CheckedContinuation<Entry?, Never>)] = []
    var lines: [Task<Void, Never>] = []
    /// What ends the worker of a line.
    var killers: [Int: @Sendable () -> Void] = [:]
    var isStopping = false
    var isExpiring = false
    /// A warning about workers that cannot be started is written once, not every time.
    var hasWarned = false
  }

  /// Workers that do not run yet: they are started by ``start()``, or by the first document.
  ///
  /// - Throws: when the folder for unreadable documents cannot be made.
  public init(_ options: ReadWorkersOptions, log: Logger) throws {
    self.options = options
    self.log = log
    kept = try options.keepFolder.map {
      try KeptDocuments(folder: $0, files: options.keptFiles, bytes: options.keptBytes, log: log)
    }
    state = Mutex(
      State(
        queue: ReadQueue(
          .init(waiting: options.waiting, ofClient: options.waitingOfClient, bytes: options.waitingBytes)
        )
      )
    )
  }

  // MARK: What others call

  /// Starts the workers, if they do not run yet.
  public func start() {
    state.withLock { state in
      guard state.lines.isEmpty, !state.isStopping else { return }
      for line in 0..<max(1, options.workers) {
        state.lines.append(Task.detached { [self] in await run(line: line) })
      }
    }
  }

  /// Ends the workers; whatever is still read or waits is not answered any more.
  public func shutdown() async {
    let (lines, idle, waiting, killers) = state.withLock { state in
      state.isStopping = true
      let idle = state.idle
      state.idle = []
      return (state.lines, idle, state.queue.remove { _ in true }, Array(state.killers.values))
    }
    for entry in waiting { entry.element.resume(.failure(.stopping)) }
    for one in idle { one.continuation.resume(returning: nil) }
    for kill in killers { kill() }
    for line in lines {
      line.cancel()
      await line.value
    }
    await kept?.flush()
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - job: What to read.
  ///   - client: For whom; the limits are counted by it.
  /// - Returns: The handler's answer. It comes from a process that read a foreign document: believe nothing of it that
  ///   was not checked.
  /// - Throws: Why there is none.
  public func read(_ job: ReadJob, client: String) async throws(ReadFailure) -> [UInt8] {
    start()
    guard job.parameters.count <= Frame.largestParameters, job.bytes < options.jobBytes - Frame.jobBytes else {
      throw .memory
    }
    let number = Mutex<UInt64?>(nil)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let pending = Pending(job, continuation)
        switch state.withLock({ state in add(pending, client, &state) }) {
        case .failure(let failure):
          metrics.change(job.kind) { $0.failures[failure.word, default: 0] += 1 }
          pending.resume(.failure(failure))
        case .success(let place):
          number.withLock { $0 = place }
          // Cancelled before it had a number.
          if Task.isCancelled { drop(place) }
        }
      }
    } onCancel: {
      if let place = number.withLock({ $0 }) { drop(place) }
    }
    switch result {
    case .success(let answer): return answer
    case .failure(let failure): throw failure
    }
  }

  // MARK: The queue

  private func add(
    _ pending: Pending,
    _ client: String,
    _ state: inout State
  ) -> Result<UInt64, ReadFailure> {
    guard !state.isStopping else { return .failure(.stopping) }
    switch state.queue.add(pending, client: client, bytes: pending.job.bytes) {
    case .failure(let error): return .failure(.busy(ofClient: error.refusal == .fullOfClient))
    case .success(let number):
      hand(out: &state)
      if state.queue.count > 0, !state.isExpiring {
        state.isExpiring = true
        Task.detached { [self] in await expire() }
      }
      return .success(number)
    }
  }

  /// Most documents of one client at a time: one worker stays for others.
  private var mostOfClient: Int { max(1, options.workers - 1) }

  /// Gives waiting documents to waiting lines.
  private func hand(out state: inout State) {
    while !state.idle.isEmpty, let entry = state.queue.next(mostOfClient: mostOfClient) {
      state.idle.removeFirst().continuation.resume(returning: entry)
    }
    let waiting = state.queue.count
    metrics.change { $0.waiting = waiting }
  }

  /// The next document for a line; `nil` when there will be none any more.
  private func next(_ line: Int) async -> Entry? {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        guard !state.isStopping else { return continuation.resume(returning: nil) }
        state.idle.append((line, continuation))
        hand(out: &state)
      }
    }
  }

  private func drop(_ number: UInt64) {
    let gone = state.withLock { state in state.queue.remove { $0.number == number } }
    for entry in gone { entry.element.resume(.failure(.stopping)) }
  }

  /// Refuses what has waited for too long, as long as anything waits.
  private func expire() async {
    while true {
      try? await Task.sleep(for: .milliseconds(250))
      let now = ContinuousClock.now
      let (gone, isDone) = state.withLock { state in
        let gone = state.queue.remove { now - $0.element.start > options.waitLimit }
        let isDone = state.queue.count == 0
        if isDone { state.isExpiring = false }
        let waiting = state.queue.count
        metrics.change { $0.waiting = waiting }
        return (gone, isDone)
      }
      // Nobody who could have read it is there at all, or all are busy.
      let failure: ReadFailure = isWithoutWorkers ? .unavailable : .busy(ofClient: false)
      for entry in gone { finish(entry, .failure(failure), began: nil) }
      if isDone { return }
    }
  }

  private var isWithoutWorkers: Bool {
    if case .thisProcess = options.place { return false }
    return metrics.snapshot.workers == 0
  }

  /// Answers, and counts it.
  private func finish(
    _ entry: Entry,
    _ result: Result<[UInt8], ReadFailure>,
    began: ContinuousClock.Instant?,
    note: String = ""
  ) {
    let now = ContinuousClock.now
    let pending = entry.element
    metrics.change(pending.job.kind) { counts in
      switch result {
      case .success: counts.answered += 1
      case .failure(let failure): counts.failures[failure.word, default: 0] += 1
      }
      if let began { counts.seconds += (now - began).seconds }
      counts.waited += ((began ?? now) - pending.start).seconds
    }
    if case .failure(let failure) = result, failure.isOfDocument {
      log.warning(
        "a document could not be read",
        metadata: [
          "kind": .string(pending.job.kind.name), "reason": .string(failure.word),
          "bytes": .stringConvertible(pending.job.document.count), "note": .string(note),
        ]
      )
      kept?.keep(pending.job, failure, note: note)
    }
    if let began {
      metrics.change { $0.reading -= 1 }
      state.withLock { state in
        // A worker that has to be started anew is work, too.
        var seconds = (now - began).seconds
        if case .failure = result { seconds += 0.25 }
        state.queue.finished(entry.client, seconds: seconds)
        hand(out: &state)
      }
    }
    pending.resume(result)
  }

  /// The document's worker ended before it had the document: another one gets it, but not without end.
  private func lose(_ entry: Entry, began: ContinuousClock.Instant) {
    if entry.element.losses.add(1, ordering: .relaxed).newValue > 2 {
      return finish(entry, .failure(.unavailable), began: began)
    }
    metrics.change { $0.reading -= 1 }
    let isStopping = state.withLock { state in
      guard !state.isStopping else { return true }
      state.queue.putBack(entry)
      hand(out: &state)
      return false
    }
    if isStopping { entry.element.resume(.failure(.stopping)) }
  }

  // MARK: A line

  /// How the life of a worker ended.
  private enum Ending: Sendable {
    /// It was let go.
    case retired
    /// It never became ready.
    case notReady
    /// It broke off with a document.
    case broken(Entry, began: ContinuousClock.Instant, WorkerLine.Broken, killed: Bool)
  }

  private func run(line: Int) async {
    if case .thisProcess(let handlers) = options.place { return await runHere(line, handlers) }
    var misses = 0
    while !Task.isCancelled, !state.withLock({ $0.isStopping }) {
      let isReady = await runWorker(line)
      misses = isReady ? 0 : min(misses + 1, 7)
      guard misses > 0 else { continue }
      metrics.change { $0.failedStarts += 1 }
      // A program that cannot be started is not tried without a pause: 0.2 s, doubled up to 13 s.
      try? await Task.sleep(for: .milliseconds(100 << misses))
    }
  }

  /// One worker from start to end; whether it became ready.
  private func runWorker(_ line: Int) async -> Bool {
    guard let ends = WorkerLine.pair() else { return false }
    let socket = WorkerLine(ends.server, label: "sightline.reading.\(line)")
    var errorEnds: [Int32] = [-1, -1]
    guard pipe(&errorEnds) == 0, case let input = dup(ends.worker), input >= 0 else {
      close(ends.worker)
      for end in errorEnds where end >= 0 { close(end) }
      return false
    }
    for end in errorEnds + [input] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let words = ErrorWords(errorEnds[0])
    var platform = PlatformOptions()
    // A group of its own: what a terminal sends to the server's is not meant for it.
    platform.processGroupID = 0
    do {
      let outcome = try await Subprocess.run(
        Configuration(
          executable: .path(FilePath(program)),
          arguments: Arguments(
            executablePathOverride: "sightline",
            remainingValues: [
              "read-worker", "--mebibytes", "\(options.mebibytes)", "--job-bytes", "\(options.jobBytes)",
            ]
          ),
          environment: .custom(environment),
          platformOptions: platform
        ),
        input: .fileDescriptor(FileDescriptor(rawValue: input), closeAfterSpawningProcess: true),
        output: .fileDescriptor(FileDescriptor(rawValue: ends.worker), closeAfterSpawningProcess: true),
        error: .fileDescriptor(FileDescriptor(rawValue: errorEnds[1]), closeAfterSpawningProcess: true)
      ) { execution in
        await serve(line, socket, words, process: execution.processIdentifier.processDescriptor) {
          try? execution.send(signal: .kill)
        }
      }
      return conclude(outcome.closureResult, outcome.terminationStatus, words.all)
    } catch {
      warn("the workers that read foreign documents cannot be started", "\(error)")
      return false
    }
  }

  /// Gives documents to a worker as long as both are well.
  private func serve(
    _ line: Int,
    _ socket: WorkerLine,
    _ words: ErrorWords,
    process: Int32,
    kill: @escaping @Sendable () -> Void
  ) async -> Ending {
    metrics.change {
      $0.started += 1
      $0.workers += 1
    }
    defer {
      state.withLock { $0.killers[line] = nil }
      metrics.change { $0.workers -= 1 }
    }
    let isStopping = state.withLock { state in
      state.killers[line] = kill
      return state.isStopping
    }
    guard !isStopping, case .success(let confinement) = await socket.greeting(within: options.startLimit) else {
      kill()
      return .notReady
    }
    noteConfinement(confinement)
    for _ in 0..<max(1, options.documentsPerWorker) {
      guard let entry = await next(line) else { break }
      let began = ContinuousClock.now
      metrics.change { $0.reading += 1 }
      words.forget()
      let job = entry.element.job
      var kind = job.kind
      if options.patience != 1 {
        kind = ReadKind(
          kind.number,
          kind.name,
          seconds: kind.seconds * options.patience,
          mebibytes: kind.mebibytes,
          largestAnswer: kind.largestAnswer
        )
      }
      let outcome = await socket.exchange(
        ReadJob(kind, parameters: job.parameters, document: job.document),
        number: UInt32(truncatingIfNeeded: entry.number),
        mebibytes: min(options.mebibytes, kind.mebibytes ?? options.mebibytes),
        within: .milliseconds(Int(clamped: kind.seconds * 4000)),
        giveUp: kill
      )
      switch outcome {
      case .success(let answer):
        metrics.change(kind) { counts in
          counts.peakBytes = max(counts.peakBytes, answer.peak)
          counts.processorSeconds += max(0, answer.documentSeconds)
        }
        finish(entry, answer.bytes.map { .success($0) } ?? .failure(.large), began: began)
        if answer.peak > options.retiringBytes {
          kill()
          return .retired
        }
      case .failure(let broken):
        var isKilled = broken.endsWorker
        // It has closed its end: usually because it is no more, and then its status tells why.
        if !isKilled, !(await socket.end(ofProcess: process, within: .seconds(2))) {
          isKilled = true
          kill()
        }
        return .broken(entry, began: began, broken, killed: isKilled)
      }
    }
    kill()
    return .retired
  }

  /// Tells what became of a worker's last document; whether the worker was any good.
  private func conclude(_ ending: Ending, _ status: TerminationStatus, _ words: String) -> Bool {
    switch ending {
    case .retired: return true
    case .notReady:
      if !state.withLock({ $0.isStopping }) {
        warn("a worker that reads foreign documents was not ready in time", "\(status) \(words)")
      }
      return false
    case .broken(let entry, let began, let broken, let isKilled):
      if state.withLock({ $0.isStopping }) {
        finish(entry, .failure(.stopping), began: began)
        return true
      }
      let failure: ReadFailure
      switch broken {
      // It was too large to be taken in at all.
      case .closed(began: false) where status == .exited(ReadWorker.memoryStatus): failure = .memory
      case .closed(began: false), .stray:
        lose(entry, began: began)
        return true
      case .late: failure = .time
      case .garbage: failure = .garbage
      case .closed(began: true): failure = isKilled ? .garbage : Self.failure(status, words)
      }
      finish(entry, .failure(failure), began: began, note: "\(status) \(words)")
      return true
    }
  }

  /// Why a worker ended in the midst of a document.
  static func failure(_ status: TerminationStatus, _ words: String) -> ReadFailure {
    switch status {
    case .signaled(SIGPROF), .signaled(SIGXCPU): return .time
    case .exited(ReadWorker.memoryStatus): return .memory
    // Nobody here killed it: the kernel did, which was out of memory.
    case .signaled(SIGKILL): return .memory
    default: break
    }
    let hints = ["failed to allocate", "ould not allocate", "out of memory", "bad_alloc", "Cannot allocate"]
    return hints.contains { words.contains($0) } ? .memory : .trap
  }

  private func warn(_ message: String, _ reason: String) {
    let isFirst = state.withLock { state in
      defer { state.hasWarned = true }
      return !state.hasWarned
    }
    if isFirst { log.error("\(message)", metadata: ["reason": .string(reason)]) }
  }

  /// Says once when this system does not give all that holds a worker.
  private func noteConfinement(_ bits: UInt8) {
    #if os(Linux)
    let filtered: UInt8 = 4
    guard bits & filtered == 0 else { return }
    let isFirst = state.withLock { state in
      defer { state.hasWarned = true }
      return !state.hasWarned
    }
    if isFirst {
      log.warning("this system refuses the filter of system calls; workers are held by limits alone")
    }
    #endif
  }

  // MARK: The process

  var program: String {
    if case .processes(let program?) = options.place { return program }
    #if os(Linux)
    // The very file that runs, even after an update has put another in its place.
    return "/proc/self/exe"
    #else
    return Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
  }

  /// Nothing of the server's own environment, which may hold secrets, but where the libraries are.
  var environment: [Environment.Key: String] {
    // A trap ends the process at once: no backtrace, which takes seconds and starts a program of its own.
    var variables = ["SWIFT_BACKTRACE": "enable=no"]
    for name in ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
      variables[name] = ProcessInfo.processInfo.environment[name]
    }
    variables.merge(options.variables) { $1 }
    var result: [Environment.Key: String] = [:]
    for (name, value) in variables { if let key = Environment.Key(rawValue: name) { result[key] = value } }
    return result
  }

  // MARK: Without processes

  private func runHere(_ line: Int, _ handlers: [ReadHandler]) async {
    let readers = Dictionary(handlers.map { ($0.kind, $0) }) { first, _ in first }
    let thread = DispatchQueue(label: "sightline.reading.\(line)", qos: .utility)
    while let entry = await next(line) {
      let began = ContinuousClock.now
      metrics.change { $0.reading += 1 }
      let job = entry.element.job
      guard let reader = readers[job.kind] else {
        finish(entry, .failure(.unavailable), began: began)
        continue
      }
      let answer: [UInt8] = await withCheckedContinuation { continuation in
        thread.async { continuation.resume(returning: reader.read(job.parameters, job.document)) }
      }
      finish(entry, answer.count <= job.kind.largestAnswer ? .success(answer) : .failure(.large), began: began)
    }
  }
}

/// What a worker writes to standard error: a decoder's warnings, and its last words.
final class ErrorWords: Sendable {
  private let descriptor: Int32
  private static let most = 4096

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Takes out what earlier documents left.
  func forget() { _ = all }

  /// What is there now: the last bytes of it.
  var all: String {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: Self.most)
    // A pipe holds 64 KiB at most, unless it is filled all the time.
    for _ in 0..<64 {
      let count = Self.read(descriptor, &part)
      guard count > 0 else { break }
      bytes = Array((bytes + part[..<count]).suffix(Self.most))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func read(_ descriptor: Int32, _ part: inout [UInt8]) -> Int {
    part.withUnsafeMutableBytes { buffer in
      #if canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
      Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
    }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
