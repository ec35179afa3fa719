import Foundation
import SightlineContent

/// The middle of a set of places, for maps and lists.
enum PlaceCenter {
  /// The direction of the sum of the unit vectors: right across the date line and at the poles, where the mean of the
  /// degrees is not.
  ///
  /// `nil` without positions, or when they cancel out.
  static func of(_ places: [Place]) -> Position? {
    var x = 0.0
    var y = 0.0
    var z = 0.0
    var count = 0.0
    for case let position? in places.map(\.position) {
      let latitude = position.latitude * .pi / 180
      let longitude = position.longitude * .pi / 180
      x += cos(latitude) * cos(longitude)
      y += cos(latitude) * sin(longitude)
      z += sin(latitude)
      count += 1
    }
    let length = (x * x + y * y + z * z).squareRoot()
    guard count > 0, length > 1e-9 * count else { return nil }
    let latitude = atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi
    let longitude = atan2(y, x) * 180 / .pi
    // A centre is a place to look at, not a survey point: 1e-7 degrees is a centimetre.
    return Position(
      latitude: (latitude * 1e7).rounded() / 1e7,
      longitude: (longitude * 1e7).rounded() / 1e7
    )
  }
}
