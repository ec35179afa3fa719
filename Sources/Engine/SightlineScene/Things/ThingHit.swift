import SightlineMath

extension HitTest {
  /// The nearest thing under a touch: of a model the box around it, of a picture the picture.
  static func thing(_ point: Vector2, in frame: borrowing SceneFrame) -> Int32? {
    let clip = frame.clipFromThingCamera
    guard frame.width > 0, frame.height > 0, clip[0] != 0, clip[5] != 0 else { return nil }
    let (x, y) = (2 * point.x / frame.width - 1, 1 - 2 * point.y / frame.height)
    let ray = Vector3((x - Double(clip[8])) / Double(clip[0]), (y - Double(clip[9])) / Double(clip[5]), 1)
    var best: Int32?
    var nearest = Double.infinity
    for k in 0..<frame.things.count where frame.things[k].state != .wanted {
      let item = frame.things[k]
      let back = item.cameraFromThing.inverse
      var start = back * Vector3.zero
      var way = back.rotation * (ray * back.scale)
      start.y /= item.stretch
      way.y /= item.stretch
      if let depth = depth(start, way, item.low, item.high), depth < nearest {
        nearest = depth
        best = item.feature
      }
    }
    return best
  }

  /// How far along a ray a box begins, in lengths of the ray; `nil` for none.
  private static func depth(_ start: Vector3, _ way: Vector3, _ low: Vector3, _ high: Vector3) -> Double? {
    var (first, last) = (0.0, Double.infinity)
    func cut(_ s: Double, _ w: Double, _ l: Double, _ h: Double) -> Bool {
      // What is flat still has a face.
      if abs(w) < 1e-12 { return s >= l - 1e-9 && s <= h + 1e-9 }
      let (a, b) = ((l - s) / w, (h - s) / w)
      first = max(first, min(a, b))
      last = min(last, max(a, b))
      return true
    }
    guard cut(start.x, way.x, low.x, high.x), cut(start.y, way.y, low.y, high.y), cut(start.z, way.z, low.z, high.z)
    else { return nil }
    return first <= last + 1e-9 * max(1, abs(last)) && last.isFinite ? first : nil
  }
}
