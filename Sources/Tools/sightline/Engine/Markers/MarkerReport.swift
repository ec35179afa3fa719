import SightlineCamera
import SightlineMarkers
import SightlineMath

/// What was seen of a marker, as members of a JSON object.
enum MarkerReport {
  /// Which it is, and where its corners are, pixels.
  static func members(dictionary: MarkerDictionary, id: Int, corners: Quadrilateral) -> [String] {
    let points = (0..<4).map { "[\(fixed(corners[$0].x, 4)), \(fixed(corners[$0].y, 4))]" }
    return [
      "\"id\": \(id)", "\"dictionary\": \"\(dictionary.publicName)\"",
      "\"corners\": [\(points.joined(separator: ", "))]",
    ]
  }

  /// The believed pose, and the mirrored one as "alternative".
  static func members(_ poses: SquarePoses) -> [String] {
    var result = members(poses.best)
    if let other = poses.alternative {
      result.append("\"alternative\": {\(members(other).joined(separator: ", "))}")
    }
    return result
  }

  /// A pose: quaternion w, x, y, z, metres, pixels.
  static func members(_ pose: PlanarPose) -> [String] {
    let q = pose.cameraFromPlane
    let t = pose.translation
    return [
      "\"rotation\": [\([q.w, q.x, q.y, q.z].map { fixed($0, 8) }.joined(separator: ", "))]",
      "\"translation\": [\([t.x, t.y, t.z].map { fixed($0, 8) }.joined(separator: ", "))]",
      "\"reprojectionError\": \(fixed(pose.reprojectionError, 5))",
    ]
  }
}
