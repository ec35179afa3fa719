import SightlineInput
import SightlineMath

/// Shapes that stand in for what stands at a place, or show its picture, as GLB files.
enum ThingShape {
  /// The edges of a box as beams that end in its corners.
  ///
  /// - Parameters:
  ///   - low: lowest corner.
  ///   - high: highest corner.
  ///   - thickness: of the beams along each axis.
  ///   - color: linear red, green, blue.
  /// - Returns: the file.
  static func frame(low: Vector3, high: Vector3, thickness: Vector3, color: (Double, Double, Double)) -> [UInt8] {
    var mesh = Mesh()
    let (l, h) = ([low.x, low.y, low.z], [high.x, high.y, high.z])
    let thin = [thickness.x, thickness.y, thickness.z]
    for axis in 0..<3 {
      let (u, v) = ((axis + 1) % 3, (axis + 2) % 3)
      for corner in 0..<4 {
        var (from, to) = (l, h)
        for (side, isHigh) in [(u, corner & 1 == 1), (v, corner & 2 == 2)] {
          // What is flat keeps a beam as thick as its other sides.
          let t = min(thin[side], max(h[side] - l[side], 0))
          (from[side], to[side]) = isHigh ? (h[side] - t, h[side]) : (l[side], l[side] + t)
        }
        mesh.addBox(from, to)
      }
    }
    return mesh.glb(color: color, picture: nil)
  }

  /// A picture on a rectangle about the origin, x to the right, y up: one unit wide.
  ///
  /// - Parameters:
  ///   - png: the picture.
  ///   - height: in its widths.
  /// - Returns: the file.
  static func picture(png: [UInt8], height: Double) -> [UInt8] {
    var mesh = Mesh()
    let y = height / 2
    mesh.addSquare([[-0.5, y, 0], [-0.5, -y, 0], [0.5, -y, 0], [0.5, y, 0]])
    return mesh.glb(color: (1, 1, 1), picture: png)
  }

  private struct Mesh {
    private var positions: [Float] = []
    private var coordinates: [Float] = []
    private var indices: [UInt16] = []

    mutating func addBox(_ low: [Double], _ high: [Double]) {
      func corner(_ k: Int) -> [Double] { (0..<3).map { k >> $0 & 1 == 1 ? high[$0] : low[$0] } }
      // Counter-clockwise as seen from outside.
      for face in [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] {
        addSquare(face.map(corner))
      }
    }

    mutating func addSquare(_ corners: [[Double]]) {
      let first = UInt16(clamping: positions.count / 3)
      for corner in corners { positions += corner.map { Float($0) } }
      coordinates += [0, 0, 0, 1, 1, 1, 1, 0]
      indices += [0, 1, 2, 0, 2, 3].map { first &+ $0 }
    }

    func glb(color: (Double, Double, Double), picture: [UInt8]?) -> [UInt8] {
      var binary: [UInt8] = []
      var views: [String] = []
      func add(_ bytes: [UInt8]) {
        while binary.count % 4 != 0 { binary.append(0) }
        views.append(#"{"buffer":0,"byteOffset":\#(binary.count),"byteLength":\#(bytes.count)}"#)
        binary += bytes
      }
      add(positions.flatMap { Self.bytes($0.bitPattern) })
      add(coordinates.flatMap { Self.bytes($0.bitPattern) })
      add(indices.flatMap { Self.bytes($0) })
      if let picture { add(picture) }
      let (low, high) = bounds
      let texture =
        picture == nil
        ? ""
        : #","images":[{"bufferView":3,"mimeType":"image/png"}],"samplers":[{"wrapS":33071,"wrapT":33071}],"textures":[{"source":0,"sampler":0}]"#
      let coat = picture == nil ? "" : #","baseColorTexture":{"index":0}"#
      var text = Array(
        #"""
        {"asset":{"version":"2.0"},"extensionsUsed":["KHR_materials_unlit"],"buffers":[{"byteLength":\#(binary.count)}],
        "bufferViews":[\#(views.joined(separator: ","))],"accessors":[
        {"bufferView":0,"componentType":5126,"type":"VEC3","count":\#(positions.count / 3),"min":\#(low),"max":\#(high)},
        {"bufferView":1,"componentType":5126,"type":"VEC2","count":\#(positions.count / 3)},
        {"bufferView":2,"componentType":5123,"type":"SCALAR","count":\#(indices.count)}],
        "materials":[{"doubleSided":true,"alphaMode":"\#(picture == nil ? "OPAQUE" : "BLEND")","extensions":{"KHR_materials_unlit":{}},
        "pbrMetallicRoughness":{"baseColorFactor":[\#(color.0),\#(color.1),\#(color.2),1]\#(coat)}}]\#(texture),
        "meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"indices":2,"material":0}]}],
        "nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]}
        """#.utf8
      )
      while text.count % 4 != 0 { text.append(0x20) }
      while binary.count % 4 != 0 { binary.append(0) }
      let header: [UInt32] = [0x4654_6C67, 2, UInt32(clamping: 28 + text.count + binary.count)]
      return header.flatMap { Self.bytes($0) } + Self.bytes(UInt32(clamping: text.count)) + Array("JSON".utf8) + text
        + Self.bytes(UInt32(clamping: binary.count)) + [0x42, 0x49, 0x4E, 0] + binary
    }

    private var bounds: (low: [Float], high: [Float]) {
      var (low, high) = (
        [Float](repeating: .greatestFiniteMagnitude, count: 3), [Float](repeating: -.greatestFiniteMagnitude, count: 3)
      )
      for (index, value) in positions.enumerated() {
        low[index % 3] = min(low[index % 3], value)
        high[index % 3] = max(high[index % 3], value)
      }
      return (low, high)
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
  }
}
