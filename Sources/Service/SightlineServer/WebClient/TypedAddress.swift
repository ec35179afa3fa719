/// An address of the web client's as somebody types it who has read it aloud or off paper: without the `#`.
///
/// The client's parts stand after `/#/`, so that they need no server; `/join/7K2QX` would lead to nothing.
enum TypedAddress {
  /// The first words of addresses after `/#/`: worlds, and the parts that `app/parts.js` lists.
  static let parts: Set<Substring> = [
    "account", "design", "join", "markers", "open", "place", "posters", "scan", "show", "studio", "tours", "transit",
    "world",
  ]

  /// Where a request's target leads to when it begins with one of the ``parts``; `nil` when it does not.
  ///
  /// What follows, the query too, stays as it was sent.
  static func location(of target: String) -> String? {
    guard target.first == "/" else { return nil }
    let rest = target.dropFirst()
    let first = rest.prefix { $0 != "/" && $0 != "?" }
    return parts.contains(first) ? "/#/\(rest)" : nil
  }
}
