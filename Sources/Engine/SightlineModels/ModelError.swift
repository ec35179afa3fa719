/// Why bytes are no model that can be drawn, and where: the host makes a sentence of it.
public struct ModelError: Error, Sendable {
  /// What is wrong.
  public enum Code: UInt8, CaseIterable, Sendable {
    /// The file does not begin with the four letters of a GLB file.
    case notGLB
    /// A version of the container or of glTF other than 2.
    case version
    /// The file is shorter than its header or a chunk says.
    case truncated
    /// The first chunk is not the JSON chunk.
    case noJSON
    /// The text is not JSON.
    case syntax
    /// The text is nested too deeply, or larger than any of the limits.
    case limit
    /// A property that has to be there is not.
    case missing
    /// A property has another type than it must have.
    case type
    /// A number or word is none of those allowed.
    case value
    /// An index names something that is not there.
    case reference
    /// A node is its own ancestor, or has two parents.
    case hierarchy
    /// A view or accessor reaches past the bytes it is in.
    case outside
    /// An accessor has another format than its use asks for.
    case format
    /// Counts that have to agree do not.
    case count
    /// A vertex index names no vertex.
    case vertexIndex
    /// A number in the data is not finite.
    case notFinite
    /// Times of keys do not rise.
    case order
    /// Data or a picture lies in another file.
    case external
    /// A `data:` address cannot be decoded.
    case dataURI
    /// The file needs an extension that is not supported.
    case `extension`
  }

  /// The kind of thing it is about.
  public enum Part: UInt8, CaseIterable, Sendable {
    /// The file as a whole, or its header.
    case file
    /// A chunk of the container.
    case chunk
    /// The top of the JSON text.
    case root
    /// The `asset` object.
    case asset
    /// An entry of `buffers`.
    case buffer
    /// An entry of `bufferViews`.
    case bufferView
    /// An entry of `accessors`.
    case accessor
    /// An entry of `images`.
    case image
    /// An entry of `samplers`.
    case sampler
    /// An entry of `textures`.
    case texture
    /// An entry of `materials`.
    case material
    /// An entry of `meshes`; the second index is the primitive.
    case mesh
    /// An entry of `nodes`.
    case node
    /// An entry of `scenes`.
    case scene
    /// An entry of `animations`; the second index is the channel or sampler that ``property`` belongs to.
    case animation
  }

  /// What is wrong.
  public var code: Code
  /// The kind of thing it is about.
  public var part: Part
  /// Which of its kind, from 0; −1 when there is only one.
  public var index: Int
  /// Which within it, from 0; −1 when it is about the whole.
  public var subindex: Int
  /// The property concerned; empty when none is.
  public var property: StaticString
  /// Where it stands: bytes from the beginning of the file.
  public var offset: Int

  init(
    _ code: Code,
    _ part: Part,
    _ index: Int = -1,
    _ subindex: Int = -1,
    property: StaticString = "",
    offset: Int
  ) {
    self.code = code
    self.part = part
    self.index = index
    self.subindex = subindex
    self.property = property
    self.offset = offset
  }
}
