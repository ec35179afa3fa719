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

  /// How much is done for one frame.
  struct Effort {
    /// Most targets whose matches are looked at for agreement about a place.
    var shortlist = 12
    /// Most guesses that are aligned.
    var attempts = 8
    /// How many of the likeliest targets are matched once more, feature by feature, when nothing was found.
    var thorough = 3
    /// Which of the likeliest come first then; frames after one another give them all a turn.
    var turn = 0
  }

  private let models: [TargetModel]
  private let index: DescriptorIndex
  private let extractor: FeatureExtractor
  private(set) var features = FeatureSet()
  private var places = Memory<FeaturePlace>(count: 1024, filledWith: .zero)
  private var finder = HypothesisFinder()
  private var neighbours: [DescriptorIndex.Neighbour] = []
  private var best: [Float]
  private let votes = PoseVotes()
  private var ballots: [(Int, Int)] = []
  private var matches: [[Match]]
  private var guesses: [Hypothesis] = []
  private var opened: [Int] = []
  let aligner: Aligner

  /// Up to so many targets the distance of the last neighbour tells what chance gives; of more, many may share pictures.
  private static let fewTargets = 24
  /// Most references that are kept at hand of targets that are not followed.
  private static let openLimit = 24
  private var plain = PlainMatcher()
  private var plainMatches: [Match] = []

  init(models: [TargetModel], aligner: Aligner) {
    self.models = models
    self.aligner = aligner
    index = DescriptorIndex(
      models.map { $0.target },
      limit: models.count <= Self.fewTargets ? 4000 : 350,
      isLarge: models.count > Self.fewTargets
    )
    var parameters = FeatureExtractor.Parameters()
    parameters.limit = 600
    parameters.threshold = 14
    extractor = FeatureExtractor(parameters: parameters)
    best = [Float](repeating: 0, count: models.count)
    matches = [[Match]](repeating: [], count: models.count)
  }

  /// Looks for targets in a frame.
  ///
  /// - Parameters:
  ///   - frame: grey levels.
  ///   - frames: the same with its halves.
  ///   - isWanted: which targets are looked for.
  ///   - effort: how much is done.
  ///   - detections: is filled with what is found.
  func detect(
    _ frame: GrayView,
    _ frames: FramePyramid,
    isWanted: [Bool],
    effort: Effort,
    into detections: inout [Detection]
  ) {
    detections.removeAll(keepingCapacity: true)
    extractor.extract(frame, into: &features)
    if places.count < features.count { places = Memory(count: features.count * 2, filledWith: .zero) }
    for (i, f) in features.features.enumerated() { places.base[i] = FeaturePlace(f.x, f.y, f.scale, f.angle) }
    vote(isWanted)
    poll()
    var order = models.indices.filter { matches[$0].count >= 3 }
    order.sort { (best[$0], $1) > (best[$1], $0) }
    var candidates: [(target: Int, guess: Hypothesis)] = []
    for target in order.prefix(effort.shortlist) {
      find(matches[target], target)
      for guess in guesses { candidates.append((target, guess)) }
    }
    candidates.sort { ($0.guess.weight, $1.target) > ($1.guess.weight, $0.target) }
    verify(candidates, frames, effort.attempts, &detections)
    guard detections.isEmpty, effort.thorough > 0 else { return }
    let likeliest = models.indices.filter { isWanted[$0] }.sorted { (best[$0], $1) > (best[$1], $0) }.prefix(8)
    for k in 0..<min(effort.thorough, likeliest.count) {
      let target = likeliest[(effort.turn * effort.thorough + k) % likeliest.count]
      plain.match(features, with: models[target].target.features(), into: &plainMatches)
      plainMatches.removeAll { $0.target >= index.places(of: target).count }
      find(plainMatches, target)
      verify(guesses.map { (target, $0) }, frames, effort.attempts, &detections)
    }
  }

  private func find(_ matches: [Match], _ target: Int) {
    let (known, count) = index.places(of: target)
    finder.find(
      matches,
      frame: places.base,
      frameCount: features.count,
      target: known,
      targetCount: count,
      extent: models[target].extent,
      limit: 3,
      into: &guesses
    )
  }

  /// Aligns guesses and keeps those the frame agrees with.
  private func verify(
    _ candidates: [(target: Int, guess: Hypothesis)],
    _ frames: FramePyramid,
    _ limit: Int,
    _ detections: inout [Detection]
  ) {
    var attempts = 0
    for (target, guess) in candidates {
      guard attempts < limit else { break }
      if let known = detections.firstIndex(where: { $0.target == target }), detections[known].alignment.agreement > 0.85
      {
        continue
      }
      attempts += 1
      if !models[target].isOpen { open(target) }
      guard let found = lockOn(models[target], frames, guess) else { continue }
      keep(Detection(target: target, alignment: found), &detections)
    }
  }

  /// Keeps no more references at hand than the limit; one that is followed is made again if need be.
  private func open(_ target: Int) {
    if opened.count >= Self.openLimit { models[opened.removeFirst()].shed() }
    opened.append(target)
  }

  /// Gathers the matches of each target.
  private func vote(_ isWanted: [Bool]) {
    for i in models.indices {
      best[i] = 0
      matches[i].removeAll(keepingCapacity: true)
    }
    features.descriptors.withUnsafeBufferPointer { descriptors in
      isWanted.withUnsafeBufferPointer { isWanted in
        guard let base = descriptors.baseAddress, let isWanted = isWanted.baseAddress else { return }
        for i in 0..<features.count {
          index.neighbours(
            of: base + i * Feature.descriptorLength,
            isLight: features.features[i].response > 0,
            isWanted: isWanted,
            into: &neighbours
          )
          if !neighbours.isEmpty { take(neighbours, of: i) }
        }
      }
    }
  }

  private func take(_ neighbours: [DescriptorIndex.Neighbour], of i: Int) {
    let unit = FeatureSet.unit * FeatureSet.unit
    // How far away the last of them is tells what chance alone would give.
    // Never nearer than that, or a picture that repeats itself would have no matches at all.
    // Of many targets many may show the same picture: there it tells nothing.
    var reference: Float = 0.6
    if models.count <= Self.fewTargets {
      let last = neighbours.count == index.kept ? Float(neighbours[index.kept - 1].score) / unit : 0.79
      reference = max(0.5, max(0, 2 - 2 * last).squareRoot())
    }
    for (rank, neighbour) in neighbours.enumerated() {
      // More than two places of one target for one spot only cost time.
      if neighbours[..<rank].count(where: { $0.owner == neighbour.owner }) >= 2 { continue }
      let distance = max(1e-4, 2 - 2 * Float(neighbour.score) / unit).squareRoot()
      let weight = 1.05 - distance / reference
      guard weight > 0.08 else { continue }
      // What would be too small to be told, or a hundred times the frame, is chance.
      let known = index.places(of: neighbour.owner).0[neighbour.feature]
      let size = models[neighbour.owner].longSide * places.base[i].size / known.size
      guard size > 48, size < 4000 else { continue }
      matches[neighbour.owner].append(Match(frame: i, target: neighbour.feature, weight: weight))
    }
  }

  /// Lets the matches of each target vote for where it is; they remember what company they are in.
  private func poll() {
    for target in models.indices where matches[target].count >= 3 {
      let (known, _) = index.places(of: target)
      votes.clear()
      ballots.removeAll(keepingCapacity: true)
      let (center, size) = (models[target].extent * 0.5, models[target].longSide)
      for match in matches[target] {
        let place = votes.places(
          owner: target,
          places.base[match.frame],
          known[match.target],
          center: center,
          size: size
        )
        votes.add(place.0, match.weight)
        votes.add(place.1, match.weight)
        ballots.append(place)
      }
      for i in matches[target].indices {
        let company = max(votes.sum(ballots[i].0), votes.sum(ballots[i].1))
        matches[target][i].company = company
        best[target] = max(best[target], company)
      }
    }
  }

  /// Adds a detection; of two in the same place only the one that agrees better stays, of one target only the better.
  ///
  /// Places are the same when a third of the smaller one lies inside the other: posters share pictures, and what is shown
  /// agrees with all of the right one and with a part of the other.
  private func keep(_ detection: Detection, _ detections: inout [Detection]) {
    let isBeaten = detections.contains {
      isRival($0, detection) && $0.alignment.agreement >= detection.alignment.agreement
    }
    guard !isBeaten else { return }
    detections.removeAll { isRival($0, detection) }
    detections.append(detection)
  }

  private func isRival(_ a: Detection, _ b: Detection) -> Bool {
    if a.target == b.target { return true }
    return share(of: a, in: b) > 0.33 || share(of: b, in: a) > 0.33
  }

  /// How much of one detection lies inside another, 0 … 1.
  private func share(of a: Detection, in b: Detection) -> Double {
    let (from, into) = (models[a.target].extent, models[b.target].extent)
    guard let back = b.alignment.frameFromReference.inverse else { return 0 }
    let map = back * a.alignment.frameFromReference
    var inside = 0
    for i in 0..<64 {
      let p = Vector2(Double(from.x) * (Double(i & 7) + 0.5) / 8, Double(from.y) * (Double(i >> 3) + 0.5) / 8)
      guard let q = map(p) else { continue }
      if q.x > 0, q.y > 0, q.x < Double(into.x), q.y < Double(into.y) { inside += 1 }
    }
    return Double(inside) / 64
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
    guard let found, isConvincing(found, reference) else { return nil }
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

  private func isConvincing(_ found: Alignment, _ reference: ReferencePyramid) -> Bool {
    guard let corners = found.frameFromReference.corners(width: reference.width, height: reference.height),
      isPlausible(corners)
    else { return false }
    // What agrees in part may be covered, or another picture with the same part: many features speak for the first. The more
    // targets there are, the likelier is the second.
    if models.count > 1 && found.agreement < 0.76 && found.support < 14 { return false }
    return found.agreement > 0.6 && found.agreeing >= 8 && found.spread >= 0.25
  }
}
