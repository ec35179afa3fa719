import SightlineMath

/// Three finder patterns that may belong to one code.
struct FinderTriple {
  /// Places in the list of patterns: top left, top right, bottom left of a code that is not mirrored.
  var indices: InlineArray<3, Int>
  /// How far it is from a square seen straight on; smaller is better.
  var misfit: Double

  /// All that are not absurd, the best first, so many at most.
  static func candidates(_ patterns: [FinderPattern], limit: Int) -> [FinderTriple] {
    // The best so far in their order: thirty patterns make ten thousand triples, of which a few dozen are wanted.
    var best: [FinderTriple] = []
    let count = patterns.count
    guard count >= 3, limit > 0 else { return [] }
    best.reserveCapacity(limit + 1)
    for a in 0..<count {
      for b in 0..<count where b != a {
        for c in (b + 1)..<max(count, b + 1) where c != a {
          guard let triple = triple(patterns, a, b, c) else { continue }
          if best.count == limit {
            guard triple.misfit < best[limit - 1].misfit else { continue }
            best.removeLast()
          }
          var place = best.count
          while place > 0, triple.misfit < best[place - 1].misfit { place -= 1 }
          best.insert(triple, at: place)
        }
      }
    }
    return best
  }

  /// A triple with its top left pattern at `a`.
  private static func triple(_ patterns: [FinderPattern], _ a: Int, _ b: Int, _ c: Int) -> FinderTriple? {
    let modules = (patterns[a].module, patterns[b].module, patterns[c].module)
    let largest = max(modules.0, max(modules.1, modules.2))
    let smallest = min(modules.0, min(modules.1, modules.2))
    guard largest < 2 * smallest + 0.5 else { return nil }
    let ab = patterns[b].center - patterns[a].center
    let ac = patterns[c].center - patterns[a].center
    let (lengthB, lengthC) = (ab.length, ac.length)
    let mean = (modules.0 + modules.1 + modules.2) / 3
    // Centres are 14 modules apart at least; a tilt may halve that.
    guard min(lengthB, lengthC) > 5.5 * mean, max(lengthB, lengthC) < 240 * mean else { return nil }
    let cosine = ab.dot(ac) / (lengthB * lengthC)
    let ratio = max(lengthB, lengthC) / min(lengthB, lengthC)
    guard abs(cosine) < 0.8, ratio < 3 else { return nil }
    let contrasts = (patterns[a].contrast, patterns[b].contrast, patterns[c].contrast)
    let faint = min(contrasts.0, min(contrasts.1, contrasts.2)) / max(contrasts.0, max(contrasts.1, contrasts.2))
    let misfit =
      abs(cosine) + 0.7 * (ratio - 1) + 0.8 * (largest / smallest - 1) + 0.3 * (1 - faint)
      + 0.5 * (3 - patterns[a].quality - patterns[b].quality - patterns[c].quality)
      // Near ones belong together sooner than far ones.
      + 0.002 * (lengthB + lengthC) / mean
    let isClockwise = ab.x * ac.y - ab.y * ac.x > 0
    return FinderTriple(indices: isClockwise ? [a, b, c] : [a, c, b], misfit: misfit)
  }
}
