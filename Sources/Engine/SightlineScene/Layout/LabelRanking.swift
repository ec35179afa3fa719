import SightlineMath

/// Ranks the entries: those that stand count as nearer than they are, at their own place more than lifted.
///
/// In: the collected entries. Out: ``LabelTable/order``.
///
/// They are brought into the order of their rank without sorting them afresh in every frame.
/// Candidates come nearest first. The bonus of those that stand is one of three factors, so that the entries fall into
/// three streams that are each in order already, and merging them is enough. A stream that is not in order, because
/// the input was not, is sorted in place by heap sort: the standard sort would allocate.
struct LabelRanking: Sendable {
  private static let count = 3
  private var streams: [[Int32]] = [[], [], []]
  private var isSorted = [true, true, true]

  /// Ranks all that are to be laid out, but for the selected one.
  mutating func run(_ labels: inout LabelTable) {
    removeAll()
    for index in 0..<Int32(labels.entries.count) {
      let entry = labels.entries[Int(index)]
      guard entry.outcome == .undecided, index != labels.selected else { continue }
      let memory = labels.memories[entry.memory]
      let stream = memory.role == .standing ? (memory.lift == 0 ? 0 : 1) : 2
      labels.entries[Int(index)].rank = entry.distance * (stream == 0 ? 0.8 : (stream == 1 ? 0.9 : 1))
      append(index, to: stream, of: labels.entries)
    }
    merge(into: &labels.order, of: labels.entries)
  }

  private mutating func removeAll() {
    for index in 0..<Self.count {
      streams[index].removeAll(keepingCapacity: true)
      isSorted[index] = true
    }
  }

  /// Appends an entry to a stream.
  private mutating func append(_ entry: Int32, to stream: Int, of entries: [LabelEntry]) {
    if let last = streams[stream].last, isSorted[stream],
      entries[Int(entry)].precedes(entries[Int(last)])
    {
      isSorted[stream] = false
    }
    streams[stream].append(entry)
  }

  /// Appends the entries of all streams, by rank.
  private mutating func merge(into order: inout [Int32], of entries: [LabelEntry]) {
    for index in 0..<Self.count where !isSorted[index] { Self.heapSort(&streams[index], of: entries) }
    var next = (0, 0, 0)
    while true {
      var best: Int32 = -1
      var stream = -1
      if next.0 < streams[0].count { (best, stream) = (streams[0][next.0], 0) }
      if next.1 < streams[1].count {
        let other = streams[1][next.1]
        if best < 0 || entries[Int(other)].precedes(entries[Int(best)]) { (best, stream) = (other, 1) }
      }
      if next.2 < streams[2].count {
        let other = streams[2][next.2]
        if best < 0 || entries[Int(other)].precedes(entries[Int(best)]) { (best, stream) = (other, 2) }
      }
      switch stream {
      case 0: next.0 += 1
      case 1: next.1 += 1
      case 2: next.2 += 1
      default: return
      }
      order.append(best)
    }
  }

  private static func heapSort(_ items: inout [Int32], of entries: [LabelEntry]) {
    var start = items.count / 2
    var end = items.count
    while end > 1 {
      if start > 0 {
        start -= 1
      } else {
        end -= 1
        items.swapAt(0, end)
      }
      var root = start
      while root * 2 + 1 < end {
        var child = root * 2 + 1
        if child + 1 < end, entries[Int(items[child])].precedes(entries[Int(items[child + 1])]) { child += 1 }
        guard entries[Int(items[root])].precedes(entries[Int(items[child])]) else { break }
        items.swapAt(root, child)
        root = child
      }
    }
  }
}
