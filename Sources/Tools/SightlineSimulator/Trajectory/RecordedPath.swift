import SightlineMath

/// A path that was recorded or fitted elsewhere, made smooth: position and attitude are splines, so that sensors and pictures agree.
///
/// Both are uniform B-splines of fifth degree, fitted by least squares with a little weight on the third derivative, which carries
/// them over gaps. The four parts of the quaternion are fitted each for itself and brought to length 1 where they are used.
/// Source: Eilers and Marx 1996, doi:10.1214/ss/1038425655 (splines with a penalty on differences).
struct RecordedPath: Sendable {
  /// One row of the file.
  struct Row: Equatable, Sendable {
    /// Seconds.
    var time: Double
    /// Metres.
    var position: Vector3
    /// Rotates device vectors into the world frame.
    var worldFromDevice: Quaternion
  }

  /// Seconds between knots.
  static let knot = 0.05
  /// Rows that a file may have.
  static let mostRows = 1_000_000

  private let position: [UniformSpline]
  private let attitude: [UniformSpline]
  private let shift: Vector3
  private let turn: Quaternion
  private let pace: Double
  private let first: Double
  /// Length of the path, seconds of the run.
  let duration: Double

  /// Fits a path; `nil` when less than a second is left.
  ///
  /// - Parameters:
  ///   - rows: at least 8, times rising, quaternions of length 1.
  ///   - pace: speed of the run against the recording.
  ///   - from: seconds of the recording to leave out at its start.
  ///   - seconds: of the run; `nil` for all there is.
  ///   - shift: added to all positions, after the turn.
  ///   - turn: about the vertical.
  init?(_ rows: [Row], pace: Double, from: Double, seconds: Double?, shift: Vector3, turn: Angle) {
    guard let start = rows.first?.time, let last = rows.last?.time else { return nil }
    let most = (last - start - from) / pace
    let length = min(seconds ?? most, most)
    guard length >= 1 else { return nil }
    duration = length
    self.pace = pace
    self.shift = shift
    self.turn = Quaternion(axis: Vector3(0, 0, 1), angle: turn)
    let begin = start + from
    first = begin
    // A second before and behind what is used, so that the ends are as smooth as the rest.
    let used = rows.filter { $0.time >= begin - 1 && $0.time <= begin + length * pace + 1 }
    guard used.count >= 8 else { return nil }
    let times = used.map(\.time)
    func fit(_ values: [Double], _ smoothness: Double) -> UniformSpline {
      UniformSpline(times, values, knot: Self.knot, smoothness: smoothness)
    }
    // λω⁶ = 1 at 11 Hz: what is slower stays.
    let places = used.map(\.position)
    position = [fit(places.map(\.x), 1e-11), fit(places.map(\.y), 1e-11), fit(places.map(\.z), 1e-11)]
    var turns: [Quaternion] = []
    for row in used {
      let q = row.worldFromDevice
      turns.append(turns.last.map { $0.dot(q) < 0 } == true ? Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z) : q)
    }
    attitude = [
      fit(turns.map(\.w), 1e-11), fit(turns.map(\.x), 1e-11), fit(turns.map(\.y), 1e-11), fit(turns.map(\.z), 1e-11),
    ]
  }

  /// The state at a moment of the run; before and behind the path that of its ends' polynomials, for a second.
  func state(at time: Double) -> Trajectory.State {
    let t = first + time * pace
    func jet(_ spline: UniformSpline) -> Jet {
      let j = spline.jet(at: t)
      return Jet(j.value, j.rate * pace, j.acceleration * pace * pace)
    }
    let p = position.map(jet)
    let parts = attitude.map(jet)
    let q = Quaternion(w: parts[0].value, x: parts[1].value, y: parts[2].value, z: parts[3].value)
    let square = q.dot(q)
    // 2 · q⁻¹ · q′: the part along q, by which the length changes, falls into the real part.
    let rate = q.inverse * Quaternion(w: parts[0].rate, x: parts[1].rate, y: parts[2].rate, z: parts[3].rate)
    let worldFromDevice = turn * (q.normalized ?? .identity)
    let forward = worldFromDevice * Vector3(0, 0, -1)
    let right = worldFromDevice * Vector3(1, 0, 0)
    let up = worldFromDevice * Vector3(0, 1, 0)
    return Trajectory.State(
      worldFromDevice: worldFromDevice,
      angularVelocity: Vector3(rate.x, rate.y, rate.z) * (2 / square),
      position: turn * Vector3(p[0].value, p[1].value, p[2].value) + shift,
      velocity: turn * Vector3(p[0].rate, p[1].rate, p[2].rate),
      acceleration: turn * Vector3(p[0].acceleration, p[1].acceleration, p[2].acceleration),
      heading: Angle(radians: atan2(forward.x, forward.y)),
      pitch: Angle(radians: asin(forward.z)),
      roll: Angle(radians: atan2(right.z, up.z))
    )
  }

  /// Reads a file: a header `t,px,py,pz,qw,qx,qy,qz`, then a row of eight numbers for each moment.
  ///
  /// - Throws: the problem as a sentence that begins with the line's number.
  static func rows(_ text: String) throws(PathProblem) -> [Row] {
    let header = ["t", "px", "py", "pz", "qw", "qx", "qy", "qz"]
    var rows: [Row] = []
    var line = 0
    for content in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      line += 1
      let fields = content.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
      // Credit and origin may stand above.
      if content.first == "#" || fields == [""] { continue }
      if rows.isEmpty, fields.first == "t" {
        guard Array(fields.prefix(8)) == header else {
          throw PathProblem(line: line, message: "the header has to begin with \(header.joined(separator: ",")).")
        }
        continue
      }
      let numbers = fields.prefix(8).compactMap { Double($0) }
      guard numbers.count == 8, numbers.allSatisfy({ $0.isFinite && abs($0) < 1e9 }) else {
        throw PathProblem(
          line: line,
          message: "eight numbers are needed, separated by commas: \(header.joined(separator: ","))."
        )
      }
      guard rows.last.map({ $0.time < numbers[0] }) ?? true else {
        throw PathProblem(
          line: line,
          message: "the times have to rise; sort the rows by t and leave out repeated ones."
        )
      }
      let q = Quaternion(w: numbers[4], x: numbers[5], y: numbers[6], z: numbers[7])
      guard abs(q.dot(q) - 1) < 0.02, let unit = q.normalized else {
        throw PathProblem(line: line, message: "the quaternion's length is not 1; its order is qw,qx,qy,qz.")
      }
      guard abs(numbers[1]) < 20_000, abs(numbers[2]) < 20_000, abs(numbers[3]) < 20_000 else {
        throw PathProblem(line: line, message: "positions have to be within 20 km of the origin; they are metres.")
      }
      guard rows.count < mostRows else {
        throw PathProblem(line: line, message: "more than \(mostRows) rows are not read; shorten the file.")
      }
      rows.append(Row(time: numbers[0], position: Vector3(numbers[1], numbers[2], numbers[3]), worldFromDevice: unit))
    }
    guard let first = rows.first, let last = rows.last, last.time - first.time >= 1, rows.count >= 8 else {
      throw PathProblem(line: max(1, line), message: "at least 8 rows over a second are needed.")
    }
    guard last.time - first.time <= SimulationScript.longestDuration * 10 else {
      throw PathProblem(line: line, message: "the times span more than ten hours; they are seconds.")
    }
    return rows
  }
}

