import SightlineFormats

/// Texts and lists of a provider's answer, cut to what a board can show: what is held of an answer is then some kilobytes a departure,
/// whatever the answer is.
package enum ProviderText {
  /// Bytes of a name, an id or what a vehicle shows.
  package static let nameBytes = 512
  /// Bytes of a notice's text.
  package static let noticeBytes = 16_384
  /// Departures that are taken of an answer; the desk asks for far fewer.
  package static let mostDepartures = 20_000
  /// Notices that are held of a provider.
  package static let mostAlerts = 10_000
  /// Periods of a notice.
  package static let mostPeriods = 100
  /// Translations of a text.
  package static let mostTranslations = 50

  /// The text, cut after so many bytes at a whole character.
  package static func cut(_ text: String, _ most: Int = nameBytes) -> String {
    guard text.utf8.count > most else { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: most)
    while end > text.startIndex, UTF8.isContinuation(text.utf8[end]) { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  /// The text of a member, cut; `nil` without.
  static func cut(_ tree: DataTree?) -> String? { tree?.string.map { cut($0) } }
}
