import Foundation
import SightlineMath
import Testing

@testable import SightlineModels

@Suite struct MaterialTests {
  @Test func `everything a material can say`() throws {
    var file = GLBFile.square()
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]
    let view = file.view(png)
    file.json["images"] = [
      ["bufferView": view, "mimeType": "image/jpeg"],
      ["uri": "data:image/jpeg;base64," + Data([0xFF, 0xD8, 0xFF, 9]).base64EncodedString()],
      ["uri": "data:image/webp;base64," + Data([UInt8]("RIFF0000WEBP".utf8)).base64EncodedString()],
    ]
    file.json["samplers"] = [["wrapS": 33071, "wrapT": 33648, "magFilter": 9728], [:]]
    file.json["textures"] = [
      ["source": 0, "sampler": 0], ["source": 1], ["source": 0, "extensions": ["EXT_texture_webp": ["source": 2]]],
    ]
    file.json["materials"] = [
      [
        "pbrMetallicRoughness": [
          "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.5, "roughnessFactor": 0.6,
          "baseColorTexture": [
            "index": 0,
            "extensions": ["KHR_texture_transform": ["offset": [0.5, 0.25], "scale": [2, 3], "rotation": 1.5]],
          ], "metallicRoughnessTexture": ["index": 1, "texCoord": 1],
        ], "normalTexture": ["index": 2, "scale": 0.7], "occlusionTexture": ["index": 0, "strength": 0.8],
        "emissiveTexture": ["index": 1, "texCoord": 2], "emissiveFactor": [0.5, 0.25, 0], "alphaMode": "MASK",
        "alphaCutoff": 0.3, "doubleSided": true,
        "extensions": ["KHR_materials_unlit": [:], "KHR_materials_emissive_strength": ["emissiveStrength": 4]],
      ], [:],
    ]
    let bytes = file.bytes
    let model = try Model(glb: bytes)
    let m = model.materials[0]
    #expect(m.baseColor == [0.1, 0.2, 0.3, 0.4] && m.metallic == 0.5 && m.roughness == 0.6)
    #expect(m.baseColorTexture.texture == 0 && m.baseColorTexture.set == 0)
    #expect(m.baseColorTexture.offset == Vector2(0.5, 0.25) && m.baseColorTexture.scale == Vector2(2, 3))
    #expect(m.baseColorTexture.rotation == 1.5)
    #expect(m.metallicRoughnessTexture.texture == 1 && m.metallicRoughnessTexture.set == 1)
    #expect(m.normalTexture.texture == 2 && m.normalScale == 0.7)
    #expect(m.occlusionTexture.texture == 0 && m.occlusionStrength == 0.8)
    #expect(m.emissiveTexture.texture == -1, "its coordinates are not read")
    #expect(m.emissive == [2, 1, 0] && m.alphaMode == .mask && m.alphaCutoff == 0.3)
    #expect(m.isDoubleSided && m.isUnlit && model.omissions == .furtherTextureCoordinates)

    let plain = model.materials[1]
    #expect(plain.baseColor == [1, 1, 1, 1] && plain.metallic == 1 && plain.roughness == 1)
    #expect(plain.alphaMode == .opaque && plain.alphaCutoff == 0.5 && !plain.isDoubleSided && !plain.isUnlit)

    // The encoding is what the bytes say, whatever the file claims.
    #expect(model.images.map(\.encoding) == [.png, .jpeg, .webp])
    #expect([UInt8](bytes[model.images[0].range]) == png && model.images[0].bytes.isEmpty)
    #expect(model.images[1].range.isEmpty && model.images[1].bytes == [0xFF, 0xD8, 0xFF, 9])
    #expect(model.textures.map(\.image) == [0, 1, 2])
    #expect(model.textures[0].wrapU == .clamp && model.textures[0].wrapV == .mirror && model.textures[0].isNearest)
    #expect(model.textures[1].wrapU == .repeat && !model.textures[1].isNearest)
  }

  @Test func `a buffer may be a data address`() throws {
    var file = GLBFile.square()
    let text = Data(file.binary).base64EncodedString()
    file.json["buffers"] = [
      ["byteLength": file.binary.count, "uri": "data:application/octet-stream;base64,\(text)"]
    ]
    file.binary = []
    #expect(try Model(glb: file.bytes).primitives[0].indices == [0, 1, 2, 0, 2, 3])
  }

  @Test(arguments: ["", "Q", "QU", "QUI", "QUJD", "QUJDRA", "QUJDRA==", "QUJDREU=", "A===", "Q=U=", "Q*==", "QUJDRE U"])
  func `base64 is decoded as Foundation does, padded or not`(text: String) {
    let padded = text.contains("=") ? text : text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    let expected = Data(base64Encoded: padded).map { [UInt8]($0) }
    #expect(decodedBase64([UInt8](text.utf8)[...]) == expected, "\(text)")
  }
}
