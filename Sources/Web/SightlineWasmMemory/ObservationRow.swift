import SightlineCamera
import SightlineMath

/// Kind of an anchor in its three numbers.
private enum Kind {
  static let marker = 0.0
  static let picture = 1.0
  static let code = 2.0
  static let wall = 3.0
  static let placed = 4.0
}

extension ObservationRow {
  /// Writes an anchor's three numbers.
  public static func write(_ anchor: AnchorID, to out: inout Writer) {
    let (kind, first, second): (Double, Double, Double) =
      switch anchor {
      case .marker(let dictionary, let id): (Kind.marker, Double(dictionary), Double(id))
      case .picture(let number): (Kind.picture, 0, Double(number))
      case .code(let hash): (Kind.code, Double(hash >> 32), Double(hash & 0xFFFF_FFFF))
      case .wall(let number): (Kind.wall, 0, Double(number))
      case .placed(let number): (Kind.placed, 0, Double(number))
      }
    out.put(kind)
    out.put(first)
    out.put(second)
  }

  /// Reads a row; `nil` for one of a kind or a state that there is not.
  public static func read(_ row: Values) -> Observation? {
    guard let anchor = anchorID(row, Self.anchor),
      let state = UInt8(exactly: row.int(Self.state)).flatMap(ObservationState.init)
    else { return nil }
    var quadrilateral = Quadrilateral(repeating: .zero)
    for k in 0..<4 { quadrilateral[k] = Vector2(row[Self.corners + 2 * k], row[Self.corners + 2 * k + 1]) }
    var seen = Observation(anchor, state: state, corners: quadrilateral)
    seen.cornerSigma = row[Self.sigma]
    seen.confidence = row[Self.confidence]
    seen.width = row[Self.width]
    seen.track = row.int(Self.track)
    seen.isResting = row.flag(Self.isResting)
    seen.unseen = row[Self.unseen]
    guard row.flag(Self.hasPose),
      let turn = Quaternion(
        w: row[Self.rotation],
        x: row[Self.rotation + 1],
        y: row[Self.rotation + 2],
        z: row[Self.rotation + 3]
      )
      .normalized
    else { return seen }
    seen.pose = PlanarPose(
      cameraFromPlane: turn,
      translation: Vector3(row[Self.translation], row[Self.translation + 1], row[Self.translation + 2]),
      reprojectionError: row[Self.error]
    )
    return seen
  }

  /// Reads an anchor's three numbers from a place on; `nil` for a kind that there is not.
  public static func anchorID(_ row: Values, _ place: Int) -> AnchorID? {
    let (first, second) = (row[place + 1], row[place + 2])
    switch row[place] {
    case Kind.marker:
      guard let dictionary = UInt8(exactly: first), let id = Int32(exactly: second) else { return nil }
      return .marker(dictionary: dictionary, id: id)
    case Kind.picture: return Int32(exactly: second).map { .picture($0) }
    case Kind.code:
      guard let high = UInt32(exactly: first), let low = UInt32(exactly: second) else { return nil }
      return .code(UInt64(high) << 32 | UInt64(low))
    case Kind.wall: return Int32(exactly: second).map { .wall($0) }
    case Kind.placed: return Int32(exactly: second).map { .placed($0) }
    default: return nil
    }
  }
}
