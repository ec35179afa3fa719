import SightlineGeodesy
import SightlineMath

/// A line, or a ring of an area, that a feature has on the ground.
public struct ScenePath: Equatable, Sendable {
  /// Index of its feature in ``WorldDescription/features``.
  public var feature: Int32
  /// Rings of one area have the same number; lines have one each.
  public var shape: Int32
  /// Whether it is a ring: closed, and filled together with the other rings of its shape.
  public var isRing: Bool
  /// What the altitudes of its corners are measured from, where they have one.
  public var altitudeDatum: HeightDatum
  /// Its corners in ``WorldDescription/pathVertices``; the first of a ring is not repeated.
  public var vertices: Range<Int>

  /// A path from its parts.
  public init(
    feature: Int32,
    shape: Int32,
    isRing: Bool,
    vertices: Range<Int>,
    altitudeDatum: HeightDatum = .ellipsoid
  ) {
    self.feature = feature
    self.shape = shape
    self.isRing = isRing
    self.altitudeDatum = altitudeDatum
    self.vertices = vertices
  }
}

/// A corner of a path.
public struct PathVertex: Equatable, Sendable {
  /// Degrees, WGS84.
  public var latitudeDegrees: Double
  /// Degrees, WGS84.
  public var longitudeDegrees: Double
  /// Metres above the path's ``ScenePath/altitudeDatum``; not a number when it lies on the ground, which is
  /// taken to be as far below the eye as the eyes of somebody who stands, and as
  /// much higher or lower as ``Scene/setGround(corner:height:)`` says.
  public var altitude: Double

  /// A corner from its parts.
  public init(latitudeDegrees: Double, longitudeDegrees: Double, altitude: Double = .nan) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
    self.altitude = altitude
  }

  /// Whether two corners are the same; two that lie on the ground are, though not a number equals nothing.
  public static func == (a: PathVertex, b: PathVertex) -> Bool {
    a.latitudeDegrees == b.latitudeDegrees && a.longitudeDegrees == b.longitudeDegrees
      && (a.altitude == b.altitude || (a.altitude.isNaN && b.altitude.isNaN))
  }
}

/// A stretch of a path as it is to be drawn.
public struct ScenePathRun: Equatable, Sendable {
  /// Index of its feature.
  public var feature: Int32
  /// Number of its shape: rings of one are filled together, by the even-odd rule.
  public var shape: Int32
  /// Whether it is closed and filled.
  public var isRing: Bool
  /// Its points in ``SceneFrame/pathPoints``.
  public var points: Range<Int>
}
