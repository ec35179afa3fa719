import SightlineImaging
import SightlineInput

/// Why bytes are no target.
public enum TargetFileError: Error, Equatable, Sendable {
  /// The first four bytes are not those of a target file.
  case notATarget
  /// Written by a later version, or by none there ever was: build the target again.
  case version(UInt16)
  /// The file ends too early, or something follows its end.
  case length(needed: Int, given: Int)
  /// The bytes are not the ones that were written.
  case checksum
  /// A number is outside what can be; at this byte.
  case value(at: Int)
}

/// Target files: one target in about 20 to 40 kilobytes.
///
/// Little-endian. `SLTG`, version (2 bytes) and bytes of the small picture's code (2); width and height of the picture
/// (4 each) and of the reference (2 each), pixels;
/// printed width (32-bit float, metres); stars in fiftieths, reasons, quantisation, length of the name (1 each); number
/// of
/// features (2), bytes of the reference's code (4); the name; the code (arithmetic coding of cosine transforms); the
/// code of the
/// reference at ``smallSide`` pixels, for a first look at many targets; the features, 40 bytes each: x and y in 1/64
/// pixel, scale in 1/1024, direction in 1/32768 turn with a bit for light or dark (2 each), 64 numbers
/// of 4 bits; a checksum of everything before (FNV-1a, 4).
public enum TargetFile {
  /// The version that is written; version 1, which has no small picture, is read as well.
  public static let version: UInt16 = 2
  /// Longer side of the small picture, pixels.
  public static let smallSide = 80
  /// Bytes before the name.
  public static let nameOffset = 34
  static let headerLength = nameOffset
  static let featureLength = 40
  /// Longest side of a reference, pixels.
  static let longestReference = 1000
  /// Most features.
  static let featureLimit = 4000
  /// What one step of the 4-bit numbers of a descriptor stands for.
  static let descriptorStep = 7

  /// What a file is made of.
  struct Parts {
    var name: [UInt8]
    var size: (width: Int, height: Int)
    var referenceSize: (width: Int, height: Int)
    var printedWidth: Double
    var rating: TargetRating
    var quantisation: Int
    var code: [UInt8]
    var smallCode: [UInt8]
    var features: FeatureSet
  }

