import SightlineMath

/// The search for the nearest points: a depth-first walk that keeps the best in a bounded heap, worst on top.
///
/// The heap lies in the caller's buffer and starts full of places at the limit, which real ones displace; until the end
/// `distance` holds the square of the chord.
struct NearestSearch {
  typealias Neighbor = GeodeticIndex.Neighbor
  let points: UnsafeBufferPointer<GeodeticIndex.Point>
  let nodes: UnsafeBufferPointer<GeodeticIndex.Node>
  let query: Vector3
  let heap: UnsafeMutableBufferPointer<Neighbor>

  /// Visits a node; `x2`, `y2`, `z2` are the squares of the query's distances from its box along the axes.
  mutating func visit(node: Int, low: Int, high: Int, x2: Double, y2: Double, z2: Double) {
    guard node < nodes.count else { return scan(low, high) }
    let here = nodes[node]
    let middle = low + (high - low) / 2
    let offset = (here.axis == 0 ? query.x : (here.axis == 1 ? query.y : query.z)) - here.plane
    let offset2 = offset * offset
    let farX2 = here.axis == 0 ? offset2 : x2
    let farY2 = here.axis == 1 ? offset2 : y2
    let farZ2 = here.axis == 2 ? offset2 : z2
    if offset < 0 {
      visit(node: 2 * node + 1, low: low, high: middle, x2: x2, y2: y2, z2: z2)
      // Not `>=`: an equally near point with a smaller number may be there.
      if farX2 + farY2 + farZ2 > heap[0].distance { return }
      visit(node: 2 * node + 2, low: middle, high: high, x2: farX2, y2: farY2, z2: farZ2)
    } else {
      visit(node: 2 * node + 2, low: middle, high: high, x2: x2, y2: y2, z2: z2)
      if farX2 + farY2 + farZ2 > heap[0].distance { return }
      visit(node: 2 * node + 1, low: low, high: middle, x2: farX2, y2: farY2, z2: farZ2)
    }
  }

  @inline(__always)
  private mutating func scan(_ low: Int, _ high: Int) {
    for i in low..<high {
      let p = points[i]
      let x = query.x - p.x
      let y = query.y - p.y
      let z = query.z - p.z
      let chord2 = x * x + y * y + z * z
      if chord2 > heap[0].distance { continue }
      let candidate = Neighbor(index: p.index, distance: chord2)
      if Self.precedes(candidate, heap[0]) { sink(candidate, heap.count) }
    }
  }

  @inline(__always)
  private static func precedes(_ a: Neighbor, _ b: Neighbor) -> Bool {
    a.distance < b.distance || (a.distance == b.distance && a.index < b.index)
  }

  /// Puts an element in place of the top one and lets it sink within the first `count`.
  @inline(__always)
  private func sink(_ element: Neighbor, _ count: Int) {
    var hole = 0
    while true {
      var child = 2 * hole + 1
      guard child < count else { break }
      if child + 1 < count, Self.precedes(heap[child], heap[child + 1]) { child += 1 }
      guard Self.precedes(element, heap[child]) else { break }
      heap[hole] = heap[child]
      hole = child
    }
    heap[hole] = element
  }

  /// Sorts the heap, turns chords into metres and returns how many places were found.
  func finish(radius: Double) -> Int {
    var last = heap.count - 1
    while last > 0 {
      let worst = heap[0]
      sink(heap[last], last)
      heap[last] = worst
      last -= 1
    }
    var found = 0
    while found < heap.count, heap[found].index != .max {
      let chord = heap[found].distance.squareRoot()
      let distance = GeodeticIndex.arc(chord)
      guard distance <= radius else { break }
      heap[found].distance = distance
      found += 1
    }
    return found
  }
}

/// The search for everything within a radius.
struct RadiusSearch {
  let points: UnsafeBufferPointer<GeodeticIndex.Point>
  let nodes: UnsafeBufferPointer<GeodeticIndex.Node>
  let query: Vector3
  /// Square of the longest chord to look at.
  let limit: Double
  let radius: Double

  func visit(
    node: Int,
    low: Int,
    high: Int,
    x2: Double,
    y2: Double,
    z2: Double,
    into found: inout [GeodeticIndex.Neighbor]
  ) {
    guard node < nodes.count else { return scan(low, high, &found) }
    let here = nodes[node]
    let middle = low + (high - low) / 2
    let offset = (here.axis == 0 ? query.x : (here.axis == 1 ? query.y : query.z)) - here.plane
    let offset2 = offset * offset
    let farX2 = here.axis == 0 ? offset2 : x2
    let farY2 = here.axis == 1 ? offset2 : y2
    let farZ2 = here.axis == 2 ? offset2 : z2
    let isFarWithin = farX2 + farY2 + farZ2 <= limit
    if offset < 0 || isFarWithin {
      let isFar = !(offset < 0)
      visit(
        node: 2 * node + 1,
        low: low,
        high: middle,
        x2: isFar ? farX2 : x2,
        y2: isFar ? farY2 : y2,
        z2: isFar ? farZ2 : z2,
        into: &found
      )
    }
    if !(offset < 0) || isFarWithin {
      let isFar = offset < 0
      visit(
        node: 2 * node + 2,
        low: middle,
        high: high,
        x2: isFar ? farX2 : x2,
        y2: isFar ? farY2 : y2,
        z2: isFar ? farZ2 : z2,
        into: &found
      )
    }
  }

  @inline(__always)
  private func scan(_ low: Int, _ high: Int, _ found: inout [GeodeticIndex.Neighbor]) {
    for i in low..<high {
      let p = points[i]
      let x = query.x - p.x
      let y = query.y - p.y
      let z = query.z - p.z
      let chord2 = x * x + y * y + z * z
      guard chord2 <= limit else { continue }
      let distance = GeodeticIndex.arc(chord2.squareRoot())
      if distance <= radius { found.append(GeodeticIndex.Neighbor(index: p.index, distance: distance)) }
    }
  }
}

extension GeodeticIndex {
  /// Metres along the mean sphere for a chord of the unit sphere.
  @inline(__always)
  static func arc(_ chord: Double) -> Double { 2 * WGS84.meanRadius * asin(chord / 2) }
}
