import SightlineImaging
import SightlineMath

/// What was seen before, so that it is recognised: key frames with points, and what is known between their poses.
///
/// Work is spread over the frames: a view is made of a frame in some steps (``MapViewBuilder``), its points get their distances by the
/// views around it (``MapDepths``), it is looked for among older key frames (``MapSearch``), and what was found bends the way between
/// them (``PoseGraph``). Four numbers are corrected, a turn about the vertical and a place: which way is up is known.
///
/// Poses are told in the map's world. The filter's own world is tied to it by the last key frame.
public final class WorldMap {
  /// Most key frames.
  static let mostKeyFrames = 60
  /// Views that are kept to tell distances by.
  private static let mostRecent = 5
  /// Frames from one view to the next.
  private static let viewSpacing = 6
  /// Fewest features of a view, and points of a key frame.
  private static let (fewestFeatures, fewestPoints) = (40, 25)
  /// Turn rates above which frames are too blurred for the map, rad/s.
  private static let mostRate = 1.2
  /// Key frames younger than this are no loop, seconds.
  private static let leastAge = 6.0
  /// From one loop to the next, seconds.
  private static let loopSpacing = 2.0
  /// Points from which on one view is enough after a loss.
  private static let sureInliers = 40
  /// How far two views may disagree about the place, metres, and the yaw, radians.
  private static let (samePlace, sameYaw) = (0.15, 0.04)
  /// Time within which two views have to say the same, seconds.
  private static let saidTogether = 1.5
  /// Time after which what is told has come as near to the solved poses as makes no difference, seconds.
  private static let smoothing = 0.4
  /// Time for which lengths have to be known before their points are kept, seconds: the first are worse than said.
  private static let settling = 1.5
  /// Time after a new start after which what is seen is added though it was not recognised, seconds.
  private static let patience = 4.0

  /// What the tracker says of a frame.
  struct Frame {
    /// Pose in the filter's world.
    var clone: Clone
    var camera: CameraEstimate
    var variance: MapVariance
    /// Whether lengths are known and the view is steady: only then key frames are made.
    var isMetric: Bool
    /// Whether the filter's place is not to be believed until it was recognised.
    var isLost: Bool
  }

  /// Where a frame was taken, by the map: what the filter can be corrected by.
  struct Fix {
    /// The filter's world from the frame's axes at its lens.
    var filterFromView: UprightTransform
    var variance: MapVariance
    /// From the device to the lens in the filter's world as it was, metres.
    var lever: Vector3
    /// When that was, on the clock of the sensors.
    var time: Double
  }

  private(set) var keyFrames: [KeyFrame] = []
  private(set) var graph = PoseGraph()
  private let builder = MapViewBuilder()
  private var recent: [MapView] = []
  private var waiting: MapView?
  private var depths: MapDepths?
  private var search: MapSearch?
  /// Whether what is searched are other parts of the map.
  private var isSearchApart = false
  private var pending: (filterFromMap: UprightTransform, time: Double, isApart: Bool)?
  private var nextNumber = 0
  private var sinceView = 0
  private var lastLoop = -Double.infinity
  private var lastTime = Double.nan
  private var epoch = 0
  private var epochStart = Double.nan
  /// When lengths were first known of this filter.
  private var metricSince = Double.nan
  /// The key frame the filter's world is tied to the map by; `nil` until one of this filter's is there.
  private(set) var lastNode: KeyFrame?
  /// The tie until then.
  private var firstTie = UprightTransform.identity
  /// The part of the map that is gone on with, and how many there were before.
  private(set) var part = MapPart.first
  private var latestPart = MapPart.first
  /// Places that are tied to key frames.
  var attached: [AttachedPlace] = []
  /// Whether something was found that the poses have not been bent to yet.
  private var isBent = false
  var nextHandle = 0
  /// Loops that were found, and places after a loss, since the start.
  public private(set) var loopCount = 0, relocalisationCount = 0

  init() {}

