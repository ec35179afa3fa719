/// A set of markers that a print can come from: the first codes of a family.
///
/// The smaller a dictionary, the more its codes differ and the more wrong cells may be corrected.
public enum MarkerDictionary: UInt8, CaseIterable, Sendable {
  /// The first ArUco library's 1024 markers.
  ///
  /// Some are one cell away from others turned by half a turn, and id 1023 is its own half turn: it has no orientation.
  case arucoOriginal
  /// 4 × 4 cells, 50 markers.
  case grid4x4Of50
  /// 4 × 4 cells, 100 markers.
  case grid4x4Of100
  /// 4 × 4 cells, 250 markers.
  case grid4x4Of250
  /// 4 × 4 cells, 1000 markers.
  case grid4x4Of1000
  /// 5 × 5 cells, 50 markers.
  case grid5x5Of50
  /// 5 × 5 cells, 100 markers.
  case grid5x5Of100
  /// 5 × 5 cells, 250 markers.
  case grid5x5Of250
  /// 5 × 5 cells, 1000 markers.
  case grid5x5Of1000
  /// 6 × 6 cells, 50 markers.
  case grid6x6Of50
  /// 6 × 6 cells, 100 markers.
  case grid6x6Of100
  /// 6 × 6 cells, 250 markers.
  case grid6x6Of250
  /// 6 × 6 cells, 1000 markers.
  case grid6x6Of1000
  /// 7 × 7 cells, 50 markers.
  case grid7x7Of50
  /// 7 × 7 cells, 100 markers.
  case grid7x7Of100
  /// 7 × 7 cells, 250 markers.
  case grid7x7Of250
  /// 7 × 7 cells, 1000 markers.
  case grid7x7Of1000
  /// ArUco by mixed-integer programming: 6 × 6 cells, 250 markers, distance 12.
  case arucoMip36h12
  /// AprilTag, 4 × 4 cells, 30 markers, distance 5.
  case apriltag16h5
  /// AprilTag, 5 × 5 cells, 35 markers, distance 9.
  case apriltag25h9
  /// AprilTag, 6 × 6 cells, 2320 markers, distance 10.
  case apriltag36h10
  /// AprilTag, 6 × 6 cells, 587 markers, distance 11.
  case apriltag36h11

  private var properties: (family: MarkerFamily, count: Int, correction: Int) {
    switch self {
    case .arucoOriginal: (.arucoOriginal, 1024, 0)
    case .grid4x4Of50: (.grid4x4, 50, 0)
    case .grid4x4Of100: (.grid4x4, 100, 0)
    case .grid4x4Of250: (.grid4x4, 250, 0)
    case .grid4x4Of1000: (.grid4x4, 1000, 0)
    case .grid5x5Of50: (.grid5x5, 50, 1)
    case .grid5x5Of100: (.grid5x5, 100, 1)
    case .grid5x5Of250: (.grid5x5, 250, 1)
    case .grid5x5Of1000: (.grid5x5, 1000, 0)
    case .grid6x6Of50: (.grid6x6, 50, 3)
    case .grid6x6Of100: (.grid6x6, 100, 3)
    case .grid6x6Of250: (.grid6x6, 250, 3)
    case .grid6x6Of1000: (.grid6x6, 1000, 2)
    case .grid7x7Of50: (.grid7x7, 50, 3)
    case .grid7x7Of100: (.grid7x7, 100, 3)
    case .grid7x7Of250: (.grid7x7, 250, 3)
    case .grid7x7Of1000: (.grid7x7, 1000, 3)
    case .arucoMip36h12: (.arucoMip36h12, 250, 3)
    case .apriltag16h5: (.apriltag16h5, 30, 0)
    case .apriltag25h9: (.apriltag25h9, 35, 1)
    case .apriltag36h10: (.apriltag36h10, 2320, 2)
    case .apriltag36h11: (.apriltag36h11, 587, 3)
    }
  }

  /// The table that the codes are in.
  public var family: MarkerFamily { properties.family }
  /// Number of markers; ids run from 0.
  public var count: Int { properties.count }
  /// Cells along a side, without the border.
  public var cells: Int { family.cells }

  /// Wrong cells that may be corrected.
  ///
  /// With so many, less than one in 1000 random black-bordered squares is taken for a marker of 5 × 5 cells or more. None
  /// for 4 × 4 cells, for ``arucoOriginal`` and for ``grid5x5Of1000``, whose codes lie too close; never more than three.
  public var correctableCells: Int { properties.correction }

  /// Least confidence of a marker whose edges were measured.
  ///
  /// The more of all readings of so few cells are some marker, the clearer one has to be seen: of random black-bordered
  /// squares one in 300 reads as a marker of ``grid4x4Of50``, one in 16 as one of ``grid4x4Of1000``.
  var leastConfidence: Double {
    guard family.isWeak else { return 0 }
    return family.cells > 4 ? 0.41 : count > 250 ? 0.66 : count > 100 ? 0.58 : 0.41
  }
}
