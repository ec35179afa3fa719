/// Why there is no stream of departures.
enum TransitStreamError: Error, Equatable {
  /// The network has as many streams as it may have.
  case tooMany(Int)
  /// The server has as many streams as it can.
  case full
  /// There is no such stream, or no more.
  case unknown
}