  /// When the frame was taken that is looked for after a loss, whose pose will be corrected; `nil` for none.
  private(set) var soughtTime: Double?

  /// Key frames now.
  public var keyFrameCount: Int { keyFrames.count }

  /// Whether a new filter's world has not been tied to what was seen before.
  var isUntied: Bool { lastNode == nil && !keyFrames.isEmpty }

  /// The map's world from the filter's, as it is told.
  var shownFromFilter: UprightTransform {
    guard let lastNode else { return firstTie }
    return lastNode.shownPose * lastNode.filterFromView.inverse
  }

  /// The map's world from the filter's, as it is solved.
  private var mapFromFilter: UprightTransform {
    guard let lastNode else { return firstTie }
    return lastNode.pose * lastNode.filterFromView.inverse
  }

  /// How uncertain a pose is in the map's world.
  ///
  /// - Parameter filter: the same in the filter's world.
  /// - Returns: since the start of the map.
  func variance(_ filter: MapVariance) -> MapVariance {
    guard let lastNode else { return part.variance + filter }
    return lastNode.variance + filter.growth(since: lastNode.filterVariance)
  }

  /// A new filter goes on where the last one ended: its world is not that of before any more, and what happened meanwhile nobody knows.
  func startOver() {
    // When no filter was there meanwhile, nothing is known less than before.
    guard epochStart.isFinite else { return }
    if !isUntied { keepLast() }
    latestPart = latestPart.next
    firstTie = shownFromFilter
    part = latestPart
    lastNode = nil
    epoch += 1
    (epochStart, metricSince) = (.nan, .nan)
    forgetViews()
  }

  /// Makes what was seen last a key frame, when nothing else would be recognised there: who stops somewhere goes on there more often than
  /// anywhere else, and in the first seconds there is no other.
  private func keepLast() {
    guard recent.count > 2 else { return }
    let view = waiting ?? recent[recent.count - 2]
    guard view.lens.isFinite, waiting != nil || isNew(view) else { return }
    var work = MapDepths(view, others: recent)
    _ = work.advance(features: view.count)
    if view.pointCount >= Self.fewestPoints { add(view) }
  }

  private func forgetViews() {
    builder.cancel()
    recent.removeAll()
    (waiting, depths, search, pending) = (nil, nil, nil, nil)
  }

  // MARK: Frames

  /// Does what one frame has time for.
  ///
  /// - Parameters:
  ///   - picture: the frame.
  ///   - frame: its pose.
  /// - Returns: where an earlier frame was taken, when the filter has to be corrected by it.
  func take(_ picture: GrayView, _ frame: Frame) -> Fix? {
    let time = frame.clone.time
    if epochStart.isNaN { epochStart = time }
    if lastTime.isFinite { relax(time - lastTime) }
    lastTime = time
    sinceView += 1
    let isUrgent = !keyFrames.isEmpty && (frame.isLost || lastNode == nil)
    if builder.isBusy {
      if let view = builder.advance(budget: isUrgent ? 3000 : 400) { take(view, frame) }
      return nil
    }
    if var work = search {
      search = nil
      if work.isCompared {
        return solve(work, frame)
      }
      work.compare(keyFrames: isUrgent ? 12 : 4)
      search = work
      // While nothing else is known, the answer is worth more than an even load.
      if isUrgent, work.isCompared {
        search = nil
        return solve(work, frame)
      }
      return nil
    }
    if var work = depths, let view = waiting {
      let isDone = work.advance(features: 50)
      depths = isDone ? nil : work
      if isDone {
        waiting = nil
        add(view, frame)
      }
      return nil
    }
    if isBent {
      if !graph.isSolving { graph.begin(keyFrames) }
      if let poses = graph.advance(iterations: 12) { move(to: poses) }
      if graph.isSolving { return nil }
      isBent = false
    }
    let rate = frame.clone.rate.length
    let isSteady = rate < Self.mostRate || sinceView > 3 * Self.viewSpacing
    if isUrgent || (frame.isMetric && !frame.isLost && isSteady && sinceView >= Self.viewSpacing) {
      sinceView = 0
      soughtTime = isUrgent ? time : nil
      builder.begin(picture, clone: frame.clone, camera: frame.camera, epoch: epoch, variance: frame.variance)
    }
    return nil
  }

