import SightlineEngine
import SightlineScene

/// A frame of a replayed session, with what belongs to it.
public struct ReplayedFrame: Sendable {
  /// Number of the frame, from 0.
  public var index: Int
  /// What the engine wants drawn.
  public var frame: SceneFrame
  /// The three lights.
  public var status: SessionStatus
  /// The last picture of the camera before the frame, and the time it was taken.
  public var picture: (image: RecordedPicture, time: Double)?
  /// The world in use, with its texts.
  public var world: RecordedWorld?
  /// What really was, as of the last truth before the frame, and its time.
  public var truth: (value: GroundTruth, time: Double)?
  /// What the session wanted done since the frame before.
  public var effects: [SessionEffect]
  /// The session as it was when the frame was made, for what the frame does not say.
  public var session: Session
}

/// What becomes of the frames of a replay: text, pictures, statistics.
public protocol ReplaySink {
  /// Takes a frame; the frames come in order, and are not kept by the player.
  mutating func take(_ frame: ReplayedFrame) throws
}

/// Runs the engine's session over a recording.
///
/// Equal recordings give equal frames, byte for byte, on one machine. Worlds answer the requests of the replayed session:
/// with their recorded number if that is being waited for, else with the number of the request that is, else as soon as
/// one is made. So a recording stays playable when the engine asks at other moments than it did.
public struct RecordingPlayer<Source: RecordingSource> {
  /// What was played.
  public struct Summary: Equatable, Sendable {
    /// Frames made.
    public var frames = 0
    /// Frames that could be drawn: orientation, position, display and camera were known.
    public var validFrames = 0
    /// Events told to the session.
    public var events = 0
    /// Seconds from the first event to the last.
    public var duration = 0.0
    /// Gaps between events that no frames were made in, because they were longer than what was left of
    /// ``RecordingPlayer/longestPauses``.
    public var skippedGaps = 0
  }

  /// When frames are made.
  public enum Pace: Equatable, Sendable {
    /// When they were made in the recorded session.
    case recorded
    /// Every so many seconds, whatever was recorded; but not in gaps beyond ``RecordingPlayer/longestPauses``.
    case every(Double)
  }

  /// Longest time without events that frames are made in, seconds: all gaps of a recording together.
  ///
  /// A clock that leaps by years, or again and again, would ask for billions.
  public static var longestPauses: Double { 3600 }

  /// A gap that is no pause, seconds: some sensor speaks more often.
  private static var shortestPause: Double { 10 }

  /// The recording, for its header and its end.
  public private(set) var reader: RecordingReader<Source>
  /// What was played so far.
  public private(set) var summary = Summary()
  private var session: Session
  private let pace: Pace
  /// When the frames of an even pace began, and how many of them were made since.
  private var paceStart: (time: Double, frames: Int)?
  /// What is left of ``longestPauses``.
  private var pausesLeft = Self.longestPauses
  private var firstTime: Double?
  private var answers = RecordedAnswers()
  private var picture: (image: RecordedPicture, time: Double)?
  private var truth: (value: GroundTruth, time: Double)?
  private var effects: [SessionEffect] = []

  /// A player at the beginning of a recording.
  ///
  /// - Parameters:
  ///   - reader: the recording.
  ///   - parameters: of the session.
  ///   - eyeHeight: metres of the phone above the ground until the recording says otherwise, see ``SessionEvent/setEyeHeight(_:)``.
  ///   - pace: when frames are made; an interval is more than 0.
  public init(
    _ reader: RecordingReader<Source>,
    parameters: Session.Parameters = Session.Parameters(),
    eyeHeight: Double? = nil,
    pace: Pace = .recorded
  ) {
    self.reader = reader
    self.pace = pace
    session = Session(parameters: parameters)
    if let eyeHeight { session.handle(.setEyeHeight(eyeHeight), at: -.infinity) }
  }

  /// Plays to the end, or up to the damage (see ``reader``).
  ///
  /// - Parameters:
  ///   - sink: takes the frames.
  ///   - progress: called after each event with the number of bytes read.
  /// - Throws: what the source or the sink throws.
  public mutating func play(
    into sink: inout some ReplaySink,
    progress: (UInt64) -> Void = { _ in }
  ) throws {
    while let entry = try reader.next() {
      try makeDueFrames(before: entry.time, into: &sink)
      try take(entry, into: &sink)
      progress(reader.offset)
    }
  }

  private mutating func take(_ entry: RecordingEntry, into sink: inout some ReplaySink) throws {
    let time = entry.time
    firstTime = min(firstTime ?? time, time)
    summary.duration = max(summary.duration, time - (firstTime ?? time))
    switch entry.event {
    case .session(let event): tell(event, at: time)
    case .motion(let sample): tell(.motion(sample), at: time)
    case .world(let request, let world):
      answers.arrived(world, for: request)
      answer(at: time)
    case .picture(let image): picture = (image, time)
    case .truth(let value): truth = (value, time)
    case .document, .tracking, .note: break
    case .tick:
      guard pace == .recorded else { return }
      try makeFrame(at: time, into: &sink)
    case .advance:
      session.advance(to: time)
      drain(at: time)
    }
  }

  private mutating func tell(_ event: SessionEvent, at time: Double) {
    summary.events += 1
    session.handle(event, at: time)
    drain(at: time)
  }

  /// Takes the effects, and answers requests with worlds that are waiting.
  private mutating func drain(at time: Double) {
    while let effect = session.nextEffect() {
      effects.append(effect)
      switch effect {
      case .request(let request): answers.asked(request)
      case .cancel(let id): answers.cancelled(id)
      default: break
      }
    }
    answer(at: time)
  }

  private mutating func answer(at time: Double) {
    guard let (request, world) = answers.match() else { return }
    tell(.loaded(request, world.description), at: time)
  }

  private mutating func makeDueFrames(before time: Double, into sink: inout some ReplaySink) throws {
    guard case .every(let interval) = pace else { return }
    // The first one after the first event; a picture's time may lie before it.
    guard var (start, frames) = paceStart else {
      paceStart = (time + interval, 0)
      return
    }
    // Counted and not added up: what is added to a large time may be lost in it, and the time never come.
    var due = start + Double(frames) * interval
    let gap = time - due
    if gap > pausesLeft, gap > Self.shortestPause {
      summary.skippedGaps += 1
      (start, frames, due) = (time, 0, time)
    } else if gap > Self.shortestPause {
      pausesLeft -= gap
    }
    while due <= time {
      try makeFrame(at: due, into: &sink)
      frames += 1
      due = start + Double(frames) * interval
    }
    paceStart = (start, frames)
  }

  private mutating func makeFrame(at time: Double, into sink: inout some ReplaySink) throws {
    session.makeFrame(at: time)
    drain(at: time)
    let frame = ReplayedFrame(
      index: summary.frames,
      frame: session.frame,
      status: session.status,
      picture: picture,
      world: RecordedWorld(shownBy: session, of: answers.loaded),
      truth: truth,
      effects: effects,
      session: session
    )
    effects.removeAll(keepingCapacity: true)
    summary.frames += 1
    if frame.frame.isValid { summary.validFrames += 1 }
    try sink.take(frame)
  }
}
