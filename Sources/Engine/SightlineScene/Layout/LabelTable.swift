import SightlineMath

/// The labels of a frame, and what is remembered of them from frame to frame.
struct LabelTable: Sendable {
  var memories = LabelMemoryTable()
  /// All in view, in the order of the candidates.
  var entries: [LabelEntry] = []
  /// Indices of the entries to lay out, by rank, but for the selected one and those that are exempt.
  var order: [Int32] = []
  /// Index of the selected one's entry, −1 for none.
  var selected: Int32 = -1

  /// What is remembered of an entry that may move.
  @inline(__always)
  func memory(of index: Int32) -> LabelMemory { memories[entries[Int(index)].memory] }

  /// Empties the table for a frame; what has not been in view for a while is forgotten.
  mutating func begin(_ frame: LabelFrame) {
    memories.dropUnseen(since: frame.now - frame.parameters.memorySeconds)
    entries.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    selected = -1
  }

  /// Leaves an entry without a place.
  mutating func leaveOut(_ index: Int32, as outcome: LabelEntry.Outcome) {
    entries[Int(index)].outcome = outcome
    memories[entries[Int(index)].memory].role = .none
  }
}
