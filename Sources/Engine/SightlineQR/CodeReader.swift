import SightlineCamera
import SightlineImaging
import SightlineMath

/// A code that was read, and where its modules lie.
struct ReadCode {
  var decoded: QRDecoded
  var isMirrored: Bool
  var grid: SamplingGrid
}

/// A code that was found and could not be read yet.
struct PendingCode {
  var layout: QRLayout
  var grid: SamplingGrid
  var anchors: [GridAnchor]
  var contrast: Float
  /// Share of its patterns' modules that are as they should be.
  var agreement: Double
}

/// Reads the code that three finder patterns belong to, if they belong to one.
struct CodeReader {
  /// Edges of the 180 of three finder patterns that a grid has to meet: of 757 made codes that were read all met 94 at least, all
  /// but two, which are bent, 160; three patterns that do not belong together meet some 70.
  private static let leastEdges = 80
  /// Share of the function patterns' modules from which on something may be a code, and from which on other modules than those
  /// that were read first may be right, too: of the same codes all had 0.78 at least, all but two 0.96.
  private static let (leastAgreement, clearAgreement) = (0.75, 0.85)

  private let sampler: GraySampler
  private let width: Int
  private let height: Int
  private var classifier = ModuleClassifier(size: 21)
  private var classifierSize = 21

  init(_ image: GrayView) {
    sampler = GraySampler(image)
    width = image.width
    height = image.height
  }

  /// What came of three finder patterns.
  enum Attempt {
    /// They belong to no code.
    case none
    /// They may belong to one, but it cannot be read as it lies.
    case unread(PendingCode)
    case read(ReadCode)
  }

  /// Reads a code that lies flat.
  mutating func read(_ topLeft: FinderPattern, _ topRight: FinderPattern, _ bottomLeft: FinderPattern) -> Attempt {
    let contrast = Float(min(topLeft.contrast, min(topRight.contrast, bottomLeft.contrast)))
    guard let start = startingGrid(topLeft, topRight, bottomLeft, contrast) else { return .none }
    var grid = start.grid
    var anchors: [GridAnchor] = []
    var levels = placed(&grid, start.edges, contrast, &anchors)
    var reading = classify(levels, sharpening: 0)
    if grid.size >= 45, let known = versionInformation(reading), known.size != grid.size {
      grid = resized(grid, to: known.size)
      levels = placed(&grid, finderEdges(grid, contrast), contrast, &anchors)
      reading = classify(levels, sharpening: 0)
    }
    guard let version = QRVersion(size: grid.size) else { return .none }
    let layout = QRLayout(version)
    let agreement = reading.agreement(layout)
    guard agreement >= Self.leastAgreement else { return .none }
    if let code = decode(reading, layout, grid) { return .read(code) }
    if agreement >= Self.clearAgreement {
      let sharper = classify(levels, sharpening: 0.15)
      if let code = decode(sharper, layout, grid) { return .read(code) }
    }
    return .unread(
      PendingCode(layout: layout, grid: grid, anchors: anchors, contrast: contrast, agreement: agreement)
    )
  }

  /// Fits a grid to alignment patterns and gives the modules' grey levels; `edges` are those of the finder patterns.
  private mutating func placed(
    _ grid: inout SamplingGrid,
    _ edges: [EdgeMeasure],
    _ contrast: Float,
    _ anchors: inout [GridAnchor]
  ) -> [Float] {
    anchors.removeAll()
    if let aligned = aligned(grid, edges, contrast, &anchors) { grid = aligned }
    if anchors.count > 1,
      let bent = grid.bent(
        to: finderEdges(grid, contrast) + timingEdges(grid, contrast),
        anchors: anchors,
        isCubic: true
      )
    {
      grid = bent
    }
    return grid.levels(sampler)
  }

  /// Reads a code that is bent, or blurred: what is read so far shows where the modules are, and the grid is bent to the
  /// edges between them, from the finder patterns on.
  mutating func read(_ pending: PendingCode) -> ReadCode? {
    var grid = pending.grid
    let layout = pending.layout
    var levels = grid.levels(sampler)
    var reading = classify(levels, sharpening: 0)
    for (round, reach) in [9, 13, 18, 30, grid.size, grid.size].enumerated() {
      if round < 3 && reach >= grid.size { continue }
      let edges = grid.contentEdges(sampler, reading, reach: reach, limit: 1500, contrast: pending.contrast)
      guard edges.count >= 30, let bent = grid.bent(to: edges, anchors: pending.anchors, isCubic: round >= 1) else {
        break
      }
      grid = bent
      levels = grid.levels(sampler)
      reading = classify(levels, sharpening: 0)
    }
    guard reading.agreement(layout) >= Self.leastAgreement else { return nil }
    if let code = decode(reading, layout, grid) { return code }
    for sharpening: Float in [0.1, 0.25] {
      if let code = decode(classify(levels, sharpening: sharpening), layout, grid) { return code }
    }
    return nil
  }

