import SightlineGeodesy
import SightlineMath

/// A world's features, placed: what is computed once per content and never per position fix or frame.
///
/// Goals in order: exact everywhere (poles, date line, any distance), independent of where the user stands, contiguous.
/// So a feature is kept as an Earth-centred point in `Double` (1e-9 m steps at the Earth's radius). Differences to the eye are
/// taken there and rotated into the EastNorthUp frame *at the eye*, which makes orientation exact wherever the world
/// frame's origin is, and an origin shift moves nothing.
///
/// Offsets are metres in the EastNorthUp frame of the feature itself, not of the device as in the original client:
/// content then means the same place for everybody, and nothing moves when the user walks. Near the user, where
/// offsets are used, both agree (0.01° of turn per kilometre at middle latitudes).
struct PlacedWorld: Sendable {
  /// A feature's place.
  ///
  /// One that follows the eye is placed with its altitude as if the eye's were 0, to be lifted along `normal` by the
  /// altitude of the eye; any other at its altitude above its own datum, see ``Eye/lift(of:)``.
  struct Place: Sendable {
    /// Earth-centred; of one that goes along with the eye metres east, north and up from that.
    var point = Vector3.zero
    /// Whether it goes along with the eye; it is then not placed on the Earth.
    var followsEye = false
    /// Whether it has a valid position at all.
    var isPlaced = false
    var normal = Vector3.zero
    /// The upward offset alone: all that is left of the height when the eye's altitude is unknown.
    var upOffset: Double = 0
    /// Metres; ∞ when the feature has no limit of its own.
    var visibilityRadius = Double.infinity
    var width: Double = 0
    var height: Double = 0
    var compactWidth: Double = 0
    var compactHeight: Double = 0
    var pivot = Vector2(0.5, 1)
    /// Identity for selection, layout and sizes; unique within the world.
    var key: UInt64 = 0
    var category: UInt8 = 0
    /// What its altitude is measured from; of one that is none it is the device.
    var datum = HeightDatum.ellipsoid
    /// Height of the ground there over the sea, metres; not a number while nobody knows.
    var ground = Double.nan
    var isTrueSize = false
    /// Whether it is a thing of its own in the open, and not some house's.
    var isInOpen = false
    var isMeasured = false
    var showInRadar = true
    var hasFocusOverlays = false
    /// Index among the things, −1 for none.
    var thing: Int32 = -1
    /// Index among the rules, −1 for none.
    var rule: Int32 = -1
    /// Whether its thing is a model, for which its name can stand in.
    var isModel = false
  }

  private(set) var places: [Place] = []
  private(set) var rules: [DisplayRule] = []
  /// Counts the worlds.
  private var generation: UInt32 = 0
  private(set) var index = GeodeticIndex(latitudes: [], longitudes: [])
  /// Features that go along with the eye.
  private(set) var followers: [Int32] = []
  /// Feature indices in ascending order of `key`.
  private var byKey: [Int32] = []

  init() {}

  /// Places a world.
  ///
  /// Sizes measured by the host are carried over from `old` for features with the same key; of `things` there are the features.
  init(_ world: WorldDescription, things: [SceneThing] = [], carryingOverFrom old: PlacedWorld) {
    generation = old.generation &+ 1
    let count = world.features.count
    var latitudes = [Double](repeating: .nan, count: count)
    var longitudes = [Double](repeating: .nan, count: count)
    places.reserveCapacity(count)
    for i in 0..<count {
      var place = Place(world.features[i])
      if world.features[i].followsEye {
        place.follow(world.features[i].offset)
        followers.append(Int32(clamping: i))
      } else if let geodetic = place.settle(world.features[i]) {
        latitudes[i] = geodetic.latitudeDegrees
        longitudes[i] = geodetic.longitudeDegrees
      }
      places.append(place)
    }
    index = GeodeticIndex(latitudes: latitudes, longitudes: longitudes)
    makeKeysUnique()
    for k in things.indices {
      places[Int(things[k].feature)].thing = Int32(clamping: k)
      places[Int(things[k].feature)].isModel = things[k].isModel
    }
    for rule in world.rules where places.indices.contains(Int(rule.feature)) {
      places[Int(rule.feature)].rule = Int32(clamping: rules.count)
      rules.append(rule)
    }
    guard !old.places.isEmpty else { return }
    for i in 0..<count {
      guard let j = old.feature(withKey: places[i].key) else { continue }
      // The ground stays where it is as long as the feature does.
      if old.places[Int(j)].normal == places[i].normal { places[i].ground = old.places[Int(j)].ground }
      guard !places[i].isTrueSize, old.places[Int(j)].isMeasured else { continue }
      places[i].width = old.places[Int(j)].width
      places[i].height = old.places[Int(j)].height
      places[i].isMeasured = true
    }
  }

  /// The feature with a key.
  func feature(withKey key: UInt64) -> Int32? {
    var low = 0
    var high = byKey.count
    while low < high {
      let middle = (low + high) / 2
      if places[Int(byKey[middle])].key < key { low = middle + 1 } else { high = middle }
    }
    return low < byKey.count && places[Int(byKey[low])].key == key ? byKey[low] : nil
  }

  /// Notes the size of a label as drawn.
  ///
  /// Ignored for true-size visuals, whose size is content.
  mutating func setSize(feature: Int32, width: Double, height: Double) -> Bool {
    guard feature >= 0, feature < Int32(places.count), !places[Int(feature)].isTrueSize else { return false }
    guard (0...Limits.size).contains(width), (0...Limits.size).contains(height) else { return false }
    places[Int(feature)].width = width
    places[Int(feature)].height = height
    places[Int(feature)].isMeasured = true
    return true
  }

