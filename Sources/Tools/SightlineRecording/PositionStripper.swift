import SightlineEngine

/// Leaves everything out of a recording that tells where somebody was.
///
/// Orientation, motion, display, touches and settings stay; fixes, heights of the ground, worlds with their places and addresses, documents,
/// pictures, truth and remarks go, and so do landmarks pointed at, surveys of anchors, codes that were seen and corrections of the
/// heading, which have places.
public enum PositionStripper {
  /// Whether an event may stay.
  public static func keeps(_ event: RecordingEvent) -> Bool {
    switch event {
    case .world, .document, .picture, .truth, .note: false
    case .session(.fix), .session(.loaded), .session(.pointAtPlace), .session(.survey),
      .session(.ground), .session(.featureGround), .session(.cornerGround), .session(.buildings),
      .session(.restoreHeadingCorrection):
      false
    // What a code says may tell where it hangs.
    case .session(.observations(let observations)):
      !observations.all.contains { if case .code = $0.anchor { true } else { false } }
    case .session, .motion, .tracking, .tick, .advance: true
    }
  }

  /// The header of the stripped recording.
  ///
  /// Of the fields only those stay that are known to say nothing of a place.
  public static func strip(_ header: RecordingHeader) -> RecordingHeader {
    var header = header
    header.fields = header.fields.filter { ["writer", "created", "device"].contains($0.key) }
    header.fields["positions"] = "stripped"
    header.version = RecordingFormat.version
    return header
  }

  /// Copies a recording without positions; what cannot be read is not copied.
  ///
  /// - Returns: the number of events left out.
  public static func copy(
    _ reader: inout RecordingReader<some RecordingSource>,
    to writer: inout RecordingWriter<some RecordingSink>
  ) throws -> Int {
    var removed = 0
    while let entry = try reader.next() {
      if keeps(entry.event) {
        try writer.append(entry.event, at: entry.time)
      } else {
        removed += 1
      }
    }
    if reader.end == .complete { try writer.finish() }
    return removed
  }
}
