import SightlineFusion
import SightlineMath

/// Orientation: samples a second of each estimator, on a phone that wanders about.
func benchmarkFusion(_ harness: Harness) {
  for rate in [60.0, 100, 500] {
    let samples = wanderingPhone(rate: rate, seconds: 120)
    let name = "\(Int(rate))Hz"
    measure(harness, "Fusion/orientation-9D/\(name)", samples) {
      var filter = OrientationFilter()
      for sample in samples { filter.take(sample) }
      consume(filter.eastNorthUpFromDevice)
    }
    let withoutField = samples.map {
      MotionSample(
        time: $0.time,
        angularVelocity: $0.angularVelocity,
        specificForce: $0.specificForce,
        magneticField: nil
      )
    }
    measure(harness, "Fusion/orientation-6D/\(name)", withoutField) {
      var filter = OrientationFilter()
      for sample in withoutField { filter.take(sample) }
      consume(filter.levelFromDevice)
    }
    measure(harness, "Fusion/gyroless/\(name)", samples) {
      var filter = GyrolessFilter()
      for sample in samples { filter.take(sample) }
      consume(filter.state.eastNorthUpFromDevice)
    }
    measure(harness, "Fusion/chosen-and-shown/\(name)", samples) {
      var fusion = OrientationFusion()
      var presentation = Presentation()
      for sample in samples {
        fusion.take(sample)
        if let estimate = fusion.estimate { consume(presentation.show(estimate, at: sample.time + 0.01)) }
      }
    }
  }
}

/// Two minutes of samples at a time; the harness states the time of all, this line the samples a second.
private func measure(_ harness: Harness, _ name: String, _ samples: [MotionSample], _ body: () -> Void) {
  guard let seconds = harness.measure("\(name)/\(samples.count)", samples: 15, { _ in body() }) else { return }
  print("\(name): \(Int(Double(samples.count) / seconds)) samples a second")
}

private func wanderingPhone(rate: Double, seconds: Double) -> [MotionSample] {
  var random = SplitMix(state: 3)
  func noise(_ size: Double) -> Vector3 {
    Vector3(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5) * size
  }
  func attitude(_ t: Double) -> Quaternion {
    Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: 0.9 * sin(0.7 * t)))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(radians: 1.2 + 0.5 * sin(1.1 * t)))
  }
  return (1...Int(seconds * rate)).map { k in
    let t = Double(k) / rate
    let (before, now) = (attitude(t - 1 / rate), attitude(t))
    let turn = before.inverse * now
    return MotionSample(
      time: t,
      angularVelocity: Vector3(turn.x, turn.y, turn.z) * (2 * rate) + noise(0.005),
      specificForce: now.inverse * Vector3(0, 0, 9.8) + noise(0.1),
      magneticField: now.inverse * Vector3(0, 20, -43) + noise(1)
    )
  }
}
