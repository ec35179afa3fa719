import SightlineCamera
import SightlineMath
import SightlineOcclusion

/// One candidate that is in view, beside what the layout knows of it.
struct DrawnFeature: Sendable {
  /// Index in the candidates' arrays.
  var candidate: Int32
  var anchor: Vector2
  var depth: Double
  var opacity: Double
}

/// The per-frame pass over the candidates: project, cull, collect what is outside, find the focus.
///
/// Buffers live on from frame to frame, so a steady state allocates nothing.
struct ViewPass: Sendable {
  /// In view, nearest first, levelled: the input of the layout.
  private(set) var labels: [LabelCandidate] = []
  /// Same order as `labels`.
  private(set) var drawn: [DrawnFeature] = []
  private(set) var focused: Int32?
  /// The side of the selection's arrow in the last frame that had one.
  private var selectionSide: EdgeSide?

  /// Runs the pass.
  ///
  /// A feature is in view when its box as it would stand without layout touches the screen, or its place lies on it.
  /// Its cost is in the candidates, not in the world.
  mutating func run(
    offsets: borrowing [Vector3],
    details: borrowing [CandidateDetail],
    pose: ViewPose,
    projection: borrowing DisplayProjection,
    bounds: LabelBounds,
    parameters: borrowing Scene.Parameters,
    leavesOut: Bool,
    layout: borrowing LabelLayout,
    things: borrowing ThingPass,
    arrows: inout EdgeArrowCollector
  ) {
    labels.removeAll(keepingCapacity: true)
    drawn.removeAll(keepingCapacity: true)
    focused = nil
    // A span of an empty array may trap in WebAssembly: where the one empty array of all types lies is up to the linker,
    // and a span of doubles insists on eight bytes.
    guard !offsets.isEmpty else { return }
    let offsets = offsets.span
    let details = details.span
    let axes = pose.displayFromEastNorthUp
    let focal = projection.focalPoints
    let meanFocal = (focal.x + focal.y) / 2
    let axis = projection.center
    let screenCenter = Vector2(bounds.width / 2, bounds.height / 2)
    let nearest = parameters.nearestDepth
    var focusDistance = parameters.focusDistance * parameters.focusDistance
    for i in offsets.indices {
      var offset = offsets[i]
      let thing = details[i].thing
      if thing >= 0, things.isDrawn[Int(thing)] {
        // What is drawn needs no label, until it is selected: then it has one over its top.
        offset = things.tops[Int(thing)]
        guard details[i].isSelected else {
          focus(details[i], at: offset, axes, projection, screenCenter, &focusDistance)
          continue
        }
      }
      if details[i].visibility == .hidden {
        if leavesOut, !details[i].isSelected { continue }
        offset.z = max(offset.z, details[i].leastUp)
      }
      // Written so that a place that is not a number falls out here.
      guard offset.dot(offset) >= nearest * nearest else { continue }
      let depth = -axes.row2.dot(offset)
      let across = axes.row0.dot(offset)
      let upwards = axes.row1.dot(offset)
      if depth >= nearest {
        let anchor = Vector2(axis.x + focal.x * across / depth, axis.y - focal.y * upwards / depth)
        let detail = details[i]
        let scale = detail.isTrueSize ? meanFocal / depth : detail.scale
        let width = detail.width * scale
        let height = detail.height * scale
        let toCenter = Vector2((0.5 - detail.pivot.x) * width, (0.5 - detail.pivot.y) * height)
          .rotated(cosine: pose.rollCosine, sine: pose.rollSine)
        let half = bounds.halfExtent(width: width, height: height)
        let fromCenter = anchor - screenCenter
        let boxFromCenter = fromCenter + toCenter
        let isAnchorOnScreen = abs(fromCenter.x) <= screenCenter.x && abs(fromCenter.y) <= screenCenter.y
        let isBoxOnScreen =
          abs(boxFromCenter.x) <= screenCenter.x + half.x && abs(boxFromCenter.y) <= screenCenter.y + half.y
        // Where nothing may reach beyond the free area, what stands outside of it is not in view.
        let isPlaceSeen = bounds.isStrict && detail.canMove
        let rim = isPlaceSeen ? bounds.rim(onScreen: anchor) : 0
        if isPlaceSeen
          ? rim >= 0 || (rim >= -LabelClusters.memberSlack && layout.keeps(key: detail.key, feature: detail.feature))
          : isAnchorOnScreen || isBoxOnScreen
        {
          if detail.hasFocusOverlays, fromCenter.dot(fromCenter) < focusDistance {
            focusDistance = fromCenter.dot(fromCenter)
            focused = detail.feature
          }
          if detail.isHeldBack { continue }
          if labels.count >= parameters.maximumItems {
            guard detail.isSelected, !labels.isEmpty else { continue }
            labels.removeLast()
            drawn.removeLast()
          }
          var label = LabelCandidate()
          label.feature = detail.feature
          label.key = detail.key
          label.anchor = screenCenter + fromCenter.rotated(cosine: pose.rollCosine, sine: -pose.rollSine)
          label.width = width
          label.height = height
          label.compactWidth = detail.compactWidth * detail.scale
          label.compactHeight = detail.compactHeight * detail.scale
          label.pivot = detail.pivot
          label.distance = detail.distance
          label.isSelected = detail.isSelected
          label.canMove = detail.canMove
          labels.append(label)
          // What leaves the free area fades until it is gone.
          let seen = isPlaceSeen && !detail.isSelected ? clamp(rim / parameters.rimFade, 0, 1) : 1
          drawn.append(DrawnFeature(candidate: Int32(i), anchor: anchor, depth: depth, opacity: detail.opacity * seen))
          continue
        }
        if isPlaceSeen, isAnchorOnScreen, !detail.isSelected {
          // Under a bar: on the side of that bar, wherever it stands in the world.
          let beyond = bounds.beyond(onScreen: anchor).rotated(cosine: pose.rollCosine, sine: -pose.rollSine)
          arrows.add(EdgeSide(beyond), feature: detail.feature, distance: detail.distance)
          continue
        }
      }
      let (right, ahead) = pose.levelled(offset)
      guard details[i].isSelected else {
        arrows.add(
          arrows.side(right: right, ahead: ahead, up: offset.z),
          feature: details[i].feature,
          distance: details[i].distance
        )
        continue
      }
      let direction = Vector2(across, -upwards).rotated(cosine: pose.rollCosine, sine: -pose.rollSine)
      let side = arrows.steadySide(right: right, ahead: ahead, up: offset.z, previous: selectionSide)
      selectionSide = side
      arrows.addSelection(
        side,
        feature: details[i].feature,
        distance: details[i].distance,
        direction: depth > 0 ? direction : nil
      )
    }
  }

