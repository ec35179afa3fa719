import SightlineImageTargets
import SightlineImaging
import SightlineMath

/// Makes a ``MapView`` of a frame, in steps that are spread over the frames that follow.
final class MapViewBuilder {
  /// Most features of a view.
  static let mostFeatures = 240
  /// Shorter sides from which on the halved picture shows enough.
  private static let halvedFrom = 400

  private let extractor = FeatureExtractor(limit: mostFeatures)
  private var set = FeatureSet()
  private var pixels = FixedBuffer<UInt8>(count: 1, filledWith: 0)
  private var (width, height, step) = (0, 0, 1)
  private var clone: Clone?
  private var camera: CameraEstimate?
  private var epoch = 0
  private var variance = MapVariance(position: 0, yaw: 0)

  /// Whether a frame is being worked on.
  var isBusy: Bool { clone != nil }

  /// Forgets the frame.
  func cancel() { clone = nil }

  /// Takes a frame, whose grey levels are kept.
  ///
  /// - Parameters:
  ///   - picture: the frame.
  ///   - clone: its pose.
  ///   - camera: lens and mounting.
  ///   - epoch: which filter the pose is of.
  ///   - variance: of the pose.
  @_optimize(speed)
  func begin(_ picture: GrayView, clone: Clone, camera: CameraEstimate, epoch: Int, variance: MapVariance) {
    step = min(picture.width, picture.height) >= Self.halvedFrom ? 2 : 1
    (width, height) = (picture.width / step, picture.height / step)
    guard width >= 32, height >= 32 else { return }
    if pixels.count < width * height { pixels = FixedBuffer(count: width * height, filledWith: 0) }
    let to = pixels.base
    for y in 0..<height {
      let row = to + y &* width
      if step == 1 {
        let from = picture.row(y)
        for x in 0..<width { row[x] = from[x] }
      } else {
        let (a, b) = (picture.row(2 &* y), picture.row(2 &* y &+ 1))
        for x in 0..<width {
          let sum = UInt16(a[2 &* x]) &+ UInt16(a[2 &* x &+ 1]) &+ UInt16(b[2 &* x]) &+ UInt16(b[2 &* x &+ 1])
          row[x] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
        }
      }
    }
    (self.clone, self.camera, self.epoch, self.variance) = (clone, camera, epoch, variance)
    if let view { extractor.begin(view, &set) }
  }

  private var view: GrayView? {
    try? GrayView(
      UnsafeBufferPointer(start: pixels.base, count: width * height),
      width: width,
      height: height,
      stride: width
    )
  }

  /// Goes on.
  ///
  /// - Parameter budget: about so many microseconds of work.
  /// - Returns: the view when it is complete.
  func advance(budget: Int) -> MapView? {
    guard let clone, let camera, let view else { return nil }
    var left = budget
    while !extractor.isDone {
      guard left > 0 else { return nil }
      left -= extractor.advance(view, into: &set)
    }
    self.clone = nil
    return make(clone, camera)
  }

  private func make(_ clone: Clone, _ camera: CameraEstimate) -> MapView {
    let lever = clone.attitude * camera.lever
    let attitude = clone.attitude * camera.deviceFromCamera
    let down = attitude.transposedTimes(Vector3(0, 0, -1))
    var features: [MapFeature] = []
    features.reserveCapacity(set.count)
    let (fine, shift) = (Double(step), 0.5 * Double(step - 1))
    for feature in set.features {
      let pixel = Vector2(Double(feature.x) * fine + shift, Double(feature.y) * fine + shift)
      let seen = camera.ray(through: pixel)
      // The line was read before or after the middle of the exposure.
      let delay = camera.readout * camera.line(of: pixel)
      let turn = clone.rate * delay + clone.rateSlope * (0.5 * delay * delay)
      let turned = clone.attitude * Matrix3(Quaternion(rotationVector: turn))
      let ray = turned * (camera.deviceFromCamera * seen)
      let origin = clone.velocity * delay + turned * camera.lever - lever
      let length = ray.length
      // Where down is in the picture at this place.
      let (x, y) = (down.x - seen.x * down.z, down.y - seen.y * down.z)
      let angle = Double(feature.angle) - atan2(y, x)
      let unit = ray * (1 / max(1e-9, length))
      features.append(
        MapFeature(
          ray: SIMD3(Float(unit.x), Float(unit.y), Float(unit.z)),
          origin: SIMD3(Float(origin.x), Float(origin.y), Float(origin.z)),
          place: SIMD2(feature.x / Float(width), feature.y / Float(height)),
          size: feature.scale * Float(step) / Float(camera.focal),
          group: MapView.group(angle: angle.isFinite ? angle : 0, isLight: feature.response > 0)
        )
      )
    }
    return MapView(
      lens: clone.position + lever,
      worldFromCamera: attitude,
      lever: lever,
      time: clone.time,
      epoch: epoch,
      variance: variance,
      features: features,
      numbers: set.descriptors
    )
  }
}
