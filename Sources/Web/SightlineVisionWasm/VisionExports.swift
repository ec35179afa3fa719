import SightlineCamera
import SightlineImageTargets
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineVision
import SightlineWasmMemory
import SightlineWasmPictures

// What the page's one vision worker asks: what to look for, and what is in each picture of the camera.
// Pictures are put into the room of `sl_picture`.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var vision = VisionDesk()
nonisolated(unsafe) private var results = Buffer()
/// Where the page writes the walls.
nonisolated(unsafe) private var wallInput = Buffer()

private struct VisionDesk {
  let pipeline = VisionPipeline()
  var frame = GrayImage(width: 1, height: 1)
  var observations: [Observation] = []
  var turns = TurnIntegrator()
  var distortion = LensDistortion.none
  var dictionaries: [MarkerDictionary] = []
  var sides: [MarkerSide] = []
  var usualSide = 0.0

  mutating func process(_ time: Double, _ camera: FrameCamera?, _ turn: Quaternion?) {
    // Out of `self` while it is filled, so that nothing is copied.
    var seen = observations
    observations = []
    frame.withView {
      pipeline.process($0, time: time, camera: camera, previousFromCamera: turn, into: &seen)
    }
    observations = seen
  }

  func watchMarkers() { pipeline.watchMarkers(dictionaries, sides: sides, usualSide: usualSide) }
}

/// Looks for nothing, and knows nothing of earlier pictures: as at the start.
@_expose(wasm) @c public func sl_vision_reset() { vision = VisionDesk() }

/// Looks for markers of these dictionaries from now on: bit n for dictionary n.
///
/// Their sizes are forgotten.
@_expose(wasm) @c public func sl_vision_markers(_ mask: Int32) {
  vision.dictionaries = MarkerDictionary.allCases.filter { mask >> Int32($0.rawValue) & 1 == 1 }
  vision.sides = []
  vision.usualSide = 0
  vision.watchMarkers()
}

/// States the side of a marker's black border, metres; with an id below 0, that of all markers whose side is not stated.
@_expose(wasm) @c public func sl_vision_marker_side(_ dictionary: Int32, _ id: Int32, _ side: Double) {
  guard side > 0, side.isFinite else { return }
  if id < 0 {
    vision.usualSide = side
  } else if let dictionary = UInt8(exactly: dictionary) {
    let marker = AnchorID.marker(dictionary: dictionary, id: id)
    vision.sides.removeAll { $0.marker == marker }
    vision.sides.append(MarkerSide(marker, side: side))
  }
  vision.watchMarkers()
}

/// States how the camera's lens bends what is straight, by OpenCV's five coefficients; all 0 for a straight lens.
@_expose(wasm) @c public func sl_vision_lens(_ k1: Double, _ k2: Double, _ p1: Double, _ p2: Double, _ k3: Double) {
  guard k1.isFinite, k2.isFinite, p1.isFinite, p2.isFinite, k3.isFinite else { return }
  vision.distortion = LensDistortion(k1: k1, k2: k2, p1: p1, p2: p2, k3: k3)
}

/// Whether QR codes are looked for.
@_expose(wasm) @c public func sl_vision_codes(_ areWanted: Int32) { vision.pipeline.looksForCodes = areWanted != 0 }

/// Looks from now on also for the picture whose target file is in the room.
///
/// - Parameters:
///   - number: the page's for it; another picture that has it is let go, what is followed stays followed.
///   - count: bytes of the file.
///   - width: metres, goes before what the file says when it is more than 0.
/// - Returns: whether it was taken: not when it is no target file, as ``sl_target_describe(_:)`` says, or when there are 65535 already.
@_expose(wasm) @c public func sl_vision_add_picture(_ number: Int32, _ count: Int32, _ width: Double) -> Int32 {
  let bytes = roomBytes(count).map { Array($0) } ?? []
  guard let target = try? TargetFile.decode(bytes) else { return 0 }
  return vision.pipeline.addPicture(number, target, width: width) ? 1 : 0
}

/// No longer looks for a picture.
@_expose(wasm) @c public func sl_vision_remove_picture(_ number: Int32) { vision.pipeline.removePicture(number) }

/// Where the page writes the walls.
///
/// For each a head, which says how many members it has, and then those.
///
/// - Parameters:
///   - walls: how many.
///   - members: of all of them together.
/// - Returns: null when the counts are more than fits.
@_expose(wasm) @c public func sl_vision_walls_in(_ walls: Int32, _ members: Int32) -> UnsafeMutablePointer<Double>? {
  guard 0...64 ~= walls, 0...1024 ~= members else { return nil }
  return wallInput.reserveExactly(Int(walls) * WallHeadRow.length + Int(members) * WallMemberRow.length)
    ? wallInput.base : nil
}

