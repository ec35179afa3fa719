import SightlineMath

/// Sorts points into the order of a balanced k-d tree, see `GeodeticIndex.swift`.
struct KDTreeBuilder {
  let points: UnsafeMutableBufferPointer<GeodeticIndex.Point>
  let nodes: UnsafeMutableBufferPointer<GeodeticIndex.Node>
  /// How often a selection may split before it sorts what is left.
  ///
  /// A world made for the purpose could otherwise keep it busy for a time that grows with the square of its size.
  /// Ordinary ones need some twenty splits.
  let splitLimit: Int

  func build() { build(node: 0, low: 0, high: points.count) }

  private func build(node: Int, low: Int, high: Int) {
    guard node < nodes.count else { return }
    let axis = widestAxis(low, high)
    let middle = low + (high - low) / 2
    let plane: Double
    switch axis {
    case 0: plane = select(middle, low, high) { $0.x }
    case 1: plane = select(middle, low, high) { $0.y }
    default: plane = select(middle, low, high) { $0.z }
    }
    nodes[node] = GeodeticIndex.Node(plane: plane, axis: axis)
    build(node: 2 * node + 1, low: low, high: middle)
    build(node: 2 * node + 2, low: middle, high: high)
  }

  private func widestAxis(_ low: Int, _ high: Int) -> Int32 {
    var minX = 2.0, minY = 2.0, minZ = 2.0
    var maxX = -2.0, maxY = -2.0, maxZ = -2.0
    for i in low..<high {
      let p = points[i]
      minX = p.x < minX ? p.x : minX
      maxX = p.x > maxX ? p.x : maxX
      minY = p.y < minY ? p.y : minY
      maxY = p.y > maxY ? p.y : maxY
      minZ = p.z < minZ ? p.z : minZ
      maxZ = p.z > maxZ ? p.z : maxZ
    }
    let x = maxX - minX
    let y = maxY - minY
    let z = maxZ - minZ
    return x >= y && x >= z ? 0 : (y >= z ? 1 : 2)
  }

  /// Hoare's selection.
  ///
  /// Afterwards everything before `middle` is at most, everything from it on at least the key
  /// returned. Equal keys change sides, which keeps it linear on thousands of places at one spot.
  @inline(__always)
  private func select(
    _ middle: Int,
    _ low: Int,
    _ high: Int,
    _ key: (GeodeticIndex.Point) -> Double
  ) -> Double {
    var left = low
    var right = high - 1
    var splits = 0
    while left < right {
      guard splits < splitLimit else {
        var rest = Array(points[left...right])
        rest.sortStably { key($0) < key($1) }
        for i in rest.indices { points[left + i] = rest[i] }
        break
      }
      splits += 1
      // Median of three, so that sorted input is a good case and not the worst one.
      let a = key(points[left])
      let b = key(points[left + (right - left) / 2])
      let c = key(points[right])
      let pivot = a < b ? (b < c ? b : (a < c ? c : a)) : (a < c ? a : (b < c ? c : b))
      var i = left
      var j = right
      while i <= j {
        while key(points[i]) < pivot { i += 1 }
        while key(points[j]) > pivot { j -= 1 }
        if i <= j {
          points.swapAt(i, j)
          i += 1
          j -= 1
        }
      }
      if middle <= j {
        right = j
      } else if middle >= i {
        left = i
      } else {
        break
      }
    }
    return key(points[middle])
  }
}
