import SightlineEngine
import SightlineMath
import SightlineOcclusion
import SightlineScene

/// Writes each frame of a replay as a line of JSON; `Documentation/recording.md` names the fields.
///
/// Numbers are written as the shortest decimals that read back as the same double, keys in a fixed order: equal frames
/// give equal bytes. What is no number is `null`.
public struct SceneFrameJSON: ReplaySink {
  private let write: ([UInt8]) throws -> Void

  /// A writer that hands each line, with its line feed, to a function.
  public init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  /// Writes a line.
  public func take(_ frame: ReplayedFrame) throws { try write(Array((Self.line(frame) + "\n").utf8)) }

  /// The line of a frame.
  public static func line(_ replayed: ReplayedFrame) -> String {
    let frame = replayed.frame
    var out = JSONLine()
    out.object {
      $0.field("frame", replayed.index)
      $0.field("time", frame.time)
      $0.field("valid", frame.isValid)
      $0.field("width", frame.width)
      $0.field("height", frame.height)
      $0.array("status", ["\(replayed.status.content)", "\(replayed.status.location)", "\(replayed.status.heading)"])
      pose(frame, &$0)
      $0.field("candidates", frame.candidateCount)
      $0.field("selected", frame.selected.map(Int.init))
      $0.field("focused", frame.focused.map(Int.init))
      $0.objects("items", frame.items) { item($0, replayed.world, &$1) }
      $0.objects("clusters", frame.clusters) { cluster($0, frame, &$1) }
      $0.objects("arrows", frame.arrows) { arrow($0, frame, &$1) }
      if !frame.paths.isEmpty { $0.objects("paths", frame.paths) { path($0, frame, &$1) } }
      $0.object("radar") { radar(frame.radar, &$0) }
      $0.array("overlays", frame.overlayVisible)
      if !frame.anchors.isEmpty { anchors(frame, replayed.world, &$0) }
      if !replayed.effects.isEmpty { $0.array("effects", replayed.effects.map(name)) }
    }
    return out.text
  }

  private static func pose(_ frame: SceneFrame, _ out: inout JSONLine) {
    let q = frame.worldFromDevice
    out.array("worldFromDevice", [q.w, q.x, q.y, q.z])
    out.array("eyeInWorld", [frame.eyeInWorld.x, frame.eyeInWorld.y, frame.eyeInWorld.z])
    out.array("clipFromWorld", frame.clipFromWorld)
    out.field("bearing", frame.bearing.radians)
    out.field("pitch", frame.pitch.radians)
    out.field("roll", frame.roll.radians)
    out.array("fieldOfView", [frame.horizontalFieldOfView.radians, frame.verticalFieldOfView.radians])
  }

  private static func item(_ item: SceneItem, _ world: RecordedWorld?, _ out: inout JSONLine) {
    out.field("feature", Int(item.feature))
    if let text = world?.text(of: item.feature), !text.isEmpty { out.field("text", text) }
    out.array("anchor", [item.anchor.x, item.anchor.y])
    out.array("box", [item.center.x, item.center.y, item.width, item.height])
    out.field("depth", item.depth)
    out.field("distance", item.distance)
    out.field("opacity", item.opacity)
    out.field("leader", item.hasLeader)
    if item.isFannedOut { out.field("fanned", true) }
    if item.isNearField { out.field("near", true) }
    visibility(item.visibility, &out)
  }

  private static func cluster(_ cluster: SceneCluster, _ frame: SceneFrame, _ out: inout JSONLine) {
    out.field("id", Int(cluster.id))
    out.array("anchor", [cluster.anchor.x, cluster.anchor.y])
    out.array("box", [cluster.center.x, cluster.center.y, cluster.width, cluster.height])
    out.field("nearest", cluster.nearestDistance)
    out.field("opacity", cluster.opacity)
    out.field("leader", cluster.hasLeader)
    out.field("open", cluster.isOpen)
    out.array("members", frame.clusterMembers[cluster.members].map(Int.init))
    visibility(frame.visibility(of: cluster), &out)
  }

