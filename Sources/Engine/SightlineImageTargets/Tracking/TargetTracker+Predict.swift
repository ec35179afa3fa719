import SightlineCamera
import SightlineImaging
import SightlineMath

extension TargetTracker {
  /// Moves a target that is not seen: with what is around it, or as the camera turns, or as it last moved.
  func predict(
    _ i: Int,
    _ time: Double,
    _ turn: RotationPrior?,
    _ moved: Homography,
    _ sightings: inout [TargetSighting]
  ) {
    let reference = tracks[i].model.pyramid
    let since = max(0, time - (lastTime ?? time))
    var carried = moved
    if let turn {
      let way = tracks[i].pivot.way(turn.rotation)
      carried = turn.carried(tracks[i].map, way: way) ?? (turn.shift * tracks[i].map).scaled
      tracks[i].pivot.slow(turn.rotation, since: since)
    }
    let expected = tracks[i].atKeyframe?.inverse.map { (carried * $0).scaled }
    if let atKeyframe = tracks[i].atKeyframe, isBackgroundSeen(time, expected: turn == nil ? nil : expected),
      let there = isNear((background.frameFromKeyframe * atKeyframe).scaled, carried, i, turn)
    {
      carried = there
      tracks[i].sure = time
      tracks[i].predictionSigma = tracks[i].keyframeSigma + backgroundSigma + 20 * (time - tracks[i].seen)
    } else {
      tracks[i].predictionSigma += 120 * since
    }
    let limit = turn == nil ? parameters.extrapolation : parameters.extrapolationWithGyroscope
    guard time - tracks[i].sure <= limit, time - tracks[i].seen <= parameters.extrapolationWithSurroundings,
      let corners = carried.corners(width: reference.width, height: reference.height), isPlausible(corners)
    else {
      tracks[i].isFollowed = false
      tracks[i].atKeyframe = nil
      return
    }
    tracks[i].map = carried
    tracks[i].previous = nil
    var predicted = Alignment(frameFromReference: carried)
    predicted.cornerSigma = tracks[i].predictionSigma
    sightings.append(sighting(i, .extrapolated, predicted, time))
  }

  /// A place that the surroundings say when it is one the target can have come to since the last frame; otherwise
  /// `nil`.
  private func isNear(_ place: Homography, _ expected: Homography, _ i: Int, _ turn: RotationPrior?) -> Homography? {
    let middle = Vector2(tracks[i].model.pyramid.width / 2, tracks[i].model.pyramid.height / 2)
    guard let a = place(middle), let b = expected(middle) else { return nil }
    guard let turn else { return (a - b).length < 30 ? place : nil }
    let without = (turn.shift * tracks[i].map)(middle) ?? b
    return (a - b).length < 12 + (b - without).length ? place : nil
  }

  /// Whether what was kept of the surroundings is seen in this frame; looks for it once a frame.
  ///
  /// `expected` is where the kept frame's plane is thought to be now, when something says so.
  private func isBackgroundSeen(_ time: Double, expected: Homography?) -> Bool {
    guard parameters.usesSurroundings, background.isUseful else { return false }
    if backgroundTime == time { return isBackgroundFound }
    backgroundTime = time
    isBackgroundFound = false
    if let expected { background.expect(expected) }
    guard let sigma = background.follow(frames, aligner: aligner) else { return false }
    (isBackgroundFound, backgroundSigma) = (true, sigma)
    return true
  }

  /// Keeps the surroundings of what is seen, or of what is carried on by those kept before.
  func learnBackground(_ time: Double) {
    guard parameters.usesSurroundings else { return }
    if let seen = tracks.firstIndex(where: { $0.isFollowed && $0.seen == time }) {
      if let back = tracks[seen].atKeyframe?.inverse { background.expect(tracks[seen].map * back) }
    } else if backgroundTime != time || !isBackgroundFound || !background.isLeft {
      // Each new picture adds its error: while nothing is seen, the old one does as long as it can.
      return
    }
    if time - background.time >= BackgroundPlane.interval { keepBackground(time) }
  }

  private func keepBackground(_ time: Double) {
    var corners: [InlineArray<4, Vector2>] = []
    // Targets in other planes than the first would only disagree with it.
    if let track = tracks.first(where: { $0.isFollowed && $0.seen == time }),
      let own = track.map.corners(width: track.model.pyramid.width, height: track.model.pyramid.height)
    {
      corners.append(own)
    }
    background.keep(frames, time: time, targets: corners)
    for i in tracks.indices {
      tracks[i].atKeyframe = tracks[i].isFollowed ? tracks[i].map : nil
      tracks[i].keyframeSigma = tracks[i].seen == time ? 3 : tracks[i].predictionSigma
    }
  }
}
