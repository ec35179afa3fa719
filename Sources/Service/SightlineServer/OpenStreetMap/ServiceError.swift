/// Why a service that the operator named does not help.
enum ServiceError: Error, Equatable {
  /// The map service sent no JSON of its own.
  case mapUnreadable
  /// The map service was asked as often as it may be.
  case mapBusy
  /// The geocoder sent neither GeoJSON nor a list of places.
  case geocoderUnreadable
  /// The geocoder was asked as often as it may be.
  case geocoderBusy
}
