import SightlineImaging
import SightlineMath

/// Pose of the lens: from camera axes to the world's, and its place.
struct CameraPose {
  var worldFromCamera: Matrix3
  var position: Vector3
}

/// What surrounded a track when it was first seen, kept so that following it does not drift.
///
/// A step from frame to frame errs a little each time; compared with the first view the errors do not add up.
final class ReferencePatches {
  /// Side of what is kept, pixels.
  static let side = 26
  private static let middle = 13

  /// From where a track was first seen.
  struct View {
    var pose: CameraPose
    /// Pixel of the track there.
    var pixel: SIMD2<Float>
    /// Place of the track in its block.
    var center: SIMD2<Float>
    var isSet = false
  }

  private(set) var views: [View]
  private let blocks: FixedBuffer<Float>

  init(count: Int) {
    let pose = CameraPose(worldFromCamera: .identity, position: .zero)
    views = [View](repeating: View(pose: pose, pixel: .zero, center: .zero), count: count)
    blocks = FixedBuffer(count: count * Self.side * Self.side, filledWith: 0)
  }

  /// Keeps what surrounds a track now; near the border nothing is kept.
  @_optimize(speed)
  func set(_ track: Int, _ level: LevelPyramid.Level, at place: SIMD2<Float>, pose: CameraPose) {
    views[track].isSet = false
    let (x, y) = (Int(place.x.rounded(.down)) - Self.middle + 1, Int(place.y.rounded(.down)) - Self.middle + 1)
    guard x >= 0, y >= 0, x + Self.side <= level.width, y + Self.side <= level.height else { return }
    let to = blocks.base + track * Self.side * Self.side
    for row in 0..<Self.side {
      let from = level.pixels + ((y + row) * level.width + x)
      for column in 0..<Self.side { to[row * Self.side + column] = from[column] }
    }
    views[track] = View(pose: pose, pixel: place, center: place - SIMD2(Float(x), Float(y)), isSet: true)
  }

  /// Forgets what is kept of a track.
  func remove(_ track: Int) { views[track].isSet = false }

  /// The patch as it should look when a step of one pixel in the frame is one of `matrix` in the kept view.
  ///
  /// - Parameters:
  ///   - track: place in the table.
  ///   - m: by rows: kept view's x by the frame's x and y, then its y.
  /// - Returns: `nil` when it reaches out of what is kept.
  @_optimize(speed)
  func patch(_ track: Int, matrix m: SIMD4<Float>) -> Patch? {
    let view = views[track]
    // The patch with its neighbours reaches 4.5 pixels from the middle.
    let reach = SIMD2(4.5 * (abs(m.x) + abs(m.y)), 4.5 * (abs(m.z) + abs(m.w)))
    let limit = Float(Self.side) - 1.01
    guard view.center.x - reach.x >= 0, view.center.y - reach.y >= 0, view.center.x + reach.x < limit,
      view.center.y + reach.y < limit
    else { return nil }
    let block = UnsafePointer(blocks.base + track * Self.side * Self.side)
    var levels = InlineArray<100, Float>(repeating: 0)
    for row in 0..<10 {
      let v = Float(row) - 4.5
      for column in 0..<10 {
        let u = Float(column) - 4.5
        let x = view.center.x + m.x * u + m.y * v
        let y = view.center.y + m.z * u + m.w * v
        // Both are positive and small, as was seen to above.
        let (left, top) = (Int(x), Int(y))
        let (fx, fy) = (x - Float(left), y - Float(top))
        let at = block + (top * Self.side + left)
        let upper = at[0] + fx * (at[1] - at[0])
        let lower = at[Self.side] + fx * (at[Self.side + 1] - at[Self.side])
        levels[row * 10 + column] = upper + fy * (lower - upper)
      }
    }
    return Patch(levels)
  }
}
