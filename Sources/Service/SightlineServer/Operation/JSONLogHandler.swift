import Foundation
public import Logging
import NIOCore
import SightlineInput

/// Writes each log message as one line of JSON to standard error.
///
/// Members: `time` (UTC), `level`, `message`, then the metadata by name. Nothing of a request but its route and
/// outcome is ever given to the log: query strings and bodies hold positions of people.
public struct JSONLogHandler: LogHandler {
  /// Messages below it are dropped.
  public var logLevel: Logger.Level
  /// Written with every message.
  public var metadata: Logger.Metadata = [:]
  /// Not used.
  public var metadataProvider: Logger.MetadataProvider?
  private let label: String
  private let write: @Sendable (ByteBuffer) -> Void

  /// A handler that writes to standard error, or to `write` (a line with its end) in tests.
  public init(label: String, level: Logger.Level = .info, write: (@Sendable (ByteBuffer) -> Void)? = nil) {
    self.label = label
    logLevel = level
    self.write = write ?? JSONLogHandler.writeToStandardError
  }

  /// A value of the metadata.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes one message.
  public func log(event: LogEvent) {
    var json = JSONWriter(capacity: 256)
    json.beginObject()
    json.member("time", Timestamp.iso8601(Date()))
    json.member("level", event.level.rawValue)
    json.member("message", event.message.description)
    if let error = event.error { json.member("error", "\(error)") }
    if let own = event.metadata, !own.isEmpty {
      write(metadata.isEmpty ? own : metadata.merging(own) { $1 }, to: &json)
    } else if !metadata.isEmpty {
      write(metadata, to: &json)
    }
    json.endObject()
    var line = json.buffer
    line.writeInteger(UInt8(ascii: "\n"))
    write(line)
  }

  private func write(_ metadata: Logger.Metadata, to json: inout JSONWriter) {
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      // The framework's own identifier of a request; ours is the one that clients see.
      if key == "hb.request.id" { continue }
      json.dynamicName(key)
      write(value, to: &json)
    }
  }

  private func write(_ value: Logger.MetadataValue, to json: inout JSONWriter) {
    switch value {
    case .string(let text): json.value(text)
    case .stringConvertible(let value):
      switch value {
      case let number as Int: json.value(number)
      case let number as Double: json.value(number)
      case let flag as Bool: json.value(flag)
      default: json.value(value.description)
      }
    case .array(let values):
      json.beginArray()
      for value in values { write(value, to: &json) }
      json.endArray()
    case .dictionary(let members):
      json.beginObject()
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        json.dynamicName(key)
        write(value, to: &json)
      }
      json.endObject()
    @unknown default: json.value("\(value)")
    }
  }

  private static func writeToStandardError(_ line: ByteBuffer) {
    // One call for a line: lines of several threads do not mix, a pipe takes up to 4 KiB at once.
    line.withUnsafeReadableBytes { bytes in
      _ = Foundation.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}

/// Points of time as text.
enum Timestamp {
  /// `2026-01-31T12:34:56.789Z`, without the cost of a formatter.
  static func iso8601(_ date: Date) -> String {
    // Beyond ten thousand years there is nothing to say, and nothing to compute with.
    let limits = -62_135_596_800_000...253_402_300_799_999
    let milliseconds = Int(clamped: (date.timeIntervalSince1970 * 1000).rounded(.down)).clamped(to: limits)
    var days = milliseconds.floorDivided(by: 86_400_000)
    var rest = milliseconds - days * 86_400_000
    // Civil date from days since 1970 (proleptic Gregorian), eras of 400 years beginning on 1 March.
    days += 719_468
    let era = days.floorDivided(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let hour = rest / 3_600_000
    rest %= 3_600_000
    let minute = rest / 60_000
    rest %= 60_000
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(hour, 2)):\(digits(minute, 2)):"
      + "\(digits(rest / 1000, 2)).\(digits(rest % 1000, 3))Z"
  }
}

extension Int {
  fileprivate func floorDivided(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
