import SightlineCamera
import SightlineImaging
import SightlineMath

/// Finds targets in a frame without knowing anything of the frames before.
///
/// Features give guesses; each guess is aligned densely from coarse to fine, and only what then agrees with the frame over
/// enough of the target is a detection.
final class TargetDetector {
  /// A target that was found.
  struct Detection {
    var target: Int
    var alignment: Alignment
  }

  private let models: [TargetModel]
  private let index: DescriptorIndex
  private let extractor = FeatureExtractor()
  private(set) var features = FeatureSet()
  private var finder = HypothesisFinder()
  private var neighbours: [DescriptorIndex.Neighbour] = []
  private var best: [Float]
  private let votes = PoseVotes()
  private var places: [(Int, Int)] = []
  private var matches: [[Match]]
  private var guesses: [Hypothesis] = []
  let aligner: Aligner

  /// Most targets whose matches are looked at for agreement about a place.
  private static let shortlist = 12
  /// Most guesses that are aligned in one frame.
  private static let attempts = 8
  private var plain = PlainMatcher()
  private var plainMatches: [Match] = []

  init(models: [TargetModel], aligner: Aligner) {
    self.models = models
    self.aligner = aligner
    index = DescriptorIndex(models.map { $0.target }, limit: models.count <= 50 ? 4000 : 350)
    best = [Float](repeating: 0, count: models.count)
    matches = [[Match]](repeating: [], count: models.count)
  }

  /// Looks for targets in a frame.
  ///
  /// - Parameters:
  ///   - frame: grey levels.
  ///   - frames: the same with its halves.
  ///   - isWanted: which targets are looked for.
  ///   - thorough: how many of the likeliest targets are matched once more, feature by feature, when nothing was found.
  ///   - turn: which of the likeliest come first then; frames after one another give them all a turn.
  ///   - detections: is filled with what is found.
  func detect(
    _ frame: GrayView,
    _ frames: FramePyramid,
    isWanted: [Bool],
    thorough: Int,
    turn: Int = 0,
    into detections: inout [Detection]
  ) {
    detections.removeAll(keepingCapacity: true)
    extractor.extract(frame, into: &features)
    vote(isWanted)
    poll()
    var order = models.indices.filter { matches[$0].count >= 3 }
    order.sort { (best[$0], $1) > (best[$1], $0) }
    var candidates: [(target: Int, guess: Hypothesis)] = []
    for target in order.prefix(Self.shortlist) {
      finder.find(matches[target], frame: features.features, target: models[target].features, limit: 3, into: &guesses)
      for guess in guesses { candidates.append((target, guess)) }
    }
    candidates.sort { ($0.guess.weight, $1.target) > ($1.guess.weight, $0.target) }
    verify(candidates, frames, &detections)
    guard detections.isEmpty, thorough > 0 else { return }
    let likeliest = models.indices.filter { isWanted[$0] }.sorted { (best[$0], $1) > (best[$1], $0) }.prefix(8)
    for k in 0..<min(thorough, likeliest.count) {
      let target = likeliest[(turn * thorough + k) % likeliest.count]
      plain.match(features, with: models[target].featureSet, into: &plainMatches)
      finder.find(plainMatches, frame: features.features, target: models[target].features, limit: 3, into: &guesses)
      verify(guesses.map { (target, $0) }, frames, &detections)
    }
  }

  /// Aligns guesses and keeps those the frame agrees with.
  private func verify(
    _ candidates: [(target: Int, guess: Hypothesis)],
    _ frames: FramePyramid,
    _ detections: inout [Detection]
  ) {
    var attempts = 0
    for (target, guess) in candidates {
      guard attempts < Self.attempts else { break }
      if let known = detections.firstIndex(where: { $0.target == target }), detections[known].alignment.agreement > 0.85
      {
        continue
      }
      attempts += 1
      guard let found = lockOn(models[target], frames, guess) else { continue }
      keep(Detection(target: target, alignment: found), &detections)
    }
  }

