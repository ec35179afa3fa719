extension QRMatrix {
  /// The code under a mask, with its format information.
  func masked(_ mask: Int, _ layout: QRLayout, _ level: QRLevel) -> QRMatrix {
    var result = self
    for y in 0..<size {
      for x in 0..<size where layout.reserved[y * size + x] == 0 && maskInverts(mask, x, y) {
        result.modules[y * size + x] ^= 1
      }
    }
    let format = QRInformation.format(level, mask: mask)
    for copy in 0..<2 {
      for bit in 0..<15 {
        let (x, y) = QRLayout.formatModule(bit, copy: copy, size: size)
        result[x, y] = format >> bit & 1 == 1
      }
    }
    return result
  }

  /// Points against a mask: for long runs, blocks, what looks like a finder pattern, and imbalance (ISO/IEC 18004, 7.8.3).
  var penalty: Int {
    var points = 0
    var dark = 0
    for line in 0..<size {
      points += penalty(start: line * size, step: 1) + penalty(start: line, step: size)
      for x in 0..<size { dark += Int(modules[line * size + x]) }
    }
    for y in 0..<(size - 1) {
      for x in 0..<(size - 1) {
        let at = y * size + x
        let sum = modules[at] + modules[at + 1] + modules[at + size] + modules[at + size + 1]
        if sum == 0 || sum == 4 { points += 3 }
      }
    }
    // Ten points for every whole five percent away from one half.
    let total = size * size
    return points + abs(2 * dark - total) * 10 / total * 10
  }

  /// Points of one row or column.
  private func penalty(start: Int, step: Int) -> Int {
    var points = 0
    var run = 0
    var last: UInt8 = 2
    // The last eleven modules, as bits; what lies outside is light.
    var recent = 0
    for index in 0..<(size + 4) {
      let module = index < size ? modules[start + index * step] : 0
      recent = (recent << 1 | Int(module)) & 0x7FF
      // Dark 1 1 3 1 1 with four light modules before or after it.
      if recent == 0b000_0101_1101 && index < size { points += 40 }
      if recent == 0b101_1101_0000 && index >= 10 { points += 40 }
      guard index < size else { continue }
      if module == last {
        run += 1
        if run == 5 { points += 3 } else if run > 5 { points += 1 }
      } else {
        run = 1
        last = module
      }
    }
    return points
  }
}
