/// How something gets from 0 to 1: a share of a way, smooth up to its second derivative.
enum Course: Equatable, Sendable {
  /// From rest to rest with least jerk: what a hand does when it turns a phone.
  ///
  /// 10u³ − 15u⁴ + 6u⁵. Source: Flash and Hogan 1985, doi:10.1523/JNEUROSCI.05-07-01688.1985.
  case reach(start: Double, duration: Double)
  /// At a constant speed that is taken up and given up within `ramp` seconds (2 · ramp ≤ duration).
  case cruise(start: Double, duration: Double, ramp: Double)

  /// First moment.
  var start: Double {
    switch self {
    case .reach(let start, _), .cruise(let start, _, _): start
    }
  }
  /// Seconds.
  var duration: Double {
    switch self {
    case .reach(_, let duration), .cruise(_, let duration, _): duration
    }
  }

  /// The share at a time: 0 before, 1 after.
  func share(at time: Double) -> Jet {
    let elapsed = time - start
    if elapsed <= 0 { return .zero }
    if elapsed >= duration { return Jet(1) }
    switch self {
    case .reach: return Self.reach(elapsed / duration, duration)
    case .cruise(_, _, let ramp):
      // The area under a speed of 1 with two ramps, each of which is worth half of its length.
      let whole = duration - ramp
      let way: Jet
      if elapsed < ramp {
        way = Self.run(elapsed / ramp, ramp)
      } else if elapsed > duration - ramp {
        let mirrored = Self.run((duration - elapsed) / ramp, ramp)
        way = Jet(whole - mirrored.value, mirrored.rate, -mirrored.acceleration)
      } else {
        way = Jet(elapsed - ramp / 2, 1)
      }
      return (1 / whole) * way
    }
  }

  private static func reach(_ u: Double, _ scale: Double) -> Jet {
    let v = 1 - u
    return Jet(
      u * u * u * (10 + u * (6 * u - 15)),
      30 * u * u * v * v / scale,
      60 * u * v * (1 - 2 * u) / (scale * scale)
    )
  }

  /// The way run while the speed goes from 0 to 1 as ``reach(start:duration:)``: its integral.
  private static func run(_ u: Double, _ scale: Double) -> Jet {
    let speed = reach(u, scale)
    return Jet(scale * u * u * u * u * (2.5 + u * (u - 3)), speed.value, speed.rate)
  }
}
