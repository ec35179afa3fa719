import SightlineMath

/// What world tracking was given in a page, and what it answered: enough to run it again with the same calls in the same order.
///
/// The picture of a ``frame(_:)`` is the event ``RecordingEvent/picture(_:)`` that follows it, without loss.
public enum TrackingEvent: Equatable, Sendable {
  /// Tracking began, or began anew; what was known before is forgotten.
  case began(Setup)
  /// A reading of the motion sensors.
  case reading(Reading)
  /// How the platform says that the device is held.
  case tilt(Tilt)
  /// A picture.
  case frame(Frame)
  /// What the page's tracking answered to the last picture.
  case answer(Answer)

  /// The pictures that will come.
  public struct Setup: Equatable, Sendable {
    /// Pixels.
    public var width: Int32
    /// Pixels.
    public var height: Int32
    /// Guess of the focal length, pixels.
    public var focal: Double
    /// By how much the screen is turned against the device, degrees.
    public var screenAngle: Int32
    /// Which way the sensor's lines are read as the picture is seen: 0 right, 1 left, 2 down, 3 up; below 0 as phones do.
    public var readout: Int32

    /// A setup.
    public init(width: Int32, height: Int32, focal: Double, screenAngle: Int32, readout: Int32) {
      (self.width, self.height, self.focal) = (width, height, focal)
      (self.screenAngle, self.readout) = (screenAngle, readout)
    }
  }

  /// A motion event as the platform gave it.
  ///
  /// The time of its chunk is its stamp. What the device does not have is NaN.
  public struct Reading: Equatable, Sendable {
    /// Degrees a second about the device's axes.
    public var rate: Vector3
    /// m/s² with gravity, of the platform's sign.
    public var force: Vector3
    /// When the page heard of it, seconds.
    public var heard: Double

    /// A reading.
    public init(rate: Vector3, force: Vector3, heard: Double) {
      (self.rate, self.force, self.heard) = (rate, force, heard)
    }
  }

  /// Angles of the platform's own orientation, degrees; the time of its chunk is its stamp.
  public struct Tilt: Equatable, Sendable {
    /// About the device's x.
    public var beta: Double
    /// About the device's y.
    public var gamma: Double

    /// A tilt.
    public init(beta: Double, gamma: Double) { (self.beta, self.gamma) = (beta, gamma) }
  }

  /// A picture that was handed over; the time of its chunk is its stamp.
  public struct Frame: Equatable, Sendable {
    /// When the page got it, seconds.
    public var heard: Double
    /// Pictures that were let go by since the one before.
    public var lost: UInt32
    /// Whether luminance runs from 16 to 235.
    public var isLimited: Bool

    /// A frame.
    public init(heard: Double, lost: UInt32, isLimited: Bool) {
      (self.heard, self.lost, self.isLimited) = (heard, lost, isLimited)
    }
  }

  /// Where the camera was, and what was known of it.
  public struct Answer: Equatable, Sendable {
    /// How many numbers are told: the first of the row `OdometryRow` of the page's engine.
    public static let length = 26
    /// The numbers, in the order of Documentation/recording.md.
    public var values: [Double]

    /// An answer; `nil` for another count of numbers than ``length``.
    public init?(_ values: [Double]) {
      guard values.count == Self.length else { return nil }
      self.values = values
    }

    /// Whether all numbers are the same to the last bit; NaN is the same as NaN.
    public func isSame(as other: Answer) -> Bool {
      zip(values, other.values).allSatisfy { $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN) }
    }
  }
}
