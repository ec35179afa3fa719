import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTargets
import SightlineWasmMemory

// Flat pictures as targets, for an instance in a worker; `WebClient/engine/targets.js` mirrors the layout. Pictures and
// target files are put into the one room, see PictureInput.swift.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var watch = TargetWatch()
nonisolated(unsafe) private var results = Buffer()

/// Numbers in a row of ``sl_target_values()`` after a frame.
private let rowLength = 32
/// Numbers in a row after ``sl_target_features(_:)``.
private let featureLength = 5

/// Makes a target of the picture in the room.
///
/// - Parameters:
///   - nameLength: bytes of its name, UTF-8, which stand at the beginning of the room.
///   - format: 0 grey or a plane of luminance, 1 red, green, blue and a byte, 2 blue, green, red and a byte.
///   - width: pixels.
///   - height: pixels.
///   - offset: bytes of the room before the first pixel.
///   - stride: bytes from row to row.
///   - isLimited: whether luminance runs from 16 to 235.
///   - printedWidth: of the whole print, metres; 0 when it is not known.
/// - Returns: bytes of the target file, see ``sl_target_file()``; −1 when the room does not hold such a picture.
@_expose(wasm) @c public func sl_target_build(
  _ nameLength: Int32,
  _ format: Int32,
  _ width: Int32,
  _ height: Int32,
  _ offset: Int32,
  _ stride: Int32,
  _ isLimited: Int32,
  _ printedWidth: Double
) -> Int32 {
  guard let name = roomBytes(nameLength).map({ Array($0) }) else { return -1 }
  var picture = GrayImage(width: 1, height: 1)
  guard picture.setPicture(format, width, height, offset, stride, isLimited) else { return -1 }
  let isKnown = printedWidth > 0 && printedWidth < 100_000
  watch.file = picture.withView {
    TargetBuilder().file(of: $0, name: name, printedWidth: isKnown ? printedWidth : 0)
  }
  return Int32(watch.file.count)
}

/// Puts the target file that was built last into the room, and answers where that is.
@_expose(wasm) @c public func sl_target_file() -> UnsafeMutablePointer<UInt8>? {
  guard let to = sl_picture(Int32(max(1, watch.file.count))) else { return nil }
  for i in watch.file.indices { to[i] = watch.file[i] }
  return to
}

/// Reads the target file in the first bytes of the room.
///
/// - Returns: 0, and the values are: width and height of the picture it was made from, of the reference, printed width (metres, 0
///   unknown), stars, reasons as bits, number of features, first byte of the name, its length. Otherwise why it is none,
///   1 no target file, 2 another version, 3 length, 4 checksum, 5 a number, and the values are: the version, or the
///   bytes needed and given, or the place of the number.
@_expose(wasm) @c public func sl_target_describe(_ count: Int32) -> Int32 {
  results.reserve(16)
  var out = Writer(results.base)
  do throws(TargetFileError) {
    let target = try TargetFile.decode(bytes(count))
    out.put(target.width)
    out.put(target.height)
    out.put(target.referenceWidth)
    out.put(target.referenceHeight)
    out.put(target.printedWidth)
    out.put(target.rating.stars)
    out.put(Int(target.rating.reasons.rawValue))
    out.put(target.featureCount)
    out.put(TargetFile.nameOffset)
    out.put(target.name.count)
    return 0
  } catch {
    return write(error, &out)
  }
}

/// The features of the target file in the room, strongest first, five values each: place, size and direction in the
/// picture it was made from, and 1 for light in the dark; answers how many, −1 when it is no target file.
@_expose(wasm) @c public func sl_target_features(_ count: Int32) -> Int32 {
  guard let target = try? TargetFile.decode(bytes(count)) else { return -1 }
  let features = target.features().features
  results.reserve(features.count * featureLength)
  var out = Writer(results.base)
  let k = Double(target.width) / Double(target.referenceWidth)
  for feature in features {
    out.put((Double(feature.x) + 0.5) * k - 0.5)
    out.put((Double(feature.y) + 0.5) * Double(target.height) / Double(target.referenceHeight) - 0.5)
    out.put(Double(feature.scale) * k)
    out.put(Double(feature.angle))
    out.put(feature.response > 0)
  }
  return Int32(features.count)
}

