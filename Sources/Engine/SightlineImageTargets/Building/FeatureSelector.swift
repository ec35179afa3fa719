import SightlineImaging
import SightlineMath

/// Chooses the features by which a picture is found again from elsewhere.
///
/// The picture is looked at in simulated views (as affine SIFT does, Morel and Yu 2009, but when the target is made
/// instead of when
/// it is looked for): near, far, and aslant along several directions. Features of all views are candidates, and each is
/// good for those
/// features of the views that lie in its place and look like it. Those that are good for the most that no other is good
/// for are chosen
/// one after another, and the fewer a view and a part of the picture have, the more each counts.
struct FeatureSelector {
  /// The views, and how much each counts.
  private static let stances: [(stance: SimulatedView.Stance, weight: Float)] = [
    (SimulatedView.Stance(zoom: 1, squeeze: 1, eighths: 0), 1),
    (SimulatedView.Stance(zoom: 0.7, squeeze: 1, eighths: 0), 0.7),
    (SimulatedView.Stance(zoom: 0.5, squeeze: 1, eighths: 0), 1),
    (SimulatedView.Stance(zoom: 0.36, squeeze: 1, eighths: 0), 1),
    (SimulatedView.Stance(zoom: 0.27, squeeze: 1, eighths: 0), 1),
    (SimulatedView.Stance(zoom: 0.7, squeeze: 0.5, eighths: 0), 0.7),
    (SimulatedView.Stance(zoom: 0.7, squeeze: 0.5, eighths: 4), 0.7),
    (SimulatedView.Stance(zoom: 0.7, squeeze: 0.5, eighths: 2), 0.7),
    (SimulatedView.Stance(zoom: 0.7, squeeze: 0.5, eighths: 6), 0.7),
  ]

  /// Least cosine of the angle between descriptors that count as alike, and what makes one count in full.
  private static let (least, sure): (Float, Float) = (0.84, 0.95)
  /// What a feature of a view counts that has been provided for already.
  private static let again: Float = 0.2
  /// So many features of a part count about the same; of more, each counts the less.
  private static let ease: Float = 2
  /// Least cosine of the angle between descriptors that are taken as the same thing in another place.
  private static let twin: Float = 0.93
  /// Parts of the picture along each side.
  private static let parts = 4
  /// Pixels along a side of the cells that candidates are sorted into: the farthest that two of the same place are
  /// apart.
  private static let cell: Float = 12

  /// The features of all views with their places in the picture, and the group (view and part) of each.
  private var found = FeatureSet()
  private var groups: [Int32] = []
  private let extractor = FeatureExtractor()

  init() {
    extractor.parameters.keypoints.limit = 300
    extractor.parameters.keypoints.threshold = 12
    extractor.parameters.allowsTwoDirections = true
  }

  /// The features that are chosen, the best first, at most `limit`.
  mutating func select(_ reference: GrayImage, limit: Int) -> FeatureSet {
    gather(reference)
    let pairs = pairs(width: Float(reference.width), height: Float(reference.height))
    let lists = PairLists(pairs, count: found.count)
    var distinctness = [Float](repeating: 1, count: found.count)
    // What the picture has in several places tells little; only what may be chosen is asked.
    let likely = choose(lists, limit: limit * 3 / 2, distinctness)
    for k in distinctness.indices { distinctness[k] = 0 }
    for k in likely { distinctness[k] = 1 / Float(1 + twins(of: k, among: likely)) }
    var result = FeatureSet()
    for k in choose(lists, limit: limit, distinctness) {
      result.features.append(found.features[k])
      let from = k * Feature.descriptorLength
      result.descriptors.append(contentsOf: found.descriptors[from..<(from + Feature.descriptorLength)])
    }
    return result
  }

