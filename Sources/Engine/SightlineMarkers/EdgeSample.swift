import SightlineCamera
import SightlineImaging
import SightlineMath

/// Where one boundary is measured.
struct EdgeSample {
  let map: Matrix3
  let center: Vector2
  let lens: MarkerLens?
  let x: Double
  let y: Double
  /// Whether the profile goes along y of the marker.
  let isAcross: Bool
  /// Size of a cell in the unit square.
  let cell: Double
  let sigma: Double
  /// Whether the boundary ends at the beginning and at the end of the cell: there other edges blur into it.
  let ends: (Bool, Bool)
  /// 1 for light, of the two cells before the boundary and the two behind it.
  let levels: (Double, Double, Double, Double)

  /// Sums of the pixels around the boundary; its normal in a picture without distortion; how much longer the profile is along pixels than along the normal.
  @_optimize(speed)
  func sums(_ image: GrayView, _ tables: BlurredStep.Tables) -> (EdgeSums, Vector2, Double)? {
    let h = map * Vector3(x, y, 1)
    guard h.z > 0 else { return nil }
    let k = 1 / h.z
    let (px, py) = (h.x * k, h.y * k)
    // Pixels a cell along and across the boundary.
    var dx = Vector2((map.row0.x - px * map.row2.x) * k, (map.row1.x - py * map.row2.x) * k) * cell
    var dy = Vector2((map.row0.y - px * map.row2.y) * k, (map.row1.y - py * map.row2.y) * k) * cell
    var at = Vector2(px + center.x, py + center.y)
    var (bendX, bendY) = (Vector2(1, 0), Vector2(0, 1))
    if let lens {
      (at, bendX, bendY) = lens.bent(at)
      dx = bendX * dx.x + bendY * dx.y
      dy = bendX * dy.x + bendY * dy.y
    }
    let (pitch, along) = isAcross ? (dy, dx) : (dx, dy)
    let length = along.length
    guard length > 0.3 else { return nil }
    var normal = Vector2(along.y / length, -along.x / length)
    if normal.dot(pitch) < 0 { normal = normal * -1 }
    let isFlat = abs(along.x) >= abs(along.y)
    // u along the boundary's own axis, v across; both in pixels of the frame.
    let (au, av) = isFlat ? (at.x, at.y) : (at.y, at.x)
    let (lu, lv) = isFlat ? (along.x, along.y) : (along.y, along.x)
    let slope = lv / lu
    let stretch = (1 + slope * slope).squareRoot()
    // Distance to the next boundary along the profile.
    let next = pitch.dot(normal) * stretch
    let direction = (isFlat ? normal.y : normal.x) > 0 ? 1.0 : -1.0
    let wide = sigma * stretch
    let reach = max(1.2, min(0.62 * next, 2.6 * wide + 1))
    // A lens that is none bends what it shows far out of the picture.
    guard abs(au) + abs(av) + abs(lu) + reach < 1e6 else { return nil }
    let margin = min(0.3 * abs(lu), sigma + 0.3)
    let (atLow, atHigh) = lu > 0 ? ends : (ends.1, ends.0)
    var first = Int((au - 0.5 * abs(lu) + (atLow ? margin : 0)).rounded(.up))
    var last = Int((au + 0.5 * abs(lu) - (atHigh ? margin : 0)).rounded(.down))
    if first > last {
      first = Int(au.rounded())
      last = first
    }
    let (endU, endV) = isFlat ? (image.width, image.height) : (image.height, image.width)
    let (unit, beside) = isFlat ? (1, image.stride) : (image.stride, 1)
    guard first >= 0, last < endU else { return nil }
    let stepU = (last - first) / 6 + 1
    let inverse = 1 / wide
    let (a, b, c) = (levels.1 - levels.0, levels.2 - levels.1, levels.3 - levels.2)
    let (change, unstretched) = (-b * inverse, 1 / stretch)
    let hasNeighbours = next < reach + 3 * wide && (a != 0 || c != 0)
    var sums = EdgeSums()
    var u = first
    while u <= last {
      let middle = av + slope * (Double(u) - au)
      let low = (middle - reach).roundedUp
      let high = (middle + reach).roundedDown
      guard low >= 0, high < endV else { return nil }
      var p = image.pixels + (u &* unit &+ low &* beside)
      for v in low...high {
        let t = (Double(v) - middle) * direction
        let s = t * inverse
        let slopeHere = tables.slope(s)
        var step = levels.1 + b * tables.step(s)
        if hasNeighbours {
          if a != 0 { step += a * (tables.step((t + next) * inverse) - 1) }
          if c != 0 { step += c * tables.step((t - next) * inverse) }
        }
        // Moving the edge onwards by d lets the pixels see it at t − d.
        let moved = slopeHere * change
        sums.add(value: Double(p.pointee), step: step, slope: moved, bend: moved * s * unstretched)
        p += beside
      }
      u += stepU
    }
    return (sums, Vector2(normal.dot(bendX), normal.dot(bendY)), stretch)
  }
}

extension Double {
  /// The next integer above or at it, without a call of the C library where the processor has no instruction for that.
  @inline(__always)
  fileprivate var roundedUp: Int {
    let whole = Int(self)
    return Double(whole) < self ? whole &+ 1 : whole
  }

  /// The next integer below or at it.
  @inline(__always)
  fileprivate var roundedDown: Int {
    let whole = Int(self)
    return Double(whole) > self ? whole &- 1 : whole
  }
}
