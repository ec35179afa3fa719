import Foundation
import SightlineWasm

/// Calls the exported functions natively and writes down each call with what came back, one JSON object a line, so that
/// the same calls can be made of the WebAssembly build and compared.
///
/// `{"case": name}` begins a case with a new session; `{"call": name, "args": […], "result": […]}` is a call;
/// `{"world": […], "texts": …, "counts": […], "args": […]}` hands a world over. Numbers that are none are `null`.
final class Recorder {
  var lines: [String] = []

  func begin(_ name: String) {
    sl_reset()
    lines.append(#"{"case": "\#(name)"}"#)
  }

  /// A call without a result, or with one number.
  @discardableResult
  func call(_ name: String, _ arguments: Double...) -> Double {
    let result = invoke(name, arguments)
    let shown = result.map { ", \"result\": \(Self.json([$0]))" } ?? ""
    lines.append(#"{"call": "\#(name)", "args": \#(Self.json(arguments))\#(shown)}"#)
    return result ?? 0
  }

  /// Hands over a world as the page does.
  func loaded(_ time: Double, _ request: Double, _ world: WrittenWorld) {
    guard world.write() else { fatalError("no room for \(world.places.count) places") }
    _ = sl_world_compile(Int32(request))
    sl_world_loaded(time, Int32(request))
    let texts = String(decoding: world.texts.joined(), as: UTF16.self)
    lines.append(
      #"{"world": \#(Self.json(world.numbers)), "texts": "\#(texts)", "counts": \#(Self.json(world.counts.map(Double.init))), "#
        + #""args": \#(Self.json([time, request]))}"#
    )
  }

  /// What covers the view, as the page hands it over.
  func occupied(_ time: Double, rectangles: [[Double]], arrows: [[Double]]) {
    let values = rectangles.flatMap { $0 } + arrows.flatMap { $0 }
    let base = sl_occupied_values_in()
    for (k, value) in values.enumerated() { base[k] = value }
    sl_occupied(time, Int32(rectangles.count), Int32(arrows.count))
    let args = [time, Double(rectangles.count), Double(arrows.count)]
    lines.append(#"{"occupied": \#(Self.json(values)), "args": \#(Self.json(args))}"#)
  }

  /// A frame, all of it.
  @discardableResult
  func frame(_ time: Double) -> [Double] {
    let base = sl_frame(time)
    // The overlays are the last table.
    let values = (0..<Int(base[31] + base[30])).map { base[$0] }
    lines.append(#"{"call": "sl_frame", "args": \#(Self.json([time])), "result": \#(Self.json(values))}"#)
    return values
  }

  /// The next effect: its kind and values.
  func effect() -> [Double] {
    let kind = Int(sl_next_effect())
    let values = [Double(kind)] + (0..<Self.valueCount[kind]).map { sl_effect_values()[$0] }
    lines.append(#"{"call": "sl_next_effect", "args": [], "result": \#(Self.json(values))}"#)
    return values
  }

  /// All effects; answers the number of the last request, if one was made.
  @discardableResult
  func effects() -> Double? {
    var request: Double?
    while true {
      let values = effect()
      if values[0] == 0 { return request }
      if values[0] == 1 { request = values[1] }
    }
  }

  /// How many values each kind of effect has; `WebClient/engine/events.js` reads as many.
  static let valueCount = [0, 15, 1, 1, 1, 1, 4, 0, 2]

  static func json(_ values: [Double]) -> String {
    "[" + values.map { $0.isFinite ? "\($0)" : "null" }.joined(separator: ",") + "]"
  }

  func invoke(_ name: String, _ a: [Double]) -> Double? {
    func int(_ k: Int) -> Int32 { Int32(a[k]) }
    switch name {
    case "sl_distance": return sl_distance(a[0], a[1], a[2], a[3])
    case "sl_bearing": return sl_bearing(a[0], a[1], a[2], a[3])
    case "sl_declination": return sl_declination(a[0], a[1], a[2], a[3])
    case "sl_orientation_quaternion": sl_orientation_quaternion(a[0], a[1], a[2], a[3], a[4], int(5))
    case "sl_orientation_angles": sl_orientation_angles(a[0], a[1], a[2], a[3], int(4))
    case "sl_orientation_compass": sl_orientation_compass(a[0], a[1], a[2], a[3], a[4], a[5])
    case "sl_motion": sl_motion(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9])
    case "sl_fix": sl_fix(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], int(8))
    case "sl_ground": sl_ground(a[0], a[1], a[2], a[3])
    case "sl_feature_ground": sl_feature_ground(a[0], int(1), a[2])
    case "sl_picture_age": sl_picture_age(a[0], a[1])
    case "sl_drag_world": sl_drag_world(a[0], a[1], a[2], a[3], a[4])
    case "sl_point_at_place": sl_point_at_place(a[0], a[1], a[2], a[3], a[4], a[5])
    case "sl_point_at_feature": sl_point_at_feature(a[0], int(1), a[2], a[3])
    case "sl_point_at_body": sl_point_at_body(a[0], int(1), a[2], a[3])
    case "sl_restore_heading_correction": sl_restore_heading_correction(a[0], a[1], a[2], a[3], a[4], a[5])
    case "sl_forget_heading_corrections": sl_forget_heading_corrections(a[0])
    case "sl_display": sl_display(a[0], a[1], a[2], int(3))
    case "sl_camera": sl_camera(a[0], a[1], a[2], a[3])
    case "sl_calendar": sl_calendar(a[0], a[1])
    case "sl_open": sl_open(a[0], int(1))
    case "sl_failed": sl_failed(a[0], int(1), int(2), int(3))
    case "sl_refresh_by_hand": sl_refresh_by_hand(a[0])
    case "sl_label_size": sl_label_size(a[0], int(1), a[2], a[3])
    case "sl_touch": sl_touch(a[0], a[1], a[2])
    case "sl_press": sl_press(a[0], int(1))
    case "sl_select": sl_select(a[0], int(1))
    case "sl_toggle_cluster": sl_toggle_cluster(a[0], int(1))
    case "sl_set_radius": sl_set_radius(a[0], a[1])
    case "sl_set_categories": sl_set_categories(a[0], int(1), int(2))
    case "sl_set_frozen": sl_set_frozen(a[0], int(1))
    case "sl_suspend": sl_suspend(a[0])
    case "sl_resume": sl_resume(a[0])
    default: return invokeVision(name, a)
    }
    return nil
  }
}
