import SightlineCamera
import SightlineMath

/// A marker at a known place on something rigid.
public struct PlacedMarker: Equatable, Sendable {
  /// The dictionary it is from.
  public var dictionary: MarkerDictionary
  /// Its number there.
  public var id: Int
  /// Rotation from the marker's frame (x right, y up, z out of the print) to the board's.
  public var boardFromMarker: Quaternion
  /// The marker's centre in the board's frame, metres.
  public var center: Vector3
  /// Outer edge of the black border, metres.
  public var side: Double

  /// A marker from its parts.
  public init(
    dictionary: MarkerDictionary,
    id: Int,
    center: Vector3,
    side: Double,
    boardFromMarker: Quaternion = .identity
  ) {
    self.dictionary = dictionary
    self.id = id
    self.boardFromMarker = boardFromMarker
    self.center = center
    self.side = side
  }

  /// The outer corners of its border in the board's frame: top left, then clockwise as seen from the front.
  public var corners: InlineArray<4, Vector3> {
    var result = InlineArray<4, Vector3>(repeating: .zero)
    for i in 0..<4 {
      let corner = Vector3(i == 1 || i == 2 ? side / 2 : -side / 2, i < 2 ? side / 2 : -side / 2, 0)
      result[i] = boardFromMarker * corner + center
    }
    return result
  }
}

/// Several markers that are fixed to each other: on a sheet, on the sides of a box, on the walls of a room.
///
/// One pose for all of them is far more certain than the pose of each, and has no mirrored twin unless all lie far away in
/// one plane.
public struct MarkerBoard: Equatable, Sendable {
  /// The markers; an id must not come twice.
  public var markers: [PlacedMarker]

  /// A board of markers.
  public init(markers: [PlacedMarker]) { self.markers = markers }

  /// A flat grid, ids row by row from the top left; the frame's origin is in the middle, x right, y up, z out of the print.
  ///
  /// - Parameters:
  ///   - dictionary: of all markers.
  ///   - columns: markers across.
  ///   - rows: markers down.
  ///   - side: outer edge of a marker's border, metres.
  ///   - gap: white between two markers, metres.
  ///   - firstID: number of the marker at the top left.
  public init(dictionary: MarkerDictionary, columns: Int, rows: Int, side: Double, gap: Double, firstID: Int = 0) {
    markers = []
    for row in 0..<rows {
      for column in 0..<columns {
        let x = (Double(column) - Double(columns - 1) / 2) * (side + gap)
        let y = (Double(rows - 1) / 2 - Double(row)) * (side + gap)
        markers.append(
          PlacedMarker(
            dictionary: dictionary,
            id: firstID + row * columns + column,
            center: Vector3(x, y, 0),
            side: side
          )
        )
      }
    }
  }

  /// Where a board is, and which markers say so.
  public struct Pose: Equatable, Sendable {
    /// From the board's frame to the camera's; the error is that of the corners that count, pixels.
    public var cameraFromBoard: PlanarPose
    /// Markers of the board that were in the picture.
    public var seen: Int
    /// Those whose corners fit the pose.
    public var fitting: Int
  }

  /// The pose that explains the detected markers, those of other things left aside.
  ///
  /// Each marker in turn says where the board would be, by both of its poses; the one that suits most corners is refined over
  /// all of them. A marker that was moved, or whose number was misread, therefore does no harm while others outvote it.
  ///
  /// - Parameters:
  ///   - detected: markers in the picture.
  ///   - intrinsics: of the picture.
  ///   - distortion: of the lens.
  ///   - scale: distance from which a corner counts for little, pixels.
  /// - Returns: `nil` when no marker of the board is there.
  public func pose(
    of detected: [DetectedMarker],
    intrinsics: Intrinsics,
    distortion: LensDistortion = .none,
    scale: Double = 1
  ) -> Pose? {
    var points: [Vector3] = []
    var pixels: [Vector2] = []
    var pairs: [(placed: PlacedMarker, seen: DetectedMarker)] = []
    for marker in detected {
      guard
        let placed = markers.first(where: { $0.id == marker.id && $0.dictionary.family == marker.dictionary.family })
      else { continue }
      pairs.append((placed, marker))
      for i in 0..<4 {
        points.append(placed.corners[i])
        pixels.append(marker.corners[i])
      }
    }
    guard !pairs.isEmpty else { return nil }
    var best: (start: PlanarPose, support: Double)?
    // A marker that is much smaller in the picture than others says little; but to look at all costs next to nothing.
    for (placed, marker) in pairs {
      guard
        let poses = SquarePoses(
          corners: marker.corners,
          side: placed.side,
          intrinsics: intrinsics,
          distortion: distortion
        )
      else { continue }
      for pose in [poses.best, poses.alternative ?? poses.best] {
        let rotation = pose.cameraFromPlane * placed.boardFromMarker.inverse
        let start = PlanarPose(
          cameraFromPlane: rotation,
          translation: pose.translation - rotation * placed.center,
          reprojectionError: 0
        )
        // One marker foretells its neighbours only roughly.
        let support = Self.support(start, points, pixels, intrinsics, distortion, scale: 8 * scale)
        if support > best?.support ?? -1 { best = (start, support) }
      }
    }
    guard var start = best?.start else { return nil }
    // From a wide scale to the wanted one, so that what is merely badly foretold gets a chance.
    for factor in [8.0, 2] where pairs.count > 1 {
      start =
        PlanarPose.refined(
          points: points,
          pixels: pixels,
          start: start,
          intrinsics: intrinsics,
          distortion: distortion,
          scale: factor * scale
        ) ?? start
    }
    guard
      let pose = PlanarPose.refined(
        points: points,
        pixels: pixels,
        start: start,
        intrinsics: intrinsics,
        distortion: distortion,
        scale: scale
      )
    else { return nil }
    var fitting = 0
    for (placed, marker) in pairs {
      var largest = 0.0
      for i in 0..<4 {
        largest = max(largest, Self.distance(pose, placed.corners[i], marker.corners[i], intrinsics, distortion))
      }
      if largest < 3 * scale { fitting += 1 }
    }
    return Pose(cameraFromBoard: pose, seen: pairs.count, fitting: fitting)
  }

  private static func distance(
    _ pose: PlanarPose,
    _ point: Vector3,
    _ pixel: Vector2,
    _ intrinsics: Intrinsics,
    _ distortion: LensDistortion
  ) -> Double {
    intrinsics.pixel(ofPointInCamera: pose(point), through: distortion)
      .map { ($0 - pixel).length } ?? .infinity
  }

  /// How many corners a pose explains, softly.
  private static func support(
    _ pose: PlanarPose,
    _ points: [Vector3],
    _ pixels: [Vector2],
    _ intrinsics: Intrinsics,
    _ distortion: LensDistortion,
    scale: Double
  ) -> Double {
    var sum = 0.0
    for i in points.indices {
      let d = distance(pose, points[i], pixels[i], intrinsics, distortion) / scale
      sum += 1 / (1 + d * d)
    }
    return sum
  }
}
