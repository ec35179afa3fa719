import SightlineImaging
import SightlineMath
import Testing

@testable import SightlineOdometry

@Suite struct FeatureTrackerTests {
  private static let (width, height) = (320, 240)

  /// Leaves of many sizes, moved to the right by so many pixels.
  private func picture(movedBy shift: Double) -> [UInt8] {
    var levels = [Double](repeating: 90, count: Self.width * Self.height)
    var seed: UInt64 = 41
    func next() -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(seed >> 40) / Double(1 << 24)
    }
    for _ in 0..<1600 {
      let (x, y, radius) = (next() * 420 - 110 + shift, next() * 220 + 10, 1.2 + 2.2 * next())
      let level = 40 + 180 * next()
      guard x > 0, x < Double(Self.width) else { continue }
      for row in max(0, Int(y - 3 * radius))..<min(Self.height, Int(y + 3 * radius) + 1) {
        for column in max(0, Int(x) - 12)..<min(Self.width, Int(x) + 13) {
          let (dx, dy) = (Double(column) - x, Double(row) - y)
          let share = exp(-(dx * dx + dy * dy) / (radius * radius))
          levels[row * Self.width + column] += share * (level - levels[row * Self.width + column])
        }
      }
    }
    return levels.map { UInt8(min(255, max(0, $0.rounded()))) }
  }

  /// Follows a picture that sets off to the right, three pixels a frame faster with each frame, of which nothing is predicted.
  ///
  /// - Returns: of the last frames, how many tracks were where the picture had moved them.
  private func followed(knowsWay: Bool) throws -> Int {
    let tracker = FeatureTracker()
    let pose = CameraPose(worldFromCamera: .identity, position: .zero)
    var (right, shift) = (0, 0.0)
    for frame in 0..<8 {
      let before = tracker.tracks
      let step = 3 * Double(frame)
      shift += step
      let pixels = picture(movedBy: shift)
      try pixels.withUnsafeBufferPointer { buffer in
        tracker.follow(
          try GrayView(buffer, width: Self.width, height: Self.height, stride: Self.width),
          pose: pose,
          knowsWay: knowsWay,
          predict: { $1 },
          project: { _, _, pixel in pixel + Vector2(step, 0) }
        )
      }
      if frame > 4 {
        for (track, old) in zip(tracker.tracks, before) where track.isFollowed && track.identifier == old.identifier {
          let (dx, dy) = (Double(track.x - old.x) - step, Double(track.y - old.y))
          if dx * dx + dy * dy < 1 { right += 1 }
        }
      }
      tracker.refill()
    }
    return right
  }

  @Test func `fine texture that passes by is followed when it moves as the frame before did`() throws {
    let (alone, together) = (try followed(knowsWay: true), try followed(knowsWay: false))
    #expect(together > 60)
    #expect(together > 2 * alone, "\(together), \(alone)")
  }
}
