import SightlineCamera
import SightlineImaging
import SightlineMath

/// How much work was put off until it was needed, and done since it was last asked for.
final class LazyWork {
  /// Thousandths of a work unit (``WorkCost``).
  var done = 0
}

/// A target's picture at sizes that fall by √2, with how much there is to hold on to in every place.
final class ReferencePyramid {
  /// One size.
  final class Level {
    /// Made when it is first asked for, of the level two before or of the whole: of most targets that are looked at
    /// only one or two sizes
    /// are needed.
    var picture: FloatImage {
      if let made { return made }
      let picture: FloatImage
      if let parent {
        picture = parent.picture.resized(width: width, height: height)
      } else {
        picture = whole.withView { view in
          width == view.width && height == view.height
            ? FloatImage(view) : FloatImage(view, width: width, height: height)
        }
      }
      made = picture
      lazyWork.done += width * height * WorkCost.referencePixel
      return picture
    }
    private var made: FloatImage?
    /// The whole picture, a quarter as large in memory as numbers would be.
    private let whole: GrayImage
    private let parent: Level?
    private let width: Int
    private let height: Int
    /// This level's pixels in one of the reference, along x and y.
    let ratio: (x: Double, y: Double)
    /// Cells of four pixels in a row.
    let columns: Int
    let rows: Int
    private var known: FixedBuffer<Float>?
    /// The corner score of each cell: how well a patch of 8 × 8 pixels in its middle can be aligned (Shi and Tomasi
    /// 1994, with a share of the edges).
    ///
    /// Found out when it is first asked for.
    var cornerScore: FixedBuffer<Float> {
      if let known { return known }
      let made = ReferencePyramid.cornerScore(picture, columns, rows)
      if let mask {
        for row in 0..<rows {
          for column in 0..<columns where !mask.holds(column, row, columns, rows) {
            made.base[row * columns + column] = 0
          }
        }
      }
      known = made
      lazyWork.done += width * height * WorkCost.cornerScorePixel
      return made
    }

    private let mask: CellMask?
    private let lazyWork: LazyWork

    /// A size of a picture, made of it or of another size.
    fileprivate init(
      of whole: GrayImage,
      parent: Level?,
      width: Int,
      height: Int,
      ratio: (x: Double, y: Double),
      mask: CellMask?,
      _ lazyWork: LazyWork
    ) {
      (self.whole, self.parent, self.lazyWork) = (whole, parent, lazyWork)
      (self.width, self.height) = (width, height)
      self.mask = mask
      self.ratio = ratio
      columns = (width + 3) / 4
      rows = (height + 3) / 4
    }
  }

  let width: Double
  let height: Double
  private(set) var levels: [Level] = []
  /// What making levels took that were put off.
  let lazyWork = LazyWork()

  /// A picture at falling sizes, at most so many; `mask` says which of its parts count.
  init(_ image: GrayImage, levels most: Int = 14, mask: CellMask? = nil) {
    width = Double(image.width)
    height = Double(image.height)
    levels.append(
      Level(of: image, parent: nil, width: image.width, height: image.height, ratio: (1, 1), mask: mask, lazyWork)
    )
    var scale = 1.0
    while levels.count < most {
      scale *= 2.0.squareRoot()
      let (w, h) = (Int((width / scale).rounded()), Int((height / scale).rounded()))
      guard min(w, h) >= 12 else { break }
      // From the last but one, exactly half as large, or from the whole: fewer roundings than step by step.
      let parent = image.width > 4 * w ? levels[levels.count - 2] : nil
      let ratio = (x: Double(w) / width, y: Double(h) / height)
      levels.append(Level(of: image, parent: parent, width: w, height: h, ratio: ratio, mask: mask, lazyWork))
    }
  }

  /// The level whose pixels are about as large as those of a picture that shows `pixels` of the reference in one of its
  /// own.
  func level(forPixels pixels: Double) -> Int {
    var index = 0
    // Halfway between two levels on the scale of ratios: 2^0.25, then √2 more each.
    var limit = 1.189_207_115
    while index + 1 < levels.count && pixels > limit {
      limit *= 1.414_213_562
      index += 1
    }
    return index
  }

  fileprivate static func cornerScore(_ picture: FloatImage, _ columns: Int, _ rows: Int) -> FixedBuffer<Float> {
    StructureTensor(picture, columns, rows).cornerScore()
  }
}

/// Which parts of a picture count, by 16 × 12 cells.
struct CellMask {
  static let (columns, rows) = (16, 12)
  /// A score for each cell, row by row: above ``least`` it counts.
  var scores = InlineArray<192, Float>(repeating: 0)
  static let least: Float = 0.2

  /// Whether a cell of another grid over the same picture counts.
  func holds(_ column: Int, _ row: Int, _ columns: Int, _ rows: Int) -> Bool {
    let (c, r) = ((2 * column + 1) * Self.columns / (2 * columns), (2 * row + 1) * Self.rows / (2 * rows))
    return scores[min(Self.rows - 1, r) * Self.columns + min(Self.columns - 1, c)] > Self.least
  }
}
