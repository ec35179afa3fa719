import Foundation

/// Where a page ended: the last poster's place in the order.
///
/// Keyset paging: a page never repeats or leaves out a poster because others were added meanwhile, and the hundredth
/// page costs no more than the first.
enum PosterCursor: Equatable {
  case title(String, id: String)
  case newest(Int64, id: String)
  case relevance(Double, id: String)

  /// Written with letters that need no encoding in an address.
  var text: String {
    switch self {
    case .title(let key, let id): "t~\(Data(key.utf8).hexadecimal)~\(id)"
    case .newest(let added, let id): "n~\(added)~\(id)"
    case .relevance(let rank, let id): "r~\(rank)~\(id)"
    }
  }

  init?(_ text: String) {
    let parts = text.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, WorldIdentifier.isValid(parts[2]) else { return nil }
    switch parts[0] {
    case "t":
      guard let bytes = Data(hexadecimal: parts[1]), let key = String(data: bytes, encoding: .utf8) else { return nil }
      self = .title(key, id: parts[2])
    case "n":
      guard let added = Int64(parts[1]) else { return nil }
      self = .newest(added, id: parts[2])
    case "r":
      guard let rank = Double(parts[1]), rank.isFinite else { return nil }
      self = .relevance(rank, id: parts[2])
    default: return nil
    }
  }
}

/// Text as it is compared and looked for.
enum PosterText {
  /// Lower case without accents, so that `Zwölf` stands among the Z and is found by `zwolf`.
  static func key(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
      .replacing("\0", with: "")
  }

  /// The words of a query, every one of which has to begin some word of the poster; `nil` without any word.
  static func words(_ text: String) -> [Substring]? {
    let found = text.split { !$0.isLetter && !$0.isNumber }.prefix(12)
    return found.isEmpty ? nil : found.map { $0.prefix(60) }
  }
}
