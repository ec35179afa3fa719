import SightlineCamera
import SightlineMath

extension GroundView {
  /// How long a pin is on the screen when seen from the side, points: nearer ones are longer, but not by as much as the
  /// distance says, or the near ones would hide everything and the far ones vanish.
  func pinLength(depth: Double) -> Double {
    let span = log(parameters.farPinDepth / parameters.nearPinDepth)
    let part = clamp(log(max(depth, 1e-3) / parameters.nearPinDepth) / span, 0, 1)
    return parameters.nearPinLength + (parameters.farPinLength - parameters.nearPinLength) * part
  }

  /// Fills `frame.pins`.
  mutating func placePins(_ camera: GroundCamera, _ lens: DisplayProjection, into frame: inout GroundFrame) {
    let axis = camera.displayFromGround * frame.pinAxis
    if frame.pins.count != pins.count { frame.pins = [PlacedPin](repeating: PlacedPin(), count: pins.count) }
    for k in 0..<pins.count {
      frame.pins[k] = place(pins[k], camera, lens, axis)
    }
    placeLabels(lens, into: &frame)
  }

  private func place(_ pin: GroundPin, _ camera: GroundCamera, _ lens: DisplayProjection, _ axis: Vector3) -> PlacedPin
  {
    var placed = PlacedPin()
    let foot = camera.inDisplay(Vector3(pin.position.x, pin.position.y, 0))
    placed.depth = -foot.z
    guard placed.depth > parameters.nearPlane else { return placed }
    placed.height = pinLength(depth: placed.depth) * placed.depth / lens.focalPoints.y
    let head = foot + axis * placed.height
    guard let footPoint = lens.project(pointInDisplay: foot), -head.z > parameters.nearPlane,
      let headPoint = lens.project(pointInDisplay: head)
    else { return placed }
    placed.foot = footPoint
    placed.head = headPoint
    let (width, height) = (lens.display.width, lens.display.height)
    let margin = parameters.touchRadius
    placed.isInView =
      max(footPoint.x, headPoint.x) > -margin && min(footPoint.x, headPoint.x) < width + margin
      && max(footPoint.y, headPoint.y) > -margin && min(footPoint.y, headPoint.y) < height + margin
    return placed
  }

  /// Gives labels to the pins that have room for one: the selected first, then those that had one, then the nearest.
  private mutating func placeLabels(_ lens: DisplayProjection, into frame: inout GroundFrame) {
    let bounds = LabelBounds(width: lens.display.width, height: lens.display.height, roll: frame.roll)
    var order: [Int] = []
    for k in 0..<pins.count where frame.pins[k].isInView && pins[k].labelWidth > 0 { order.append(k) }
    let (had, chosen) = (hadLabel, selected)
    order.sortStably { a, b in
      let (first, second) = (rank(a, had, chosen), rank(b, had, chosen))
      if first != second { return first < second }
      if frame.pins[a].depth != frame.pins[b].depth { return frame.pins[a].depth < frame.pins[b].depth }
      return a < b
    }
    for k in 0..<hadLabel.count { hadLabel[k] = false }
    // A label that is there may come close to another; a new one needs some room to spare, or it would flicker.
    var taken: [Box] = []
    for k in order where taken.count < parameters.maximumLabels {
      let pin = pins[k]
      let head = bounds.levelled(fromScreen: frame.pins[k].head)
      let radius = pinLength(depth: frame.pins[k].depth) * parameters.headRadius
      var center = bounds.clamped(
        center: Vector2(head.x, head.y - radius - parameters.labelGap - pin.labelHeight / 2),
        width: pin.labelWidth,
        height: pin.labelHeight,
        anchor: head,
        margin: parameters.labelMargin
      )
      if covers.contains(where: { isUnder($0, center, pin, bounds) }) {
        // A label that must be seen is drawn out; any other makes room for a pin that can have one.
        guard k == chosen, let free = drawnOut(center, pin, bounds) else { continue }
        center = free
      }
      let spare = had[k] ? 0.0 : 6
      let box = Box(center: center, halfWidth: pin.labelWidth / 2 + spare, halfHeight: pin.labelHeight / 2 + spare)
      guard bounds.touches(center: center, width: pin.labelWidth, height: pin.labelHeight) else { continue }
      guard !taken.contains(where: { $0.overlaps(box) }) else { continue }
      taken.append(box)
      hadLabel[k] = true
      frame.pins[k].hasLabel = true
      frame.pins[k].label = bounds.screen(fromLevelled: center)
    }
  }