  /// Notes how high the ground is where a feature stands.
  mutating func setGround(feature: Int32, height: Double) {
    guard places.indices.contains(Int(feature)) else { return }
    places[Int(feature)].ground = abs(height) <= Limits.altitude ? height : .nan
  }

  /// Gives features without a key, and all but the first of those that share one, a key of their own.
  ///
  /// The layout's memory must never confuse two labels. Such a key is made from the index and the number of the world, so
  /// that it is found in no other world: what has no identity does not survive a refresh. Hosts' keys have 53 bits, so the
  /// top bit is free.
  private mutating func makeKeysUnique() {
    sortByKey()
    var changed = false
    var previous: UInt64 = 0
    for i in byKey {
      let key = places[Int(i)].key
      if key == previous {
        places[Int(i)].key = 1 << 63 | UInt64(generation & 0x7FFF_FFFF) << 32 | UInt64(UInt32(bitPattern: i))
        changed = true
      }
      previous = key
    }
    guard changed else { return }
    sortByKey()
  }

  /// Of equal keys the first place comes first.
  private mutating func sortByKey() {
    byKey = ascendingOrder(of: places.map { $0.key })
  }
}

extension PlacedWorld.Place {
  /// Everything but the place itself.
  ///
  /// What is not a number becomes the default.
  init(_ feature: SceneFeature) {
    datum = abs(feature.altitude) <= Limits.altitude ? feature.altitudeDatum : .eye
    isTrueSize = feature.sizeMode == .trueSize
    isInOpen = isTrueSize || feature.kind == .model || feature.kind == .stop
    showInRadar = feature.showInRadar
    hasFocusOverlays = !feature.focusOverlays.isEmpty
    category = feature.category < 64 ? feature.category : 0
    key = feature.key
    upOffset = soundOrZero(feature.offset.z, limit: Limits.altitude)
    if feature.visibilityRadius > 0 { visibilityRadius = feature.visibilityRadius }
    width = max(0, soundOrZero(feature.width, limit: Limits.size))
    height = max(0, soundOrZero(feature.height, limit: Limits.size))
    if !isTrueSize {
      compactWidth = max(0, soundOrZero(feature.compactWidth, limit: Limits.size))
      compactHeight = max(0, soundOrZero(feature.compactHeight, limit: Limits.size))
    }
    if abs(feature.pivot.x) <= Limits.pivot, abs(feature.pivot.y) <= Limits.pivot { pivot = feature.pivot }
  }

  /// Makes it one that goes along with the eye.
  fileprivate mutating func follow(_ offset: Vector3) {
    followsEye = true
    datum = .eye
    point = Vector3(
      soundOrZero(offset.x, limit: Limits.altitude),
      soundOrZero(offset.y, limit: Limits.altitude),
      upOffset
    )
  }

  /// Sets point and normal; returns where the feature stands, offset included, or `nil` if it has no position.
  fileprivate mutating func settle(_ feature: SceneFeature) -> Geodetic? {
    settle(
      latitudeDegrees: feature.latitudeDegrees,
      longitudeDegrees: feature.longitudeDegrees,
      altitude: feature.altitude,
      offset: Vector3(
        soundOrZero(feature.offset.x, limit: Limits.altitude),
        soundOrZero(feature.offset.y, limit: Limits.altitude),
        upOffset
      )
    )
  }

  /// The same of a bare place, degrees and metres; `offset` east, north, up of it.
  @discardableResult
  mutating func settle(
    latitudeDegrees: Double,
    longitudeDegrees: Double,
    altitude: Double,
    offset: Vector3
  ) -> Geodetic? {
    guard abs(latitudeDegrees) <= 90, abs(longitudeDegrees) <= Limits.longitude else { return nil }
    var geodetic = Geodetic(
      latitudeDegrees: latitudeDegrees,
      longitudeDegrees: longitudeDegrees,
      altitude: soundOrZero(altitude, limit: Limits.altitude)
    )
    if offset.x != 0 || offset.y != 0 {
      geodetic = EastNorthUpFrame(origin: geodetic).geodetic(offset)
    } else {
      geodetic.altitude += offset.z
    }
    point = Geocentric(geodetic).vector
    isPlaced = true
    // The normal of the bare place: lifted along it, an offset stays what it is at every altitude.
    let latitude = Angle(degrees: latitudeDegrees).radians
    let longitude = Angle(degrees: longitudeDegrees).radians
    normal = Vector3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    return geodetic
  }

  /// Where it is over the ellipsoid.
  var geodetic: Geodetic { Geocentric(x: point.x, y: point.y, z: point.z).geodetic }
}

/// What no content or host means in earnest.
///
/// Beyond these, numbers overflow in squares and in single precision; they count as mistakes like those that are no
/// numbers.
enum Limits {
  /// Altitudes and offsets, metres.
  static let altitude = 1e8
  /// Sides of a visual, points or metres, and of a display, points.
  static let size = 1e5
  /// Fractions of a box.
  static let pivot = 100.0
  /// Degrees; more than one turn is a habit of some maps at the date line.
  static let longitude = 720.0
}

/// The value, or 0 for one that is no number or beyond a limit.
func soundOrZero(_ value: Double, limit: Double) -> Double { abs(value) <= limit ? value : 0 }
