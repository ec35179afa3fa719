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
    /// How its middle moved beside that over the last frames, pixels a frame, for when it is not seen any more.
    var drift = Vector2.zero
    var isFollowed = false
    /// Time it was last seen.
    var seen = -Double.infinity
    /// Frames it has been seen in without a gap.
    var frames = 0
    /// The way it was smeared along when it was found; only its line is known, not its direction.
    var way: Vector2?
    /// Share of a frame's time the shutter is thought to be open.
    var shutter = 0.4

    init(model: TargetModel) { self.model = model }

    /// Found anew.
    mutating func begin(_ found: Alignment, time: Double) {
      map = found.frameFromReference
      previous = nil
      motion = Homography(.identity)
      residualMotion = Homography(.identity)
      isFollowed = true
      seen = time
      frames = 1
      way = found.way
    }

    /// Seen where it was followed to.
    mutating func held(_ found: Alignment, time: Double, expectedBy step: Homography?) {
      let isNext = time - seen < 0.08
      if isNext, let back = map.inverse {
        motion = (found.frameFromReference * back).scaled
        if let step, let turned = (step * map).inverse {
          residualMotion = (found.frameFromReference * turned).scaled
          let middle = Vector2(model.pyramid.width / 2, model.pyramid.height / 2)
          if let now = found.frameFromReference(middle), let without = (step * map)(middle) {
            drift = drift + (now - without - drift) * 0.3
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
    }

    /// Lets the drift that is not known any more die away: by half in a third of a second at 30 frames a second.
    mutating func slow() { drift = drift * 0.93 }

    /// How a target is smeared in the frame in which it now is at a place.
    func smear(_ place: Homography) -> Smear? {
      guard frames > 0, let back = place.inverse else { return nil }
      return Smear(before: (map * back).scaled, shutter: shutter)
    }
  }
}
