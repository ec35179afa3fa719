import SightlineMath

/// Writes the arrows of a frame, and says what labels have to be laid out around.
struct ArrowPass: Sendable {
  /// What lies over the part of the screen that is free, arrows among it.
  private(set) var obstacles: [ScreenRectangle] = []
  private var places = ArrowPlaces()

  /// Where the host says what covers the view, arrows come before labels, which are laid out around them.
  mutating func place(
    _ collected: borrowing EdgeArrowCollector,
    into arrows: inout [EdgeArrow],
    around occupied: Occupied?,
    anchored: borrowing [AnchoredItem],
    bounds: LabelBounds,
    parameters: borrowing Scene.Parameters,
    time: Double
  ) {
    obstacles.removeAll(keepingCapacity: true)
    guard let occupied else { return }
    let free = bounds.free
    for box in occupied.rectangles
    where box.maxX > free.x && box.x < free.maxX && box.maxY > free.y && box.y < free.maxY {
      obstacles.append(box)
    }
    for k in anchored.indices { if let label = anchored[k].label { obstacles.append(label) } }
    write(collected, into: &arrows, bounds: bounds, parameters: parameters)
    guard !occupied.arrowSizes.isEmpty else { return }
    places.place(&arrows, sizes: occupied.arrowSizes, bounds: bounds, obstacles: &obstacles, time: time)
  }

  /// Writes the arrows where nothing is in their way.
  func write(
    _ collected: borrowing EdgeArrowCollector,
    into arrows: inout [EdgeArrow],
    bounds: LabelBounds,
    parameters: borrowing Scene.Parameters
  ) {
    collected.write(into: &arrows, bounds: bounds, inset: parameters.arrowInset, spacing: parameters.arrowSpacing)
  }
}
