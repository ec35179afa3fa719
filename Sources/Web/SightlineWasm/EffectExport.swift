import SightlineEngine
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// Effects as numbers: the kind is the function's answer, its values are at `sl_effect_values`.

// Unsafe by name only, for the reason given at `session` in Host.swift; so in the other files of this folder.
nonisolated(unsafe) private let values = UnsafeMutablePointer<Double>.allocate(capacity: 24)

/// Where the values of the last effect are.
@_expose(wasm) @c public func sl_effect_values() -> UnsafeMutablePointer<Double> { values }

/// Takes the next effect: 0 none, 1 request, 2 cancel, 3 open a web page, 4 remember, 5 selection changed, 6 load failed,
/// 7 world changed, 8 aligned.
@_expose(wasm) @c public func sl_next_effect() -> Int32 {
  var out = Writer(values)
  switch session.nextEffect() {
  case nil: return 0
  case .request(let request):
    write(request, &out)
    return 1
  case .cancel(let id):
    out.put(id.rawValue)
    return 2
  case .openWebPage(let address):
    out.put(address.rawValue)
    return 3
  case .remember(let target, let world):
    switch target {
    case .refreshAddress: out.put(-1 as Int32)
    case .address(let address): out.put(address.rawValue)
    }
    out.put(world)
    return 4
  case .selectionChanged(let feature):
    out.put(feature ?? -1)
    return 5
  case .loadFailed(let reason, let event, let stopped, let world):
    write(reason, &out)
    out.put(Int32(event.rawValue))
    out.put(stopped)
    out.put(world)
    return 6
  case .worldChanged(let world):
    out.put(world)
    return 7
  case .aligned(let outcome, let angle):
    out.put(Int32(outcome.rawValue))
    out.put(angle.degrees)
    return 8
  }
}

private func write(_ request: DimensionRequest, _ out: inout Writer) {
  out.put(request.id.rawValue)
  out.put(request.address?.rawValue ?? -1)
  out.put(Int32(request.event.rawValue))
  switch request.source {
  case .none:
    out.put(0 as Int32)
    out.put(-1 as Int32)
  case .feature(let index):
    out.put(1 as Int32)
    out.put(index)
  case .overlay(let index):
    out.put(2 as Int32)
    out.put(index)
  }
  out.put(request.hasPosition)
  out.put(request.latitudeDegrees)
  out.put(request.longitudeDegrees)
  out.put(request.altitude)
  out.put(request.hasOrientation)
  out.put(request.bearingDegrees)
  out.put(request.pitchDegrees)
  out.put(request.rollDegrees)
  out.put(request.width)
  out.put(request.height)
  out.put(request.world)
}

private func write(_ reason: FailureReason, _ out: inout Writer) {
  let (kind, status): (Int32, Int32) =
    switch reason {
    case .network: (0, 0)
    case .timedOut: (1, 0)
    case .status(let status): (2, status)
    case .malformed: (3, 0)
    case .notAWorld: (4, 0)
    case .refused: (5, 0)
    }
  out.put(kind)
  out.put(status)
}
