import SightlineMath

/// Puts the arrows onto the rim of what is free of the screen, each whole and beside whatever else stands there.
///
/// An arrow that has just gone keeps its place for a moment: one that comes and goes with the tremor of a hand must not
/// push labels about.
struct ArrowPlaces: Sendable {
  /// Left, right, above, below, selection.
  private static let count = 5
  /// Distance of arrows from the rim, and from what else stands there, points.
  private static let margin = 6.0
  /// Seconds for which the place of an arrow is kept.
  private static let held = 1.0
  /// How much nearer the other way round an obstacle has to be before an arrow changes over to it, points.
  private static let steadiness = 24.0

  private struct Place: Sendable {
    var box = ScreenRectangle(x: 0, y: 0, width: 0, height: 0)
    var shown = -Double.infinity
    /// Which way it was pushed along the rim: −1, 1, or 0 for not at all.
    var way = 0.0
  }

  private var places = [Place](repeating: Place(), count: Self.count)

  /// Moves arrows to their places, and takes out those for which there is none.
  ///
  /// - Parameters:
  ///   - arrows: those of the frame.
  ///   - sizes: their extents, points.
  ///   - bounds: the screen, and what is free of it.
  ///   - obstacles: what lies over the free area; grows by the arrows' own boxes, for the labels.
  ///   - time: seconds.
  mutating func place(
    _ arrows: inout [EdgeArrow],
    sizes: [Vector2],
    bounds: LabelBounds,
    obstacles: inout [ScreenRectangle],
    time: Double
  ) {
    var kept = 0
    for index in arrows.indices {
      var arrow = arrows[index]
      let slot = arrow.isForSelection ? 4 : Int(arrow.side.rawValue)
      let size = slot < sizes.count ? sizes[slot] : .zero
      guard let box = place(slot, arrow.direction, size: size, bounds: bounds, obstacles: obstacles) else { continue }
      places[slot].box = box
      places[slot].shown = time
      arrow.position = box.center
      obstacles.append(box)
      arrows[kept] = arrow
      kept += 1
    }
    arrows.removeLast(arrows.count - kept)
    for place in places where place.shown < time && time - place.shown < Self.held { obstacles.append(place.box) }
  }

  private mutating func place(
    _ slot: Int,
    _ direction: Angle,
    size: Vector2,
    bounds: LabelBounds,
    obstacles: [ScreenRectangle]
  ) -> ScreenRectangle? {
    let free = bounds.free
    let half = Vector2(free.width / 2 - Self.margin - size.x / 2, free.height / 2 - Self.margin - size.y / 2)
    guard half.x >= 0, half.y >= 0 else { return nil }
    let d = Vector2(sin(direction.radians), -cos(direction.radians))
    let reach = min(abs(d.x) < 1e-9 ? .infinity : half.x / abs(d.x), abs(d.y) < 1e-9 ? .infinity : half.y / abs(d.y))
    let start = free.center + d * reach
    let isOnSide = abs(d.x) * half.y >= abs(d.y) * half.x
    let axis = isOnSide ? Vector2(0, 1) : Vector2(1, 0)
    let middle = isOnSide ? free.center.y : free.center.x
    let along = isOnSide ? half.y : half.x
    let range = middle - along...middle + along
    var rim = start
    var found: (forth: Double?, back: Double?) = (nil, nil)
    // Where the rim has no room, the next line inwards that an obstacle leaves free, up to the middle of the view.
    for _ in 0...obstacles.count {
      found.forth = slide(rim, along: axis, 1, within: range, size: size, obstacles: obstacles)
      found.back = slide(rim, along: axis, -1, within: range, size: size, obstacles: obstacles)
      guard found.forth == nil, found.back == nil else { break }
      guard let next = inwards(rim, from: free.center, across: axis, size: size, obstacles: obstacles) else {
        return nil
      }
      rim = next
    }
    let (forwards, backwards) = (found.forth ?? .infinity, found.back ?? .infinity)
    guard min(forwards, backwards) < .infinity else { return nil }
    if forwards == 0 { places[slot].way = 0 }
    let bonus = places[slot].way * Self.steadiness
    let goesForth = forwards - bonus <= backwards
    let shift = goesForth && found.forth != nil || found.back == nil ? forwards : -backwards
    if shift != 0 { places[slot].way = shift > 0 ? 1 : -1 }
    let center = rim + axis * shift
    return ScreenRectangle(x: center.x - size.x / 2, y: center.y - size.y / 2, width: size.x, height: size.y)
  }

  /// The box moved towards the middle of the free area until it is clear of what it covers; `nil` when that is not before
  /// the middle, or when it covers nothing.
  private func inwards(
    _ start: Vector2,
    from middle: Vector2,
    across axis: Vector2,
    size: Vector2,
    obstacles: [ScreenRectangle]
  ) -> Vector2? {
    let across = Vector2(axis.y, axis.x)
    let room = (middle - start).dot(across)
    let way = room < 0 ? -1.0 : 1.0
    var nearest = Double.infinity
    for box in obstacles {
      let reach = Vector2((box.width + size.x) / 2 + Self.margin, (box.height + size.y) / 2 + Self.margin)
      let offset = start - box.center
      guard abs(offset.x) < reach.x - 1e-6, abs(offset.y) < reach.y - 1e-6 else { continue }
      nearest = min(nearest, reach.dot(across) - way * offset.dot(across))
    }
    guard nearest < abs(room) else { return nil }
    return start + across * (way * nearest)
  }

  /// How far a box has to be moved one way to cover nothing; `nil` when the rim ends before.
  private func slide(
    _ start: Vector2,
    along axis: Vector2,
    _ way: Double,
    within range: ClosedRange<Double>,
    size: Vector2,
    obstacles: [ScreenRectangle]
  ) -> Double? {
    var shift = 0.0
    for _ in 0...obstacles.count {
      let center = start + axis * (way * shift)
      let at = center.dot(axis)
      guard at >= range.lowerBound - 1e-6, at <= range.upperBound + 1e-6 else { return nil }
      var further = shift
      for box in obstacles {
        let reach = Vector2((box.width + size.x) / 2 + Self.margin, (box.height + size.y) / 2 + Self.margin)
        let offset = center - box.center
        guard abs(offset.x) < reach.x - 1e-6, abs(offset.y) < reach.y - 1e-6 else { continue }
        further = max(further, shift + reach.dot(axis) - way * offset.dot(axis))
      }
      if further == shift { return shift }
      shift = further
    }
    return nil
  }
}