  /// What a view is good for.
  private func take(_ view: MapView, _ frame: Frame) {
    guard view.count >= Self.fewestFeatures, view.epoch == epoch else { return }
    if frame.isMetric, metricSince.isNaN { metricSince = view.time }
    if !frame.isLost, frame.isMetric {
      if recent.count == Self.mostRecent { recent.removeFirst() }
      recent.append(view)
      if isSettled(view) { chooseKeyFrame(view) }
    }
    if frame.isLost || lastNode == nil || view.time - lastLoop > Self.loopSpacing { beginSearch(view, frame) }
  }

  private func isSettled(_ view: MapView) -> Bool { view.time - metricSince > Self.settling }

  private func chooseKeyFrame(_ view: MapView) {
    if let waiting {
      let after = recent.reversed().prefix { $0 !== waiting }.count
      if depths == nil, after >= 2 { depths = MapDepths(waiting, others: recent.filter(isSettled)) }
      return
    }
    // Of this filter's first seconds nothing is added as long as it may be recognised.
    if lastNode == nil, !keyFrames.isEmpty, view.time - epochStart < Self.patience { return }
    if isNew(view) { waiting = view }
  }

  /// Whether a view shows what no key frame of its part does.
  private func isNew(_ view: MapView) -> Bool {
    let tie = mapFromFilter
    let (place, axis) = (tie * view.lens, tie.turned(view.axis))
    for keyFrame in keyFrames where !keyFrame.isWaypoint && keyFrame.part == part {
      if keyFrame.difference(place: place, axis: axis) < 1 { return false }
    }
    return true
  }

  /// Adds a key frame.
  private func add(_ view: MapView, _ frame: Frame) {
    guard view.epoch == epoch, !frame.isLost, view.pointCount >= Self.fewestPoints else { return }
    add(view)
  }

  /// Adds a key frame whose points are known.
  func add(_ view: MapView) {
    _ = addNode(view, isWaypoint: false)
    thin()
  }

  private func addNode(_ view: MapView, isWaypoint: Bool) -> KeyFrame {
    let here = UprightTransform(yaw: 0, translation: view.lens)
    let node = KeyFrame(
      number: nextNumber,
      view: view,
      pose: mapFromFilter * here,
      shown: shownFromFilter * here,
      variance: variance(view.variance),
      isWaypoint: isWaypoint,
      part: part
    )
    nextNumber += 1
    if let lastNode {
      let way = lastNode.filterFromView.inverse * node.filterFromView
      var grown = view.variance.growth(since: lastNode.filterVariance)
      let squared = way.translation.dot(way.translation)
      grown.position += 1e-5 + 4e-5 * squared
      grown.yaw += 1e-6 + 2e-6 * max(0, abs(view.time - lastNode.view.time))
      graph.add(.init(from: lastNode.number, to: node.number, pose: way, variance: grown, isLoop: false))
    }
    keyFrames.append(node)
    lastNode = node
    for i in attached.indices where attached[i].number < 0 && attached[i].part == part {
      (attached[i].number, attached[i].place) = (node.number, node.shownPose.inverse * attached[i].place)
    }
    return node
  }

  /// Leaves out what is not needed: waypoints but the last, and of too many key frames the one most like another.
  private func thin() {
    while let index = keyFrames.firstIndex(where: { $0.isWaypoint && $0 !== lastNode }) { remove(index) }
    while keyFrames.count > Self.mostKeyFrames {
      var (least, chosen) = (Double.infinity, -1)
      for i in keyFrames.indices where i > 0 && keyFrames[i] !== lastNode {
        for j in keyFrames.indices where j != i && !keyFrames[j].isWaypoint {
          let d = keyFrames[i].difference(place: keyFrames[j].pose.translation, axis: keyFrames[j].axis)
          // Of two that are alike the one that shows less goes.
          let own = d * (keyFrames[i].view.pointCount > keyFrames[j].view.pointCount ? 1.1 : 1)
          if own < least { (least, chosen) = (own, i) }
        }
      }
      guard chosen > 0 else { return }
      remove(chosen)
    }
  }

