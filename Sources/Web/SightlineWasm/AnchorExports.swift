import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// What vision saw goes in, what stands on anchors comes out; `WebClient/engine/anchors.js` mirrors the layout.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var input = Buffer()
nonisolated(unsafe) private var output = Buffer()
nonisolated(unsafe) private let surveyInput = UnsafeMutablePointer<Double>.allocate(capacity: 10)

/// Numbers before the observations: time, width and height of the picture, focal length, k1, k2, p1, p2, k3.
private let observationHead = 9
/// Most observations of a picture.
private let most: Int32 = 4096
/// Numbers of the head, of an anchor and of an item.
private let (head, anchorStride, itemStride) = (19, 15, 28)

/// Where the page writes the observations of a picture: the head, then rows as `vision.wasm` made them; null when there are more than
/// fit.
@_expose(wasm) @c public func sl_observations_in(_ count: Int32) -> UnsafeMutablePointer<Double>? {
  guard 0...most ~= count else { return nil }
  return input.reserveExactly(observationHead + Int(count) * ObservationRow.length) ? input.base : nil
}

/// The observations that were written were made in a picture.
@_expose(wasm) @c public func sl_observations(_ time: Double, _ count: Int32) {
  guard 0...most ~= count, input.capacity >= observationHead + Int(count) * ObservationRow.length else { return }
  var source = Reader(input.base)
  let taken = source.next()
  let (width, height, focal) = (source.next(), source.next(), source.next())
  let lens = LensDistortion(
    k1: source.next(),
    k2: source.next(),
    p1: source.next(),
    p2: source.next(),
    k3: source.next()
  )
  let camera = FrameCamera(
    intrinsics: Intrinsics(
      width: width,
      height: height,
      focalX: focal,
      focalY: focal,
      centerX: (width - 1) / 2,
      centerY: (height - 1) / 2
    ),
    distortion: lens
  )
  var observations = Observations(time: taken, camera: camera)
  for _ in 0..<count { if let seen = ObservationRow.read(&source) { observations.all.append(seen) } }
  session.handle(.observations(observations), at: time)
}

/// Where the page writes where an anchor hangs: kind and two numbers as in an observation, latitude, longitude (degrees), altitude
/// (metres, NaN unknown), facing, elevation, roll (degrees), width (metres); a latitude that is NaN: it is no longer known.
@_expose(wasm) @c public func sl_survey_in() -> UnsafeMutablePointer<Double> { surveyInput }

/// An anchor hangs where it was written.
@_expose(wasm) @c public func sl_survey(_ time: Double) {
  var source = Reader(surveyInput)
  guard let anchor = ObservationRow.anchor(&source) else { return }
  let survey = AnchorSurvey(
    place: Geodetic(latitudeDegrees: source.next(), longitudeDegrees: source.next(), altitude: source.next()),
    facing: Angle(degrees: source.next()),
    elevation: Angle(degrees: source.next()),
    roll: Angle(degrees: source.next()),
    width: source.next()
  )
  session.handle(.survey(anchor, survey.place.latitudeDegrees.isNaN ? nil : survey), at: time)
}

/// How often a surveyed anchor has set the position.
@_expose(wasm) @c public func sl_survey_count() -> Int32 { Int32(clamping: session.surveyedCount) }

/// What a camera of a focal length (pixels) sees along the longer side of its picture, degrees.
@_expose(wasm) @c public func sl_field_of_view(_ width: Double, _ height: Double, _ focal: Double) -> Double {
  guard width > 0, height > 0, focal > 0 else { return .nan }
  let lens = Intrinsics(
    width: width,
    height: height,
    focalX: focal,
    focalY: focal,
    centerX: (width - 1) / 2,
    centerY: (height - 1) / 2
  )
  return lens.longSideFieldOfView.degrees
}

/// The box around a feature's model, in its units.
@_expose(wasm) @c public func sl_model_bounds(
  _ time: Double,
  _ feature: Int32,
  _ lowX: Double,
  _ lowY: Double,
  _ lowZ: Double,
  _ highX: Double,
  _ highY: Double,
  _ highZ: Double
) {
  let bounds = ModelPlacement.Bounds(low: Vector3(lowX, lowY, lowZ), high: Vector3(highX, highY, highZ))
  session.handle(.modelBounds(feature: feature, bounds), at: time)
}

/// What stands on anchors in the newest picture, as the last frame or observations left it.
///
/// Nineteen numbers first: anchors, items, time of the picture, and its camera's clip matrix. An anchor has 15: its index, state, whether it is
/// in the picture, opacity, age, deviation (points), whether it has corners, and these (points). An item has 28: feature, anchor, its place
/// (points), whether it has a label, this (x, y, width, height), level, opacity, age, whether it is drawn, and the matrix from its own
/// frame to the camera's.
@_expose(wasm) @c public func sl_anchors() -> UnsafeMutablePointer<Double> {
  let (anchors, items) = (session.frame.anchors.count, session.frame.anchored.count)
  output.reserve(head + anchors * anchorStride + items * itemStride)
  var out = Writer(output.base)
  out.put(anchors)
  out.put(items)
  out.put(session.frame.pictureTime)
  for k in 0..<16 { out.put(Double(session.frame.clipFromCamera[k])) }
  for k in 0..<anchors { writeAnchor(session.frame.anchors[k], &out) }
  for k in 0..<items { writeItem(session.frame.anchored[k], &out) }
  return output.base
}

private func writeAnchor(_ anchor: SceneAnchor, _ out: inout Writer) {
  out.put(anchor.anchor)
  out.put(Int32(anchor.state.rawValue))
  out.put(anchor.isInPicture)
  out.put(anchor.opacity)
  out.put(anchor.age)
  out.put(anchor.deviation)
  out.put(anchor.corners != nil)
  let corners = anchor.corners ?? InlineArray(repeating: .zero)
  for k in 0..<4 {
    out.put(corners[k].x)
    out.put(corners[k].y)
  }
}

private func writeItem(_ item: AnchoredItem, _ out: inout Writer) {
  out.put(item.feature)
  out.put(item.anchor)
  out.put(item.place.x)
  out.put(item.place.y)
  out.put(item.label != nil)
  let label = item.label ?? ScreenRectangle(x: 0, y: 0, width: 0, height: 0)
  for value in [label.x, label.y, label.width, label.height] { out.put(value) }
  out.put(Int32(item.level.rawValue))
  out.put(item.opacity)
  out.put(item.age)
  var matrix = InlineArray<16, Float>(repeating: 0)
  if let transform = item.cameraFromFeature { transform.write(into: &matrix) }
  // A matrix without an extent is none.
  for k in 0..<16 { out.put(Double(matrix[k])) }
}
