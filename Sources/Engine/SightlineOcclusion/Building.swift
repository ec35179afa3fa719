import SightlineMath

/// A prism: what stands over an area, from its base up to its roof.
///
/// Lengths are metres, in one East-North frame for all that is put into an ``OcclusionIndex``; heights are metres over that
/// frame's ground. Rings may run either way round, and their last corner is joined to the first.
public struct Footprint: Equatable, Sendable {
  /// The border.
  public var outer: [Vector2]
  /// Courtyards: rings inside the border.
  public var holes: [[Vector2]]
  /// Where it begins over the ground; at 0 or below it stands on the ground, wherever that is, and nothing is seen
  /// beneath it.
  public var base: Double
  /// Where it ends over the ground; not above ``base``: it hides nothing.
  public var roof: Double

  /// A prism.
  public init(outer: [Vector2], holes: [[Vector2]] = [], base: Double = 0, roof: Double) {
    self.outer = outer
    self.holes = holes
    self.base = base
    self.roof = roof
  }
}

/// A building: one prism, or several where its parts differ in height or it has several areas.
///
/// Its parts hide each other from nobody: what belongs to a building is seen where any of its outer walls is.
public struct Building: Equatable, Sendable {
  /// The prisms.
  public var parts: [Footprint]

  /// A building of parts.
  public init(_ parts: [Footprint]) { self.parts = parts }
}
