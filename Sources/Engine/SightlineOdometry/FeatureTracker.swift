import SightlineImaging
import SightlineMath

/// A point of the scene that is followed from frame to frame.
struct Track {
  /// Number that no other track ever has; 0 for a free place in the table.
  var identifier: UInt32 = 0
  /// Where it is now, pixels.
  var (x, y): (Float, Float) = (0, 0)
  /// Frames it has been followed.
  var age = 0
  /// Which landmark of the filter it is, or −1.
  var landmark = -1
  /// Bit *s* is set when it was seen in the clone that has slot *s*.
  var seen: UInt32 = 0
  /// Whether it was found in the last frame.
  var isFollowed = false

  /// In how many of some clones it was seen, given by a bit for each slot.
  func observationCount(in slots: UInt32) -> Int { (seen & slots).nonzeroBitCount }
}

/// Follows corners from frame to frame and finds new ones where there are too few.
final class FeatureTracker {
  /// Most tracks.
  static let capacity = 160
  /// Places for observations of a track: one for each clone of the filter.
  static let slotCount = 32
  /// Nearest two tracks may come, pixels.
  private static let leastDistance: Float = 14
  /// Correlation below which a patch is no longer the same.
  private static let leastCorrelation: Float = 0.7
  /// How far a new track may miss its start on the way back, pixels.
  private static let mostBackward: Float = 0.7
  /// Correlation with the first view below which a new one is taken.
  private static let leastReferenceCorrelation: Float = 0.8
  /// How far the first view may move a track from where the frame before has it, pixels.
  private static let mostRefinement: Float = 2
  /// Tracks whose way tells where one that was not found may be.
  private static let neighbours = 5
  /// Ways that agree: by pixels, and how many have to.
  private static let agreement: Float = 4
  private static let fewestAgreeing = 8
  /// From a track to the border of the picture at least, pixels.
  private static let border: Float = 7

  /// A track that was found: where it was in the frame before, and how far from where it was expected it is now, pixels.
  private struct Found {
    var from: SIMD2<Float>
    var miss: SIMD2<Float>
  }

  /// Tracks that are wanted; new corners are looked for below nine tenths of it.
  var wanted = 130

  private(set) var tracks = [Track](repeating: Track(), count: FeatureTracker.capacity)
  private let observations = FixedBuffer<SIMD2<Float>>(count: capacity * slotCount, filledWith: .zero)
  private var previous = LevelPyramid()
  private var current = LevelPyramid()
  private var hasPrevious = false
  /// Tracks that were not found in this frame, and where they were looked for.
  private var lost: [(index: Int, start: SIMD2<Float>)] = []
  private var found: [Found] = []
  /// How far most tracks of the frame before were from where turns alone let them be expected, pixels.
  private var usualMiss = SIMD2<Float>.zero
  private var finder = CornerFinder()
  private var corners: [CornerFinder.Corner] = []
  private var occupied: [Bool] = []
  private var nextIdentifier: UInt32 = 1
  private let references = ReferencePatches(count: capacity)
  private var pose = CameraPose(worldFromCamera: .identity, position: .zero)

  init() {}

  /// Tracks that were found in the last frame.
  var followedCount: Int {
    var count = 0
    for track in tracks where track.isFollowed { count += 1 }
    return count
  }

  /// Follows all tracks into a new frame; those that are lost stay in the table until ``free(_:)``.
  ///
  /// - Parameters:
  ///   - picture: the frame.
  ///   - pose: of the lens in this frame, as far as it is known.
  ///   - knowsWay: whether `predict` knows how far the camera has moved, not only how it has turned.
  ///   - predict: where a track's point of the frame before should be in this one, by what is known of the motion.
  ///   - project: where the point seen at a pixel from another pose, by a track's distance, should be in this frame.
  func follow(
    _ picture: GrayView,
    pose: CameraPose,
    knowsWay: Bool,
    predict: (Int, Vector2) -> Vector2?,
    project: (Int, CameraPose, Vector2) -> Vector2?
  ) {
    swap(&previous, &current)
    current.set(picture)
    guard hasPrevious, previous.levels[0].width == current.levels[0].width,
      previous.levels[0].height == current.levels[0].height
    else {
      for index in tracks.indices { tracks[index].isFollowed = false }
      hasPrevious = true
      self.pose = pose
      return
    }
    self.pose = pose
    lost.removeAll(keepingCapacity: true)
    found.removeAll(keepingCapacity: true)
    let shift = knowsWay ? .zero : usualMiss
    for index in tracks.indices where tracks[index].isFollowed {
      let track = tracks[index]
      let expected = predict(index, Vector2(Double(track.x), Double(track.y)))
      let start = expected.map { SIMD2<Float>(Float($0.x), Float($0.y)) } ?? SIMD2(track.x, track.y)
      if let place = followed(track, start: start + shift) {
        found.append(Found(from: SIMD2(track.x, track.y), miss: place - start))
        take(index, at: place, project)
      } else {
        lost.append((index, start))
        tracks[index].isFollowed = false
      }
    }
    if !knowsWay {
      followLost(shift, project)
      usualMiss = mostFrequentMiss()
    }
    dropCrowded()
  }

