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

  /// Number of codes.
  public var count: Int {
    switch self {
    case .arucoOriginal: arucoOriginalCodes.count
    case .grid4x4: grid4x4Codes.count
    case .grid5x5: grid5x5Codes.count
    case .grid6x6: grid6x6Codes.count
    case .grid7x7: grid7x7Codes.count
    case .arucoMip36h12: arucoMip36h12Codes.count
    case .apriltag16h5: apriltag16h5Codes.count
    case .apriltag25h9: apriltag25h9Codes.count
    case .apriltag36h10: apriltag36h10Codes.count
    case .apriltag36h11: apriltag36h11Codes.count
    }
  }

  /// The code of a marker.
  /// - Precondition: `0 <= id && id < count`.
  public func code(id: Int) -> UInt64 {
    switch self {
    case .arucoOriginal: UInt64(arucoOriginalCodes[id])
    case .grid4x4: UInt64(grid4x4Codes[id])
    case .grid5x5: UInt64(grid5x5Codes[id])
    case .grid6x6: grid6x6Codes[id]
    case .grid7x7: grid7x7Codes[id]
    case .arucoMip36h12: arucoMip36h12Codes[id]
    case .apriltag16h5: UInt64(apriltag16h5Codes[id])
    case .apriltag25h9: UInt64(apriltag25h9Codes[id])
    case .apriltag36h10: apriltag36h10Codes[id]
    case .apriltag36h11: apriltag36h11Codes[id]
    }
  }
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
