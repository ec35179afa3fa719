/// What was seen without anything unknown in between: poses within a part of the map are known against one another, those of two parts are
/// not, until what one shows is recognised in the other.
struct MapPart: Equatable {
  /// Number that no other part ever has.
  let number: Int
  /// How uncertain its place is against the start of the map.
  let variance: MapVariance

  /// The one that the map begins with.
  static let first = MapPart(number: 0, variance: .none)

  /// The next one, when nobody knows what happened meanwhile.
  var next: MapPart { MapPart(number: number + 1, variance: MapVariance(position: 4, yaw: 0.5)) }

  static func == (a: MapPart, b: MapPart) -> Bool { a.number == b.number }
}
