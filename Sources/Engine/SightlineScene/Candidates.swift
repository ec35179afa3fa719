import SightlineGeodesy
import SightlineMath
import SightlineOcclusion

/// The eye's place and its own EastNorthUp axes in Earth-centred coordinates.
struct Eye: Sendable {
  let geodetic: Geodetic
  /// What its altitude is measured from; `nil` when that is not known: features with absolute altitudes stand at eye level then.
  let datum: HeightDatum?
  /// Metres from the ellipsoid up to sea level here.
  let geoidHeight: Double?
  /// Height of the ground here over the sea, metres; not a number when unknown.
  let ground: Double
  let point: Vector3
  /// Earth-centred to EastNorthUp at the eye: the rows are its axes.
  let axes: Matrix3

  /// An eye, or `nil` if the position is not one.
  ///
  /// An altitude that is not a number counts as unknown, and an unknown altitude as 0: with everything at eye level its
  /// value shows nowhere.
  init?(_ position: Geodetic, datum: HeightDatum?, geoidHeight: Double? = nil, ground: Double? = nil) {
    guard abs(position.latitudeDegrees) <= 90, abs(position.longitudeDegrees) <= Limits.longitude else { return nil }
    self.datum = datum?.isAbsolute == true && abs(position.altitude) <= Limits.altitude ? datum : nil
    self.geoidHeight = geoidHeight
    var position = position
    if self.datum == nil { position.altitude = 0 }
    geodetic = position
    self.ground = ground ?? .nan
    point = Geocentric(position).vector
    let latitude = Angle(degrees: position.latitudeDegrees).radians
    let longitude = Angle(degrees: position.longitudeDegrees).radians
    let (sinLatitude, cosLatitude) = (sin(latitude), cos(latitude))
    let (sinLongitude, cosLongitude) = (sin(longitude), cos(longitude))
    axes = Matrix3(
      rows: Vector3(-sinLongitude, cosLongitude, 0),
      Vector3(-sinLatitude * cosLongitude, -sinLatitude * sinLongitude, cosLatitude),
      Vector3(cosLatitude * cosLongitude, cosLatitude * sinLongitude, sinLatitude)
    )
  }

  /// Earth-centred to EastNorthUp where a normal of the ellipsoid stands; at a pole as on the meridian of Greenwich.
  static func axes(normal: Vector3) -> Matrix3 {
    let length = hypot(normal.x, normal.y)
    let east = length > 0 ? Vector3(-normal.y / length, normal.x / length, 0) : Vector3(0, 1, 0)
    return Matrix3(
      rows: east,
      Vector3(-normal.z * east.y, normal.z * east.x, normal.x * east.y - normal.y * east.x),
      normal
    )
  }

  /// By how much heights above a datum are raised to be heights above this eye's: metres, `nil` when it is not known.
  ///
  /// The geoid *here* serves for all around. Of two places' heights over the ellipsoid that is exact; the horizon of
  /// the sensors is that of the geoid, to which the ellipsoid's is tilted by some 0.01°.
  func lift(of datum: HeightDatum) -> Double? {
    guard let own = self.datum else { return nil }
    return Height(0, above: datum).height(above: own, geoidHeight: geoidHeight)
  }

  /// How much higher the ground is at a place than here, metres; 0 while nobody knows.
  func rise(to place: PlacedWorld.Place) -> Double { rise(to: place.ground) }

  /// How much higher ground of a height over the sea is than here, metres; 0 while nobody knows.
  func rise(to height: Double) -> Double {
    let rise = height - ground
    return rise.isNaN ? 0 : rise
  }

  /// Whether a place is seen at the eye's level because its height, or the eye's, is not known.
  func levels(_ place: PlacedWorld.Place) -> Bool { place.datum.isAbsolute && lift(of: place.datum) == nil }

