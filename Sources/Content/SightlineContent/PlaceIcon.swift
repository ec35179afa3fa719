/// How the sign of a place is drawn: its picture, where that is its visual, or the sign in its label.
public struct PlaceIcon: Codable, Equatable, Sendable {
  /// The file of the picture in the label; `nil`: the sign of the place's category, or the picture that is its visual.
  public var assetID: String?
  /// Colour that the picture's colours are multiplied with, `#rrggbb`; `nil` is white, which leaves them as they are.
  public var color: String?
  /// How much of the picture is seen, 0 … 1; `nil` is 1.
  public var opacity: Double?
  /// How many times as large as by itself it is; `nil` is 1.
  public var scale: Double?
  /// How far it is turned clockwise on the screen, degrees, −360 … 360; `nil` is 0.
  public var heading: Double?

  /// A sign; as usual where nothing is said.
  public init(
    assetID: String? = nil,
    color: String? = nil,
    opacity: Double? = nil,
    scale: Double? = nil,
    heading: Double? = nil
  ) {
    self.assetID = assetID
    self.color = color
    self.opacity = opacity
    self.scale = scale
    self.heading = heading
  }

  /// Sizes that a sign can have.
  public static let scales = 0.1...10.0

  /// Whether it says nothing.
  public var isEmpty: Bool { self == PlaceIcon() }

  /// Whether something can be drawn so.
  public var isUsable: Bool {
    (color.map { ShapeStyle.color($0) != nil } ?? true) && (0...1).contains(opacity ?? 1)
      && Self.scales.contains(scale ?? 1) && abs(heading ?? 0) <= 360
  }
}
