import SightlineCamera
import SightlineImaging
import SightlineMath

/// Whether a frame has a target's print end where a map puts its outline.
///
/// A covered poster agrees in part, and so does another poster with the same photograph; but only the first one also
/// ends where it should.
/// A print ends where the frame looks as the reference says up to the outline, and otherwise beyond it: what the
/// reference itself has beside
/// its edge (a white margin, a painting's frame) is known and does not pass for an edge of the print, and neither does
/// the grain of a wall.
enum BoundaryCheck {
  /// Places along each side.
  static let places = 20
  /// How far inside the outline the frame is compared with the reference, pixels of the frame's level.
  private static let inside = 10
  /// How far inside brightness and contrast are fitted.
  private static let fitted = 6
  /// How far outside it has to look otherwise.
  private static let outside = 3
  /// How strongly the contrast of all patches together is believed beside what a place itself says: squared grey
  /// levels.
  private static let belief: Float = 5000
  /// Least change across the outline, grey levels.
  private static let leastChange: Float = 5
  /// How many times as large as what the reference leaves unexplained inside.
  private static let leastRatio: Float = 4
  /// Most that may be left unexplained where it is said to agree up to the outline, grey levels, root mean square.
  private static let mostLeft: Float = 8
  /// Least step across the outline where the frame does not agree inside, grey levels, and how many times as large as
  /// the changes beside it.
  private static let leastStep: Float = 6
  private static let leastStepRatio: Float = 2

  /// What the frame says at one place of the outline.
  enum Place: UInt8 {
    /// Nothing: it lies outside the frame.
    case unseen
    /// Agrees up to the outline, and looks otherwise beyond it.
    case ends
    /// Agrees up to the outline, and nothing tells that the print ends there: it may go on, or hang on a wall as light
    /// as itself.
    case goesOn
    /// Does not agree inside, and goes on over the outline: covered, or something else.
    case differs
    /// Does not agree inside, and yet something ends at the outline: another print of the same size. What covers a print
    /// comes in over its outline and hides that.
    case endsOtherwise
  }

  /// What was found all around.
  struct Result {
    /// Side by side from the top left clockwise, ``places`` for each.
    var places = InlineArray<80, Place>(repeating: .unseen)
    /// Places in the frame.
    var looked: Int { count { $0 != .unseen } }
    /// Those where the print ends.
    var found: Int { count { $0 == .ends } }
    /// How much of the outline speaks for the target, 0 … 1; what lies outside the frame and what agrees without a
    /// visible end counts
    /// as on another poster, neither for nor against.
    var share: Double {
      let neither = count { $0 == .unseen || $0 == .goesOn }
      return (Double(found) + 0.35 * Double(neither)) / Double(places.count)
    }

    /// Share of the places in the frame that do not agree inside.
    var differing: Double {
      Double(count { $0 == .differs || $0 == .endsOtherwise }) / Double(max(1, looked))
    }

    private func count(_ isMeant: (Place) -> Bool) -> Int {
      var sum = 0
      for i in 0..<places.count where isMeant(places[i]) { sum += 1 }
      return sum
    }
  }

  /// Looks along the outline of a reference.
  ///
  /// - Parameters:
  ///   - reference: what is printed.
  ///   - levelFromReference: where it lies in the frame's level.
  ///   - contrast: grey levels of the frame for one of the reference.
  ///   - frame: the level of the frame.
  /// - Returns: what the frame says at each place.
  static func look(
    _ reference: ReferencePyramid,
    _ levelFromReference: Homography,
    contrast: Double,
    in frame: GrayView
  ) -> Result {
    var result = Result()
    let (width, height) = (reference.width, reference.height)
    guard let corners = levelFromReference.corners(width: width, height: height),
      let back = levelFromReference.inverse?.scaled
    else { return result }
    let own: InlineArray<4, Vector2> = [
      Vector2(-0.5, -0.5), Vector2(width - 0.5, -0.5), Vector2(width - 0.5, height - 0.5), Vector2(-0.5, height - 0.5),
    ]
    for side in 0..<4 {
      let next = (side + 1) & 3
      let along = corners[next] - corners[side]
      guard along.length > 8 else { continue }
      let tangent = along * (1 / along.length)
      let line = Line(tangent: tangent, outwards: Vector2(tangent.y, -tangent.x))
      for i in 0..<places {
        let t = (Double(i) + 0.5) / Double(places)
        guard let p = levelFromReference(own[side] * (1 - t) + own[next] * t) else { continue }
        result.places[side * places + i] = place(p, line, reference, back, Float(contrast), frame)
      }
    }
    return result
  }

  /// The directions along and across a side.
  private struct Line {
    var tangent: Vector2
    var outwards: Vector2
    /// So many pixels along the side, so many outwards.
    func step(_ along: Double, _ across: Double) -> Vector2 { tangent * along + outwards * across }
  }

