import SightlineImaging

/// What a search of one size of the frame keeps from frame to frame.
struct SearchLevel: Sendable {
  /// The frame at this size; of the frame itself a smooth copy, when it is noisy.
  var picture = GrayImage(width: 1, height: 1)
  var threshold = LocalThreshold()
  var ink = InkMap()

  static let none = SearchLevel()
}
