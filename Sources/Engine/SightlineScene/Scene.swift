import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineOcclusion

/// A world around an eye, drawn from pose to pose: placement, candidates, projection, labels, radar and edge arrows.
///
/// What costs how much, and when:
/// - ``setWorld(_:)`` places every feature, O(*n* log *n*). Nothing else ever does.
/// - After a change of eye, radius, filter or selection the next frame asks the spatial index for the candidates and
///   takes their places relative to the eye, O(*k* log *k*) for *k* candidates.
/// - A frame projects the candidates and lays out those in view. In a steady state it allocates nothing.
///
/// Nothing here depends on time but the label layout's movements: equal calls give equal frames.
///
/// ```swift
/// var scene = Scene()
/// scene.setWorld(world)
/// scene.setEye(fix, datum: .ellipsoid)
/// scene.update(time: now, eastNorthUpFromDevice: q, projection: projection, into: &frame)
/// ```
public struct Scene: Sendable {
  /// The parameters in use.
  public private(set) var parameters: Parameters
  /// The world in use.
  public private(set) var world = WorldDescription()
  /// The selected feature.
  public private(set) var selected: Int32?
  /// Radius inside which features are shown, metres.
  public private(set) var radius: Double
  /// Categories that are shown: bit *n* is category *n*.
  public private(set) var categories = UInt64.max
  /// Origin of the world frame; `nil` until the eye's position is known.
  public var origin: Geodetic? { eye.origin }

  private(set) var placed = PlacedWorld()
  private var candidates = Candidates()
  private var eye = WorldEye()
  private var needsRefresh = true
  private var memory = PoseMemory()
  private var pass = ViewPass()
  private var pathPass = PathPass()
  private var layout: LabelLayout
  private var labelPass = LabelPass()
  /// What the host draws over the view; `nil`: it says nothing about it.
  private(set) var occupied: Occupied?
  private var arrowPass = ArrowPass()
  var anchors = AnchorTable()
  var anchorPass = AnchorPass()
  private var thingPass = ThingPass()
  private var hiddenPass = HiddenPass()
  /// What becomes of labels of what stands behind buildings.
  public private(set) var hiddenLabels = HiddenLabels.dim
  /// Standard deviation of the eye's position along an axis, metres.
  private var eyeSigma: Double