  /// Where something stands at a place that is seen at an offset from here; `drop`: how far the ground is below the eye, metres.
  ///
  /// What has no height of its own, or none that is known, stands on the ground.
  func foot(of place: PlacedWorld.Place, from offset: Vector3, drop: Double) -> Vector3 {
    place.datum == .ground || levels(place) ? Vector3(offset.x, offset.y, offset.z - drop) : offset
  }

  /// A feature's place seen from here: metres east, north, up.
  func offset(to place: PlacedWorld.Place) -> Vector3 {
    if place.followsEye { return place.point }
    let lift =
      switch place.datum {
      case .eye: geodetic.altitude
      case .ground: geodetic.altitude + rise(to: place)
      case .ellipsoid, .seaLevel: self.lift(of: place.datum)
      }
    var offset = axes * (place.point + place.normal * (lift ?? 0) - point)
    if lift == nil { offset.z = place.upOffset }
    return offset
  }
}

/// What a frame needs of one feature inside the radius and filter, beside its direction.
struct CandidateDetail: Sendable {
  var feature: Int32
  /// Along the ground, metres.
  var distance: Double
  var width: Double
  var height: Double
  var compactWidth: Double
  var compactHeight: Double
  var pivot: Vector2
  var opacity: Double
  var key: UInt64
  var isTrueSize: Bool
  var canMove: Bool
  var hasFocusOverlays: Bool
  var isSelected: Bool
  /// Its model or picture in true size, −1 for none that is shown.
  var thing: Int32
  /// By how much its label is larger than usual.
  var scale: Double
  /// Whether nothing of it is shown now but its blip and its arrow.
  var isHeldBack: Bool
  /// Whether it stands behind buildings.
  var visibility = Visibility.seen
  /// Its label is not put lower than this over the eye, metres; −∞: where the place is.
  var leastUp = -Double.infinity
}

/// The features inside the radius and the filter, nearest first (ties in document order), with their places relative to
/// the eye.
///
/// Refreshed when eye, radius, filter, content or selection change; read by every frame.
struct Candidates: Sendable {
  /// Metres east, north, up from the eye.
  private(set) var offsets: [Vector3] = []
  /// Same order as `offsets`.
  private(set) var details: [CandidateDetail] = []
  /// On the radar: same order, range and `showInRadar` applied.
  ///
  /// `position` is in units of the radar's radius with north up, as if the display's top edge pointed north.
  private(set) var blips: [RadarBlip] = []
  /// How many passed radius and filter: all but a selected feature that did not.
  private(set) var count = 0
  private var neighbors: [GeodeticIndex.Neighbor] = []

