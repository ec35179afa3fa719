import Foundation
import Testing

/// Settings in a file: what counts, and what is said of files that are wrong.
@Suite(.timeLimit(.minutes(5))) struct SettingsFileTests {
  private static func check(
    _ file: String,
    _ arguments: [String] = [],
    _ variables: [String: String] = [:]
  ) async throws -> Tool.Outcome {
    let folder = NSTemporaryDirectory() + "sightline-settings-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(file.utf8).write(to: URL(fileURLWithPath: folder + "/s.json"))
    return try await Tool.run(["serve", "--check-config", "--config", "s.json"] + arguments, in: folder, variables)
  }

  /// The columns of a setting.
  private static func row(_ name: String, _ outcome: Tool.Outcome) -> [Substring] {
    outcome.output.split(separator: "\n").first { $0.hasPrefix(name + " ") }?.split(separator: " ") ?? []
  }

  @Test func `options win over variables, variables over the file, the file over defaults`() async throws {
    let outcome = try await Self.check(
      """
      // A comment, and "quotes" in it {
      {
        "host": "192.0.2.1", "port": 8081, // behind a value
        "tls-self-signed": true,
        "connections": 100,
        "keep-runs": 7,
        "tiles-attribution": "\\u00a9 \\ud83d\\ude00 \\"x\\" // no comment",
        "database": "postgresql://me:secret@db.example.org/d?password=secret"
      }
      """,
      ["--port", "8083", "--no-tls-self-signed"],
      ["SIGHTLINE_PORT": "8082", "SIGHTLINE_CONNECTIONS": "200", "SIGHTLINE_HOST": "", "SIGHTLINE_PROT": "1"]
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(Self.row("port", outcome) == ["port", "8083", "--port"])
    #expect(Self.row("tls-self-signed", outcome) == ["tls-self-signed", "false", "--tls-self-signed"])
    #expect(Self.row("connections", outcome) == ["connections", "200", "SIGHTLINE_CONNECTIONS"])
    #expect(Self.row("host", outcome) == ["host", "192.0.2.1", "s.json,", "line", "3"])
    #expect(Self.row("keep-runs", outcome) == ["keep-runs", "7", "s.json,", "line", "6"])
    #expect(Self.row("read-memory", outcome) == ["read-memory", "1024", "default"])
    #expect(
      Self.row("tiles-attribution", outcome).dropFirst().joined(separator: " ")
        == "© 😀 \"x\" // no comment s.json, line 7"
    )
    #expect(outcome.output.contains("postgresql://me:***@db.example.org/d?password=***"))
    #expect(!outcome.output.contains("secret") && !outcome.errors.contains("secret"))
    #expect(outcome.errors.contains("SIGHTLINE_PROT is no setting. Did you mean SIGHTLINE_PORT?"))
  }

  @Test func `everything that is wrong is said at once, with line and advice`() async throws {
    let outcome = try await Self.check(
      """
      {
        "prot": 8080,
        "port": true,
        "tls-self-signed": "yes",
        "host": ["a"],
        "transit": ["a.gtfs", "b.gtfs"],
        "log-level": "info",
        "log-level": "debug",
        "config": "other.json"
      }
      """
    )
    #expect(outcome.status == 64)
    let lines = outcome.errors.split(separator: "\n").map { $0.replacing("Error: ", with: "") }
    #expect(lines.contains("s.json, line 2: there is no setting \"prot\". Did you mean \"port\"?"))
    #expect(lines.contains("s.json, line 3: port may not be true or false; write a text or a whole number."))
    #expect(lines.contains("s.json, line 4: tls-self-signed has to be true or false."))
    #expect(lines.contains("s.json, line 5: host may not be a list; write a text or a whole number."))
    #expect(!lines.contains { $0.contains("transit") })
    #expect(lines.contains("s.json, line 8: log-level stands in line 7 already. Take one of them out."))
    #expect(lines.contains { $0.hasPrefix("s.json, line 9: there is no setting \"config\".") })
  }

  @Test(arguments: [
    ("", 1, "between { and }"), ("[]", 1, "between { and }"), ("{\n\"port\": 1,\n}", 3, "Take the comma before it out"),
    ("{ port: 1 }", 1, "name of a setting is expected"), ("{\"port\" 1}", 1, "a colon is expected"),
    ("{\"port\": }", 1, "no value that can be read"), ("{\"port\": 1.5}", 1, "no whole number"),
    ("{\"port\": 99999999999999999999}", 1, "no whole number"), ("{\"port\": null}", 1, "take the line out"),
    ("{\"port\": {\"a\": 1}}", 1, "may not be an object"), ("{\"port\": 1 \"host\": 2}", 1, "a comma or }"),
    ("{\"port\": 1}\n}", 2, "nothing may stand after"), ("{\"host\": \"a\n\"}", 1, "without quotation mark"),
    ("{\"host\": \"a", 1, "a quotation mark is missing"), ("{\"host\": \"\\", 1, "a quotation mark is missing"),
    ("{\"host\": \"\\x\"}", 1, "means nothing"), ("{\"host\": \"\\u12\"}", 1, "four hexadecimal digits"),
    ("{\"host\": \"\\ud800\"}", 1, "names no character"), ("{\"transit\": [1]}", 1, "list of texts"),
    ("{\"transit\": [\"a\"", 1, "a comma or ]"), ("{\n\n\"port\": 70000}", 3, "has to be 0 to 65535"),
    ("{\n\"port\": \"eight\"}", 2, "not a whole number"), ("{\n\"log-level\": \"loud\"}", 2, "possible are trace"),
    ("{\n\"tiles\": \"x\"}", 2, "{z}, {x} and {y}"), ("{\"port\": 1", 1, "the end of the file"),
  ])
  func `a file that is wrong is refused with its line`(_ file: String, _ line: Int, _ words: String) async throws {
    let outcome = try await Self.check(file)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("s.json, line \(line): "), "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `files that are not there, are no text or have no end are refused`() async throws {
    try await Tool.inFolder { folder in
      let none = try await Tool.run("serve", "--check-config", "--config", "none.json", in: folder)
      #expect(none.status == 64 && none.errors.contains("none.json cannot be read. Correct --config"))
      try Data([0x7B, 0x0A, 0xFF, 0x7D]).write(to: URL(fileURLWithPath: folder + "/s.json"))
      let binary = try await Tool.run("serve", "--check-config", "--config", "s.json", in: folder)
      #expect(binary.errors.contains("s.json, line 2: this is no UTF-8 text"), "\(binary.errors)")
      try Data(count: (1 << 20) + 1).write(to: URL(fileURLWithPath: folder + "/s.json"))
      let large = try await Tool.run("serve", "--check-config", in: folder, ["SIGHTLINE_CONFIG": "s.json"])
      #expect(large.errors.contains("larger than 1024 KiB"), "\(large.errors)")
      try Data(#"{"tls-cert": "no.pem", "tls-key": "no.pem"}"#.utf8).write(to: URL(fileURLWithPath: folder + "/s.json"))
      let missing = try await Tool.run("serve", "--check-config", "--config", "s.json", in: folder)
      #expect(missing.status == 1 && missing.errors.contains("s.json, line 1: tls-cert is no.pem"), "\(missing.errors)")
    }
  }

  @Test func `the file counts for other commands too, and a server drains by it, or ends at once`() async throws {
    try await Tool.inFolder { folder in
      let file = #"{"database": "by-file.sqlite", "port": 0, "metrics-port": 0, "demo": "none", "drain-seconds": 600}"#
      try Data(file.utf8).write(to: URL(fileURLWithPath: folder + "/s.json"))
      try Data(StorageCommandTests.gddf("Town").utf8).write(to: URL(fileURLWithPath: folder + "/town.gddf"))
      #expect(try await Tool.run("import", "town.gddf", "--config", "s.json", in: folder).status == 0)
      #expect(FileManager.default.fileExists(atPath: folder + "/by-file.sqlite"))
      let server = try await ServeProcess(["--config", "s.json"], in: folder)
      #expect(try await server.get("/api/v1/worlds").contains("\"town\""))
      let notice = server.log.split(separator: "\n").first { $0.contains(#""message":"metrics""#) }
      let line = try #require(notice)
      let port = try #require(
        (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["port"] as? Int
      )
      let metrics = try await server.get("http://127.0.0.1:\(port)/metrics")
      #expect(metrics.contains("\nsightline_http_requests_total{route=\"/api/v1/worlds\",status=\"2xx\"} 1\n"))
      #expect(metrics.contains("\nsightline_ready 1\n") || metrics.hasPrefix("# HELP sightline_ready"))
      for name in [
        "process_resident_memory_bytes", "process_start_time_seconds", "sightline_database_statements_total",
      ] {
        #expect(metrics.contains("\n\(name) "), "\(name)")
      }
      // Every line is one that Prometheus takes, and every metric has its kind.
      for line in metrics.split(separator: "\n") where !line.hasPrefix("#") {
        #expect(
          line.wholeMatch(of: /[a-z_][a-z0-9_]*(\{[^\n]*\})? (-?[0-9.e+-]+|NaN|\+Inf)/.ignoresCase()) != nil,
          "\(line)"
        )
      }
      server.signal(SIGTERM)
      var ready = ""
      for _ in 0..<100 where !ready.contains("draining") {
        ready = try await server.get("/health/ready")
      }
      #expect(ready.contains("draining"))
      #expect(try await server.get("/api/v1/worlds").contains("\"town\""))
      server.signal(SIGTERM)
      let start = ContinuousClock.now
      #expect(try await server.wait() == 1)
      #expect(ContinuousClock.now - start < .seconds(120))
    }
  }
}
