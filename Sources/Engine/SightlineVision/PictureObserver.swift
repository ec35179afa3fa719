import SightlineCamera
import SightlineImageTargets
import SightlineImaging
import SightlineMath

/// The stage of a ``VisionPipeline`` that finds flat pictures and follows them.
struct PictureObserver {
  private struct Entry {
    var number: Int32
    var target: Target
    /// Metres; 0 when unknown.
    var width: Double
    var seen = -Double.infinity
  }

  let parameters: TargetTracker.Parameters
  private var entries: [Entry] = []
  private var isChanged = false
  private var tracker: TargetTracker?
  private var sightings: [TargetSighting] = []
  /// Most pictures at once: what a tracker takes.
  private static let most = 65535
  /// Widths beyond are none, metres.
  private static let widest = 100_000.0

  init(parameters: TargetTracker.Parameters) { self.parameters = parameters }

  mutating func add(_ number: Int32, _ target: Target, _ width: Double) -> Bool {
    // A file may say anything.
    let stated = [width, target.printedWidth].first { $0 > 0 && $0 < Self.widest }
    let entry = Entry(number: number, target: target, width: stated ?? 0)
    if let known = entries.firstIndex(where: { $0.number == number }) {
      entries[known] = entry
    } else {
      guard entries.count < Self.most else { return false }
      entries.append(entry)
    }
    isChanged = true
    return true
  }

  mutating func remove(_ number: Int32) {
    entries.removeAll { $0.number == number }
    isChanged = true
  }

  /// Appends an observation of each picture that is seen or carried on.
  mutating func observe(
    _ frame: GrayView,
    _ time: Double,
    _ camera: FrameCamera?,
    turn: Quaternion?,
    into observations: inout [Observation]
  ) {
    guard !entries.isEmpty || tracker != nil else { return }
    let tracker = self.tracker ?? TargetTracker(targets: [], parameters: parameters)
    self.tracker = entries.isEmpty ? nil : tracker
    if isChanged { tracker.setTargets(entries.map { $0.target }) }
    isChanged = false
    guard !entries.isEmpty else { return }
    tracker.intrinsics = camera?.intrinsics
    tracker.distortion = camera?.distortion ?? .none
    tracker.process(frame, time: time, turn: turn, into: &sightings)
    for sighting in sightings { append(sighting, time, camera, &observations) }
  }

  private mutating func append(
    _ sighting: TargetSighting,
    _ time: Double,
    _ camera: FrameCamera?,
    _ observations: inout [Observation]
  ) {
    let entry = entries[sighting.target]
    // What is seen again in another place than it was thought to be goes there instead of jumping.
    var shown = sighting
    shown.frameFromPicture = sighting.shownFromPicture
    guard let corners = shown.corners(width: entry.target.width, height: entry.target.height) else { return }
    let state: ObservationState =
      switch sighting.state {
      case .detected: .found
      case .tracked: .tracked
      case .extrapolated: .carried
      }
    let unseen = state == .carried && entry.seen.isFinite ? time - entry.seen : 0
    if state != .carried { entries[sighting.target].seen = time }
    let pose = camera.flatMap {
      shown.cameraFromPicture(
        intrinsics: $0.intrinsics,
        distortion: $0.distortion,
        width: entry.target.width,
        height: entry.target.height,
        printedWidth: entry.width > 0 ? entry.width : 1
      )
    }
    observations.append(
      Observation(
        .picture(entry.number),
        state: state,
        corners: Quadrilateral(corners),
        pose: pose,
        cornerSigma: sighting.cornerSigma,
        confidence: sighting.inlierRatio,
        width: entry.width,
        unseen: unseen
      )
    )
  }
}
