import Foundation
import Synchronization

/// A real PostgreSQL server for tests, in a folder of its own and with databases of its own.
///
/// It listens on a socket in its folder, where everybody is let in, and on a port of this machine, where a password is
/// asked for. What it writes is not made safe against a power cut: tests are over by then. It ends with the process, also one
/// that is killed: a shell waits for the end of its input, which this process holds, and clears up.
public final class TestPostgres: Sendable {
  /// The user that owns everything.
  public static let user = "sightline"
  /// The user's password; it needs an escape in an address.
  public static let password = "p/4:s@w%rd-Grün"

  /// The folder with its socket.
  public let folder: String
  /// The port; also of the socket's name.
  public let port: Int
  private let bin: String
  /// Its end is the end of the server.
  private let input: Pipe
  private let made = Atomic(0)

  /// Why a server could not be started.
  public struct Failure: Error, CustomStringConvertible {
    /// What went wrong.
    public var description: String
  }

  /// Where the programs are; `nil` when there are none.
  public static let programs: String? = {
    let manager = FileManager.default
    var folders: [String] = []
    for parent in ["/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt"] {
      let names = (try? manager.contentsOfDirectory(atPath: parent)) ?? []
      let versions = names.filter { parent == "/usr/lib/postgresql" || $0.hasPrefix("postgresql") }
      // The latest one.
      folders += versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }.map {
        "\(parent)/\($0)/bin"
      }
    }
    folders += (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.first { folder in
      ["initdb", "postgres", "psql"].allSatisfy { manager.isExecutableFile(atPath: "\(folder)/\($0)") }
    }
  }()

  private static let first = Mutex<Result<TestPostgres, any Error>?>(nil)

  /// The one server of this process.
  public static func shared() throws -> TestPostgres {
    try first.withLock { first in
      let result = first ?? Result { try TestPostgres() }
      first = result
      return try result.get()
    }
  }

