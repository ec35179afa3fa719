import SightlineInput
import SightlineMath
import SightlineModels

/// A part of the display that models are drawn into: colours multiplied by alpha, and a depth buffer.
///
/// Everything is drawn with several samples to a pixel, which are averaged at the end. Attributes run over a triangle in
/// perspective; what is nearer hides what is farther; what lets light through is drawn last, from far to near.
struct ModelPicture {
  /// Samples along a pixel's side.
  private static let samples = 2
  /// Nearest that anything is drawn, metres; the web client's near plane.
  private static let near: Float = 0.01

  /// The pixels of the canvas that this covers.
  let left: Int
  let top: Int
  let width: Int
  let height: Int
  /// The lens in samples of this picture; a sample's centre is half way between whole numbers.
  private let focal: SIMD2<Double>
  private let center: SIMD2<Double>
  private let columns: Int
  private let rows: Int
  private var colors: [SIMD4<Float>]
  /// 1 over the depth of what is nearest; 0 where there is nothing.
  private var closeness: [Float]

  /// Draws models; `nil` when none of them is in the picture.
  ///
  /// - Parameters:
  ///   - models: what to draw.
  ///   - lens: in pixels of the canvas, whose corner is (0, 0).
  ///   - width: of the canvas, pixels.
  ///   - height: of the canvas, pixels.
  init?(_ models: [PlacedModel], lens: DisplayLens, width: Int, height: Int) {
    let parts = models.flatMap { Part.all(of: $0) }
    var box = Area()
    for part in parts { box.add(part, lens, near: Double(Self.near)) }
    guard let area = box.clipped(width, height) else { return nil }
    (left, top) = (area.left, area.top)
    (self.width, self.height) = (area.right - area.left, area.bottom - area.top)
    let k = Double(Self.samples)
    focal = SIMD2(lens.focal.x, lens.focal.y) * k
    center = (SIMD2(lens.center.x, lens.center.y) - SIMD2(Double(left), Double(top))) * k
    (columns, rows) = (self.width * Self.samples, self.height * Self.samples)
    colors = [SIMD4<Float>](repeating: .zero, count: columns * rows)
    closeness = [Float](repeating: 0, count: columns * rows)
    for part in parts where part.surface.material.alphaMode != .blend { draw(part) }
    let clear = parts.filter { $0.surface.material.alphaMode == .blend }
    for part in clear.sorted(by: { $0.cameraFromNode.translation.z > $1.cameraFromNode.translation.z }) { draw(part) }
  }

