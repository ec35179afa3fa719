import SightlineImaging

/// What a search of one size of the frame keeps from frame to frame.
struct SearchLevel: Sendable {
  /// The frame at this size; of the frame itself a smooth copy, when it is noisy.
  var picture = GrayImage(width: 1, height: 1)
  var threshold = LocalThreshold()
  var ink = InkMap()

  static let none = SearchLevel()

  /// In how many sizes a frame is searched: itself, and halves as long as they are large enough for a marker.
  static func count(width: Int, height: Int) -> Int {
    var count = 1
    while count < 5, min(width, height) >> count >= 100 { count += 1 }
    return count
  }

  /// Makes room for a picture of this size.
  mutating func reserve(width: Int, height: Int) {
    picture.resize(width: width, height: height)
    ink.resize(width: width, height: height)
  }
}
