/// Tells when the place is known by the motion sensors alone, and until when it is not to be believed.
struct LossWatch {
  /// Tracks below which nothing is seen.
  private static let fewestTracks = 10
  /// Time without them after which the place is lost, seconds.
  private static let bridged = 0.35
  /// Time after which what was not recognised is gone on with as it is, seconds of seeing again.
  private static let patience = 8.0

  private var blindSince = Double.nan
  private var seeingSince = Double.nan
  /// Whether the place is lost.
  private(set) var isLost = false
  /// Whether something is seen now.
  private(set) var isSeeing = true

  /// Takes how many tracks were found in a frame.
  mutating func note(tracks: Int, time: Double) {
    isSeeing = tracks >= Self.fewestTracks
    if isSeeing {
      blindSince = .nan
      if seeingSince.isNaN { seeingSince = time }
      if isLost, time - seeingSince > Self.patience { isLost = false }
    } else {
      if blindSince.isNaN { blindSince = time }
      if time - blindSince > Self.bridged { (isLost, seeingSince) = (true, .nan) }
    }
  }

  /// Notes that the place was found.
  mutating func found() { isLost = false }
}
