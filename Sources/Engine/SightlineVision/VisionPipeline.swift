import SightlineCamera
import SightlineImageTargets
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineQR

/// From the frames of one camera to observations: markers, pictures, codes and the walls they hang on, all in one pass.
///
/// ```swift
/// let vision = VisionPipeline()
/// vision.watchMarkers([.apriltag36h11], usualSide: 0.05)
/// vision.addPicture(7, target, width: 0.6)
/// var observations: [Observation] = []
/// vision.process(frame, time: time, camera: camera, into: &observations)
/// session.handle(.observations(Observations(time: time, camera: camera, observations)), at: now)
/// ```
///
/// Stages, each with what it looks for and its own parameters: ``MarkerObserver``, ``PictureObserver``, ``CodeObserver``,
/// ``WallObserver``. A last one, ``AnchorHistory``, has the one rule for when something is lost.
///
/// At most one of them searches a whole frame for codes while others follow what they know: codes are read
/// ``Parameters/codeInterval`` apart, and with all effort only in frames in which nothing else is followed.
public final class VisionPipeline {
  /// How is looked.
  public struct Parameters: Sendable {
    /// Seconds without a sighting until something is lost; default 0.5.
    ///
    /// The same for markers, pictures, codes and walls, whether or not a gyroscope carries them on meanwhile. A larger one
    /// bridges longer interruptions and shows for longer what is gone. One thing only is longer known: a picture whose surroundings
    /// are seen is where they are, so it is lost when it is carried on by them no more, at the latest after
    /// `TargetTracker.Parameters.extrapolationWithSurroundings`.
    public var lostAfter = 0.5
    /// Of the markers; its `lostAfter` is that of the pipeline.
    public var markers = MarkerTracker.Parameters()
    /// Of the pictures; what the gyroscope or their motion carries on is carried on for no longer than ``lostAfter``.
    public var pictures = TargetTracker.Parameters()
    /// Seconds from one look for codes to the next; default 0.12.
    public var codeInterval = 0.12
    /// Every so many looks without a code one is made with all effort, see `QRDetector.Parameters.isThorough`; default 6.
    ///
    /// Only in frames in which no marker and no picture is followed.
    public var exhaustiveCodeEvery = 6

    /// The defaults.
    public init() {}
  }

  /// How is looked.
  public let parameters: Parameters
  /// The codes that were read in the last frame, in the order of their observations.
  public private(set) var codes: [DetectedQRCode] = []
  /// Whether the last frame was looked at for codes.
  public private(set) var hasLookedForCodes = false

  private var markers: MarkerObserver
  private var pictures: PictureObserver
  private var codeObserver: CodeObserver
  private var walls = WallObserver()
  private var history: AnchorHistory
  private var lastTime = -Double.infinity
  /// How the camera is turned against where it was at first, by the gyroscope.
  private var firstFromCamera = Quaternion.identity

  /// A pipeline that looks for nothing yet.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    var ofMarkers = parameters.markers
    ofMarkers.lostAfter = parameters.lostAfter
    markers = MarkerObserver(parameters: ofMarkers)
    var ofPictures = parameters.pictures
    ofPictures.extrapolation = min(ofPictures.extrapolation, parameters.lostAfter)
    ofPictures.extrapolationWithGyroscope = parameters.lostAfter
    pictures = PictureObserver(parameters: ofPictures)
    codeObserver = CodeObserver(interval: parameters.codeInterval, exhaustiveEvery: parameters.exhaustiveCodeEvery)
    history = AnchorHistory(lostAfter: parameters.lostAfter)
  }

  // MARK: What is looked for

  /// Looks for the markers of these dictionaries from now on; none for no markers.
  ///
  /// - Parameters:
  ///   - dictionaries: what is looked for.
  ///   - sides: of the markers whose size is known.
  ///   - usualSide: that of all others; 0 when it is not known, and they get no pose.
  public func watchMarkers(
    _ dictionaries: [MarkerDictionary],
    sides: [MarkerSide] = [],
    usualSide: Double = 0
  ) {
    markers.watch(dictionaries, sides, usualSide)
  }

  /// Looks for a picture from now on as well; what is followed stays followed.
  ///
  /// - Parameters:
  ///   - number: the host's for it, which observations and a world's anchors have; another picture that has it is let go.
  ///   - target: the picture.
  ///   - width: of the whole print, metres, goes before what the target says when it is more than 0.
  /// - Returns: whether there was room: there may be 65535.
  @discardableResult
  public func addPicture(_ number: Int32, _ target: Target, width: Double = 0) -> Bool {
    pictures.add(number, target, width)
  }

  /// No longer looks for a picture.
  public func removePicture(_ number: Int32) { pictures.remove(number) }

  /// Whether codes are looked for; default no.
  public var looksForCodes = false {
    didSet { if !looksForCodes { codeObserver.forget() } }
  }

  /// The walls whose pose follows from what hangs on them.
  public func setWalls(_ walls: [Wall]) { self.walls.walls = walls }

  // MARK: Frames

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - frame: grey levels; may change in size, which forgets what was followed.
  ///   - time: when it was taken, seconds, later than the last frame's; a frame that is not is left out.
  ///   - camera: it was taken with, may change from frame to frame; `nil` when nothing is known of it: then there are no poses.
  ///   - previousFromCamera: how the camera turned since the last frame by its gyroscope, from its axes now to those then (x right, y
  ///     down, z forward), see ``TurnIntegrator``; `nil` when it is not known.
  ///   - observations: is filled with what was seen, carried on or lost: markers, then pictures, codes, walls.
  public func process(
    _ frame: GrayView,
    time: Double,
    camera: FrameCamera?,
    previousFromCamera: Quaternion? = nil,
    into observations: inout [Observation]
  ) {
    observations.removeAll(keepingCapacity: true)
    codes.removeAll(keepingCapacity: true)
    hasLookedForCodes = false
    guard time.isFinite, time > lastTime else { return }
    lastTime = time
    if let previousFromCamera { firstFromCamera = (firstFromCamera * previousFromCamera).normalized ?? .identity }
    markers.observe(
      frame,
      time,
      camera,
      turn: previousFromCamera,
      worldFromCamera: previousFromCamera == nil ? nil : firstFromCamera,
      into: &observations
    )
    pictures.observe(frame, time, camera, turn: previousFromCamera, into: &observations)
    if looksForCodes, codeObserver.isDue(time) {
      hasLookedForCodes = true
      codeObserver.observe(frame, time, isAnythingFollowed: !observations.isEmpty, codes: &codes, into: &observations)
    }
    walls.observe(into: &observations)
    history.note(&observations, time)
  }
}
