/// File formats that pictures are read from.
public enum PictureFormat: String, CaseIterable, Sendable {
  /// PNG, of any bit depth.
  case png
  /// JPEG, baseline and progressive.
  case jpeg
  /// WebP, with and without loss, not animated.
  case webp
  /// Binary PGM and PPM (P5, P6).
  case pnm

  /// Its usual name.
  public var name: String {
    switch self {
    case .png: "PNG"
    case .jpeg: "JPEG"
    case .webp: "WebP"
    case .pnm: "PGM/PPM"
    }
  }

  /// The format that bytes begin like; names of files are not looked at.
  public init?(beginningOf bytes: UnsafeBufferPointer<UInt8>) {
    func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + signature.count && signature.indices.allSatisfy { bytes[offset + $0] == signature[$0] }
    }
    if begins(PNGFile.signature) {
      self = .png
    } else if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins(Array("RIFF".utf8)) && begins(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else if begins(Array("P5".utf8)) || begins(Array("P6".utf8)) {
      self = .pnm
    } else {
      return nil
    }
  }
}

/// What a file says about its picture before its pixels.
public struct PictureHeader: Equatable, Sendable {
  /// Of the file.
  public var format: PictureFormat
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int
}

/// How large a picture may be; checked against the header, before anything is decoded.
public struct PictureLimits: Sendable {
  /// Most pixels; default 100 million.
  public var pixels = 100_000_000
  /// Most pixels along a side; default 32767.
  public var side = 32767
  /// Most bytes of a file; default 512 million.
  public var fileBytes = 512_000_000

  /// The defaults.
  public init() {}

  func check(_ header: PictureHeader) throws(PictureError) {
    let (width, height, format) = (header.width, header.height, header.format)
    guard width > 0, height > 0 else {
      throw PictureError(.empty, format, "the picture has no pixels (\(width) × \(height))", "Export it again.")
    }
    guard width <= side, height <= side, width * height <= pixels else {
      throw PictureError(
        .tooLarge,
        format,
        "the picture has \(width) × \(height) pixels; at most \(side) a side and \(pixels) in all are read",
        "Scale it down."
      )
    }
  }
}

/// Why a picture cannot be read or written: what is wrong, and what to do.
public struct PictureError: Error, Equatable, CustomStringConvertible {
  /// Kinds of faults.
  public enum Kind: Equatable, Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// The bytes begin like none of the formats.
    case unknownFormat
    /// A kind of picture that is not read.
    case unsupported
    /// The file ends too early.
    case truncated
    /// The file contradicts itself or its checksums.
    case damaged
    /// Above the limits.
    case tooLarge
    /// No pixels.
    case empty
    /// The picture cannot be written in this format.
    case notWritable
  }

  /// The kind of fault.
  public let kind: Kind
  /// Format of the file, when it is known.
  public let format: PictureFormat?
  /// A sentence of what is wrong and one of what to do.
  public let description: String

  init(_ kind: Kind, _ format: PictureFormat?, _ what: String, _ advice: String) {
    self.kind = kind
    self.format = format
    description = (format.map { "\($0.name): " } ?? "") + "\(what). \(advice)"
  }
}