  private func isUnder(_ cover: Cover, _ center: Vector2, _ pin: GroundPin, _ bounds: LabelBounds) -> Bool {
    let (at, half) = (
      bounds.screen(fromLevelled: center), bounds.halfExtent(width: pin.labelWidth, height: pin.labelHeight)
    )
    return at.x + half.x > cover.minimum.x && at.x - half.x < cover.maximum.x && at.y + half.y > cover.minimum.y
      && at.y - half.y < cover.maximum.y
  }

  /// The place nearest to a label's, up or down on the screen, that nothing covers; `nil` when there is none.
  private func drawnOut(_ center: Vector2, _ pin: GroundPin, _ bounds: LabelBounds) -> Vector2? {
    let at = bounds.screen(fromLevelled: center)
    let half = bounds.halfExtent(width: pin.labelWidth, height: pin.labelHeight).y + 1
    var best: Vector2?
    for cover in covers {
      for y in [cover.minimum.y - half, cover.maximum.y + half] where y >= half && y <= bounds.height - half {
        let moved = bounds.levelled(fromScreen: Vector2(at.x, y))
        guard !covers.contains(where: { isUnder($0, moved, pin, bounds) }) else { continue }
        if let found = best, abs(bounds.screen(fromLevelled: found).y - at.y) <= abs(y - at.y) { continue }
        best = moved
      }
    }
    return best
  }

  private func rank(_ pin: Int, _ had: [Bool], _ chosen: Int?) -> Int {
    pin == chosen ? 0 : had[pin] ? 1 : 2
  }

  /// Sets the arrow to the selected pin, if that is outside the screen.
  ///
  /// In front of the eye it points where the pin is; behind, to the side to turn to.
  func placeArrow(_ camera: GroundCamera, _ lens: DisplayProjection, into frame: inout GroundFrame) {
    frame.hasArrow = false
    guard let selected, selected < pins.count, !frame.pins[selected].isInView else { return }
    let bounds = LabelBounds(width: lens.display.width, height: lens.display.height, roll: frame.roll)
    let middle = Vector2(lens.display.width / 2, lens.display.height / 2)
    let target = camera.inDisplay(Vector3(pins[selected].position.x, pins[selected].position.y, 0))
    var direction: Vector2
    if target.z < 0, let point = lens.project(pointInDisplay: target) {
      direction = point - middle
    } else {
      let side = bounds.levelled(fromScreen: middle + Vector2(target.x, -target.y)) - middle
      direction = bounds.screen(fromLevelled: middle + Vector2(side.x < 0 ? -1 : 1, 0)) - middle
    }
    guard direction.length > 0 else { return }
    let halfWidth = max(1, middle.x - parameters.arrowInset)
    let halfHeight = max(1, middle.y - parameters.arrowInset)
    let reach = min(
      direction.x == 0 ? .infinity : halfWidth / abs(direction.x),
      direction.y == 0 ? .infinity : halfHeight / abs(direction.y)
    )
    frame.hasArrow = true
    frame.arrow = middle + direction * reach
    frame.arrowDirection = Angle(radians: atan2(direction.x, -direction.y))
  }

  /// The pin that a touch means: the one whose axis is nearest to the point, within ``Parameters/touchRadius``; of two that
  /// are equally near (within 4 points), the one in front.
  public func hit(_ point: Vector2, in frame: GroundFrame) -> Int? {
    var best: (pin: Int, distance: Double)?
    for k in 0..<min(pins.count, frame.pins.count) where frame.pins[k].isInView {
      let distance = distanceToSegment(point, frame.pins[k].foot, frame.pins[k].head)
      guard distance <= parameters.touchRadius else { continue }
      if let found = best {
        let isNearer = distance < found.distance - 4
        let isInFront = distance < found.distance + 4 && frame.pins[k].depth < frame.pins[found.pin].depth
        guard isNearer || isInFront else { continue }
      }
      best = (k, distance)
    }
    return best?.pin
  }
}

/// A label's place in levelled coordinates.
private struct Box {
  var center: Vector2
  var halfWidth: Double
  var halfHeight: Double

  func overlaps(_ other: Box) -> Bool {
    abs(center.x - other.center.x) < halfWidth + other.halfWidth
      && abs(center.y - other.center.y) < halfHeight + other.halfHeight
  }
}

private func distanceToSegment(_ point: Vector2, _ a: Vector2, _ b: Vector2) -> Double {
  let along = b - a
  let length = along.dot(along)
  let part = length > 0 ? clamp((point - a).dot(along) / length, 0, 1) : 0
  return (point - (a + along * part)).length
}
