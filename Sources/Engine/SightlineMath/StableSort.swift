/// The order of things when they are sorted, equal ones as they were: bottom-up merge sort of their indices,
/// O(n log n) comparisons.
///
/// It asks for one comparison after another instead of taking a closure, so that a program has it once: the standard
/// library's sort is compiled anew for every type and every comparison, 2.5 kB of WebAssembly each, and so would be a
/// function that takes a closure.
public struct MergeOrder {
  /// Indices of the things; sorted when ``next()`` has nothing more to ask.
  public private(set) var order: [Int]
  private var merged: [Int]
  /// Things in a run, and where the two runs begin that are merged.
  private var (width, low) = (1, 0)
  /// What is taken next of both runs, and where it goes.
  private var (first, second, place) = (0, 1, 0)

  /// The order of so many things, before any is compared.
  public init(_ count: Int) {
    order = Array(0..<count)
    merged = order
  }

  /// The indices of two things that are to be compared.
  ///
  /// ``take(_:)`` wants to know whether the former belongs before the latter. `nil` when all are in order.
  @inline(never)
  public mutating func next() -> (Int, Int)? {
    let count = order.count
    while width < count {
      let (middle, end) = (min(low + width, count), min(low + 2 * width, count))
      if first < middle && second < end { return (order[second], order[first]) }
      // One run is used up; what is left of the other is in order.
      while first < middle { takeFirst() }
      while second < end { takeSecond() }
      low = end
      if low == count {
        swap(&order, &merged)
        (width, low) = (2 * width, 0)
      }
      (first, second, place) = (low, min(low + width, count), low)
    }
    return nil
  }

  /// The answer to ``next()``.
  @inline(never)
  public mutating func take(_ isBefore: Bool) {
    if isBefore { takeSecond() } else { takeFirst() }
  }

  private mutating func takeFirst() {
    merged[place] = order[first]
    first += 1
    place += 1
  }

  private mutating func takeSecond() {
    merged[place] = order[second]
    second += 1
    place += 1
  }
}

extension Array {
  /// Sorts; equal elements stay in their order.
  ///
  /// For what is sorted a few times a frame, not for every pixel: see ``MergeOrder`` for what it saves.
  @inlinable
  public mutating func sortStably(by isBefore: (Element, Element) -> Bool) {
    let items = self
    var merge = MergeOrder(items.count)
    while let (a, b) = merge.next() { merge.take(isBefore(items[a], items[b])) }
    self = Array(unsafeUninitializedCapacity: items.count) { buffer, count in
      for i in merge.order {
        buffer.initializeElement(at: count, to: items[i])
        count += 1
      }
    }
  }
}
