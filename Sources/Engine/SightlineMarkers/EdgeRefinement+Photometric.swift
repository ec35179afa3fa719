import SightlineCamera
import SightlineImaging
import SightlineMath

extension EdgeRefinement {
  /// What one of the two fits found.
  struct Found {
    var map: Matrix3
    var shift = 0.0
    var agreement = 0.0
    var covariance: CornerCovariance?
  }

  /// The map by all pixels at once; `nil` when the pattern alone does not explain them.
  ///
  /// - Parameters:
  ///   - image: the whole frame.
  ///   - edges: what was found by edges; `nil` where that failed, as it does where cells are hardly wider than blur.
  ///   - map: of the corners as they were given.
  ///   - center: of the marker, pixels.
  ///   - lens: bends what is straight; `nil` when it is not known.
  ///   - code: the marker's cells, row by row, 1 = white.
  ///   - cells: along a side, without the border.
  /// - Returns: the map and how surely it is known.
  mutating func whole(
    _ image: GrayView,
    _ edges: Found?,
    map: Matrix3,
    center: Vector2,
    lens: MarkerLens?,
    code: UInt64,
    cells: Int
  ) -> Found? {
    var terms = PhotometricRefinement.Terms()
    let start = edges?.map ?? map
    if let edges {
      guard let levels = shades.middle else { return nil }
      (terms.dark, terms.contrast) = (Float(levels.dark), Float(levels.light - levels.dark))
      (terms.blurX, terms.blurY) = (Float(blur[0]), Float(blur[1]))
      terms.tone = Float(PhotometricRefinement.bendOfShift * edges.shift)
    } else {
      guard let levels = PhotometricRefinement.levels(image, start, center, lens, cells: cells) else { return nil }
      (terms.dark, terms.contrast) = (Float(levels.dark), Float(levels.light - levels.dark))
    }
    guard
      let seen = picture.fit(
        image,
        start: start,
        center: center,
        lens: lens,
        code: code,
        cells: cells,
        terms: terms,
        noise: edges == nil ? 0.15 * Double(terms.contrast) : noise,
        rounds: edges == nil ? 5 : 3
      )
    else { return nil }
    let unit = Matrix3(rows: Vector3(1, 0, -0.5), Vector3(0, 1, -0.5), Vector3(0, 0, 1))
    var found = Found(map: seen.map * unit)
    found.covariance = seen.cornerCovariance(floor: Self.unknown)
    if let edges {
      guard seen.rest < Self.believedRest * noise + 0.3 else { return nil }
      (found.shift, found.agreement) = (edges.shift, edges.agreement)
      for i in 0..<4 {
        let corner = Homography.squareCorners[i]
        guard let a = Homography(start)(corner), let b = Homography(found.map)(corner), (a - b).length < 1 else {
          return nil
        }
      }
    } else {
      guard seen.share > Self.leastShare else { return nil }
      found.agreement = (seen.share - 0.5) * 2
      found.shift = Double(seen.terms.tone) / PhotometricRefinement.bendOfShift
      blur = [Double(seen.terms.blurX), Double(seen.terms.blurY)]
    }
    return found
  }
}

extension Homography {
  /// The corners of the unit square, clockwise from its first.
  static var squareCorners: Quadrilateral {
    Quadrilateral(Vector2(0, 0), Vector2(1, 0), Vector2(1, 1), Vector2(0, 1))
  }

  /// Whether another map takes the corners of the unit square to nearly the same places.
  func isNear(_ other: Homography, _ distance: Double) -> Bool {
    for i in 0..<4 {
      let corner = Self.squareCorners[i]
      guard let a = self(corner), let b = other(corner), (a - b).length < distance else { return false }
    }
    return true
  }
}

extension CornerCovariance {
  /// From the covariance of eight unknowns and how the coordinates of the corners change with each.
  @_optimize(speed)
  init?(
    covariance entries: InlineArray<8, InlineArray<8, Double>>,
    rows: InlineArray<8, InlineArray<8, Double>>,
    floor: Double
  ) {
    var covariance = InlineArray<8, InlineArray<8, Double>>(repeating: .init(repeating: 0))
    for i in 0..<8 {
      var moved = InlineArray<8, Double>(repeating: 0)
      for a in 0..<8 {
        for b in 0..<8 { moved[a] += entries[a][b] * rows[i][b] }
      }
      for j in 0..<(i + 1) {
        for a in 0..<8 { covariance[i][j] += moved[a] * rows[j][a] }
      }
    }
    self.init(covariance: covariance, floor: floor)
  }
}
