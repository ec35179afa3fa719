extension MarkerDecoder {
  /// Highest odds that a random black-bordered square is taken for some marker of a dictionary.
  static let acceptedOdds = 5e-4

  /// The marker that values of cells stand for, by the odds that it is chance.
  ///
  /// Wrong cells may be many in a large dictionary of large markers and none in a small one: what counts is how many of all
  /// possible readings would be accepted as well. A cell whose value is near the middle may be either, so it is no evidence
  /// against a marker, and none for it.
  ///
  /// - Parameters:
  ///   - reading: the cells.
  ///   - cells: n.
  /// - Returns: the match of the least odds, when they are low enough and no other marker is nearly as likely.
  func likelyMatch(_ reading: CellReading, cells: Int) -> MarkerMatch? {
    var best: MarkerMatch?
    var (least, second) = (Double.infinity, Double.infinity)
    let all = cells * cells
    for table in tables where table.family.cells == cells && all >= 25 && table.family != .arucoOriginal {
      let most = min(9, all / 5)
      var turned = reading.code
      for turn in 0..<4 {
        table.visitCodes(near: turned, within: most) { id, wrong in
          guard let dictionary = table.dictionaries.first(where: { id < $0.count }) else { return }
          // Back to the cells as they were read.
          var mask = wrong
          for _ in 0..<((4 - turn) & 3) { mask = quarterTurned(mask, cells: cells) }
          let odds = odds(mask, reading, all: all) * 4 * Double(dictionary.count)
          if odds < least {
            second = least
            least = odds
            best = MarkerMatch(
              dictionary: dictionary,
              id: id,
              quarterTurns: (4 - turn) & 3,
              wrongCells: wrong.nonzeroBitCount
            )
          } else if odds < second {
            second = odds
          }
        }
        turned = quarterTurned(turned, cells: cells)
      }
    }
    guard least <= Self.acceptedOdds, second > 100 * least else { return nil }
    return best
  }

  /// Share of all readings that agree with a code at least as well: the wrong cells below a limit are taken as unknown with all
  /// others below it, the rest as wrong; the limit that makes it smallest.
  private func odds(_ wrong: UInt64, _ reading: CellReading, all: Int) -> Double {
    var best = Double.infinity
    var rest = wrong
    // From no unknown cell on: the limit rises over the wrong cells.
    var limit: Float = -1
    var known = wrong.nonzeroBitCount
    while true {
      var unknown = 0
      if limit >= 0 {
        for i in 0..<all where abs(reading.values[i]) <= limit { unknown += 1 }
      }
      var share = 1.0
      var term = 1.0
      let others = Double(all - unknown)
      for k in 0..<known {
        term *= (others - Double(k)) / Double(k + 1)
        share += term
      }
      for _ in 0..<(all - unknown) { share *= 0.5 }
      best = min(best, share)
      guard known > 0 else { return best }
      // The least clear of the wrong cells is next.
      var next = -1
      var smallest = Float.infinity
      for i in 0..<all where rest >> UInt64(all - 1 - i) & 1 == 1 && abs(reading.values[i]) < smallest {
        smallest = abs(reading.values[i])
        next = i
      }
      guard next >= 0 else { return best }
      rest &= ~(1 << UInt64(all - 1 - next))
      limit = smallest
      known -= 1
    }
  }
}

extension MarkerDecoder.Table {
  /// Calls a closure for each code that differs from a reading in so few cells, once, with the cells that differ.
  ///
  /// Of four blocks one differs by no more than a quarter, so only codes with such a block are looked at.
  ///
  /// - Parameters:
  ///   - reading: n × n bits.
  ///   - distance: most cells that differ, 0 … 11.
  ///   - body: is given the id and the differing bits.
  @inline(__always)
  func visitCodes(near reading: UInt64, within distance: Int, _ body: (Int, UInt64) -> Void) {
    let radius = distance / 4
    for block in 0..<4 {
      let (shift, bits) = MarkerDecoder.block(block, cells: family.cells)
      let value = Int((reading >> shift) & (UInt64(1) << UInt64(bits) - 1))
      func visit(_ value: Int) {
        for index in Int(starts[block][value])..<Int(starts[block][value + 1]) {
          let id = Int(ids[block][index])
          let wrong = codes[id] ^ reading
          guard wrong.nonzeroBitCount <= distance, !isNear(wrong, before: block, radius) else { continue }
          body(id, wrong)
        }
      }
      visit(value)
      guard radius >= 1 else { continue }
      for first in 0..<bits {
        visit(value ^ 1 << first)
        guard radius >= 2 else { continue }
        for second in 0..<first { visit(value ^ 1 << first ^ 1 << second) }
      }
    }
  }

  /// Whether a code was visited for the sake of an earlier block.
  private func isNear(_ wrong: UInt64, before block: Int, _ radius: Int) -> Bool {
    for other in 0..<block {
      let (shift, bits) = MarkerDecoder.block(other, cells: family.cells)
      if ((wrong >> shift) & (UInt64(1) << UInt64(bits) - 1)).nonzeroBitCount <= radius { return true }
    }
    return false
  }
}
