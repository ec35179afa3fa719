/// Indices of keys from the smallest key to the largest, those of equal keys in their order.
///
/// Radix sort by eight bits at a time from the lowest (Knuth, The Art of Computer Programming 3, 5.2.5), O(n). Bits that all keys have
/// in common are passed over.
func ascendingOrder(of keys: [UInt64]) -> [Int32] {
  guard let first = keys.first else { return [] }
  var (order, nextOrder) = ([Int32](repeating: 0, count: keys.count), [Int32](repeating: 0, count: keys.count))
  for index in keys.indices { order[index] = Int32(truncatingIfNeeded: index) }
  var (sorted, nextSorted) = (keys, keys)
  var different: UInt64 = 0
  for key in keys { different |= key ^ first }
  var shift: UInt64 = 0
  while shift < 64 {
    if different >> shift & 0xFF != 0 {
      // Where those with each digit begin.
      var starts = InlineArray<257, Int>(repeating: 0)
      for key in sorted { starts[Int(key >> shift & 0xFF) + 1] += 1 }
      for digit in 1..<257 { starts[digit] += starts[digit - 1] }
      for index in sorted.indices {
        let digit = Int(sorted[index] >> shift & 0xFF)
        let place = starts[digit]
        starts[digit] = place + 1
        nextSorted[place] = sorted[index]
        nextOrder[place] = order[index]
      }
      swap(&sorted, &nextSorted)
      swap(&order, &nextOrder)
    }
    shift += 8
  }
  return order
}
