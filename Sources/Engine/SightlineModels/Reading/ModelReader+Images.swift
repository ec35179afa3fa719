import SightlineInput
import SightlineMath

extension ModelReader {
  mutating func readImages() throws(ModelError) {
    for entry in try entries(.image, "images") {
      var image = ModelImage()
      if let view = try reference(entry, "bufferView", into: views.count) {
        let data = bytes(of: views[view])
        let start = buffers.buffers[views[view].buffer].start
        image.encoding = Self.encoding(data)
        if start >= 0 {
          image.range = start + views[view].offset..<start + views[view].offset + views[view].length
        } else {
          try countPicture(data.count, entry)
          image.bytes = [UInt8](data)
        }
      } else if let address = json.member(entry.value, "uri") {
        try expect(.string, address, entry, "uri")
        image.bytes = try dataAddress(address, entry)
        try countPicture(image.bytes.count, entry)
        image.encoding = image.bytes.withUnsafeBufferPointer { Self.encoding($0) }
      } else {
        throw error(.missing, entry, "bufferView")
      }
      model.images.append(image)
    }
    let samplers = try entries(.sampler, "samplers")
    for entry in try entries(.texture, "textures") {
      var texture = ModelTexture()
      texture.image = try reference(entry, "source", into: model.images.count) ?? -1
      if let extensions = try object(entry, "extensions"), let webp = try object(extensions, "EXT_texture_webp") {
        texture.image = try reference(webp, "source", into: model.images.count) ?? texture.image
      }
      if let sampler = try reference(entry, "sampler", into: samplers.count) {
        texture.wrapU = try wrap(samplers[sampler], "wrapS")
        texture.wrapV = try wrap(samplers[sampler], "wrapT")
        switch try count(samplers[sampler], "magFilter") {
        case nil, 9729: texture.isNearest = false
        case 9728: texture.isNearest = true
        default: throw error(.value, samplers[sampler], "magFilter")
        }
      }
      model.textures.append(texture)
    }
  }

  /// Any number of pictures may name the same bytes, and each has a copy of its own.
  private mutating func countPicture(_ count: Int, _ entry: Entry) throws(ModelError) {
    pictureBytes = pictureBytes.saturatingAdd(count)
    guard pictureBytes <= limits.pictureBytes else { throw error(.limit, entry) }
  }

  private func wrap(_ sampler: Entry, _ property: StaticString) throws(ModelError) -> ModelTexture.Wrap {
    switch try count(sampler, property) {
    case nil, 10497: return .repeat
    case 33071: return .clamp
    case 33648: return .mirror
    default: throw error(.value, sampler, property)
    }
  }

  /// By the first bytes: what a file says of its pictures is often wrong.
  private static func encoding(_ bytes: UnsafeBufferPointer<UInt8>) -> ModelImage.Encoding {
    func begins(_ letters: [UInt8], at start: Int = 0) -> Bool {
      guard bytes.count >= start + letters.count else { return false }
      for k in 0..<letters.count where bytes[start + k] != letters[k] { return false }
      return true
    }
    if begins([0x89, 0x50, 0x4E, 0x47]) { return .png }
    if begins([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if begins([0x52, 0x49, 0x46, 0x46]), begins([0x57, 0x45, 0x42, 0x50], at: 8) { return .webp }
    return .unknown
  }
}
