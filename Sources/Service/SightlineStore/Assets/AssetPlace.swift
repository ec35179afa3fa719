public import Foundation

/// Where the bytes of files lie when it is not in the database: a folder that several machines share, a store of objects.
///
/// What they are called, whose they are and what refers to them stays in the database. A name is given once and never
/// again, so that a file that is removed is never one that somebody has just sent (``AssetName``).
public protocol AssetPlace: Sendable, CustomStringConvertible {
  /// Keeps bytes under a name that there is not yet. They are safe against a power cut when the call returns.
  func write(_ bytes: Data, name: String) async throws

  /// The bytes of a name.
  ///
  /// - Parameters:
  ///   - name: What they are called.
  ///   - size: How many they are.
  /// - Returns: The bytes; `nil` when there are none.
  /// - Throws: ``AssetPlaceError``, where the place is away or refuses.
  func read(_ name: String, size: Int) async throws -> Data?

  /// Removes bytes; those that are not there are no error.
  func remove(_ name: String) async throws
}

/// Why bytes of a file are not to be had, or not to be kept.
public enum AssetPlaceError: Error, Equatable, CustomStringConvertible {
  /// The place cannot be reached, or answers that it is not in order; trying again may help.
  case unreachable(String, reason: String)
  /// The place refuses what is asked for; the reason says what to correct.
  case refused(String, reason: String)
  /// A file lies outside the database, and nobody said where.
  case notNamed(String)
  /// A file is not where it should be.
  case lost(String, place: String)
  /// A file has other bytes than it had.
  case damaged(String, place: String)
  /// The description of a place is not well formed.
  case badAddress(String, reason: String)

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .unreachable(let place, let reason):
      "The files in \(place) cannot be reached: \(reason) Try again in a moment."
    case .refused(let place, let reason): "The files in \(place) cannot be used: \(reason)"
    case .notNamed(let hash):
      "The file \(hash) lies outside the database. Say where with --assets, as it was said when it was sent."
    case .lost(let hash, let place):
      "The file \(hash) is not in \(place), where it should be. Bring that place back from its backup, or correct --assets."
    case .damaged(let hash, let place):
      "The file \(hash) in \(place) is not the one that was sent. Bring that place back from its backup."
    case .badAddress(let text, let reason): "The place for files \"\(text)\" cannot be used: \(reason)"
    }
  }

  /// Whether trying again may help, and nothing was done.
  var isPassing: Bool { if case .unreachable = self { true } else { false } }
}

/// Names of files outside the database: `ab/abc…-0123456789abcdef`.
///
/// The hash of the content, for whoever looks, and a number that is drawn anew for each that is sent.
enum AssetName {
  static func new(for hash: Data) -> String {
    let text = hash.hexadecimal
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return "\(text.prefix(2))/\(text)-\(String(repeating: "0", count: max(0, 16 - number.count)))\(number)"
  }

  /// Whether a text is one: it becomes part of a path.
  static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count == 84, bytes[2] == UInt8(ascii: "/"), bytes[67] == UInt8(ascii: "-") else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      index == 2 || index == 67 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }
}
