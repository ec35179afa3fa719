import SightlineModels

/// GLB: the JSON as a tree, and the container about it.
struct GLBTarget: StructuredTarget {
  static let name = "glb"
  private let samples: [(json: Node, binary: [UInt8])]
  private let breaker: Breaker

  init() {
    var samples: [(json: Node, binary: [UInt8])] = []
    for path in Files.list(["Fixtures/demo/assets", "Fuzz/Structured/Samples/glb"]) where path.hasSuffix(".glb") {
      guard let bytes = Files.load(path) else { continue }
      let length = bytes.number(at: 12, 4)
      guard let json = SampleParser.json(Array(bytes[20..<(20 + length)])) else { continue }
      samples.append((json, Array(bytes[min(bytes.count, 28 + length)...])))
    }
    // Everything that the demonstration's models do not have: skins, textures, cameras, sparse and normalised accessors, extensions.
    for path in Files.list(["Fuzz/Structured/Samples/glb"]) where path.hasSuffix(".gltf") {
      guard let bytes = Files.load(path), let json = SampleParser.json(bytes) else { continue }
      samples.append((json, (0..<768).map { UInt8(truncatingIfNeeded: $0 % 4 == 3 ? 0x3F : $0 / 4) }))
    }
    precondition(!samples.isEmpty, "no models; run it in the root of the repository")
    self.samples = samples
    let sampler = Sampler(samples.map(\.json), isJSON: true)
    var breaker = sampler.breaker
    breaker.values += [
      "SCALAR", "VEC2", "VEC3", "VEC4", "MAT4", "STEP", "LINEAR", "CUBICSPLINE", "MASK", "BLEND", "weights",
    ]
    self.breaker = breaker
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var (json, binary) = samples[random.below(samples.count)]
    breaker.breakTree(&json, &random)
    // References and counts are numbers here: they are broken by numbers near those that stand there.
    if random.once(in: 2) {
      let count = json.count
      for _ in 0..<random.number(in: 1...3) {
        json.change(random.below(count)) { node in
          guard node.kind == .raw else { return }
          node.value = random.once(in: 4) ? String(Values.extremeInteger(&random)) : String(random.number(in: -1...40))
        }
      }
    }
    if random.once(in: 4) { binary.breakFields(&random) }
    var text: [UInt8] = []
    json.json(into: &text)
    breaker.breakBytes(&text, &random)
    while text.count % 4 != 0 { text.append(0x20) }
    let isWrong = random.once(in: 12)
    func length(_ usual: Int) -> Int { isWrong && random.once(in: 3) ? Values.extremeInteger(&random) : usual }
    out.put(0x4654_6C67, 4)
    out.put(length(2), 4)
    out.put(length(28 + text.count + binary.count), 4)
    out.put(length(text.count), 4)
    out.put(length(0x4E4F_534A), 4)
    out += text
    out.put(length(binary.count), 4)
    out.put(length(0x004E_4942), 4)
    out += binary
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    var limits = ModelLimits()
    limits.vertices = 20_000
    limits.indices = 60_000
    limits.keys = 20_000
    guard let model = input.withUnsafeBufferPointer({ try? Model(glb: $0, limits: limits) }) else { return .refused }
    for primitive in model.primitives {
      try require(
        primitive.indices.count % 3 == 0 && primitive.normals.count == primitive.positions.count,
        "uneven lists"
      )
      for index in primitive.indices { try require(Int(index) < primitive.vertexCount, "a corner that is not there") }
      for value in primitive.positions { try require(value.isFinite, "a number that is none") }
      try require(primitive.material < model.materials.count, "a material that is not there")
    }
    for image in model.images { try require(image.range.upperBound <= input.count, "a picture outside the file") }
    for (node, mesh) in model.drawn {
      try require(node < model.nodes.count && mesh < model.meshes.count, "a part that is not there")
    }
    var pose = ModelPose(model)
    for animation in model.animations.indices.prefix(4) {
      for time in [-1, 0.7, model.animations[animation].duration, 1e30] {
        pose.update(model, animation: animation, time: time)
      }
    }
    return .accepted
  }
}
