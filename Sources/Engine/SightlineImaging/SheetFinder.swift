import SightlineMath

/// Finds the sheet of paper, card or frame that stands out most in a picture, by its outline alone.
///
/// For a first guess that a person confirms or corrects: what is rectangular, large and of another brightness than its
/// surroundings, whatever is printed on it. Several thresholds are tried, so neither a white sheet on a white wall (a few
/// levels of difference) nor a dark card on a light table needs a setting.
public enum SheetFinder {
  /// A quadrilateral in the picture.
  public struct Sheet: Equatable, Sendable {
    /// Corners in pixels, clockwise as seen, the first one nearest to the picture's top left.
    public var corners: Quadrilateral
    /// Mean difference of brightness across its edges, grey levels.
    public var contrast: Double
  }

  /// Smallest share of the picture that a sheet may have.
  static let smallestArea = 0.004
  /// Least mean difference of brightness across the edges.
  static let leastContrast = 5.0

  /// The sheet that stands out most; `nil` when nothing does.
  ///
  /// - Complexity: about 12 walks over the picture; 20 ms for 640 × 480 pixels in a release build.
  public static func find(in image: GrayView) -> Sheet? {
    guard image.width >= 32, image.height >= 32 else { return nil }
    var best: Sheet?
    var bestScore = 0.0
    var mask = GrayImage(width: image.width, height: image.height)
    for level in levels(of: image) {
      mask.setThreshold(of: image, upTo: level)
      let perimeter = 4 * (smallestArea * Double(image.width * image.height)).squareRoot()
      let contours = mask.withView { $0.contours(minimumLength: Int(perimeter)) }
      for contour in contours {
        guard let corners = quadrilateral(contour, image) else { continue }
        let contrast = contrast(along: corners, in: image)
        guard contrast >= leastContrast else { continue }
        // Contrast tells a sheet from a patch of light on the wall, area from the letters on the sheet.
        let score = contrast * corners.area.squareRoot()
        if score > bestScore {
          bestScore = score
          best = Sheet(corners: ordered(refined(corners, in: image)), contrast: contrast)
        }
      }
    }
    return best
  }

  /// Levels that part the picture's pixels into parts of different sizes, and the one that parts them best.
  private static func levels(of image: GrayView) -> [UInt8] {
    let histogram = Histogram(image)
    var levels: [UInt8] = []
    if let otsu = histogram.otsuThreshold { levels.append(otsu) }
    let total = Double(image.width * image.height)
    for share in [0.1, 0.25, 0.4, 0.55, 0.65, 0.75, 0.82, 0.88, 0.93, 0.97] {
      var sum = 0.0
      for level in 0..<255 {
        sum += Double(histogram.counts[level])
        guard sum >= share * total else { continue }
        if !levels.contains(UInt8(level)) { levels.append(UInt8(level)) }
        break
      }
    }
    return levels
  }

  /// The corners of an outline that is a quadrilateral, clockwise as seen.
  private static func quadrilateral(_ contour: Contour, _ image: GrayView) -> Quadrilateral? {
    let polygon = contour.polygon(tolerance: max(2, Double(contour.points.count) * 0.012))
    guard polygon.count == 4 else { return nil }
    for point in polygon {
      // What touches the picture's edge is cut off there.
      guard point.x > 0, point.y > 0, Int(point.x) < image.width - 1, Int(point.y) < image.height - 1 else {
        return nil
      }
    }
    guard let corners = fitted(contour, polygon) else { return nil }
    guard corners.area >= smallestArea * Double(image.width * image.height) else { return nil }
    for k in 0..<4 {
      let (u, v) = (corners.side(k), corners.side((k + 1) & 3))
      let (lu, lv) = (u.length, v.length)
      guard lu >= 12, lv >= 12 else { return nil }
      // Between 35 and 145 degrees at every corner, and convex.
      let sine = u.cross(v) / (lu * lv)
      guard sine > 0.57 else { return nil }
      guard lu / lv < 12, lv / lu < 12 else { return nil }
    }
    return corners
  }

  /// A straight line through each side of the outline, by least squares over its middle, and where they meet.
  private static func fitted(_ contour: Contour, _ polygon: [PixelPosition]) -> Quadrilateral? {
    let points = contour.points
    var starts: [Int] = []
    for corner in polygon {
      var found = -1
      for index in points.indices where points[index] == corner && (starts.isEmpty || index > starts[starts.count - 1])
      {
        found = index
        break
      }
      guard found >= 0 else { return nil }
      starts.append(found)
    }
    var lines: [Line2] = []
    for k in 0..<4 {
      let from = starts[k]
      let count = (starts[(k + 1) % 4] - from + points.count) % points.count
      let margin = max(1, count / 8)
      guard count - 2 * margin >= 6 else { return nil }
      var side: [Vector2] = []
      for step in margin..<(count - margin) {
        let point = points[(from + step) % points.count]
        side.append(Vector2(Double(point.x), Double(point.y)))
      }
      // More than a pixel off the line in the mean: no straight edge.
      guard let (line, meanSquare) = Self.line(through: side), meanSquare < 1.2 else { return nil }
      lines.append(line)
    }
    // Pixels of the outline are dark; the edge runs half a pixel towards the light side.
    let middle = Vector2(
      Double(polygon[0].x + polygon[1].x + polygon[2].x + polygon[3].x) / 4,
      Double(polygon[0].y + polygon[1].y + polygon[2].y + polygon[3].y) / 4
    )
    for k in 0..<4 {
      let outwards: Double = lines[k].distance(to: middle) > 0 ? -1 : 1
      lines[k].offset += (contour.isHole ? -0.5 : 0.5) * outwards
    }
    guard let corners = meeting(lines) else { return nil }
    // Clockwise as seen has a positive area with y down.
    return corners.signedArea < 0 ? corners.reversed : corners
  }

