import Foundation
import SightlineMath
import SightlineOdometry
import SightlinePictures

/// World tracking over a sequence, frame by frame, with a line of progress for who watches.
struct OdometryRun {
  /// A frame that was tracked.
  struct Tracked {
    /// As the platform has it, seconds.
    var stamp: Double
    /// Grey.
    var picture: Picture
    var estimate: OdometryEstimate
    /// Time spent on it and the readings before it, of this thread.
    var milliseconds: Double
  }

  let sequence: OdometrySequence
  let tracker: WorldTracker
  private var known: KnownThings
  private let readings: [InertialReading]
  private let frames: [OdometrySequence.Frame]

  /// Reads all of a sequence but its pictures.
  init(folder: String, markers: [KnownMarkerArgument], targets: [KnownTargetArgument]) throws {
    known = try KnownThings(markers: markers, targets: targets)
    sequence = try OdometrySequence(folder: folder)
    readings = try sequence.readings()
    frames = try sequence.frames()
    tracker = WorldTracker(sequence.configuration)
  }

  /// Tracks all frames and calls `body` with each.
  mutating func forEach(_ body: (Tracked) throws -> Void) throws {
    var progress = FrameProgress(of: frames.count)
    var next = 0
    // Out of `self` while the pictures are gone through.
    var known = known
    try sequence.forEachPicture(of: frames) { frame, picture in
      try TargetFiles.withView(picture) { view in
        let start = threadMilliseconds()
        while next < readings.count, readings[next].time <= frame.stamp {
          tracker.take(readings[next])
          next += 1
        }
        let rectangles = known.rectangles(in: view, time: frame.stamp, by: tracker.camera)
        let estimate = tracker.take(view, stamp: frame.stamp, rectangles: rectangles)
        let elapsed = threadMilliseconds() - start
        try body(Tracked(stamp: frame.stamp, picture: picture, estimate: estimate, milliseconds: elapsed))
      }
      progress.step()
    }
    progress.end()
  }
}

/// How many of the frames are done, on standard error, when someone watches.
struct FrameProgress {
  private let total: Int
  private var done = 0
  private var said = -1

  init(of total: Int) { self.total = total }

  mutating func step() {
    done += 1
    let percent = done * 100 / max(1, total)
    guard Console.isWatched, percent != said else { return }
    said = percent
    FileHandle.standardError.write(Data("\r\(percent) % of \(total) frames".utf8))
  }

  func end() { if said >= 0 { FileHandle.standardError.write(Data("\n".utf8)) } }
}