  private func remove(_ index: Int) {
    let old = keyFrames.remove(at: index)
    graph.remove(old.number)
    for i in attached.indices where attached[i].number == old.number { tie(i, to: old.pose * attached[i].place) }
  }

  // MARK: Search

  private func beginSearch(_ view: MapView, _ frame: Frame) {
    let tie = mapFromFilter
    let (place, axis) = (tie * view.lens, tie.turned(view.axis))
    var candidates: [(keyFrame: KeyFrame, difference: Double)] = []
    let sigma = ownVariance(view)
    let isTied = lastNode != nil && sigma.position < 4 && sigma.yaw < 0.03
    // Where there are other parts, they and the own one are looked through in turn.
    let hasOthers = keyFrames.contains { $0.part != part }
    let isSaidOnce = pending.map { $0.isApart && view.time - $0.time < Self.saidTogether } ?? false
    isSearchApart = hasOthers && (lastNode == nil || (!frame.isLost && (isSaidOnce || !isSearchApart)))
    for keyFrame in keyFrames where !keyFrame.isWaypoint && (keyFrame.part != part) == isSearchApart {
      let turn = keyFrame.axis.dot(axis)
      let distance = (keyFrame.pose.translation - place).length
      if frame.isLost {
        // The gyroscope knows better than the accelerometer what happened.
        guard !isTied || turn > 0.3 else { continue }
      } else if isTied, !isSearchApart {
        guard view.time - keyFrame.view.time > Self.leastAge || keyFrame.view.epoch != epoch, turn > 0.64, distance < 3
        else { continue }
      }
      candidates.append((keyFrame, keyFrame.difference(place: place, axis: axis)))
    }
    guard !candidates.isEmpty else { return }
    let order = ascendingPlaces(candidates.map { $0.difference })
    let most = frame.isLost || !isTied || isSearchApart ? Self.mostKeyFrames : 8
    search = MapSearch(view, in: order.prefix(most).map { candidates[$0].keyFrame })
  }

  /// How uncertain a view's pose is within its part.
  private func ownVariance(_ view: MapView) -> MapVariance {
    variance(view.variance).growth(since: part.variance)
  }

  private func solve(_ work: MapSearch, _ frame: Frame) -> Fix? {
    let view = work.view
    guard view.epoch == epoch else { return nil }
    let isTied = !isSearchApart
    let sigma = ownVariance(view)
    let (place, yaw) = (sigma.position.squareRoot(), sigma.yaw.squareRoot())
    let here = UprightTransform(yaw: 0, translation: view.lens)
    let expected = mapFromFilter * here
    let prior: (pose: UprightTransform, yaw: Double, place: Double)? =
      !isTied
      ? nil : frame.isLost ? (expected, 0.25 + 8 * yaw, 2 + 10 * place) : (expected, 0.12 + 6 * yaw, 0.4 + 6 * place)
    let isVague = frame.isLost || !isTied
    let found = work.solve(
      prior: prior,
      tiltDeviation: isVague ? 0.012 : 0.006,
      demand: !isTied || sigma.yaw > 0.03 || sigma.position > 1 ? .anywhere : isVague ? .lost : .nearby
    )
    guard let found else { return nil }
    let filterFromMap = here * found.pose.inverse
    if isVague {
      // Where nothing is known of the way, one view is not enough however much agrees with it: rooms have sides that are alike.
      let isBounded = isTied && sigma.yaw <= 0.03 && sigma.position <= 1
      guard (isBounded && found.inliers >= Self.sureInliers) || agrees(filterFromMap, found.pose, view.time) else {
        return nil
      }
      return accept(found, frame)
    }
    // While the filter goes on, a loop has to be what it can have drifted, or said twice.
    let shift = (found.pose.translation - expected.translation).length
    let turn = abs(wrapToPi(found.pose.yaw - expected.yaw))
    let isNear = shift < 0.1 + 6 * place && turn < 0.03 + 6 * yaw
    guard isNear || agrees(filterFromMap, found.pose, view.time) else { return nil }
    return accept(found, frame)
  }