/// Looks from now on also for the target whose file is in the room.
///
/// `printedWidth` in metres goes before what the file says when it is more than 0. What is followed stays followed.
/// Answers a number of its own for the target, never given again; −1 when it is no target file, as ``sl_target_describe(_:)`` says.
@_expose(wasm) @c public func sl_target_add(_ count: Int32, _ printedWidth: Double) -> Int32 {
  guard watch.entries.count < 65535, let target = try? TargetFile.decode(bytes(count)) else { return -1 }
  let isGiven = printedWidth > 0 && printedWidth < 100_000
  watch.last += 1
  watch.entries.append(
    TargetWatch.Entry(id: watch.last, target: target, printedWidth: isGiven ? printedWidth : target.printedWidth)
  )
  watch.isChanged = true
  return watch.last
}

/// No longer looks for a target.
@_expose(wasm) @c public func sl_target_remove(_ id: Int32) {
  watch.entries.removeAll { $0.id == id }
  watch.isChanged = true
}

/// The camera of the next frames, pixels; a focal length of 0 when it is not known: no poses then.
@_expose(wasm) @c public func sl_target_camera(
  _ focalX: Double,
  _ focalY: Double,
  _ centerX: Double,
  _ centerY: Double
) {
  let isKnown = focalX > 0 && focalY > 0 && (focalX + focalY + centerX + centerY).isFinite
  watch.camera = isKnown ? (focalX, focalY, centerX, centerY) : nil
}

/// Takes the frame in the room and finds and follows the targets in it.
///
/// - Parameters:
///   - format: as for ``sl_target_build(_:_:_:_:_:_:_:_:)``.
///   - width: pixels.
///   - height: pixels.
///   - offset: bytes of the room before the first pixel.
///   - stride: bytes from row to row.
///   - isLimited: whether luminance runs from 16 to 235.
///   - time: seconds, later than the last frame's.
///   - hasTurn: whether the four numbers after it are given.
///   - w: how the camera turned since the last frame, a unit quaternion from the camera's axes now to those at the last
///     frame (x right, y down, z forward).
///   - x: as above.
///   - y: as above.
///   - z: as above.
/// - Returns: how many targets are looked for, each with a row of values; −1 when the room does not hold such a picture.
@_expose(wasm) @c public func sl_target_frame(
  _ format: Int32,
  _ width: Int32,
  _ height: Int32,
  _ offset: Int32,
  _ stride: Int32,
  _ isLimited: Int32,
  _ time: Double,
  _ hasTurn: Int32,
  _ w: Double,
  _ x: Double,
  _ y: Double,
  _ z: Double
) -> Int32 {
  guard time.isFinite, watch.frame.setPicture(format, width, height, offset, stride, isLimited) else { return -1 }
  let turn = hasTurn != 0 ? Quaternion(w: w, x: x, y: y, z: z).normalized : nil
  watch.process(time, turn)
  watch.write(time)
  return Int32(watch.entries.count)
}

/// The values of the last call.
///
/// After a frame 32 for each target: its number; state (0 lost, 1 detected, 2 tracked, 3 extrapolated); the outer corners
/// from the picture's own top left clockwise; standard deviation of the corners, pixels; share that agrees; patches that agree;
/// whether there is a pose, `cameraFromTarget` as quaternion (w first) and translation, and the width it is told in, metres
/// (0: in target widths); the map from the picture's pixels to the frame's, row by row; seconds since it was last seen (−1: never).
@_expose(wasm) @c public func sl_target_values() -> UnsafeMutablePointer<Double> { results.base }

