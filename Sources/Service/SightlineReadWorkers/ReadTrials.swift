import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Readers that do what no reader should, for tests of what becomes of the server then.
///
/// A worker knows them only when its environment has ``variable``, and a server gives its workers none of its own
/// variables: nobody can ask for them from outside.
public enum ReadTrials {
  /// The variable that has to be `1`.
  public static let variable = "SIGHTLINE_READ_TRIALS"

  /// The kind of all trials: the document is the trial's name and what it needs, with a blank between.
  public static let kind = ReadKind(255, "trial", seconds: 1, mebibytes: 256, largestAnswer: 1 << 20)

  /// The trials, when the environment asks for them.
  public static var handlers: [ReadHandler] {
    guard ProcessInfo.processInfo.environment[variable] == "1" else { return [] }
    return [ReadHandler(kind) { _, document in answer(String(decoding: document, as: UTF8.self)) }]
  }

  /// The answer of the trial that a file asks for; `nil` when it is none, or the environment does not ask for trials.
  public static func answer(ofFile path: String) -> [UInt8]? {
    let start = "sightline trial "
    guard !handlers.isEmpty, let data = FileManager.default.contents(atPath: path),
      case let text = String(decoding: data, as: UTF8.self), text.hasPrefix(start)
    else { return nil }
    return answer(String(text.dropFirst(start.count)))
  }

  private static func answer(_ text: String) -> [UInt8] {
    let parts = text.split(separator: " ", maxSplits: 1)
    let argument = parts.count > 1 ? String(parts[1]) : ""
    switch parts.first {
    case "echo": return Array(argument.utf8)
    case "process": return Array("\(getpid())".utf8)
    case "trap": fatalError("a reader trapped")
    case "overflow":
      var digits: Int64 = 1
      for _ in 0..<(20 + argument.utf8.count) { digits *= 10 }  // In range: it is there to trap.
      return Array("\(digits)".utf8)
    case "stack": return Array("\(depth(1))".utf8)
    case "hang":
      var count: UInt64 = 0
      while count != .max { count &+= 2 }
      return []
    case "sleep":
      while true { usleep(100_000) }
    case "swell":
      var all: [[UInt8]] = []
      while true { all.append([UInt8](repeating: UInt8(truncatingIfNeeded: all.count), count: 8 << 20)) }
    case "once":
      // One allocation that nothing could satisfy.
      return [UInt8](repeating: 1, count: 1 << 40)
    case "garbage":
      ReadWorker.send(Array(repeating: 0x41, count: 4096))
      while true { usleep(100_000) }
    case "flood":
      // A header that promises four gigabytes, and then as much as anyone takes.
      ReadWorker.send(Frame.header(.done, job: 0, length: Int(UInt32.max)))
      while true { ReadWorker.send([UInt8](repeating: 0x42, count: 1 << 20)) }
    case "large": return [UInt8](repeating: 0x43, count: (1 << 20) + 1)
    case "talk":
      // Answers twice: whoever is read next must not be given the second one.
      ReadWorker.send(Frame.header(.done, job: ReadWorker.job, length: Frame.doneBytes + 5))
      ReadWorker.send([UInt8](repeating: 0, count: Frame.doneBytes) + [1] + Array("talk".utf8))
      return Array("again".utf8)
    case "quit": _exit(0)
    case "hush":
      // Closed, but held open by the thread that waits for the server's end.
      close(ReadWorker.channel)
      while true { usleep(100_000) }
    case "reach": return Array(reach(argument).utf8)
    default: return Array("unknown".utf8)
    }
  }

  private static func depth(_ value: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
      buffer[value % 1024] = 1
      return depth(value &+ 1) &+ Int(buffer[0])
    }
  }

  /// What comes of trying to get out, each with the system's word for it.
  private static func reach(_ path: String) -> String {
    func outcome(_ name: String, _ result: some BinaryInteger) -> String {
      let reason = errno
      return result >= 0 ? "\(name): done" : "\(name): \(reason)"
    }
    var lines: [String] = []
    lines.append(outcome("open", open(path, O_RDONLY)))
    lines.append(outcome("create", open(path + ".made", O_WRONLY | O_CREAT, 0o600)))
    lines.append(outcome("list", opendir("/") == nil ? -1 : 0))
    #if canImport(Glibc)
    lines.append(outcome("socket", socket(AF_INET, Int32(clamping: SOCK_STREAM.rawValue), 0)))
    #else
    lines.append(outcome("socket", socket(AF_INET, SOCK_STREAM, 0)))
    #endif
    lines.append(outcome("unlink", unlink(path)))
    lines.append(outcome("signal", kill(getppid(), 0)))
    var process = pid_t()
    var arguments: [UnsafeMutablePointer<CChar>?] = [nil]
    let failure = posix_spawn(&process, "/bin/true", nil, nil, &arguments, nil)
    errno = failure
    lines.append(outcome("program", failure == 0 ? 0 : -1))
    return lines.joined(separator: "\n")
  }
}
