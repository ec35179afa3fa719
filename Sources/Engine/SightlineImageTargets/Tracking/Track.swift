import SightlineCamera
import SightlineMath

extension TargetTracker {
  /// What is known of one target.
  struct Track {
    let model: TargetModel
    /// From the reference to the frame, in the last frame it was seen or carried to.
    var map = Homography(.identity)
    /// The same one frame earlier, when it was seen in both.
    var previous: Homography?
    /// What moved it in the frame from one frame to the next.
    var motion = Homography(.identity)
    /// What the camera's turn left unexplained of that.
    var residualMotion = Homography(.identity)
    /// How the camera's way goes with its turns, for when it is not seen any more.
    var pivot = PivotMotionModel()
    var isFollowed = false
    /// Time it was last seen.
    var seen = -Double.infinity
    /// Frames it has been seen in without a gap.
    var frames = 0
    /// The way it was blurred along when it was found; only its line is known, not its direction.
    var blurVector: Vector2?
    /// Share of it that agreed when it was last seen.
    var inlierRatio = 0.0
    /// Share of a frame's time the exposure is thought to be open.
    var exposure = 0.4

    /// Time it was last seen, or carried on by its surroundings.
    var sure = -Double.infinity
    /// Where it was in the frame that was kept of the surroundings.
    var atKeyframe: Homography?
    /// Standard deviation of its corners there, and now that it is carried on; pixels.
    var keyframeSigma = 3.0
    var predictionSigma = 5.0
    /// How far its corners were from where they were thought to be when it was seen again, and when that was.
    private var settle: (offsets: InlineArray<4, Vector2>, time: Double)?

    init(model: TargetModel) { self.model = model }

    /// Remembers how far it jumps when it is seen again where it was not thought to be.
    private mutating func settleFrom(_ found: Homography, time: Double) {
      settle = nil
      let (w, h) = (Double(model.target.referenceWidth), Double(model.target.referenceHeight))
      guard let old = map.corners(width: w, height: h), let new = found.corners(width: w, height: h) else { return }
      // From farther it would fly through the picture.
      let size = (abs(doubleArea(new)) / 2).squareRoot()
      for i in 0..<4 where (old[i] - new[i]).length > size { return }
      settle = ([old[0] - new[0], old[1] - new[1], old[2] - new[2], old[3] - new[3]], time)
    }

    /// Where it is expected in the next frame: moved on as it was, or, after a turn of the camera, moved by that and
    /// besides as it was in the last
    /// frame, or, where that is not known, as the pivot motion model has it.
    func expected(_ rotation: RotationPrior?) -> Homography {
      guard let rotation else { return (motion * map).scaled }
      let shifted = rotation.shift * map
      if previous != nil { return (residualMotion * shifted).scaled }
      return rotation.carried(map, way: pivot.way(rotation.rotation)) ?? shifted.scaled
    }

    /// Where it is drawn when it is at a place.
    func shown(_ place: Homography, time: Double, settling: Double) -> Homography {
      let (w, h) = (Double(model.target.referenceWidth), Double(model.target.referenceHeight))
      guard let settle, settling > 0, time - settle.time < settling, let corners = place.corners(width: w, height: h)
      else { return place }
      let rest = 1 - (time - settle.time) / settling
      let share = rest * rest * (3 - 2 * rest)
      let moved: InlineArray<4, Vector2> = [
        corners[0] + settle.offsets[0] * share, corners[1] + settle.offsets[1] * share,
        corners[2] + settle.offsets[2] * share, corners[3] + settle.offsets[3] * share,
      ]
      guard isPlausible(moved), let square = Homography(unitSquareTo: moved) else { return place }
      let unit = Homography(Matrix3(rows: Vector3(1 / w, 0, 0.5 / w), Vector3(0, 1 / h, 0.5 / h), Vector3(0, 0, 1)))
      return (square * unit).scaled
    }

    /// Found anew.
    mutating func begin(_ found: Alignment, time: Double) {
      if isFollowed && seen < time { settleFrom(found.frameFromReference, time: time) } else { settle = nil }
      if !isFollowed { atKeyframe = nil }
      (sure, predictionSigma) = (time, 5)
      map = found.frameFromReference
      previous = nil
      motion = Homography(.identity)
      residualMotion = Homography(.identity)
      pivot.rest()
      isFollowed = true
      seen = time
      frames = 1
      inlierRatio = found.inlierRatio
      blurVector = found.blurVector
    }

    /// Seen where it was followed to.
    mutating func held(_ found: Alignment, time: Double, turn: RotationPrior?) {
      let isNext = time - seen < 0.08
      if let ratio = found.exposureRatio { exposure = max(0.08, min(0.8, exposure * ratio.squareRoot())) }
      if predictionSigma > 5 { settleFrom(found.frameFromReference, time: time) }
      (sure, predictionSigma) = (time, 5)
      if isNext, let back = map.inverse {
        motion = (found.frameFromReference * back).scaled
        if let turn, let turned = (turn.shift * map).inverse {
          residualMotion = (found.frameFromReference * turned).scaled
          let middle = Vector3(model.pyramid.width / 2, model.pyramid.height / 2, 1)
          if let before = turn.place(of: map), let now = turn.place(of: found.frameFromReference) {
            pivot.observe(from: before * middle, to: now * middle, rotation: turn.rotation, since: time - seen)
          }
        }
      } else {
        motion = Homography(.identity)
        residualMotion = Homography(.identity)
      }
      previous = isNext ? map : nil
      map = found.frameFromReference
      seen = time
      frames += 1
      inlierRatio = found.inlierRatio
    }

    /// How a target is blurred in the frame in which it now is at a place.
    ///
    /// While the exposure is open it moves as fast as it does at that moment, not as it did in the mean since the last
    /// frame: half of
    /// what the motion changed by from the last frame to this one is added.
    func motionBlur(_ place: Homography) -> MotionBlur? {
      guard frames > 0, let back = place.inverse else { return nil }
      let before = (map * back).scaled
      guard let previous, let last = map.inverse else { return MotionBlur(before: before, exposure: exposure) }
      return MotionBlur(before: before, earlier: (previous * last).scaled, exposure: exposure)
    }
  }
}
