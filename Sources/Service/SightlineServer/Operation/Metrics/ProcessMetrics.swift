import Foundation
import SightlineInput

/// What the process takes of the machine, under the names that Prometheus' own clients use.
enum ProcessMetrics {
  /// When the process began, seconds since 1970, read once.
  private static let start: Double = {
    #if os(Linux)
    // Field 22: ticks after the machine's start.
    if let ticks = fields(of: "/proc/self/stat").flatMap({ $0.count > 19 ? Double($0[19]) : nil }),
      let boot = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?
        .split(separator: "\n").first(where: { $0.hasPrefix("btime ") })?.split(separator: " ").last.flatMap({
          Double($0)
        })
    {
      return boot + ticks / Double(sysconf(Int32(truncatingIfNeeded: _SC_CLK_TCK)))
    }
    #endif
    return Date().timeIntervalSince1970
  }()

  static func write(to out: inout Exposition) {
    out.single("process_start_time_seconds", "gauge", "Start of the process since 1970.", start)
    #if os(Linux)
    guard let fields = fields(of: "/proc/self/stat"), fields.count > 21, let user = Double(fields[11]),
      let system = Double(fields[12]), let pages = Double(fields[21])
    else { return }
    let ticks = Double(sysconf(Int32(truncatingIfNeeded: _SC_CLK_TCK)))
    out.single("process_cpu_seconds_total", "counter", "Processor time of the process.", (user + system) / ticks)
    let bytes = pages * Double(sysconf(Int32(truncatingIfNeeded: _SC_PAGESIZE)))
    out.single("process_resident_memory_bytes", "gauge", "Memory of the process.", Int(clamped: bytes))
    if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      out.single("process_open_fds", "gauge", "Files and connections that are open.", open)
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      out.single("process_max_fds", "gauge", "Files and connections that may be open.", Int(clamping: limit.rlim_cur))
    }
    #endif
  }

  #if os(Linux)
  /// The fields behind the program's name, which may hold blanks and brackets.
  private static func fields(of path: String) -> [Substring]? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8), let end = text.lastIndex(of: ")") else {
      return nil
    }
    return text[text.index(after: end)...].split(separator: " ")
  }
  #endif
}
