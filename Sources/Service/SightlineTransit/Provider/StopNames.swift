import Foundation
import SightlineGeodesy
import SightlineInput
import Synchronization

/// What somebody typed to find a stop by its name: words, each the beginning of a word of the name or at least a part of it.
///
/// Capitals, accents and punctuation do not matter.
public struct StopQuery: Sendable {
  /// Each with a blank before it.
  let words: [[UInt8]]

  /// A query; `nil` when there is no letter or digit in the text.
  public init?(_ text: String) {
    let folded = Self.folded(text)
    words = folded.split(separator: 0x20).prefix(Self.mostWords).map { [0x20] + $0 }
    if words.isEmpty { return nil }
  }

  private static let mostWords = 8

  /// How well a folded name fits: 0 when it begins so, 1 when its words do, 2 when the words are somewhere in it; `nil` when
  /// it does not fit.
  func rank(_ name: ArraySlice<UInt8>) -> Int? {
    if words.allSatisfy({ Self.contains(name, $0[...]) }) { return name.starts(with: words[0]) ? 0 : 1 }
    return words.allSatisfy { Self.contains(name, $0.dropFirst()) } ? 2 : nil
  }

  private static func contains(_ text: ArraySlice<UInt8>, _ part: ArraySlice<UInt8>) -> Bool {
    guard let first = part.first, text.count >= part.count else { return part.isEmpty }
    for start in text.startIndex...(text.endIndex - part.count) where text[start] == first {
      if text[start..<(start + part.count)].elementsEqual(part) { return true }
    }
    return false
  }

  /// Small letters without accents, one blank before each word and nothing else.
  static func folded(_ text: String) -> [UInt8] {
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
    let plain =
      isPlain ? text : text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(plain.utf8.count + 1)
    var isWord = false
    for scalar in plain.unicodeScalars {
      let counts = isLetter(scalar)
      if counts, !isWord { bytes.append(0x20) }
      if counts { bytes += String(scalar).utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
      isWord = counts
    }
    return bytes
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value) }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}

/// A stop found by its name.
public struct NamedStop: Equatable, Sendable {
  /// How well the name fits, 0 the best.
  public let rank: Int
  /// The stop.
  public let found: StopSearch.Found
}

/// The names of a directory's stops as they are compared, made when they are first asked for.
final class StopNames: Sendable {
  private struct Text: Sendable {
    var bytes: [UInt8] = []
    var ends: [Int] = []
  }

  private let text = Mutex<Text?>(nil)

  /// The stops whose names fit, best first, nearest first among equals.
  ///
  /// - Parameters:
  ///   - query: what the name has to have.
  ///   - limit: how many at most.
  ///   - place: where from.
  ///   - stops: numbers of the stops, always the same.
  ///   - stop: a stop by its number.
  /// - Returns: the stops with how well their names fit and how far they are.
  func find(
    _ query: StopQuery,
    limit: Int,
    near place: Geodetic,
    among stops: some Collection<Int>,
    _ stop: (Int) -> TransitStop
  ) -> [NamedStop] {
    let text = self.text.withLock { known in
      if let known { return known }
      var made = Text()
      for number in stops {
        made.bytes += StopQuery.folded(stop(number).name)
        made.ends.append(made.bytes.count)
      }
      known = made
      return made
    }
    var named: [NamedStop] = []
    var start = 0
    for (number, end) in zip(stops, text.ends) {
      if let rank = query.rank(text.bytes[start..<end]) {
        let at = stop(number)
        let distance = greatCircleDistance(
          from: place,
          to: Geodetic(latitudeDegrees: at.latitude, longitudeDegrees: at.longitude)
        )
        if distance.isFinite { named.append(NamedStop(rank: rank, found: .init(stop: number, distance: distance))) }
      }
      start = end
    }
    named.sort { ($0.rank, $0.found.distance, $0.found.stop) < ($1.rank, $1.found.distance, $1.found.stop) }
    return Array(named.prefix(limit))
  }
}
