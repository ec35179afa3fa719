import SightlineImaging
import SightlineMath
import Testing

@testable import SightlineOdometry

@Suite struct FeatureTrackerTests {
  private static let (width, height) = (320, 240)

  /// Leaves of many sizes on a plain wall, in the picture's left half; moved to the right by so many pixels.
  private func picture(movedBy shift: Double) -> [UInt8] {
    var levels = [Double](repeating: 90, count: Self.width * Self.height)
    var seed: UInt64 = 41
    func next() -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(seed >> 40) / Double(1 << 24)
    }
    for _ in 0..<700 {
      let (x, y, radius) = (next() * 170 + 10 + shift, next() * 220 + 10, 1.2 + 2.2 * next())
      let level = 40 + 180 * next()
      for row in max(0, Int(y - 3 * radius))..<min(Self.height, Int(y + 3 * radius) + 1) {
        for column in max(0, Int(x - 3 * radius))..<min(Self.width, Int(x + 3 * radius) + 1) {
          let (dx, dy) = (Double(column) - x, Double(row) - y)
          let share = exp(-(dx * dx + dy * dy) / (radius * radius))
          levels[row * Self.width + column] += share * (level - levels[row * Self.width + column])
        }
      }
    }
    return levels.map { UInt8(min(255, max(0, $0.rounded()))) }
  }

  /// Follows a picture that moves by so many pixels a frame, of which nothing is predicted.
  ///
  /// - Returns: of the last frames, how many tracks were where the picture had moved them.
  private func followed(step: Double, knowsWay: Bool) throws -> Int {
    let tracker = FeatureTracker()
    let pose = CameraPose(worldFromCamera: .identity, position: .zero)
    var right = 0
    for frame in 0..<7 {
      let before = tracker.tracks
      let pixels = picture(movedBy: step * Double(frame))
      try pixels.withUnsafeBufferPointer { buffer in
        tracker.follow(
          try GrayView(buffer, width: Self.width, height: Self.height, stride: Self.width),
          pose: pose,
          knowsWay: knowsWay,
          predict: { $1 },
          project: { _, _, pixel in pixel + Vector2(step, 0) }
        )
      }
      if frame > 3 {
        for (track, old) in zip(tracker.tracks, before) where track.isFollowed && track.identifier == old.identifier {
          let (dx, dy) = (Double(track.x - old.x) - step, Double(track.y - old.y))
          if dx * dx + dy * dy < 1 { right += 1 }
        }
      }
      tracker.refill()
    }
    return right
  }

  @Test func `fine texture that passes by is followed once most of it is known to move alike`() throws {
    let (alone, together) = (try followed(step: 17, knowsWay: true), try followed(step: 17, knowsWay: false))
    #expect(together > 120)
    #expect(Double(together) > 1.5 * Double(alone))
  }

  @Test func `where corners are rare more of them are taken close to each other`() throws {
    // The texture is in half of the picture, where parts of 40 pixels have 25 corners at most.
    let tracker = FeatureTracker()
    let pixels = picture(movedBy: 0)
    try pixels.withUnsafeBufferPointer { buffer in
      tracker.follow(
        try GrayView(buffer, width: Self.width, height: Self.height, stride: Self.width),
        pose: CameraPose(worldFromCamera: .identity, position: .zero),
        knowsWay: true,
        predict: { $1 },
        project: { $2 }
      )
    }
    tracker.refill()
    #expect(tracker.tracks.count { $0.isFollowed && $0.x < 185 } > 40)
  }
}
