import SightlineMath

/// How the world of a followed path lies against north, by where satellite fixes say that the user went: no compass is needed.
///
/// Least squares of a turn and a shift between places of the path and the fixes that came there (Umeyama, "Least-squares estimation of
/// transformation parameters between two point patterns", 1991, in the plane). Lengths of the path need not be metres.
public struct PathCourse: Sendable {
  /// What can be set.
  public struct Parameters: Sendable {
    /// Metres of the path, or of its units, from one place that is kept to the next.
    public var spacing = 2.0
    /// Places that are kept, the latest.
    public var count = 64
    /// Places that count as independent: errors of fixes close in time are nearly the same.
    public var independent = 2.0
    /// Deviation up to which an answer is given.
    public var worst = Angle(degrees: 20)
    /// Deviation below which none is taken to be.
    public var best = Angle(degrees: 2)

    /// The defaults.
    public init() {}
  }

  /// What was set.
  public let parameters: Parameters
  private var places: [(path: Vector2, fix: Vector2, deviation: Double)] = []
  private var next = 0

  /// A comparison before its first fix.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes a fix: where the path was then, where it says the user was (east and north, metres, of one origin), and its standard
  /// deviation along an axis, metres.
  public mutating func take(path: Vector2, fix: Vector2, deviation: Double) {
    guard path.length < 1e6, fix.length < 1e6, deviation.isFinite else { return }
    let entry = (path, fix, max(deviation, 0.5))
    if !places.isEmpty {
      let last = places[(next + places.count - 1) % places.count]
      guard (path - last.path).length >= parameters.spacing else { return }
    }
    if places.count < parameters.count {
      places.append(entry)
      next = 0
    } else {
      places[next] = entry
      next = (next + 1) % places.count
    }
  }

  /// Forgets all places: the path goes on in another world.
  public mutating func removeAll() {
    places.removeAll(keepingCapacity: true)
    next = 0
  }

  /// East-North-Up from the path's world, counter-clockwise about up, and its standard deviation; `nil` while that is too large.
  public var answer: (angle: Angle, deviation: Angle)? {
    guard places.count >= 3 else { return nil }
    let count = Double(places.count)
    var (path, fix, noise) = (Vector2.zero, Vector2.zero, 0.0)
    for place in places {
      path = path + place.path
      fix = fix + place.fix
      noise += place.deviation * place.deviation
    }
    (path, fix) = (path * (1 / count), fix * (1 / count))
    var (dot, cross, spread, reach) = (0.0, 0.0, 0.0, 0.0)
    for place in places {
      let (p, f) = (place.path - path, place.fix - fix)
      dot += p.x * f.x + p.y * f.y
      cross += p.x * f.y - p.y * f.x
      spread += p.x * p.x + p.y * p.y
      reach += f.x * f.x + f.y * f.y
    }
    // The turn is told by how far the fixes reach, in metres, which those of noise alone do not.
    let extent = (reach - noise) / count
    guard extent > 0, spread > 0, dot * dot + cross * cross > 0 else { return nil }
    let sigma = (noise / count / (parameters.independent * extent)).squareRoot()
    guard sigma <= parameters.worst.radians else { return nil }
    return (Angle(radians: atan2(cross, dot)), Angle(radians: max(sigma, parameters.best.radians)))
  }
}
