import SightlineEngine
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// Models and pictures in true size of the frame that was made last; what stands where: Bindings+Rows.swift.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()

/// A head with the light of an hour (decimal year, universal time), then a row for each thing.
@_expose(wasm) @c public func sl_things(_ decimalYear: Double) -> UnsafeMutablePointer<Double> {
  let count = session.frame.things.count
  output.reserve(ThingHeadRow.length + count * ThingRow.length)
  var out = Writer(output.base)
  askSession { $0.light(decimalYear: decimalYear) }.write(to: &out)
  for k in 0..<count { session.frame.things[k].write(to: &out) }
  return output.base
}
