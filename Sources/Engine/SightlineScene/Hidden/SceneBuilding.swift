import SightlineGeodesy
import SightlineMath
import SightlineOcclusion

/// A building around the user, as a map has it.
public struct SceneBuilding: Equatable, Sendable {
  /// A prism over an area; altitudes of corners do not count.
  public struct Part: Equatable, Sendable {
    /// The border.
    public var outer: [Geodetic]
    /// Courtyards: rings inside the border.
    public var holes: [[Geodetic]]
    /// Where it begins over the ground, metres; 0: it stands on it.
    public var base: Double
    /// Where it ends over the ground, metres.
    public var roof: Double

    /// A prism.
    public init(outer: [Geodetic], holes: [[Geodetic]] = [], base: Double = 0, roof: Double) {
      self.outer = outer
      self.holes = holes
      self.base = base
      self.roof = roof
    }
  }

  /// The prisms.
  public var parts: [Part]

  /// A building of parts.
  public init(_ parts: [Part]) { self.parts = parts }
}

/// What becomes of labels of what stands behind buildings: the user's choice.
public enum HiddenLabels: UInt8, Sendable {
  /// They stay where they are; the host draws them dimmed.
  case dim = 0
  /// They stand on the roof line before their place.
  case roofLine = 1
  /// They are left out, but for the selected one. They stay on the radar.
  case leaveOut = 2
}
