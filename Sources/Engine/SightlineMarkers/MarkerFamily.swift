/// Markers that share one table of codes.
///
/// A code is the n × n cells inside the black border, row by row from the marker's own top left, the first the most
/// significant bit; 1 is white.
public enum MarkerFamily: UInt8, CaseIterable, Sendable {
  /// 5 × 5 cells of which ten bits count: ids of the first ArUco library.
  case arucoOriginal
  /// ArUco, 4 × 4 cells.
  case grid4x4
  /// ArUco, 5 × 5 cells.
  case grid5x5
  /// ArUco, 6 × 6 cells.
  case grid6x6
  /// ArUco, 7 × 7 cells.
  case grid7x7
  /// ArUco by mixed-integer programming, 6 × 6 cells.
  case arucoMip36h12
  /// AprilTag, 4 × 4 cells.
  case apriltag16h5
  /// AprilTag, 5 × 5 cells.
  case apriltag25h9
  /// AprilTag, 6 × 6 cells, many codes.
  case apriltag36h10
  /// AprilTag, 6 × 6 cells, the usual one.
  case apriltag36h11

  /// Cells along a side, without the border.
  public var cells: Int {
    switch self {
    case .grid4x4, .apriltag16h5: 4
    case .arucoOriginal, .grid5x5, .apriltag25h9: 5
    case .grid6x6, .arucoMip36h12, .apriltag36h10, .apriltag36h11: 6
    case .grid7x7: 7
    }
  }

  /// Whether a good part of all readings of so few cells is some marker.
  var isWeak: Bool { cells == 4 || self == .arucoOriginal }
}

/// The code as it is read when the marker is turned clockwise by a quarter turn.
/// - Parameters:
///   - code: n × n bits.
///   - n: cells along a side.
/// - Returns: n × n bits.
public func quarterTurned(_ code: UInt64, cells n: Int) -> UInt64 {
  var turned: UInt64 = 0
  for row in 0..<n {
    for column in 0..<n {
      // What is now in this cell was in the first column's cell counted from below.
      let index = (n &- 1 &- column) &* n &+ row
      turned = turned << 1 | (code >> UInt64(n &* n &- 1 &- index)) & 1
    }
  }
  return turned
}
