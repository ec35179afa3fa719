/// A picture and its halves: a pixel of level *l* is as large as 2ˡ of the picture's.
///
/// Each level is the mean of four pixels of the one before (``GrayImage/setHalf(of:)``), so pixel (x, y) of level 1 stands for
/// (2x + 0.5, 2y + 0.5). Filled again for each frame; allocates only when the size changes.
public struct Pyramid: Sendable {
  /// The levels, the picture's own size first; those beyond what was asked for last are of earlier pictures.
  public private(set) var levels: [GrayImage] = []

  /// A pyramid of nothing.
  public init() {}

  /// How many levels a picture has whose smaller side is `least` pixels or more on each; 1 … `most`.
  public static func levelCount(width: Int, height: Int, least: Int, most: Int) -> Int {
    var count = 1
    while count < most, min(width, height) >> count >= least { count += 1 }
    return count
  }

  /// Makes room for a picture of a size, on so many levels.
  public mutating func reserve(width: Int, height: Int, levels count: Int) {
    while levels.count < count { levels.append(GrayImage(width: 1, height: 1)) }
    for level in 0..<count { levels[level].resize(width: max(1, width >> level), height: max(1, height >> level)) }
  }

  /// Takes a picture, which is copied, and makes its halves.
  public mutating func set(_ picture: GrayView, levels count: Int) {
    if levels.isEmpty { levels.append(GrayImage(width: 1, height: 1)) }
    levels[0].set(picture)
    setHalves(of: picture, levels: count)
  }

  /// Makes the halves of a picture; level 0 is left as it is, for who has the picture anyway.
  ///
  /// - Parameters:
  ///   - picture: with a side of 2ⁿ or more for n halves.
  ///   - count: levels, the picture among them.
  public mutating func setHalves(of picture: GrayView, levels count: Int) {
    while levels.count < count { levels.append(GrayImage(width: 1, height: 1)) }
    for level in 1..<max(1, count) {
      // Out of the array while it is filled, so that nothing is copied.
      var image = GrayImage(width: 1, height: 1)
      swap(&image, &levels[level])
      if level == 1 { image.setHalf(of: picture) } else { levels[level - 1].withView { image.setHalf(of: $0) } }
      swap(&image, &levels[level])
    }
  }

  /// Fills level 0 by something else than a copy, such as a smooth one.
  public mutating func setBase(_ body: (inout GrayImage) -> Void) {
    if levels.isEmpty { levels.append(GrayImage(width: 1, height: 1)) }
    var image = GrayImage(width: 1, height: 1)
    swap(&image, &levels[0])
    body(&image)
    swap(&image, &levels[0])
  }
}
