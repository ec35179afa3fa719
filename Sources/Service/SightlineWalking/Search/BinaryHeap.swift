/// Costs and nodes with the least cost first, packed into one number each.
struct BinaryHeap {
  private var entries: [UInt64] = []

  var isEmpty: Bool { entries.isEmpty }
  /// The least cost; the largest number when there is none.
  @inline(__always) var least: UInt32 { entries.isEmpty ? .max : UInt32(truncatingIfNeeded: entries[0] >> 32) }

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  @inline(__always) mutating func push(cost: UInt32, node: UInt32) {
    let entry = UInt64(cost) << 32 | UInt64(node)
    entries.append(entry)
    entries.withUnsafeMutableBufferPointer { heap in
      var index = heap.count - 1
      while index > 0 {
        let parent = (index - 1) >> 1
        if heap[parent] <= entry { break }
        heap[index] = heap[parent]
        index = parent
      }
      heap[index] = entry
    }
  }

  /// Takes the least off.
  ///
  /// Of equal costs the lower node comes first, so that a search always goes the same way.
  @inline(__always) mutating func pop() -> (cost: UInt32, node: UInt32)? {
    guard let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return Self.unpacked(last) }
    return entries.withUnsafeMutableBufferPointer { heap in
      let least = heap[0]
      let count = heap.count
      var index = 0
      while true {
        var child = 2 * index + 1
        if child >= count { break }
        if child + 1 < count, heap[child + 1] < heap[child] { child += 1 }
        if heap[child] >= last { break }
        heap[index] = heap[child]
        index = child
      }
      heap[index] = last
      return Self.unpacked(least)
    }
  }

  @inline(__always) private static func unpacked(_ entry: UInt64) -> (cost: UInt32, node: UInt32) {
    (UInt32(truncatingIfNeeded: entry >> 32), UInt32(truncatingIfNeeded: entry))
  }
}
