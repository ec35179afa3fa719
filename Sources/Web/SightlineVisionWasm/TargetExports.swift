import SightlineImageTargets
import SightlineImaging
import SightlineMath
import SightlineWasmMemory
import SightlineWasmPictures

// Target files made of pictures, and what they say of themselves; `WebClient/engine/targets.js` mirrors the layout. Pictures and
// target files are put into the one room, see PictureInput.swift. Pictures in the camera's: VisionExports.swift.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var file: [UInt8] = []
nonisolated(unsafe) private var results = Buffer()

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
  file = picture.withView {
    TargetBuilder().file(of: $0, name: name, printedWidth: isKnown ? printedWidth : 0)
  }
  return Int32(file.count)
}

/// Puts the target file that was built last into the room, and answers where that is.
@_expose(wasm) @c public func sl_target_file() -> UnsafeMutablePointer<UInt8>? {
  guard let to = sl_picture(Int32(max(1, file.count))) else { return nil }
  for i in file.indices { to[i] = file[i] }
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

/// The values of the last call.
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