private func bytes(_ count: Int32) -> [UInt8] { roomBytes(count).map { Array($0) } ?? [] }

private func write(_ error: TargetFileError, _ out: inout Writer) -> Int32 {
  switch error {
  case .notATarget: return 1
  case .version(let version):
    out.put(Int(version))
    return 2
  case .length(let needed, let given):
    out.put(needed)
    out.put(given)
    return 3
  case .checksum: return 4
  case .value(let at):
    out.put(at)
    return 5
  }
}

private struct TargetWatch {
  struct Entry {
    var id: Int32
    var target: Target
    /// Metres; 0 when unknown.
    var printedWidth: Double
    var seen = -Double.infinity
  }

  var entries: [Entry] = []
  var last: Int32 = -1
  var isChanged = false
  var camera: (focalX: Double, focalY: Double, centerX: Double, centerY: Double)?
  var frame = GrayImage(width: 1, height: 1)
  var tracker: TargetTracker?
  var sightings: [TargetSighting] = []
  var file: [UInt8] = []

  mutating func process(_ time: Double, _ turn: Quaternion?) {
    let tracker = self.tracker ?? TargetTracker(targets: [])
    self.tracker = tracker
    if isChanged { tracker.setTargets(entries.map { $0.target }) }
    isChanged = false
    tracker.intrinsics = intrinsics
    frame.withView { tracker.process($0, time: time, turn: turn, into: &sightings) }
    for sighting in sightings where sighting.state != .extrapolated { entries[sighting.target].seen = time }
    // The page draws: what is seen again in another place goes there instead of jumping.
    for i in sightings.indices { sightings[i].frameFromPicture = sightings[i].shownFromPicture }
  }

  private var intrinsics: Intrinsics? {
    camera.map {
      Intrinsics(
        width: Double(frame.width),
        height: Double(frame.height),
        focalX: $0.focalX,
        focalY: $0.focalY,
        centerX: $0.centerX,
        centerY: $0.centerY
      )
    }
  }

  func write(_ time: Double) {
    results.reserve(rowLength * entries.count)
    for (index, entry) in entries.enumerated() {
      var out = Writer(results.base + index * rowLength)
      let sighting = sightings.first { $0.target == index }
      out.put(entry.id)
      write(sighting, entry, &out)
      while out.position < rowLength - 1 { out.put(0.0) }
      out.put(entry.seen.isFinite ? time - entry.seen : -1)
    }
  }

  private func write(_ sighting: TargetSighting?, _ entry: Entry, _ out: inout Writer) {
    let size = (width: entry.target.width, height: entry.target.height)
    guard let sighting, let corners = sighting.corners(width: size.width, height: size.height) else {
      return out.put(0)
    }
    switch sighting.state {
    case .detected: out.put(1)
    case .tracked: out.put(2)
    case .extrapolated: out.put(3)
    }
    for k in 0..<4 {
      out.put(corners[k].x)
      out.put(corners[k].y)
    }
    out.put(sighting.cornerSigma)
    out.put(sighting.agreement)
    out.put(sighting.inlierCount)
    let pose = intrinsics.flatMap {
      sighting.pose(
        intrinsics: $0,
        width: size.width,
        height: size.height,
        printedWidth: entry.printedWidth > 0 ? entry.printedWidth : 1
      )
    }
    out.put(pose != nil)
    let q = pose?.cameraFromTarget ?? .identity
    out.put(q.w)
    out.put(q.x)
    out.put(q.y)
    out.put(q.z)
    let t = pose?.translation ?? .zero
    out.put(t.x)
    out.put(t.y)
    out.put(t.z)
    out.put(entry.printedWidth)
    let m = sighting.frameFromPicture.matrix
    for row in [m.row0, m.row1, m.row2] {
      out.put(row.x)
      out.put(row.y)
      out.put(row.z)
    }
  }
}
