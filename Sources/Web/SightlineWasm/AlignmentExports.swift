import SightlineEngine
import SightlineFusion
import SightlineMath
import SightlineWasmMemory

// What the user found out about north; how it is told: Bindings+Events.swift.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()

/// What the sensors call up, in the device frame and uncorrected: x, y, z; not numbers before the first orientation.
@_expose(wasm) @c public func sl_sensed_up() -> UnsafeMutablePointer<Double> {
  let up = session.sensedUp
  output.reserve(3)
  var out = Writer(output.base)
  out.put(up?.x ?? .nan)
  out.put(up?.y ?? .nan)
  out.put(up?.z ?? .nan)
  return output.base
}

/// What to store of the corrections: their number, then a row for each.
@_expose(wasm) @c public func sl_heading_corrections() -> UnsafeMutablePointer<Double> {
  let corrections = session.headingCorrections
  output.reserve(1 + HeadingCorrectionRow.length * corrections.count)
  var out = Writer(output.base)
  out.put(corrections.count)
  for correction in corrections { correction.write(to: &out) }
  return output.base
}
