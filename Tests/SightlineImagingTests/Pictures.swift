import SightlineImaging
import SightlineTestSupport

/// A picture of noise.
func noise(_ width: Int, _ height: Int, seed: UInt64) -> GrayImage {
  var random = SplitMix64(seed: seed)
  var image = GrayImage(width: width, height: height)
  for y in 0..<height { for x in 0..<width { image[x, y] = UInt8.random(in: 0...255, using: &random) } }
  return image
}

/// A picture drawn with letters: blanks and dots are 0, everything else is set.
func drawing(_ rows: String...) -> GrayImage {
  var image = GrayImage(width: rows[0].utf8.count, height: rows.count)
  for (y, row) in rows.enumerated() {
    for (x, letter) in row.utf8.enumerated() {
      image[x, y] = letter == UInt8(ascii: ".") || letter == UInt8(ascii: " ") ? 0 : maskLevel
    }
  }
  return image
}

/// Sizes with their own edge cases: one pixel, one row, one column, odd, even.
let sizes = [(1, 1), (7, 1), (1, 6), (2, 2), (5, 3), (33, 17)]

extension GrayImage {
  /// The level of the pixel nearest to a position that may lie outside.
  func clamped(_ x: Int, _ y: Int) -> Int { Int(self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)]) }
}
