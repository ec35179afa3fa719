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
    var arms: [Arm] = []
    arms.reserveCapacity(count)
    for a in 0..<count {
      arms.removeAll(keepingCapacity: true)
      for b in 0..<count where b != a {
        let offset = patterns[b].center - patterns[a].center
        arms.append(Arm(index: b, offset: offset, length: offset.length, pattern: patterns[b]))
      }
      for first in arms.indices {
        for second in (first + 1)..<max(arms.count, first + 1) {
          guard let triple = triple(a, patterns[a], arms[first], arms[second]) else { continue }
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

  /// From a triple's top left pattern to one of the others.
  private struct Arm {
    /// Of the other pattern.
    var index: Int
    var offset: Vector2
    var length: Double
    var module: Double
    var contrast: Double
    var quality: Double

    init(index: Int, offset: Vector2, length: Double, pattern: FinderPattern) {
      (self.index, self.offset, self.length) = (index, offset, length)
      (module, contrast, quality) = (pattern.module, pattern.contrast, pattern.quality)
    }
  }

  /// A triple with its top left pattern at `a`.
  @inline(__always)
  private static func triple(_ a: Int, _ corner: FinderPattern, _ b: Arm, _ c: Arm) -> FinderTriple? {
    let modules = (corner.module, b.module, c.module)
    let largest = max(modules.0, max(modules.1, modules.2))
    let smallest = min(modules.0, min(modules.1, modules.2))
    guard largest < 2 * smallest + 0.5 else { return nil }
    let (ab, ac) = (b.offset, c.offset)
    let (lengthB, lengthC) = (b.length, c.length)
    let mean = (modules.0 + modules.1 + modules.2) / 3
    // Centres are 14 modules apart at least; a tilt may halve that.
    guard min(lengthB, lengthC) > 5.5 * mean, max(lengthB, lengthC) < 240 * mean else { return nil }
    let cosine = ab.dot(ac) / (lengthB * lengthC)
    let ratio = max(lengthB, lengthC) / min(lengthB, lengthC)
    guard abs(cosine) < 0.8, ratio < 3 else { return nil }
    let contrasts = (corner.contrast, b.contrast, c.contrast)
    let faint = min(contrasts.0, min(contrasts.1, contrasts.2)) / max(contrasts.0, max(contrasts.1, contrasts.2))
    let misfit =
      abs(cosine) + 0.7 * (ratio - 1) + 0.8 * (largest / smallest - 1) + 0.3 * (1 - faint)
      + 0.5 * (3 - corner.quality - b.quality - c.quality)
      // Near ones belong together sooner than far ones.
      + 0.002 * (lengthB + lengthC) / mean
    let isClockwise = ab.x * ac.y - ab.y * ac.x > 0
    return FinderTriple(indices: isClockwise ? [a, b.index, c.index] : [a, c.index, b.index], misfit: misfit)
  }
}
