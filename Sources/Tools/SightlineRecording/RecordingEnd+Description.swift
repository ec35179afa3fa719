extension RecordingEnd: CustomStringConvertible {
  /// A sentence for people: where the recording ends and what is lost.
  public var description: String {
    switch self {
    case .complete: "The recording is complete."
    case .unfinished: "The recording has no end mark: it was interrupted or cut, but all that is there was read."
    case .truncated(let damage): "The recording is cut at byte \(damage.offset). \(damage.loss)"
    case .damaged(let damage): "The recording is damaged at byte \(damage.offset): \(damage.reason). \(damage.loss)"
    }
  }
}

extension RecordingDamage.Reason: CustomStringConvertible {
  /// What is wrong, in a few words.
  public var description: String {
    switch self {
    case .cut: "the file ends inside a chunk"
    case .head: "there is no sound head of a chunk"
    case .payload: "the checksum of a chunk does not agree"
    case .content(let kind): "a chunk contradicts its kind, \(kind)"
    }
  }
}

extension RecordingDamage {
  fileprivate var loss: String {
    let before = "The \(chunksBefore) chunks before it were read; \(bytesLost) bytes are lost"
    guard chunksAfter > 0, let lastTimeAfter else { return before + "." }
    return before + ", in them \(chunksAfter) sound chunks that reach up to \(lastTimeAfter) s."
  }
}