  /// How many others look like a feature but lie elsewhere.
  @_optimize(speed)
  private func twins(of k: Int, among others: [Int]) -> Int {
    let own = found.features[k]
    let limit = Int32(Self.twin * FeatureSet.unit * FeatureSet.unit)
    let length = Feature.descriptorLength
    return found.descriptors.withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return 0 }
      var count = 0
      for i in others {
        let other = found.features[i]
        guard (other.response > 0) == (own.response > 0) else { continue }
        let (dx, dy) = (other.x - own.x, other.y - own.y)
        guard dx * dx + dy * dy > 16 * own.scale * own.scale else { continue }
        if similarity(base + k &* length, base + i &* length) > limit { count += 1 }
      }
      return count
    }
  }

  /// The features of all views, with their places in the picture.
  private mutating func gather(_ reference: GrayImage) {
    found = FeatureSet()
    groups.removeAll()
    let source = reference.withView { FloatImage($0) }
    let (width, height) = (Float(reference.width), Float(reference.height))
    var turned = TurnedPicture(source, eighths: 0)
    var eighths = 0
    var seen = FeatureSet()
    for (index, (stance, _)) in Self.stances.enumerated() {
      if stance.eighths != eighths {
        turned = TurnedPicture(source, eighths: stance.eighths)
        eighths = stance.eighths
      }
      let view = SimulatedView(turned, stance)
      view.picture.withView { extractor.extract($0, into: &seen) }
      for k in 0..<seen.count {
        let place = view.place(seen.features[k])
        // What goes beyond the edge is not the picture's.
        guard place.x > 1, place.y > 1, place.x < width - 2, place.y < height - 2 else { continue }
        let column = min(Self.parts - 1, Int(place.x * Float(Self.parts) / width))
        let row = min(Self.parts - 1, Int(place.y * Float(Self.parts) / height))
        found.features.append(place)
        groups.append(Int32((index * Self.parts + row) * Self.parts + column))
        let from = k * Feature.descriptorLength
        found.descriptors.append(contentsOf: seen.descriptors[from..<(from + Feature.descriptorLength)])
      }
    }
  }

  /// All pairs of features in the same place that look alike.
  private func pairs(width: Float, height: Float) -> [PairLists.Pair] {
    let (columns, rows) = (Int(width / Self.cell) + 1, Int(height / Self.cell) + 1)
    func cell(_ f: Feature) -> Int { Int(f.y / Self.cell) * columns + Int(f.x / Self.cell) }
    var starts = [Int](repeating: 0, count: columns * rows + 1)
    for f in found.features { starts[cell(f) + 1] += 1 }
    for c in 0..<(columns * rows) { starts[c + 1] += starts[c] }
    var next = starts
    let sorted = FixedBuffer<Int32>(count: found.count, filledWith: 0)
    let places = FixedBuffer<Keypoint>(count: found.count, filledWith: .zero)
    for (i, f) in found.features.enumerated() {
      let at = next[cell(f)]
      next[cell(f)] += 1
      sorted.base[at] = Int32(truncatingIfNeeded: i)
      // Of light and of dark keypoints the sizes have different signs, so that they never match.
      places.base[at] = Keypoint(x: f.x, y: f.y, size: f.response > 0 ? f.scale : -f.scale, direction: f.angle)
    }
    var result: [PairLists.Pair] = []
    found.descriptors.withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return }
      for row in 0..<rows {
        for column in 0..<columns {
          let home = row * columns + column
          for a in starts[home]..<starts[home + 1] {
            // Each pair once: the rest of this cell and of the one to the right, then the three below.
            let right = starts[min(row * columns + columns, home + 2)]
            for b in (a + 1)..<max(a + 1, right) { take(base, sorted.base, places.base, a, b, &result) }
            guard row + 1 < rows else { continue }
            let below = (row + 1) * columns
            for b in starts[below + max(0, column - 1)]..<starts[below + min(columns, column + 2)] {
              take(base, sorted.base, places.base, a, b, &result)
            }
          }
        }
      }
    }
    return result
  }

  @inline(__always)
  private func take(
    _ descriptors: UnsafePointer<Int16>,
    _ sorted: UnsafePointer<Int32>,
    _ places: UnsafePointer<Keypoint>,
    _ a: Int,
    _ b: Int,
    _ pairs: inout [PairLists.Pair]
  ) {
    let (p, q) = (places[a], places[b])
    let ratio = p.size / q.size
    guard ratio > 0.62, ratio < 1.6 else { return }
    let reach = min(Self.cell, max(2, 1.2 * min(abs(p.size), abs(q.size))))
    let d = p.position - q.position
    guard d.x * d.x + d.y * d.y < reach * reach else { return }
    var lean = abs(p.direction - q.direction)
    if lean > .pi { lean = 2 * .pi - lean }
    guard lean < 0.5 else { return }
    let (i, j) = (sorted[a], sorted[b])
    let length = Feature.descriptorLength
    let score = similarity(descriptors + Int(i) &* length, descriptors + Int(j) &* length)
    let cosine = Float(score) / (FeatureSet.unit * FeatureSet.unit)
    guard cosine > Self.least else { return }
    pairs.append(PairLists.Pair(i: i, j: j, share: min(1, (cosine - Self.least) / (Self.sure - Self.least))))
  }

  /// Takes the candidate that adds the most, again and again.
  private func choose(_ lists: PairLists, limit: Int, _ distinctness: [Float]) -> [Int] {
    let provided = FixedBuffer<Float>(count: found.count, filledWith: 0)
    let counts = FixedBuffer<Float>(count: Self.stances.count * Self.parts * Self.parts, filledWith: 0)
    let weights = Self.stances.map { $0.weight }
    let perView = Int32(Self.parts * Self.parts)
    func worth(_ k: Int, _ share: Float) -> Float {
      let had = provided.base[k]
      let more = share > had ? share - had + Self.again * had : Self.again * share
      return weights[Int(groups[k] / perView)] * more / (Self.ease + counts.base[Int(groups[k])])
    }
    func gain(_ k: Int) -> Float {
      var sum = worth(k, 1)
      for n in lists.range(k) { sum += worth(Int(lists.others.base[n]), lists.shares.base[n]) }
      return sum * distinctness[k]
    }
    func provide(_ k: Int, _ share: Float) {
      guard share > provided.base[k] else { return }
      counts.base[Int(groups[k])] += share - provided.base[k]
      provided.base[k] = share
    }
    var heap = GainHeap()
    for k in 0..<found.count where distinctness[k] > 0 { heap.push(gain(k), Int32(truncatingIfNeeded: k)) }
    var result: [Int] = []
    while result.count < limit, let top = heap.pop() {
      let k = Int(top.item)
      // What a candidate adds only falls as others are taken: one that is still ahead of the next is the best.
      let now = gain(k)
      if let next = heap.first, now < next.gain {
        heap.push(now, top.item)
        continue
      }
      result.append(k)
      provide(k, 1)
      for n in lists.range(k) { provide(Int(lists.others.base[n]), lists.shares.base[n]) }
    }
    return result
  }
}

