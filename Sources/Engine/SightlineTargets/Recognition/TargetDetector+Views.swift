import SightlineCamera
import SightlineImaging
import SightlineMath

extension TargetDetector {
  /// How many targets come into question in a squeezed view, of few and of many: those with the most votes.
  private static let viewShortlist = (few: 6, many: 40)
  /// Pixels along the shorter side below which a frame is not squeezed.
  private static let leastViewed = 48

  /// Pixels of a frame that are drawn into a view in a microsecond, about.
  private static let drawn = 250

  /// How many targets' matches are looked at.
  var shortlist: Int {
    view < 0 ? effort.shortlist : min(effort.shortlist, hasMany ? Self.viewShortlist.many : Self.viewShortlist.few)
  }

  /// Begins to look at the next squeezed view of the frame; ends the search when that is over.
  func lookAside() -> Int {
    // What the frame nearly says is believed before what a view makes of it.
    if view < 0 { settleDoubts() }
    view = max(view + 1, effort.views.lowerBound)
    let frame = frames.levels[0]
    guard found.isEmpty, effort.views.contains(view), min(frame.width, frame.height) >= Self.leastViewed else {
      stage = .idle
      return 0
    }
    frame.withView { squeezed.draw($0, direction: view) }
    squeezed.picture.withView {
      finder.beginLook($0, frameFromView: squeezed.frameFromView, width: frame.width, height: frame.height)
    }
    candidates.removeAll(keepingCapacity: true)
    (looks, next, attempts, outlineLevel) = (0, 0, 0, 0)
    stage = .look
    return frame.width * frame.height / Self.drawn
  }
}
