import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// What vision saw, and where anchors hang.
extension EventCoding {
  static func encode(_ vector: Vector3, _ out: inout ByteWriter) {
    out.put(vector.x)
    out.put(vector.y)
    out.put(vector.z)
  }

  /// A choice: its kind (8 bits) and what it carries.
  static func encode(_ numbers: (kind: Int32, value: Int32), _ out: inout ByteWriter) {
    out.put(UInt8(clamping: numbers.kind))
    out.put(numbers.value)
  }

  /// A kind (8 bits) and 64 bits: of a marker its dictionary and id, otherwise the number.
  static func encode(_ anchor: AnchorID, _ out: inout ByteWriter) {
    let (kind, number): (UInt8, UInt64) =
      switch anchor {
      case .marker(let dictionary, let id): (0, UInt64(dictionary) << 32 | UInt64(UInt32(bitPattern: id)))
      case .picture(let number): (1, UInt64(UInt32(bitPattern: number)))
      case .code(let hash): (2, hash)
      case .wall(let number): (3, UInt64(UInt32(bitPattern: number)))
      case .placed(let number): (4, UInt64(UInt32(bitPattern: number)))
      }
    out.put(kind)
    out.put(number)
  }

  static func anchor(_ source: inout ByteReader) -> AnchorID? {
    guard let kind = source.u8(), let number = source.u64() else { return nil }
    let low = Int32(bitPattern: UInt32(truncatingIfNeeded: number))
    switch kind {
    case 0: return UInt8(exactly: number >> 32).map { .marker(dictionary: $0, id: low) }
    case 1: return .picture(low)
    case 2: return .code(number)
    case 3: return .wall(low)
    case 4: return .placed(low)
    default: return nil
    }
  }

  static func encode(_ survey: AnchorSurvey, _ out: inout ByteWriter) {
    out.put(survey.place.latitudeDegrees)
    out.put(survey.place.longitudeDegrees)
    out.put(survey.place.altitude)
    for angle in [survey.facing, survey.elevation, survey.roll] { out.put(angle.radians) }
    out.put(survey.width)
  }

  static func survey(_ source: inout ByteReader) -> AnchorSurvey? {
    guard let place = vector(&source), let angles = vector(&source), let width = source.f64() else { return nil }
    return AnchorSurvey(
      place: Geodetic(latitudeDegrees: place.x, longitudeDegrees: place.y, altitude: place.z),
      facing: Angle(radians: angles.x),
      elevation: Angle(radians: angles.y),
      roll: Angle(radians: angles.z),
      width: width
    )
  }

  static func encodeObservations(_ observations: Observations, _ out: inout ByteWriter) {
    out.put(observations.time)
    let (lens, bent) = (observations.camera.intrinsics, observations.camera.distortion)
    for value in [lens.width, lens.height, lens.focalX, lens.focalY, lens.centerX, lens.centerY] { out.put(value) }
    for value in [bent.k1, bent.k2, bent.p1, bent.p2, bent.k3] { out.put(value) }
    out.put(UInt32(clamping: observations.all.count))
    for seen in observations.all { out.putRecord { encode(seen, &$0) } }
  }

  private static func encode(_ seen: Observation, _ out: inout ByteWriter) {
    encode(seen.anchor, &out)
    out.put(seen.state.rawValue)
    for k in 0..<4 {
      out.put(seen.corners[k].x)
      out.put(seen.corners[k].y)
    }
    for value in [seen.cornerSigma, seen.confidence, seen.width, seen.unseen] { out.put(value) }
    out.put(seen.track)
    out.put(seen.isResting)
    out.put(seen.pose != nil)
    guard let pose = seen.pose else { return }
    let q = pose.cameraFromPlane
    for value in [q.w, q.x, q.y, q.z] { out.put(value) }
    encode(pose.translation, &out)
    out.put(pose.reprojectionError)
  }

