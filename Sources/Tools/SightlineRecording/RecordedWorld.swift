import SightlineScene

/// A world as the session got it, with the texts that people see.
public struct RecordedWorld: Equatable, Sendable {
  /// What the engine knows of it.
  public var description: WorldDescription
  /// Its name.
  public var title: String
  /// What stands on the label of each feature; shorter than the features when unknown.
  public var texts: [String]
  /// Addresses by their numbers (`AddressID`), as far as they are known.
  public var addresses: [Int32: String]
  /// How the lines and areas of features are drawn, where it is said.
  public var pathStyles: [Int32: RecordedPathStyle] = [:]

  /// A world.
  public init(
    description: WorldDescription,
    title: String = "",
    texts: [String] = [],
    addresses: [Int32: String] = [:]
  ) {
    self.description = description
    self.title = title
    self.texts = texts
    self.addresses = addresses
  }

  /// What stands on a feature's label; empty when unknown.
  public func text(of feature: Int32) -> String {
    texts.indices.contains(Int(feature)) ? texts[Int(feature)] : ""
  }
}

/// How lines and areas are drawn.
public struct RecordedPathStyle: Equatable, Sendable {
  /// Colour of lines and borders, red in bits 16 to 23, then green and blue; `nil`: the usual one.
  public var stroke: UInt32?
  /// 0 … 1.
  public var strokeOpacity: Double?
  /// Colour of areas; `nil`: as their borders.
  public var fill: UInt32?
  /// 0 … 1.
  public var fillOpacity: Double?
  /// Width of lines and borders, points.
  public var width: Double?

  /// A style.
  public init(
    stroke: UInt32? = nil,
    strokeOpacity: Double? = nil,
    fill: UInt32? = nil,
    fillOpacity: Double? = nil,
    width: Double? = nil
  ) {
    self.stroke = stroke
    self.strokeOpacity = strokeOpacity
    self.fill = fill
    self.fillOpacity = fillOpacity
    self.width = width
  }
}
