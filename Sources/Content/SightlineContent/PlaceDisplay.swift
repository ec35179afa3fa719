/// When a place's visual is shown, and how large, beside its visibility radius.
public struct PlaceDisplay: Codable, Equatable, Sendable {
  /// Which selection a visual takes.
  public enum Selection: String, Codable, CaseIterable, Sendable {
    /// Shown only while its place is selected.
    case selected
    /// Shown only while its place is not.
    case unselected
  }

  /// How the size on the display follows the distance.
  ///
  /// Up to `near` something is as large as it is seen from there, from `far` on `factor` times as large, evenly in between.
  public struct Scaling: Codable, Equatable, Sendable {
    /// Metres, > 0.
    public var near: Double
    /// Metres, > `near`; `nil`: endless.
    public var far: Double?
    /// Size at `far` in sizes at `near`, 0.001 … 1000.
    public var factor: Double

    /// A scaling.
    public init(near: Double, far: Double? = nil, factor: Double) {
      self.near = near
      self.far = far
      self.factor = factor
    }

    /// Factors that may be.
    public static let factors = 0.001...1000.0

    /// Whether something can scale so.
    public var isUsable: Bool {
      PlaceDisplay.distances.contains(near) && near > 0 && Self.factors.contains(factor)
        && far.map { PlaceDisplay.distances.contains($0) && $0 > near } ?? true
    }
  }

  /// Shown only when the user is at least this far away, metres.
  public var visibleFrom: Double?
  /// How its size follows the distance; `nil`: as the perspective has it, and labels as usual.
  public var scaling: Scaling?
  /// While what is selected it is shown; `nil`: always.
  public var shownWhile: Selection?
  /// Places of the same name count as selected together; `nil`: it alone counts.
  public var feature: String?

  /// A display that changes nothing.
  public init() {}

  /// Distances that mean something, metres.
  public static let distances = 0...1e8

  /// Whether it says nothing.
  public var isEmpty: Bool { self == PlaceDisplay() }

  /// Whether something can be shown so.
  public var isUsable: Bool {
    Self.distances.contains(visibleFrom ?? 0) && (scaling?.isUsable ?? true)
  }
}
