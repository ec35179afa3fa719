import SightlineCamera
import SightlineImaging
import SightlineMath

extension TargetTracker {
  /// Moves a target that is not seen: with what is around it, or as the camera turns, or as it last moved.
  func carry(
    _ i: Int,
    _ time: Double,
    _ step: Homography?,
    _ moved: Homography,
    _ sightings: inout [TargetSighting]
  ) {
    let reference = tracks[i].model.pyramid
    let since = max(0, time - (lastTime ?? time))
    // What the camera's turn does not explain is its way through the room, which goes on for a while.
    tracks[i].slow()
    let drift = tracks[i].drift
    let shift = Homography(Matrix3(rows: Vector3(1, 0, drift.x), Vector3(0, 1, drift.y), Vector3(0, 0, 1)))
    var carried = step.map { (shift * ($0 * tracks[i].map)).scaled } ?? moved
    if let atKey = tracks[i].atKey, areSurroundingsSeen(time, step),
      let there = isNear((surroundings.frameFromKey * atKey).scaled, carried, i, hasTurn: step != nil)
    {
      carried = there
      tracks[i].sure = time
      tracks[i].doubt = tracks[i].keyDoubt + surroundingsSigma + 20 * (time - tracks[i].seen)
    } else {
      tracks[i].doubt += 120 * since
    }
    let limit = step == nil ? parameters.extrapolation : parameters.extrapolationWithGyroscope
    guard time - tracks[i].sure <= limit, time - tracks[i].seen <= parameters.extrapolationWithSurroundings,
      let corners = carried.corners(width: reference.width, height: reference.height), isPlausible(corners)
    else {
      tracks[i].isFollowed = false
      tracks[i].atKey = nil
      return
    }
    tracks[i].map = carried
    tracks[i].previous = nil
    var guess = Alignment(frameFromReference: carried)
    guess.cornerSigma = tracks[i].doubt
    sightings.append(sighting(i, .extrapolated, guess, time))
  }

  /// A place that the surroundings say when it is one the target can have come to since the last frame; otherwise `nil`.
  private func isNear(_ place: Homography, _ expected: Homography, _ i: Int, hasTurn: Bool) -> Homography? {
    let middle = Vector2(tracks[i].model.pyramid.width / 2, tracks[i].model.pyramid.height / 2)
    guard let a = place(middle), let b = expected(middle) else { return nil }
    return (a - b).length < (hasTurn ? 12 + tracks[i].drift.length : 30) ? place : nil
  }

  /// Whether what was kept of the surroundings is seen in this frame; looks for it once a frame.
  private func areSurroundingsSeen(_ time: Double, _ step: Homography?) -> Bool {
    guard parameters.usesSurroundings, surroundings.isUseful else { return false }
    if surroundingsTime == time { return areSurroundingsFound }
    surroundingsTime = time
    areSurroundingsFound = false
    if let step { surroundings.turn(step) }
    guard let sigma = surroundings.follow(frames, aligner: aligner) else { return false }
    (areSurroundingsFound, surroundingsSigma) = (true, sigma)
    return true
  }

  /// Keeps the surroundings of what is seen, or of what is carried on by those kept before.
  func learnSurroundings(_ time: Double) {
    guard parameters.usesSurroundings else { return }
    if let seen = tracks.firstIndex(where: { $0.isFollowed && $0.seen == time }) {
      if let back = tracks[seen].atKey?.inverse { surroundings.expect(tracks[seen].map * back) }
    } else if surroundingsTime != time || !areSurroundingsFound || !surroundings.isLeft {
      // Each new picture adds its error: while nothing is seen, the old one does as long as it can.
      return
    }
    if time - surroundings.time >= Surroundings.interval { keepSurroundings(time) }
  }

  private func keepSurroundings(_ time: Double) {
    var corners: [InlineArray<4, Vector2>] = []
    // Targets in other planes than the first would only disagree with it.
    if let track = tracks.first(where: { $0.isFollowed && $0.seen == time }),
      let own = track.map.corners(width: track.model.pyramid.width, height: track.model.pyramid.height)
    {
      corners.append(own)
    }
    surroundings.keep(frames, time: time, targets: corners)
    for i in tracks.indices {
      tracks[i].atKey = tracks[i].isFollowed ? tracks[i].map : nil
      tracks[i].keyDoubt = tracks[i].seen == time ? 3 : tracks[i].doubt
    }
  }
}
