import CReadWorker
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The worker's side: a process that reads one document after the other and can do nothing else.
///
/// Before the first byte of a document it takes from itself what reading does not need: new files, sockets, programs
/// and threads, memory beyond a limit, and every system call that is not for computing.
public enum ReadWorker {
  /// How far a worker goes.
  public struct Settings: Sendable {
    /// Most mebibytes that a document may take beside those of the waiting worker.
    public var mebibytes = 1024
    /// Largest job, bytes.
    public var jobBytes = 64 * 1024 * 1024

    /// The usual settings.
    public init() {}
  }

  /// The socket to the server; a trial writes to it what no reader would.
  nonisolated(unsafe) static var channel: Int32 = -1
  /// The number of the job that is being read, for trials, too.
  nonisolated(unsafe) static var job: UInt32 = 0

  /// Stack of the thread that reads, bytes: deep enough for every nesting that the readers allow.
  private static let stackBytes = 16 * 1024 * 1024

  /// Reads what comes on standard input until it ends; the answers go to the same socket.
  ///
  /// - Parameters:
  ///   - handlers: What can be read.
  ///   - settings: How far the worker goes.
  ///   - warmUp: Reads something harmless of every kind, so that what is loaded at its first use is there before files
  ///     cannot be opened any more.
  public static func run(_ handlers: [ReadHandler], settings: Settings, warmUp: () -> Void) -> Never {
    // A terminal's Control-C and a service manager's stop go to every process of the group; the server's workers end
    // when it has no more for them.
    for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
    signal(SIGPIPE, SIG_DFL)
    signal(SIGPROF, SIG_DFL)
    // Answering comes before reading.
    _ = nice(5)
    sl_prepare_heap()
    openChannel(from: STDIN_FILENO)
    watch()
    warmUp()
    let readers = Dictionary(handlers.map { ($0.kind.number, $0) }) { first, _ in first }
    let thread = Thread { serve(readers, settings) }
    thread.stackSize = stackBytes
    thread.start()
    while true { pause() }
  }

  /// Moves the way to the server away from where `print` writes.
  static func openChannel(from descriptor: Int32) {
    channel = fcntl(descriptor, F_DUPFD, 3)
    guard channel >= 0 else { _exit(70) }
    let nothing = open("/dev/null", O_RDWR)
    guard nothing >= 0 else { _exit(70) }
    dup2(nothing, STDIN_FILENO)
    dup2(nothing, STDOUT_FILENO)
    close(nothing)
    // Warnings of a decoder that nobody takes in time are lost; they must not stop the worker.
    _ = fcntl(STDERR_FILENO, F_SETFL, fcntl(STDERR_FILENO, F_GETFL) | O_NONBLOCK)
  }

  /// Ends this process when the server is gone, whatever a reader is doing: no worker outlives it.
  ///
  /// Not PR_SET_PDEATHSIG, which goes by the thread that started the worker, not by the process.
  private static func watch() {
    let descriptor = channel
    let thread = Thread {
      while true {
        #if os(Linux)
        // POLLRDHUP, which is not imported everywhere.
        var entry = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        #else
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        #endif
        if poll(&entry, 1, -1) > 0 { _exit(0) }
      }
    }
    thread.stackSize = 256 * 1024
    thread.start()
  }

  /// Exit status of a worker whose document took more memory than it may.
  static let memoryStatus: Int32 = 71

  /// Mebibytes between where ``MemoryGuard`` ends a worker and where the system refuses it more: as much as can be
  /// taken between two looks.
  static let margin = 256