  private mutating func classify(_ levels: [Float], sharpening: Float) -> QRReading {
    let size = QRVersion(size: classifierSize).map { $0.size } ?? 21
    let needed = Int(Double(levels.count).squareRoot() + 0.5)
    if size != needed {
      classifier = ModuleClassifier(size: needed)
      classifierSize = needed
    }
    return classifier.reading(levels, sharpening: sharpening)
  }

  private func decode(_ reading: QRReading, _ layout: QRLayout, _ grid: SamplingGrid) -> ReadCode? {
    let mirrored = reading.transposed
    let (fit, mirroredFit) = (reading.formatFit, mirrored.formatFit)
    // What fits much worse than the other way around is no format information.
    let least = 0.6 * max(fit, mirroredFit)
    if fit >= least, let decoded = reading.decoded(layout, leastFit: least) {
      return ReadCode(decoded: decoded, isMirrored: false, grid: grid)
    }
    guard mirroredFit >= least, let decoded = mirrored.decoded(layout, leastFit: least) else { return nil }
    return ReadCode(decoded: decoded, isMirrored: true, grid: grid)
  }

  // MARK: Placing the grid

  /// The grid by the finder patterns alone, of the size whose timing patterns fit best, and the edges that it was fitted to.
  private func startingGrid(
    _ topLeft: FinderPattern,
    _ topRight: FinderPattern,
    _ bottomLeft: FinderPattern,
    _ contrast: Float
  ) -> (grid: SamplingGrid, edges: [EdgeMeasure])? {
    guard let across = distance(topLeft, topRight), let down = distance(topLeft, bottomLeft) else { return nil }
    guard across < 1.7 * down, down < 1.7 * across else { return nil }
    let estimate = (across + down) / 2 + 7
    let nearest = (Int(estimate) - 17 + 2) / 4 * 4 + 17
    var best: (grid: SamplingGrid, edges: [EdgeMeasure])?
    var highest = 0.64
    var sizes = [nearest, nearest - 4, nearest + 4]
    if estimate > 50 { sizes += [nearest - 8, nearest + 8] }
    sizes: for size in sizes where size >= 21 && size <= 177 {
      guard
        var grid = SamplingGrid(
          size: size,
          topLeft: topLeft,
          topRight: topRight,
          bottomLeft: bottomLeft,
          trust: topLeft.module < 3 ? 0.5 : 1
        ), grid.isPlausible(width: width, height: height)
      else { continue }
      // The dear fit only for what already alternates between the patterns: of codes that were read in made pictures all
      // had 0.74 at least, nearly all 1; three patterns that do not belong together have 0.5.
      guard timingScore(grid) > 0.6 else { continue }
      var edges: [EdgeMeasure] = []
      for _ in 0..<2 {
        edges = finderEdges(grid, contrast)
        guard edges.count >= Self.leastEdges else { continue sizes }
        guard let fitted = grid.fitted(to: edges),
          fitted.isPlausible(width: width, height: height)
        else { break }
        grid = fitted
      }
      // A size that is off the estimate has to be better, not only as good.
      let score = timingScore(grid) - (size == nearest ? 0 : 0.04)
      if score > highest {
        highest = score
        best = (grid, edges)
      }
      if score > 0.9 { break }
    }
    return best
  }

  /// The same corner patterns with another number of modules between them.
  private func resized(_ grid: SamplingGrid, to size: Int) -> SamplingGrid {
    // Module coordinates of the centres: 3.5 and size − 3.5.
    let factor = Double(grid.size - 7) / Double(size - 7)
    let offset = 3.5 - 3.5 * factor
    let change = Matrix3(rows: Vector3(factor, 0, offset), Vector3(0, factor, offset), Vector3(0, 0, 1))
    var result = SamplingGrid(size: size, homography: .init(grid.homography.matrix * change))
    for _ in 0..<2 { if let fitted = result.fitted(to: finderEdges(result, 20)) { result = fitted } }
    return result
  }

  /// Modules between the centres of two finder patterns, by their sizes along the line between them.
  private func distance(_ a: FinderPattern, _ b: FinderPattern) -> Double? {
    let line = b.center - a.center
    let length = line.length
    guard length > 0 else { return nil }
    let (dx, dy) = (Float(line.x / length), Float(line.y / length))
    var (sum, count) = (0.0, 0.0)
    for pattern in [a, b] {
      let dark = sampler(Float(pattern.center.x), Float(pattern.center.y))
      for sign: Float in [1, -1] {
        let reach = Float(pattern.module) * 4.5
        guard
          let ring = sampler.ringCrossing(
            pattern.center,
            sign * dx,
            sign * dy,
            dark: dark,
            contrast: Float(pattern.contrast),
            reach: reach
          )
        else { continue }
        sum += Double(ring.middle) / 2
        count += 1
      }
    }
    return count > 0 ? length * count / sum : nil
  }

  private func finderEdges(_ grid: SamplingGrid, _ contrast: Float) -> [EdgeMeasure] {
    var edges: [EdgeMeasure] = []
    edges.reserveCapacity(256)
    let far = Double(grid.size) - 3.5
    for center in [(3.5, 3.5), (far, 3.5), (3.5, far)] {
      grid.ringEdges(
        sampler,
        center: center,
        rings: 3,
        firstRing: 1.5,
        reach: 0.75,
        contrast: contrast,
        weight: 1,
        into: &edges
      )
    }
    return edges
  }

