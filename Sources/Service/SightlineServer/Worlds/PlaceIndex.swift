import Foundation
import SightlineGeodesy
import SightlineStore

/// The places of one world, ready to be searched and written.
///
/// Built once for a version of the world and never changed; contiguous arrays, no object for a place.
final class PlaceIndex: Sendable {
  let world: String
  let generation: Int64
  let index: GeodeticIndex
  let latitudes: [Double]
  let longitudes: [Double]
  /// Metres; not a number where the source gives none.
  let altitudes: [Double]
  /// `Dimension.places` index of each.
  let positions: [Int32]
  /// For each place `"world":…,"index":…,"id":…,"title":…` as JSON, one after the other.
  private let texts: [UInt8]
  private let textEnds: [Int]
  /// A sphere round all places, on the unit sphere in ECEF axes: worlds too far away are not searched.
  private let center: (x: Double, y: Double, z: Double)
  private let radius: Double

  init(world: String, list: PlaceList) {
    self.world = world
    generation = list.generation
    let places = list.places
    latitudes = places.map(\.latitude)
    longitudes = places.map(\.longitude)
    altitudes = places.map { $0.altitude ?? .nan }
    positions = places.map { Int32(truncatingIfNeeded: $0.index) }
    index = GeodeticIndex(latitudes: latitudes, longitudes: longitudes)

    var texts: [UInt8] = []
    texts.reserveCapacity(places.count * 64)
    var ends: [Int] = []
    ends.reserveCapacity(places.count)
    for place in places {
      JSONWriter.write("\"world\":", to: &texts)
      JSONWriter.writeString(world, to: &texts)
      JSONWriter.write(",\"index\":", to: &texts)
      JSONWriter.writeInteger(place.index, to: &texts)
      JSONWriter.write(",\"id\":", to: &texts)
      if let id = place.id { JSONWriter.writeString(id, to: &texts) } else { JSONWriter.write("null", to: &texts) }
      JSONWriter.write(",\"title\":", to: &texts)
      JSONWriter.writeString(place.title, to: &texts)
      ends.append(texts.count)
    }
    self.texts = texts
    textEnds = ends
    (center, radius) = PlaceIndex.boundingSphere(latitudes: latitudes, longitudes: longitudes)
  }

  /// Largest distance along the ground, metres, that no place of this world is nearer than.
  func distanceBound(from point: Geodetic) -> Double {
    let p = PlaceIndex.unitVector(latitude: point.latitudeDegrees, longitude: point.longitudeDegrees)
    let x = p.x - center.x
    let y = p.y - center.y
    let z = p.z - center.z
    let chord = (x * x + y * y + z * z).squareRoot() - radius
    // An arc is never shorter than its chord. The millimetre covers the rounding of both.
    return max(0, chord * WGS84.meanRadius - 0.001)
  }

  /// Writes one place as an object.
  func write(_ index: Int, distance: Double, to json: inout JSONWriter) {
    json.beginObject()
    let start = index == 0 ? 0 : textEnds[index - 1]
    texts.withUnsafeBytes { bytes in
      json.rawMembers(UnsafeRawBufferPointer(rebasing: bytes[start..<textEnds[index]]))
    }
    json.member("latitude", latitudes[index])
    json.member("longitude", longitudes[index])
    json.name("altitude")
    // Not a number is how a missing altitude is kept; the writer makes null of it.
    json.value(altitudes[index])
    json.name("distance")
    json.thousandths(distance)
    json.endObject()
  }

  private static func unitVector(latitude: Double, longitude: Double) -> (x: Double, y: Double, z: Double) {
    let φ = latitude * .pi / 180
    let λ = longitude * .pi / 180
    return (cos(φ) * cos(λ), cos(φ) * sin(λ), sin(φ))
  }

  private static func boundingSphere(
    latitudes: [Double],
    longitudes: [Double]
  ) -> (center: (x: Double, y: Double, z: Double), radius: Double) {
    var low = (x: 2.0, y: 2.0, z: 2.0)
    var high = (x: -2.0, y: -2.0, z: -2.0)
    for (latitude, longitude) in zip(latitudes, longitudes) {
      let p = unitVector(latitude: latitude, longitude: longitude)
      low = (min(low.x, p.x), min(low.y, p.y), min(low.z, p.z))
      high = (max(high.x, p.x), max(high.y, p.y), max(high.z, p.z))
    }
    guard low.x <= high.x else { return ((0, 0, 0), 0) }
    let center = (x: (low.x + high.x) / 2, y: (low.y + high.y) / 2, z: (low.z + high.z) / 2)
    let half = (x: high.x - center.x, y: high.y - center.y, z: high.z - center.z)
    return (center, (half.x * half.x + half.y * half.y + half.z * half.z).squareRoot())
  }
}
