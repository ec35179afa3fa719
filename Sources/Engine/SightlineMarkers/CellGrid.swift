import SightlineCamera
import SightlineImaging
import SightlineMath

/// The cells of a marker, read the classic way: unwarp the quadrilateral, part dark from light by one level for all of it,
/// and let the middle of each cell vote.
///
/// With the steps of SightlineImaging before it and ``MarkerDecoder`` after it this is the pipeline that most programs for
/// markers have, to learn from and to build on. ``MarkerDetector`` reads cells in the picture itself, against planes of dark
/// and light: that bears shadows and blur that one level does not.
///
/// ```swift
/// var front = GrayImage(width: 1, height: 1)
/// guard front.setUnwarpedMarker(of: frame, corners: quadrilateral, cells: 6),
///   let grid = front.withView({ CellGrid(unwarped: $0, cells: 6) }), grid.lightBorderCells == 0
/// else { return }
/// let match = decoder.match(grid.code, cells: 6)
/// ```
public struct CellGrid: Equatable, Sendable {
  /// Cells along a side, without the border.
  public let cells: Int
  /// The cells inside the border, row by row, the first the most significant bit; 1 is white.
  public let code: UInt64
  /// Cells of the border that are light; a marker that is seen whole has none.
  public let lightBorderCells: Int
  /// Level up to which a pixel was taken for dark.
  public let threshold: UInt8

  /// Reads a marker that was unwarped; `nil` when the picture has one level only, or is too small.
  ///
  /// - Parameters:
  ///   - image: the marker from straight ahead, from outer edge to outer edge of its black border, 3 pixels a cell or more.
  ///   - n: cells along a side, without the border, 1 … 8.
  public init?(unwarped image: GrayView, cells n: Int) {
    precondition((1...8).contains(n))
    let all = n + 2
    guard image.width >= 3 * all, image.height >= 3 * all, let threshold = Histogram(image).otsuThreshold else {
      return nil
    }
    var code: UInt64 = 0
    var lightBorder = 0
    for row in 0..<all {
      for column in 0..<all {
        // The middle half of a cell: what lies near its edges belongs to the neighbour too, after blur and unwarping.
        let (left, right) = Self.middle(column, image.width, all)
        let (top, bottom) = Self.middle(row, image.height, all)
        var light = 0
        for y in top..<bottom {
          for x in left..<right where image[x, y] > threshold { light += 1 }
        }
        let isLight = 2 * light > (right - left) * (bottom - top)
        if row == 0 || column == 0 || row == all - 1 || column == all - 1 {
          if isLight { lightBorder += 1 }
        } else {
          code = code << 1 | (isLight ? 1 : 0)
        }
      }
    }
    cells = n
    self.code = code
    lightBorderCells = lightBorder
    self.threshold = threshold
  }

  /// Pixels of the middle half of a cell, one at least.
  private static func middle(_ cell: Int, _ pixels: Int, _ cells: Int) -> (from: Int, to: Int) {
    let from = (4 * cell + 1) * pixels / (4 * cells)
    return (from, max(from + 1, (4 * cell + 3) * pixels / (4 * cells)))
  }
}

extension GrayImage {
  /// Fills the picture with a marker as it looks from straight ahead, from outer edge to outer edge of its border.
  ///
  /// - Parameters:
  ///   - image: the picture that shows it.
  ///   - corners: outer corners of its black border in `image`, in order around it; the first comes to the top left.
  ///   - cells: along a side, without the border.
  ///   - pixelsPerCell: size of the result.
  /// - Returns: whether there is such a marker: `false`, and nothing is changed, when the corners are not those of a convex
  ///   quadrilateral.
  public mutating func setUnwarpedMarker(
    of image: GrayView,
    corners: Quadrilateral,
    cells: Int,
    pixelsPerCell: Int = 8
  ) -> Bool {
    precondition(cells >= 1 && pixelsPerCell >= 1)
    guard let imageFromUnit = Homography(unitSquareTo: corners) else { return false }
    let side = (cells + 2) * pixelsPerCell
    let scale = 1 / Double(side)
    // The unit square spans the pixels from edge to edge, half a pixel beyond the outermost centres.
    let unitFromPixel = Matrix3(
      rows: Vector3(scale, 0, scale / 2),
      Vector3(0, scale, scale / 2),
      Vector3(0, 0, 1)
    )
    setUnwarped(of: image, width: side, height: side, imageFromResult: imageFromUnit.matrix * unitFromPixel)
    return true
  }
}
