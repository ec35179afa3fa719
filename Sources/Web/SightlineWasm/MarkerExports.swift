import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath

// Markers in camera pictures, for an instance in a worker; `WebClient/engine/markers.js` mirrors the layout. A dictionary
// is given by its place in `MarkerDictionary`.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var watch = MarkerWatch()
nonisolated(unsafe) private var results = Buffer()

private struct MarkerWatch {
  var detector: MarkerDetector?
  var gray = GrayImage(width: 1, height: 1)
  var found: [DetectedMarker] = []
  /// Side of each marker whose size is known, metres.
  var sides: [MarkerKey: Double] = [:]
  var usualSide = 0.0
  /// The last turn of each marker seen in the picture before, to keep to one of two mirrored poses.
  var turns: [MarkerKey: Quaternion] = [:]
}

private struct MarkerKey: Hashable {
  var dictionary: UInt8
  var id: Int32
}

/// Looks for markers of these dictionaries from now on: bit n for dictionary n.
///
/// Sizes are forgotten.
@_expose(wasm) @c public func sl_marker_dictionaries(_ mask: Int32) {
  let wanted = MarkerDictionary.allCases.filter { mask >> Int32($0.rawValue) & 1 == 1 }
  watch.detector = wanted.isEmpty ? nil : MarkerDetector(dictionaries: wanted)
  watch.sides = [:]
  watch.turns = [:]
  watch.usualSide = 0
}

/// States the side of a marker's black border, metres; with an id below 0, that of all markers whose side is not stated.
@_expose(wasm) @c public func sl_marker_side(_ dictionary: Int32, _ id: Int32, _ side: Double) {
  guard side > 0, side.isFinite else { return }
  if id < 0 {
    watch.usualSide = side
  } else if let dictionary = UInt8(exactly: dictionary) {
    watch.sides[MarkerKey(dictionary: dictionary, id: id)] = side
  }
}

/// Finds the markers in the picture.
///
/// - Parameters:
///   - format: 0 grey or a plane of luminance, 1 red, green, blue and a byte, 2 blue, green, red and a byte.
///   - width: pixels.
///   - height: pixels.
///   - offset: bytes before the first pixel.
///   - stride: bytes from row to row.
///   - isLimited: whether luminance runs from 16 to 235.
///   - focal: focal length, pixels; 0 when no poses are wanted.
/// - Returns: how many, or −1 when the room does not hold such a picture.
@_expose(wasm) @c public func sl_marker_detect(
  _ format: Int32,
  _ width: Int32,
  _ height: Int32,
  _ offset: Int32,
  _ stride: Int32,
  _ isLimited: Int32,
  _ focal: Double
) -> Int32 {
  guard watch.gray.setPicture(format, width, height, offset, stride, isLimited) else { return -1 }
  watch.detect()
  let intrinsics = Intrinsics(
    width: Double(width),
    height: Double(height),
    focalX: focal,
    focalY: focal,
    centerX: Double(width - 1) / 2,
    centerY: Double(height - 1) / 2
  )
  watch.write(focal > 0 && focal.isFinite ? intrinsics : nil)
  return Int32(watch.found.count)
}

/// The markers of the last picture, 21 numbers each: dictionary, id, four corners, confidence, whether there is a pose,
/// `cameraFromMarker` as quaternion and translation, reprojection error, side.
@_expose(wasm) @c public func sl_marker_values() -> UnsafeMutablePointer<Double> { results.base }

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

extension MarkerWatch {
  fileprivate mutating func detect() {
    found.removeAll(keepingCapacity: true)
    guard var detector else { return }
    self.detector = nil
    var markers: [DetectedMarker] = []
    gray.withView { detector.detect(in: $0, into: &markers) }
    found = markers
    self.detector = detector
  }

  fileprivate mutating func write(_ intrinsics: Intrinsics?) {
    results.reserve(21 * found.count)
    var out = Writer(results.base)
    var next: [MarkerKey: Quaternion] = [:]
    for marker in found {
      let key = MarkerKey(dictionary: marker.dictionary.rawValue, id: Int32(marker.id))
      let side = sides[key] ?? usualSide
      out.put(Int32(marker.dictionary.rawValue))
      out.put(marker.id)
      for k in 0..<4 {
        out.put(marker.corners[k].x)
        out.put(marker.corners[k].y)
      }
      out.put(marker.confidence)
      let pose = intrinsics.flatMap { chosenPose(marker, side, $0, key) }
      out.put(pose != nil)
      let q = pose?.cameraFromTarget ?? .identity
      out.put(q.w)
      out.put(q.x)
      out.put(q.y)
      out.put(q.z)
      let t = pose?.translation ?? .zero
      out.put(t.x)
      out.put(t.y)
      out.put(t.z)
      out.put(pose?.reprojectionError ?? 0)
      out.put(side)
      if let pose { next[key] = pose.cameraFromTarget }
    }
    turns = next
  }

  /// Of the two poses that explain a square nearly alike, the one that goes on from the picture before.
  private func chosenPose(
    _ marker: DetectedMarker,
    _ side: Double,
    _ intrinsics: Intrinsics,
    _ key: MarkerKey
  )
    -> TargetPose?
  {
    guard side > 0 else { return nil }
    guard let poses = SquarePoses(corners: marker.corners, side: side, intrinsics: intrinsics) else { return nil }
    guard let other = poses.alternative, let before = turns[key] else { return poses.best }
    let isAlike = other.reprojectionError < 2 * poses.best.reprojectionError + 0.1
    let isNearer =
      before.angle(to: other.cameraFromTarget).radians + 0.05 < before.angle(to: poses.best.cameraFromTarget).radians
    return isAlike && isNearer ? other : poses.best
  }
}
