import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// What vision saw goes in, what stands on anchors comes out; what stands where: Bindings+Rows.swift.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var input = Buffer()
nonisolated(unsafe) private var output = Buffer()
nonisolated(unsafe) private let surveyInput = UnsafeMutablePointer<Double>.allocate(capacity: SurveyRow.length)

/// Most observations of a picture.
private let most: Int32 = 4096

/// Where the page writes the observations of a picture: the head, then rows as `vision.wasm` made them; null when there are more than
/// fit.
@_expose(wasm) @c public func sl_observations_in(_ count: Int32) -> UnsafeMutablePointer<Double>? {
  guard 0...most ~= count else { return nil }
  return input.reserveExactly(SightHeadRow.length + Int(count) * ObservationRow.length) ? input.base : nil
}

/// The observations that were written were made in a picture.
@_expose(wasm) @c public func sl_observations(_ time: Double, _ count: Int32) {
  guard 0...most ~= count, input.capacity >= SightHeadRow.length + Int(count) * ObservationRow.length else { return }
  let head = Values(input.base)
  let (width, height, focal) = (head[SightHeadRow.width], head[SightHeadRow.height], head[SightHeadRow.focal])
  let (x, y) = (head[SightHeadRow.center], head[SightHeadRow.center + 1])
  let camera = FrameCamera(
    intrinsics: Intrinsics(
      width: width,
      height: height,
      focalX: focal,
      focalY: focal,
      centerX: x.isFinite ? x : (width - 1) / 2,
      centerY: y.isFinite ? y : (height - 1) / 2
    ),
    distortion: LensDistortion(
      k1: head[SightHeadRow.lens],
      k2: head[SightHeadRow.lens + 1],
      p1: head[SightHeadRow.lens + 2],
      p2: head[SightHeadRow.lens + 3],
      k3: head[SightHeadRow.lens + 4]
    )
  )
  var observations = Observations(time: head[SightHeadRow.time], camera: camera)
  for k in 0..<Int(count) {
    let row = Values(input.base + SightHeadRow.length + k * ObservationRow.length)
    if let seen = ObservationRow.read(row) { observations.all.append(seen) }
  }
  session.handle(.observations(observations), at: time)
}

/// Where the page writes where an anchor hangs; a latitude that is NaN: it is no longer known.
@_expose(wasm) @c public func sl_survey_in() -> UnsafeMutablePointer<Double> { surveyInput }

/// An anchor hangs where it was written.
@_expose(wasm) @c public func sl_survey(_ time: Double) {
  let row = Values(surveyInput)
  guard let anchor = ObservationRow.anchorID(row, SurveyRow.anchor) else { return }
  let survey = AnchorSurvey(
    place: Geodetic(
      latitudeDegrees: row[SurveyRow.latitude],
      longitudeDegrees: row[SurveyRow.longitude],
      altitude: row[SurveyRow.altitude]
    ),
    // As documents count them.
    altitudeDatum: .seaLevel,
    facing: Angle(degrees: row[SurveyRow.facing]),
    elevation: Angle(degrees: row[SurveyRow.elevation]),
    roll: Angle(degrees: row[SurveyRow.roll]),
    width: row[SurveyRow.width]
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

/// What stands on anchors in the newest picture, as the last frame or observations left it: a head, anchors and items.
@_expose(wasm) @c public func sl_anchors() -> UnsafeMutablePointer<Double> {
  let (anchors, items) = (session.frame.anchors.count, session.frame.anchored.count)
  output.reserve(AnchorHeadRow.length + anchors * AnchorRow.length + items * AnchoredRow.length)
  var out = Writer(output.base)
  session.frame.write(to: &out)
  for k in 0..<anchors { session.frame.anchors[k].write(to: &out) }
  for k in 0..<items { session.frame.anchored[k].write(to: &out) }
  return output.base
}
