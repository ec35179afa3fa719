import SightlineCamera
import SightlineMath

/// An observation as a row of numbers: `vision.wasm` writes it, the page carries it over as it is, `sightline.wasm` reads it.
///
/// Kind (0 marker, 1 picture, 2 code, 3 wall) and two numbers of the anchor (of a marker its dictionary and id, of a code the upper and
/// the lower half of its hash, else 0 and the number), state, four corners, deviation of a corner, confidence, width,
/// track, whether it rests, seconds unseen, whether there is a pose, `cameraFromPlane` as quaternion (w first) and
/// translation, reprojection error. `WebClient/engine/observations.js` mirrors it.
public enum ObservationRow {
  /// Numbers of a row.
  public static let length = 27

  /// Writes a row.
  public static func write(_ seen: Observation, to out: inout Writer) {
    write(seen.anchor, to: &out)
    out.put(Int32(seen.state.rawValue))
    for k in 0..<4 {
      out.put(seen.corners[k].x)
      out.put(seen.corners[k].y)
    }
    out.put(seen.cornerSigma)
    out.put(seen.confidence)
    out.put(seen.width)
    out.put(seen.track)
    out.put(seen.isResting)
    out.put(seen.unseen)
    out.put(seen.pose != nil)
    let q = seen.pose?.cameraFromPlane ?? .identity
    for value in [q.w, q.x, q.y, q.z] { out.put(value) }
    let t = seen.pose?.translation ?? .zero
    for value in [t.x, t.y, t.z] { out.put(value) }
    out.put(seen.pose?.reprojectionError ?? 0)
  }

  /// Writes an anchor's three numbers.
  public static func write(_ anchor: AnchorID, to out: inout Writer) {
    let (kind, first, second): (Int32, Double, Double) =
      switch anchor {
      case .marker(let dictionary, let id): (0, Double(dictionary), Double(id))
      case .picture(let number): (1, 0, Double(number))
      case .code(let hash): (2, Double(hash >> 32), Double(hash & 0xFFFF_FFFF))
      case .wall(let number): (3, 0, Double(number))
      }
    out.put(kind)
    out.put(first)
    out.put(second)
  }

  /// Reads a row; `nil` for one of a kind or a state that there is not.
  public static func read(_ source: inout Reader) -> Observation? {
    let end = source.position + length
    defer { source.position = end }
    guard let anchor = anchor(&source), let state = UInt8(exactly: source.nextInt()).flatMap(ObservationState.init)
    else { return nil }
    var corners = Quadrilateral(repeating: .zero)
    for k in 0..<4 {
      let x = source.next()
      corners[k] = Vector2(x, source.next())
    }
    var seen = Observation(anchor, state: state, corners: corners)
    seen.cornerSigma = source.next()
    seen.confidence = source.next()
    seen.width = source.next()
    seen.track = source.nextInt()
    seen.isResting = source.next() != 0
    seen.unseen = source.next()
    guard source.next() != 0 else { return seen }
    let (w, x, y, z) = (source.next(), source.next(), source.next(), source.next())
    let translation = Vector3(source.next(), source.next(), source.next())
    guard let rotation = Quaternion(w: w, x: x, y: y, z: z).normalized else { return seen }
    seen.pose = PlanarPose(
      cameraFromPlane: rotation,
      translation: translation,
      reprojectionError: source.next()
    )
    return seen
  }

  /// Reads an anchor's three numbers; `nil` for a kind that there is not.
  public static func anchor(_ source: inout Reader) -> AnchorID? {
    let (kind, first, second) = (source.next(), source.next(), source.next())
    switch kind {
    case 0:
      guard let dictionary = UInt8(exactly: first), let id = Int32(exactly: second) else { return nil }
      return .marker(dictionary: dictionary, id: id)
    case 1: return Int32(exactly: second).map { .picture($0) }
    case 2:
      guard let high = UInt32(exactly: first), let low = UInt32(exactly: second) else { return nil }
      return .code(UInt64(high) << 32 | UInt64(low))
    case 3: return Int32(exactly: second).map { .wall($0) }
    default: return nil
    }
  }
}