  /// Where a track is in this frame, looked for from `start` on; `nil` when it is not found.
  private func followed(_ track: Track, start: SIMD2<Float>) -> SIMD2<Float>? {
    let from = SIMD2(track.x, track.y)
    guard let place = follow(from, from: previous, to: current, start: start) else { return nil }
    if track.age < 3 {
      // What is new is followed back as well: most of what does not come back is no point of the scene.
      guard let back = follow(place, from: current, to: previous, start: from) else { return nil }
      let miss = back - from
      guard (miss * miss).sum() < Self.mostBackward * Self.mostBackward else { return nil }
    }
    return place
  }

  private func take(_ index: Int, at found: SIMD2<Float>, _ project: (Int, CameraPose, Vector2) -> Vector2?) {
    var place = found
    refine(index, &place, project)
    tracks[index].x = place.x
    tracks[index].y = place.y
    tracks[index].age += 1
    tracks[index].isFollowed = true
  }

  /// Looks once more for tracks that were not found, as far from where they were expected as their neighbours are: a start knows turns
  /// and no ways, and near walls pass by faster than texture can be followed.
  private func followLost(_ shift: SIMD2<Float>, _ project: (Int, CameraPose, Vector2) -> Vector2?) {
    guard found.count >= Self.neighbours else { return }
    for (index, start) in lost {
      let track = tracks[index]
      let miss = nearestMiss(SIMD2(track.x, track.y))
      let change = miss - shift
      guard (change * change).sum() > 1, let place = followed(track, start: start + miss) else { continue }
      found.append(Found(from: SIMD2(track.x, track.y), miss: place - start))
      take(index, at: place, project)
    }
  }

  /// How far most tracks were from where they were expected, pixels: the mean of the largest group that lies close together; none when
  /// too few agree.
  private func mostFrequentMiss() -> SIMD2<Float> {
    var best = (count: 0, mean: SIMD2<Float>.zero)
    for one in found {
      var (count, sum) = (0, SIMD2<Float>.zero)
      for other in found {
        let way = other.miss - one.miss
        guard (way * way).sum() < Self.agreement * Self.agreement else { continue }
        count += 1
        sum += other.miss
      }
      if count > best.count { best = (count, sum / Float(count)) }
    }
    return best.count >= Self.fewestAgreeing ? best.mean : .zero
  }

  /// How far the tracks next to a place of the frame before were from where they were expected: the median by axis, pixels.
  private func nearestMiss(_ place: SIMD2<Float>) -> SIMD2<Float> {
    var nearest = InlineArray<5, (distance: Float, miss: SIMD2<Float>)>(repeating: (.infinity, .zero))
    for one in found {
      let way = one.from - place
      var candidate = (distance: (way * way).sum(), miss: one.miss)
      for k in nearest.indices where candidate.distance < nearest[k].distance { swap(&candidate, &nearest[k]) }
    }
    return SIMD2(Self.median(nearest) { $0.x }, Self.median(nearest) { $0.y })
  }

  private static func median(
    _ five: InlineArray<5, (distance: Float, miss: SIMD2<Float>)>,
    _ value: (SIMD2<Float>) -> Float
  ) -> Float {
    var sorted = InlineArray<5, Float> { value(five[$0].miss) }
    for i in 1..<5 {
      var j = i
      while j > 0, sorted[j] < sorted[j - 1] {
        sorted.swapAt(j, j - 1)
        j -= 1
      }
    }
    return sorted[2]
  }

