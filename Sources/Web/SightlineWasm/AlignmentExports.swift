import SightlineEngine
import SightlineFusion
import SightlineWasmMemory

// What the user found out about north; how it is told: Bindings+Events.swift.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()

/// What to store of the corrections: their number, then a row for each.
@_expose(wasm) @c public func sl_heading_corrections() -> UnsafeMutablePointer<Double> {
  let corrections = session.headingCorrections
  output.reserve(1 + HeadingCorrectionRow.length * corrections.count)
  var out = Writer(output.base)
  out.put(corrections.count)
  for correction in corrections { correction.write(to: &out) }
  return output.base
}