  /// `nil` when there is too little of it; an optional without a value when a later version has added something to it.
  static func observations(_ source: inout ByteReader) -> Observations?? {
    guard let time = source.f64(), let size = point(&source), let focal = point(&source), let center = point(&source),
      let k1 = source.f64(), let k2 = source.f64(), let p1 = source.f64(), let p2 = source.f64(), let k3 = source.f64(),
      let count = source.u32()
    else { return nil }
    let lens = Intrinsics(
      width: size.x,
      height: size.y,
      focalX: focal.x,
      focalY: focal.y,
      centerX: center.x,
      centerY: center.y
    )
    let bent = LensDistortion(k1: k1, k2: k2, p1: p1, p2: p2, k3: k3)
    var observations = Observations(time: time, camera: FrameCamera(intrinsics: lens, distortion: bent))
    // Nothing is reserved for the count: it may lie.
    for _ in 0..<count {
      guard var record = source.record() else { return nil }
      switch observation(&record) {
      case .none: return nil
      case .some(.none): return .some(nil)
      case .some(.some(let seen)): observations.all.append(seen)
      }
    }
    return observations
  }

  private static func observation(_ source: inout ByteReader) -> Observation?? {
    guard source.count >= 9 else { return nil }
    guard let anchor = anchor(&source) else { return .some(nil) }
    guard let state = source.u8(), let a = point(&source), let b = point(&source), let c = point(&source),
      let d = point(&source), let sigma = source.f64(), let confidence = source.f64(), let width = source.f64(),
      let unseen = source.f64(), let track = source.i32(), let isResting = source.bool(), let hasPose = source.bool()
    else { return nil }
    guard let state = ObservationState(rawValue: state) else { return .some(nil) }
    var pose: PlanarPose?
    if hasPose {
      guard let w = source.f64(), let v = vector(&source), let t = vector(&source), let error = source.f64() else {
        return nil
      }
      pose = PlanarPose(
        cameraFromPlane: Quaternion(w: w, x: v.x, y: v.y, z: v.z),
        translation: t,
        reprojectionError: error
      )
    }
    return Observation(
      anchor,
      state: state,
      corners: Quadrilateral(a, b, c, d),
      pose: pose,
      cornerSigma: sigma,
      confidence: confidence,
      width: width,
      track: track,
      isResting: isResting,
      unseen: unseen
    )
  }

  // MARK: A world's anchors

  static func encode(_ anchor: WorldAnchor, _ out: inout ByteWriter) {
    encode(anchor.id, &out)
    out.put(anchor.width)
    out.put(anchor.survey != nil)
    if let survey = anchor.survey { encode(survey, &out) }
    encode(anchor.reference.numbers, &out)
    let transform = anchor.referenceFromAnchor
    for value in [transform.rotation.w, transform.rotation.x, transform.rotation.y, transform.rotation.z] {
      out.put(value)
    }
    encode(transform.translation, &out)
    out.put(transform.scale)
    out.put((anchor.survey?.altitudeDatum ?? .ellipsoid).rawValue)
  }

  static func worldAnchor(_ source: inout ByteReader) -> WorldAnchor? {
    guard let id = anchor(&source), let width = source.f64(), let isSurveyed = source.bool() else { return nil }
    var anchor = WorldAnchor(id, width: width)
    if isSurveyed {
      guard let survey = survey(&source) else { return nil }
      anchor.survey = survey
    }
    guard let kind = source.u8(), let index = source.i32(), let w = source.f64(), let v = vector(&source),
      let translation = vector(&source), let scale = source.f64()
    else { return nil }
    anchor.reference = WorldAnchor.Reference(kind: Int32(kind), value: index) ?? .none
    anchor.referenceFromAnchor = SimilarityTransform(
      rotation: Quaternion(w: w, x: v.x, y: v.y, z: v.z),
      translation: translation,
      scale: scale
    )
    // Not in recordings of earlier versions.
    anchor.survey?.altitudeDatum = source.u8().flatMap { HeightDatum(rawValue: $0) } ?? .ellipsoid
    return anchor
  }

  static func encode(_ model: ModelPlacement, _ out: inout ByteWriter) {
    for angle in [model.xRotation, model.yRotation, model.zRotation] { out.put(angle.radians) }
    out.put(model.scale ?? .nan)
  }

  static func modelPlacement(_ source: inout ByteReader) -> ModelPlacement? {
    guard let angles = vector(&source), let scale = source.f64() else { return nil }
    var model = ModelPlacement()
    model.xRotation = Angle(radians: angles.x)
    model.yRotation = Angle(radians: angles.y)
    model.zRotation = Angle(radians: angles.z)
    model.scale = scale.isNaN ? nil : scale
    return model
  }
}
