import Dispatch
import SightlineInput

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The server's end of the socket to a worker.
///
/// Blocks, so it has a thread of its own; every wait has an end.
final class WorkerLine: Sendable {
  /// Why nothing more comes.
  enum Broken: Error, Equatable, Sendable {
    /// The other end is closed; `began` when the document was there already.
    case closed(began: Bool)
    /// It took too long.
    case late
    /// What came is no answer.
    case garbage
    /// The same before the document was there: an earlier one is to blame.
    case stray

    /// Whether the worker may still be there, and has to go.
    var endsWorker: Bool {
      switch self {
      case .closed: false
      case .late, .garbage, .stray: true
      }
    }
  }

  /// An answer, and what it took.
  struct Answer: Sendable {
    /// `nil` when it would have been larger than the kind allows.
    var bytes: [UInt8]?
    /// Highest memory of the worker so far, bytes.
    var peak: Int
    /// Processor time of this document, seconds.
    var documentSeconds: Double
  }

  private let descriptor: Int32
  private let thread: DispatchQueue

  /// Takes over a socket.
  init(_ descriptor: Int32, label: String) {
    self.descriptor = descriptor
    thread = DispatchQueue(label: label)
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    #if canImport(Darwin)
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(descriptor) }

  /// A pair of connected sockets, of which no other program inherits one.
  static func pair() -> (server: Int32, worker: Int32)? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc) || canImport(Musl)
    #if canImport(Glibc)
    let type = Int32(clamping: SOCK_STREAM.rawValue) | Int32(clamping: SOCK_CLOEXEC.rawValue)
    #else
    let type = SOCK_STREAM | SOCK_CLOEXEC
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    #else
    guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    return (ends[0], ends[1])
  }

  /// Runs blocking work on the line's thread.
  private func onThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws(Broken) -> Result
  ) async -> Swift.Result<Result, Broken> {
    await withCheckedContinuation { continuation in
      thread.async {
        do throws(Broken) { continuation.resume(returning: .success(try work())) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
  }

  /// Waits for the worker to be ready; how far it is confined.
  func greeting(within limit: Duration) async -> Result<UInt8, Broken> {
    await onThread { [self] () throws(Broken) in
      let end = ContinuousClock.now + limit
      let header = try header(limit: 16, until: end, began: false)
      guard header.kind == .hello, header.length == 1 else { throw .garbage }
      return try receive(1, until: end, began: false)[0]
    }
  }

  /// Sends a document and waits for its answer; calls `giveUp`, which ends the worker, on the line's own thread as soon
  /// as it is too late.
  func exchange(
    _ job: ReadJob,
    number: UInt32,
    mebibytes: Int,
    within limit: Duration,
    giveUp: @escaping @Sendable () -> Void
  ) async -> Result<Answer, Broken> {
    await onThread { [self] () throws(Broken) in
      do throws(Broken) {
        return try exchangeNow(job, number: number, mebibytes: mebibytes, until: ContinuousClock.now + limit)
      } catch {
        // At once, and not when a task gets its turn: the worker may be filling the machine's memory.
        if error.endsWorker { giveUp() }
        throw error
      }
    }
  }

  /// Waits for the end of the process itself; whether it came.
  func end(ofProcess processDescriptor: Int32, within limit: Duration) async -> Bool {
    let outcome = await onThread { () throws(Broken) -> Bool in
      guard processDescriptor >= 0 else { return false }
      var entry = pollfd(fd: processDescriptor, events: Int16(clamping: POLLIN), revents: 0)
      return poll(&entry, 1, Int32(clamping: limit.components.seconds.saturatingMultiply(1000))) > 0
    }
    return (try? outcome.get()) ?? false
  }

  private func exchangeNow(
    _ job: ReadJob,
    number: UInt32,
    mebibytes: Int,
    until end: ContinuousClock.Instant
  ) throws(Broken) -> Answer {
    // A worker has nothing to say before it is asked: what is there already belongs to an earlier document, or is the
    // end of the line.
    guard !isReadable else { throw .closed(began: false) }
    var head = WireWriter(capacity: Frame.jobBytes + job.parameters.count)
    head.write(job.kind.number)
    head.write(job.kind.seconds)
    head.write(UInt32(clamping: mebibytes))
    head.write(UInt32(clamping: job.kind.largestAnswer))
    head.write(job.parameters)
    let length = head.bytes.count + job.document.count
    try send(Frame.header(.job, job: number, length: length) + head.bytes, until: end)
    try send(job.document, until: end)
    do throws(Broken) {
      let began = try header(limit: 0, until: end, began: false)
      guard began.kind == .began, began.job == number else { throw .garbage }
    } catch {
      throw error == .garbage ? .stray : error
    }
    let most = Frame.doneBytes + 1 + job.kind.largestAnswer
    let done = try header(limit: most, until: end, began: true)
    guard done.kind == .done, done.job == number, done.length > Frame.doneBytes else { throw .garbage }
    var reader = WireReader(try receive(Frame.doneBytes + 1, until: end, began: true))
    let peak: Int
    let seconds: Double
    let isFitting: Bool
    do throws(WireReader.Malformed) {
      peak = Int(clamping: try reader.number(UInt64.self))
      seconds = try reader.double()
      isFitting = try reader.flag()
    } catch {
      throw .garbage
    }
    guard isFitting else { return Answer(bytes: nil, peak: peak, documentSeconds: seconds) }
    let bytes = try receive(done.length - Frame.doneBytes - 1, until: end, began: true)
    return Answer(bytes: bytes, peak: peak, documentSeconds: seconds)
  }

  private func header(
    limit: Int,
    until end: ContinuousClock.Instant,
    began: Bool
  ) throws(Broken) -> (kind: Frame.Kind, job: UInt32, length: Int) {
    let bytes = try receive(Frame.headerBytes, until: end, began: began)
    do { return try Frame.read(bytes, limit: limit) } catch { throw .garbage }
  }

  private var isReadable: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(clamping: POLLIN), revents: 0)
    return poll(&entry, 1, 0) != 0
  }

  private func wait(for events: Int32, until end: ContinuousClock.Instant) throws(Broken) {
    let left = end - ContinuousClock.now
    guard left > .zero else { throw .late }
    var entry = pollfd(fd: descriptor, events: Int16(clamping: events), revents: 0)
    let (seconds, attoseconds) = left.components
    let milliseconds = seconds.saturatingMultiply(1000).saturatingAdd(attoseconds / 1_000_000_000_000_000 &+ 1)
    let count = poll(&entry, 1, Int32(clamping: milliseconds))
    if count == 0 { throw .late }
  }

  private func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(Broken) {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(clamping: MSG_NOSIGNAL)
    #endif
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
        Glibc.send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, flags)
        #elseif canImport(Musl)
        Musl.send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, flags)
        #else
        Darwin.send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, flags)
        #endif
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        try wait(for: Int32(POLLOUT), until: end)
      } else if errno != EINTR {
        throw .closed(began: false)
      }
    }
  }

  /// Exactly so many bytes; made as they come, so that a length alone costs no memory.
  private func receive(_ count: Int, until end: ContinuousClock.Instant, began: Bool) throws(Broken) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, 1 << 20))
    while bytes.count < count {
      let start = bytes.count
      let wanted = min(count - start, 1 << 20)
      let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        filled = max(0, recv(descriptor, buffer.baseAddress, wanted, 0))
      }
      if part.isEmpty {
        // Nothing there yet, or nothing ever.
        try wait(for: Int32(POLLIN), until: end)
        var probe: UInt8 = 0
        let there = recv(descriptor, &probe, 1, Int32(clamping: MSG_PEEK))
        if there == 0 || (there < 0 && errno != EAGAIN && errno != EINTR) { throw .closed(began: began) }
      } else {
        bytes += part
      }
    }
    return bytes
  }
}
