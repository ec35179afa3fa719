import SightlineCamera
import SightlineGeodesy
import SightlineMath

/// A code (or another square) whose place on the Earth is known, seen in a picture of the camera.
public struct CodeSighting: Equatable, Sendable {
  /// Where it hangs; ``SurveyedMarker/side`` is the outer edge of its modules, without the quiet zone.
  ///
  /// An altitude that is no number is unknown: the sighting then says nothing about heights.
  public var code: SurveyedMarker
  /// Its corners in the picture, pixels, clockwise as seen from the front, from the code's own top left.
  public var corners: Quadrilateral
  /// Size of the picture they were found in, pixels; it may be smaller than the camera's.
  public var pictureSize: Vector2
  /// Seconds from the moment the picture was taken to the event.
  public var age: Double

  /// A sighting.
  public init(code: SurveyedMarker, corners: Quadrilateral, pictureSize: Vector2, age: Double = 0) {
    self.code = code
    self.corners = corners
    self.pictureSize = pictureSize
    self.age = age
  }

  /// Whether it is the same; two unknown altitudes are.
  public static func == (a: CodeSighting, b: CodeSighting) -> Bool {
    var (first, second) = (a.code, b.code)
    if first.place.altitude.isNaN, second.place.altitude.isNaN {
      first.place.altitude = 0
      second.place.altitude = 0
    }
    return first == second && a.corners == b.corners && a.pictureSize == b.pictureSize && a.age == b.age
  }

  /// The corners as pixels of a picture of another size.
  func corners(in intrinsics: Intrinsics) -> Quadrilateral? {
    guard pictureSize.x > 0, pictureSize.y > 0 else { return nil }
    let (sx, sy) = (intrinsics.width / pictureSize.x, intrinsics.height / pictureSize.y)
    var scaled = corners
    for k in 0..<4 {
      // Pixel centres are at whole numbers.
      scaled[k] = Vector2((corners[k].x + 0.5) * sx - 0.5, (corners[k].y + 0.5) * sy - 0.5)
      guard scaled[k].x.isFinite, scaled[k].y.isFinite else { return nil }
    }
    return scaled
  }
}

/// How the device was turned in the last second or so: pictures are looked at later than they were taken.
struct AttitudeMemory: Sendable {
  private var entries: [(time: Double, eastNorthUpFromDevice: Quaternion)] = []
  private var next = 0
  private static let most = 64
  /// Seconds between two entries, at least.
  private static let step = 0.025

  mutating func note(_ attitude: Quaternion, at time: Double) {
    if !entries.isEmpty {
      let last = entries[(next + entries.count - 1) % entries.count].time
      guard time - last >= Self.step else { return }
    }
    if entries.count < Self.most {
      entries.append((time, attitude))
      next = 0
    } else {
      entries[next] = (time, attitude)
      next = (next + 1) % Self.most
    }
  }

  /// The attitude noted nearest to a moment; `nil` when none was noted within a tenth of a second of it.
  func attitude(at time: Double) -> Quaternion? {
    var best: (distance: Double, attitude: Quaternion)?
    for entry in entries {
      let distance = abs(entry.time - time)
      if distance < best?.distance ?? 0.1 { best = (distance, entry.eastNorthUpFromDevice) }
    }
    return best?.attitude
  }
}
