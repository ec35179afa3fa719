import SightlineCamera
import SightlineMath

/// Where a frame disagrees with a target, on a grid of eight by eight over it.
///
/// What hides a part of a print comes in over its outline, and hides that too. Another print of the same layout
/// disagrees as much, but in a
/// region along which something ends at the outline all the same: that is enclosed.
struct MismatchMap {
  init() {}

  /// Cells along a side.
  static let cells = 8
  /// Places of the outline beside a cell's side, see ``beside(row:column:_:)``.
  private static let placesBesideCell = 3
  /// What a place counts of which nothing is known, or that tells nothing: as in ``BoundaryCheck/Result/share``.
  private static let neither: Float = 0.35
  /// Of disagreeing patches: how much there is in all, cell by cell, row by row.
  private var bad = InlineArray<64, Float>(repeating: 0)
  /// Of all patches.
  private var all = InlineArray<64, Float>(repeating: 0)

  /// Adds a patch at a place of the target, 0 … 1 from its left and top, with how much there is in it.
  mutating func add(x: Double, y: Double, weight: Float, isAgreeing: Bool) {
    let last = Double(Self.cells - 1)
    let cell = Int(max(0, min(last, y * 8))) * Self.cells + Int(max(0, min(last, x * 8)))
    all[cell] += weight
    if !isAgreeing { bad[cell] += weight }
  }

  /// How much of the target disagrees in regions that nothing covers which comes in over the outline, 0 … 1.
  ///
  /// Each region of neighbouring cells in which half disagrees counts by the larger of two shares. The first is that of
  /// the outline along it that is seen; one that the frame's end cuts counts as a third, one that touches no edge as a
  /// whole. The second is that of its area which what comes in where the outline is hidden cannot reach: through a
  /// stretch of length h, in sides of the target, comes no more than h · 1 of it.
  func enclosed(_ outline: BoundaryCheck.Result) -> Double {
    var (left, total): (UInt64, Float) = (0, 0)
    for i in 0..<64 {
      total += all[i]
      if all[i] > 0 && bad[i] >= 0.5 * all[i] { left |= 1 << UInt64(i) }
    }
    guard total > 0 else { return 0 }
    var sum: Float = 0
    while left != 0 {
      let region = Self.grown(left & (0 &- left), in: left)
      left &= ~region
      var (amount, seen, known, hidden): (Float, Int, Int, Float) = (0, 0, 0, 0)
      var touches = false
      for i in 0..<64 where region >> UInt64(i) & 1 == 1 {
        amount += bad[i]
        Self.beside(row: i >> 3, column: i & 7) { place in
          touches = true
          if outline.places[place] != .unseen { known += 1 }
          switch outline.places[place] {
          case .unseen, .differs: hidden += 1
          case .goesOn: hidden += Self.neither
          case .ends, .endsOtherwise: seen += 1
          }
        }
      }
      let seenShare = known > 0 ? Float(seen) / Float(known) : touches ? Self.neither : 1
      let length = hidden / Float(Self.cells * Self.placesBesideCell)
      let area = Float(region.nonzeroBitCount) / Float(Self.cells * Self.cells)
      sum += amount * max(seenShare, 1 - length / area)
    }
    return Double(sum / total)
  }

  /// All cells of a set that hang together with a first one, by their sides.
  private static func grown(_ first: UInt64, in set: UInt64) -> UInt64 {
    let (notFirst, notLast): (UInt64, UInt64) = (0xFEFE_FEFE_FEFE_FEFE, 0x7F7F_7F7F_7F7F_7F7F)
    var region = first
    while true {
      let aside = (region & notLast) << 1 | (region & notFirst) >> 1
      let next = (region | aside | region << 8 | region >> 8) & set
      if next == region { return region }
      region = next
    }
  }

  /// The places of the outline beside a cell.
  private static func beside(row: Int, column: Int, _ body: (Int) -> Void) {
    let places = BoundaryCheck.places
    // Two and a half places to a cell.
    func range(_ cell: Int) -> Range<Int> { cell * places / cells..<((cell + 1) * places + cells - 1) / cells }
    if row == 0 { for i in range(column) { body(i) } }
    if column == cells - 1 { for i in range(row) { body(places + i) } }
    if row == cells - 1 { for i in range(column) { body(3 * places - 1 - i) } }
    if column == 0 { for i in range(row) { body(4 * places - 1 - i) } }
  }
}

extension Aligner {
  /// The patches that were compared for an alignment, those that lay in the frame.
  struct Comparison {
    /// The patches with their correlations.
    var patches: [PatchSet.Patch] = []
    /// How many grey levels of the frame there are for one of the reference, by all patches together.
    var contrast = 0.0
  }

  /// Those of the last alignment.
  var comparison: Comparison {
    var result = Comparison()
    var (signal, power) = (0.0, 0.0)
    for p in set.patches where p.correlation > -1.5 {
      result.patches.append(p)
      signal += Double(p.norm * p.frameNorm * p.correlation)
      power += Double(p.norm * p.norm)
    }
    result.contrast = power > 0 ? signal / power : 0
    return result
  }
}

extension MismatchMap {
  /// Where the patches of a comparison disagree, as ``Alignment`` judges them.
  ///
  /// - Parameters:
  ///   - comparison: the patches.
  ///   - referenceFromLevel: from the pixels of the level they were compared on.
  ///   - reference: what they are of.
  ///   - noise: of that level, grey levels.
  init(
    _ comparison: Aligner.Comparison,
    _ referenceFromLevel: Homography,
    _ reference: ReferencePyramid,
    noise: Double
  ) {
    self.init()
    let contrast = comparison.contrast
    let variance = noise > Aligner.worthAllowing ? 63 * Aligner.between * noise * noise : 0
    for p in comparison.patches {
      let square = Double(p.norm * p.norm) * contrast * contrast
      let expected = variance > 0 ? (square / (square + variance)).squareRoot() : 1
      guard expected > Aligner.leastExpected,
        let q = referenceFromLevel(Vector2(Double(p.x) + 3.5, Double(p.y) + 3.5))
      else { continue }
      add(
        x: q.x / reference.width,
        y: q.y / reference.height,
        weight: p.norm.squareRoot() * Float(expected),
        isAgreeing: Double(p.correlation) > Aligner.agreement * expected
      )
    }
  }
}
