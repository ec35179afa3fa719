import SightlineScene

/// Several open worlds as one scene: the features (and overlays) of one follow those of another, in the order of the worlds'
/// numbers.
///
/// A host that keeps texts and pictures by index finds them by ``parts``: feature *n* of a part is the *n*-th place of that
/// world's document.
public struct JoinedWorlds: Equatable, Sendable {
  /// Where one of the worlds stands.
  public struct Part: Equatable, Sendable {
    /// Number of the world.
    public var number: Int32
    /// Its features, in ``JoinedWorlds/world``.
    public var features: Range<Int>
    /// Its overlays.
    public var overlays: Range<Int>
  }

  /// All as one.
  public private(set) var world = WorldDescription()
  /// The worlds that it is made of, by number; none that is hidden.
  public private(set) var parts: [Part] = []

  /// Nothing at all.
  public init() {}

  /// Joins worlds.
  ///
  /// The radar reaches as far as the furthest of those that want one and say how far. Refreshing is each world's own matter, so the joined one
  /// has no rule; only the first world alone (number 0) stays exactly as it came, and costs no copy.
  ///
  /// - Parameter worlds: those that are shown, each number once, ascending.
  public init(_ worlds: [(number: Int32, description: WorldDescription)]) {
    if worlds.count == 1, worlds[0].number == 0 {
      world = worlds[0].description
      parts = [Part(number: 0, features: 0..<world.features.count, overlays: 0..<world.overlays.count)]
      return
    }
    world.radarAvailable = worlds.isEmpty
    for (number, description) in worlds {
      let (features, overlays) = (world.features.count, world.overlays.count)
      world.append(description, number: number)
      parts.append(
        Part(
          number: number,
          features: features..<world.features.count,
          overlays: overlays..<world.overlays.count
        )
      )
    }
  }

  /// The part that a world makes up; `nil` when it is hidden, or not there.
  public func part(ofWorld number: Int32) -> Part? { parts.first { $0.number == number } }

  /// The part that a feature belongs to.
  public func part(ofFeature feature: Int32) -> Part? { parts.first { $0.features.contains(Int(feature)) } }

  /// The part that an overlay belongs to.
  public func part(ofOverlay overlay: Int32) -> Part? { parts.first { $0.overlays.contains(Int(overlay)) } }
}

extension WorldDescription {
  /// Adds another world behind what is there.
  ///
  /// Indices that point outside their own world would point into another one's: they are made to point at nothing.
  fileprivate mutating func append(_ other: WorldDescription, number: Int32) {
    let features = Int32(self.features.count)
    let overlays = Int32(self.overlays.count)
    let focus = focusOverlays.count
    let vertices = pathVertices.count
    let anchors = Int32(self.anchors.count)
    // Numbers of shapes only have to differ from world to world.
    let shape = (paths.map { $0.shape }.max() ?? -1) &+ 1
    self.features.reserveCapacity(self.features.count + other.features.count)
    for var feature in other.features {
      feature.key = mixed(feature.key, number)
      let range = feature.focusOverlays
      feature.focusOverlays =
        range.upperBound <= other.focusOverlays.count
        ? (range.lowerBound + focus)..<(range.upperBound + focus) : 0..<0
      feature.anchor = other.anchors.indices.contains(Int(feature.anchor)) ? feature.anchor &+ anchors : -1
      self.features.append(feature)
    }
    for var overlay in other.overlays {
      overlay.key = mixed(overlay.key, number)
      self.overlays.append(overlay)
    }
    for overlay in other.focusOverlays {
      focusOverlays.append(other.overlays.indices.contains(Int(overlay)) ? overlay &+ overlays : -1)
    }
    for var path in other.paths
    where other.features.indices.contains(Int(path.feature)) && path.vertices.upperBound <= other.pathVertices.count {
      path.feature &+= features
      path.shape = path.shape &+ shape
      path.vertices = (path.vertices.lowerBound + vertices)..<(path.vertices.upperBound + vertices)
      paths.append(path)
    }
    pathVertices.append(contentsOf: other.pathVertices)
    for var thing in other.things where other.features.indices.contains(Int(thing.feature)) {
      thing.feature &+= features
      things.append(thing)
    }
    let group = (rules.map { $0.group }.max() ?? -1) &+ 1
    for var rule in other.rules where other.features.indices.contains(Int(rule.feature)) {
      rule.feature &+= features
      if rule.group >= 0 { rule.group = rule.group &+ group }
      rules.append(rule)
    }
    for var anchor in other.anchors {
      if case .anchor(let index) = anchor.reference {
        anchor.reference = other.anchors.indices.contains(Int(index)) ? .anchor(index &+ anchors) : .none
      }
      self.anchors.append(anchor)
    }
    if other.radarAvailable {
      radarAvailable = true
      if other.radarRange.isFinite, other.radarRange > radarRange { radarRange = other.radarRange }
    }
  }

  /// A key that no other world's features have, but by chance; 0 stays none.
  private func mixed(_ key: UInt64, _ number: Int32) -> UInt64 {
    key == 0 ? 0 : max(key &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, 1)
  }
}
