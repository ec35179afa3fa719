import SightlineImaging
import SightlineMath

/// What becomes of a quadrilateral: its cells read, its corners fitted, or what is followed found again.
extension MarkerDetector {
  /// The marker with these outer corners; all numbers of cells are tried, the clearest counts.
  mutating func marker(in image: GrayView, corners: Quadrilateral) -> DetectedMarker? {
    var best: DetectedMarker?
    for cells in 4...7 where decoder.reads(cells: cells) {
      guard image.readCells(cells, in: corners, into: &values) else { continue }
      guard let (match, confidence) = match(), confidence > best?.confidence ?? 0 else { continue }
      var own = corners
      for i in 0..<4 { own[i] = corners[(i + match.quarterTurns) & 3] }
      best = DetectedMarker(
        dictionary: match.dictionary,
        id: match.id,
        corners: own,
        wrongCells: match.wrongCells,
        confidence: confidence
      )
    }
    return best
  }

  /// The marker that the values of cells stand for, and how clearly.
  private mutating func match() -> (MarkerMatch, Double)? {
    let cells = values.all - 2
    // First as it is seen, then with more and more blur taken out.
    let shares: InlineArray<3, Float> = [0, 0.06, 0.12]
    var known: (code: UInt64, match: MarkerMatch?)?
    for index in 0..<3 {
      values.read(sharpenedBy: shares[index], into: &reading)
      // Much of the border is light: no marker, and no sharper look makes it one.
      guard index > 0 || reading.lightBorderCells <= cells else { return nil }
      guard reading.lightBorderCells == 0 else { continue }
      if known?.code != reading.code { known = (reading.code, decoder.match(reading.code, cells: cells)) }
      guard let match = known?.match else { continue }
      let confidence = min(1, reading.clarity) - 0.05 * Double(match.wrongCells) - Double(shares[index])
      if confidence >= parameters.minimumConfidence { return (match, confidence) }
    }
    // With a part of it covered, or faint: when the cells leave little doubt.
    values.read(sharpenedBy: 0.06, into: &reading)
    guard reading.lightBorderCells <= cells / 2, reading.clarity > parameters.minimumConfidence else { return nil }
    guard let match = decoder.likelyMatch(reading, cells: cells) else { return nil }
    let confidence = min(1, reading.clarity) - 0.03 * Double(match.wrongCells)
    return confidence >= parameters.minimumConfidence ? (match, confidence) : nil
  }

  /// A marker whose cells have been read, its corners fitted to all of its edges; `nil` when these do not lie where they should.
  mutating func fitted(_ read: DetectedMarker, in image: GrayView) -> DetectedMarker? {
    var marker = read
    let code = marker.dictionary.family.code(id: marker.id)
    let cells = marker.dictionary.cells
    if let fit = pattern.fit(image, start: marker.corners, code: code, cells: cells, lens: lens) {
      marker.corners = fit.corners
      marker.covariance = fit.covariance
      marker.confidence *= fit.agreement
      if marker.dictionary.family.isWeak {
        let share = likeness.share(
          image,
          corners: fit.corners,
          code: code,
          cells: cells,
          blur: fit.blur,
          noise: noise,
          lens: lens
        )
        guard share >= TemplateCorrelation.least(deviation: fit.deviationInCells) else { return nil }
      }
    } else {
      marker.confidence *= 0.5
      // Its edges are not where they should be: then the cells alone have to leave no doubt.
      let isPlain = cells > 5 ? marker.wrongCells <= 3 : marker.wrongCells == 0
      guard marker.dictionary.family.isWeak ? marker.confidence >= 0.43 : isPlain else { return nil }
    }
    // A code of few cells is soon met by chance: its edges have to lie where they should.
    return marker.confidence >= marker.dictionary.leastConfidence ? marker : nil
  }

  /// Finds a marker again whose place is nearly known.
  ///
  /// It is measured and read as after a search, from its edges on; only the search is left out.
  ///
  /// - Parameters:
  ///   - known: the marker as it was seen last.
  ///   - corners: where it is expected.
  ///   - slack: how far the corners may be off, pixels; more than most of a cell is not bridged.
  ///   - image: the frame.
  /// - Returns: `nil` when it is not seen there, or not clearly.
  mutating func follow(
    _ known: (dictionary: MarkerDictionary, id: Int),
    at corners: Quadrilateral,
    slack: Double,
    in image: GrayView
  ) -> DetectedMarker? {
    let cells = known.dictionary.cells
    guard
      let edges = image.refinedCorners(corners, cells: cells + 2, slack: slack, &points),
      image.readCells(cells, in: edges, into: &values),
      let (match, confidence) = match(),
      // Its own corners were expected in their order: what reads as another or turned is for a search to tell.
      match.id == known.id, match.dictionary == known.dictionary, match.quarterTurns == 0
    else { return nil }
    let read = DetectedMarker(
      dictionary: match.dictionary,
      id: match.id,
      corners: edges,
      wrongCells: match.wrongCells,
      confidence: confidence
    )
    // One whose edges cannot all be fitted is perhaps half covered: a search may find other corners.
    guard let marker = fitted(read, in: image), marker.covariance != nil else { return nil }
    return marker
  }
}