  /// Has the runtime open what its timers are made of, while files can be: it looks after its threads by timers, and one
  /// that cannot be set it sets again without end.
  private static func openTimers() {
    let isOver = DispatchSemaphore(value: 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { isOver.signal() }
    isOver.wait()
    DispatchQueue.global().asyncAfter(wallDeadline: .now() + .milliseconds(1)) { isOver.signal() }
    isOver.wait()
  }

  private static func serve(_ readers: [UInt8: ReadHandler], _ settings: Settings) -> Never {
    openTimers()
    let guardian = MemoryGuard()
    guardian.start()
    let base = guardian.bytes
    func mebibytes(_ count: Int) -> UInt64 { base &+ UInt64(clamping: count) << 20 }
    let most = mebibytes(settings.mebibytes + margin)
    sl_limit(Int32(clamping: SL_LIMIT_MEMORY), most, most)
    sl_limit(Int32(clamping: SL_LIMIT_FILE_BYTES), 0, 0)
    sl_limit(Int32(clamping: SL_LIMIT_CORE), 0, 0)
    sl_limit(Int32(clamping: SL_LIMIT_PROCESSES), 0, 0)
    let free = UInt64(clamping: firstFreeDescriptor())
    sl_limit(Int32(clamping: SL_LIMIT_FILES), free, free)
    let confinement = UInt8(clamping: sl_confine())
    send(Frame.header(.hello, job: 0, length: 1) + [confinement])
    while true {
      guard let header = receive(Frame.headerBytes) else { _exit(0) }
      guard let frame = try? Frame.read(header, limit: settings.jobBytes), frame.kind == .job,
        let job = try? Job(frame.length, mebibytes: settings.mebibytes, receive)
      else { _exit(65) }
      sl_limit(Int32(clamping: SL_LIMIT_MEMORY), min(most, mebibytes(job.mebibytes + margin)), most)
      guardian.begin(limit: mebibytes(job.mebibytes))
      guard let document = receive(job.documentBytes), let reader = readers[job.kind] else { _exit(65) }
      Self.job = frame.job
      send(Frame.header(.began, job: frame.job, length: 0))
      var peak: UInt64 = 0
      var start = 0.0
      var seconds = 0.0
      sl_usage(&peak, &start)
      sl_processor_timer(job.seconds)
      let answer = reader.read(job.parameters, document)
      sl_processor_timer(0)
      guardian.end()
      // An answer that is too large is not sent: the server would have to end this worker.
      let isFitting = answer.count <= job.largestAnswer
      sl_usage(&peak, &seconds)
      var head = WireWriter(capacity: Frame.doneBytes)
      let resident = guardian.residentBytes
      head.write(resident > 0 ? resident : peak)
      head.write(seconds - start)
      send(
        Frame.header(.done, job: frame.job, length: Frame.doneBytes + (isFitting ? answer.count + 1 : 1)) + head.bytes
          + [isFitting ? 1 : 0]
      )
      if isFitting { send(answer) }
      sl_trim_heap()
    }
  }

  /// The part of a job before its document.
  private struct Job {
    var kind: UInt8
    var seconds: Double
    var mebibytes: Int
    var largestAnswer: Int
    var parameters: [UInt8]
    var documentBytes: Int

    init(_ length: Int, mebibytes most: Int, _ receive: (Int) -> [UInt8]?) throws(WireReader.Malformed) {
      guard length >= Frame.jobBytes, let head = receive(Frame.jobBytes) else { throw WireReader.Malformed() }
      var reader = WireReader(head)
      kind = try reader.number()
      seconds = try reader.double()
      mebibytes = min(most, try reader.count(limit: 1 << 20))
      largestAnswer = try reader.count(limit: .max)
      let count = try reader.count(limit: Frame.largestParameters)
      guard count <= length - Frame.jobBytes, let parameters = receive(count) else { throw WireReader.Malformed() }
      self.parameters = parameters
      documentBytes = length - Frame.jobBytes - count
    }
  }

  // MARK: The process

  /// The number that the next file would get.
  private static func firstFreeDescriptor() -> Int32 {
    var number: Int32 = 0
    while number < 1024, fcntl(number, F_GETFD) >= 0 { number &+= 1 }
    return number
  }

  /// Exactly so many bytes from the server; `nil` at the end.
  private static func receive(_ count: Int) -> [UInt8]? {
    guard count > 0 else { return [] }
    var isWhole = true
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = read(channel, buffer.baseAddress?.advanced(by: filled), count - filled)
        if got > 0 {
          filled += got
        } else if got == 0 || errno != EINTR {
          isWhole = false
          return
        }
      }
    }
    return isWhole ? bytes : nil
  }

  /// Writes all of it; ends the process when nobody reads any more.
  static func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = write(channel, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
        if count > 0 {
          sent += count
        } else if errno != EINTR {
          _exit(0)
        }
      }
    }
  }
}
