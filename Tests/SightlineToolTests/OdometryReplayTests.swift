import Foundation
import SightlineMath
import SightlinePictures
import SightlineRecording
import SightlineTestSupport
import Testing

/// `sightline odometry track --recording`, on drawn frames.
@Suite struct OdometryReplayTests {
  private static let frames = 40

  /// A recording of what a page would have given to tracking; `answer` stands behind each frame.
  private func recording(answer: TrackingEvent.Answer? = nil, damaged: Int? = nil) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let room = DrawnRoom(.walk)
    let (width, height) = (Int32(DrawnRoom.width), Int32(DrawnRoom.height))
    var writer = try RecordingWriter(to: FileSink(folder + "/one.slrec"), header: RecordingHeader())
    let setup = TrackingEvent.Setup(width: width, height: height, focal: 275, screenAngle: 0, readout: 1)
    try writer.append(.tracking(.began(setup)), at: 0)
    var sample = 1
    for frame in 0..<Self.frames {
      let time = 0.6 + Double(frame) / 20
      let stamp = time + room.timeOffset
      while Double(sample) / 60 <= stamp {
        let end = Double(sample) / 60
        let (rate, force) = room.reading(from: end - 1.0 / 60, to: end)
        let degrees = rate * (180 / Double.pi)
        let reading = TrackingEvent.Reading(
          rate: Vector3(degrees.x, degrees.y, degrees.z),
          force: Vector3(force.x, force.y, force.z),
          heard: end
        )
        try writer.append(.tracking(.reading(reading)), at: end)
        sample += 1
      }
      try writer.append(.tracking(.frame(.init(heard: stamp, lost: 0, isLimited: false))), at: stamp)
      let picture = Picture(width: Int(width), height: Int(height), layout: .gray, pixels: room.picture(at: time))
      let bytes = damaged == frame ? [1, 2, 3] : try picture.png()
      let recorded = RecordedPicture(width: width, height: height, source: .embedded(.png, bytes: bytes))
      try writer.append(.picture(recorded), at: stamp)
      if let answer { try writer.append(.tracking(.answer(answer)), at: stamp) }
    }
    try writer.finish()
    return folder
  }

  private func replay(_ folder: String) async throws -> Tool.Outcome {
    try await Tool.run("odometry", "track", "--recording", "one.slrec", "--output", "poses.csv", in: folder)
  }

  @Test func `who watches sees how much of the recording is done, and the line is gone at the end`() async throws {
    let folder = try recording()
    let terminal = try #require(Terminal())
    async let shown = Tool.onThread { terminal.readAll() }
    let status = try await Tool.onThread {
      let arguments = ["odometry", "track", "--recording", "one.slrec", "--output", "poses.csv"]
      let process = Tool.process(arguments, in: folder)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = terminal.end
      try process.run()
      process.waitUntilExit()
      try terminal.end.close()
      return process.terminationStatus
    }
    let text = try await shown
    #expect(status == 0)
    let percents = text.split(separator: "\r").compactMap { line -> Int? in
      line.hasSuffix(" %") ? line.split(separator: " ").dropLast().last.flatMap { Int($0) } : nil
    }
    #expect(percents.count > 20 && percents == percents.sorted(), "\(text)")
    // The end of the recording comes after the last picture.
    #expect((95...100).contains(percents.last ?? 0), "\(text)")
    #expect(text.hasSuffix("\r\u{1B}[K"), "\(text)")
  }

  @Test func `a row for each frame, the same in each run`() async throws {
    let folder = try recording()
    let outcome = try await replay(folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("\(Self.frames) frames; of 0 answers of the page 0 are the same to the last bit"))
    let poses = try String(contentsOfFile: folder + "/poses.csv", encoding: .utf8).split(separator: "\n")
    #expect(poses.count == Self.frames + 1 && poses[0].hasPrefix("t,px,py,pz,"))
    let last = poses[Self.frames].split(separator: ",", omittingEmptySubsequences: false)
    #expect(last.count == 15 && ["2", "3"].contains(last[8]), "\(last)")
    _ = try await replay(folder)
    let again = try String(contentsOfFile: folder + "/poses.csv", encoding: .utf8).split(separator: "\n")
    for (a, b) in zip(poses, again) {
      #expect(a.split(separator: ",").dropLast() == b.split(separator: ",").dropLast())
    }
  }

  @Test func `other poses than the page had are said`() async throws {
    let answer = TrackingEvent.Answer([Double](repeating: 3, count: TrackingEvent.Answer.length))
    let outcome = try await replay(try recording(answer: answer))
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("From frame 0 on the page had other poses"), "\(outcome.errors)")
  }

  @Test func `a picture that cannot be decoded is said, and the others are tracked`() async throws {
    let folder = try recording(damaged: 5)
    let outcome = try await replay(folder)
    #expect(outcome.status == 1 && outcome.errors.contains("1 picture"), "\(outcome.errors)")
    let poses = try String(contentsOfFile: folder + "/poses.csv", encoding: .utf8).split(separator: "\n")
    #expect(poses.count == Self.frames)
  }

  @Test func `recordings without tracking and options that contradict are refused`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var writer = try RecordingWriter(to: FileSink(folder + "/one.slrec"), header: RecordingHeader())
    try writer.append(.tick, at: 0)
    // Pictures of no size, and one that nothing announced.
    let setup = TrackingEvent.Setup(width: -1, height: .max, focal: .nan, screenAngle: 7, readout: 99)
    let picture = RecordedPicture(width: 1, height: 1, source: .embedded(.png, bytes: []))
    try writer.append(.picture(picture), at: 0)
    try writer.finish()
    let nothing = try await replay(folder)
    #expect(nothing.status == 1 && nothing.errors.contains("given nothing"), "\(nothing.errors)")
    let both = try await Tool.run(
      "odometry",
      "track",
      "--recording",
      "one.slrec",
      "--input",
      ".",
      "--output",
      "poses.csv",
      in: folder
    )
    #expect(both.status == 64 && both.errors.contains("either --input"), "\(both.errors)")
    var absurd = try RecordingWriter(to: FileSink(folder + "/one.slrec"), header: RecordingHeader())
    try absurd.append(.tracking(.began(setup)), at: 0)
    try absurd.finish()
    let refused = try await replay(folder)
    #expect(refused.status == 1 && refused.errors.contains("cannot be tracked"), "\(refused.errors)")
  }
}

/// A terminal that a program's standard error can be.
private struct Terminal: Sendable {
  /// What the program gets.
  let end: FileHandle
  private let own: Int32

  init?() {
    own = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN: the C library's functions for these are not always declared.
    var (lock, number) = (Int32(0), UInt32(0))
    guard own >= 0, ioctl(own, 0x4004_5431, &lock) == 0, ioctl(own, 0x8004_5430, &number) == 0,
      let end = FileHandle(forUpdatingAtPath: "/dev/pts/\(number)")
    else { return nil }
    self.end = end
  }

  /// All that is written to it until nobody has it open any more.
  func readAll() -> String {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(own, &part, part.count)
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    close(own)
    return String(decoding: bytes, as: UTF8.self)
  }
}