  /// The bytes of a target.
  static func encode(_ target: Parts) -> [UInt8] {
    var out: [UInt8] = [0x53, 0x4C, 0x54, 0x47]
    func put(_ value: UInt32, _ bytes: Int) {
      for i in 0..<bytes { out.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
    }
    put(UInt32(version), 2)
    put(UInt32(clamping: target.smallCode.count), 2)
    put(UInt32(clamping: target.size.width), 4)
    put(UInt32(clamping: target.size.height), 4)
    put(UInt32(clamping: target.referenceSize.width), 2)
    put(UInt32(clamping: target.referenceSize.height), 2)
    put(Float(target.printedWidth).bitPattern, 4)
    out.append(UInt8(clamped: (target.rating.stars * 50).rounded()).clamped(to: 0...250))
    out.append(target.rating.reasons.rawValue)
    out.append(UInt8(clamping: target.quantisation))
    let name = target.name.prefix(255)
    out.append(UInt8(clamping: name.count))
    put(UInt32(clamping: target.features.count), 2)
    put(UInt32(clamping: target.code.count), 4)
    out.append(contentsOf: name)
    out.append(contentsOf: target.code)
    out.append(contentsOf: target.smallCode)
    for (index, feature) in target.features.features.enumerated() {
      put(UInt32(clamped: (feature.x + 0.5) * 64).clamped(to: 0...65535), 2)
      put(UInt32(clamped: (feature.y + 0.5) * 64).clamped(to: 0...65535), 2)
      put(UInt32(clamped: feature.scale * 1024).clamped(to: 64...65535), 2)
      let turn = feature.angle / (2 * .pi) + (feature.angle < 0 ? 1 : 0)
      put((UInt32(clamped: turn * 32768) & 32767) << 1 | (feature.response > 0 ? 1 : 0), 2)
      for i in 0..<(Feature.descriptorLength / 2) {
        let at = index * Feature.descriptorLength + 2 * i
        let low = min(15, (Int(target.features.descriptors[at]) + descriptorStep / 2) / descriptorStep)
        let high = min(15, (Int(target.features.descriptors[at + 1]) + descriptorStep / 2) / descriptorStep)
        out.append(UInt8(truncatingIfNeeded: low | high << 4))
      }
    }
    put(checksum(out[...]), 4)
    return out
  }

  /// The target that bytes hold.
  ///
  /// Any bytes may be given.
  public static func decode(_ bytes: [UInt8]) throws(TargetFileError) -> Target {
    guard bytes.count >= 6, bytes[0] == 0x53, bytes[1] == 0x4C, bytes[2] == 0x54, bytes[3] == 0x47 else {
      throw .notATarget
    }
    func get(_ at: Int, _ count: Int) -> UInt32 {
      var value: UInt32 = 0
      for i in 0..<count { value |= UInt32(bytes[at + i]) << (8 * i) }
      return value
    }
    let version = UInt16(truncatingIfNeeded: get(4, 2))
    guard version == 1 || version == Self.version else { throw .version(version) }
    guard bytes.count >= headerLength + 4 else { throw .length(needed: headerLength + 4, given: bytes.count) }
    let (nameLength, count, codeLength) = (Int(bytes[27]), Int(clamping: get(28, 2)), Int(clamping: get(30, 4)))
    guard count <= featureLimit else { throw .value(at: 28) }
    guard codeLength <= 1 << 24 else { throw .value(at: 30) }
    let smallLength = version == 1 ? 0 : Int(clamping: get(6, 2))
    let needed = headerLength + nameLength + codeLength + smallLength + count * featureLength + 4
    guard bytes.count == needed else { throw .length(needed: needed, given: bytes.count) }
    guard checksum(bytes[..<(needed - 4)]) == get(needed - 4, 4) else { throw .checksum }
    return try content(bytes, nameLength, count, codeLength, smallLength, get)
  }

  private static func content(
    _ bytes: [UInt8],
    _ nameLength: Int,
    _ count: Int,
    _ codeLength: Int,
    _ smallLength: Int,
    _ get: (Int, Int) -> UInt32
  ) throws(TargetFileError) -> Target {
    let (width, height) = (Int(clamping: get(8, 4)), Int(clamping: get(12, 4)))
    guard width > 0, height > 0, width <= GrayView.longestSide, height <= GrayView.longestSide else {
      throw .value(at: 8)
    }
    let (refWidth, refHeight) = (Int(clamping: get(16, 2)), Int(clamping: get(18, 2)))
    guard refWidth > 0, refHeight > 0, refWidth <= longestReference, refHeight <= longestReference else {
      throw .value(at: 16)
    }
    let printed = Float(bitPattern: get(20, 4))
    guard printed.isFinite, printed >= 0, printed < 100_000 else { throw .value(at: 20) }
    guard bytes[24] <= 250 else { throw .value(at: 24) }
    let quantisation = Int(bytes[26])
    guard quantisation >= 1, quantisation <= 64 else { throw .value(at: 26) }
    let start = headerLength + nameLength
    for k in 0..<count {
      let at = start + codeLength + smallLength + k * featureLength
      let (x, y) = (Float(get(at, 2)) / 64, Float(get(at + 2, 2)) / 64)
      guard get(at + 4, 2) >= 64, x <= Float(refWidth) + 1, y <= Float(refHeight) + 1 else { throw .value(at: at) }
    }
    return Target(
      bytes: bytes,
      width: width,
      height: height,
      referenceWidth: refWidth,
      referenceHeight: refHeight,
      printedWidth: Double(printed),
      rating: TargetRating(stars: Double(bytes[24]) / 50, reasons: TargetRating.Reasons(rawValue: bytes[25])),
      featureCount: count,
      quantisation: quantisation,
      code: start..<(start + codeLength),
      smallCode: (start + codeLength)..<(start + codeLength + smallLength)
    )
  }

  /// Size of the small picture of a reference, pixels.
  static func smallSize(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
    let long = max(width, height)
    guard long > smallSide else { return (width, height) }
    return (max(1, (2 * width * smallSide + long) / (2 * long)), max(1, (2 * height * smallSide + long) / (2 * long)))
  }

  /// The features that a file has from a byte on.
  static func features(_ bytes: [UInt8], at start: Int, count: Int) -> FeatureSet {
    var set = FeatureSet()
    set.features.reserveCapacity(count)
    set.descriptors.reserveCapacity(count * Feature.descriptorLength)
    let step = Int16(truncatingIfNeeded: descriptorStep)
    func get(_ at: Int) -> UInt32 { UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 }
    for k in 0..<count {
      let at = start + k * featureLength
      let direction = get(at + 6)
      set.features.append(
        Feature(
          x: Float(get(at)) / 64 - 0.5,
          y: Float(get(at + 2)) / 64 - 0.5,
          scale: Float(get(at + 4)) / 1024,
          angle: wrapped(Float(direction >> 1) / 32768 * 2 * .pi),
          response: direction & 1 == 1 ? 1 : -1
        )
      )
      for i in 0..<(Feature.descriptorLength / 2) {
        let byte = bytes[at + 8 + i]
        set.descriptors.append(Int16(byte & 15) &* step)
        set.descriptors.append(Int16(byte >> 4) &* step)
      }
    }
    return set
  }

  private static func wrapped(_ angle: Float) -> Float { angle > .pi ? angle - 2 * .pi : angle }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash
  }
}
