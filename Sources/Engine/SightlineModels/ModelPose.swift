import SightlineMath

/// Where the nodes of a model are at a moment.
///
/// Made once for a model and updated for each frame; an update does not allocate.
public struct ModelPose: Sendable {
  /// For each node, the map from its own frame to the model's.
  public private(set) var modelFromNode: [Affine]
  private var translations: [Vector3]
  private var rotations: [Quaternion]
  private var scales: [Vector3]

  /// The model at rest.
  public init(_ model: Model) {
    let count = model.nodes.count
    modelFromNode = [Affine](repeating: .identity, count: count)
    translations = [Vector3](repeating: .zero, count: count)
    rotations = [Quaternion](repeating: .identity, count: count)
    scales = [Vector3](repeating: .zero, count: count)
    update(model, animation: nil, time: 0)
  }

  /// Moves the nodes.
  ///
  /// - Parameters:
  ///   - model: the model that this was made for.
  ///   - animation: index of the movement, `nil` for the model at rest.
  ///   - time: seconds; before the first and after the last key a movement stands still.
  /// - Precondition: the animation exists, and the model has as many nodes as the one this was made for.
  public mutating func update(_ model: Model, animation: Int?, time: Double) {
    precondition(model.nodes.count == modelFromNode.count)
    for index in 0..<model.nodes.count {
      translations[index] = model.nodes[index].translation
      rotations[index] = model.nodes[index].rotation
      scales[index] = model.nodes[index].scale
    }
    if let animation { move(model.animations[animation], time) }
    for index in model.order {
      let parent = model.nodes[index].parent
      let local =
        model.nodes[index].hasMatrix
        ? model.nodes[index].matrix
        : Affine(translation: translations[index], rotation: rotations[index], scale: scales[index])
      modelFromNode[index] = parent < 0 ? local : modelFromNode[parent] * local
    }
  }

  private mutating func move(_ animation: ModelAnimation, _ time: Double) {
    for channel in animation.channels {
      let v = animation.curves[channel.curve].value(at: time, isRotation: channel.path == .rotation)
      switch channel.path {
      case .translation: translations[channel.node] = Vector3(v.x, v.y, v.z)
      case .rotation: rotations[channel.node] = Quaternion(w: v.w, x: v.x, y: v.y, z: v.z)
      case .scale: scales[channel.node] = Vector3(v.x, v.y, v.z)
      }
    }
  }
}
