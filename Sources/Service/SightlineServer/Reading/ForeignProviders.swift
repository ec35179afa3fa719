public import Foundation
public import SightlineReadWorkers
public import SightlineTransit

/// Reads what providers of public transport answer in the workers for foreign documents.
///
/// Each provider has one of these, and is a client of its own in the queue: however much one of them sends, the others, and
/// the documents of users, get their turns.
public struct ForeignProviders: ProviderReading {
  private let workers: ReadWorkers
  /// Before the queue: a provider may answer many questions at one moment, and the queue's places are everybody's.
  private let gate = FetchGate(ForeignProviders.atOnce)

  /// Answers of a provider that wait in the queue or are read.
  static let atOnce = 4

  /// A reader that gives a provider's answers to workers.
  public init(_ workers: ReadWorkers) { self.workers = workers }

  /// Reads a GTFS-Realtime message.
  public func realtime(_ message: [UInt8], of provider: String) async throws(ProviderFailure) -> RealtimeMessage {
    try await read(ReadJob(ForeignReaders.realtime, document: message), provider) {
      reader throws(WireReader.Malformed) in try ForeignAnswers.realtime(&reader)
    }
  }

  /// Reads a SIRI answer.
  public func siri(
    _ answer: [UInt8],
    isXML: Bool,
    timeZone: TimeZone,
    of provider: String
  ) async throws(ProviderFailure) -> SIRIDelivery {
    let parameters = ForeignReaders.Parameters.siri(isXML: isXML, timeZone: timeZone.identifier)
    return try await read(ReadJob(ForeignReaders.siri, parameters: parameters, document: answer), provider) {
      reader throws(WireReader.Malformed) in try ForeignAnswers.siri(&reader)
    }
  }

  /// Reads an answer in the plain JSON form.
  public func plain(_ answer: [UInt8], of provider: String) async throws(ProviderFailure) -> PlainDelivery {
    try await read(ReadJob(ForeignReaders.board, document: answer), provider) {
      reader throws(WireReader.Malformed) in try ForeignAnswers.plain(&reader)
    }
  }

  /// Reads a list of stops.
  func stops(
    _ list: [UInt8],
    grid: StopList.Grid,
    of provider: String
  ) async throws(ProviderFailure) -> [ListDirectory.Entry] {
    let parameters = ForeignReaders.Parameters.stops(grid)
    return try await read(ReadJob(ForeignReaders.stops, parameters: parameters, document: list), provider) {
      reader throws(WireReader.Malformed) in try ForeignAnswers.stops(&reader)
    }
  }

  private func read<Content: Sendable>(
    _ job: ReadJob,
    _ provider: String,
    _ content: @Sendable (inout WireReader) throws(WireReader.Malformed) -> Content
  ) async throws(ProviderFailure) -> Content {
    try await gate.enter()
    defer { gate.leave() }
    let bytes: [UInt8]
    do throws(ReadFailure) { bytes = try await workers.read(job, client: "provider \(provider)") } catch {
      throw error.ofProvider
    }
    let result: Result<Content, ProviderFailure>
    do throws(WireReader.Malformed) { result = try ForeignAnswers.provided(bytes, content: content) } catch {
      throw ReadFailure.garbage.ofProvider
    }
    return try result.get()
  }
}

extension ReadFailure {
  /// What it means for a provider's answer: what the answer is to blame for counts against the provider.
  var ofProvider: ProviderFailure {
    switch self {
    case .trap: .malformed("its reader failed on it")
    case .memory: .malformed("it takes more memory than is given to one answer")
    case .time: .malformed("it takes more time than is given to one answer")
    case .large: .malformed("it holds more than is taken of one answer")
    case .garbage: .malformed("its reader gave no answer that makes sense")
    case .busy, .stopping: .busy
    case .unavailable: .broken("no worker that reads foreign documents can be started")
    }
  }
}
