import SightlineCamera
import SightlineMath

/// A flat rectangle of known size that was seen in a frame: a marker, a code, a picture, a sheet of paper.
public struct KnownRectangle: Sendable {
  /// What it is; one rectangle of the surroundings has one name.
  public var anchor: AnchorID
  /// Metres.
  public var width: Double, height: Double
  /// Its outer corners, pixels of the frame, its own top left first, then clockwise as it is seen from the front.
  public var corners: Quadrilateral
  /// How it lies before the camera, about.
  public var pose: PlanarPose

  /// A rectangle as it was seen.
  public init(_ anchor: AnchorID, width: Double, height: Double, corners: Quadrilateral, pose: PlanarPose) {
    self.anchor = anchor
    self.width = width
    self.height = height
    self.corners = corners
    self.pose = pose
  }

  /// A rectangle by what a camera sees of it; `nil` when it cannot be told how it lies, or not which of two ways.
  public init?(_ anchor: AnchorID, width: Double, height: Double, corners: Quadrilateral, by camera: FrameCamera) {
    let unknown = PlanarPose(cameraFromPlane: .identity, translation: .zero, reprojectionError: 0)
    self.init(anchor, width: width, height: height, corners: corners, pose: unknown)
    guard let square = Homography(unitSquareTo: corners) else { return nil }
    let picture = square * Homography(unitSquareFromPlane: width, height: height)
    guard
      let rough = PlanarPose(
        pictureFromPlane: picture,
        width: width,
        height: height,
        intrinsics: camera.intrinsics
      ),
      let pose = PlanarPose.refined(
        points: (0..<4).map { point($0) },
        pixels: (0..<4).map { corners[$0] },
        start: rough,
        intrinsics: camera.intrinsics,
        distortion: camera.distortion,
        scale: 3
      ), pose.reprojectionError < 3
    else { return nil }
    self.pose = pose
  }

  /// Sizes that are believed, metres, and the shortest side in a picture that says something, pixels.
  private static let (sizes, leastSide) = (0.01...20.0, 20.0)

  /// Whether it has a size and corners that something seen can have.
  var isUsable: Bool {
    var sum = 0.0
    for k in 0..<4 { sum += abs(corners[k].x) + abs(corners[k].y) }
    return Self.sizes.contains(width) && Self.sizes.contains(height) && sum < 1e6
      && corners.shortestSide >= Self.leastSide && pose.translation.z > 0.05 && pose.translation.length < 100
      && abs(pose.cameraFromPlane.dot(pose.cameraFromPlane) - 1) < 1e-3
  }

  /// Its corners in its own frame: origin in its middle, x to its right, y to its top, z towards who looks at it.
  func point(_ corner: Int) -> Vector3 {
    let (x, y) = (0.5 * width, 0.5 * height)
    return switch corner {
    case 0: Vector3(-x, y, 0)
    case 1: Vector3(x, y, 0)
    case 2: Vector3(x, -y, 0)
    default: Vector3(-x, -y, 0)
    }
  }
}

/// A rectangle of known size that is part of the filter's state, by its pose in the world.
struct KnownShape {
  var anchor: AnchorID
  /// World from its own frame.
  var attitude: Matrix3
  /// Metres, in the world.
  var position: Vector3
  /// First of its six components in the error state: turn and place, as those of a clone.
  var start: Int
  /// Sightings that were taken, and those in a row that did not fit.
  var sightings = 0, misfits = 0
  /// Frames since it was last seen.
  var unseen = 0
}

extension VisualInertialFilter {
  /// Most rectangles in the state.
  static let mostShapes = 2
  /// Sightings in a row that do not fit, after which a rectangle is forgotten: it was moved, or taken for another.
  private static let mostMisfits = 8
  /// How far a first pose may be off: radians, and metres as a share of the distance.
  private static let (firstTurn, firstShare) = (0.5, 0.3)
  /// Deviation of a corner, pixels.
  private static let cornerDeviation = 0.6

  /// Adds what the newest clone sees of rectangles of known size, to be taken with the next ``endUpdate()``.
  func addSightings(of rectangles: [KnownRectangle]) {
    for index in shapes.indices { shapes[index].unseen += 1 }
    for rectangle in rectangles where rectangle.isUsable {
      guard let index = shapes.firstIndex(where: { $0.anchor == rectangle.anchor }) else { continue }
      shapes[index].unseen = 0
      if addSighting(of: rectangle, shapes[index]) {
        shapes[index].sightings += 1
        shapes[index].misfits = 0
      } else {
        shapes[index].misfits += 1
      }
    }
  }

