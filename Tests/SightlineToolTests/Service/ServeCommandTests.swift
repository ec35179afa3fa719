import Foundation
import Testing

/// `serve` as a process: what it prints, how it stops, what survives it.
@Suite(.timeLimit(.minutes(10))) struct ServeCommandTests {
  @Test func `it says where it listens, shows the demonstration worlds, and stops on SIGTERM`() async throws {
    try await Tool.inFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/demo", withIntermediateDirectories: true)
      try Data(StorageCommandTests.gddf("Shown first").utf8).write(to: URL(fileURLWithPath: folder + "/demo/one.gddf"))
      let server = try await ServeProcess(["--port", "0", "--database", "d.sqlite", "--demo", "demo"], in: folder)
      #expect(server.firstLine.hasPrefix("listening on http://127.0.0.1:"), "\(server.log)")
      #expect(try await server.get("/health/ready").contains("\"ready\""))
      #expect(try await server.get("/api/v1/worlds").contains("\"title\":\"Shown first\""))
      server.signal(SIGTERM)
      let start = ContinuousClock.now
      #expect(try await server.wait() == 0)
      #expect(ContinuousClock.now - start < .seconds(5))
      #expect(server.output.split(separator: "\n").count == 1)
      // Every line of the log is an object, but for what is meant for the person who started it.
      for line in server.log.split(separator: "\n") where line.hasPrefix("{") {
        #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
      }
      // A store that has held something is not filled again.
      try Data(StorageCommandTests.gddf("Later").utf8).write(to: URL(fileURLWithPath: folder + "/demo/two.gddf"))
      let second = try await ServeProcess(["--port", "0", "--database", "d.sqlite", "--demo", "demo"], in: folder)
      #expect(try await !second.get("/api/v1/worlds").contains("Later"))
      second.signal(SIGINT)
      #expect(try await second.wait() == 0)
    }
  }

  @Test func `variables mirror the options, and options win`() async throws {
    try await Tool.inFolder { folder in
      let variables = [
        "SIGHTLINE_PORT": "0", "SIGHTLINE_HOST": "203.0.113.1", "SIGHTLINE_DATABASE": "by-variable.sqlite",
        "SIGHTLINE_DEMO": "none", "SIGHTLINE_TILES": "https://tile.example.org/{z}/{x}/{y}.png",
        "SIGHTLINE_LOG_LEVEL": "error", "SIGHTLINE_TLS_SELF_SIGNED": "0",
      ]
      let server = try await ServeProcess(["--host", "127.0.0.1"], in: folder, variables)
      #expect(server.firstLine.hasPrefix("listening on http://127.0.0.1:"), "\(server.log)")
      #expect(FileManager.default.fileExists(atPath: folder + "/by-variable.sqlite"))
      #expect(try await server.get("/api/v1/settings").contains("https://tile.example.org/{z}/{x}/{y}.png"))
      #expect(!server.log.contains("\"level\":\"info\""))
      server.signal(SIGTERM)
      #expect(try await server.wait() == 0)
    }
  }

  @Test func `a world imported by another process is served within two seconds`() async throws {
    try await Tool.inFolder { folder in
      let server = try await ServeProcess(["--port", "0", "--database", "d.sqlite", "--demo", "none"], in: folder)
      #expect(try await server.get("/api/v1/worlds") == #"{"worlds":[]}"#)
      try Data(StorageCommandTests.gddf("Town").utf8).write(to: URL(fileURLWithPath: folder + "/town.gddf"))
      #expect(try await Tool.run("import", "town.gddf", "--database", "d.sqlite", in: folder).status == 0)
      var listed = ""
      for _ in 0..<40 where !listed.contains("Town") {
        try await Task.sleep(for: .milliseconds(100))
        listed = try await server.get("/api/v1/worlds")
      }
      #expect(listed.contains("\"id\":\"town\""))
      #expect(try await server.get("/api/v1/nearby?latitude=48&longitude=10").contains("Place 0"))
      server.signal(SIGTERM)
      #expect(try await server.wait() == 0)
    }
  }

  @Test func `imports that were reported survive kill -9 of importer and server`() async throws {
    try await Tool.inFolder { folder in
      var reported = 0
      for round in 1...3 {
        let server = try await ServeProcess(["--port", "0", "--database", "d.sqlite", "--demo", "none"], in: folder)
        let count = 40 * round
        for place in 1...20 {
          try Data(StorageCommandTests.gddf("V\(round)-\(place)", places: place).utf8)
            .write(to: URL(fileURLWithPath: folder + "/w\(place).gddf"))
        }
        let importer = Tool.process(
          ["import", "--database", "d.sqlite"] + (0..<count).map { "w\($0 % 20 + 1).gddf" },
          in: folder
        )
        let output = folder + "/import-\(round)"
        FileManager.default.createFile(atPath: output, contents: nil)
        importer.standardOutput = FileHandle(forWritingAtPath: output)
        importer.standardError = FileHandle.nullDevice
        try importer.run()
        // Killed in the midst of it: after some, but not by a fixed time, for machines differ.
        while try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").count < 5, importer.isRunning {
          usleep(2000)
        }
        kill(importer.processIdentifier, SIGKILL)
        server.signal(SIGKILL)
        importer.waitUntilExit()
        #expect(try await server.wait() == -SIGKILL)
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        reported += lines.count
        for line in lines where line.contains(": version ") {
          let parts = line.split(separator: " ")
          let id = parts[0].dropLast()
          let version = String(parts[2].dropLast())
          let exported = try await Tool.run(
            "export",
            String(id),
            "--version",
            version,
            "--database",
            "d.sqlite",
            in: folder
          )
          #expect(exported.status == 0, "\(line): \(exported.errors)")
          #expect(exported.output.contains("V\(round)-"))
        }
      }
      #expect(reported >= 10)
    }
  }

  #if os(Linux)
  @Test(arguments: [SIGKILL, SIGTERM]) func `no process that reads documents outlives its server`(
    signal: Int32
  ) async throws {
    try await Tool.inFolder { folder in
      let server = try await ServeProcess(
        ["--port", "0", "--database", "d.sqlite", "--demo", "none", "--read-workers", "3"],
        in: folder
      )
      var workers: [Int32] = []
      for _ in 0..<600 where workers.count < 3 {
        workers = server.children
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(workers.count == 3)
      server.signal(signal)
      #expect(try await server.wait() == (signal == SIGKILL ? -SIGKILL : 0))
      for _ in 0..<600 {
        if workers.allSatisfy({ kill($0, 0) != 0 }) { break }
        try await Task.sleep(for: .milliseconds(50))
      }
      for worker in workers { #expect(kill(worker, 0) != 0) }
    }
  }
  #endif

  @Test func `a client that never finishes does not keep the process from stopping`() async throws {
    try await Tool.inFolder { folder in
      let server = try await ServeProcess(["--port", "0", "--database", "d.sqlite", "--demo", "none"], in: folder)
      let port = try #require(URL(string: server.url)?.port)
      let client = Process()
      client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      client.arguments = [
        "bash", "-c",
        "exec 3<>/dev/tcp/127.0.0.1/\(port); printf 'POST /api/v1/nearby HTTP/1.1\\r\\nContent-Type: application/json\\r\\nContent-Length: 9\\r\\n\\r\\n{' >&3; sleep 30",
      ]
      try client.run()
      defer { client.terminate() }
      try await Task.sleep(for: .milliseconds(500))
      let start = ContinuousClock.now
      server.signal(SIGTERM)
      #expect(try await server.wait() == 0)
      // The client takes half a minute: a busy machine may take its time, but nobody waits for the client.
      #expect(ContinuousClock.now - start < .seconds(15))
    }
  }
}