/// The walls that were written are those whose poses are wanted.
@_expose(wasm) @c public func sl_vision_walls(_ walls: Int32) {
  var position = 0
  /// The next row; `nil` beyond the room.
  func next(_ length: Int) -> Values? {
    guard position + length <= wallInput.capacity else { return nil }
    defer { position += length }
    return Values(wallInput.base + position)
  }
  var read: [Wall] = []
  for _ in 0..<max(0, min(64, walls)) {
    guard let head = next(WallHeadRow.length) else { break }
    var wall = Wall(id: head.int(WallHeadRow.number), scale: head[WallHeadRow.scale], members: [])
    for _ in 0..<max(0, min(1024, head.int(WallHeadRow.members))) {
      guard let row = next(WallMemberRow.length) else { break }
      let center = Vector2(row[WallMemberRow.center], row[WallMemberRow.center + 1])
      if let anchor = ObservationRow.anchorID(row, WallMemberRow.anchor) {
        wall.members.append(Wall.Member(anchor, center: center))
      }
    }
    read.append(wall)
  }
  vision.pipeline.setWalls(read)
}

/// A reading of the gyroscope: degrees a second about the device's axes (x right, y to its top, z out of the screen), NaN for none; its
/// time and the screen's angle.
@_expose(wasm) @c public func sl_vision_motion(
  _ time: Double,
  _ x: Double,
  _ y: Double,
  _ z: Double,
  _ screenAngle: Int32
) {
  let radians = Angle(degrees: 1).radians
  vision.turns.take(Vector3(x, y, z) * radians, time: time, screenAngleDegrees: screenAngle)
}

/// Takes the picture in the room.
///
/// - Parameters:
///   - format: 0 grey or a plane of luminance, 1 red, green, blue and a byte, 2 blue, green, red and a byte.
///   - width: pixels.
///   - height: pixels.
///   - offset: bytes of the room before the first pixel.
///   - stride: bytes from row to row.
///   - isLimited: whether luminance runs from 16 to 235.
///   - time: when it was taken, seconds, later than the last one.
///   - focal: focal length, pixels; 0 when it is not known: then there are no poses.
/// - Returns: how many rows of ``sl_vision_values()`` say what was seen, or −1 when the room does not hold such a picture.
@_expose(wasm) @c public func sl_vision_frame(
  _ format: Int32,
  _ width: Int32,
  _ height: Int32,
  _ offset: Int32,
  _ stride: Int32,
  _ isLimited: Int32,
  _ time: Double,
  _ focal: Double
) -> Int32 {
  guard time.isFinite, vision.frame.setPicture(format, width, height, offset, stride, isLimited) else { return -1 }
  let camera = intrinsics(width, height, focal).map { FrameCamera(intrinsics: $0, distortion: vision.distortion) }
  let turn = vision.turns.turn(at: time)
  vision.process(time, camera, turn)
  results.reserve(ObservationRow.length * vision.observations.count)
  var out = Writer(results.base)
  for seen in vision.observations { seen.write(to: &out) }
  return Int32(clamping: vision.observations.count)
}

/// What was seen in the last picture, a row each, see `ObservationRow`.
@_expose(wasm) @c public func sl_vision_values() -> UnsafeMutablePointer<Double> { results.base }

/// Makes the codes that were read in the last picture those of ``sl_code_values()``, and answers how many.
///
/// Their order is that of their observations; −1 when that picture was not looked at for codes.
@_expose(wasm) @c public func sl_vision_read_codes() -> Int32 {
  guard vision.pipeline.hasLookedForCodes else { return -1 }
  return showCodes(vision.pipeline.codes)
}

/// Focal length, pixels, of a camera that sees so many degrees along the longer side of a picture; 0 for what no camera sees.
@_expose(wasm) @c public func sl_vision_focal(_ width: Double, _ height: Double, _ fieldOfViewDegrees: Double) -> Double
{
  guard width > 0, height > 0, fieldOfViewDegrees > 1, fieldOfViewDegrees < 179 else { return 0 }
  return Intrinsics(width: width, height: height, longSideFieldOfView: Angle(degrees: fieldOfViewDegrees)).focalX
}

/// A camera whose axis goes through the middle of the picture; `nil` when the focal length is not known.
func intrinsics(_ width: Int32, _ height: Int32, _ focal: Double) -> Intrinsics? {
  guard focal > 0, focal.isFinite else { return nil }
  return Intrinsics(
    width: Double(width),
    height: Double(height),
    focalX: focal,
    focalY: focal,
    centerX: Double(width - 1) / 2,
    centerY: Double(height - 1) / 2
  )
}
