/// What a reading of cells stands for.
public struct MarkerMatch: Equatable, Sendable {
  /// The first of the wanted dictionaries that has this marker.
  public var dictionary: MarkerDictionary
  /// Number of the marker in its dictionary.
  public var id: Int
  /// Quarter turns clockwise from the marker as printed to the reading: the marker's own top left corner is corner number
  /// `quarterTurns` of the reading, counted clockwise from its top left.
  public var quarterTurns: Int
  /// Cells that were read wrongly.
  public var wrongCells: Int

  /// A match from its parts.
  public init(dictionary: MarkerDictionary, id: Int, quarterTurns: Int, wrongCells: Int) {
    self.dictionary = dictionary
    self.id = id
    self.quarterTurns = quarterTurns
    self.wrongCells = wrongCells
  }
}

/// Finds the marker that a reading of n × n cells stands for, in any of four rotations and with some cells wrong.
///
/// A code is cut into four blocks. A reading with up to three wrong cells has at least one block right, so only codes that
/// share a block with it are compared: some dozens instead of thousands. Reading does not allocate.
public struct MarkerDecoder: Sendable {
  /// Most cells that can be corrected: one less than there are blocks.
  public static let mostCorrectable = 3

  struct Table: Sendable {
    let family: MarkerFamily
    let dictionaries: [MarkerDictionary]
    let codes: [UInt64]
    /// For each block: where the ids begin for each of its values, in `ids`.
    let starts: [[UInt16]]
    let ids: [[UInt16]]
  }
  let tables: [Table]

  /// A decoder for markers of any of some dictionaries.
  ///
  /// When several hold a marker, the one named first is reported.
  public init(_ dictionaries: [MarkerDictionary]) {
    var tables: [Table] = []
    for family in MarkerFamily.allCases {
      let wanted = dictionaries.filter { $0.family == family }
      guard !wanted.isEmpty else { continue }
      let count = wanted.reduce(0) { max($0, $1.count) }
      let codes = (0..<count).map { family.code(id: $0) }
      var starts: [[UInt16]] = []
      var ids: [[UInt16]] = []
      for block in 0..<4 {
        let (shift, bits) = Self.block(block, cells: family.cells)
        var start = [UInt16](repeating: 0, count: (1 << bits) + 1)
        let mask = UInt64(1) << UInt64(bits) - 1
        for code in codes { start[Int((code >> shift) & mask) + 1] += 1 }
        for value in 1..<start.count { start[value] += start[value - 1] }
        var next = start
        var sorted = [UInt16](repeating: 0, count: count)
        for (id, code) in codes.enumerated() {
          let value = Int((code >> shift) & mask)
          sorted[Int(next[value])] = UInt16(id)
          next[value] += 1
        }
        starts.append(start)
        ids.append(sorted)
      }
      tables.append(Table(family: family, dictionaries: wanted, codes: codes, starts: starts, ids: ids))
    }
    self.tables = tables
  }

  /// Whether any of the dictionaries has markers of n × n cells.
  public func reads(cells: Int) -> Bool { tables.contains { $0.family.cells == cells } }

  /// The lowest bit and the number of bits of a quarter of a code.
  static func block(_ block: Int, cells: Int) -> (shift: UInt64, bits: Int) {
    let all = cells * cells
    let first = all * block / 4
    return (UInt64(first), all * (block + 1) / 4 - first)
  }

  /// The marker of a reading, or `nil` when there is none near enough or two are equally near.
  ///
  /// - Parameters:
  ///   - reading: the cells row by row, the first the most significant of n × n bits, 1 = white.
  ///   - cells: n.
  ///   - correcting: most wrong cells, in place of each dictionary's own ``MarkerDictionary/correctableCells``; no more
  ///     than ``mostCorrectable`` are.
  /// - Returns: the match with the fewest wrong cells.
  public func match(_ reading: UInt64, cells: Int, correcting: Int? = nil) -> MarkerMatch? {
    var best: MarkerMatch?
    var isAmbiguous = false
    for table in tables where table.family.cells == cells {
      // Turning the reading onwards three times equals turning the marker back.
      var turned = reading
      for turn in 0..<4 {
        let quarterTurns = (4 - turn) & 3
        for block in 0..<4 {
          let (shift, bits) = Self.block(block, cells: cells)
          let value = Int((turned >> shift) & (UInt64(1) << UInt64(bits) - 1))
          for index in Int(table.starts[block][value])..<Int(table.starts[block][value + 1]) {
            let id = Int(table.ids[block][index])
            let wrong = (table.codes[id] ^ turned).nonzeroBitCount
            if let best, wrong > best.wrongCells { continue }
            let limit = { (d: MarkerDictionary) in min(correcting ?? d.correctableCells, Self.mostCorrectable) }
            guard let dictionary = table.dictionaries.first(where: { id < $0.count && wrong <= limit($0) }) else {
              continue
            }
            let found = MarkerMatch(dictionary: dictionary, id: id, quarterTurns: quarterTurns, wrongCells: wrong)
            if let known = best, known.wrongCells == wrong {
              // A code met again in another block is no second answer, nor is one that equals its own half turn.
              if known.id != id || known.dictionary.family != table.family { isAmbiguous = isAmbiguous || wrong > 0 }
            } else {
              best = found
              isAmbiguous = false
            }
          }
        }
        turned = quarterTurned(turned, cells: cells)
      }
    }
    return isAmbiguous ? nil : best
  }
}
