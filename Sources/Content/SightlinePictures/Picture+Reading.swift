import Foundation

extension Picture {
  /// Reads a picture from a file.
  ///
  /// - Parameters:
  ///   - path: of the file; its format is told by its content.
  ///   - layout: wanted layout. Colour becomes grey with the weights 0.299, 0.587, 0.114; alpha is dropped.
  ///   - limits: on size, checked before decoding.
  /// - Throws: ``PictureError``; it does not name the file.
  public init(contentsOfFile path: String, as layout: PixelLayout, limits: PictureLimits = .init()) throws(PictureError)
  {
    let bytes = try pictureBytes(ofFile: path, limits: limits)
    try self.init(decoding: bytes, as: layout, limits: limits)
  }

  /// Reads a picture from the bytes of a file.
  ///
  /// Pixels are given as they are stored: a turn that a camera noted beside them (Exif) is not carried out, and colour
  /// profiles are not applied.
  ///
  /// - Parameters:
  ///   - bytes: a PNG, JPEG, WebP, binary PGM or binary PPM file.
  ///   - layout: wanted layout. Colour becomes grey with the weights 0.299, 0.587, 0.114; alpha is dropped.
  ///   - limits: on size, checked before decoding.
  /// - Throws: ``PictureError`` for everything but a whole picture within the limits.
  public init(decoding bytes: [UInt8], as layout: PixelLayout, limits: PictureLimits = .init()) throws(PictureError) {
    let result: Result<Picture, PictureError> = bytes.withUnsafeBufferPointer { buffer in
      do throws(PictureError) {
        let header = try PictureHeader(buffer)
        try limits.check(header)
        switch header.format {
        case .png: return .success(try PNGFile.decode(buffer, header, layout))
        case .jpeg: return .success(try JPEGFile.decode(buffer, header, layout))
        case .webp: return .success(try WebPFile.decode(buffer, header, layout))
        case .pnm: return .success(try PNMFile.decode(buffer, layout))
        }
      } catch {
        return .failure(error)
      }
    }
    self = try result.get().converted(to: layout)
  }
}

extension PictureHeader {
  /// Reads the header of a picture file, and nothing behind it that is not needed.
  public init(_ bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) {
    guard let format = PictureFormat(beginningOf: bytes) else {
      let what = bytes.isEmpty ? "the file is empty" : "this is no picture: it begins like no format that is read"
      throw PictureError(.unknownFormat, nil, what, "Give a PNG, JPEG, WebP, binary PGM or binary PPM file.")
    }
    let size: (width: Int, height: Int)
    switch format {
    case .png: size = try PNGFile.size(bytes)
    case .jpeg: size = try JPEGFile.size(bytes)
    case .webp: size = try WebPFile.size(bytes)
    case .pnm:
      let header = try PNMFile.header(bytes)
      size = (header.width, header.height)
    }
    self.init(format: format, width: size.width, height: size.height)
  }
}

/// All bytes of a file, refused when it is too long.
func pictureBytes(ofFile path: String, limits: PictureLimits) throws(PictureError) -> [UInt8] {
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
    throw PictureError(.unreadable, nil, "there is no such file", "Check the path.")
  }
  guard !isFolder.boolValue else {
    throw PictureError(.unreadable, nil, "this is a folder", "Give the files in it.")
  }
  guard let handle = FileHandle(forReadingAtPath: path) else {
    throw PictureError(.unreadable, nil, "the file cannot be opened", "Check its rights.")
  }
  let data: Data
  do {
    // One more than allowed tells a file that is too long from one that just fits, also when it is a pipe.
    data = try handle.read(upToCount: limits.fileBytes + 1) ?? Data()
  } catch {
    throw PictureError(.unreadable, nil, "the file cannot be read", "Check its rights and the disk.")
  }
  guard data.count <= limits.fileBytes else {
    throw PictureError(.tooLarge, nil, "the file has more than \(limits.fileBytes) bytes", "Give a smaller one.")
  }
  return [UInt8](data)
}
