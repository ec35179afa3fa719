import SightlineEngine
import SightlineGeodesy
import SightlineScene
import SightlineWasmMemory

// Places go in, frames come out as numbers. What stands where: Bindings+Rows.swift. What the page tells of the phone:
// Bindings+Events.swift.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var input = Buffer()
nonisolated(unsafe) private var output = Buffer()

/// More places than any page has.
private let mostPlaces: Int32 = 1 << 20
/// More bytes than any geoid's file has.
private let mostBytes: Int32 = 1 << 20

/// Where the page writes places, rows of `PlaceInput`; null when there are too many.
@_expose(wasm) @c public func sl_places_in(_ count: Int32) -> UnsafeMutablePointer<Double>? {
  guard 0...mostPlaces ~= count, input.reserveExactly(Int(count) * PlaceInputRow.length) else { return nil }
  return input.base
}

/// Replaces the places by those that were written; answers 0 when there were fewer.
@_expose(wasm) @c public func sl_places(_ count: Int32) -> Int32 {
  guard 0...mostPlaces ~= count, input.capacity >= Int(count) * PlaceInputRow.length else { return 0 }
  var places: [PlaceView.Place] = []
  places.reserveCapacity(Int(count))
  for k in 0..<Int(count) {
    let row = Values(input.base + k * PlaceInputRow.length)
    places.append(
      PlaceView.Place(
        latitudeDegrees: row[PlaceInputRow.latitude],
        longitudeDegrees: row[PlaceInputRow.longitude],
        altitude: row[PlaceInputRow.altitude],
        altitudeDatum: UInt8(exactly: row[PlaceInputRow.datum]).flatMap { HeightDatum(rawValue: $0) } ?? .eye
      )
    )
  }
  input.release()
  session.setPlaces(places)
  return 1
}

/// Makes the frame for a time and answers where it is.
@_expose(wasm) @c public func sl_places_frame(_ time: Double) -> UnsafeMutablePointer<Double> {
  session.makeFrame(at: time)
  let count = session.frame.items.count
  output.reserve(PlaceHeadRow.length + count * PlaceItemRow.length)
  var out = Writer(output.base)
  session.frame.write(to: &out)
  for k in 0..<count { session.frame.items[k].write(to: &out) }
  return output.base
}

/// Where the page writes the bytes of the geoid's file; null when there are more than any has.
@_expose(wasm) @c public func sl_geoid_in(_ count: Int32) -> UnsafeMutablePointer<Double>? {
  guard 0...mostBytes ~= count, input.reserveExactly((Int(count) + 7) / 8) else { return nil }
  return input.base
}

/// The geoid is known; answers 0 for a file that is none.
@_expose(wasm) @c public func sl_geoid(_ time: Double, _ count: Int32) -> Int32 {
  guard 0...mostBytes ~= count, 8 * input.capacity >= Int(count) else { return 0 }
  let bytes = [UInt8](UnsafeRawBufferPointer(start: input.base, count: Int(count)))
  input.release()
  guard let geoid = try? Geoid(bytes) else { return 0 }
  session.handle(.geoid(geoid), at: time)
  return 1
}