  /// Gathers the matches of each target.
  private func vote(_ isWanted: [Bool]) {
    for i in models.indices {
      best[i] = 0
      matches[i].removeAll(keepingCapacity: true)
    }
    let unit = FeatureSet.unit * FeatureSet.unit
    features.descriptors.withUnsafeBufferPointer { descriptors in
      guard let base = descriptors.baseAddress else { return }
      for i in 0..<features.count {
        index.neighbours(
          of: base + i * Feature.descriptorLength,
          isLight: features.features[i].response > 0,
          isWanted: isWanted,
          into: &neighbours
        )
        guard !neighbours.isEmpty else { continue }
        // How far away the last of them is tells what chance alone would give.
        // Never nearer than that, or a picture that repeats itself would have no matches at all.
        let last =
          neighbours.count == DescriptorIndex.kept ? Float(neighbours[DescriptorIndex.kept - 1].score) / unit : 0.79
        let reference = max(0.5, max(0, 2 - 2 * last).squareRoot())
        for (rank, neighbour) in neighbours.enumerated() {
          // More than two places of one target for one spot only cost time.
          if neighbours[..<rank].count(where: { $0.owner == neighbour.owner }) >= 2 { continue }
          let distance = max(1e-4, 2 - 2 * Float(neighbour.score) / unit).squareRoot()
          let weight = 1.05 - distance / reference
          guard weight > 0.08 else { continue }
          // What would be too small to be told, or a hundred times the frame, is chance.
          let model = models[neighbour.owner]
          let size = model.longSide * features.features[i].scale / model.features[neighbour.feature].scale
          guard size > 48, size < 4000 else { continue }
          matches[neighbour.owner].append(Match(frame: i, target: neighbour.feature, weight: weight))
        }
      }
    }
  }

  /// Lets the matches of each target vote for where it is; they remember what company they are in.
  private func poll() {
    for target in models.indices where matches[target].count >= 3 {
      let model = models[target]
      votes.clear()
      places.removeAll(keepingCapacity: true)
      let center = SIMD2<Float>(Float(model.target.referenceWidth), Float(model.target.referenceHeight)) * 0.5
      let size = Float(max(model.target.referenceWidth, model.target.referenceHeight))
      for match in matches[target] {
        let place = votes.places(
          owner: target,
          features.features[match.frame],
          model.features[match.target],
          center: center,
          size: size
        )
        votes.add(place.0, match.weight)
        votes.add(place.1, match.weight)
        places.append(place)
      }
      for i in matches[target].indices {
        let company = max(votes.sum(places[i].0), votes.sum(places[i].1))
        matches[target][i].company = company
        best[target] = max(best[target], company)
      }
    }
  }

  /// Adds a detection; of two in the same place only the one that agrees better stays, of one target only the better.
  private func keep(_ detection: Detection, _ detections: inout [Detection]) {
    func middle(_ d: Detection) -> (Vector2, Double) {
      let model = models[d.target].pyramid
      guard let q = d.alignment.frameFromReference.corners(width: model.width, height: model.height) else {
        return (.zero, 0)
      }
      return ((q[0] + q[1] + q[2] + q[3]) * 0.25, (doubleArea(q) / 2).squareRoot())
    }
    let (center, size) = middle(detection)
    for i in detections.indices {
      let (other, otherSize) = middle(detections[i])
      guard detections[i].target == detection.target || (center - other).length < 0.35 * max(size, otherSize) else {
        continue
      }
      if detection.alignment.agreement > detections[i].alignment.agreement { detections[i] = detection }
      return
    }
    detections.append(detection)
  }

