public import Foundation

/// The operator's service that finds addresses by name, and how much it is asked.
public struct GeocoderOptions: Sendable {
  /// How a service wants to be asked.
  ///
  /// What it answers is read in either form, whichever comes.
  public enum Form: Equatable, Sendable {
    /// `?q=…&limit=…&lat=…&lon=…&lang=…`, answered with GeoJSON.
    case photon
    /// `?q=…&format=jsonv2&limit=…`, answered with an array.
    case nominatim
  }

  /// Address of the search, such as `https://photon.example.org/api` or `https://nominatim.example.org/search`.
  public var url: URL
  /// Told by the address: one that ends with `search` or `search.php` is asked as Nominatim, every other as Photon.
  public var form: Form
  /// Time for an answer.
  public var timeLimit = Duration.seconds(8)
  /// Longest answer, bytes.
  public var largestBody = 256 * 1024
  /// Seconds for which an answer is used again.
  public var freshSeconds = 24.0 * 3600
  /// Answers that are kept.
  public var mostAnswers = 2000
  /// Questions a minute, for all clients together.
  public var questionsPerMinute = 60.0
  /// Questions a minute of one network, of which half may come at once.
  public var questionsPerMinuteOfClient = 20.0

  /// A service; `nil` when the address is not a plain http or https one.
  public init?(url: String) {
    guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
      parts.host?.isEmpty == false, parts.user == nil, parts.fragment == nil, let address = parts.url
    else { return nil }
    self.url = address
    let last = parts.path.split(separator: "/").last.map { $0.lowercased() } ?? ""
    form = last == "search" || last == "search.php" ? .nominatim : .photon
  }
}