  /// A scene without a world or an eye.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    radius = parameters.radius
    eyeSigma = parameters.hidden.sigma
    layout = LabelLayout(parameters: parameters.layout)
  }

  // MARK: What changes rarely

  /// Replaces the world.
  ///
  /// The selection, the places of labels and their measured sizes pass to features with the same key.
  ///
  /// Values that make no sense are mended rather than refused: a feature without a valid position is never shown, an
  /// altitude that is not a number is eye level, sizes below 0 are 0, a category of 64 or more is none.
  public mutating func setWorld(_ world: WorldDescription) {
    let selectedKey = selected.map { placed.places[Int($0)].key }
    thingPass.setWorld(world)
    hiddenPass.forgetFeatures()
    placed = PlacedWorld(world, things: thingPass.things, carryingOverFrom: placed)
    anchors.setAnchors(world.anchors, before: self.world.anchors)
    anchorPass.setWorld(world)
    self.world = world
    pathPass.place(world)
    selected = selectedKey.flatMap { placed.feature(withKey: $0) }
    needsRefresh = true
  }

  /// Moves the eye.
  ///
  /// A position that is none (not finite, latitude beyond a pole) is ignored.
  ///
  /// While the altitude is unknown, features with absolute altitudes stand exactly at eye level (plus their upward
  /// offset): a height over the sea against an unknown one would put everything far up or down. So do those of the other datum
  /// while the geoid is not known. Features relative to the eye or the ground keep their altitude either way and follow the
  /// eye up and down.
  ///
  /// - Parameters:
  ///   - position: of the eye.
  ///   - datum: what its altitude is measured from; `nil` when it is unknown.
  ///   - geoidHeight: metres from the ellipsoid up to sea level there; `nil` when unknown.
  ///   - ground: height of the ground there over the sea, metres; `nil` when unknown.
  ///   - sigma: standard deviation of the position along an axis, metres; `nil` when unknown.
  public mutating func setEye(
    _ position: Geodetic,
    datum: HeightDatum?,
    geoidHeight: Double? = nil,
    ground: Double? = nil,
    sigma: Double? = nil
  ) {
    eyeSigma = sigma ?? parameters.hidden.sigma
    guard let placed = Eye(position, datum: datum, geoidHeight: geoidHeight, ground: ground) else { return }
    eye.move(to: placed, shiftDistance: parameters.originShiftDistance)
    needsRefresh = true
  }

  /// Sets the radius inside which features are shown, metres; values that are not above 0 are ignored.
  public mutating func setRadius(_ metres: Double) {
    guard metres > 0, metres != radius else { return }
    radius = metres
    needsRefresh = true
  }

  /// Sets how far the ground is below the eye where nothing better is known, metres: of things, hidden labels, lines and areas.
  public mutating func setEyeHeight(_ metres: Double) {
    parameters.things.groundBelowEye = metres
    pathPass.eyeHeight = metres
    needsRefresh = true
  }

  /// Sets which categories are shown: bit *n* is category *n*.
  public mutating func setCategories(_ categories: UInt64) {
    guard categories != self.categories else { return }
    self.categories = categories
    needsRefresh = true
  }

  /// Selects a feature or none; an index that is none selects none.
  ///
  /// The selected feature is shown whatever radius and filter say, and has an arrow of its own when out of view.
  public mutating func select(_ feature: Int32?) {
    let feature = feature.flatMap { placed.places.indices.contains(Int($0)) ? $0 : nil }
    guard feature != selected else { return }
    selected = feature
    needsRefresh = true
  }

  /// Opens a cluster, or closes it when it is open.
  public mutating func toggleCluster(_ id: Int32) { layout.toggle(cluster: id) }

  /// Takes over the size of a label as the host drew it, points.
  ///
  /// Ignored for true-size visuals and for sizes that are not.
  public mutating func setLabelSize(feature: Int32, width: Double, height: Double) {
    guard placed.setSize(feature: feature, width: width, height: height) else { return }
    candidates.setSize(feature: feature, width: width, height: height)
  }

  /// Takes over how high the ground is where a feature stands, metres over the sea; what is not a number: nobody knows.
  ///
  /// What is measured from the ground then follows its rise and fall between the eye and there.
  public mutating func setGround(feature: Int32, height: Double) {
    placed.setGround(feature: feature, height: height)
    needsRefresh = true
  }

  /// Takes over how high the ground is below a corner of a path, metres over the sea; what is not a number: nobody knows.
  ///
  /// - Parameters:
  ///   - corner: index in ``WorldDescription/pathVertices``; one that has a height of its own, or is none, stays as it is.
  ///   - height: of the ground there.
  public mutating func setGround(corner: Int32, height: Double) {
    pathPass.setGround(corner: corner, height: height)
    needsRefresh = true
  }

  /// Replaces the buildings around, behind which features may be hidden; none: everything is seen.
  ///
  /// - Complexity: O(*n*) for *n* corners, up to the walls of ``Parameters/Hidden/mostWalls``.
  public mutating func setBuildings(_ buildings: [SceneBuilding]) {
    hiddenPass.setBuildings(buildings, parameters: parameters.hidden)
    needsRefresh = true
  }

  /// Sets what becomes of labels of what stands behind buildings.
  public mutating func setHiddenLabels(_ labels: HiddenLabels) {
    guard labels != hiddenLabels else { return }
    hiddenLabels = labels
    needsRefresh = true
  }

  /// Takes over what the host draws over the view; rectangles that are none are left out.
  public mutating func setOccupied(_ occupied: Occupied) { self.occupied = occupied.sound }

  /// Where a feature stands in the world frame, metres; `nil` without eye or position.
  public func pointInWorld(feature: Int32) -> Vector3? {
    guard placed.places.indices.contains(Int(feature)) else { return nil }
    let place = placed.places[Int(feature)]
    return place.isPlaced || place.followsEye ? eye.point(of: place) : nil
  }

  // MARK: Every frame

  /// Makes a frame.
  ///
  /// - Parameters:
  ///   - time: seconds, not running backwards.
  ///   - eastNorthUpFromDevice: rotates device vectors into EastNorthUp at the eye, where sensors measure it.
  ///   - projection: the display and the camera behind it.
  ///   - frame: filled in place. Its arrays keep their room: do not hold copies of them from frame to frame, or each
  ///     frame has to make new ones.
  ///
  /// Without an eye, an orientation or a display the frame is not valid and has nothing in it but overlays.
  /// - Complexity: O(candidates + features in view · log), no heap allocation in a steady state.
  public mutating func update(
    time: Double,
    eastNorthUpFromDevice: Quaternion,
    projection: borrowing DisplayProjection,
    into frame: inout SceneFrame
  ) {
    frame.time = time
    frame.selected = selected
    frame.clear()
    frame.radar.range = radarRange
    frame.radar.isAvailable = world.radarAvailable
    anchorPass.write(into: &frame, time: time)
    if needsRefresh { refreshCandidates() }
    frame.candidateCount = candidates.count
    frame.hidden = hiddenPass.hidden
    frame.partlySeen = hiddenPass.partlySeen
    guard eye.placed != nil, projection.isUsable,
      let pose = memory.pose(
        eastNorthUpFromDevice: eastNorthUpFromDevice,
        projection: projection,
        parameters: parameters
      )
    else {
      frame.showOverlays(of: world)
      return
    }
    frame.isValid = true
    thingPass.run(pose: pose, projection: projection, parameters: parameters.things, into: &frame)
    describe(pose, eastNorthUpFromDevice, projection, in: &frame)
    let bounds = LabelBounds(
      width: frame.width,
      height: frame.height,
      roll: pose.roll,
      free: occupied?.freeArea(width: frame.width, height: frame.height)
    )
    var arrows = EdgeArrowCollector(pose: pose, halfWidthTangent: tan(frame.horizontalFieldOfView.radians / 2))
    pass.run(
      offsets: candidates.offsets,
      details: candidates.details,
      pose: pose,
      projection: projection,
      bounds: bounds,
      parameters: parameters,
      leavesOut: hiddenLabels == .leaveOut,
      layout: layout,
      things: thingPass,
      arrows: &arrows
    )
    frame.focused = pass.focused
    arrowPass.place(
      arrows,
      into: &frame.arrows,
      around: occupied,
      anchored: anchorPass.items,
      bounds: bounds,
      parameters: parameters,
      time: time
    )
    layout.update(candidates: pass.labels, bounds: bounds, obstacles: arrowPass.obstacles, time: time)
    if !bounds.isStrict {
      pass.addOutside(layout.outside, offsets: candidates.offsets, pose: pose, arrows: &arrows)
      arrowPass.write(arrows, into: &frame.arrows, bounds: bounds, parameters: parameters)
    }
    labelPass.run(layout, pass: pass, details: candidates.details, bounds: bounds, into: &frame)
    pathPass.run(pose: pose, projection: projection, into: &frame)
    memory.updateRadar(&frame.radar, pose: pose, projection: projection, blips: candidates.blips)
    frame.showOverlays(of: world)
  }

  /// What a touch means.
  ///
  /// Works on any frame, also on one held still, because it asks nothing but the frame.
  ///
  /// Features whose tap does something are preferred to those whose tap only selects.
  public func hit(_ point: Vector2, in frame: borrowing SceneFrame) -> SceneHit {
    // The closure holds the features alone: with `self` it would copy the scene, buffer by buffer.
    let features = world.features
    let hit = HitTest.hit(point, in: frame) { feature in
      features.indices.contains(Int(feature)) && features[Int(feature)].action != .none
    }
    // Labels lie over things.
    return hit == .none ? HitTest.thing(point, in: frame).map { .feature($0) } ?? .none : hit
  }

  /// Takes over the box around a feature's model or picture in true size, see ``setModelBounds(feature:_:)``.
  mutating func setThingBounds(feature: Int32, _ bounds: ModelPlacement.Bounds) -> Bool {
    guard let thing = thing(of: feature) else { return false }
    thingPass.setBounds(bounds, of: thing)
    needsRefresh = true
    return true
  }

  /// Takes over how many triangles a feature's model has, which count towards the most of a frame.
  public mutating func setModelTriangles(feature: Int32, _ count: Int32) {
    guard let thing = thing(of: feature) else { return }
    thingPass.setTriangles(count, of: thing)
    needsRefresh = true
  }

  private func thing(of feature: Int32) -> Int32? {
    guard placed.places.indices.contains(Int(feature)) else { return nil }
    let thing = placed.places[Int(feature)].thing
    return thing < 0 ? nil : thing
  }

  /// What the radar shows, metres.
  private var radarRange: Double {
    world.radarRange > 0 && world.radarRange.isFinite ? world.radarRange : radius
  }

  private mutating func refreshCandidates() {
    guard let eye = eye.placed else { return }
    needsRefresh = false
    candidates.refresh(
      placed,
      eye: eye,
      radius: radius,
      categories: categories,
      selected: selected,
      radarRange: radarRange,
      fadeFraction: parameters.fadeFraction,
      fadeOpacity: parameters.fadeOpacity
    )
    hiddenPass.run(
      &candidates,
      placed,
      eye: eye,
      sigma: eyeSigma,
      labels: hiddenLabels,
      parameters: parameters
    )
    thingPass.refresh(candidates, placed, eye: eye, parameters: parameters.things)
    pathPass.refresh(world, placed, eye: eye, radius: radius, categories: categories, selected: selected)
  }

  private func describe(
    _ pose: ViewPose,
    _ eastNorthUpFromDevice: Quaternion,
    _ projection: borrowing DisplayProjection,
    in frame: inout SceneFrame
  ) {
    frame.width = projection.display.width
    frame.height = projection.display.height
    frame.worldFromDevice = eye.worldFromEye * (eastNorthUpFromDevice.normalized ?? .identity)
    frame.eyeInWorld = eye.inWorld
    frame.bearing = pose.bearing
    frame.pitch = pose.pitch
    frame.roll = pose.roll
    frame.horizontalFieldOfView = projection.horizontalFieldOfView
    frame.verticalFieldOfView = projection.verticalFieldOfView
    writeClipMatrix(
      into: &frame.clipFromWorld,
      displayFromWorld: pose.displayFromEastNorthUp * Matrix3(eye.worldFromEye.inverse),
      eyeInWorld: eye.inWorld,
      projection: projection,
      near: parameters.nearPlane,
      far: parameters.farPlane
    )
  }
}
