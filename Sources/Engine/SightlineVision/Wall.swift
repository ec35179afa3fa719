import SightlineCamera
import SightlineMath

/// A flat wall, known by markers and pictures that hang on it.
///
/// Its frame: x right, y up, z towards the viewer, metres, as that of anything flat.
public struct Wall: Equatable, Sendable {
  /// Something on the wall.
  public struct Member: Equatable, Sendable {
    /// What it is.
    public var anchor: AnchorID
    /// Its centre in the wall's frame, in units of the wall.
    public var center: Vector2

    /// Something on the wall.
    public init(_ anchor: AnchorID, center: Vector2 = .zero) {
      self.anchor = anchor
      self.center = center
    }
  }

  /// The host's number.
  public var id: Int32
  /// Metres for one of the units that the members' sizes and places are told in; other than 1 once an edge was measured.
  public var scale: Double
  /// What hangs on it; of several that are seen, markers go first, then pictures in their order.
  public var members: [Member]

  /// A wall from what hangs on it.
  public init(id: Int32, scale: Double = 1, members: [Member]) {
    self.id = id
    self.scale = scale
    self.members = members
  }
}

/// The stage of a ``VisionPipeline`` that makes the poses of walls from those of what hangs on them.
struct WallObserver {
  var walls: [Wall] = []

  /// Appends an observation of each wall of which a member is seen or carried on, and gives its members the size that was measured.
  func observe(into observations: inout [Observation]) {
    for wall in walls {
      guard wall.scale > 0, wall.scale.isFinite else { continue }
      if wall.scale != 1 { enlarge(wall, in: &observations) }
      guard let (member, seen) = best(wall, observations), let pose = seen.pose else { continue }
      let center = Vector3(member.center.x, member.center.y, 0) * wall.scale
      observations.append(
        Observation(
          .wall(wall.id),
          state: seen.state,
          corners: seen.corners,
          pose: PlanarPose(
            cameraFromPlane: pose.cameraFromPlane,
            translation: pose.translation - pose.cameraFromPlane * center,
            reprojectionError: pose.reprojectionError
          ),
          cornerSigma: seen.cornerSigma,
          confidence: seen.confidence,
          width: seen.width,
          isResting: seen.isResting,
          unseen: seen.unseen
        )
      )
    }
  }

  /// What hangs on a wall is as much larger, and farther away, as that.
  private func enlarge(_ wall: Wall, in observations: inout [Observation]) {
    for index in observations.indices where wall.members.contains(where: { $0.anchor == observations[index].anchor }) {
      observations[index].width *= wall.scale
      guard let translation = observations[index].pose?.translation else { continue }
      observations[index].pose?.translation = translation * wall.scale
    }
  }

  /// The member that the wall's pose is taken from: one that is seen before one that is carried on, a marker before a picture.
  private func best(_ wall: Wall, _ observations: [Observation]) -> (Wall.Member, Observation)? {
    var best: (member: Wall.Member, seen: Observation, rank: Int)?
    for member in wall.members {
      for seen in observations where seen.anchor == member.anchor && seen.pose != nil {
        var rank = seen.state == .carried ? 2 : 0
        if case .marker = seen.anchor {} else { rank += 1 }
        if let best, best.rank < rank || best.rank == rank && best.seen.confidence >= seen.confidence { continue }
        best = (member, seen, rank)
      }
    }
    return best.map { ($0.member, $0.seen) }
  }
}
