import SightlineImaging
import SightlineMath

/// A part of the frame in which markers are looked for.
struct Window: Equatable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var area: Int { width * height }

  init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The surroundings of a marker's expected place; `nil` when that lies outside the frame.
  ///
  /// Room on each side: a sixth of the marker, for its white margin, and more when it moves, for what the prediction leaves
  /// open, or when it was not seen in the last frame.
  init?(around marker: TrackedMarker, _ frame: GrayView) {
    var (left, top) = (Double.infinity, Double.infinity)
    var (right, bottom) = (-Double.infinity, -Double.infinity)
    for i in 0..<4 {
      let corner = marker.corners[i]
      left = min(left, corner.x)
      right = max(right, corner.x)
      top = min(top, corner.y)
      bottom = max(bottom, corner.y)
    }
    let side = marker.side
    var room = max(8, side / 6)
    if !marker.isSeen { room += side }
    if !marker.isResting {
      var speed = 0.0
      for i in 0..<4 { speed = max(speed, marker.velocity[i].length) }
      // Half of what it moves within a thirtieth of a second may be wrong.
      room += min(side, 2 + speed / 60)
    }
    guard left.isFinite, top.isFinite, right.isFinite, bottom.isFinite else { return nil }
    let (width, height) = (Double(frame.width), Double(frame.height))
    left = max(0, left - room)
    top = max(0, top - room)
    right = min(width, right + room + 1)
    bottom = min(height, bottom + room + 1)
    guard right - left >= 8, bottom - top >= 8 else { return nil }
    self.init(x: Int(left), y: Int(top), width: Int(right) - Int(left), height: Int(bottom) - Int(top))
  }

  func contains(_ point: Vector2) -> Bool {
    point.x >= Double(x) && point.y >= Double(y) && point.x < Double(x + width) && point.y < Double(y + height)
  }

  func union(_ other: Window) -> Window {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return Window(
      x: left,
      y: top,
      width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top
    )
  }
}

extension [Window] {
  /// Joins windows that together take no more than apart, so that no marker is found twice and no pixel is searched twice.
  mutating func mergeOverlaps() {
    var first = 0
    while first < count {
      var second = first + 1
      var hasGrown = false
      while second < count {
        let union = self[first].union(self[second])
        let overlap =
          self[first].x < self[second].x + self[second].width && self[second].x < self[first].x + self[first].width
          && self[first].y < self[second].y + self[second].height && self[second].y < self[first].y + self[first].height
        if overlap || union.area <= self[first].area + self[second].area {
          self[first] = union
          remove(at: second)
          hasGrown = true
        } else {
          second += 1
        }
      }
      // A larger window may now reach others that were passed.
      if !hasGrown { first += 1 }
    }
  }
}
