import SightlineImaging
import SightlineMath

/// What one frame shows that can be found again: directions with descriptors, and distances as far as they are known.
///
/// Directions are told in the axes of the filter's world from the place of the lens: z is up, and two views of one filter differ by a
/// shift alone. Features are sorted by whether they are dark or light and by how they are turned against the vertical, so that only
/// those that can be the same are compared.
final class MapView {
  /// Numbers of a descriptor.
  static let length = 64
  /// Parts of a full turn.
  private static let turns = 16
  /// Groups of features: dark and light, each by its turn.
  static let groups = 2 * turns

  /// Where the lens was in the filter's world, metres.
  let lens: Vector3
  /// From camera axes to the filter's world.
  let worldFromCamera: Matrix3
  /// From the place of the device to that of the lens, in the filter's world, metres.
  let lever: Vector3
  /// On the clock of the sensors, seconds.
  let time: Double
  /// Which filter's world it is.
  let epoch: Int
  /// Variances of place, m², and yaw, rad², in the filter's world.
  let variance: MapVariance
  /// Features.
  let count: Int
  /// Directions, of length 1.
  let rays: [SIMD3<Float>]
  /// From the place of the lens to where it was when the feature's line was read, metres.
  let origins: [SIMD3<Float>]
  /// Where in the picture, 0 … 1 across and down.
  let places: [SIMD2<Float>]
  /// Sizes, radians.
  let sizes: [Float]
  /// First feature of each group.
  let starts: [Int]
  /// Inverse distances, 1/m; 0 when not known.
  var rho: [Float]
  /// Their deviations, 1/m.
  var rhoDeviation: [Float]
  private let descriptors: FixedBuffer<Float>

  /// A view of features in any order.
  ///
  /// - Parameters:
  ///   - lens: place of the lens, metres.
  ///   - worldFromCamera: attitude of the lens.
  ///   - lever: from the device to the lens, metres.
  ///   - time: of the exposure, seconds.
  ///   - epoch: which filter.
  ///   - variance: of the filter's pose.
  ///   - features: directions, origins, places, sizes, groups.
  ///   - numbers: descriptors, ``length`` numbers each.
  init(
    lens: Vector3,
    worldFromCamera: Matrix3,
    lever: Vector3,
    time: Double,
    epoch: Int,
    variance: MapVariance,
    features: [MapFeature],
    numbers: [Int16]
  ) {
    (self.lens, self.worldFromCamera, self.lever) = (lens, worldFromCamera, lever)
    (self.time, self.epoch, self.variance) = (time, epoch, variance)
    var first = [Int](repeating: 0, count: Self.groups + 1)
    for feature in features { first[feature.group + 1] += 1 }
    for i in 0..<Self.groups { first[i + 1] += first[i] }
    starts = first
    var order = [Int](repeating: 0, count: features.count)
    for (index, feature) in features.enumerated() {
      order[first[feature.group]] = index
      first[feature.group] += 1
    }
    count = features.count
    rays = order.map { features[$0].ray }
    origins = order.map { features[$0].origin }
    places = order.map { features[$0].place }
    sizes = order.map { features[$0].size }
    rho = [Float](repeating: 0, count: features.count)
    rhoDeviation = rho
    descriptors = FixedBuffer(count: features.count * Self.length, filledWith: 0)
    for (place, index) in order.enumerated() {
      var sum: Float = 0
      for i in 0..<Self.length {
        let value = Float(numbers[index * Self.length + i])
        sum += value * value
      }
      let scale = sum > 0 ? 1 / sum.squareRoot() : 0
      for i in 0..<Self.length {
        descriptors.base[place * Self.length + i] = scale * Float(numbers[index * Self.length + i])
      }
    }
  }

  /// The group of a feature.
  ///
  /// - Parameters:
  ///   - angle: of its strongest gradient against the vertical as the picture is seen, radians.
  ///   - isLight: whether it is light on dark.
  /// - Returns: from 0 on.
  static func group(angle: Double, isLight: Bool) -> Int {
    let part = (wrapToPi(angle) + .pi) * Double(turns) / (2 * .pi)
    let turn = part >= 0 && part < Double(turns) ? Int(part) : 0
    return (isLight ? turns : 0) + turn
  }

  /// The ranges of features that may be the same as those of a group: its own and its two neighbours.
  func forEachNear(_ group: Int, _ body: (Range<Int>) -> Void) {
    let side = group / Self.turns * Self.turns
    let turn = group - side
    for step in [Self.turns - 1, 0, 1] {
      let other = side + (turn + step) % Self.turns
      if starts[other] < starts[other + 1] { body(starts[other]..<starts[other + 1]) }
    }
  }

  /// Cosine of the angle between a descriptor and one of another view: 1 when they are equal.
  @inline(__always)
  func likeness(_ index: Int, to other: MapView, _ otherIndex: Int) -> Float {
    let a = UnsafeRawPointer(descriptors.base + index &* Self.length)
    let b = UnsafeRawPointer(other.descriptors.base + otherIndex &* Self.length)
    var sum = SIMD8<Float>.zero
    for i in 0..<8 {
      let x = a.loadUnaligned(fromByteOffset: 32 &* i, as: SIMD8<Float>.self)
      let y = b.loadUnaligned(fromByteOffset: 32 &* i, as: SIMD8<Float>.self)
      sum += x * y
    }
    return sum.sum()
  }

  /// The point of a feature whose distance is known, from the place of the lens, metres.
  @inline(__always)
  func point(_ index: Int) -> Vector3 {
    let p = origins[index] + rays[index] / rho[index]
    return Vector3(Double(p.x), Double(p.y), Double(p.z))
  }

  /// Features whose distance is known.
  var pointCount: Int {
    var count = 0
    for value in rho where value > 0 { count += 1 }
    return count
  }

  /// Which way the lens looks.
  var axis: Vector3 { Vector3(worldFromCamera.row0.z, worldFromCamera.row1.z, worldFromCamera.row2.z) }
}

/// A feature as it is found.
struct MapFeature {
  var ray: SIMD3<Float>
  var origin: SIMD3<Float>
  var place: SIMD2<Float>
  var size: Float
  var group: Int
}

/// How uncertain a place and a yaw are.
struct MapVariance {
  /// Of the place along an axis, m².
  var position: Double
  /// rad².
  var yaw: Double

  /// Of what is known.
  static let none = MapVariance(position: 0, yaw: 0)

  static func + (a: MapVariance, b: MapVariance) -> MapVariance {
    MapVariance(position: a.position + b.position, yaw: a.yaw + b.yaw)
  }

  /// What has come to it since an earlier one, not less than nothing.
  func growth(since earlier: MapVariance) -> MapVariance {
    MapVariance(position: max(0, position - earlier.position), yaw: max(0, yaw - earlier.yaw))
  }
}