  /// The line with the least sum of squared distances, and their mean; `nil` for points that fix none.
  private static func line(through points: [Vector2]) -> (line: Line2, meanSquare: Double)? {
    guard points.count >= 2 else { return nil }
    var fit = LineFit()
    for point in points { fit.add(point.x - points[0].x, point.y - points[0].y) }
    fit.solve()
    return (fit.line(origin: points[0], towards: points[points.count - 1] - points[0]), fit.meanSquare)
  }

  /// Where each line meets the one before it; `nil` when two run almost side by side.
  private static func meeting(_ lines: [Line2]) -> Quadrilateral? {
    var corners = Quadrilateral(repeating: .zero)
    for k in 0..<4 {
      guard let corner = lines[(k + 3) & 3].crossing(lines[k], leastSine: 0.3) else { return nil }
      corners[k] = corner
    }
    return corners
  }

  /// The same corners to a fraction of a pixel: along each side the places where brightness is halfway between its two
  /// sides, and a line through them.
  private static func refined(_ corners: Quadrilateral, in image: GrayView) -> Quadrilateral {
    var lines: [Line2] = []
    for k in 0..<4 {
      let (a, along) = (corners[k], corners.side(k))
      let inwards = Vector2(-along.y, along.x) * (1 / along.length)
      var points: [Vector2] = []
      for step in 4..<46 {
        let p = a + along * (Double(step) / 50)
        if let offset = crossing(at: p, along: inwards, in: image) { points.append(p + inwards * offset) }
      }
      guard points.count >= 12, let (rough, _) = Self.line(through: points) else { return corners }
      // What is printed near the edge, or lies over it, is left out.
      let close = points.filter { abs(rough.distance(to: $0)) < 0.8 }
      guard close.count >= 12, let (line, _) = Self.line(through: close) else { return corners }
      lines.append(line)
    }
    guard let found = meeting(lines) else { return corners }
    return found.largestDistance(to: corners) > 3 ? corners : found
  }

  /// How far from a point, along a direction, the level is halfway between those three pixels before and behind it.
  private static func crossing(at p: Vector2, along direction: Vector2, in image: GrayView) -> Double? {
    var levels: [Double] = []
    for step in -6...6 {
      let q = p + direction * (Double(step) / 2)
      guard let level = image.level(x: q.x, y: q.y) else { return nil }
      levels.append(level)
    }
    let (outside, inside) = ((levels[0] + levels[1]) / 2, (levels[11] + levels[12]) / 2)
    guard abs(inside - outside) >= leastContrast else { return nil }
    let middle = (inside + outside) / 2
    var best: Double?
    for i in 0..<12 {
      let (low, high) = (levels[i] - middle, levels[i + 1] - middle)
      guard low != high, low * high <= 0 else { continue }
      let offset = (Double(i) + low / (low - high)) / 2 - 3
      if abs(offset) < abs(best ?? .infinity) { best = offset }
    }
    return best
  }

  /// Mean difference of brightness between 3 pixels inside and 3 outside, in absolute value of the signed mean.
  private static func contrast(along corners: Quadrilateral, in image: GrayView) -> Double {
    var weakest = 1e9
    var total = 0.0
    for k in 0..<4 {
      let (a, along) = (corners[k], corners.side(k))
      let length = along.length
      // To the right of the way round clockwise is inside.
      let inwards = Vector2(-along.y / length, along.x / length)
      var sum = 0.0
      var count = 0.0
      for step in 1..<20 {
        let p = a + along * (Double(step) / 20)
        guard let light = image.level(x: p.x + 3 * inwards.x, y: p.y + 3 * inwards.y),
          let dark = image.level(x: p.x - 3 * inwards.x, y: p.y - 3 * inwards.y)
        else { continue }
        sum += light - dark
        count += 1
      }
      guard count >= 10 else { return 0 }
      weakest = min(weakest, abs(sum / count))
      total += abs(sum / count)
    }
    // One side without an edge is no sheet.
    return weakest < leastContrast / 2 ? 0 : total / 4
  }

  /// The same corners, the one nearest to the top left first.
  private static func ordered(_ c: Quadrilateral) -> Quadrilateral {
    var first = 0
    for k in 1..<4 where c[k].x + c[k].y < c[first].x + c[first].y { first = k }
    return c.beginning(at: first)
  }
}
