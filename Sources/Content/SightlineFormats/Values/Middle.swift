import Foundation
import SightlineContent

extension Position {
  /// The one position, or the middle of all on the sphere.
  ///
  /// A sum of unit vectors and not a mean of degrees, so that the date line and the poles are nothing special. `nil`
  /// without positions, and for those that cancel out, such as antipodes. The altitude is the mean, when all have one.
  static func middle(of corners: [Position]) -> Position? {
    if corners.count == 1 { return corners[0] }
    var x = 0.0
    var y = 0.0
    var z = 0.0
    for corner in corners {
      let φ = corner.latitude * .pi / 180
      let λ = corner.longitude * .pi / 180
      x += cos(φ) * cos(λ)
      y += cos(φ) * sin(λ)
      z += sin(φ)
    }
    let length = (x * x + y * y + z * z).squareRoot()
    guard length > 1e-9 * Double(corners.count), !corners.isEmpty else { return nil }
    let heights = corners.compactMap(\.altitude)
    let mean = heights.reduce(0) { $0 + $1 / Double(corners.count) }
    return Position(
      latitude: atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi,
      longitude: atan2(y, x) * 180 / .pi,
      altitude: heights.count == corners.count ? mean : nil
    )
  }
}

extension Place {
  /// Where the label of the place's shapes stands when nothing else is said: in the middle of all their corners.
  var middleOfShapes: Position? { .middle(of: (shapes ?? []).flatMap { $0.parts.flatMap { $0 } }) }
}