  mutating func removeAll() {
    offsets.removeAll(keepingCapacity: true)
    details.removeAll(keepingCapacity: true)
    blips.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Chooses and places the candidates.
  ///
  /// The selected feature is always one, whatever radius and filter say: somebody who chose a far place in a list wants
  /// to be led to it.
  mutating func refresh(
    _ world: borrowing PlacedWorld,
    eye: Eye,
    radius: Double,
    categories: UInt64,
    selected: Int32?,
    radarRange: Double,
    fadeFraction: Double,
    fadeOpacity: Double
  ) {
    removeAll()
    world.index.within(radius, of: eye.geodetic, into: &neighbors)
    for index in world.followers {
      guard let distance = world.distance(of: index, from: eye.geodetic), distance <= radius else { continue }
      neighbors.append(GeodeticIndex.Neighbor(index: index, distance: distance))
    }
    var kept = 0
    var sawSelected = false
    for neighbor in neighbors {
      let place = world.places[Int(neighbor.index)]
      var passes = categories >> UInt64(place.category) & 1 == 1 && neighbor.distance <= place.visibilityRadius
      if place.rule >= 0, neighbor.distance < world.rules[Int(place.rule)].nearest { passes = false }
      guard passes || neighbor.index == selected else { continue }
      neighbors[kept] = neighbor
      kept += 1
      if passes { count += 1 }
      if neighbor.index == selected { sawSelected = true }
    }
    neighbors.removeSubrange(kept...)
    if let selected, !sawSelected, let distance = world.distance(of: selected, from: eye.geodetic) {
      neighbors.append(GeodeticIndex.Neighbor(index: selected, distance: distance))
    }
    neighbors.sort { a, b in a.distance < b.distance || (a.distance == b.distance && a.index < b.index) }
    for neighbor in neighbors {
      let place = world.places[Int(neighbor.index)]
      let offset = eye.offset(to: place)
      let isSelected = neighbor.index == selected
      let isHeldBack = place.rule >= 0 && world.isHeldBack(neighbor.index, selected: selected)
      offsets.append(offset)
      details.append(
        CandidateDetail(
          feature: neighbor.index,
          distance: neighbor.distance,
          width: place.width,
          height: place.height,
          compactWidth: place.compactWidth,
          compactHeight: place.compactHeight,
          pivot: place.pivot,
          opacity: isSelected
            ? 1
            : edgeOpacity(
              distance: neighbor.distance,
              limit: min(radius, place.visibilityRadius),
              fraction: fadeFraction,
              least: fadeOpacity
            ),
          key: place.key,
          isTrueSize: place.isTrueSize,
          canMove: !place.isTrueSize,
          hasFocusOverlays: place.hasFocusOverlays,
          isSelected: isSelected,
          thing: isHeldBack ? -1 : place.thing,
          scale: place.rule < 0
            ? 1 : world.rules[Int(place.rule)].scaling?.labelScale(at: neighbor.distance) ?? 1,
          // Where a model stood its name stands in; a picture's label is the picture itself.
          isHeldBack: isHeldBack && !place.isModel
        )
      )
      if place.showInRadar, neighbor.distance <= radarRange {
        blips.append(
          RadarBlip(
            feature: neighbor.index,
            position: radarPosition(offset, distance: neighbor.distance, range: radarRange),
            isSelected: isSelected
          )
        )
      }
    }
  }

  /// Takes over whether one stands behind buildings.
  mutating func judge(_ index: Int, _ visibility: Visibility, leastUp: Double) {
    details[index].visibility = visibility
    details[index].leastUp = leastUp
  }

  /// Takes over a measured size without a refresh.
  mutating func setSize(feature: Int32, width: Double, height: Double) {
    for i in details.indices where details[i].feature == feature {
      details[i].width = width
      details[i].height = height
    }
  }
}

extension PlacedWorld {
  /// Distance along the ground, or `nil` for a feature without a place.
  func distance(of feature: Int32, from eye: Geodetic) -> Double? {
    guard feature >= 0, feature < Int32(places.count) else { return nil }
    let place = places[Int(feature)]
    if place.followsEye { return hypot(place.point.x, place.point.y) }
    guard place.isPlaced else { return nil }
    return greatCircleDistance(from: eye, to: place.geodetic)
  }
}

/// Features fade towards the limit of what is shown, so that they neither pop up nor vanish while walking: 1 up to the
/// last `fraction` of the limit, then falling linearly to `least` at the limit.
///
/// A function of distance alone.
func edgeOpacity(distance: Double, limit: Double, fraction: Double, least: Double) -> Double {
  let start = limit * (1 - fraction)
  guard distance > start, limit > start, limit.isFinite else { return 1 }
  return 1 - (1 - least) * clamp((distance - start) / (limit - start), 0, 1)
}

/// Place on the disc with north up, x right, y down: the direction of the offset at the true distance along the ground.
/// (The offset's own horizontal length shrinks again beyond a quarter of the Earth and is no distance.)
func radarPosition(_ offset: Vector3, distance: Double, range: Double) -> Vector2 {
  let horizontal = (offset.x * offset.x + offset.y * offset.y).squareRoot()
  guard horizontal > 0 else { return .zero }
  let scale = distance / range / horizontal
  return Vector2(offset.x * scale, -offset.y * scale)
}