  /// Aligns a guess from coarse to fine; `nil` when the frame does not agree.
  func lockOn(_ model: TargetModel, _ frames: FramePyramid, _ guess: Hypothesis) -> Alignment? {
    let reference = model.pyramid
    guard let corners = guess.frameFromReference.corners(width: reference.width, height: reference.height),
      isPlausible(corners)
    else { return nil }
    let size = (doubleArea(corners) / 2).squareRoot()
    let finest = Self.finestLevel(size, reference, frames)
    var level = finest
    while level + 1 < frames.levels.count && size / Double(2 << level) > 36 && level < finest + 2 { level += 1 }
    var map = guess.frameFromReference
    var found: Alignment?
    while level >= finest {
      let isLast = level == finest
      guard
        let step = aligner.align(
          reference,
          frames,
          from: map,
          level: level,
          count: isLast ? 100 : 60,
          steps: isLast ? 6 : 8,
          stiffness: 0.25
        )
      else { return nil }
      guard step.correlation > 0.15 else { return nil }
      map = step.frameFromReference
      found = step
      level -= 1
    }
    guard let first = found, first.correlation > 0.3 else { return nil }
    var smear: Smear?
    if first.correlation < 0.85 {
      smear = way(reference, frames, map, level: min(finest + 1, frames.levels.count - 1), size: size)
    }
    // Rendered anew where it has come to: the judgement is about this place.
    for _ in 0..<(smear == nil ? 1 : 2) {
      if let again = aligner.align(
        reference,
        frames,
        from: map,
        level: finest,
        count: 160,
        steps: 5,
        stiffness: 0.25,
        smear: smear
      ) {
        found = again
        map = again.frameFromReference
      }
    }
    found?.support = guess.support
    if let smear { found?.way = smear.at(.zero) }
    guard let found, Self.isConvincing(found, reference) else { return nil }
    return found
  }

  /// Along which way the frame is smeared, when that explains it better than a steady camera does.
  private func way(
    _ reference: ReferencePyramid,
    _ frames: FramePyramid,
    _ map: Homography,
    level: Int,
    size: Double
  ) -> Smear? {
    func smear(_ way: Vector2) -> Smear {
      let before = Homography(Matrix3(rows: Vector3(1, 0, -way.x), Vector3(0, 1, -way.y), Vector3(0, 0, 1)))
      return Smear(before: before, shutter: 1)
    }
    func score(_ way: Vector2?) -> Double {
      aligner.align(
        reference,
        frames,
        from: map,
        level: level,
        count: 36,
        steps: 4,
        stiffness: 0.1,
        smear: way.map(smear)
      )?.correlation ?? -1
    }
    let steady = score(nil)
    var best: (way: Vector2, score: Double) = (.zero, steady)
    for length in [7.0, 16] where length < size / 3 {
      for k in 0..<4 {
        let angle = Double(k) * pi / 4
        let way = Vector2(cos(angle), sin(angle)) * length
        let value = score(way)
        if value > best.score { best = (way, value) }
      }
    }
    guard best.score > steady + 0.03 else { return nil }
    for (turn, scale) in [(0.35, 1.0), (-0.35, 1), (0, 1.4), (0, 0.7)] {
      let way = best.way.rotated(cosine: cos(turn), sine: sin(turn)) * scale
      let value = score(way)
      if value > best.score { best = (way, value) }
    }
    return smear(best.way)
  }

  /// The level whose pixels are no finer than the reference's.
  static func finestLevel(_ size: Double, _ reference: ReferencePyramid, _ frames: FramePyramid) -> Int {
    let own = (reference.width * reference.height).squareRoot()
    var level = 0
    while level + 1 < frames.levels.count && size / Double(1 << level) > 1.7 * own { level += 1 }
    return level
  }

  private static func isConvincing(_ found: Alignment, _ reference: ReferencePyramid) -> Bool {
    guard let corners = found.frameFromReference.corners(width: reference.width, height: reference.height),
      isPlausible(corners)
    else { return false }
    return found.agreement > 0.6 && found.agreeing >= 8 && found.spread >= 0.25
  }
}
