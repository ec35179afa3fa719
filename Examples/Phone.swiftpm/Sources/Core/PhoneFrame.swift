import Sightline

/// What is drawn over the camera's picture at one moment, points of the screen.
struct PhoneFrame: Sendable {
  /// A name at a place, or on a marker.
  struct Label: Identifiable, Sendable {
    var id: Int
    var text: String
    /// Of the middle of its box.
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var opacity: Double
    /// Clockwise, so that it stands upright in the world.
    var turn: Double
  }

  /// Four corners of a marker, from its own top left clockwise.
  struct Outline: Identifiable, Sendable {
    var id: Int
    var corners: [(x: Double, y: Double)]
    var opacity: Double
  }

  /// What keeps places from being shown.
  enum Missing: Sendable {
    case position
    case positionDenied
    case orientation
  }

  var labels: [Label] = []
  var outlines: [Outline] = []
  var missing: Missing?
}
