import SightlineOpenStreetMap

/// A ring or a line of positions.
typealias PositionLine = [OSMPosition]

/// The outline of an area: rings that do not meet, and the holes in each.
struct PositionPolygon: Equatable, Sendable {
  /// Closed: the first position is not repeated at the end.
  var outer: PositionLine
  var holes: [PositionLine] = []
}

/// Something on the ground, with where it is.
struct GroundFeature: Sendable {
  enum Shape: Sendable {
    case area([PositionPolygon])
    case line(PositionLine)
    case point(OSMPosition)
  }

  var kind: GroundKind
  var shape: Shape
  /// The name in the place's own language, and others by their code.
  var name = GroundName()
  /// Of buildings and parts of them.
  var height = BuildingHeight()
  /// What is higher is drawn later, −5…5.
  var layer = 0
}

/// A name in several languages.
struct GroundName: Equatable, Hashable, Sendable {
  var own = ""
  var languages: [Language] = []

  struct Language: Equatable, Hashable, Sendable {
    /// As in `name:fi`.
    var code: String
    var text: String
  }

  var isEmpty: Bool { own.isEmpty }

  /// Most bytes of a name: those of OpenStreetMap have 255 characters at most, and a map shows less.
  private static let most = 200

  init() {}

  init(_ tags: OSMTags) {
    guard let name = tags["name"], !name.isEmpty, name.utf8.count <= Self.most else { return }
    own = name
    for code in GroundTags.languages {
      guard let text = tags["name:\(code)"], text != name, !text.isEmpty, text.utf8.count <= Self.most else { continue }
      languages.append(Language(code: code, text: text))
    }
  }

  init(own: String) { self.own = own }
}