  /// Starts a server.
  public init() throws {
    guard let bin = Self.programs else {
      throw Failure(description: "There is no PostgreSQL here. Install the package postgresql.")
    }
    self.bin = bin
    folder = "/tmp/sightline-pg-\(UUID().uuidString.prefix(8).lowercased())"
    port = try Self.freePort()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Self.password.write(toFile: folder + "/password", atomically: true, encoding: .utf8)
    // As root it would not run: then as whoever is there for it, or as nobody.
    var prefix: [String] = []
    if geteuid() == 0 {
      let user = ["postgres", "nobody"].first { (name: String) in getpwnam(name) != nil } ?? "nobody"
      _ = try Self.run("/bin/chown", ["-R", user, folder])
      prefix = ["runuser", "-u", user, "--"]
    }
    let settings = [
      "fsync=off", "full_page_writes=off", "synchronous_commit=off", "listen_addresses=127.0.0.1", "port=\(port)",
      "unix_socket_directories=\(folder)", "max_connections=600", "shared_buffers=32MB", "log_min_messages=fatal",
      "timezone=UTC", "deadlock_timeout=200ms", "autovacuum_naptime=60s",
    ].map { "-c \($0)" }.joined(separator: " ")
    // Started anew as often as it ends by itself, so that tests may kill it; `stopped` keeps it down.
    let script = """
      cd "$1" || exit 1
      "$2/initdb" -D data -U \(Self.user) --pwfile=password --auth-local=trust --auth-host=scram-sha-256 \
        --encoding=UTF8 --locale=C.UTF-8 --no-sync >initdb.log 2>&1 || { touch failed; exit 1; }
      rm password
      if openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
        -addext subjectAltName=IP:127.0.0.1,DNS:localhost -keyout server.key -out server.crt >openssl.log 2>&1
      then printf "ssl = on\\nssl_cert_file = '%s/server.crt'\\nssl_key_file = '%s/server.key'\\n" "$1" "$1" >>data/postgresql.conf
      fi
      ( while :; do
          if [ -e stopped ]; then sleep 0.05; else "$2/postgres" -D data \(settings) >>server.log 2>&1 </dev/null; fi
          [ -e ended ] && exit 0
          sleep 0.02
        done ) &
      cat >/dev/null
      touch ended
      kill -INT "$(head -n 1 data/postmaster.pid)" 2>/dev/null
      wait
      cd /tmp && rm -rf "$1"
      """
    input = Pipe()
    // Programs that tests start do not hold it open after the end of this one.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try ChildProgram.startUnattended(
      prefix + ["sh", "-c", script, "sh", folder, bin],
      in: "/tmp",
      input: input.fileHandleForReading.fileDescriptor
    )
    try? input.fileHandleForReading.close()
    try waitUntilReady()
  }

  deinit { try? input.fileHandleForWriting.close() }

  /// Waits until it takes connections.
  public func waitUntilReady() throws {
    let end = Date().addingTimeInterval(120)
    while Date() < end {
      if (try? Self.run(bin + "/psql", ["-X", "-q", "-c", "SELECT 1", localAddress("postgres")])) != nil { return }
      if FileManager.default.fileExists(atPath: folder + "/failed") { break }
      usleep(50_000)
    }
    let log = ["initdb.log", "server.log"].map {
      (try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) ?? ""
    }
    throw Failure(description: "PostgreSQL does not start: \(log.joined(separator: " "))")
  }

  /// The address of a database through the socket, without a password.
  public func localAddress(_ database: String) -> String {
    "postgresql://\(Self.user)@/\(database)?host=\(folder)&port=\(port)"
  }

  /// The address of a database through the port.
  public func address(_ database: String, password: String? = TestPostgres.password) -> String {
    let escaped = password?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { ":" + $0 } ?? ""
    return "postgresql://\(Self.user)\(escaped)@127.0.0.1:\(port)/\(database)"
  }

  /// The server's certificate, for 127.0.0.1, which is its own authority.
  public var certificate: String { folder + "/server.crt" }

  /// Makes a database, a copy of another one that nobody is connected to.
  ///
  /// - Returns: Its name.
  public func makeDatabase(copying template: String = "template0") throws -> String {
    let name = "test_\(ProcessInfo.processInfo.processIdentifier)_\(made.add(1, ordering: .relaxed).newValue)"
    try run("CREATE DATABASE \(name) TEMPLATE \(template)", in: "postgres")
    return name
  }

  /// Runs SQL with the server's own program.
  ///
  /// - Returns: What it printed, without decoration.
  @discardableResult
  public func run(_ sql: String, in database: String) throws -> String {
    try Self.run(bin + "/psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, localAddress(database)])
  }

  /// Kills it at once, without any notice, and waits until it is there again.
  public func crash() throws {
    try signal("KILL")
    try waitUntilReady()
  }

  /// Stops it in an orderly way; connections end.
  public func stop() throws {
    _ = FileManager.default.createFile(atPath: folder + "/stopped", contents: nil)
    try signal("INT")
    while FileManager.default.fileExists(atPath: folder + "/data/postmaster.pid") { usleep(20_000) }
  }

  /// Starts it again.
  public func start() throws {
    try FileManager.default.removeItem(atPath: folder + "/stopped")
    try waitUntilReady()
  }

  /// Lets all its processes stand still, as on a machine that hangs: connections stay, and nothing is answered.
  ///
  /// - Returns: The processes, for ``goOn(_:)``.
  public func standStill() throws -> [Int32] {
    let processes = try run("SELECT pid FROM pg_stat_activity UNION ALL SELECT \(process())", in: "postgres")
      .split(separator: "\n").compactMap { Int32($0) }
    for process in processes { _ = kill(process, SIGSTOP) }
    return processes
  }

  /// Makes one of its processes stand still, such as the one that serves a connection.
  public func stop(_ process: Int32) { _ = kill(process, SIGSTOP) }

  /// Lets processes that stand still go on.
  public func goOn(_ processes: [Int32]) {
    for process in processes { _ = kill(process, SIGCONT) }
  }

  /// Begins a new timeline, as a server does that is promoted.
  public func beginTimeline() throws {
    try stop()
    _ = FileManager.default.createFile(atPath: folder + "/data/standby.signal", contents: nil)
    try start()
    try run("SELECT pg_promote()", in: "postgres")
  }

  private func process() throws -> Int32 {
    let text = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
    guard let line = text.split(separator: "\n").first, let process = Int32(line) else {
      throw Failure(description: "The server has no process.")
    }
    return process
  }

  private func signal(_ name: String) throws {
    _ = kill(try process(), name == "KILL" ? SIGKILL : SIGINT)
  }

  private static func freePort() throws -> Int {
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isBound else { throw Failure(description: "No port is free.") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Runs a program to its end.
  ///
  /// - Returns: What it printed.
  private static func run(_ path: String, _ arguments: [String]) throws -> String {
    let ended = try ChildProgram.run([path] + arguments)
    guard ended.status == 0 else { throw Failure(description: ended.errors) }
    return ended.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
