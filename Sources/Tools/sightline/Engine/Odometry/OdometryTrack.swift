import ArgumentParser
import Foundation
import SightlineMath
import SightlineOdometry

/// `sightline odometry track`.
struct OdometryTrack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Estimate the camera's path from frames and motion readings.",
    discussion: """
      Input: a folder with sequence.json (width, height, focal_guess, screen_angle, readout, frames), imu.csv (header \
      t,gx,gy,gz,ax,ay,az: seconds, rad/s, m/s², device axes; a row is the mean since the row before), frames.csv (header \
      t,frame) and the pictures. Documentation/odometry.md has all fields. Output: CSV, one row for each row of frames.csv: \
      t,px,py,pz,qw,qx,qy,qz,state,sigma_p,sigma_yaw,focal,offset,row_time,milliseconds. The world is the tracker's own, \
      metres, z up; q turns camera axes (x right, y down, z forward) into it. state is 0 nothing, 1 orientation only, 2 pose \
      whose scale is a guess, 3 metric. A row depends on nothing that is stamped later. milliseconds are those of this thread.
      Or a recording of the page's "Record sensors", which is run by the page's own calls in their own order; it is said \
      how many poses are those that the page had, to the last bit, and how far the others are from them: sines and their \
      like are rounded otherwise by the libraries of browser and system. Exit status 1: one is more than 0.1 mm away.
      """
  )

  @Option(help: ArgumentHelp("Folder with the sequence.", valueName: "folder")) var input: String?
  @Option(help: ArgumentHelp("A recording with what world tracking was given.", valueName: "file")) var recording:
    String?
  @Option(help: ArgumentHelp("File to write.", valueName: "file")) var output: String

  @OptionGroup var known: KnownSizeOptions

  /// How far a pose may be from the page's where only the last bits of sines and their like differ, metres.
  private static let agreement = 1e-4
  private static let header =
    "t,px,py,pz,qw,qx,qy,qz,state,sigma_p,sigma_yaw,focal,offset,row_time,milliseconds\n"

  func validate() throws {
    guard (input == nil) != (recording == nil) else {
      throw ValidationError("Give either --input with a folder or --recording with a file.")
    }
    guard recording == nil || known.isEmpty else {
      throw ValidationError("A recording is run as it was: --known-marker and --known-target belong to --input.")
    }
  }

  func run() throws {
    if let recording { return try replay(recording) }
    if let input { try track(input) }
  }

  private func track(_ input: String) throws {
    var run = try OdometryRun(folder: input, markers: known.knownMarker, targets: known.knownTarget)
    var text = Self.header
    try run.forEach { frame in text += Self.row(frame.stamp, frame.estimate, frame.milliseconds) }
    try write(text)
  }

  /// Runs the page's calls again.
  private func replay(_ recording: String) throws {
    var (reader, size) = try RecordingInput.open(recording)
    let progress = Progress(total: size)
    var replay = OdometryReplay()
    var text = Self.header
    do {
      defer { progress.clear() }
      while let entry = try reader.next() {
        progress.show(reader.offset)
        guard let (stamp, row, elapsed) = try replay.take(entry) else { continue }
        text += Self.row(stamp, row, elapsed)
      }
    }
    let summary = replay.summary
    guard summary.frames + summary.unreadable > 0 else {
      throw Failure(
        "\(recording): world tracking was given nothing in it. The page's \"Record sensors\" makes such recordings."
      )
    }
    try write(text)
    try RecordingInput.report(reader)
    if summary.unreadable > 0 {
      throw Failure("\(Console.count(summary.unreadable, "picture")) of \(recording) cannot be decoded or tracked.")
    }
    Console.say(
      "\(summary.frames) frames; of \(summary.answers) answers of the page \(summary.same) are the same to the last bit, the others "
        + "at most \(fixed(summary.largest * 1000, 6)) mm away"
    )
    if let frame = summary.firstOther, !(summary.largest <= Self.agreement) {
      throw Failure(
        "From frame \(frame) on the page had other poses, up to \(fixed(summary.largest * 1000, 3)) mm away. Its engine was "
          + "another version than this program's."
      )
    }
  }

  private func write(_ text: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw Failure("\(output) cannot be written. Check the path and the rights of its folder.")
    }
  }

  private static func row(_ stamp: Double, _ estimate: OdometryEstimate?, _ elapsed: Double) -> String {
    guard let estimate, estimate.state != .none else {
      return "\(fixed(stamp, 6)),,,,,,,,0,,,,,,\(fixed(elapsed, 3))\n"
    }
    let (p, q) = (estimate.position, estimate.worldFromCamera)
    let numbers = [
      fixed(stamp, 6), fixed(p.x, 6), fixed(p.y, 6), fixed(p.z, 6),
      fixed(q.w, 8), fixed(q.x, 8), fixed(q.y, 8), fixed(q.z, 8), "\(estimate.state.rawValue)",
      fixed(estimate.positionDeviation, 6), fixed(estimate.yawDeviation, 6), fixed(estimate.focal, 3),
      fixed(estimate.timeOffset, 6), fixed(estimate.rowTime, 9), fixed(elapsed, 3),
    ]
    return numbers.joined(separator: ",") + "\n"
  }

  /// The same of the numbers that the page's tracking answers with (Documentation/recording.md).
  private static func row(_ stamp: Double, _ values: [Double], _ elapsed: Double) -> String {
    guard values[0] > 0 else { return "\(fixed(stamp, 6)),,,,,,,,0,,,,,,\(fixed(elapsed, 3))\n" }
    let position = values[2..<5].map { fixed($0, 6) }
    let rotation = values[5..<9].map { fixed($0, 8) }
    let rest = [
      fixed(values[0], 0), fixed(values[12], 6), fixed(values[13], 6), fixed(values[16], 3), fixed(values[21], 6),
      fixed(values[22], 9), fixed(elapsed, 3),
    ]
    return ([fixed(stamp, 6)] + position + rotation + rest).joined(separator: ",") + "\n"
  }
}
