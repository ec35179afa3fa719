import SightlineCamera
import SightlineImaging
import SightlineMath

/// A chessboard with markers in its white squares.
///
/// The markers tell which corner of the chessboard is which, also when only a part of it is in the picture; the corners of
/// the squares are better points than those of markers: a saddle of the grey levels does not move when the picture is blurred or
/// its tone curve bends. The square at the top left is black; ids run row by row from 0. OpenCV's ChArUco boards are the same.
///
/// Frame: origin in the middle of the board, x right, y up, z out of the print.
public struct CalibrationBoard: Equatable, Sendable {
  /// Of the markers.
  public var dictionary: MarkerDictionary
  /// Squares across.
  public var columns: Int
  /// Squares down.
  public var rows: Int
  /// Side of a square, metres.
  public var square: Double
  /// Outer edge of a marker's border, metres.
  public var side: Double

  /// A board from its measures.
  /// - Precondition: at least 3 × 3 squares; markers are smaller than squares, and there are enough in the dictionary.
  public init(dictionary: MarkerDictionary, columns: Int, rows: Int, square: Double, side: Double) {
    precondition(columns >= 3 && rows >= 3 && side > 0 && side < square)
    precondition(columns * rows / 2 <= dictionary.count)
    self.dictionary = dictionary
    self.columns = columns
    self.rows = rows
    self.square = square
    self.side = side
  }

  /// Number of inner corners.
  public var cornerCount: Int { (columns - 1) * (rows - 1) }

  /// An inner corner, metres; counted row by row from the top left.
  public func corner(_ index: Int) -> Vector2 {
    let (row, column) = (index / (columns - 1) + 1, index % (columns - 1) + 1)
    return Vector2(
      (Double(column) - Double(columns) / 2) * square,
      (Double(rows) / 2 - Double(row)) * square
    )
  }

  /// The markers as a board of their own, for poses.
  public var markerBoard: MarkerBoard {
    var markers: [PlacedMarker] = []
    for row in 0..<rows {
      for column in 0..<columns where !(row + column).isMultiple(of: 2) {
        let center = Vector3(
          (Double(column) + 0.5 - Double(columns) / 2) * square,
          (Double(rows) / 2 - Double(row) - 0.5) * square,
          0
        )
        markers.append(PlacedMarker(dictionary: dictionary, id: markers.count, center: center, side: side))
      }
    }
    return MarkerBoard(markers: markers)
  }

  /// The chessboard corners in a picture.
  ///
  /// Each is foretold by the markers in the squares beside it and then measured as the saddle of the grey levels. Where that
  /// is not one, or lies elsewhere, there is none.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - detected: its markers.
  /// - Returns: inner corners of the chessboard, from the top left, and where they are seen.
  public func view(of image: GrayView, markers detected: [DetectedMarker]) -> CalibrationView {
    var view = CalibrationView(points: [], pixels: [])
    let board = markerBoard
    var maps: [(center: Vector2, map: Homography, scale: Double)] = []
    for marker in detected where marker.id < board.markers.count && marker.dictionary.family == dictionary.family {
      let placed = board.markers[marker.id].corners
      var points: [Vector2] = []
      var pixels: [Vector2] = []
      var shortest = Double.infinity
      for i in 0..<4 {
        points.append(Vector2(placed[i].x, placed[i].y))
        pixels.append(marker.corners[i])
        shortest = min(shortest, (marker.corners[(i + 1) & 3] - marker.corners[i]).length)
      }
      guard let map = Homography(from: points, to: pixels) else { continue }
      let center = board.markers[marker.id].center
      maps.append((Vector2(center.x, center.y), map, shortest / side))
    }
    for index in 0..<cornerCount {
      let point = corner(index)
      var sum = Vector2.zero
      var count = 0.0
      var scale = Double.infinity
      var spread = 0.0
      for (center, map, pixelsPerMetre) in maps where (center - point).length < square {
        guard let expected = map(point) else { continue }
        if count > 0 { spread = max(spread, (expected - sum * (1 / count)).length) }
        sum = sum + expected
        count += 1
        scale = min(scale, pixelsPerMetre)
      }
      // Two markers beside one corner have to agree.
      guard count > 0, spread < 0.25 * square * scale else { continue }
      // No farther than to the nearest marker, whose edges are not the chessboard's.
      let gap = (square - side) / 2 * scale
      let radius = min(12, max(2.5, 1.3 * gap))
      let expected = sum * (1 / count)
      guard let found = image.saddle(near: expected, radius: radius) else { continue }
      guard (found - expected).length < max(2, 0.15 * square * scale) else { continue }
      view.points.append(point)
      view.pixels.append(found)
    }
    return view
  }
}
