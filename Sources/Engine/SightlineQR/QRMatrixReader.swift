import SightlineMath

/// Modules as they were seen: dark or light, and how clearly.
struct QRReading {
  /// Modules a side.
  let size: Int
  /// Row by row: above 0 is dark, below 0 light; the farther from 0 the clearer, about −1 … 1.
  var darkness: [Float]

  /// Columns and rows exchanged.
  var transposed: QRReading {
    var result = self
    for y in 0..<size { for x in 0..<size { result.darkness[x * size + y] = darkness[y * size + x] } }
    return result
  }
}

/// What was read from the modules of a code.
struct QRDecoded: Equatable, Sendable {
  var content: QRContent
  var version: QRVersion
  var level: QRLevel
  var mask: Int
  /// Codewords that were mended.
  var mendedCount: Int
}

extension QRReading {
  /// Share of the modules of finder and timing patterns that are as they should be.
  func agreement(_ layout: QRLayout) -> Double {
    var (right, all) = (0, 0)
    func count(_ x: Int, _ y: Int) {
      all += 1
      if (darkness[y * size + x] > 0) == layout.patterns[x, y] { right += 1 }
    }
    for y in 0..<8 {
      for x in 0..<8 {
        count(x, y)
        count(size - 1 - x, y)
        count(x, size - 1 - y)
      }
    }
    for place in 8..<(size - 8) {
      count(place, 6)
      count(6, place)
    }
    return Double(right) / Double(all)
  }

  /// The content; `nil` when there is none that the check words vouch for.
  ///
  /// Format information is chosen by both copies together, of those that fit `leastFit` at least; when the words cannot be mended
  /// as they are, the least clear ones of a block are taken as missing, more and more of them.
  func decoded(_ layout: QRLayout, leastFit: Float = 0) -> QRDecoded? {
    precondition(layout.version.size == size)
    let (best, second) = formats()
    if best.fit > 0, best.fit >= leastFit, let decoded = decoded(layout, best.level, best.mask) { return decoded }
    guard second.fit > 0.6 * best.fit, second.fit >= leastFit else { return nil }
    return decoded(layout, second.level, second.mask)
  }

  /// How well the format information fits that fits best: 30 at best, some 16 where there is none.
  var formatFit: Float { formats().best.fit }

  private typealias Format = (fit: Float, level: QRLevel, mask: Int)

  /// The two that fit best; 0 is no fit at all.
  private func formats() -> (best: Format, second: Format) {
    // Both copies have the same bits.
    var bits = InlineArray<15, Float>(repeating: 0)
    for copy in 0..<2 {
      for bit in 0..<15 {
        let (x, y) = QRLayout.formatModule(bit, copy: copy, size: size)
        bits[bit] += max(-1, min(1, darkness[y * size + x]))
      }
    }
    var best: Format = (0, .low, 0)
    var second = best
    for level in QRLevel.allCases {
      for mask in 0..<8 {
        let value = QRInformation.format(level, mask: mask)
        var fit: Float = 0
        for bit in 0..<15 { fit += value >> bit & 1 == 1 ? bits[bit] : -bits[bit] }
        if fit > best.fit {
          second = best
          best = (fit, level, mask)
        } else if fit > second.fit {
          second = (fit, level, mask)
        }
      }
    }
    return (best, second)
  }

  private func decoded(_ layout: QRLayout, _ level: QRLevel, _ mask: Int) -> QRDecoded? {
    let blocks = layout.version.blocks(level)
    var words = [UInt8](repeating: 0, count: blocks.total)
    var clarity = [Float](repeating: 0, count: blocks.total)
    var bit = 0
    var word: UInt8 = 0
    var least: Float = .infinity
    darkness.withUnsafeBufferPointer { darkness in
      layout.forEachDataModule { index in
        let value = darkness[index]
        let isDark = (value > 0) != maskInverts(mask, index % size, index / size)
        word = word << 1 | (isDark ? 1 : 0)
        least = min(least, abs(value))
        bit += 1
        if bit % 8 == 0 && bit <= blocks.total * 8 {
          words[bit / 8 - 1] = word
          clarity[bit / 8 - 1] = least
          least = .infinity
        }
      }
    }
    return decode(words, clarity, blocks, layout.version, level, mask)
  }

  private func decode(
    _ words: [UInt8],
    _ clarity: [Float],
    _ blocks: QRBlocks,
    _ version: QRVersion,
    _ level: QRLevel,
    _ mask: Int
  ) -> QRDecoded? {
    var data: [UInt8] = []
    var mended = 0
    var isGuessed = false
    let shortest = blocks.dataCount(block: 0)
    let longBlocks = blocks.count - blocks.total % blocks.count
    for block in 0..<blocks.count {
      let count = blocks.dataCount(block: block)
      var places: [Int] = []
      places.reserveCapacity(count + blocks.checks)
      for place in 0..<count {
        // The last word of the longer blocks stands in a row of their own.
        let before = place < shortest ? place * blocks.count + block : shortest * blocks.count + block - longBlocks
        places.append(before)
      }
      for check in 0..<blocks.checks { places.append(blocks.dataCount + check * blocks.count + block) }
      var part: [UInt8] = []
      part.reserveCapacity(places.count)
      for place in places { part.append(words[place]) }
      guard let result = mend(&part, places, clarity, blocks) else { return nil }
      mended += result.changed
      isGuessed = isGuessed || result.isGuessed
      data.append(contentsOf: part[0..<count])
    }
    guard let content = QRContent(data: data, version: version, isStrict: isGuessed) else { return nil }
    return QRDecoded(content: content, version: version, level: level, mask: mask, mendedCount: mended)
  }

  /// Check words left over as a guard when words are taken as missing: a chance of about 1 in 2³² a trial to be wrong.
  private static let guardWords = 4

  private func mend(
    _ block: inout [UInt8],
    _ places: [Int],
    _ clarity: [Float],
    _ blocks: QRBlocks
  ) -> (changed: Int, isGuessed: Bool)? {
    let code = ReedSolomon()
    // The words stay as they are until they are mended, and with them their syndromes.
    let syndromes = code.syndromes(of: block, count: blocks.checks)
    if let changed = code.mend(&block, checks: blocks.checks, reserve: blocks.reserve, syndromes: syndromes) {
      return (changed, false)
    }
    let reserve = max(blocks.reserve, Self.guardWords)
    var order = Array(0..<block.count)
    order.sortStably { clarity[places[$0]] < clarity[places[$1]] }
    var count = 2
    while count <= blocks.checks - reserve {
      let changed = code.mend(
        &block,
        checks: blocks.checks,
        erasures: Array(order[0..<count]),
        reserve: reserve,
        syndromes: syndromes
      )
      if let changed { return (changed, true) }
      count += 2
    }
    return nil
  }
}
