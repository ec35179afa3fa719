import SightlineMath

extension ModelReader {
  mutating func readAnimations() throws(ModelError) {
    for entry in try entries(.animation, "animations") {
      var animation = ModelAnimation()
      animation.name = json.member(entry.value, "name").flatMap { json.string($0) } ?? []
      let samplers = try list(entry, "samplers")
      var curves = [Int](repeating: -1, count: samplers.count)
      for (index, value) in (try list(entry, "channels")).enumerated() {
        let channel = Entry(value: value, part: .animation, index: entry.index, subindex: index)
        try expect(.object, value, channel, "")
        guard let sampler = try reference(channel, "sampler", into: samplers.count) else {
          throw error(.missing, channel, "sampler")
        }
        guard let target = try object(channel, "target") else { throw error(.missing, channel, "target") }
        // A channel without a node is for extensions.
        guard let node = try reference(target, "node", into: model.nodes.count) else { continue }
        guard let path = try path(target) else { continue }
        let width = path == .rotation ? 4 : 3
        if curves[sampler] < 0 {
          let source = Entry(value: samplers[sampler], part: .animation, index: entry.index, subindex: sampler)
          try expect(.object, source.value, source, "")
          animation.curves.append(try curve(source, width))
          curves[sampler] = animation.curves.count - 1
        }
        let curve = curves[sampler]
        guard animation.curves[curve].width == width else { throw error(.format, channel, "sampler") }
        // A place given as a matrix cannot be moved in parts: glTF 2.0, section 3.5.3.
        guard !model.nodes[node].hasMatrix else { throw error(.format, target, "node") }
        animation.duration = max(animation.duration, Double(animation.curves[curve].times.last ?? 0))
        animation.channels.append(.init(node: node, path: path, curve: curve))
      }
      model.animations.append(animation)
    }
  }

  /// `nil` for what is not a movement of the node.
  private mutating func path(_ target: Entry) throws(ModelError) -> ModelAnimation.Path? {
    guard let value = json.member(target.value, "path") else { throw error(.missing, target, "path") }
    if json.isEqual(value, "translation") { return .translation }
    if json.isEqual(value, "rotation") { return .rotation }
    if json.isEqual(value, "scale") { return .scale }
    if json.isEqual(value, "weights") {
      model.omissions.insert(.morphTargets)
      return nil
    }
    if json.isEqual(value, "pointer") {
      model.omissions.insert(.extensions)
      return nil
    }
    throw error(.value, target, "path")
  }

  private mutating func curve(_ entry: Entry, _ width: Int) throws(ModelError) -> ModelAnimation.Curve {
    var interpolation = ModelAnimation.Interpolation.linear
    if json.member(entry.value, "interpolation") != nil, !says(entry, "interpolation", "LINEAR") {
      if says(entry, "interpolation", "STEP") {
        interpolation = .step
      } else if says(entry, "interpolation", "CUBICSPLINE") {
        interpolation = .cubicSpline
      } else {
        throw error(.value, entry, "interpolation")
      }
    }
    guard let input = try reference(entry, "input", into: accessors.count) else {
      throw error(.missing, entry, "input")
    }
    guard let output = try reference(entry, "output", into: accessors.count) else {
      throw error(.missing, entry, "output")
    }
    let keys = try accessor(input, widths: 1...1, user: entry, "input")
    guard keys.component == .float else { throw error(.format, entry, "input") }
    let values = try accessor(output, widths: width...width, user: entry, "output")
    guard values.component != .unsignedInt, values.component == .float || values.isNormalized else {
      throw error(.format, entry, "output")
    }
    let perKey = interpolation == .cubicSpline ? 3 : 1
    // Divided, since the product need not fit 32 bits.
    guard values.count % perKey == 0, values.count / perKey == keys.count else { throw error(.count, entry, "output") }
    guard keys.count <= limits.keys, values.count <= limits.keys / 4 else { throw error(.limit, entry, "output") }
    keyCount += keys.count + values.count * width
    guard keyCount <= limits.keys else { throw error(.limit, entry, "output") }
    let times = try floats(keys)
    for k in 0..<times.count where times[k] < 0 || (k > 0 && times[k] <= times[k - 1]) {
      throw error(.order, entry, "input")
    }
    return ModelAnimation.Curve(interpolation: interpolation, times: times, values: try floats(values), width: width)
  }
}