  private static func arrow(_ arrow: EdgeArrow, _ frame: SceneFrame, _ out: inout JSONLine) {
    out.field("side", "\(arrow.side)")
    out.array("position", [arrow.position.x, arrow.position.y])
    out.field("direction", arrow.direction.radians)
    out.field("count", Int(arrow.count))
    out.field("nearest", Int(arrow.nearest))
    out.field("distance", arrow.nearestDistance)
    if arrow.isForSelection { out.field("selection", true) }
    visibility(frame.visibility(of: arrow), &out)
  }

  private static func path(_ run: ScenePathRun, _ frame: SceneFrame, _ out: inout JSONLine) {
    out.field("feature", Int(run.feature))
    out.field("shape", Int(run.shape))
    if run.isRing { out.field("ring", true) }
    out.array("points", frame.pathPoints[run.points].flatMap { [$0.x, $0.y] })
  }

  /// What is seen whole says nothing.
  private static func visibility(_ visibility: Visibility, _ out: inout JSONLine) {
    if visibility != .seen { out.field("visibility", "\(visibility)") }
  }

  private static func radar(_ radar: RadarFrame, _ out: inout JSONLine) {
    out.field("available", radar.isAvailable)
    out.field("attitude", "\(radar.attitude)")
    out.field("range", radar.range)
    out.field("north", radar.north.radians)
    out.array("wedge", [radar.wedgeDirection.radians, radar.wedgeOpening.radians, radar.wedgeLength])
    out.objects("blips", radar.blips) { blip, out in
      out.field("feature", Int(blip.feature))
      out.array("position", [blip.position.x, blip.position.y])
    }
  }

  private static func anchors(_ frame: SceneFrame, _ world: RecordedWorld?, _ out: inout JSONLine) {
    out.field("pictureTime", frame.pictureTime)
    out.objects("anchors", frame.anchors) { anchor, out in
      out.field("anchor", Int(anchor.anchor))
      out.field("state", "\(anchor.state)")
      out.field("inPicture", anchor.isInPicture)
      out.field("opacity", anchor.opacity)
      out.field("age", anchor.age)
      out.field("deviation", anchor.deviation)
      if let corners = anchor.corners { out.array("corners", (0..<4).flatMap { [corners[$0].x, corners[$0].y] }) }
      if let pose = anchor.cameraFromAnchor { out.array("cameraFromAnchor", numbers(pose)) }
    }
    out.objects("anchored", frame.anchored) { item, out in
      out.field("feature", Int(item.feature))
      if let text = world?.text(of: item.feature), !text.isEmpty { out.field("text", text) }
      out.field("anchor", Int(item.anchor))
      out.array("place", [item.place.x, item.place.y])
      if let label = item.label { out.array("label", [label.x, label.y, label.width, label.height]) }
      out.field("level", "\(item.level)")
      out.field("opacity", item.opacity)
      out.field("age", item.age)
      if let pose = item.cameraFromFeature { out.array("cameraFromFeature", numbers(pose)) }
    }
  }

  /// Quaternion (w first), translation, scale.
  private static func numbers(_ transform: SimilarityTransform) -> [Double] {
    let (q, t) = (transform.rotation, transform.translation)
    return [q.w, q.x, q.y, q.z, t.x, t.y, t.z, transform.scale]
  }

  private static func name(_ effect: SessionEffect) -> String {
    switch effect {
    case .request(let request): "request \(request.id.rawValue)"
    case .cancel(let id): "cancel \(id.rawValue)"
    case .openWebPage(let address): "openWebPage \(address.rawValue)"
    case .remember: "remember"
    case .selectionChanged(let feature): "selectionChanged \(feature.map(String.init) ?? "none")"
    case .loadFailed: "loadFailed"
    case .worldChanged: "worldChanged"
    case .aligned(let outcome, let angle): "aligned \(outcome) by \(angle.degrees)"
    }
  }
}
