import SightlineMath

/// Where the labels on anchors stand.
///
/// Each as near to its place as it can, none on another, cut by the display's edge, or under what covers the view. A label that had to move keeps its place until another is much nearer.
struct AnchoredLabels: Sendable {
  /// How labels keep their distance, points.
  struct Parameters: Sendable {
    /// From the display's edge and from each other.
    var margin = 6.0
    /// No label goes farther from its place.
    var farthest = 220.0
    /// How much nearer another place has to be to be worth a move.
    var worth = 40.0
  }

  struct Wanted {
    var feature: Int32
    /// Where the middle of its lower edge wants to be.
    var place: Vector2
    var width: Double
    var height: Double
  }

  let parameters = Parameters()
  /// By how much each label was moved from its place.
  private var moved: [Int32: Vector2] = [:]
  private var taken: [ScreenRectangle] = []

  /// Places labels, the more important first.
  ///
  /// - Complexity: for each label that has to move, O(*n*²) places against O(*n*) boxes, *n* being those near to it.
  /// - Returns: a box for each; `nil` where there is no room, or its place is off the display.
  mutating func place(
    _ wanted: [Wanted],
    width: Double,
    height: Double,
    obstacles: [ScreenRectangle]
  ) -> [ScreenRectangle?] {
    let screen = ScreenRectangle(x: 0, y: 0, width: width, height: height)
    taken = obstacles
    var next: [Int32: Vector2] = [:]
    let places = wanted.map { label -> ScreenRectangle? in
      let (x, y) = (label.place.x, label.place.y)
      guard x >= 0, y >= 0, x <= width, y <= height, label.width.isFinite, label.height.isFinite else { return nil }
      let margin = parameters.margin
      let natural = ScreenRectangle(
        x: Self.clamped(x - label.width / 2, margin, width - margin - label.width),
        y: Self.clamped(y - label.height, margin, height - margin - label.height),
        width: label.width,
        height: label.height
      )
      guard let place = place(natural, screen, moved[label.feature]) else { return nil }
      taken.append(place)
      next[label.feature] = Vector2(place.x - natural.x, place.y - natural.y)
      return place
    }
    moved = next
    return places
  }

  private func place(_ natural: ScreenRectangle, _ screen: ScreenRectangle, _ last: Vector2?) -> ScreenRectangle? {
    let best = nearest(natural, screen)
    guard let last else { return best }
    var kept = natural
    kept.x += last.x
    kept.y += last.y
    guard isFree(kept, screen) else { return best }
    guard let best else { return kept }
    return Self.distance(natural, kept) < Self.distance(natural, best) + parameters.worth ? kept : best
  }

  private func nearest(_ natural: ScreenRectangle, _ screen: ScreenRectangle) -> ScreenRectangle? {
    if isFree(natural, screen) { return natural }
    let margin = parameters.margin
    // A free box nearest to a place touches what is in its way: only such places have to be looked at.
    let near = taken.filter {
      Self.distance(natural, $0) < parameters.farthest + $0.width + $0.height + natural.width + natural.height
    }
    var (columns, rows) = ([natural.x], [natural.y])
    for box in near {
      columns += [box.x - natural.width - margin, box.maxX + margin]
      rows += [box.y - natural.height - margin, box.maxY + margin]
    }
    var best: ScreenRectangle?
    var least = parameters.farthest
    for x in columns {
      for y in rows {
        let place = ScreenRectangle(x: x, y: y, width: natural.width, height: natural.height)
        let far = Self.distance(natural, place)
        if far < least, isFree(place, screen) { (best, least) = (place, far) }
      }
    }
    return best
  }

  private func isFree(_ box: ScreenRectangle, _ screen: ScreenRectangle) -> Bool {
    guard box.x >= 0, box.y >= 0, box.maxX <= screen.width, box.maxY <= screen.height else { return false }
    return taken.allSatisfy { box.x >= $0.maxX || $0.x >= box.maxX || box.y >= $0.maxY || $0.y >= box.maxY }
  }

  private static func distance(_ a: ScreenRectangle, _ b: ScreenRectangle) -> Double { hypot(a.x - b.x, a.y - b.y) }

  /// Between two limits, or in their middle where they have changed sides.
  private static func clamped(_ value: Double, _ low: Double, _ high: Double) -> Double {
    high < low ? (low + high) / 2 : clamp(value, low, high)
  }
}
