/// How much damage a code stands: the share of codewords that may be wrong.
public enum QRLevel: UInt8, CaseIterable, Sendable {
  /// About 7 %.
  case low
  /// About 15 %.
  case medium
  /// About 25 %.
  case quartile
  /// About 30 %.
  case high

  /// The two bits in the format information (ISO/IEC 18004, table 12).
  var formatBits: Int { [1, 0, 3, 2][Int(rawValue)] }

  init(formatBits: Int) { self = [.medium, .low, .high, .quartile][formatBits & 3] }
}

/// A code's size, 1 … 40: 21 modules a side, and four more for each step.
public struct QRVersion: Equatable, Sendable {
  /// 1 … 40.
  public let number: Int

  /// A version by number; `nil` outside 1 … 40.
  public init?(_ number: Int) {
    guard number >= 1 && number <= 40 else { return nil }
    self.number = number
  }

  /// The version with so many modules a side.
  public init?(size: Int) {
    guard size >= 21, size <= 177, size % 4 == 1 else { return nil }
    number = (size - 17) / 4
  }

  /// Modules a side, without the quiet zone.
  public var size: Int { 17 + 4 * number }

  /// Columns, and rows, of the centres of alignment patterns (ISO/IEC 18004, annex E).
  var alignmentCenters: [Int] {
    guard number > 1 else { return [] }
    let count = number / 7 + 2
    // Evenly spaced from the far side, in even steps; the table's one exception is version 32.
    let step = number == 32 ? 26 : (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    var centers = [Int](repeating: 6, count: count)
    for index in 1..<count { centers[index] = size - 7 - (count - 1 - index) * step }
    return centers
  }

  /// Data and check words together.
  var codewordCount: Int {
    var modules = (16 * number + 128) * number + 64
    if number >= 2 {
      let count = number / 7 + 2
      modules -= (25 * count - 10) * count - 55
      if number >= 7 { modules -= 36 }
    }
    return modules / 8
  }

  /// How the codewords are parted.
  func blocks(_ level: QRLevel) -> QRBlocks {
    QRBlocks(
      total: codewordCount,
      count: Int(blockCounts[Int(level.rawValue)][number - 1]),
      checks: Int(checkWordCounts[Int(level.rawValue)][number - 1]),
      reserve: reserve(level)
    )
  }

  /// Check words that only guard against wrong results (the p of ISO/IEC 18004, table 9).
  private func reserve(_ level: QRLevel) -> Int {
    switch (number, level) {
    case (1, .low): 3
    case (1, .medium), (2, .low): 2
    case (1, _), (3, .low): 1
    default: 0
    }
  }

  /// Bits of the number of characters in a segment's head (ISO/IEC 18004, table 3).
  func countBits(_ mode: QRMode) -> Int {
    let range = number < 10 ? 0 : number < 27 ? 1 : 2
    switch mode {
    case .numeric: return [10, 12, 14][range]
    case .alphanumeric: return [9, 11, 13][range]
    case .byte: return [8, 16, 16][range]
    case .kanji: return [8, 10, 12][range]
    }
  }
}

/// How the codewords of a code are parted into blocks of their own check words.
///
/// The first blocks have one data word less than the last ones when the division leaves a rest.
struct QRBlocks: Sendable {
  /// All codewords.
  var total: Int
  /// Blocks.
  var count: Int
  /// Check words of each.
  var checks: Int
  /// Check words of each that are not used for mending.
  var reserve: Int

  /// All data words.
  var dataCount: Int { total - count * checks }

  /// Data words of one block.
  func dataCount(block: Int) -> Int {
    let short = total / count - checks
    return block < count - total % count ? short : short + 1
  }
}

/// Check words in a block for each level and version (ISO/IEC 18004, table 9).
private let checkWordCounts: [[UInt8]] = [
  [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30,
    30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ],
  [
    13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  [
    17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
]

/// Blocks for each level and version (ISO/IEC 18004, table 9).
private let blockCounts: [[UInt8]] = [
  [
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19,
    20, 21, 22, 24, 25,
  ],
  [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33,
    35,
    37, 38, 40, 43, 45, 47, 49,
  ],
  [
    1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45,
    48, 51, 53, 56, 59, 62, 65, 68,
  ],
  [
    1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51,
    54,
    57, 60, 63, 66, 70, 74, 77, 81,
  ],
]
