/// Why there is no recording to read, or an event cannot be written.
public enum RecordingError: Error, Equatable, CustomStringConvertible {
  /// The first eight bytes are others.
  case noRecording
  /// The first eight bytes are there, as they look after a transfer as text.
  case transferredAsText
  /// There is no sound header after the first eight bytes.
  case noHeader
  /// A later version of the format.
  case laterVersion(UInt16)
  /// An event with more bytes than a chunk may have.
  case tooLarge(bytes: Int)
  /// An event whose time is not a number, or not in ``RecordingFormat/times``.
  case noTime

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .noRecording: "This is not a recording: the first eight bytes are others."
    case .transferredAsText:
      "The recording was transferred as text, which changes its bytes. Copy it again in binary mode."
    case .noHeader: "The recording ends or is damaged before its first event. Nothing can be played."
    case .laterVersion(let version):
      "The recording has version \(version) of the format; this program reads up to \(RecordingFormat.version). Use a "
        + "newer program."
    case .tooLarge(let bytes):
      "An event of \(bytes) bytes is too large: at most \(RecordingFormat.largestPayload) fit into a chunk. Use smaller "
        + "pictures or a video file."
    case .noTime:
      "An event without a time, or more than 1e12 seconds from 0, cannot be recorded: give it seconds on the session's clock."
    }
  }
}
