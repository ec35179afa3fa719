import SightlineCamera
import SightlineMath
import SightlineScene

/// Where anchors hang, by what they are.
struct AnchorSurveys: Sendable {
  private var entries: [(id: AnchorID, survey: AnchorSurvey)] = []

  var isEmpty: Bool { entries.isEmpty }

  /// Notes where an anchor hangs; ``settle()`` makes it found.
  mutating func add(_ survey: AnchorSurvey, of id: AnchorID) { entries.append((id, survey)) }

  /// Puts them in order, and takes out those of which different things are said.
  mutating func settle() {
    entries.sortStably { $0.id.sortKey < $1.id.sortKey }
    var kept = 0
    var index = 0
    while index < entries.count {
      var end = index + 1
      var isClear = true
      while end < entries.count, entries[end].id == entries[index].id {
        if entries[end].survey != entries[index].survey { isClear = false }
        end += 1
      }
      if isClear {
        entries[kept] = entries[index]
        kept += 1
      }
      index = end
    }
    entries.removeLast(entries.count - kept)
  }

  /// Where one hangs, found by halving.
  subscript(id: AnchorID) -> AnchorSurvey? {
    get {
      let index = position(of: id)
      return index < entries.count && entries[index].id == id ? entries[index].survey : nil
    }
    set {
      let index = position(of: id)
      if index < entries.count, entries[index].id == id { entries.remove(at: index) }
      if let newValue { entries.insert((id, newValue), at: index) }
    }
  }

  private func position(of id: AnchorID) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id.sortKey < id.sortKey { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
