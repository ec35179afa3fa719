/// Kinds of chunks with what world tracking was given.
///
/// The session's are in EventCoding+Bindings.swift.
enum TrackingKind: UInt16, CaseIterable {
  case began = 128
  case reading = 129
  case tilt = 130
  case frame = 131
  case answer = 132
}

/// Between what world tracking was given and the payloads of chunks.
enum TrackingCoding {
  /// Writes the payload of an event; its kind.
  static func encode(_ event: TrackingEvent, _ out: inout ByteWriter) -> TrackingKind {
    switch event {
    case .began(let setup):
      out.put(setup.width)
      out.put(setup.height)
      out.put(setup.focal)
      out.put(setup.screenAngle)
      out.put(setup.readout)
      return .began
    case .reading(let reading):
      EventCoding.encode(reading.rate, &out)
      EventCoding.encode(reading.force, &out)
      out.put(reading.heard)
      return .reading
    case .tilt(let tilt):
      out.put(tilt.beta)
      out.put(tilt.gamma)
      return .tilt
    case .frame(let frame):
      out.put(frame.heard)
      out.put(frame.lost)
      out.put(frame.isLimited)
      return .frame
    case .answer(let answer):
      for value in answer.values { out.put(value) }
      return .answer
    }
  }

  /// The event of a payload, which may be longer than this version knows; `nil` when it is too short.
  static func decode(_ kind: TrackingKind, _ payload: [UInt8]) -> TrackingEvent? {
    var source = ByteReader(payload[...])
    switch kind {
    case .began:
      guard let width = source.i32(), let height = source.i32(), let focal = source.f64(), let angle = source.i32(),
        let readout = source.i32()
      else { return nil }
      let setup = TrackingEvent.Setup(
        width: width,
        height: height,
        focal: focal,
        screenAngle: angle,
        readout: readout
      )
      return .began(setup)
    case .reading:
      guard let rate = EventCoding.vector(&source), let force = EventCoding.vector(&source), let heard = source.f64()
      else { return nil }
      return .reading(TrackingEvent.Reading(rate: rate, force: force, heard: heard))
    case .tilt:
      guard let beta = source.f64(), let gamma = source.f64() else { return nil }
      return .tilt(TrackingEvent.Tilt(beta: beta, gamma: gamma))
    case .frame:
      guard let heard = source.f64(), let lost = source.u32(), let isLimited = source.bool() else { return nil }
      return .frame(TrackingEvent.Frame(heard: heard, lost: lost, isLimited: isLimited))
    case .answer:
      var values: [Double] = []
      for _ in 0..<TrackingEvent.Answer.length {
        guard let value = source.f64() else { return nil }
        values.append(value)
      }
      return TrackingEvent.Answer(values).map(TrackingEvent.answer)
    }
  }
}