  /// Whether the view before, looked for in the same way, said the same of a place.
  private func agrees(_ filterFromMap: UprightTransform, _ pose: UprightTransform, _ time: Double) -> Bool {
    let before = pending
    pending = (filterFromMap, time, isSearchApart)
    guard let before, before.isApart == isSearchApart, time - before.time < Self.saidTogether else { return false }
    // Where what is seen from here would be by either.
    let here = pose.translation
    let shift = (before.filterFromMap * here - filterFromMap * here).length
    return shift < Self.samePlace && abs(wrapToPi(before.filterFromMap.yaw - filterFromMap.yaw)) < Self.sameYaw
  }

  private func accept(_ found: MapSearch.Found, _ frame: Frame) -> Fix? {
    let view = found.view
    let isJoined = isSearchApart
    pending = nil
    lastLoop = view.time
    let variance = found.keyFrame.variance + found.variance
    let tie = mapFromFilter
    if isJoined {
      join(
        found.keyFrame.part,
        by: found.pose * (tie * UprightTransform(yaw: 0, translation: view.lens)).inverse,
        variance
      )
    }
    let node = addNode(view, isWaypoint: true)
    let fromFound = found.keyFrame.pose.inverse * found.pose
    graph.add(
      .init(from: found.keyFrame.number, to: node.number, pose: fromFound, variance: found.variance, isLoop: true)
    )
    node.variance.position = min(node.variance.position, variance.position)
    node.variance.yaw = min(node.variance.yaw, variance.yaw)
    guard frame.isLost || isJoined else {
      loopCount += 1
      thin()
      isBent = true
      return nil
    }
    // After a loss the place that was found counts at once.
    relocalisationCount += 1
    node.pose = found.pose
    node.variance = variance
    for keyFrame in keyFrames { keyFrame.shownPose = keyFrame.pose }
    if isJoined {
      thin()
      return nil
    }
    node.filterFromView = tie.inverse * found.pose
    node.filterVariance = variance
    thin()
    forgetViews()
    return Fix(
      filterFromView: node.filterFromView,
      variance: variance,
      lever: view.lever,
      time: view.time
    )
  }

  /// Makes the part that is gone on with one with another part in which it was recognised.
  ///
  /// - Parameters:
  ///   - other: that goes on.
  ///   - shift: from where the own part's poses were to where they are.
  ///   - variance: of the pose that was recognised.
  private func join(_ other: MapPart, by shift: UprightTransform, _ variance: MapVariance) {
    for keyFrame in keyFrames where keyFrame.part == part {
      keyFrame.variance = keyFrame.variance.growth(since: part.variance) + variance
      (keyFrame.pose, keyFrame.part) = (shift * keyFrame.pose, other)
    }
    for i in attached.indices where attached[i].part == part {
      if attached[i].number < 0 { attached[i].place = shift * attached[i].place }
      attached[i].part = other
    }
    firstTie = shift * firstTie
    part = other
  }

  private func move(to poses: [UprightTransform]) {
    guard poses.count == keyFrames.count else { return }
    for (keyFrame, pose) in zip(keyFrames, poses) { keyFrame.pose = pose }
    if graph.dropContradiction(keyFrames) { graph.begin(keyFrames) }
  }

  /// What is told goes over to what was solved.
  private func relax(_ seconds: Double) {
    let share = 1 - exp(-clamp(seconds, 0, 1) / Self.smoothing)
    for keyFrame in keyFrames { keyFrame.shownPose = keyFrame.shownPose.mixed(keyFrame.pose, share) }
  }
}