/// Why a path cannot be followed.
struct PathProblem: Error {
  /// From 1.
  var line: Int
  /// A sentence.
  var message: String
}

/// A uniform B-spline of fifth degree.
struct UniformSpline: Sendable {
  private let start: Double
  private let knot: Double
  private let coefficients: [Double]

  /// The least squares fit to values at rising times, with a penalty on the third derivative.
  ///
  /// - Parameters:
  ///   - times: rising, one at least.
  ///   - values: one for each time.
  ///   - knot: seconds between knots.
  ///   - smoothness: weight of the squared third derivative's mean against the squared errors' mean, seconds⁶.
  init(_ times: [Double], _ values: [Double], knot: Double, smoothness: Double) {
    start = times[0]
    self.knot = knot
    let span = times[times.count - 1] - start
    let intervals = max(1, Int(clamp((span / knot).rounded(.up), 1, 1e7)))
    let count = intervals + 5
    // Normal equations, a band of six diagonals, by rows.
    var band = [Double](repeating: 0, count: count * 6)
    var right = [Double](repeating: 0, count: count)
    for (time, value) in zip(times, values) {
      let (index, weights) = Self.basis((time - start) / knot, intervals)
      for i in 0..<6 {
        right[index + i] += weights.0[i] * value
        for j in i..<6 { band[(index + i) * 6 + j - i] += weights.0[i] * weights.0[j] }
      }
    }
    // The third difference over knot³ is the derivative; as many of them as intervals count as much as the rows do.
    let penalty = smoothness * Double(times.count) / Double(count) / pow(knot, 6) + 1e-12
    let difference = [-1.0, 3, -3, 1]
    for row in 0..<(count - 3) {
      for i in 0..<4 { for j in i..<4 { band[(row + i) * 6 + j - i] += penalty * difference[i] * difference[j] } }
    }
    coefficients = Self.solve(&band, right)
  }

