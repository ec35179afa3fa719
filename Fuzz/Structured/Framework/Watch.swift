import Glibc

/// What the handler of a signal needs: it may not allocate, so it stands ready.
///
/// Exclusive access is not checked: a signal may come while an input or its number is written, and would be taken for a second writer.
enum Watch {
  /// The input at work.
  @exclusivity(unchecked) nonisolated(unsafe) static var input: UnsafeRawPointer?
  @exclusivity(unchecked) nonisolated(unsafe) static var inputCount = 0
  /// Its number.
  @exclusivity(unchecked) nonisolated(unsafe) static var index: UInt64 = 0
  /// Start of the path that a finding is saved under: folder, target, seed and a hyphen, and a byte 0.
  @exclusivity(unchecked) nonisolated(unsafe) static var path: UnsafeMutablePointer<CChar>?
  @exclusivity(unchecked) nonisolated(unsafe) static var pathCount = 0
  @exclusivity(unchecked) nonisolated(unsafe) static var lastIndex: UInt64 = .max
  @exclusivity(unchecked) nonisolated(unsafe) static var ticks = 0
  @exclusivity(unchecked) nonisolated(unsafe) static var mostTicks = 20

  /// From now on a trap, an overflow of the stack and an input that takes too long save it and end the process.
  ///
  /// - Parameters:
  ///   - stem: Start of the path of a finding's file.
  ///   - seconds: Processor time for one input.
  ///   - megabytes: Address space of the process.
  static func start(stem: String, seconds: Int, megabytes: Int) {
    let bytes = Array(stem.utf8)
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 64)
    for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
    path = text
    pathCount = bytes.count
    mostTicks = seconds * 4
    // A stack of its own: the usual one is what may be used up.
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
    stack.ss_size = 1 << 16
    sigaltstack(&stack, nil)
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE] {
      handle(signal) { number in Watch.end(number) }
    }
    handle(SIGPROF) { _ in
      if Watch.lastIndex == Watch.index {
        Watch.ticks += 1
        if Watch.ticks > Watch.mostTicks { Watch.end(SIGPROF) }
      } else {
        Watch.lastIndex = Watch.index
        Watch.ticks = 0
      }
    }
    let tick = timeval(tv_sec: 0, tv_usec: 250_000)
    var timer = itimerval(it_interval: tick, it_value: tick)
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    var limit = rlimit(rlim_cur: UInt(megabytes) << 20, rlim_max: UInt(megabytes) << 20)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    var core = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
  }

  private static func handle(_ signal: CInt, _ handler: @escaping @convention(c) (CInt) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_ONSTACK
    sigaction(signal, &action, nil)
  }

  /// Saves the input and ends the process with status 77.
  ///
  /// Called by a signal.
  private static func end(_ signal: CInt) {
    // Without a folder for findings the status is enough: the file is there already.
    guard let path, pathCount > 0 else { _exit(77) }
    var length = pathCount
    digits(index, path, &length)
    let ending: StaticString =
      signal == SIGPROF ? "-hang" : signal == SIGABRT ? "-abort" : signal == SIGSEGV ? "-stack" : "-trap"
    for offset in 0..<ending.utf8CodeUnitCount {
      path[length] = CChar(bitPattern: ending.utf8Start[offset])
      length += 1
    }
    path[length] = 0
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    var offset = 0
    while file >= 0, let input, offset < inputCount {
      let written = write(file, input + offset, inputCount - offset)
      if written <= 0 { break }
      offset += written
    }
    close(file)
    let start: StaticString = "FOUND "
    _ = write(2, start.utf8Start, start.utf8CodeUnitCount)
    path[length] = 10
    _ = write(2, path, length + 1)
    _exit(77)
  }

  private static func digits(_ number: UInt64, _ out: UnsafeMutablePointer<CChar>, _ length: inout Int) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor &*= 10 }
    while divisor > 0 {
      out[length] = CChar(48 + (number / divisor) % 10)
      length += 1
      divisor /= 10
    }
  }
}
