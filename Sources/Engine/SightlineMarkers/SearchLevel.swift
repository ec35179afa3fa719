import SightlineImaging

/// What a search of one size of the frame keeps from frame to frame.
struct SearchLevel: Sendable {
  var threshold = LocalThreshold()
  var mask = BinaryMask()

  static let none = SearchLevel()

  /// In how many sizes a frame is searched: itself, and halves as long as they are large enough for a marker.
  static func count(width: Int, height: Int) -> Int {
    Pyramid.levelCount(width: width, height: height, least: 100, most: 5)
  }

  /// Makes room for a picture of this size.
  mutating func reserve(width: Int, height: Int) {
    mask.resize(width: width, height: height)
  }
}
