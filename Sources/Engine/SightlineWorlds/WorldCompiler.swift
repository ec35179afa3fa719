import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// Makes of a world's content what the engine shows: decides heights, sizes, identities, categories and anchors.
///
/// Content is handed over piece by piece, so that a world of 250,000 places is never held twice: all overlays first, then the
/// places in document order, each followed by the overlays that it names, then the parts of their shapes.
///
/// ```swift
/// var compiler = WorldCompiler()
/// compiler.add(place)
/// let description = compiler.world
/// ```
///
/// What it decides:
/// - A place whose document gives no height, or measures it from the ground, stands at eye level (or that far above it) over
///   ground as high as where the user stands, until somebody tells how high it is; one measured from the device stands at eye level.
/// - A place on a picture or marker that may be anywhere has no position, whatever its author gave it as well: it would be
///   shown twice.
/// - A place that goes along with the user has no position besides; one that stands on a print does not go along.
/// - A picture without a size in the world begins as a square of ``pictureSide`` points until its own size is known, and is shown whole or
///   not at all. A model at a place, and a picture with a size, stands there in true size; where no height is given, or one above the
///   ground, on the ground below the user.
/// - Places on the same print share one anchor; a print that hangs where its place says, and how, tells where the user is. Its height
///   counts only where it is absolute.
/// - Heights of lines and areas count only where they are absolute; all others lie on the ground.
public struct WorldCompiler: Sendable {
  /// Side of a picture whose size is not known yet, points.
  public static let pictureSide = 72.0

  /// The world so far.
  public private(set) var world = WorldDescription()
  /// Numbers of the categories; taken over from the world that is shown beside this one, or before it.
  public private(set) var categories: CategoryNumbers
  /// What each place's altitudes are measured from.
  private var datums: [HeightDatum] = []
  private var overlayNames = OverlayNames()
  /// Place and shape of the last part of a shape.
  private var lastShape: (place: Int, shape: Int)?
  private var shapeNumber: Int32 = -1
  /// The world's anchors by what they are and where they hang.
  private var anchorsOf: [UInt64: [Int32]] = [:]
  /// How often two anchors were compared: no more than once a place, unless keys are equal by chance.
  private(set) var anchorComparisons = 0

  /// A compiler for one world.
  public init(categories: CategoryNumbers = CategoryNumbers()) { self.categories = categories }

  // MARK: The world's own

  /// Radius of the radar, metres (0: the user's radius), and whether the world wants one.
  public mutating func setRadar(range: Double, isAvailable: Bool) {
    world.radarRange = range
    world.radarAvailable = isAvailable
  }

  /// Whether models and pictures on anchors have their names beside them also while they are not selected.
  public mutating func setNames(areShown: Bool) { world.namesWhatStandsOnAnchors = areShown }

  /// When the world is fetched again, and where; an address is `nil` where there is none that can be fetched.
  public mutating func setRefresh(_ rule: RefreshRule, address: AddressID?) {
    world.refresh = rule
    world.refreshAddress = address
  }

  /// Makes room for what is known to come.
  public mutating func reserve(places: Int) {
    world.features.reserveCapacity(places)
    datums.reserveCapacity(places)
  }

  // MARK: Overlays

  /// Adds an overlay.
  public mutating func addOverlay(id: (some Collection<UInt16>)?, isHidden: Bool, action: SceneAction) {
    var overlay = SceneOverlay()
    overlay.hidden = isHidden
    overlay.action = action
    if let id {
      overlay.key = ContentKey.of(id)
      // An empty name is a name, but no place can mean it.
      if !id.isEmpty { overlayNames.add(id, index: Int32(clamping: world.overlays.count)) }
    } else {
      var key = ContentKey()
      key.add(number: world.overlays.count)
      overlay.key = key.value
    }
    world.overlays.append(overlay)
  }

  // MARK: Places

  /// Adds a place.
  public mutating func add<Text>(_ place: PlaceContent<Text>) {
    let index = world.features.count
    let isAnchored = place.print.map { $0.hanging == nil } ?? false
    let follows = place.followsUser && place.print == nil
    let latitude = isAnchored || follows ? .nan : place.latitudeDegrees
    let longitude = isAnchored || follows ? .nan : place.longitudeDegrees
    let altitude = isAnchored ? .nan : place.altitude
    var feature = SceneFeature(latitudeDegrees: latitude, longitudeDegrees: longitude)
    feature.key = key(of: place, index: index, latitude, longitude)
    feature.altitude = altitude.isNaN ? 0 : altitude
    feature.altitudeDatum = altitude.isNaN ? .ground : place.altitudeDatum
    feature.offset = place.offset
    feature.followsEye = follows
    if let print = place.print {
      feature.anchor = anchor(print, place)
      if place.visual == .model { feature.model = place.model }
    }
    feature.kind = place.visual == .model ? .text : place.visual
    if place.visual == .image {
      (feature.width, feature.height) = (Self.pictureSide, Self.pictureSide)
    } else {
      (feature.width, feature.height) = (place.label.width, place.label.height)
      (feature.compactWidth, feature.compactHeight) = (place.compactLabel.width, place.compactLabel.height)
    }
    if place.print == nil, follows || !latitude.isNaN { addThing(place, index: index) }
    feature.pivot = place.pivot.fractions
    feature.category = place.category.map { categories.number(of: $0) } ?? 0
    feature.showInRadar = place.showInRadar
    feature.visibilityRadius = place.visibilityRadius.isNaN ? 0 : place.visibilityRadius
    feature.action = place.action
    let focus = world.focusOverlays.count
    feature.focusOverlays = focus..<focus
    world.features.append(feature)
    datums.append(place.altitudeDatum)
  }

