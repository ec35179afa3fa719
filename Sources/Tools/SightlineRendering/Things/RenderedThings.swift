import SightlineMath
import SightlineModels
import SightlinePictures
import SightlineScene

/// What stands at places in true size, as it is drawn in a replay.
///
/// A recording has where things stand, how they are turned and how large they are, but not their files. What a file is given for is drawn
/// with it; of everything else the edges of its box are drawn, whose corners are where the thing's are. Nearer ones hide farther ones.
public struct RenderedThings {
  private struct Edges {
    var low: Vector3
    var high: Vector3
    var isSelected: Bool
    var model: DrawableModel
  }
  /// The last edges of each feature.
  private var edges: [Int32: Edges] = [:]
  /// Share of the longest side that an edge is thick.
  private static let thickness = 0.02

  /// Nothing yet.
  public init() {}

  /// From a thing's own frame to the camera's.
  public static func cameraFromThing(_ item: ThingItem) -> Affine {
    let pose = item.cameraFromThing
    return Affine(
      translation: pose.translation,
      rotation: pose.rotation,
      scale: Vector3(pose.scale, pose.scale * item.stretch, pose.scale)
    )
  }

  /// The things of a frame.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - world: what the frame is of: tells models and pictures apart while their boxes are not known.
  ///   - drawn: features that are drawn already.
  /// - Returns: their edges, for ``RenderedScene/models``.
  public mutating func models(
    in frame: SceneFrame,
    of world: WorldDescription,
    except drawn: Set<Int32> = []
  ) -> [PlacedModel] {
    var placed: [PlacedModel] = []
    for item in frame.things where !drawn.contains(item.feature) {
      let isModel = world.things.first { $0.feature == item.feature }?.isModel ?? true
      let isSelected = frame.selected == item.feature
      guard let model = edges(of: item, isModel: isModel, isSelected: isSelected) else { continue }
      placed.append(PlacedModel(model, cameraFromModel: Self.cameraFromThing(item)))
    }
    return placed
  }

  private mutating func edges(of item: ThingItem, isModel: Bool, isSelected: Bool) -> DrawableModel? {
    var (low, high) = (item.low, item.high)
    // As the engine takes what it does not know the box of.
    if item.state == .wanted {
      (low, high) = (Vector3(-0.5, 0, isModel ? -0.5 : 0), Vector3(0.5, 1, isModel ? 0.5 : 0))
    }
    if let known = edges[item.feature], known.low == low, known.high == high, known.isSelected == isSelected {
      return known.model
    }
    let size = high - low
    let longest = max(size.x, max(size.y * item.stretch, size.z))
    guard longest > 0, longest.isFinite else { return nil }
    let t = longest * Self.thickness
    let paint = isSelected ? Paint.pick : Paint.accent
    let bytes = ThingShape.frame(
      low: low,
      high: high,
      thickness: Vector3(t, t / max(item.stretch, 1e-6), t),
      color: (Self.linear(paint.red), Self.linear(paint.green), Self.linear(paint.blue))
    )
    guard let model = try? DrawableModel(glb: bytes) else { return nil }
    edges[item.feature] = Edges(low: low, high: high, isSelected: isSelected, model: model)
    return model
  }

  /// From sRGB, as IEC 61966-2-1 has it.
  private static func linear(_ value: Double) -> Double {
    value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}

extension DrawableModel {
  /// A picture as a thing: a rectangle about the origin, one unit wide, x to its right, y to its top.
  ///
  /// - Returns: `nil` for what is no picture that can be drawn.
  public static func picture(_ picture: Picture) -> DrawableModel? {
    guard picture.width > 0, picture.height > 0, let png = try? picture.png() else { return nil }
    return try? DrawableModel(
      glb: ThingShape.picture(png: png, height: Double(picture.height) / Double(picture.width))
    )
  }
}