  /// Compares a track with its first view, turned and scaled as it should look now; keeps a new first view when the old one no
  /// longer fits.
  private func refine(_ index: Int, _ place: inout SIMD2<Float>, _ project: (Int, CameraPose, Vector2) -> Vector2?) {
    let view = references.views[index]
    if view.isSet, let matrix = warp(index, view, project), let patch = references.patch(index, matrix: matrix),
      patch.isCorner
    {
      var (x, y) = (place.x, place.y)
      if let fit = patch.align(to: current.levels[0], x: &x, y: &y, steps: 4), fit > Self.leastReferenceCorrelation {
        let moved = SIMD2(x, y) - place
        if (moved * moved).sum() < Self.mostRefinement * Self.mostRefinement {
          place = SIMD2(x, y)
          return
        }
      }
    }
    references.set(index, current.levels[0], at: place, pose: pose)
  }

  /// How a step in the frame looks in a track's first view.
  private func warp(
    _ index: Int,
    _ view: ReferencePatches.View,
    _ project: (Int, CameraPose, Vector2) -> Vector2?
  ) -> SIMD4<Float>? {
    let pixel = Vector2(Double(view.pixel.x), Double(view.pixel.y))
    guard let o = project(index, view.pose, pixel), let x = project(index, view.pose, pixel + Vector2(4, 0)),
      let y = project(index, view.pose, pixel + Vector2(0, 4))
    else { return nil }
    // Frame by view, then the inverse.
    let (a, c) = (Float(x.x - o.x) / 4, Float(x.y - o.y) / 4)
    let (b, d) = (Float(y.x - o.x) / 4, Float(y.y - o.y) / 4)
    let determinant = a * d - b * c
    guard determinant > 0.4, determinant < 2.5 else { return nil }
    let k = 1 / determinant
    return SIMD4(d * k, -b * k, -c * k, a * k)
  }

  /// Keeps new first views of all tracks: the old ones' poses mean nothing any more.
  func renewReferences(pose: CameraPose) {
    self.pose = pose
    for index in tracks.indices where tracks[index].isFollowed {
      references.set(index, current.levels[0], at: SIMD2(tracks[index].x, tracks[index].y), pose: pose)
    }
  }

  /// Looks for new corners where no track is, if there are too few.
  func refill() {
    guard hasPrevious else { return }
    let missing = wanted - followedCount
    guard missing * 10 > wanted else { return }
    let (width, height) = (current.levels[0].width, current.levels[0].height)
    let (columns, rows) = CornerFinder.cells(width: width, height: height)
    occupied.removeAll(keepingCapacity: true)
    for _ in 0..<(columns * rows) { occupied.append(false) }
    for track in tracks where track.isFollowed {
      occupied[CornerFinder.cell(x: track.x, y: track.y, columns: columns, rows: rows)] = true
    }
    corners.removeAll(keepingCapacity: true)
    for row in 0..<rows {
      for column in 0..<columns where !occupied[row * columns + column] {
        if let corner = finder.strongest(in: current.levels[1], column: column, row: row) { corners.append(corner) }
      }
    }
    var added = 0
    while added < missing, !corners.isEmpty {
      var best = 0
      for index in corners.indices where corners[index].strength > corners[best].strength { best = index }
      let corner = corners[best]
      corners.swapAt(best, corners.count - 1)
      corners.removeLast()
      let (maxX, maxY) = (Float(width) - 1 - Self.border, Float(height) - 1 - Self.border)
      guard corner.x >= Self.border, corner.y >= Self.border, corner.x <= maxX, corner.y <= maxY,
        isFree(corner.x, corner.y), let place = tracks.firstIndex(where: { $0.identifier == 0 })
      else { continue }
      tracks[place] = Track(identifier: nextIdentifier, x: corner.x, y: corner.y, isFollowed: true)
      references.set(place, current.levels[0], at: SIMD2(corner.x, corner.y), pose: pose)
      nextIdentifier = nextIdentifier &+ 1 == 0 ? 1 : nextIdentifier &+ 1
      added += 1
    }
  }

