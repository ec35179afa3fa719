import Foundation
import SightlineContent

extension Place {
  /// The position with the offset to the north in it, the offset to the east, and how far up it is raised: about the directions
  /// of the other two offsets the original clients disagree.
  ///
  /// What stands on a marker or a picture keeps its offset, which is in the frame of that, and so does what goes along with the user.
  var withPortableOffset: (position: Position?, offset: Offset, raised: Double) {
    guard marker == nil, target == nil, followsUser != true, var position, offset.north != 0 || offset.up != 0 else {
      return (position, offset, 0)
    }
    // Radius of the meridian's curve, WGS84.
    let (radius, squaredEccentricity) = (6_378_137.0, 0.006_694_379_990_141_3)
    let sine = sin(position.latitude * .pi / 180)
    let curve = radius * (1 - squaredEccentricity) / pow(1 - squaredEccentricity * sine * sine, 1.5)
    let latitude = position.latitude + offset.north / curve * 180 / .pi
    guard abs(latitude) <= 90, offset.up.isFinite else { return (position, offset, 0) }
    position.latitude = latitude
    return (position, Offset(east: offset.east), offset.up)
  }
}