  /// Red, green, blue, each multiplied by alpha, and alpha of a pixel, 0 … 1.
  subscript(x: Int, y: Int) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    for j in 0..<Self.samples {
      for i in 0..<Self.samples { sum += colors[(y * Self.samples + j) * columns + x * Self.samples + i] }
    }
    return sum / Float(Self.samples * Self.samples)
  }

  // MARK: Drawing

  /// Triangles of one material in one node of a model.
  private struct Part {
    var primitive: ModelPrimitive
    var cameraFromNode: Affine
    var surface: ModelSurface

    static func all(of placed: PlacedModel) -> [Part] {
      let model = placed.model.model
      var pose = ModelPose(model)
      if let first = model.animations.first, first.duration > 0 {
        let time = max(0, placed.time)
        pose.update(model, animation: 0, time: time - (time / first.duration).rounded(.down) * first.duration)
      }
      // What is above for the model is above for its light.
      let linear = placed.cameraFromModel.linear
      let light = ModelLight(up: SIMD3(Vector3(linear.row0.y, linear.row1.y, linear.row2.y)).unit)
      return model.drawn.flatMap { node, mesh in
        let modelFromNode = pose.modelFromNode[node]
        return model.meshes[mesh].map { index in
          let primitive = model.primitives[index]
          let material =
            model.materials.indices.contains(primitive.material) ? model.materials[primitive.material] : ModelMaterial()
          let surface = ModelSurface(
            material,
            placed.model.textures,
            light: light,
            isMirrored: modelFromNode.determinant < 0
          )
          return Part(
            primitive: primitive,
            cameraFromNode: placed.cameraFromModel * modelFromNode,
            surface: surface
          )
        }
      }
    }

    /// The vertices before the camera.
    func vertices() -> [ModelVertex] {
      let (p, m) = (primitive, cameraFromNode)
      // Normals are turned by the inverse transposed, which is the cofactors over the determinant.
      let (a, b, c) = (m.linear.row0, m.linear.row1, m.linear.row2)
      let sign: Double = m.determinant < 0 ? -1 : 1
      let turn = Matrix3(rows: b.cross(c) * sign, c.cross(a) * sign, a.cross(b) * sign)
      func three(_ values: [Float], _ index: Int) -> Vector3 {
        Vector3(Double(values[3 * index]), Double(values[3 * index + 1]), Double(values[3 * index + 2]))
      }
      func two(_ values: [Float], _ index: Int) -> SIMD2<Float> {
        values.isEmpty ? .zero : SIMD2(values[2 * index], values[2 * index + 1])
      }
      return (0..<p.vertexCount).map { index in
        let (first, second) = (two(p.textureCoordinates, index), two(p.secondTextureCoordinates, index))
        var tangent = SIMD4<Float>.zero
        if !p.tangents.isEmpty {
          let t =
            m.linear
            * Vector3(
              Double(p.tangents[4 * index]),
              Double(p.tangents[4 * index + 1]),
              Double(p.tangents[4 * index + 2])
            )
          tangent = SIMD4(SIMD3(t), p.tangents[4 * index + 3])
        }
        let hasColor = !p.colors.isEmpty
        return ModelVertex(
          point: SIMD3(m * three(p.positions, index)),
          normal: SIMD3(turn * (p.normals.isEmpty ? Vector3(0, 0, 1) : three(p.normals, index))).unit,
          tangent: tangent,
          coordinates: SIMD4(first.x, first.y, second.x, second.y),
          color: hasColor
            ? SIMD4(p.colors[4 * index], p.colors[4 * index + 1], p.colors[4 * index + 2], p.colors[4 * index + 3])
            : SIMD4(1, 1, 1, 1)
        )
      }
    }
  }

  private mutating func draw(_ part: Part) {
    let vertices = part.vertices()
    let indices = part.primitive.indices
    for first in stride(from: 0, to: indices.count - 2, by: 3) {
      let (a, b, c) = (
        vertices[Int(indices[first])], vertices[Int(indices[first + 1])], vertices[Int(indices[first + 2])]
      )
      let isBefore = (a.point.z >= Self.near, b.point.z >= Self.near, c.point.z >= Self.near)
      if isBefore.0, isBefore.1, isBefore.2 {
        fill(a, b, c, part.surface)
      } else if isBefore.0 || isBefore.1 || isBefore.2 {
        let kept = Self.cut([a, b, c])
        for k in 2..<max(2, kept.count) { fill(kept[0], kept[k - 1], kept[k], part.surface) }
      }
    }
  }

  /// What of a triangle is before the near plane: three or four corners.
  private static func cut(_ triangle: [ModelVertex]) -> [ModelVertex] {
    var kept: [ModelVertex] = []
    for k in triangle.indices {
      let (a, b) = (triangle[k], triangle[(k + 1) % 3])
      if a.point.z >= near { kept.append(a) }
      if (a.point.z >= near) != (b.point.z >= near) {
        kept.append(.between(a, b, (near - a.point.z) / (b.point.z - a.point.z)))
      }
    }
    return kept
  }

  private func place(_ vertex: ModelVertex) -> SIMD2<Double> {
    let z = Double(vertex.point.z)
    return center + focal * SIMD2(Double(vertex.point.x), Double(vertex.point.y)) / z
  }

  /// Fills a triangle that is before the near plane.
  private mutating func fill(_ a: ModelVertex, _ b: ModelVertex, _ c: ModelVertex, _ surface: ModelSurface) {
    let (p, q, r) = (place(a), place(b), place(c))
    let area = (q.x - p.x) * (r.y - p.y) - (r.x - p.x) * (q.y - p.y)
    guard area != 0, area.isFinite else { return }
    // y runs down: what is counter-clockwise as seen has a negative area. A node that mirrors turns it over.
    let isFront = (area < 0) != surface.isMirrored
    guard isFront || surface.material.isDoubleSided else { return }
    let lowX = max(0, Int(clamped: (min(p.x, min(q.x, r.x)) - 0.5).rounded(.up)))
    let highX = Int(clamped: (max(p.x, max(q.x, r.x)) - 0.5).rounded(.down))
    let lowY = max(0, Int(clamped: (min(p.y, min(q.y, r.y)) - 0.5).rounded(.up)))
    let highY = Int(clamped: (max(p.y, max(q.y, r.y)) - 0.5).rounded(.down))
    guard lowX <= min(highX, columns - 1), lowY <= min(highY, rows - 1) else { return }
    // Each weight is linear over the picture: its value at the first sample and its steps.
    let edges = [Edge(q, r, area), Edge(r, p, area), Edge(p, q, area)]
    let inverse = SIMD3<Double>(1 / Double(a.point.z), 1 / Double(b.point.z), 1 / Double(c.point.z))
    let across = SIMD3(edges[0].across, edges[1].across, edges[2].across)
    let down = SIMD3(edges[0].down, edges[1].down, edges[2].down)
    func coordinates(_ weights: SIMD3<Double>) -> SIMD4<Float> {
      let w = SIMD3<Float>(weights * inverse / (weights * inverse).sum())
      return a.coordinates * w.x + b.coordinates * w.y + c.coordinates * w.z
    }
    for y in lowY...min(highY, rows - 1) {
      for x in lowX...min(highX, columns - 1) {
        let sample = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let weights = SIMD3(edges[0].value(sample), edges[1].value(sample), edges[2].value(sample))
        guard edges[0].holds(weights.x), edges[1].holds(weights.y), edges[2].holds(weights.z) else { continue }
        let close = (weights * inverse).sum()
        let k = y * columns + x
        guard Float(close) > closeness[k] else { continue }
        let w = SIMD3<Float>(weights * inverse / close)
        let here = ModelVertex.mix(a, w.x, b, w.y, c, w.z)
        let footprint = ModelSurface.Footprint(
          coordinates: here.coordinates,
          right: coordinates(weights + across),
          below: coordinates(weights + down)
        )
        guard let color = surface.color(here, footprint, isBack: !isFront, (a, b, c)) else { continue }
        if surface.material.alphaMode == .blend {
          colors[k] = color + colors[k] * (1 - color.w)
        } else {
          colors[k] = color
          closeness[k] = Float(close)
        }
      }
    }
  }

  /// The weight of the corner opposite to an edge: 0 on it, 1 at the corner.
  private struct Edge {
    let across: Double
    let down: Double
    private let start: SIMD2<Double>
    /// A sample that lies on an edge belongs to the triangle on one side of it only.
    private let ownsEdge: Bool

    init(_ from: SIMD2<Double>, _ to: SIMD2<Double>, _ area: Double) {
      let way = to - from
      (across, down) = (-way.y / area, way.x / area)
      start = from
      ownsEdge = across > 0 || (across == 0 && down > 0)
    }

    func value(_ p: SIMD2<Double>) -> Double { across * (p.x - start.x) + down * (p.y - start.y) }
    func holds(_ weight: Double) -> Bool { weight > 0 || (weight == 0 && ownsEdge) }
  }

  /// The rectangle that holds all parts.
  private struct Area {
    private var low = Vector2(.infinity, .infinity)
    private var high = Vector2(-.infinity, -.infinity)

    mutating func add(_ part: Part, _ lens: DisplayLens, near: Double) {
      let box = part.primitive.bounds
      let corners = (0..<8).map { k in
        part.cameraFromNode
          * Vector3(
            k & 1 == 0 ? box.minimum.x : box.maximum.x,
            k & 2 == 0 ? box.minimum.y : box.maximum.y,
            k & 4 == 0 ? box.minimum.z : box.maximum.z
          )
      }
      guard corners.contains(where: { $0.z >= near }) else { return }
      guard corners.allSatisfy({ $0.z >= near }) else {
        // Around the eye it may be anywhere.
        (low, high) = (Vector2(-.infinity, -.infinity), Vector2(.infinity, .infinity))
        return
      }
      for corner in corners {
        let p = lens.center + Vector2(lens.focal.x * corner.x / corner.z, lens.focal.y * corner.y / corner.z)
        low = Vector2(min(low.x, p.x), min(low.y, p.y))
        high = Vector2(max(high.x, p.x), max(high.y, p.y))
      }
    }

    func clipped(_ width: Int, _ height: Int) -> (left: Int, top: Int, right: Int, bottom: Int)? {
      let (w, h) = (Double(width), Double(height))
      guard low.x < w, low.y < h, high.x > 0, high.y > 0 else { return nil }
      return (
        Int(clamped: max(0, low.x).rounded(.down)), Int(clamped: max(0, low.y).rounded(.down)),
        Int(clamped: min(w, high.x).rounded(.up)), Int(clamped: min(h, high.y).rounded(.up))
      )
    }
  }
}