  /// Cholesky's decomposition within the band, then both substitutions.
  private static func solve(_ band: inout [Double], _ right: [Double]) -> [Double] {
    let count = right.count
    var x = right
    for i in 0..<count {
      for k in max(0, i - 5)..<i {
        let factor = band[k * 6 + i - k]
        for j in i...min(count - 1, k + 5) { band[i * 6 + j - i] -= factor * band[k * 6 + j - k] }
        x[i] -= factor * x[k]
      }
      let root = max(band[i * 6], 1e-300).squareRoot()
      for j in i...min(count - 1, i + 5) { band[i * 6 + j - i] /= root }
      x[i] /= root
    }
    for i in stride(from: count - 1, through: 0, by: -1) {
      if i + 1 < count { for j in (i + 1)...max(i + 1, min(count - 1, i + 5)) { x[i] -= band[i * 6 + j - i] * x[j] } }
      x[i] /= band[i * 6]
    }
    return x
  }

  /// Index of the first of six coefficients, and their weights: of the value and of two derivatives by the place.
  private static func basis(
    _ place: Double,
    _ intervals: Int
  ) -> (index: Int, weights: (InlineArray<6, Double>, InlineArray<6, Double>, InlineArray<6, Double>)) {
    let interval = min(intervals - 1, max(0, Int(clamp(place.rounded(.down), 0, 1e9))))
    // Outside of the fit its last polynomial goes on, but not far.
    let u = clamp(place - Double(interval), -20, 20)
    // De Boor's recursion on knots at whole numbers: each degree from the one below.
    var b: InlineArray<6, Double> = [1, 0, 0, 0, 0, 0]
    var (first, second) = (b, b)
    for degree in 1...5 {
      var next: InlineArray<6, Double> = [0, 0, 0, 0, 0, 0]
      for i in 0...degree {
        // Spline i of this degree begins at knot i − degree.
        let left = i > 0 ? b[i - 1] * (u + Double(degree - i)) / Double(degree) : 0
        let right = i < degree ? b[i] * (Double(i + 1) - u) / Double(degree) : 0
        next[i] = left + right
      }
      if degree == 4 {
        // The derivative of degree 5 is the difference of degree 4's.
        for i in 0..<6 { first[i] = (i > 0 ? next[i - 1] : 0) - (i < 5 ? next[i] : 0) }
      } else if degree == 3 {
        for i in 0..<6 {
          second[i] = (i > 1 ? next[i - 2] : 0) - 2 * (i > 0 && i < 5 ? next[i - 1] : 0) + (i < 4 ? next[i] : 0)
        }
      }
      b = next
    }
    return (interval, (b, first, second))
  }

  /// Value and derivatives at a time.
  func jet(at time: Double) -> Jet {
    let (index, weights) = Self.basis((time - start) / knot, coefficients.count - 5)
    var jet = Jet.zero
    for i in 0..<6 {
      let c = coefficients[index + i]
      jet += Jet(c * weights.0[i], c * weights.1[i] / knot, c * weights.2[i] / (knot * knot))
    }
    return jet
  }
}
