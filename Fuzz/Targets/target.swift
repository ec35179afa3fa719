import SightlineCamera
import SightlineImageTargets
import SightlineImaging
import SightlineMath
import SightlineVision

/// A target file of a small picture, made once.
private let whole: [UInt8] = {
  var image = GrayImage(width: 64, height: 48, level: 90)
  var state: UInt32 = 7
  for _ in 0..<60 {
    state = state &* 1_664_525 &+ 1_013_904_223
    let (x, y, level) = (Int(state >> 8) % 58, Int(state >> 16) % 42, UInt8(truncatingIfNeeded: state >> 24))
    for j in y..<(y + 6) { for i in x..<(x + 6) { image[i, j] = level } }
  }
  return image.withView { TargetBuilder().file(of: $0, name: Array("fuzz".utf8), printedWidth: 0.2) }
}()

/// Target files.
///
/// With a first byte below 64 the rest is read as it is; otherwise it changes a whole file, three bytes a change (place and
/// value), the last one may cut it, and the checksum is made right again, so that what lies behind it is reached.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  var bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
  if data[0] >= 64 {
    let changes = bytes
    bytes = whole
    for k in stride(from: 0, to: changes.count - 2, by: 3) {
      bytes[(Int(changes[k]) | Int(changes[k + 1]) << 8) % (bytes.count - 4)] = changes[k + 2]
    }
    if data[0] >= 192 { bytes.removeLast(min(bytes.count - 8, Int(data[0] - 192) * 17)) }
    var hash: UInt32 = 2_166_136_261
    for byte in bytes.dropLast(4) { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    for i in 0..<4 { bytes[bytes.count - 4 + i] = UInt8(truncatingIfNeeded: hash >> UInt32(8 * i)) }
  }
  do throws(TargetFileError) {
    let target = try TargetFile.decode(bytes)
    precondition(target.width > 0 && target.height > 0 && target.rating.stars <= 5)
    let set = target.features()
    precondition(set.count == target.featureCount)
    for feature in set.features { precondition(feature.x.isFinite && feature.scale > 0 && abs(feature.angle) < 4) }
    let reference = target.reference()
    precondition(reference.width == target.referenceWidth && reference.height == target.referenceHeight)
    // A search with it must end, whatever it is; large references only cost time.
    guard reference.width <= 128, reference.height <= 128 else { return 0 }
    let pipeline = VisionPipeline()
    pipeline.addPicture(1, target, width: 0)
    let camera = FrameCamera(
      intrinsics: Intrinsics(
        width: Double(reference.width),
        height: Double(reference.height),
        longSideFieldOfView: Angle(degrees: 60)
      )
    )
    var observations: [Observation] = []
    for time in [0, 0.03] {
      reference.withView { pipeline.process($0, time: time, camera: camera, into: &observations) }
      for seen in observations { precondition(seen.isFinite && seen.anchor == .picture(1)) }
    }
  } catch {
    if error == .version(TargetFile.version) { preconditionFailure("refused for the version it has") }
  }
  return 0
}
