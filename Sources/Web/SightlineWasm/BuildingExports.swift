import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineOcclusion
import SightlineScene
import SightlineWasmMemory

// Buildings around the user go in, what stands behind them comes out; `WebClient/engine/buildings.js` mirrors the layout.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var input = Buffer()
nonisolated(unsafe) private var output = Buffer()

/// More than the walls that a scene keeps can take.
private let most: Int32 = 1 << 20

/// Where the page writes buildings; null when there are more numbers than a scene keeps walls of.
@_expose(wasm) @c public func sl_buildings_in(_ count: Int32) -> UnsafeMutablePointer<Double>? {
  guard 0...most ~= count, input.reserveExactly(Int(count)) else { return nil }
  return input.base
}

/// The buildings are known; answers how many there are, or −1 for numbers that are no buildings, which change nothing.
///
/// For each: where it ends and where it begins over the ground, metres; number of rings, the first the border, the others courtyards;
/// for each ring the number of corners, and the corners on the web's map, 0 … 1 to the east and to the south. These are degrees of latitude and
/// longitude afterwards, for a recording: what is replayed has the same numbers. They are there until `sl_buildings_in` is called again.
@_expose(wasm) @c public func sl_buildings(_ time: Double, _ count: Int32) -> Int32 {
  guard 0...most ~= count, input.capacity >= Int(count) else { return -1 }
  var numbers = Numbers(base: input.base, count: Int(count))
  var buildings: [SceneBuilding] = []
  while !numbers.isAtEnd {
    guard let roof = numbers.next(), let base = numbers.next(), let rings = numbers.nextCount(), rings > 0,
      let outer = numbers.nextRing()
    else { return -1 }
    var holes: [[Geodetic]] = []
    for _ in 1..<rings {
      guard let hole = numbers.nextRing() else { return -1 }
      holes.append(hole)
    }
    buildings.append(SceneBuilding([.init(outer: outer, holes: holes, base: base, roof: roof)]))
  }
  session.handle(.buildings(buildings), at: time)
  return Int32(buildings.count)
}

/// What becomes of labels of hidden things: a number of `HiddenLabels`; another one changes nothing.
@_expose(wasm) @c public func sl_hidden_labels(_ time: Double, _ kind: Int32) {
  guard 0...2 ~= kind, let labels = HiddenLabels(rawValue: UInt8(kind)) else { return }
  session.handle(.setHiddenLabels(labels), at: time)
}

/// Of the frame that was made last, how many features stand behind buildings, and these, in view or not; then likewise those of which
/// part is seen.
@_expose(wasm) @c public func sl_frame_hidden() -> UnsafeMutablePointer<Double> {
  output.reserve(2 + session.frame.hidden.count + session.frame.partlySeen.count)
  var out = Writer(output.base)
  out.put(session.frame.hidden.count)
  for feature in session.frame.hidden { out.put(feature) }
  out.put(session.frame.partlySeen.count)
  for feature in session.frame.partlySeen { out.put(feature) }
  return output.base
}

/// Reads the page's numbers one after the other, and no further than there are.
private struct Numbers {
  let base: UnsafeMutablePointer<Double>
  let count: Int
  private var at = 0

  init(base: UnsafeMutablePointer<Double>, count: Int) {
    self.base = base
    self.count = count
  }

  var isAtEnd: Bool { at >= count }

  mutating func next() -> Double? {
    guard at < count else { return nil }
    defer { at += 1 }
    return base[at]
  }

  /// A number of things that take two numbers each at least.
  mutating func nextCount() -> Int? {
    guard let value = next(), value >= 0, value <= Double(count), value.rounded(.down) == value else { return nil }
    return Int(value)
  }

  mutating func nextRing() -> [Geodetic]? {
    guard let corners = nextCount(), corners <= (count - at) / 2 else { return nil }
    var ring: [Geodetic] = []
    ring.reserveCapacity(corners)
    for _ in 0..<corners {
      let corner = WebMercator.geodetic(Vector2(base[at], base[at + 1]))
      (base[at], base[at + 1]) = (corner.latitudeDegrees, corner.longitudeDegrees)
      ring.append(corner)
      at += 2
    }
    return ring
  }
}
