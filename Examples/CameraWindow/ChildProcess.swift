import Glibc

/// A program with a pipe to what it reads or from what it writes.
///
/// What it complains about goes where this program's complaints go.
struct ChildProcess {
  /// What the pipe is for.
  enum End: Int32 {
    case itsInput = 0
    case itsOutput = 1
  }

  /// This program's end of the pipe.
  let stream: UnsafeMutablePointer<FILE>
  private let process: pid_t

  /// Starts a program, looked for as a shell does.
  init(_ arguments: [String], piping end: End) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Problem("no pipe: \(String(cString: strerror(errno)))") }
    // Closed in every program that is started, but for the end that is given to it by number.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (ours, theirs) = end == .itsInput ? (ends[1], ends[0]) : (ends[0], ends[1])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, theirs, end.rawValue)
    if end == .itsOutput { posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) }
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let status = posix_spawnp(&process, arguments[0], &actions, nil, &words, environ)
    close(theirs)
    guard status == 0, let stream = fdopen(ours, end == .itsInput ? "w" : "r") else {
      close(ours)
      let reason = String(cString: strerror(status == 0 ? errno : status))
      throw Problem("\(arguments[0]) cannot be started (\(reason)); is it installed?")
    }
    self.stream = stream
    self.process = process
  }

  /// Closes the pipe and waits for the program's end.
  ///
  /// - Returns: its exit status.
  @discardableResult
  func finish() -> Int32 {
    fclose(stream)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
