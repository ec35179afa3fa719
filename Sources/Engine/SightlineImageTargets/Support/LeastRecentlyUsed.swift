/// Which targets were used last, up to so many: what others of them keep at hand can be given back.
struct LeastRecentlyUsed {
  /// How many there may be.
  let limit: Int
  private var targets: [Int] = []

  /// Room for so many, at least one.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Notes that a target is used; answers the one that was used longest ago when there are too many.
  mutating func use(_ target: Int) -> Int? {
    if let place = targets.firstIndex(of: target) {
      targets.remove(at: place)
      targets.append(target)
      return nil
    }
    targets.append(target)
    return targets.count > limit ? targets.removeFirst() : nil
  }
}
