import Foundation
import Synchronization
import Testing

/// The built command line tool, started as a user starts it.
enum Tool {
  /// What a run left behind.
  struct Outcome: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The program lies beside the test's own executable.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("sightline").path

  /// A process in a folder, with no `SIGHTLINE_` variables but the given ones.
  static func process(_ arguments: [String], in folder: String, _ variables: [String: String] = [:]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SIGHTLINE_") }
      // The settings of a Sightline that is installed on this machine are no matter of a test.
      .merging(["SIGHTLINE_CONFIG": "none"]) { $1 }.merging(variables) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Runs a command to its end.
  static func run(
    _ arguments: String...,
    in folder: String,
    _ variables: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(arguments, in: folder, variables)
  }

  /// Runs a command to its end.
  static func run(
    _ arguments: [String],
    in folder: String,
    _ variables: [String: String] = [:]
  ) async throws -> Outcome {
    try await onThread {
      let process = process(arguments, in: folder, variables)
      // Files instead of pipes: neither can fill up and stop the program.
      let output = folder + "/out-\(UUID().uuidString)"
      let errors = folder + "/err-\(UUID().uuidString)"
      for file in [output, errors] { FileManager.default.createFile(atPath: file, contents: nil) }
      process.standardOutput = FileHandle(forWritingAtPath: output)
      process.standardError = FileHandle(forWritingAtPath: errors)
      try process.run()
      process.waitUntilExit()
      return Outcome(
        status: process.terminationStatus,
        output: try String(contentsOfFile: output, encoding: .utf8),
        errors: try String(contentsOfFile: errors, encoding: .utf8)
      )
    }
  }

  /// Blocking work, away from the few threads that Swift's tasks share.
  static func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
    }
  }

  /// Runs work in a folder of its own.
  static func inFolder(_ work: @Sendable (String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "sightline-tool-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await work(folder)
  }
}

/// A running `sightline serve`.
final class ServeProcess: Sendable {
  private let process: Mutex<Process>
  private let lines: Mutex<String>
  /// First line on standard output.
  let firstLine: String

  var url: String { String(firstLine.dropFirst("listening on ".count)) }

  init(_ arguments: [String], in folder: String, _ variables: [String: String] = [:]) async throws {
    let file = folder + "/serve-\(UUID().uuidString)"
    FileManager.default.createFile(atPath: file, contents: nil)
    let process = Tool.process(["serve"] + arguments, in: folder, variables)
    process.standardOutput = FileHandle(forWritingAtPath: file)
    FileManager.default.createFile(atPath: file + "-log", contents: nil)
    process.standardError = FileHandle(forWritingAtPath: file + "-log")
    try process.run()
    var text = ""
    for _ in 0..<600 {
      text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      if text.contains("\n") || !process.isRunning { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    firstLine = text.split(separator: "\n").first.map(String.init) ?? ""
    lines = Mutex(file)
    self.process = Mutex(process)
  }

  /// All of standard output, and the log.
  var output: String { (try? String(contentsOfFile: lines.withLock { $0 }, encoding: .utf8)) ?? "" }
  var log: String { (try? String(contentsOfFile: lines.withLock { $0 } + "-log", encoding: .utf8)) ?? "" }

  /// The number of the process.
  var identifier: Int32 { process.withLock { $0.processIdentifier } }

  /// Processes that this one has started and that are there, by the system's own list.
  var children: [Int32] {
    let own = process.withLock { $0.processIdentifier }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { number in
      guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return false }
      return text[end...].split(separator: " ").dropFirst(2).first.flatMap { Int32($0) } == own
    }
  }

  func signal(_ number: Int32) { process.withLock { _ = kill($0.processIdentifier, number) } }

  /// Waits for the end; the exit status, or minus the signal that ended it.
  func wait() async throws -> Int32 {
    while process.withLock({ $0.isRunning }) { try await Task.sleep(for: .milliseconds(20)) }
    return process.withLock { $0.terminationReason == .exit ? $0.terminationStatus : -$0.terminationStatus }
  }

  deinit {
    process.withLock { process in
      guard process.isRunning else { return }
      _ = kill(process.processIdentifier, SIGKILL)
    }
  }

  /// A GET of a path, or of a whole address; the body, or an empty text when there is no answer.
  func get(_ path: String) async throws -> String {
    let address = path.hasPrefix("/") ? url + path : path
    return try await Tool.onThread {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["curl", "-sS", "--max-time", "10", address]
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self)
    }
  }
}