  /// After an update: forgets rectangles that do not fit any more, and takes up others.
  func renewShapes(_ rectangles: [KnownRectangle]) {
    for index in shapes.indices.reversed() where shapes[index].misfits >= Self.mostMisfits { removeShape(index) }
    for rectangle in rectangles where rectangle.isUsable && !shapes.contains(where: { $0.anchor == rectangle.anchor }) {
      if shapes.count == Self.mostShapes {
        guard let oldest = shapes.indices.max(by: { shapes[$0].unseen < shapes[$1].unseen }), shapes[oldest].unseen > 30
        else { continue }
        removeShape(oldest)
      }
      addShape(rectangle)
    }
  }

  private func removeShape(_ index: Int) {
    let start = shapes[index].start
    shapes.remove(at: index)
    remove(start, 6)
  }

  private func addShape(_ rectangle: KnownRectangle) {
    guard let newest = clones.last, covariance.count + 6 <= CovarianceMatrix.capacity else { return }
    let seen = rectangle.pose
    let worldFromCamera = newest.attitude * camera.deviceFromCamera
    let lens = newest.position + newest.attitude * camera.lever
    let start = covariance.append(6)
    // Its error is the clone's and that of what the clone sees, turned into the world's axes about the world's origin.
    let (turn, away) = (Self.firstTurn, Self.firstShare * seen.translation.length)
    let skew = Matrix3.skew(lens)
    let blocks = [Matrix3.identity, skew]
    var noise = [Double](repeating: 0, count: 36)
    for (a, left) in blocks.enumerated() {
      for (b, right) in blocks.enumerated() {
        let block = (left * right.transposed) * (turn * turn)
        for i in 0..<3 { for j in 0..<3 { noise[(3 * a + i) * 6 + 3 * b + j] = block[row: i][j] } }
      }
    }
    for i in 3..<6 { noise[i * 7] += away * away }
    var matrix = [Double](repeating: 0, count: 36)
    for i in 0..<6 { matrix[i * 7] = 1 }
    covariance.set(start, 6, from: (0..<6).map { newest.start + $0 }, matrix, noise: noise)
    shapes.append(
      KnownShape(
        anchor: rectangle.anchor,
        attitude: worldFromCamera * Matrix3(seen.cameraFromPlane),
        position: lens + worldFromCamera * seen.translation,
        start: start
      )
    )
  }

  private func addSighting(of rectangle: KnownRectangle, _ shape: KnownShape) -> Bool {
    let newest = clones.count - 1
    var jacobian: [Double] = []
    var residual: [Double] = []
    var columns: [Int] = []
    for corner in 0..<4 {
      let point = shape.position + shape.attitude * rectangle.point(corner)
      guard
        let rows = FeatureRows(
          [Sighting(clone: newest, pixel: rectangle.corners[corner])],
          point: InverseDepthPoint(fixed: point),
          anchor: nil,
          clones: clones,
          camera: camera,
          deviation: Self.cornerDeviation * (isCameraHeld ? 4 : 1)
        )
      else { return false }
      let n = rows.columns.count
      columns = rows.columns
      for i in 0..<2 {
        let row = i * rows.width
        for j in 0..<n { jacobian.append(rows.values[row + j]) }
        // By the point, and so by the turn and the place of what it is part of.
        let b = Vector3(rows.values[row + n], rows.values[row + n + 1], rows.values[row + n + 2])
        let turn = point.cross(b)
        for value in [turn.x, turn.y, turn.z, b.x, b.y, b.z] { jacobian.append(value) }
        residual.append(rows.values[row + n + 3])
      }
    }
    for i in 0..<6 { columns.append(shape.start + i) }
    return stack.add(
      rows: residual,
      count: 8,
      jacobian: jacobian,
      columns: columns,
      covariance: covariance,
      gate: ChiSquare.bound95(8) * 2
    )
  }

  /// Relative deviation of the distance to the rectangle that is known best; `nil` when there is none.
  var shapeDeviation: Double? {
    var best: Double?
    for shape in shapes where shape.sightings >= 5 {
      let way = shape.position - inertial.position
      guard let ray = way.normalized else { continue }
      let (far, near) = (shape.position.cross(ray), inertial.position.cross(ray))
      var variance = 0.0
      let row = [far.x, far.y, far.z, ray.x, ray.y, ray.z, -near.x, -near.y, -near.z, -ray.x, -ray.y, -ray.z]
      let places = (0..<6).map { shape.start + $0 } + [0, 1, 2] + (0..<3).map { Component.position + $0 }
      for i in 0..<12 { for j in 0..<12 { variance += row[i] * row[j] * covariance[places[i], places[j]] } }
      let deviation = max(0, variance).squareRoot() / way.length
      best = min(best ?? deviation, deviation)
    }
    return best
  }
}