/// For each of some things the others that are like it.
struct PairLists {
  /// Two that are alike, and how much, 0 … 1.
  struct Pair {
    var i: Int32
    var j: Int32
    var share: Float
  }

  private let starts: FixedBuffer<Int32>
  /// The others, list after list.
  let others: FixedBuffer<Int32>
  /// How much they are alike, in the same order.
  let shares: FixedBuffer<Float>

  init(_ pairs: [Pair], count: Int) {
    starts = FixedBuffer(count: count + 1, filledWith: 0)
    others = FixedBuffer(count: 2 * pairs.count, filledWith: 0)
    shares = FixedBuffer(count: 2 * pairs.count, filledWith: 0)
    for pair in pairs {
      starts.base[Int(pair.i)] += 1
      starts.base[Int(pair.j)] += 1
    }
    // Ends first; filling from the end leaves the beginnings.
    for k in 1..<max(1, count) { starts.base[k] += starts.base[k - 1] }
    starts.base[count] = Int32(2 * pairs.count)
    func put(_ k: Int32, _ other: Int32, _ share: Float) {
      starts.base[Int(k)] -= 1
      let at = Int(starts.base[Int(k)])
      others.base[at] = other
      shares.base[at] = share
    }
    for pair in pairs {
      put(pair.i, pair.j, pair.share)
      put(pair.j, pair.i, pair.share)
    }
  }

  /// Where the list of a thing is.
  func range(_ k: Int) -> Range<Int> { Int(starts.base[k])..<Int(starts.base[k + 1]) }
}

/// Things by what they add, the most first; of equal ones the one with the lower number.
struct GainHeap {
  private var items: [(gain: Float, item: Int32)] = []

  /// What is first.
  var first: (gain: Float, item: Int32)? { items.first }

  private static func isBefore(_ a: (gain: Float, item: Int32), _ b: (gain: Float, item: Int32)) -> Bool {
    a.gain > b.gain || (a.gain == b.gain && a.item < b.item)
  }

  mutating func push(_ gain: Float, _ item: Int32) {
    items.append((gain, item))
    var at = items.count - 1
    while at > 0, Self.isBefore(items[at], items[(at - 1) / 2]) {
      items.swapAt(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  mutating func pop() -> (gain: Float, item: Int32)? {
    guard let top = items.first, let last = items.popLast() else { return nil }
    guard !items.isEmpty else { return top }
    items[0] = last
    var at = 0
    while true {
      var child = 2 * at + 1
      guard child < items.count else { break }
      if child + 1 < items.count, Self.isBefore(items[child + 1], items[child]) { child += 1 }
      guard Self.isBefore(items[child], items[at]) else { break }
      items.swapAt(at, child)
      at = child
    }
    return top
  }
}
