import SightlineMath
import SightlineModels
import SightlinePictures

/// A model with its pictures decoded, ready to be drawn.
public final class DrawableModel: Sendable {
  /// What the file describes.
  public let model: Model
  let textures: [ModelSampler?]

  /// Reads a model.
  ///
  /// A picture in it that cannot be decoded is left out, and the surface keeps its plain colour.
  ///
  /// - Parameter bytes: a GLB file.
  /// - Throws: ``SightlineModels/ModelError`` for a file that cannot be drawn.
  public init(glb bytes: [UInt8]) throws(ModelError) {
    let model = try Model(glb: bytes)
    let used = Set(model.textures.map(\.image))
    let pictures = model.images.indices.map { index -> Picture? in
      guard used.contains(index) else { return nil }
      let image = model.images[index]
      return try? Picture(decoding: image.bytes.isEmpty ? Array(bytes[image.range]) : image.bytes, as: .rgba)
    }
    textures = model.textures.map { texture in
      guard model.images.indices.contains(texture.image), let picture = pictures[texture.image] else { return nil }
      return ModelSampler(picture, texture)
    }
    self.model = model
  }

  /// The map that stands the model on a square of a side: as wide as it, its middle over the square's, its foot on it.
  ///
  /// The square's frame is a marker's: x to the right, y to the top, z out of the paper. The model's up is out of the paper,
  /// its front towards the lower edge.
  public func fitted(onSquare side: Double) -> Affine {
    guard let bounds = model.bounds else { return Self.standing(scale: 1) }
    let size = bounds.size
    let factor = side / max(size.x, max(size.z, 1e-6))
    let foot = Vector3(-bounds.center.x, -bounds.minimum.y, -bounds.center.z) * factor
    let placed = Affine(linear: Self.scaling(factor), translation: foot)
    return Self.standing(scale: 1) * placed
  }

  /// The map that stands a model at the origin of a frame whose z is up: its front looks towards −y.
  ///
  /// - Parameters:
  ///   - scale: metres for one unit.
  ///   - turn: counter-clockwise as seen from above.
  /// - Returns: from the model's frame into that of the ground.
  public static func standing(scale: Double, turn: Angle = .zero) -> Affine {
    let up = Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90))
    let round = Quaternion(axis: Vector3(0, 0, 1), angle: turn)
    return Affine(translation: .zero, rotation: round * up, scale: Vector3(scale, scale, scale))
  }

  private static func scaling(_ k: Double) -> Matrix3 {
    Matrix3(rows: Vector3(k, 0, 0), Vector3(0, k, 0), Vector3(0, 0, k))
  }
}

/// A model somewhere before the camera.
public struct PlacedModel: Sendable {
  /// What is drawn.
  public var model: DrawableModel
  /// From the model's frame into the camera's: x right, y down on the display, z forward; metres.
  public var cameraFromModel: Affine
  /// Seconds since it appeared: its first movement begins with that and starts again at its end.
  public var time: Double

  /// A model at a place.
  public init(_ model: DrawableModel, cameraFromModel: Affine, time: Double = 0) {
    self.model = model
    self.cameraFromModel = cameraFromModel
    self.time = time
  }
}

/// The pinhole camera that a display looks through, in points of the display.
public struct DisplayLens: Equatable, Sendable {
  /// Focal lengths along x and y, points.
  public var focal: Vector2
  /// Where the optical axis meets the display; the display's top left corner is (0, 0).
  public var center: Vector2

  /// A lens.
  public init(focal: Vector2, center: Vector2) {
    self.focal = focal
    self.center = center
  }
}
