import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// What the camera saw: anchors that content stands on, and among them those that tell where the user is.
extension Session {
  mutating func observe(_ observations: Observations) {
    guard observations.camera.isUsable else { return }
    var observations = observations
    if !(abs(observations.time) <= 1e12) { observations.time = clamp(now, -1e12, 1e12) }
    let age = clamp(now - observations.time, 0, 2)
    let attitude =
      heldOrientation ?? device.attitude(at: now - age) ?? device.attitude
    settle(observations, attitude)
    guard let display = device.display else { return }
    let cameraFromEastNorthUp = attitude.flatMap { attitude in
      projection.map { $0.cameraFromDisplay * ((attitude * $0.deviceFromDisplay).inverse) }
    }
    scene.observe(observations, display: display, cameraFromEastNorthUp: cameraFromEastNorthUp)
    // A host that draws the picture these were made in does so at once.
    scene.writeAnchors(into: &frame, time: now)
  }

  /// The surveys of a world's anchors, which who opened it believes.
  ///
  /// Several features may stand on one anchor; but one that hangs in two places tells nothing.
  mutating func useSurveys(of world: WorldDescription) {
    worldSurveys = AnchorSurveys()
    for anchor in world.anchors {
      if let survey = anchor.survey, survey.isSound { worldSurveys.add(survey, of: anchor.id) }
    }
    worldSurveys.settle()
  }

  /// Position and heading from the surveyed anchor that is seen largest.
  private mutating func settle(_ observations: Observations, _ attitude: Quaternion?) {
    guard !worldSurveys.isEmpty || !toldSurveys.isEmpty else { return }
    // What follows closer on another says the same.
    guard now - lastSurveyed >= device.parameters.surveyInterval else { return }
    var best: (seen: Observation, survey: AnchorSurvey, side: Double)?
    for seen in observations.all where (seen.state == .found || seen.state == .tracked) && seen.isFinite {
      guard let survey = toldSurveys[seen.anchor] ?? worldSurveys[seen.anchor] else { continue }
      let side = seen.corners.shortestSide
      if side >= device.parameters.surveySide, side > best?.side ?? 0 { best = (seen, survey, side) }
    }
    guard let best else { return }
    lastSurveyed = now
    settle(best.seen, best.survey, observations.camera, attitude)
  }

  private mutating func settle(
    _ seen: Observation,
    _ survey: AnchorSurvey,
    _ camera: FrameCamera,
    _ attitude: Quaternion?
  ) {
    guard let projection else { return align(.noOrientation) }
    var placed = survey
    let knowsAltitude = survey.place.altitude.isFinite
    if !knowsAltitude { placed.place.altitude = 0 }
    guard
      let found = candidates(seen, placed, camera).flatMap({ choose($0, of: placed, camera, projection, attitude) })
    else { return align(.notThere) }
    var fix = found.view.fix
    fix.altitudeDatum = survey.altitudeDatum
    if !knowsAltitude {
      fix.altitude = nil
      fix.verticalAccuracy = nil
    }
    surveyedCount += 1
    if device.take(fix, happened: now) { moved() }
    guard let attitude else { return align(.noOrientation) }
    // The turn about "up" in what leads from the sensors' attitude to the anchor's; headings run the other way.
    let turn = found.attitude * attitude.inverse
    let angle = Angle(radians: -2 * atan2(turn.z, turn.w)).wrapped
    let deviation = max(found.view.uncertainty.orientation, device.parameters.surveyDeviation)
    correct(by: angle, deviation: deviation)
    // An anchor that stays in sight is told of once.
    if now - lastSurveyedNews > device.parameters.surveySilence { align(.done, by: angle) }
    lastSurveyedNews = now
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
    _ attitude: Quaternion?
  ) -> Found? {
    var best: (tilt: Double, found: Found)?
    for pose in [poses.best, poses.alternative] {
      guard let pose, pose.reprojectionError <= 2 * poses.best.reprojectionError + 1,
        let view = survey.view(pose, intrinsics: camera.intrinsics, noise: device.parameters.surveyNoise),
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
      if tilt < best?.tilt ?? device.parameters.pointingTolerance.radians { best = (tilt, found) }
    }
    return best?.found
  }
}

/// Where anchors hang, by what they are.
struct AnchorSurveys: Sendable {
  private var entries: [(id: AnchorID, survey: AnchorSurvey)] = []

  var isEmpty: Bool { entries.isEmpty }

  /// Notes where an anchor hangs; ``settle()`` makes it found.
  mutating func add(_ survey: AnchorSurvey, of id: AnchorID) { entries.append((id, survey)) }

  /// Puts them in order, and takes out those of which different things are said.
  mutating func settle() {
    entries.sortStably { $0.id.sortKey < $1.id.sortKey }
    var kept = 0
    var index = 0
    while index < entries.count {
      var end = index + 1
      var isClear = true
      while end < entries.count, entries[end].id == entries[index].id {
        if entries[end].survey != entries[index].survey { isClear = false }
        end += 1
      }
      if isClear {
        entries[kept] = entries[index]
        kept += 1
      }
      index = end
    }
    entries.removeLast(entries.count - kept)
  }

  /// Where one hangs, found by halving.
  subscript(id: AnchorID) -> AnchorSurvey? {
    get {
      let index = position(of: id)
      return index < entries.count && entries[index].id == id ? entries[index].survey : nil
    }
    set {
      let index = position(of: id)
      if index < entries.count, entries[index].id == id { entries.remove(at: index) }
      if let newValue { entries.insert((id, newValue), at: index) }
    }
  }

  private func position(of id: AnchorID) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id.sortKey < id.sortKey { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension FrameCamera {
  /// Whether it has an extent and a lens.
  fileprivate var isUsable: Bool {
    let i = intrinsics
    return [i.width, i.height, i.focalX, i.focalY].allSatisfy { 1...1e6 ~= $0 }
      && abs(i.centerX) <= 1e6 && abs(i.centerY) <= 1e6
  }
}
