import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineQR

/// The stage of a ``VisionPipeline`` that reads QR codes, now and then.
struct CodeObserver {
  /// Seconds from one look to the next.
  let interval: Double
  /// Every so many looks in vain one is made with all effort.
  let exhaustiveEvery: Int
  private var quick: QRDetector
  private var exhaustive = QRDetector()
  private var found: [DetectedQRCode] = []
  private var lastLook = -Double.infinity
  private var looksInVain = 0
  /// What was read at the last looks, and when.
  private var read: [(hash: UInt64, time: Double)] = []

  init(interval: Double, exhaustiveEvery: Int) {
    self.interval = interval
    self.exhaustiveEvery = max(1, exhaustiveEvery)
    var parameters = QRDetector.Parameters()
    parameters.isThorough = false
    quick = QRDetector(parameters: parameters)
  }

  func isDue(_ time: Double) -> Bool { time - lastLook >= interval }

  mutating func forget() {
    (lastLook, looksInVain) = (-.infinity, 0)
    read.removeAll()
  }

  /// Appends the codes that are read in a frame, and an observation of each.
  ///
  /// - Parameters:
  ///   - frame: grey levels.
  ///   - time: of the frame, seconds.
  ///   - isAnythingFollowed: whether others need the time.
  ///   - codes: gets what was read.
  ///   - observations: gets an observation of each.
  mutating func observe(
    _ frame: GrayView,
    _ time: Double,
    isAnythingFollowed: Bool,
    codes: inout [DetectedQRCode],
    into observations: inout [Observation]
  ) {
    lastLook = time
    let isExhaustive = !isAnythingFollowed && looksInVain % exhaustiveEvery == exhaustiveEvery - 1
    if isExhaustive {
      exhaustive.detect(in: frame, into: &found)
    } else {
      quick.detect(in: frame, into: &found)
    }
    looksInVain = found.isEmpty ? (looksInVain + 1) % exhaustiveEvery : 0
    var now: [(hash: UInt64, time: Double)] = []
    for code in found {
      let hash = code.content.anchorHash
      observations.append(
        Observation(.code(hash), state: read.contains { $0.hash == hash } ? .tracked : .found, corners: code.corners)
      )
      codes.append(code)
      now.append((hash, time))
    }
    // Only what the last looks read is remembered.
    for before in read where time - before.time < 4 * interval && !now.contains(where: { $0.hash == before.hash }) {
      now.append(before)
    }
    read = now
  }
}

extension QRContent {
  /// By what an anchor is known that is this code, see ``SightlineCamera/AnchorID/code(_:)``.
  public var anchorHash: UInt64 { AnchorID.hash(ofCode: segments.lazy.flatMap { $0.bytes }) }
}
