import SightlineGeodesy
import SightlineMath
import SightlineOcclusion

/// Judges which candidates stand behind buildings, when the eye has moved.
///
/// Walls lie in the EastNorthUp frame of the first building, so that a step of the eye moves none of them. A feature is put among
/// them when it is first asked about, and judged again when the eye has gone farther than is worth knowing: a part of its own
/// uncertainty. Nothing is done for a frame.
struct HiddenPass: Sendable {
  /// What is known of a feature.
  private struct Judgement: Sendable {
    var target: PlacedTarget?
    var visibility = Visibility.seen
    /// The step of the eye at which it was judged.
    var step: UInt32 = 0
    /// Height over the ground at which the roofs before it end, metres.
    var roof = Double.nan
  }

  private var index = OcclusionIndex()
  private var frame: EastNorthUpFrame?
  private var judgements: [Judgement] = []
  private var uncertainEye: UncertainEye?
  private var judgedFrom = Vector2.zero
  private var judgedSigma = 0.0
  private var step: UInt32 = 0
  /// Candidates that stand behind buildings, and those of which part is seen, nearest first.
  private(set) var hidden: [Int32] = []
  private(set) var partlySeen: [Int32] = []

  /// Whether there is anything that may hide.
  var isActive: Bool { frame != nil }

  /// Takes over other buildings; corners that are no positions leave out their ring.
  mutating func setBuildings(_ buildings: [SceneBuilding], parameters: Scene.Parameters.Hidden) {
    frame = nil
    uncertainEye = nil
    judgements.removeAll()
    index = OcclusionIndex()
    // Of the first corner that is a position.
    for building in buildings where frame == nil {
      for part in building.parts where frame == nil {
        for corner in part.outer where frame == nil && corner.isSoundPosition {
          frame = EastNorthUpFrame(
            origin: Geodetic(latitudeDegrees: corner.latitudeDegrees, longitudeDegrees: corner.longitudeDegrees)
          )
        }
      }
    }
    guard let frame else { return }
    var limits = OcclusionIndex.Limits()
    limits.walls = parameters.mostWalls
    index = OcclusionIndex(
      buildings.map { building in
        Building(
          building.parts.map { part in
            Footprint(
              outer: Self.ring(part.outer, frame),
              holes: part.holes.map { Self.ring($0, frame) },
              base: part.base,
              roof: part.roof
            )
          }
        )
      },
      limits: limits
    )
    if index.wallCount == 0 { self.frame = nil }
  }

  private static func ring(_ corners: [Geodetic], _ frame: EastNorthUpFrame) -> [Vector2] {
    var ring: [Vector2] = []
    for corner in corners {
      guard corner.isSoundPosition else { return [] }
      let point = frame.point(
        Geodetic(latitudeDegrees: corner.latitudeDegrees, longitudeDegrees: corner.longitudeDegrees)
      )
      ring.append(Vector2(point.x, point.y))
    }
    return ring
  }

  /// Forgets the features, which are others now.
  mutating func forgetFeatures() { judgements.removeAll() }

  /// Judges the nearest candidates, and writes into them what became of it.
  ///
  /// - Complexity: O(*k*) for *k* candidates, and what is said at ``OcclusionIndex/seen(_:from:)`` for those that have not been
  ///   judged from here.
  mutating func run(
    _ candidates: inout Candidates,
    _ placed: borrowing PlacedWorld,
    eye: Eye,
    sigma: Double,
    labels: HiddenLabels,
    parameters: Scene.Parameters
  ) {
    hidden.removeAll(keepingCapacity: true)
    partlySeen.removeAll(keepingCapacity: true)
    guard let frame else { return }
    let height = parameters.things.groundBelowEye
    move(to: eye, sigma: sigma, height: height, frame, parameters.hidden)
    guard let uncertainEye else { return }
    while judgements.count < placed.places.count { judgements.append(Judgement()) }
    for k in 0..<min(candidates.details.count, parameters.hidden.most) {
      let feature = Int(candidates.details[k].feature)
      // What goes along with the user is not behind anything.
      if placed.places[feature].followsEye { continue }
      let target =
        judgements[feature].target
        ?? place(placed.places[feature], offset: candidates.offsets[k], eye: eye, height: height, frame)
      if judgements[feature].step != step {
        let seen = index.seen(target, from: uncertainEye)
        // What was never judged begins in the middle.
        let last = judgements[feature].step == 0 ? .partlySeen : judgements[feature].visibility
        judgements[feature].visibility = last.next(seen: seen, thresholds: parameters.hidden.thresholds)
        judgements[feature].target = target
        judgements[feature].step = step
        judgements[feature].roof = .nan
      }
      let visibility = judgements[feature].visibility
      var raised = -Double.infinity
      if labels == .roofLine, visibility == .hidden {
        if judgements[feature].roof.isNaN {
          judgements[feature].roof = index.roofLine(before: target, from: uncertainEye) ?? -.infinity
        }
        raised = judgements[feature].roof - height
      }
      candidates.judge(k, visibility, leastUp: raised)
      if visibility == .hidden { hidden.append(Int32(truncatingIfNeeded: feature)) }
      if visibility == .partlySeen { partlySeen.append(Int32(truncatingIfNeeded: feature)) }
    }
  }

  private mutating func move(
    to eye: Eye,
    sigma: Double,
    height: Double,
    _ frame: EastNorthUpFrame,
    _ parameters: Scene.Parameters.Hidden
  ) {
    let here = frame.point(Geocentric(x: eye.point.x, y: eye.point.y, z: eye.point.z))
    let point = Vector2(here.x, here.y)
    let worth = max(parameters.leastStep, parameters.stepOfSigma * judgedSigma)
    if uncertainEye != nil, (point - judgedFrom).length <= worth, abs(sigma - judgedSigma) <= 0.5 * judgedSigma {
      return
    }
    uncertainEye = index.eye(at: Vector3(point.x, point.y, height), sigma: sigma, parameters: parameters.eye)
    (judgedFrom, judgedSigma) = (point, sigma)
    // 0 means never.
    step = step == .max ? 1 : step + 1
  }

  /// Puts a feature among the walls.
  ///
  /// One with a height of its own, well over or under the eye's, is a point there (a summit over the roofs); any other
  /// one is its building, or as high as a person.
  private func place(
    _ place: PlacedWorld.Place,
    offset: Vector3,
    eye: Eye,
    height: Double,
    _ frame: EastNorthUpFrame
  ) -> PlacedTarget {
    let point = frame.point(Geocentric(x: place.point.x, y: place.point.y, z: place.point.z))
    var target = OcclusionTarget(at: Vector2(point.x, point.y))
    // What stands in the open is of no house, unless it stands in one.
    if place.isInOpen || place.thing >= 0 { target.reach = 0 }
    if abs(offset.z) > 4, !eye.levels(place) {
      target.heights = offset.z + height - 1...offset.z + height + 1
      target.reach = target.reach.map { _ in 0 }
    }
    return index.placed(target)
  }
}

extension Geodetic {
  fileprivate var isSoundPosition: Bool { abs(latitudeDegrees) <= 90 && abs(longitudeDegrees) <= Limits.longitude }
}