  /// Where a track was seen in a clone, pixels.
  @inline(__always)
  func observation(_ track: Int, slot: Int) -> SIMD2<Float> { observations.base[track &* Self.slotCount &+ slot] }

  /// Notes all tracks that are followed as seen in a clone.
  func note(slot: Int) {
    for index in tracks.indices where tracks[index].isFollowed {
      tracks[index].seen |= 1 << UInt32(slot)
      observations.base[index * Self.slotCount + slot] = SIMD2(tracks[index].x, tracks[index].y)
    }
  }

  /// Forgets what was seen in a clone.
  func forget(slot: Int) {
    for index in tracks.indices { tracks[index].seen &= ~(1 << UInt32(slot)) }
  }

  /// Forgets where a track was seen in some clones; it is followed on.
  ///
  /// - Parameters:
  ///   - track: place in the table.
  ///   - slots: a bit for each slot.
  func clearObservations(_ track: Int, in slots: UInt32) { tracks[track].seen &= ~slots }

  /// Ties a track to a landmark, −1 for none.
  func setLandmark(_ track: Int, _ landmark: Int) { tracks[track].landmark = landmark }

  /// Gives a track's place in the table back.
  func free(_ track: Int) { tracks[track] = Track() }

  /// Ends a track; its observations are kept until ``free(_:)``.
  func drop(_ track: Int) { tracks[track].isFollowed = false }

  /// Forgets all tracks, and the frame before.
  func removeAll() {
    for index in tracks.indices { tracks[index] = Track() }
    hasPrevious = false
    usualMiss = .zero
  }

  private func follow(
    _ point: SIMD2<Float>,
    from: LevelPyramid,
    to: LevelPyramid,
    start: SIMD2<Float>
  ) -> SIMD2<Float>? {
    var offset = start - point
    var correlation: Float = -1
    var index = LevelPyramid.levelCount
    var used = false
    while index > 0 {
      index -= 1
      let scale = 1 / Float(1 << index)
      // Pixel (x, y) of a level stands for the middle of its pixels on the finest.
      let shift = 0.5 * (1 - scale)
      let at = point * scale - shift
      let level = from.levels[index]
      let (maxX, maxY) = (Float(level.width) - 1 - Patch.reach, Float(level.height) - 1 - Patch.reach)
      guard at.x >= Patch.reach, at.y >= Patch.reach, at.x <= maxX, at.y <= maxY else {
        if index == 0 { return nil }
        continue
      }
      let patch = Patch(level, x: at.x, y: at.y)
      guard patch.isCorner else {
        if index == 0 { return nil }
        continue
      }
      var (x, y) = (at.x + offset.x * scale, at.y + offset.y * scale)
      guard let fit = patch.align(to: to.levels[index], x: &x, y: &y, steps: index == 0 ? 8 : 6) else {
        if index == 0 { return nil }
        continue
      }
      // A coarse level that has found nothing does not lead the finer ones astray.
      if index > 0, fit < 0.5 { continue }
      used = true
      correlation = fit
      offset = (SIMD2(x, y) - at) * (1 / scale)
    }
    guard used, correlation >= Self.leastCorrelation else { return nil }
    let place = point + offset
    let base = to.levels[0]
    guard place.x >= Self.border, place.y >= Self.border, place.x <= Float(base.width) - 1 - Self.border,
      place.y <= Float(base.height) - 1 - Self.border
    else { return nil }
    return place
  }

  /// Of two tracks on the same point the younger one goes.
  private func dropCrowded() {
    for index in tracks.indices where tracks[index].isFollowed {
      for other in (index + 1)..<max(index + 1, tracks.count) where tracks[other].isFollowed {
        let (dx, dy) = (tracks[index].x - tracks[other].x, tracks[index].y - tracks[other].y)
        guard dx * dx + dy * dy < 16 else { continue }
        let younger = tracks[index].age < tracks[other].age ? index : other
        tracks[younger].isFollowed = false
        if younger == index { break }
      }
    }
  }

  private func isFree(_ x: Float, _ y: Float) -> Bool {
    for track in tracks where track.isFollowed {
      let (dx, dy) = (track.x - x, track.y - y)
      if dx * dx + dy * dy < Self.leastDistance * Self.leastDistance { return false }
    }
    return true
  }
}
