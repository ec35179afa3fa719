/// A notice.
public struct TransitAlert: Sendable {
  /// Lines, and stops, that one notice names at most.
  package static let mostNamed = 1000

  /// Id at its provider.
  public var id: String
  /// Heading in several languages.
  public var header = RealtimeMessage.Text()
  /// Text in several languages.
  public var text = RealtimeMessage.Text()
  /// Page.
  public var url = RealtimeMessage.Text()
  /// Why, in the words of GTFS-Realtime in small letters; `nil` unknown.
  public var cause: String?
  /// What comes of it.
  public var effect: String?
  /// `info`, `warning` or `severe`; `nil` unknown.
  public var severity: String?
  /// When it applies, POSIX seconds, `Int.max` for no end; none: now.
  public var periods: [Range<Int>] = []
  /// Ids of the lines that it is about.
  public var lines: [String] = []
  /// Ids of the stops that it is about.
  public var stops: [String] = []

  /// A notice.
  public init(id: String) { self.id = id }
}
