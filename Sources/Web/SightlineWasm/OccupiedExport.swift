import SightlineEngine
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// What covers the view, which comes as two lists; the session's other events: Bindings+Events.swift.

/// Where the page writes what covers the view: rectangles (x, y, width, height), then sizes of arrows (width, height).
@_expose(wasm) @c public func sl_occupied_values_in() -> UnsafeMutablePointer<Double> { occupiedValues }

/// What covers the view has changed: so many rectangles and sizes of arrows were written.
@_expose(wasm) @c public func sl_occupied(_ time: Double, _ rectangles: Int32, _ arrows: Int32) {
  var source = Reader(occupiedValues)
  var occupied = Occupied()
  for _ in 0..<min(max(0, rectangles), Int32(Occupied.most)) {
    let (x, y) = (source.next(), source.next())
    occupied.rectangles.append(ScreenRectangle(x: x, y: y, width: source.next(), height: source.next()))
  }
  for _ in 0..<min(max(0, arrows), mostArrows) {
    let width = source.next()
    occupied.arrowSizes.append(Vector2(width, source.next()))
  }
  session.handle(.occupied(occupied), at: time)
}

private let mostArrows: Int32 = 5

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private let occupiedValues = UnsafeMutablePointer<Double>.allocate(
  capacity: 4 * Occupied.most + 10
)
