import Foundation
import Logging
import Testing

@testable import SightlineReadWorkers

/// Workers of the built program that do what no reader should.
@Suite(.serialized) struct ReadWorkersTests {
  /// The program lies beside the test's own executable.
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("sightline").path

  private func with(
    _ count: Int = 1,
    _ change: (inout ReadWorkersOptions) -> Void = { _ in },
    _ body: @Sendable (ReadWorkers) async throws -> Void
  ) async throws {
    var options = ReadWorkersOptions()
    options.place = .processes(program: Self.program)
    options.workers = count
    options.waitLimit = .seconds(300)
    options.startLimit = .seconds(120)
    // The machine may be busy with other tests.
    options.patience = 2
    options.variables = [ReadTrials.variable: "1"]
    change(&options)
    let workers = try ReadWorkers(options, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    do { try await body(workers) } catch {
      await workers.shutdown()
      throw error
    }
    await workers.shutdown()
    #expect(workers.metrics.snapshot.workers == 0)
    #expect(workers.metrics.snapshot.reading == 0)
  }

  private func trial(
    _ text: String,
    _ workers: ReadWorkers,
    client: String = "test"
  ) async -> Result<String, ReadFailure> {
    do throws(ReadFailure) {
      let answer = try await workers.read(ReadJob(ReadTrials.kind, document: Array(text.utf8)), client: client)
      return .success(String(decoding: answer, as: UTF8.self))
    } catch {
      return .failure(error)
    }
  }

  @Test(
    arguments: [
      ("trap", .trap), ("overflow", .trap), ("stack", .trap), ("quit", .trap), ("hang", .time), ("sleep", .time),
      ("swell", .memory), ("once", .memory), ("garbage", .garbage), ("flood", .garbage), ("hush", .time),
      ("large", .large),
    ] as [(String, ReadFailure)]
  )
  func `a reader that fails costs its own answer, and the next one is read`(
    name: String,
    expected: ReadFailure
  ) async throws {
    try await with { workers in
      #expect(await trial("echo before", workers) == .success("before"))
      #expect(await trial(name, workers) == .failure(expected))
      #expect(await trial("echo after", workers) == .success("after"))
      let counts = workers.metrics.snapshot.kinds["trial"]
      #expect(counts?.answered == 2)
      #expect(counts?.failures == [expected.word: 1])
    }
  }

  @Test func `an answer too many is not taken for the next one`() async throws {
    try await with { workers in
      // Which of the two answers comes first is the worker's affair; the next document's is its own.
      _ = await trial("talk", workers)
      for number in 0..<3 { #expect(await trial("echo \(number)", workers) == .success("\(number)")) }
    }
  }

  @Test func `a worker that dies between documents costs nobody an answer`() async throws {
    try await with { workers in
      let first = try await trial("process", workers).get()
      let number = try #require(Int32(first))
      #expect(kill(number, SIGKILL) == 0)
      let second = try await trial("process", workers).get()
      #expect(second != first)
      #expect(workers.metrics.snapshot.kinds["trial"]?.failures == [:])
    }
  }

  @Test func `files, sockets, programs and other processes are out of reach`() async throws {
    let file = NSTemporaryDirectory() + "sightline-reach-\(UUID().uuidString)"
    try Data("secret".utf8).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    try await with { workers in
      let lines = try await trial("reach \(file)", workers).get().split(separator: "\n")
      #expect(lines.count == 7)
      for line in lines { #expect(!line.hasSuffix("done"), "\(line)") }
    }
    #expect(FileManager.default.fileExists(atPath: file))
    #expect(!FileManager.default.fileExists(atPath: file + ".made"))
  }

  @Test func `fifty hostile documents at once keep nobody's honest ones`() async throws {
    try await with(2, { $0.waiting = 200 }) { workers in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          let name = ["trap", "swell", "stack", "quit", "garbage"][number % 5]
          group.addTask {
            let outcome = await trial(name, workers, client: "hostile \(number % 4)")
            guard case .failure(let failure) = outcome else {
              Issue.record("\(name) was answered")
              return
            }
            #expect(failure.isOfDocument)
          }
        }
        for client in 0..<5 {
          group.addTask {
            for number in 0..<10 {
              let outcome = await trial("echo \(number)", workers, client: "honest \(client)")
              #expect(outcome == .success("\(number)"))
            }
          }
        }
        try await group.waitForAll()
      }
      let counts = workers.metrics.snapshot.kinds["trial"]
      #expect(counts?.answered == 50)
      #expect(counts?.failures.values.reduce(0, +) == 50)
    }
  }

  @Test func `what waits is bounded, and stopping answers it`() async throws {
    try await with(
      2,
      {
        $0.waiting = 3
        $0.waitingOfClient = 2
        $0.patience = 100
      }
    ) { workers in
      #expect(await trial("echo", workers) == .success(""))
      let first = Task { await trial("sleep", workers, client: "a") }
      while workers.metrics.snapshot.reading < 1 { try await Task.sleep(for: .milliseconds(5)) }
      // One worker is left for others.
      let second = Task { await trial("sleep", workers, client: "a") }
      while workers.metrics.snapshot.waiting < 1 { try await Task.sleep(for: .milliseconds(5)) }
      #expect(await trial("echo", workers, client: "a") == .failure(.busy(ofClient: true)))
      #expect(await trial("echo", workers, client: "b") == .success(""))
      let third = Task { await trial("sleep", workers, client: "c") }
      while workers.metrics.snapshot.reading < 2 { try await Task.sleep(for: .milliseconds(5)) }
      let others = ["d", "e"].map { name in Task { await trial("echo", workers, client: name) } }
      while workers.metrics.snapshot.waiting < 3 { try await Task.sleep(for: .milliseconds(5)) }
      #expect(await trial("echo", workers, client: "f") == .failure(.busy(ofClient: false)))
      // One who does not want to know any more makes room.
      others[0].cancel()
      #expect(await others[0].value == .failure(.stopping))
      let late = Task { await trial("echo", workers, client: "g") }
      while workers.metrics.snapshot.waiting < 3 { try await Task.sleep(for: .milliseconds(5)) }
      await workers.shutdown()
      for task in [first, second, third, others[1], late] { #expect(await task.value == .failure(.stopping)) }
      #expect(await trial("echo", workers) == .failure(.stopping))
    }
  }

  @Test(arguments: ["/nowhere/sightline", "/bin/true"])
  func `a program that is no worker is told apart from busy ones`(program: String) async throws {
    try await with(
      1,
      {
        $0.place = .processes(program: program)
        $0.waitLimit = .milliseconds(500)
      }
    ) { workers in
      #expect(await trial("echo", workers) == .failure(.unavailable))
      #expect(workers.metrics.snapshot.failedStarts > 0)
      // With longer and longer pauses.
      #expect(workers.metrics.snapshot.failedStarts < 6)
    }
  }

  @Test func `a worker is replaced after its documents, and after one that took much memory`() async throws {
    try await with(1, { $0.documentsPerWorker = 2 }) { workers in
      var seen: [String] = []
      for _ in 0..<6 { seen.append(try await trial("process", workers).get()) }
      #expect(seen[0] == seen[1] && seen[2] == seen[3] && seen[4] == seen[5])
      #expect(Set(seen).count == 3)
    }
    try await with(1, { $0.retiringBytes = 1 }) { workers in
      let first = try await trial("process", workers).get()
      #expect(try await trial("process", workers).get() != first)
    }
  }

  @Test func `documents that could not be read are kept, each once and a bounded number`() async throws {
    let folder = NSTemporaryDirectory() + "sightline-kept-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await with(
      1,
      {
        $0.keepFolder = folder
        $0.keptFiles = 2
      }
    ) { workers in
      for name in ["trap", "trap", "quit 1", "quit 2"] {
        #expect(await trial(name, workers) == .failure(.trap))
      }
      #expect(await trial("echo", workers) == .success(""))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(files.count == 4, "\(files)")
    let documents = try files.filter { !$0.hasSuffix(".txt") }.map { name in
      let path = "\(folder)/\(name)"
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    #expect(Set(documents) == ["quit 1", "quit 2"])
    let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    for name in files where name.hasSuffix(".txt") {
      #expect(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).contains("kind: trial\nreason: trap\n"))
    }
  }

  @Test func `what was done is counted`() async throws {
    try await with { workers in
      _ = await trial("echo", workers)
      _ = await trial("trap", workers)
      _ = await trial("echo", workers)
      let text = workers.metrics.text
      #expect(text.contains("sightline_read_documents_total{kind=\"trial\",result=\"answered\"} 2\n"))
      #expect(text.contains("sightline_read_documents_total{kind=\"trial\",result=\"trap\"} 1\n"))
      #expect(text.contains("sightline_read_workers_started_total 2\n"))
      #expect(text.contains("sightline_read_workers 1\n"))
      #expect(workers.metrics.snapshot.kinds["trial"]?.peakBytes ?? 0 > 1 << 20)
    }
  }

  @Test func `readers of this process answer through the same queue`() async throws {
    let kind = ReadKind(9, "plain", seconds: 1, largestAnswer: 8)
    try await with(
      2,
      {
        $0.place = .thisProcess([ReadHandler(kind) { parameters, document in parameters + document }])
      }
    ) { workers in
      let answer = try await workers.read(ReadJob(kind, parameters: [1], document: [2, 3]), client: "a")
      #expect(answer == [1, 2, 3])
      await #expect(throws: ReadFailure.large) {
        try await workers.read(ReadJob(kind, document: [UInt8](repeating: 0, count: 9)), client: "a")
      }
      #expect(await trial("echo", workers) == .failure(.unavailable))
    }
  }
}