  /// A model, or a picture with a size, stands at its place in true size.
  private mutating func addThing<Text>(_ place: PlaceContent<Text>, index: Int) {
    let hasSize = place.size.x > 0 || place.size.y > 0
    guard place.visual == .model || place.visual == .image && hasSize else { return }
    var thing = SceneThing(feature: Int32(clamping: index))
    thing.isModel = place.visual == .model
    thing.model = place.model
    (thing.width, thing.height) = (place.size.x > 0 ? place.size.x : 0, place.size.y > 0 ? place.size.y : 0)
    thing.attitude = place.attitude
    world.things.append(thing)
  }

  /// The place that was added last names an overlay to be shown while it is in focus; a name that no overlay has is dropped.
  ///
  /// - Precondition: a place was added.
  public mutating func addFocusOverlay(_ name: some Collection<UInt16>) {
    guard let overlay = overlayNames.index(of: name) else { return }
    world.focusOverlays.append(overlay)
    let last = world.features.count - 1
    world.features[last].focusOverlays = world.features[last].focusOverlays.lowerBound..<world.focusOverlays.count
  }

  /// When a place's visual is shown, and how large; a rule of no place is dropped.
  public mutating func add(_ rule: DisplayRule) {
    if world.features.indices.contains(Int(rule.feature)) { world.rules.append(rule) }
  }

  /// The index of a print among the world's anchors; what several places stand on is one anchor.
  private mutating func anchor<Text>(_ print: PrintContent, _ place: PlaceContent<Text>) -> Int32 {
    var anchor = WorldAnchor(print.id, width: print.width)
    if let hanging = print.hanging {
      let isAbsolute = place.altitudeDatum.isAbsolute
      anchor.survey = AnchorSurvey(
        place: Geodetic(
          latitudeDegrees: place.latitudeDegrees,
          longitudeDegrees: place.longitudeDegrees,
          altitude: isAbsolute ? place.altitude : .nan
        ),
        altitudeDatum: isAbsolute ? place.altitudeDatum : .ellipsoid,
        facing: hanging.facing,
        elevation: hanging.elevation,
        roll: hanging.roll,
        width: print.width
      )
    }
    let index = Int32(clamping: world.anchors.count)
    let same = anchor
    // One with a number that is none equals nothing, not even itself.
    guard anchor == same else {
      world.anchors.append(anchor)
      return index
    }
    let key = Self.key(of: anchor)
    for known in anchorsOf[key] ?? [] {
      anchorComparisons += 1
      if world.anchors[Int(known)] == anchor { return known }
    }
    world.anchors.append(anchor)
    anchorsOf[key, default: []].append(index)
    return index
  }

  /// Equal for equal anchors: one print may hang at thousands of places.
  private static func key(of anchor: WorldAnchor) -> UInt64 {
    var key = ContentKey()
    let (kind, number) = anchor.id.sortKey
    key.add(UInt16(kind))
    for shift in stride(from: 48, through: 0, by: -16) { key.add(UInt16(truncatingIfNeeded: number >> shift)) }
    key.add(bitsOf: anchor.width)
    if let survey = anchor.survey {
      let place = survey.place
      // All heights that are no number are one.
      for number in [
        place.latitudeDegrees, place.longitudeDegrees, place.altitude.isNaN ? .nan : place.altitude,
        survey.facing.radians, survey.elevation.radians, survey.roll.radians,
      ] {
        key.add(bitsOf: number)
      }
    }
    return key.value
  }

  // MARK: Shapes

  /// Begins a line, or a ring of an area; its corners follow with ``addCorner(_:)``.
  ///
  /// - Parameters:
  ///   - place: index of the place it belongs to; what names no place is left out with its corners.
  ///   - shape: index of the shape among those of its place: rings of one area have the same.
  ///   - isArea: whether it is a ring.
  public mutating func addPart(ofPlace place: Int, shape: Int, isArea: Bool) {
    if lastShape?.place != place || lastShape?.shape != shape { shapeNumber &+= 1 }
    lastShape = (place, shape)
    let start = world.pathVertices.count
    guard world.features.indices.contains(place), let feature = Int32(exactly: place) else {
      lastShape = nil
      return
    }
    world.paths.append(
      ScenePath(
        feature: feature,
        shape: shapeNumber,
        isRing: isArea,
        vertices: start..<start,
        altitudeDatum: datums[place]
      )
    )
  }

  /// Adds a corner to the part that was begun last.
  public mutating func addCorner(_ corner: PathVertex) {
    guard let place = lastShape?.place else { return }
    var corner = corner
    if !datums[place].isAbsolute { corner.altitude = .nan }
    world.pathVertices.append(corner)
    let last = world.paths.count - 1
    world.paths[last].vertices = world.paths[last].vertices.lowerBound..<world.pathVertices.count
  }

  // MARK: Identity

  /// Its identifier; without one, where it stands in the document, what it is called and where it is.
  private func key<Text>(
    of place: PlaceContent<Text>,
    index: Int,
    _ latitude: Double,
    _ longitude: Double
  ) -> UInt64 {
    if let id = place.id { return ContentKey.of(id) }
    var key = ContentKey()
    key.add(number: index)
    key.add(0x2F)
    key.add(place.title)
    key.add(0x2F)
    key.add(bitsOf: latitude)
    key.add(bitsOf: longitude)
    return key.value
  }
}
