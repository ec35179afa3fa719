import SightlineMath

/// A rectangle on the display, points, x right, y down.
public struct ScreenRectangle: Equatable, Sendable {
  /// Left edge.
  public var x: Double
  /// Upper edge.
  public var y: Double
  /// Width.
  public var width: Double
  /// Height.
  public var height: Double

  /// A rectangle.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  var maxX: Double { x + width }
  var maxY: Double { y + height }
  var center: Vector2 { Vector2(x + width / 2, y + height / 2) }
}

/// What the host draws over the view: bars, sheets, hints, the radar, the rims that a notch covers.
///
/// Nothing is laid out under it: no label, no cluster, no fan, no arrow. A host that says so, if only that nothing covers
/// the view, also gets no box that the display's edge cuts: a place that leaves the free area leaves the picture.
public struct Occupied: Equatable, Sendable {
  /// The rectangles; at most ``most`` of them count.
  public var rectangles: [ScreenRectangle]
  /// Sizes of the arrows as the host draws them: to the left, right, above, below, and that of the selection.
  ///
  /// Without them arrows are points and in nobody's way.
  public var arrowSizes: [Vector2]

  /// Most rectangles that count.
  public static let most = 64

  /// A list of what covers the view.
  public init(rectangles: [ScreenRectangle] = [], arrowSizes: [Vector2] = []) {
    self.rectangles = rectangles
    self.arrowSizes = arrowSizes
  }

  /// The same without what is no rectangle or no size.
  var sound: Occupied {
    var sound = Occupied()
    for box in rectangles where sound.rectangles.count < Occupied.most {
      let isSound =
        abs(box.x) <= Limits.size && abs(box.y) <= Limits.size && 0...Limits.size ~= box.width
        && 0...Limits.size ~= box.height
      if isSound, box.width > 0, box.height > 0 { sound.rectangles.append(box) }
    }
    for size in arrowSizes.prefix(5) {
      let isSound = 0...Limits.size ~= size.x && 0...Limits.size ~= size.y
      sound.arrowSizes.append(isSound ? size : .zero)
    }
    return sound
  }

  /// What is left of a display between the bars: what stretches along most of an edge, and lies in that half, ends it
  /// there.
  ///
  /// Its sides may lie the wrong way round, when nothing is left.
  func freeArea(width: Double, height: Double) -> ScreenRectangle {
    var (left, top, right, bottom) = (0.0, 0.0, width, height)
    for box in rectangles {
      let middle = box.center
      if box.width >= 0.6 * width, min(box.maxX, width) - max(box.x, 0) >= 0.6 * width {
        if middle.y <= height / 2 { top = max(top, box.maxY) } else { bottom = min(bottom, box.y) }
      } else if box.height >= 0.6 * height, min(box.maxY, height) - max(box.y, 0) >= 0.6 * height {
        if middle.x <= width / 2 { left = max(left, box.maxX) } else { right = min(right, box.x) }
      }
    }
    return ScreenRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}
