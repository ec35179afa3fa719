import SightlineImaging

/// A picture's grey levels as numbers, and its halves: pixel (x, y) of level *l* + 1 is the mean of four of level *l*.
///
/// Numbers instead of bytes, because patches are read from it a thousand times a frame and eight at once.
final class LevelPyramid {
  /// One size of the picture.
  struct Level {
    /// Pixels in a row.
    var width: Int
    /// Rows.
    var height: Int
    /// The first pixel; rows lie without gaps.
    var pixels: UnsafeMutablePointer<Float>
  }

  /// Sizes: 1, ½, ¼.
  static let levelCount = 3

  /// The picture's own size first.
  private(set) var levels: [Level] = []
  private var buffers: [FixedBuffer<Float>] = []

  init() {}

  /// Takes a picture.
  @_optimize(speed)
  func set(_ picture: GrayView) {
    if levels.isEmpty || levels[0].width != picture.width || levels[0].height != picture.height {
      reserve(width: picture.width, height: picture.height)
    }
    let base = levels[0]
    for y in 0..<base.height {
      let (from, to) = (picture.row(y), base.pixels + y &* base.width)
      for x in 0..<base.width { to[x] = Float(from[x]) }
    }
    for index in 1..<Self.levelCount {
      let (fine, coarse) = (levels[index - 1], levels[index])
      for y in 0..<coarse.height {
        let upper = fine.pixels + 2 &* y &* fine.width
        let lower = upper + fine.width
        let to = coarse.pixels + y &* coarse.width
        for x in 0..<coarse.width {
          to[x] = 0.25 * (upper[2 &* x] + upper[2 &* x &+ 1] + lower[2 &* x] + lower[2 &* x &+ 1])
        }
      }
    }
  }

  private func reserve(width: Int, height: Int) {
    levels.removeAll()
    buffers.removeAll()
    for index in 0..<Self.levelCount {
      let (w, h) = (max(1, width >> index), max(1, height >> index))
      let buffer = FixedBuffer<Float>(count: w * h, filledWith: 0)
      buffers.append(buffer)
      levels.append(Level(width: w, height: h, pixels: buffer.base))
    }
  }
}
