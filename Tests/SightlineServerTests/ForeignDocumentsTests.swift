import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import SightlineContent
import SightlinePictures
import SightlineReadWorkers
import SightlineTestSupport
import Testing

@testable import SightlineServer

/// Foreign documents are read apart: what is too much for a reader costs one answer.
@Suite(.serialized) struct ForeignDocumentsTests {
  private func open(_ fixture: ServerFixture, _ port: Int, _ path: String) async throws -> TestResponse {
    try await fixture.request(
      "/api/v1/open",
      .post,
      headers: [.contentType: "application/x-www-form-urlencoded"],
      body: "url=http://127.0.0.1:\(port)/\(path)"
    )
  }

  private static let small =
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":[10,48]},"properties":{"name":"Minster"}}"#

  /// An honest document that needs some memory and time.
  private static let large: String = {
    let point = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[10,48]},"properties":{"name":"P"}}"#
    return #"{"type":"FeatureCollection","features":["# + Array(repeating: point, count: 30_000).joined(separator: ",")
      + "]}"
  }()

  /// A document that is more than the memory that the test gives, before anything is made of it.
  private static let wide = small + String(repeating: " ", count: 24 << 20)

  private func with(
    _ change: (inout ReadWorkersOptions) -> Void,
    _ body: @Sendable (ServerFixture, Int, ReadWorkers) async throws -> Void
  ) async throws {
    var options = TestReaders.options()
    options.workers = 1
    change(&options)
    let workers = try ReadWorkers(options, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await TestHost.with { request in
        .text(request.target.contains("large") ? Self.large : request.target.contains("wide") ? Self.wide : Self.small)
      } _: { host in
        let fixture = try await ServerFixture(readWorkers: workers) {
          $0.proxy.allowsPrivateAddresses = true
          $0.proxy.largestBody = 32 << 20
          // Many megabytes among hundreds of other tests; they are not about the way here.
          $0.proxy.timeLimit = .seconds(300)
          $0.proxy.connectLimit = .seconds(120)
          $0.proxy.ports = [80, 443, host.port]
        }
        try await body(fixture, host.port, workers)
      }
    } catch {
      await workers.shutdown()
      throw error
    }
    await workers.shutdown()
  }

  @Test func `a document that takes too much memory costs its own answer`() async throws {
    try await with({ $0.mebibytes = 16 }) { fixture, port, workers in
      #expect(try await open(fixture, port, "small").status == .ok)
      try expectProblem(try await open(fixture, port, "wide"), 422, "document.unreadable")
      #expect(try await open(fixture, port, "small").status == .ok)
      #expect(workers.metrics.snapshot.kinds["world"]?.failures == ["memory": 1])
    }
  }

  @Test func `a document that takes too much time costs its own answer`() async throws {
    // A two-hundredth of a second of the processor; the clock is not what ends it.
    try await with({ $0.patience = 0.01 }) { fixture, port, workers in
      var answers: [Int] = []
      for _ in 0..<3 { answers.append(try await open(fixture, port, "large").status.code) }
      #expect(answers.allSatisfy { $0 == 422 }, "\(answers)")
      #expect(workers.metrics.snapshot.kinds["world"]?.failures == ["time": 3])
    }
  }

  @Test func `too many documents are refused with a time to come again`() async throws {
    try await with({ $0.waitingOfClient = 0 }) { fixture, port, _ in
      let refused = try await open(fixture, port, "small")
      try expectProblem(refused, 429, "reading.too-many")
      #expect(refused.headers[.retryAfter] == "5")
    }
    try await with({ $0.waiting = 0 }) { fixture, port, _ in
      let refused = try await open(fixture, port, "small")
      try expectProblem(refused, 503, "reading.busy")
      #expect(refused.headers[.retryAfter] == "5")
    }
  }

  @Test func `every failure has words for the user`() throws {
    let all: [ReadFailure] = [
      .trap, .memory, .time, .large, .garbage, .busy(ofClient: true), .busy(ofClient: false), .unavailable, .stopping,
    ]
    for failure in all {
      let problem = failure.problem
      #expect(problem.detail.hasSuffix("."))
      #expect(failure.isOfDocument == (problem.status == .unprocessableContent))
      #expect(failure.isOfDocument == problem.detail.hasPrefix("The document could not be read: "))
      #expect(failure.isOfDocument || problem.headers[.retryAfter] != nil)
    }
  }

  @Test func `damaged answers of a worker are refused, not believed`() throws {
    let picture = try Picture(width: 40, height: 30, layout: .rgb, pixels: [UInt8](repeating: 90, count: 3600)).png()
    var dimension = SightlineContent.Dimension()
    dimension.name = "W"
    dimension.places = [place("A", 1, 2)]
    let reading = Reading(
      dimension: dimension,
      problems: [Problem(.info, "x", line: nil, path: "", message: "m")]
    )
    let world = ForeignAnswers.write(
      reading,
      format: "kml",
      files: [PackedFile(name: "a.png", outcome: PackedFile.Outcome(picture, side: 64))]
    )
    let read = try ForeignAnswers.world(world)
    #expect(try read.dimension == dimension)
    #expect(try read.problems == reading.problems)
    #expect(read.files.count == 1)
    let large = try Picture(width: 90, height: 80, layout: .rgb, pixels: [UInt8](repeating: 9, count: 21_600)).png()
    let poster = ForeignAnswers.write(try PosterPictures.make(Data(large)))
    _ = try ForeignAnswers.poster(poster).get()
    var random = SplitMix64(seed: 91)
    for answer in [world, poster] {
      for count in stride(from: 0, to: answer.count, by: 7) {
        #expect(throws: WireReader.Malformed.self) {
          if answer == world {
            _ = try ForeignAnswers.world(Array(answer[..<count]))
          } else {
            _ = try ForeignAnswers.poster(Array(answer[..<count]))
          }
        }
      }
      for _ in 0..<2000 {
        var damaged = answer
        for _ in 0..<3 {
          damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        // Whatever comes of it: nothing that is larger than it may be, and no trap.
        if let world = try? ForeignAnswers.world(damaged) {
          #expect(world.files.count <= PackedPictures.mostFiles)
          _ = try? world.dimension
          _ = try? world.problems
        }
        if case .success(let made)? = try? ForeignAnswers.poster(damaged) { #expect(made.renditions.count <= 8) }
      }
    }
  }
}
