import Foundation
import SightlineContent
import SightlineGeodesy
import SightlineTestSupport
import SightlineTours
import Testing

struct TourBorderTests {
  /// An L, 200 m by 200 m with the north-east quarter missing, with its corner at an origin.
  private func bend(_ latitude: Double, _ longitude: Double) -> [Position] {
    let (north, east) = (200 / 111_195.0, 200 / (111_195.0 * cos(latitude * .pi / 180)))
    return [(0.0, 0.0), (0, 1), (0.5, 1), (0.5, 0.5), (1, 0.5), (1, 0)].map { up, right in
      let at = longitude + right * east
      return Position(latitude: latitude + up * north, longitude: at > 180 ? at - 360 : at)
    }
  }

  private func point(_ latitude: Double, _ longitude: Double, north: Double, east: Double) -> Position {
    let at = longitude + east / (111_195 * cos(latitude * .pi / 180))
    return Position(latitude: latitude + north / 111_195, longitude: at > 180 ? at - 360 : at)
  }

  @Test(arguments: [(52.0, 4.0), (-41.3, 174.8), (0.0, 0.0), (64.1, -21.9), (-17.0, 179.9995)])
  func `inside and outside of a bent area, also across the date line`(latitude: Double, longitude: Double) throws {
    let border = TourBorder(bend(latitude, longitude))
    for (north, east, isInside, distance) in [
      (50.0, 50.0, true, 50.0), (150, 50, true, 50), (50, 150, true, 50), (150, 150, false, 50), (-30, 100, false, 30),
      (100, -40, false, 40), (210, 210, false, 110 * 2.0.squareRoot()), (99, 199, true, 1),
    ] {
      let place = point(latitude, longitude, north: north, east: east)
      #expect(border.contains(place) == isInside, "\(north) m north, \(east) m east")
      let found = try #require(border.distance(from: place))
      if north != 210 { #expect(abs(found - distance) < 0.5, "\(found) for \(distance)") }
    }
  }

  @Test func `a team has left only when its accuracy cannot explain it`() {
    let border = TourBorder(bend(52, 4))
    let outside = point(52, 4, north: -30, east: 100)
    #expect(border.isLeft(by: TourFix(position: outside, accuracy: 10)))
    #expect(!border.isLeft(by: TourFix(position: outside, accuracy: 40)))
    #expect(!TourBorder([]).isLeft(by: TourFix(position: outside, accuracy: 1)))
    // A useless accuracy does not let anybody walk away.
    let far = point(52, 4, north: -150, east: 100)
    #expect(border.isLeft(by: TourFix(position: far, accuracy: 5000)))
  }

  @Test func `rounded positions lie within half a diagonal and hide where in the square one was`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let fix = TourFix(
        position: Position(
          latitude: Double.random(in: -85...85, using: &random),
          longitude: Double.random(in: -180...180, using: &random)
        ),
        accuracy: 4
      )
      let side = Double.random(in: 5...500, using: &random)
      let rounded = fix.rounded(to: side)
      #expect(fix.distance(to: rounded.position) <= side * 0.7072 * 1.01)
      #expect(rounded.accuracy == max(4, side))
      #expect(rounded.rounded(to: side).distance(to: rounded.position) < 0.01, "rounding twice changes nothing")
      #expect(fix.rounded(to: 0) == fix)
    }
  }
}
