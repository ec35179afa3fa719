import Foundation

/// Programs that tests start.
///
/// Foundation's `Process` is not used where a test process has many files open: before it starts a program it lists all of them
/// into a table of a size that it has counted before, and writes past the table's end when others open some in between. That
/// ended whole runs of tests.
public enum ChildProgram {
  /// Why a program could not be started.
  public struct Failure: Error, CustomStringConvertible {
    /// What went wrong.
    public var description: String
  }

  /// What a program left.
  public struct Ended: Sendable {
    /// Its exit status; of one that a signal ended, the signal's number and 128.
    public var status: Int32
    /// What it wrote to its output.
    public var output: String
    /// What it wrote to its output for errors.
    public var errors: String
  }

  #if canImport(Glibc)
  private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
  #else
  private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t?>
  #endif

  // The headers have these two for GNU sources alone, which Swift's view of them is not.
  private static let closeFrom: (@convention(c) (Actions, Int32) -> Int32)? = named(
    "posix_spawn_file_actions_addclosefrom_np"
  )
  private static let changeDirectory: (@convention(c) (Actions, UnsafePointer<CChar>) -> Int32)? =
    named("posix_spawn_file_actions_addchdir_np")

  private static func named<Function>(_ name: String) -> Function? {
    dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: Function.self) }
  }

  /// Starts a program, which gets these three descriptors and no other.
  ///
  /// - Parameters:
  ///   - arguments: the program, looked for as a shell does, and what it is given.
  ///   - directory: where it runs.
  ///   - input: what it reads; `nil` is the null device, as for the next two.
  ///   - output: where it writes.
  ///   - errors: where it writes what is wrong.
  /// - Returns: the process; the caller has to wait for its end.
  /// - Throws: ``Failure`` when it cannot be started.
  public static func start(
    _ arguments: [String],
    in directory: String,
    input: Int32? = nil,
    output: Int32? = nil,
    errors: Int32? = nil
  ) throws -> pid_t {
    #if canImport(Glibc)
    var actions = posix_spawn_file_actions_t()
    #else
    var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [input, output, errors].enumerated() {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }
    _ = closeFrom?(&actions, 3)
    guard let changeDirectory, changeDirectory(&actions, directory) == 0 else {
      throw Failure(description: "no program can be started in another folder here")
    }
    #if canImport(Glibc)
    var attributes = posix_spawnattr_t()
    #else
    var attributes: posix_spawnattr_t?
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads that tests run on take no signals, and what they start would not either: it could not be told to end.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let status = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, environ)
    guard status == 0 else {
      throw Failure(description: "\(arguments[0]) cannot be started: \(String(cString: strerror(status)))")
    }
    return process
  }

  /// Starts a program that nobody waits for: a thread takes note of its end.
  ///
  /// An end that nobody takes note of keeps those busy who wait for the end of any program, as exit tests do.
  ///
  /// - Parameters:
  ///   - arguments: as for ``start(_:in:input:output:errors:)``.
  ///   - directory: where it runs.
  ///   - input: what it reads; `nil` is the null device, as for the next one.
  ///   - output: where it writes.
  /// - Throws: ``Failure`` when it cannot be started.
  public static func startUnattended(
    _ arguments: [String],
    in directory: String,
    input: Int32? = nil,
    output: Int32? = nil
  ) throws {
    let process = try start(arguments, in: directory, input: input, output: output)
    Thread.detachNewThread { _ = wait(process) }
  }

  /// Waits for a program's end.
  public static func wait(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Runs a program to its end.
  public static func run(_ arguments: [String], in directory: String = "/tmp") throws -> Ended {
    // Files instead of pipes cannot fill up and stop the program.
    let files = try (0..<2).map { _ in try temporaryFile() }
    defer { for file in files { close(file) } }
    let status = wait(try start(arguments, in: directory, output: files[0], errors: files[1]))
    return Ended(status: status, output: contents(files[0]), errors: contents(files[1]))
  }

  /// A file that has no name any more.
  private static func temporaryFile() throws -> Int32 {
    var path = Array((NSTemporaryDirectory() + "/sightline-XXXXXX").utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Failure(description: "no temporary file can be made") }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func contents(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
