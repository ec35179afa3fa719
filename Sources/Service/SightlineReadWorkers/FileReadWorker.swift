import CReadWorker
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The worker's side of ``ReadWorkers/readFile(_:)``: a process that reads one file, may write into one folder, and ends.
///
/// It keeps what a database needs, files and threads, and gives up all else: sockets, programs, other processes, and on
/// Linux with Landlock every file but those named.
public enum FileReadWorker {
  /// How far it goes.
  public struct Settings: Sendable {
    /// Most mebibytes beside those that the process begins with.
    public var mebibytes = 1024
    /// Seconds of processor time.
    public var seconds = 60.0
    /// Files and folders that it reads.
    public var readable: [String] = []
    /// The folder that it may write to; temporary files lie there, too.
    public var folder: String

    /// The usual settings for a folder.
    public init(folder: String) { self.folder = folder }
  }

  /// Largest file that is written, bytes.
  private static let largestFile: UInt64 = 16 << 30
  /// Descriptors: the portions of a feed's rows, and a few for the database.
  private static let mostFiles: UInt64 = 512
  private static let stackBytes = 16 * 1024 * 1024

  /// What a program of the system reads without being asked: time zones, and what random numbers come from.
  private static let systemFiles = ["/usr", "/etc/localtime", "/dev/null", "/dev/random", "/dev/urandom"]

  /// Confines this process, does the work, writes its answer to standard output and ends.
  ///
  /// - Parameters:
  ///   - settings: How far it goes.
  ///   - work: Reads the file.
  public static func run(_ settings: Settings, _ work: @escaping @Sendable () -> [UInt8]) -> Never {
    for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
    // A file that gets too large is a failed write, which has a reason, and not a signal.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_DFL)
    signal(SIGPROF, SIG_DFL)
    _ = nice(5)
    sl_prepare_heap()
    volunteer()
    ReadWorker.openChannel(from: STDOUT_FILENO)
    let guardian = MemoryGuard()
    // Before there are other threads: the rules on files hold for this one and those that come of it.
    restrictFiles(settings)
    watch()
    guardian.start()
    let thread = Thread {
      let base = guardian.bytes
      func mebibytes(_ count: Int) -> UInt64 { base &+ UInt64(clamping: count) << 20 }
      let most = mebibytes(settings.mebibytes + ReadWorker.margin)
      sl_limit(Int32(clamping: SL_LIMIT_MEMORY), most, most)
      sl_limit(Int32(clamping: SL_LIMIT_FILE_BYTES), largestFile, largestFile)
      sl_limit(Int32(clamping: SL_LIMIT_CORE), 0, 0)
      sl_limit(Int32(clamping: SL_LIMIT_FILES), mostFiles, mostFiles)
      _ = sl_confine_files()
      guardian.begin(limit: mebibytes(settings.mebibytes))
      sl_processor_timer(settings.seconds)
      let answer = work()
      guardian.end()
      ReadWorker.send(answer)
      _exit(0)
    }
    thread.stackSize = stackBytes
    thread.start()
    while true { pause() }
  }

  /// When the machine has no memory left, this process is to end and not the server.
  private static func volunteer() {
    let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = write(file, "1000", 4)
    close(file)
  }

  private static func restrictFiles(_ settings: Settings) {
    let rules = sl_landlock_begin()
    guard rules >= 0 else { return }
    for path in systemFiles + settings.readable { _ = sl_landlock_allow(rules, path, 0) }
    _ = sl_landlock_allow(rules, settings.folder, 1)
    _ = sl_landlock_end(rules)
  }

  /// Ends this process when nobody reads its answer any more.
  private static func watch() {
    let descriptor = ReadWorker.channel
    let thread = Thread {
      while true {
        // The end of a pipe that is written to has an error as soon as the other one is closed.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        if poll(&entry, 1, -1) > 0 { _exit(0) }
      }
    }
    thread.stackSize = 256 * 1024
    thread.start()
  }

  /// Whether this system can keep a process from files.
  static var restrictsFiles: Bool { sl_landlock_version() > 0 }
}
