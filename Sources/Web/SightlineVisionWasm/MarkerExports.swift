import SightlineMarkers

// The codes of markers, for printing; `WebClient/engine/markers.js` mirrors it. A dictionary is given by its place in
// `MarkerDictionary`. Markers in pictures: VisionExports.swift.

/// Number of dictionaries.
@_expose(wasm) @c public func sl_marker_dictionary_count() -> Int32 { Int32(MarkerDictionary.allCases.count) }

/// Number of markers of a dictionary; 0 when there is no such dictionary.
@_expose(wasm) @c public func sl_marker_count(_ dictionary: Int32) -> Int32 {
  Int32(named(dictionary)?.count ?? 0)
}

/// Cells along a side of a marker's inside; 0 when there is no such dictionary.
@_expose(wasm) @c public func sl_marker_cells(_ dictionary: Int32) -> Int32 {
  Int32(named(dictionary)?.cells ?? 0)
}

/// Whether a cell of a marker is white: 1, black: 0; −1 when there is no such cell.
@_expose(wasm) @c public func sl_marker_cell(_ dictionary: Int32, _ id: Int32, _ row: Int32, _ column: Int32) -> Int32 {
  guard let dictionary = named(dictionary), id >= 0, Int(id) < dictionary.count else { return -1 }
  let n = Int32(dictionary.cells)
  guard row >= 0, row < n, column >= 0, column < n else { return -1 }
  let bit = UInt64(n * n - 1 - row * n - column)
  return Int32(truncatingIfNeeded: dictionary.family.code(id: Int(id)) >> bit & 1)
}

private func named(_ dictionary: Int32) -> MarkerDictionary? {
  UInt8(exactly: dictionary).flatMap { MarkerDictionary(rawValue: $0) }
}