  private static func place(
    _ p: Vector2,
    _ line: Line,
    _ reference: ReferencePyramid,
    _ back: Homography,
    _ contrast: Float,
    _ frame: GrayView
  ) -> Place {
    // All that is read lies between these four.
    for along in [-2.0, 2] {
      for across in [-Double(inside), Double(outside)] {
        let q = p + line.step(along, across)
        guard q.x > 1, q.y > 1, q.x < Double(frame.width) - 3, q.y < Double(frame.height) - 3 else { return .unseen }
      }
    }
    let m = back.matrix
    let w = m.row2.x * p.x + m.row2.y * p.y + m.row2.z
    let level = reference.levels[reference.level(forPixels: (abs(determinantOf(m)) / (w * w * w)).squareRoot())]
    let picture = level.picture
    // The last one inside first, then inwards.
    var (seen, said) = (InlineArray<10, Float>(repeating: 0), InlineArray<10, Float>(repeating: 0))
    for k in 0..<inside {
      for along in [-2.0, 0, 2] {
        let q = p + line.step(along, -Double(k + 1))
        seen[k] += Self.level(frame, q) / 3
        guard let r = back(q) else { return .unseen }
        said[k] += Self.level(picture, (r.x + 0.5) * level.ratio.x - 0.5, (r.y + 0.5) * level.ratio.y - 0.5) / 3
      }
    }
    var (meanSeen, meanSaid): (Float, Float) = (0, 0)
    for k in 0..<fitted {
      meanSeen += seen[k] / Float(fitted)
      meanSaid += said[k] / Float(fitted)
    }
    var (product, square): (Float, Float) = (0, 0)
    for k in 0..<fitted {
      product += (seen[k] - meanSeen) * (said[k] - meanSaid)
      square += (said[k] - meanSaid) * (said[k] - meanSaid)
    }
    let gain = max(0.1, min(2, (product + belief * contrast) / (square + belief)))
    var left: Float = 0
    for k in 0..<inside {
      let error = seen[k] - meanSeen - gain * (said[k] - meanSaid)
      left += error * error / Float(inside)
    }
    left = left.squareRoot()
    let edge = meanSeen + gain * (said[0] - meanSaid)
    var change: Float = 0
    for k in 1...outside {
      var beyond: Float = 0
      for along in [-2.0, 0, 2] { beyond += Self.level(frame, p + line.step(along, Double(k))) / 3 }
      change += abs(beyond - edge) / Float(outside)
    }
    if change > leastChange && change > leastRatio * left { return .ends }
    if left < mostLeft { return .goesOn }
    return hasStep(seen, p, line, frame) ? .endsOtherwise : .differs
  }

  /// Whether the frame has a step at a place of the outline, whatever it shows on both sides of it.
  ///
  /// `seen` is what it has inside, outwards to inwards. Means of three pixels on both sides differ by more than each
  /// differs from the three beside it.
  private static func hasStep(
    _ seen: InlineArray<10, Float>,
    _ p: Vector2,
    _ line: Line,
    _ frame: GrayView
  ) -> Bool {
    for along in [-2.0, 2] {
      let q = p + line.step(along, Double(2 * outside))
      guard q.x > 1, q.y > 1, q.x < Double(frame.width) - 3, q.y < Double(frame.height) - 3 else { return false }
    }
    var (inner, deeper, outer, farther): (Float, Float, Float, Float) = (0, 0, 0, 0)
    for k in 0..<outside {
      inner += seen[k]
      deeper += seen[k + outside]
      for along in [-2.0, 0, 2] {
        outer += Self.level(frame, p + line.step(along, Double(k + 1))) / 3
        farther += Self.level(frame, p + line.step(along, Double(k + 1 + outside))) / 3
      }
    }
    let step = abs(inner - outer)
    return step > leastStep * Float(outside) && step > leastStepRatio * max(abs(inner - deeper), abs(outer - farther))
  }

  private static func level(_ frame: GrayView, _ p: Vector2) -> Float {
    let (x, y) = (Float(p.x), Float(p.y))
    let (ix, iy) = (Int(x), Int(y))
    let (fx, fy) = (x - Float(ix), y - Float(iy))
    let (a, b) = (frame.row(iy), frame.row(iy + 1))
    let upper = Float(a[ix]) + fx * (Float(a[ix + 1]) - Float(a[ix]))
    let lower = Float(b[ix]) + fx * (Float(b[ix + 1]) - Float(b[ix]))
    return upper + fy * (lower - upper)
  }

  /// A reference's level at a place, at its edge where the place lies outside.
  private static func level(_ picture: FloatImage, _ x: Double, _ y: Double) -> Float {
    let cx = Float(max(0, min(Double(picture.width) - 1.001, x)))
    let cy = Float(max(0, min(Double(picture.height) - 1.001, y)))
    let (ix, iy) = (Int(cx), Int(cy))
    let (fx, fy) = (cx - Float(ix), cy - Float(iy))
    let s = picture.pixels.base + (iy &* picture.width &+ ix)
    let a = s[0] + fx * (s[1] - s[0])
    let b = s[picture.width] + fx * (s[picture.width + 1] - s[picture.width])
    return a + fy * (b - a)
  }
}
