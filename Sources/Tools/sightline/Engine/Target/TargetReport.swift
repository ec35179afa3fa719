import SightlineCamera
import SightlineFormats
import SightlineImageTargets
import SightlineMath

/// What was seen of a target, as JSON.
enum TargetReport {
  static func json(_ sighting: TargetSighting, _ target: Target, hasState: Bool, camera: FrameCamera? = nil) -> String {
    var members = ["\"name\": \(JSONTextWriter.quoted(TargetFiles.name(target)))"]
    if hasState { members.append("\"state\": \"\(word(sighting.state))\"") }
    if let corners = sighting.corners(width: target.width, height: target.height) {
      let points = (0..<4).map { "[\(fixed(corners[$0].x, 4)), \(fixed(corners[$0].y, 4))]" }
      members.append("\"corners\": [\(points.joined(separator: ", "))]")
    }
    let m = sighting.frameFromPicture.matrix
    let numbers = [m.row0, m.row1, m.row2].flatMap { ["\($0.x)", "\($0.y)", "\($0.z)"] }
    members.append("\"homography\": [\(numbers.joined(separator: ", "))]")
    members.append("\"inliers\": \(sighting.inlierCount)")
    if sighting.cornerSigma.isFinite { members.append("\"cornerSigma\": \(fixed(sighting.cornerSigma, 3))") }
    if let camera, target.printedWidth > 0,
      let cameraFromPicture = sighting.cameraFromPicture(
        intrinsics: camera.intrinsics,
        distortion: camera.distortion,
        width: target.width,
        height: target.height,
        printedWidth: target.printedWidth
      )
    {
      members += MarkerReport.members(cameraFromPicture)
    }
    return "{\(members.joined(separator: ", "))}"
  }

  static func word(_ state: TargetState) -> String {
    switch state {
    case .detected: "detected"
    case .tracked: "tracked"
    case .extrapolated: "extrapolated"
    }
  }
}
