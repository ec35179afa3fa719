import SightlineMath

/// Finds overlays by their identifiers, which places name; of two with one identifier the later one.
struct OverlayNames {
  private struct Entry {
    var key: UInt64
    var name: [UInt16]
    var index: Int32
  }

  private var entries: [Entry] = []
  private var isSorted = true

  mutating func add(_ name: some Collection<UInt16>, index: Int32) {
    entries.append(Entry(key: ContentKey.of(name), name: [UInt16](name), index: index))
    isSorted = false
  }

  /// - Complexity: O(log n) comparisons of two numbers; sorts once after the last ``add(_:index:)``.
  mutating func index(of name: some Collection<UInt16>) -> Int32? {
    if !isSorted {
      entries.sortStably { ($0.key, $1.index) < ($1.key, $0.index) }
      isSorted = true
    }
    let key = ContentKey.of(name)
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    while low < entries.count, entries[low].key == key {
      if entries[low].name.elementsEqual(name) { return entries[low].index }
      low += 1
    }
    return nil
  }
}
