import Foundation
import SightlineInput
import SightlineMath
import SightlineOdometryWasm
import SightlinePictures
import SightlineRecording
import SightlineWasmPictures

/// Runs world tracking over what a page gave it, by the page's own calls in their own order.
struct OdometryReplay {
  /// What was run, and how it agrees with what the page's tracking answered.
  struct Summary {
    var frames = 0
    /// Answers that were recorded, and those that are the same to the last bit.
    var answers = 0, same = 0
    /// How far the others are from the page's place at most, metres.
    var largest = 0.0
    /// The first frame, from 0, that has another answer.
    var firstOther: Int?
    /// Pictures that could not be decoded or tracked.
    var unreadable = 0
  }

  /// A frame whose picture has still to come.
  private struct Waiting {
    var stamp: Double
    var isLimited: Bool
  }

  private(set) var summary = Summary()
  private var hasBegun = false
  private var waiting: Waiting?
  private var last: TrackingEvent.Answer?

  /// Takes an event of the recording.
  ///
  /// - Returns: of a picture its stamp, the row of numbers that tracking answers with, and how long it took, milliseconds.
  mutating func take(_ entry: RecordingEntry) throws -> (stamp: Double, row: [Double], milliseconds: Double)? {
    switch entry.event {
    case .tracking(let event): try take(event, at: entry.time)
    case .picture(let picture): return track(picture)
    default: break
    }
    return nil
  }

  private mutating func take(_ event: TrackingEvent, at time: Double) throws {
    switch event {
    case .began(let s):
      hasBegun = sl_odometry_begin(s.width, s.height, s.focal, s.screenAngle, s.readout) != 0
      guard hasBegun else { throw Failure("Pictures of \(s.width) × \(s.height) pixels cannot be tracked.") }
    case .reading(let reading):
      let (rate, force) = (reading.rate, reading.force)
      sl_odometry_motion(time, rate.x, rate.y, rate.z, force.x, force.y, force.z)
    case .tilt(let tilt): sl_odometry_tilt(time, tilt.beta, tilt.gamma)
    case .frame(let frame): waiting = Waiting(stamp: time, isLimited: frame.isLimited)
    case .answer(let answer):
      guard let last else { return }
      compare(answer.values, last.values, isSame: answer.isSame(as: last))
      self.last = nil
    }
  }

  private mutating func compare(_ page: [Double], _ native: [Double], isSame: Bool) {
    summary.answers += 1
    if isSame {
      summary.same += 1
      return
    }
    summary.largest = zip(page[2..<5], native[2..<5]).reduce(summary.largest) { max($0, abs($1.0 - $1.1)) }
    summary.firstOther = summary.firstOther ?? summary.frames - 1
  }

  /// Hands over the picture of the frame that waits for one; others are only to look at.
  private mutating func track(_ recorded: RecordedPicture) -> (stamp: Double, row: [Double], milliseconds: Double)? {
    guard hasBegun, let frame = waiting else { return nil }
    waiting = nil
    last = nil
    guard case .embedded(_, let bytes) = recorded.source,
      let (picture, format) = Self.decoded(bytes),
      let room = sl_picture(Int32(clamping: picture.pixels.count))
    else {
      summary.unreadable += 1
      return nil
    }
    for (k, byte) in picture.pixels.enumerated() { room[k] = byte }
    let (width, height) = (Int32(clamping: picture.width), Int32(clamping: picture.height))
    let stride = Int32(clamping: picture.width.saturatingMultiply(picture.layout.bytesInPixel))
    let start = threadMilliseconds()
    let count = sl_odometry_frame(format, width, height, 0, stride, frame.isLimited ? 1 : 0, frame.stamp)
    let elapsed = threadMilliseconds() - start
    guard Int(count) >= TrackingEvent.Answer.length else {
      summary.unreadable += 1
      return nil
    }
    let row = (0..<TrackingEvent.Answer.length).map { sl_odometry_values()[$0] }
    last = TrackingEvent.Answer(row)
    summary.frames += 1
    return (frame.stamp, row, elapsed)
  }

  /// The picture as the page had it, a plane of luminance or colours, and the number of its format.
  private static func decoded(_ bytes: [UInt8]) -> (Picture, Int32)? {
    var limits = PictureLimits()
    limits.side = 8192
    let isGray = isGray(bytes)
    guard let picture = try? Picture(decoding: bytes, as: isGray ? .gray : .rgba, limits: limits) else { return nil }
    return (picture, isGray ? 0 : 1)
  }

  /// Whether a PNG's pixels are levels of grey, as the byte of its header says that comes after both sides and the depth.
  private static func isGray(_ png: [UInt8]) -> Bool { png.count > 25 && png[25] == 0 }
}
