public import Foundation

/// Who reads what providers answer: this process, or workers that a server has for foreign documents.
///
/// Each throws ``ProviderFailure/malformed(_:)`` for an answer that cannot be read; what keeps it from being read at all is
/// the reader's own failure, such as ``ProviderFailure/busy``.
public protocol ProviderReading: Sendable {
  /// Reads a GTFS-Realtime message that came for a provider.
  func realtime(_ message: [UInt8], of provider: String) async throws(ProviderFailure) -> RealtimeMessage

  /// Reads a SIRI answer; times without an offset are meant in the time zone.
  ///
  /// - Throws: ``ProviderFailure/unknownStop`` too, when the answer says so.
  func siri(
    _ answer: [UInt8],
    isXML: Bool,
    timeZone: TimeZone,
    of provider: String
  ) async throws(ProviderFailure) -> SIRIDelivery

  /// Reads an answer in the form of ``PlainProvider``.
  func plain(_ answer: [UInt8], of provider: String) async throws(ProviderFailure) -> PlainDelivery
}

/// Reads in the process that asks: for programs without workers, where a reader that traps ends the program.
public struct DirectReading: ProviderReading {
  /// A reader.
  public init() {}

  /// Reads a GTFS-Realtime message.
  public func realtime(_ message: [UInt8], of provider: String) async throws(ProviderFailure) -> RealtimeMessage {
    do throws(RealtimeError) { return try RealtimeMessage(protobuf: message) } catch {
      throw .malformed(error.description)
    }
  }

  /// Reads a SIRI answer.
  public func siri(
    _ answer: [UInt8],
    isXML: Bool,
    timeZone: TimeZone,
    of provider: String
  ) async throws(ProviderFailure) -> SIRIDelivery {
    try SIRIDelivery(answer, isXML: isXML, clock: ServiceClock(timeZone: timeZone))
  }

  /// Reads an answer of a service with the plain JSON form.
  public func plain(_ answer: [UInt8], of provider: String) async throws(ProviderFailure) -> PlainDelivery {
    try PlainDelivery(answer)
  }
}
