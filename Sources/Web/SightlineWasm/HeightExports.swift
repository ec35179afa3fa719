import SightlineEngine
import SightlineGeodesy
import SightlineWasmMemory

// The geoid's file goes in, the user's heights come out.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var input = Buffer()
nonisolated(unsafe) private let heights = UnsafeMutablePointer<Double>.allocate(capacity: HeightsRow.length)

/// More than any geoid's file has.
private let most: Int32 = 1 << 20

/// Where the page writes the bytes of the geoid's file; null when there are more than any has.
@_expose(wasm) @c public func sl_geoid_in(_ count: Int32) -> UnsafeMutablePointer<Double>? {
  guard 0...most ~= count, input.reserveExactly((Int(count) + 7) / 8) else { return nil }
  return input.base
}

/// The geoid is known; answers 0 for a file that is none.
@_expose(wasm) @c public func sl_geoid(_ time: Double, _ count: Int32) -> Int32 {
  guard 0...most ~= count, 8 * input.capacity >= Int(count) else { return 0 }
  let bytes = [UInt8](UnsafeRawBufferPointer(start: input.base, count: Int(count)))
  input.release()
  guard let geoid = try? Geoid(bytes) else { return 0 }
  session.handle(.geoid(geoid), at: time)
  return 1
}

/// How high the user is: see `HeightsRow`.
@_expose(wasm) @c public func sl_heights() -> UnsafeMutablePointer<Double> {
  let height = askSession { $0.height }
  heights[HeightsRow.altitude] = height?.metres ?? .nan
  heights[HeightsRow.datum] = height.map { Double($0.datum.rawValue) } ?? -1
  heights[HeightsRow.geoid] = askSession { $0.geoidHeight } ?? .nan
  heights[HeightsRow.ground] = askSession { $0.groundHeight } ?? .nan
  return heights
}