  /// Finds out whether something that is drawn without a label is the one in focus.
  private mutating func focus(
    _ detail: CandidateDetail,
    at offset: Vector3,
    _ axes: Matrix3,
    _ projection: borrowing DisplayProjection,
    _ screenCenter: Vector2,
    _ least: inout Double
  ) {
    let depth = -axes.row2.dot(offset)
    guard detail.hasFocusOverlays, depth > 0 else { return }
    let (f, c) = (projection.focalPoints, projection.center)
    let from =
      Vector2(c.x + f.x * axes.row0.dot(offset) / depth, c.y - f.y * axes.row1.dot(offset) / depth) - screenCenter
    guard from.dot(from) < least else { return }
    least = from.dot(from)
    focused = detail.feature
  }

  /// Counts, with what is outside, those that only their box put in view and for whose box the layout had no room.
  func addOutside(
    _ indices: [Int32],
    offsets: [Vector3],
    pose: ViewPose,
    arrows: inout EdgeArrowCollector
  ) {
    for index in indices {
      let label = labels[Int(index)]
      let offset = offsets[Int(drawn[Int(index)].candidate)]
      let (right, ahead) = pose.levelled(offset)
      let side = arrows.side(right: right, ahead: ahead, up: offset.z)
      arrows.add(side, feature: label.feature, distance: label.distance)
    }
  }
}

extension EdgeSide {
  /// The side that a vector of the levelled screen points to.
  fileprivate init(_ direction: Vector2) {
    if abs(direction.x) > abs(direction.y) {
      self = direction.x < 0 ? .left : .right
    } else {
      self = direction.y < 0 ? .above : .below
    }
  }
}

extension ViewPose {
  /// Metres to the right and ahead of the levelled view, horizontally.
  @inline(__always)
  fileprivate func levelled(_ offset: Vector3) -> (right: Double, ahead: Double) {
    (offset.x * rightEast + offset.y * rightNorth, offset.y * rightEast - offset.x * rightNorth)
  }
}

extension DisplayProjection {
  /// Whether it is one: a display with an extent and a lens with a focal length.
  var isUsable: Bool {
    let sides = 1e-3...Limits.size
    let focals = 1e-3...1e3 * Limits.size
    return sides.contains(display.width) && sides.contains(display.height) && focals.contains(focalPoints.x)
      && focals.contains(focalPoints.y) && abs(center.x) <= 10 * Limits.size && abs(center.y) <= 10 * Limits.size
  }
}
