import Foundation
import SightlineVisionWasm
import SightlineWasm
import SightlineWasmMemory
import SightlineWasmPictures

/// What goes to and comes from vision, the anchors of a session and planes.
extension Recorder {
  /// Puts a picture of one byte a pixel into the room.
  func picture(_ pixels: [UInt8]) {
    guard let base = sl_picture(Int32(pixels.count)) else { fatalError("no room for \(pixels.count) bytes") }
    for (k, value) in pixels.enumerated() { base[k] = value }
    lines.append(#"{"picture": "\#(Data(pixels).base64EncodedString())"}"#)
  }

  /// Takes the grey picture in the room; answers a row for each observation.
  @discardableResult
  func look(_ width: Int, _ height: Int, _ time: Double, focal: Double, isLimited: Bool = false) -> [[Double]] {
    let (w, h) = (Double(width), Double(height))
    let count = Int(call("sl_vision_frame", 0, w, h, 0, w, isLimited ? 1 : 0, time, focal))
    let length = ObservationRow.length
    let values = (0..<max(0, count * length)).map { sl_vision_values()[$0] }
    lines.append(#"{"call": "sl_vision_values", "args": [], "result": \#(Self.json(values))}"#)
    return (0..<max(0, count)).map { Array(values[($0 * length)..<(($0 + 1) * length)]) }
  }

  /// Writes walls and makes them those that are wanted.
  func walls(_ walls: Int, members: Int, _ values: [Double]) {
    guard let base = sl_vision_walls_in(Int32(walls), Int32(members)) else { fatalError("no room for \(walls) walls") }
    for (k, value) in values.enumerated() { base[k] = value }
    sl_vision_walls(Int32(walls))
    lines.append(#"{"walls": \#(Self.json(values)), "counts": \#(Self.json([Double(walls), Double(members)]))}"#)
  }

  /// Hands observations over as the page does: eleven numbers of the picture, then rows.
  func observations(_ time: Double, head: [Double], rows: [[Double]]) {
    let values = head + rows.flatMap { $0 }
    guard let base = sl_observations_in(Int32(rows.count)) else { fatalError("no room for \(rows.count) rows") }
    for (k, value) in values.enumerated() { base[k] = value }
    sl_observations(time, Int32(rows.count))
    let args = [time, Double(rows.count)]
    lines.append(#"{"observations": \#(Self.json(values)), "args": \#(Self.json(args))}"#)
  }

  /// Says where an anchor hangs.
  func survey(_ time: Double, _ values: [Double]) {
    for (k, value) in values.enumerated() { sl_survey_in()[k] = value }
    sl_survey(time)
    lines.append(#"{"survey": \#(Self.json(values)), "args": \#(Self.json([time]))}"#)
  }

  /// The anchors as they are, all of it.
  @discardableResult
  func anchors() -> [Double] {
    let base = sl_anchors()
    let values = (0..<(19 + 15 * Int(base[0]) + 28 * Int(base[1]))).map { base[$0] }
    lines.append(#"{"call": "sl_anchors", "args": [], "result": \#(Self.json(values))}"#)
    return values
  }

  /// Writes a plane and means it; answers whether it is one.
  @discardableResult
  func plane(_ values: [Double]) -> Bool {
    for (k, value) in values.enumerated() { sl_plane_values()[k] = value }
    lines.append(#"{"plane": \#(Self.json(values))}"#)
    return call("sl_plane_set") == 1
  }

  /// The values that a call about the plane left.
  @discardableResult
  func planeValues(_ count: Int) -> [Double] {
    let values = (0..<count).map { sl_plane_values()[$0] }
    lines.append(#"{"call": "sl_plane_values", "args": [], "result": \#(Self.json(values))}"#)
    return values
  }

  func invokeVision(_ name: String, _ a: [Double]) -> Double? {
    func int(_ k: Int) -> Int32 { Int32(a[k]) }
    switch name {
    case "sl_vision_reset": sl_vision_reset()
    case "sl_vision_markers": sl_vision_markers(int(0))
    case "sl_vision_marker_side": sl_vision_marker_side(int(0), int(1), a[2])
    case "sl_vision_lens": sl_vision_lens(a[0], a[1], a[2], a[3], a[4])
    case "sl_vision_codes": sl_vision_codes(int(0))
    case "sl_vision_motion": sl_vision_motion(a[0], a[1], a[2], a[3], int(4))
    case "sl_vision_add_picture": return Double(sl_vision_add_picture(int(0), int(1), a[2]))
    case "sl_vision_remove_picture": sl_vision_remove_picture(int(0))
    case "sl_vision_frame":
      return Double(sl_vision_frame(int(0), int(1), int(2), int(3), int(4), int(5), a[6], a[7]))
    case "sl_vision_read_codes": return Double(sl_vision_read_codes())
    case "sl_vision_focal": return sl_vision_focal(a[0], a[1], a[2])
    case "sl_field_of_view": return sl_field_of_view(a[0], a[1], a[2])
    case "sl_survey_count": return Double(sl_survey_count())
    case "sl_model_bounds": sl_model_bounds(a[0], int(1), a[2], a[3], a[4], a[5], a[6], a[7])
    case "sl_plane_set": return Double(sl_plane_set())
    case "sl_plane_pixel": return Double(sl_plane_pixel(a[0], a[1]))
    case "sl_plane_point": return Double(sl_plane_point(a[0], a[1]))
    case "sl_plane_upright": return sl_plane_upright(a[0], a[1], int(2))
    case "sl_plane_corners": sl_plane_corners(a[0], a[1], a[2], a[3], a[4])
    case "sl_plane_is_on": return Double(sl_plane_is_on(a[0], a[1], a[2], a[3], a[4], a[5], a[6]))
    case "sl_plane_matrix": return Double(sl_plane_matrix(a[0], a[1], a[2], a[3], a[4]))
    case "sl_plane_clip": sl_plane_clip(a[0], a[1], a[2])
    default: fatalError("no such function: \(name)")
    }
    return nil
  }
}
