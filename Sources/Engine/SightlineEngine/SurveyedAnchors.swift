import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// Anchors whose place on Earth is known, and what seeing one of them tells about position and north.
///
/// Takes what the camera saw, and the sensors' attitude at that time; leaves a position fix and a turn, from the surveyed anchor that is
/// seen largest. Keeps the surveys, and when it last spoke.
struct SurveyedAnchors: Sendable {
  /// What was found.
  enum Finding {
    /// Why the anchor that was seen tells nothing.
    case refused(Alignment)
    /// Where the user is; with how far headings are off, if the sensors have an attitude.
    case placed(LocationFix, turn: Turn?)
  }

  /// A correction of headings.
  struct Turn {
    var angle: Angle
    var deviation: Angle
    /// Whether the user has not been told of one for a while.
    var isNews: Bool
  }

  /// By the worlds that are open.
  private var ofWorlds = AnchorSurveys()
  /// By what the host was told; these come first.
  private var told = AnchorSurveys()
  /// When one was last taken for the position, and when last told of.
  private var lastSeen = -Double.infinity
  private var lastNews = -Double.infinity
  /// How often one set the position.
  private(set) var count = 0

  /// Takes the surveys of a world's anchors, which who opened it believes.
  ///
  /// Several features may stand on one anchor; but one that hangs in two places tells nothing.
  mutating func use(_ world: WorldDescription) {
    ofWorlds = AnchorSurveys()
    for anchor in world.anchors {
      if let survey = anchor.survey, survey.isSound { ofWorlds.add(survey, of: anchor.id) }
    }
    ofWorlds.settle()
  }

  /// Takes or forgets where one anchor hangs; a survey that is not sound is none.
  mutating func set(_ anchor: AnchorID, _ survey: AnchorSurvey?) {
    told[anchor] = survey.flatMap { $0.isSound ? $0 : nil }
  }

  /// Position and turn from the surveyed anchor that is seen largest.
  ///
  /// - Parameters:
  ///   - observations: what the camera saw.
  ///   - attitude: of the device by its sensors when the picture was taken; `nil` when they tell none.
  ///   - projection: how directions from the device land on the display; `nil` before it is known.
  ///   - parameters: of the session.
  ///   - now: seconds.
  /// - Returns: `nil` when none is seen, or one was a moment ago.
  mutating func settle(
    _ observations: Observations,
    attitude: Quaternion?,
    projection: DisplayProjection?,
    parameters: Session.Parameters,
    at now: Double
  ) -> Finding? {
    guard !ofWorlds.isEmpty || !told.isEmpty else { return nil }
    // What follows closer on another says the same.
    guard now - lastSeen >= parameters.surveyInterval else { return nil }
    var best: (seen: Observation, survey: AnchorSurvey, side: Double)?
    for seen in observations.all where (seen.state == .found || seen.state == .tracked) && seen.isFinite {
      guard let survey = told[seen.anchor] ?? ofWorlds[seen.anchor] else { continue }
      let side = seen.corners.shortestSide
      if side >= parameters.surveySide, side > best?.side ?? 0 { best = (seen, survey, side) }
    }
    guard let best else { return nil }
    lastSeen = now
    guard let projection else { return .refused(.noOrientation) }
    var placed = best.survey
    let knowsAltitude = placed.place.altitude.isFinite
    if !knowsAltitude { placed.place.altitude = 0 }
    let camera = observations.camera
    guard
      let found = candidates(best.seen, placed, camera).flatMap({
        choose($0, of: placed, camera, projection, attitude, parameters)
      })
    else { return .refused(.notThere) }
    var fix = found.view.fix
    fix.altitudeDatum = placed.altitudeDatum
    if !knowsAltitude {
      fix.altitude = nil
      fix.verticalAccuracy = nil
    }
    count += 1
    guard let attitude else { return .placed(fix, turn: nil) }
    // The turn about "up" in what leads from the sensors' attitude to the anchor's; headings run the other way.
    let turn = found.attitude * attitude.inverse
    let isNews = now - lastNews > parameters.surveySilence
    // An anchor that stays in sight is told of once.
    lastNews = now
    return .placed(
      fix,
      turn: Turn(
        angle: Angle(radians: -2 * atan2(turn.z, turn.w)).wrapped,
        deviation: max(found.view.uncertainty.orientation, parameters.surveyDeviation),
        isNews: isNews
      )
    )
  }

  private struct Found {
    var view: SurveyedView
    /// The device's turn by the anchor.
    var attitude: Quaternion
  }

  /// The poses that explain what was seen: of a square two, mirrored at the plane across the view; of a picture its own.
  private func candidates(_ seen: Observation, _ survey: AnchorSurvey, _ camera: FrameCamera) -> SquarePoses? {
    if case .picture = seen.anchor {
      guard var pose = seen.pose, seen.width > 0 else { return nil }
      pose.translation = pose.translation * (survey.width / seen.width)
      return SquarePoses(best: pose, alternative: nil)
    }
    return SquarePoses(
      corners: seen.corners,
      side: survey.width,
      intrinsics: camera.intrinsics,
      distortion: camera.distortion
    )
  }

  /// Of the poses that explain what was seen, the one whose horizon is that of the sensors; `nil` when none's is, as when the
  /// anchor hangs elsewhere or otherwise than it says.
  private func choose(
    _ poses: SquarePoses,
    of survey: AnchorSurvey,
    _ camera: FrameCamera,
    _ projection: DisplayProjection,
    _ attitude: Quaternion?,
    _ parameters: Session.Parameters
  ) -> Found? {
    var best: (tilt: Double, found: Found)?
    for pose in [poses.best, poses.alternative] {
      guard let pose, pose.reprojectionError <= 2 * poses.best.reprojectionError + 1,
        let view = survey.view(pose, intrinsics: camera.intrinsics, noise: parameters.surveyNoise),
        case .quaternion(let turned, _) = view.orientation(projection)
      else { continue }
      let found = Found(view: view, attitude: turned)
      guard let attitude else {
        // Without sensors only a view that leaves no doubt counts.
        let isClear =
          poses.alternative.map { $0.reprojectionError > 2 * poses.best.reprojectionError + 1 } ?? true
        return isClear ? found : nil
      }
      let up = Vector3(0, 0, 1)
      let cosine = (attitude.inverse * up).dot(turned.inverse * up)
      let tilt = acos(clamp(cosine, -1, 1))
      if tilt < best?.tilt ?? parameters.pointingTolerance.radians { best = (tilt, found) }
    }
    return best?.found
  }
}
