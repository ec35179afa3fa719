import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// Something that happened, or was asked, in a recorded session.
///
/// The order in a recording is the order in which the session was told. Times are seconds on the session's clock; the time
/// of a picture is when it was taken, and it may stand later in the file than what happened after it.
public enum RecordingEvent: Sendable {
  /// What the host told the session, as it told it.
  ///
  /// A loaded world is read back as ``world(request:_:)``, which has its texts too, a motion sample as ``motion(_:)``.
  case session(SessionEvent)
  /// A sample of the motion sensors.
  case motion(MotionSample)
  /// The answer to a request: what the session was told as `.loaded`.
  case world(request: RequestID, RecordedWorld)
  /// The bytes a world was read from, for those who want to look at them; a replay does not need them.
  case document(RecordedDocument)
  /// A picture of the camera.
  case picture(RecordedPicture)
  /// What world tracking was given in a page, and what it answered.
  case tracking(TrackingEvent)
  /// What really was, from a simulator.
  case truth(GroundTruth)
  /// A remark: a phase of a script, a mark set by the user.
  case note(String)
  /// The session was asked for a frame (`Session.makeFrame(at:)`).
  case tick
  /// The session was told that time has passed (`Session.advance(to:)`).
  case advance
}

/// The document of a world.
public struct RecordedDocument: Equatable, Sendable {
  /// Media type, for example `application/geo+json`.
  public var mediaType: String
  /// Where it came from.
  public var address: String
  /// Its bytes.
  public var bytes: [UInt8]

  /// A document.
  public init(mediaType: String, address: String, bytes: [UInt8]) {
    self.mediaType = mediaType
    self.address = address
    self.bytes = bytes
  }
}

/// A picture of the camera as it was delivered.
public struct RecordedPicture: Equatable, Sendable {
  /// Where the pixels are.
  public enum Source: Equatable, Sendable {
    /// A compressed picture.
    case embedded(PictureFormat, bytes: [UInt8])
    /// A frame of a video file beside the recording, counted from 0.
    case video(file: String, frame: UInt32)
  }

  /// Pixels; those of the recorded picture, which may be smaller than the camera's.
  public var width: Int32
  /// Pixels.
  public var height: Int32
  /// Where the pixels are.
  public var source: Source

  /// A picture.
  public init(width: Int32, height: Int32, source: Source) {
    self.width = width
    self.height = height
    self.source = source
  }
}

/// How an embedded picture is compressed.
public enum PictureFormat: UInt8, CaseIterable, Sendable {
  /// JPEG.
  case jpeg = 0
  /// PNG.
  case png = 1
  /// WebP.
  case webP = 2
}

/// Where the device really was at a moment, and where its landmarks were in the camera's picture.
public struct GroundTruth: Equatable, Sendable {
  /// A feature of the world in the camera's picture.
  public struct Landmark: Equatable, Sendable {
    /// Index in the world's features.
    public var feature: Int32
    /// Pixel of the camera's picture as delivered (pixel centres at integers); any number when not in view.
    public var pixel: Vector2
    /// Whether it is inside the picture and not hidden.
    public var isVisible: Bool

    /// A landmark.
    public init(feature: Int32, pixel: Vector2, isVisible: Bool) {
      self.feature = feature
      self.pixel = pixel
      self.isVisible = isVisible
    }
  }

  /// Rotates device vectors into EastNorthUp at the device.
  public var eastNorthUpFromDevice: Quaternion
  /// Where the device was.
  public var position: Geodetic
  /// The landmarks.
  public var landmarks: [Landmark]

  /// A truth.
  public init(eastNorthUpFromDevice: Quaternion, position: Geodetic, landmarks: [Landmark] = []) {
    self.eastNorthUpFromDevice = eastNorthUpFromDevice
    self.position = position
    self.landmarks = landmarks
  }
}

/// An event with its time and its place in the file.
public struct RecordingEntry: Sendable {
  /// Seconds.
  public var time: Double
  /// What happened.
  public var event: RecordingEvent
  /// Byte of the file at which its chunk begins.
  public var offset: UInt64

  /// An entry.
  public init(time: Double, event: RecordingEvent, offset: UInt64 = 0) {
    self.time = time
    self.event = event
    self.offset = offset
  }
}

/// What stands at the beginning of a recording.
public struct RecordingHeader: Equatable, Sendable {
  /// Version of the format.
  public var version: UInt16
  /// Seconds on the session's clock at which the recording began.
  public var time: Double
  /// Anything worth knowing, by name: `writer`, `device`, `created` (ISO 8601), `positions` (`kept` or `stripped`),
  /// `seed`, `script`.
  public var fields: [String: String]

  /// A header.
  public init(version: UInt16 = RecordingFormat.version, time: Double = 0, fields: [String: String] = [:]) {
    self.version = version
    self.time = time
    self.fields = fields
  }
}
