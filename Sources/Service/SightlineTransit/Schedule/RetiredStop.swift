/// A stop that was in an earlier feed and is in use no more.
///
/// It is not found by searching, but for a month whoever kept its id (a favourite, a link, a printed code) is told its name and that
/// it is not served any more.
public struct RetiredStop: Sendable, Equatable {
  /// Seconds for which it is known by its id.
  public static let knownFor = 30 * 86_400
  /// Seconds after which it is forgotten for good.
  static let keptFor = 31 * 86_400

  /// Id in the feed.
  public let id: String
  /// Its last name.
  public let name: String
  /// Platform code; empty when there was none.
  public let platform: String
  /// Degrees; `nil` where the feed gave none.
  public let latitude: Double?
  /// Degrees.
  public let longitude: Double?
  /// Time of the import that did not bring it any more, POSIX seconds.
  public let since: Int
}
