/// What the first bytes of a file that a visual uses say it is.
package enum AssetSniffer {
  /// The media type of a picture or of a model (GLB), or `nil` for anything else.
  package static func mediaType(of bytes: some Collection<UInt8>) -> String? {
    bytes.prefix(4).elementsEqual("glTF".utf8) ? "model/gltf-binary" : ImageSniffer.mediaType(of: bytes)
  }
}

/// What a file beside a document is named for.
package enum CompanionKind: Sendable {
  /// A picture or a model.
  case asset
  /// A sound.
  case sound

  /// The media type, or `nil` when the bytes are not of this kind.
  package func mediaType(of bytes: some Collection<UInt8>) -> String? {
    switch self {
    case .asset: AssetSniffer.mediaType(of: bytes)
    case .sound: SoundSniffer.mediaType(of: bytes)
    }
  }

  /// What messages say of a file that is of another kind.
  package var refusal: String {
    switch self {
    case .asset: "no picture or model that can be shown"
    case .sound: "no sound that can be played"
    }
  }

  /// What helps then.
  package var advice: String {
    switch self {
    case .asset: "use PNG, JPEG, GIF or WebP, or GLB for a model"
    case .sound: "use MP3, MPEG-4, Ogg, WAV, AAC or FLAC"
    }
  }
}

/// What a sound's first bytes say it is.
package enum SoundSniffer {
  /// The media type, or `nil` when the bytes are none of MP3, Ogg, WAV, MPEG-4 audio, AAC and FLAC.
  package static func mediaType(of bytes: some Collection<UInt8>) -> String? {
    let head = Array(bytes.prefix(12))
    func begins(_ signature: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: signature.utf8) }
    if begins("ID3") { return "audio/mpeg" }
    if begins("OggS") { return "audio/ogg" }
    if begins("RIFF"), begins("WAVE", at: 8) { return "audio/wav" }
    // Photographs of many phones are in the same container.
    if begins("ftyp", at: 4) {
      return pictureBrands.contains(String(decoding: head.dropFirst(8), as: UTF8.self)) ? nil : "audio/mp4"
    }
    if begins("fLaC") { return "audio/flac" }
    guard head.count >= 2, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
    // A frame of MPEG audio; layer 0 is AAC's.
    return head[1] & 0x06 == 0 ? (head[1] & 0xF0 == 0xF0 ? "audio/aac" : nil) : "audio/mpeg"
  }

  /// Brands of the MPEG-4 container that are pictures: HEIF and AVIF.
  private static let pictureBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis",
  ]
}

/// What a picture's first bytes say it is.
package enum ImageSniffer {
  /// The media type, or `nil` when the bytes are none of PNG, JPEG, GIF, WebP, BMP and TIFF.
  package static func mediaType(of bytes: some Collection<UInt8>) -> String? {
    let head = Array(bytes.prefix(16))
    func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      head.count >= offset + signature.count && head[offset..<(offset + signature.count)].elementsEqual(signature)
    }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "image/gif" }
    if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
    // "BM" alone begins many a text; a bitmap's reserved bytes are 0.
    if begins(Array("BM".utf8)), begins([0, 0, 0, 0], at: 6) { return "image/bmp" }
    if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) { return "image/tiff" }
    return nil
  }
}
