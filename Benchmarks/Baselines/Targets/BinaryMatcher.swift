import SightlineImaging

/// A feature of one picture that is like one of another.
public struct BinaryMatch: Equatable, Sendable {
  /// Index in the first list.
  public var first: Int
  /// Index in the second.
  public var second: Int
  /// Bits in which they differ, 0 … 256.
  public var distance: Int
}

/// Ways of matching binary descriptors, for comparison.
public enum BinaryMatcher {
  /// What counts as a match.
  public enum Test: Sendable {
    /// Each is the other's nearest.
    case crossCheck
    /// The nearest is nearer than the second nearest by this factor, 0 … 1.
    case ratio(Double)
  }

  /// Compares everything with everything.
  public static func bruteForce(_ first: [BinaryFeature], _ second: [BinaryFeature], test: Test) -> [BinaryMatch] {
    match(first, second, test) { _, visit in for k in second.indices { visit(k) } }
  }

  /// Compares what shares a key in one of the tables (locality-sensitive hashing, Gionis, Indyk and Motwani 1999).
  ///
  /// - Parameters:
  ///   - first: features that are matched.
  ///   - second: features among which theirs are looked for.
  ///   - test: what counts as a match.
  ///   - tables: how many; default 12.
  ///   - keyBits: bits of a key, 1 … 16; default 12. Keys that differ in one bit are looked up as well.
  /// - Returns: the matches, in the order of the first list.
  public static func hashed(
    _ first: [BinaryFeature],
    _ second: [BinaryFeature],
    test: Test,
    tables: Int = 12,
    keyBits: Int = 12
  ) -> [BinaryMatch] {
    let width = max(1, min(16, keyBits))
    var lists = [[Int32]](repeating: [], count: tables << width)
    for (k, feature) in second.enumerated() {
      for t in 0..<tables { lists[t << width | key(feature.bits, t, width)].append(Int32(k)) }
    }
    var stamps = [Int32](repeating: -1, count: second.count)
    var asked: Int32 = 0
    return match(first, second, test) { feature, visit in
      asked += 1
      for t in 0..<tables {
        let own = key(feature.bits, t, width)
        for flip in -1..<width {
          let near = flip < 0 ? own : own ^ (1 << flip)
          for k in lists[t << width | near] where stamps[Int(k)] != asked {
            stamps[Int(k)] = asked
            visit(Int(k))
          }
        }
      }
    }
  }

  /// bits of a descriptor, spread over all of it, others in each table.
  private static func key(_ bits: SIMD4<UInt64>, _ table: Int, _ width: Int) -> Int {
    var key = 0
    for i in 0..<width {
      let bit = (table * 97 + i * 83 + i * i * 7) & 255
      key = key << 1 | Int((bits[bit >> 6] >> UInt64(bit & 63)) & 1)
    }
    return key
  }

  private static func match(
    _ first: [BinaryFeature],
    _ second: [BinaryFeature],
    _ test: Test,
    _ candidates: (BinaryFeature, (Int) -> Void) -> Void
  ) -> [BinaryMatch] {
    var matches: [BinaryMatch] = []
    var ofSecond = [(distance: Int, first: Int)](repeating: (257, -1), count: second.count)
    for (i, feature) in first.enumerated() {
      var (best, next, index) = (257, 257, -1)
      candidates(feature) { k in
        let distance = Self.distance(feature.bits, second[k].bits)
        if distance < ofSecond[k].distance { ofSecond[k] = (distance, i) }
        if distance < best {
          (next, best, index) = (best, distance, k)
        } else if distance < next {
          next = distance
        }
      }
      guard index >= 0 else { continue }
      if case .ratio(let ratio) = test, Double(best) >= ratio * Double(next) { continue }
      matches.append(BinaryMatch(first: i, second: index, distance: best))
    }
    guard case .crossCheck = test else { return matches }
    return matches.filter { ofSecond[$0.second].first == $0.first }
  }

  /// Bits in which two descriptors differ.
  public static func distance(_ a: SIMD4<UInt64>, _ b: SIMD4<UInt64>) -> Int {
    let d = a ^ b
    return d.x.nonzeroBitCount + d.y.nonzeroBitCount + d.z.nonzeroBitCount + d.w.nonzeroBitCount
  }
}
