import SightlineMath

/// A three-dimensional model as glTF 2.0 describes it, ready to be drawn.
///
/// Model frame (glTF 2.0, section 3.4): right-handed, y up, front towards +z, metres. Front faces run counter-clockwise
/// as seen, unless the node mirrors (``Affine/determinant`` below 0).
///
/// ```swift
/// let model = try Model(glb: bytes)
/// var pose = ModelPose(model)
/// pose.update(model, animation: 0, time: 1.25)
/// for (node, mesh) in model.drawn { draw(model.meshes[mesh], modelFromNode: pose.modelFromNode[node]) }
/// ```
public struct Model: Sendable {
  /// Node of the tree.
  public struct Node: Sendable {
    /// UTF-8; empty when it has none.
    public var name: [UInt8] = []
    /// The node it hangs on; −1 for a root.
    public var parent = -1
    /// Its mesh; −1 for none.
    public var mesh = -1
    /// Whether its place is given as ``matrix``; otherwise as translation, rotation and scale, which may be animated.
    public var hasMatrix = false
    /// `parentFromNode` when ``hasMatrix``.
    public var matrix = Affine.identity
    /// Place in the parent's frame.
    public var translation = Vector3.zero
    /// Turn in the parent's frame.
    public var rotation = Quaternion.identity
    /// Scale along its own axes.
    public var scale = Vector3(1, 1, 1)
  }

  /// What a file asks for that is left out: the model is drawn without it.
  public struct Omissions: OptionSet, Sendable {
    /// Bits.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Points and lines.
    public static let pointsAndLines = Omissions(rawValue: 1)
    /// Bones: a mesh stands as it was modelled.
    public static let skins = Omissions(rawValue: 2)
    /// Shapes that blend.
    public static let morphTargets = Omissions(rawValue: 4)
    /// Texture coordinates beyond the second set, and the textures on them.
    public static let furtherTextureCoordinates = Omissions(rawValue: 8)
    /// Cameras in the model.
    public static let cameras = Omissions(rawValue: 16)
    /// Extensions that the file uses and does not need.
    public static let extensions = Omissions(rawValue: 32)
  }

  /// Range of ``primitives`` for each mesh.
  public internal(set) var meshes: [Range<Int>] = []
  /// Triangles with one material each.
  public internal(set) var primitives: [ModelPrimitive] = []
  /// How surfaces look.
  public internal(set) var materials: [ModelMaterial] = []
  /// Pictures with how they are sampled.
  public internal(set) var textures: [ModelTexture] = []
  /// Encoded pictures.
  public internal(set) var images: [ModelImage] = []
  /// The tree; a parent may stand behind its children.
  public internal(set) var nodes: [Node] = []
  /// Indices of nodes so that parents come before their children.
  public internal(set) var order: [Int] = []
  /// Nodes with a mesh that belong to the scene to be shown, with the mesh.
  public internal(set) var drawn: [(node: Int, mesh: Int)] = []
  /// Movements.
  public internal(set) var animations: [ModelAnimation] = []
  /// What holds all triangles of the scene at rest, model frame; `nil` when there are none.
  public internal(set) var bounds: Box?
  /// What is left out.
  public internal(set) var omissions: Omissions = []

  init() {}

  /// Gives the memory of all vertices and triangles back, for a host that has handed them to a graphics card.
  ///
  /// The primitives stay, empty.
  public mutating func shedTriangles() {
    for index in primitives.indices {
      let material = primitives[index].material
      let bounds = primitives[index].bounds
      primitives[index] = ModelPrimitive()
      primitives[index].material = material
      primitives[index].bounds = bounds
    }
  }
}

/// Triangles that share a material.
///
/// Every list is empty when the file has none of its kind, or has as many entries as there are vertices.
public struct ModelPrimitive: Sendable {
  /// The material; −1 for the default one.
  public var material = -1
  /// x, y, z of each vertex, node frame.
  public var positions: [Float] = []
  /// x, y, z of each vertex: always there, made from the triangles when the file has none.
  public var normals: [Float] = []
  /// x, y, z and the handedness of each vertex.
  public var tangents: [Float] = []
  /// u, v of each vertex, first set; (0, 0) is the picture's top left.
  public var textureCoordinates: [Float] = []
  /// u, v of each vertex, second set.
  public var secondTextureCoordinates: [Float] = []
  /// Red, green, blue, alpha of each vertex, linear.
  public var colors: [Float] = []
  /// Three vertices for each triangle.
  public var indices: [UInt32] = []
  /// What holds all vertices, node frame.
  public var bounds = Box(minimum: .zero, maximum: .zero)

  /// Number of vertices.
  public var vertexCount: Int { positions.count / 3 }
}

/// A picture as it lies in the file.
public struct ModelImage: Sendable {
  /// How it is encoded.
  public enum Encoding: UInt8, Sendable {
    /// Something else; a decoder may know it.
    case unknown
    /// PNG.
    case png
    /// JPEG.
    case jpeg
    /// WebP.
    case webp
  }
  /// How it is encoded, by its first bytes.
  public var encoding = Encoding.unknown
  /// Where it lies in the file.
  ///
  /// Empty when ``bytes`` holds it.
  public var range = 0..<0
  /// The encoded picture, when it does not lie in the file as it is (a `data:` address).
  public var bytes: [UInt8] = []
}

/// A picture and how it is sampled.
public struct ModelTexture: Sendable {
  /// What lies outside the picture.
  public enum Wrap: UInt8, Sendable {
    /// The picture again.
    case `repeat`
    /// The picture's edge.
    case clamp
    /// The picture mirrored.
    case mirror
  }
  /// Index of the image; −1 when the file names none that can be used.
  public var image = -1
  /// Along u.
  public var wrapU = Wrap.repeat
  /// Along v.
  public var wrapV = Wrap.repeat
  /// Whether the nearest pixel is shown where the picture is enlarged, not a blend.
  public var isNearest = false
}