  /// Edges of the timing patterns.
  private func timingEdges(_ grid: SamplingGrid, _ contrast: Float) -> [EdgeMeasure] {
    var edges: [EdgeMeasure] = []
    for place in 8..<(grid.size - 7) {
      let sign = place % 2 == 0 ? -1.0 : 1.0
      if let edge = grid.edge(sampler, Double(place), 6.5, sign, 0, reach: 0.75, contrast: contrast) {
        edges.append(edge)
      }
      if let edge = grid.edge(sampler, 6.5, Double(place), 0, sign, reach: 0.75, contrast: contrast) {
        edges.append(edge)
      }
    }
    return edges
  }

  /// Share of the timing patterns' modules that differ from their neighbours as they should.
  private func timingScore(_ grid: SamplingGrid) -> Double {
    var (right, all) = (0.0, 0.0)
    for isRow in [true, false] {
      var last: Float = 0
      var before: Float = 0
      for place in 7..<(grid.size - 7) {
        let u = isRow ? Double(place) + 0.5 : 6.5
        let v = isRow ? 6.5 : Double(place) + 0.5
        let p = grid.point(u, v)
        let level = sampler(Float(p.x), Float(p.y))
        if place >= 9 {
          // The module before this one, against both its neighbours.
          let difference = last - (before + level) / 2
          all += 1
          if (difference > 0) == (place % 2 == 0) && difference != 0 { right += 1 }
        }
        before = last
        last = level
      }
    }
    return all > 0 ? right / all : 0
  }

  /// The grid that also fits the alignment patterns; all that were found are noted.
  private func aligned(
    _ grid: SamplingGrid,
    _ finderEdges: [EdgeMeasure],
    _ contrast: Float,
    _ anchors: inout [GridAnchor]
  ) -> SamplingGrid? {
    guard let version = QRVersion(size: grid.size), version.number >= 2 else { return nil }
    let last = Double(grid.size) - 6.5
    let reach = max(3, min(8, grid.size / 10))
    guard let corner = grid.alignmentPattern(sampler, u: last, v: last, reach: reach, contrast: contrast) else {
      return nil
    }
    var edges = finderEdges + timingEdges(grid, contrast)
    let moved = grid.moved(by: corner - grid.point(last, last))
    moved.ringEdges(
      sampler,
      center: (last, last),
      rings: 3,
      firstRing: 0.5,
      reach: 0.75,
      contrast: contrast,
      weight: 4,
      into: &edges
    )
    guard let fitted = grid.fitted(to: edges), fitted.isPlausible(width: width, height: height) else { return nil }
    anchors.append(GridAnchor(u: last, v: last, found: corner))
    guard version.number >= 7 else { return fitted }
    findAnchors(fitted, version, contrast, &anchors)
    return fitted
  }

  /// Looks for all alignment patterns, each where the nearest one found before lets expect it.
  private func findAnchors(
    _ grid: SamplingGrid,
    _ version: QRVersion,
    _ contrast: Float,
    _ anchors: inout [GridAnchor]
  ) {
    let centers = version.alignmentCenters
    let far = version.size - 7
    var shifts: [(u: Double, v: Double, shift: Vector2)] = []
    for cy in centers {
      for cx in centers {
        let (u, v) = (Double(cx) + 0.5, Double(cy) + 0.5)
        if (cx == 6 && cy == 6) || (cx == 6 && cy == far) || (cx == far && cy == 6) { continue }
        if cx == far && cy == far { continue }
        var shift = Vector2.zero
        var nearest = Double.infinity
        for known in shifts {
          let distance = (known.u - u) * (known.u - u) + (known.v - v) * (known.v - v)
          if distance < nearest {
            nearest = distance
            shift = known.shift
          }
        }
        let moved = grid.moved(by: shift)
        guard let found = moved.alignmentPattern(sampler, u: u, v: v, reach: 2, contrast: contrast) else { continue }
        shifts.append((u, v, found - grid.point(u, v)))
        anchors.append(GridAnchor(u: u, v: v, found: found))
      }
    }
  }

  /// The version that the two copies of its information name; `nil` when neither is near enough to any.
  private func versionInformation(_ reading: QRReading) -> QRVersion? {
    var best: QRVersion?
    var highest: Float = 0
    for number in 7...40 {
      let value = QRInformation.version(number)
      var fit: Float = 0
      for bit in 0..<18 {
        let (x, y) = QRLayout.versionModule(bit, size: reading.size)
        for at in [y * reading.size + x, x * reading.size + y] {
          let darkness = max(-1, min(1, reading.darkness[at]))
          fit += value >> bit & 1 == 1 ? darkness : -darkness
        }
      }
      if fit > highest {
        highest = fit
        best = QRVersion(number)
      }
    }
    // Of 36 modules 30 at least have to be right.
    return highest > 18 ? best : nil
  }
}
