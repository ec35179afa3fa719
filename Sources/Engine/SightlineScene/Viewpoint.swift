import SightlineGeodesy
import SightlineMath

/// A place to stand from which much of a world is seen, and which way to look.
public struct Viewpoint: Equatable, Sendable {
  /// Where the eye is; its altitude is not a number when no feature nearby has one of its own.
  public var position: Geodetic
  /// What its altitude is measured from.
  public var altitudeDatum = HeightDatum.seaLevel
  /// Clockwise from true north.
  public var heading: Angle
}

extension Scene {
  /// Where somebody who may stand anywhere begins: among the features, towards most of them.
  ///
  /// Of the middle of the world and points 250 and 600 m around it, and of every fifth degree, it is the view with most in the
  /// picture. What is at hand, and what is at the end of the world, counts less; something right before the eye counts
  /// against a place.
  ///
  /// - Parameters:
  ///   - given: where the user wants to stand; `nil`: anywhere.
  ///   - halfView: half of the picture's horizontal field of view.
  /// - Returns: `nil` for a world without places.
  /// - Complexity: O(*n*) for the world's *n* features, and O(17 · 72 · *k*) for the *k* ≤ 2000 within one and a half radii.
  public func viewpoint(near given: Geodetic?, halfView: Angle) -> Viewpoint? {
    var (latitudes, longitudes): ([Double], [Double]) = ([], [])
    for k in 0..<placed.places.count where placed.places[k].isPlaced {
      latitudes.append(world.features[k].latitudeDegrees)
      longitudes.append(world.features[k].longitudeDegrees)
    }
    guard !latitudes.isEmpty else { return nil }
    let middle = Geodetic(
      latitudeDegrees: given?.latitudeDegrees ?? quantile(latitudes, 0.5),
      longitudeDegrees: given?.longitudeDegrees ?? quantile(longitudes, 0.5)
    )
    let (near, seaHeights, ellipsoidHeights) = around(middle)
    var best = Viewpoint(position: middle, heading: .zero)
    var most = -1.0
    // The middle itself, and twice eight points around it.
    for way in 0..<(given == nil ? 17 : 1) {
      let eye =
        way == 0 ? middle : middle.moved(heading: Angle(degrees: 45 * Double(way)), forward: way < 9 ? 250 : 600)
      let (heading, weight) = busiest(EastNorthUpFrame(origin: eye), near, 0.85 * halfView.degrees)
      if weight > most {
        best = Viewpoint(position: eye, heading: Angle(degrees: heading))
        most = weight
      }
    }
    let heights = seaHeights.isEmpty ? ellipsoidHeights : seaHeights
    if seaHeights.isEmpty { best.altitudeDatum = .ellipsoid }
    // Tops of towers say little about where one stands: the lower places do.
    best.position.altitude = heights.isEmpty ? .nan : quantile(heights, 0.15) + 1.7
    return best
  }

  /// Where the features within one and a half radii are in the Earth-centred frame, and the heights of those that have one, by
  /// what they are measured from.
  private func around(_ middle: Geodetic) -> (near: [Vector3], overSea: [Double], overEllipsoid: [Double]) {
    let here = EastNorthUpFrame(origin: middle)
    var (near, overSea, overEllipsoid): ([Vector3], [Double], [Double]) = ([], [], [])
    for k in 0..<placed.places.count where placed.places[k].isPlaced && near.count < 2000 {
      let point = placed.places[k].point
      let d = here.point(Geocentric(x: point.x, y: point.y, z: point.z))
      guard hypot(d.x, d.y) < 1.5 * radius else { continue }
      near.append(point)
      switch placed.places[k].datum {
      case .seaLevel: overSea.append(world.features[k].altitude)
      case .ellipsoid: overEllipsoid.append(world.features[k].altitude)
      case .ground, .eye: break
      }
    }
    return (near, overSea, overEllipsoid)
  }
}

/// The direction with most in the picture, degrees clockwise from north, and how much that is.
private func busiest(_ eye: EastNorthUpFrame, _ near: [Vector3], _ halfView: Double) -> (Double, Double) {
  var weights = InlineArray<72, Double>(repeating: 0)
  var crowd = 0.0
  for point in near {
    let d = eye.point(Geocentric(x: point.x, y: point.y, z: point.z))
    let distance = hypot(d.x, d.y)
    let azimuth = Angle(radians: atan2(d.x, d.y)).degrees
    if distance < 40 { crowd = 1 }
    let weight = distance > 60 ? (distance < 150 ? 0.6 : 1) / (1 + distance / 2500) : 0
    for k in 0..<72 {
      let off = abs(azimuth - 5 * Double(k))
      if min(off, abs(360 - off)) < halfView { weights[k] += weight }
    }
  }
  var best = 0
  for k in 1..<72 where weights[k] > weights[best] { best = k }
  return (5 * Double(best), weights[best] - crowd)
}

/// The value below which a part of them lies, by bisection of −10⁹ … 10⁹: no sort is linked for what is asked once.
private func quantile(_ values: [Double], _ part: Double) -> Double {
  var (low, high) = (-1e9, 1e9)
  for _ in 0..<100 {
    let middle = 0.5 * (low + high)
    var below = 0.0
    for value in values where value <= middle { below += 1 }
    if below > part * Double(values.count) { high = middle } else { low = middle }
  }
  return high
}
