import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineWasmMemory

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
  var distortion = LensDistortion.none
  /// Follows markers through pictures that come one after the other.
  var tracker: MarkerTracker?
  /// The camera that the tracker was made for.
  var camera: Intrinsics?
  var dictionaries: [MarkerDictionary] = []
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
  watch.dictionaries = wanted
  watch.detector = wanted.isEmpty ? nil : MarkerDetector(dictionaries: wanted)
  watch.tracker = nil
  watch.sides = [:]
  watch.usualSide = 0
}

/// States how the camera's lens bends what is straight, by OpenCV's five coefficients; all 0 for a straight lens.
@_expose(wasm) @c public func sl_marker_lens(_ k1: Double, _ k2: Double, _ p1: Double, _ p2: Double, _ k3: Double) {
  guard k1.isFinite, k2.isFinite, p1.isFinite, p2.isFinite, k3.isFinite else { return }
  watch.distortion = LensDistortion(k1: k1, k2: k2, p1: p1, p2: p2, k3: k3)
  watch.tracker = nil
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

/// Finds the markers in the picture, whatever was in the one before.
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
  let camera = intrinsics(width, height, focal)
  watch.detect(camera)
  watch.writeFound(camera)
  return Int32(watch.found.count)
}

/// Follows the markers from the pictures before into this one.
///
/// Much cheaper than finding them anew, corners are at rest while the marker is, and of two mirrored poses the one is kept
/// that fits over time.
///
/// - Parameters:
///   - format: as for ``sl_marker_detect(_:_:_:_:_:_:_:)``, and so are those up to `focal`.
///   - width: pixels.
///   - height: pixels.
///   - offset: bytes before the first pixel.
///   - stride: bytes from row to row.
///   - isLimited: whether luminance runs from 16 to 235.
///   - focal: focal length, pixels; 0 when no poses are wanted.
///   - time: of the picture, seconds, later than that of the one before.
///   - w: orientation of the camera (x right, y down, z forward) by the gyroscope in any frame that does not turn, as a
///     quaternion; all four numbers 0 when it is not known.
///   - x: of the quaternion.
///   - y: of the quaternion.
///   - z: of the quaternion.
/// - Returns: how many are seen in this picture, or −1 when the room does not hold such a picture.
@_expose(wasm) @c public func sl_marker_track(
  _ format: Int32,
  _ width: Int32,
  _ height: Int32,
  _ offset: Int32,
  _ stride: Int32,
  _ isLimited: Int32,
  _ focal: Double,
  _ time: Double,
  _ w: Double,
  _ x: Double,
  _ y: Double,
  _ z: Double
) -> Int32 {
  guard watch.gray.setPicture(format, width, height, offset, stride, isLimited), time.isFinite else { return -1 }
  let length = (w * w + x * x + y * y + z * z).squareRoot()
  let turn = length > 0.5 && length < 2 ? Quaternion(w: w, x: x, y: y, z: z).normalized : nil
  return Int32(watch.track(intrinsics(width, height, focal), time, turn))
}

/// The markers of the last picture, 23 numbers each: dictionary, id, four corners, confidence, whether there is a pose,
/// `cameraFromMarker` as quaternion and translation, reprojection error, side, number of the track (−1 when it was not
/// followed), whether it rests.
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

/// A camera whose axis goes through the middle of the picture; `nil` when the focal length is not known.
private func intrinsics(_ width: Int32, _ height: Int32, _ focal: Double) -> Intrinsics? {
  guard focal > 0, focal.isFinite else { return nil }
  return Intrinsics(
    width: Double(width),
    height: Double(height),
    focalX: focal,
    focalY: focal,
    centerX: Double(width - 1) / 2,
    centerY: Double(height - 1) / 2
  )
}

extension MarkerWatch {
  /// Numbers of a marker.
  fileprivate static let numbers = 23

  fileprivate mutating func detect(_ camera: Intrinsics?) {
    found.removeAll(keepingCapacity: true)
    guard var detector else { return }
    // Out of `self` while it works, so that nothing is copied.
    self.detector = nil
    let isStraight = distortion == .none
    detector.lens = isStraight ? nil : camera.map { MarkerLens(intrinsics: $0, distortion: distortion) }
    var markers: [DetectedMarker] = []
    gray.withView { detector.detect(in: $0, into: &markers) }
    found = markers
    self.detector = detector
  }

  fileprivate mutating func writeFound(_ camera: Intrinsics?) {
    results.reserve(Self.numbers * found.count)
    var out = Writer(results.base)
    for marker in found {
      let side = side(marker.dictionary, marker.id)
      let cameraFromMarker = camera.flatMap {
        guard side > 0 else { return nil as PlanarPose? }
        let corners = marker.corners
        return SquarePoses(
          corners: corners,
          side: side,
          intrinsics: $0,
          distortion: distortion,
          covariance: marker.covariance
        )?
        .best
      }
      write(marker.dictionary, marker.id, marker.corners, marker.confidence, cameraFromMarker, side, &out)
      out.put(-1)
      out.put(false)
    }
  }

  /// Answers how many markers are seen.
  fileprivate mutating func track(_ camera: Intrinsics?, _ time: Double, _ worldFromCamera: Quaternion?) -> Int {
    guard !dictionaries.isEmpty else { return 0 }
    if tracker == nil || self.camera != camera {
      // A side of one: poses are scaled to each marker's own.
      tracker = MarkerTracker(
        dictionaries: dictionaries,
        side: camera.map { _ in 1 },
        intrinsics: camera,
        distortion: distortion
      )
      self.camera = camera
    }
    guard var tracker else { return 0 }
    self.tracker = nil
    gray.withView { tracker.track($0, time: time, worldFromCamera: worldFromCamera) }
    results.reserve(Self.numbers * tracker.markers.count)
    var out = Writer(results.base)
    var count = 0
    for marker in tracker.markers where marker.isSeen {
      let side = side(marker.dictionary, marker.id)
      var cameraFromMarker = side > 0 ? marker.poses?.best : nil
      if let unit = cameraFromMarker { cameraFromMarker?.translation = unit.translation * side }
      write(marker.dictionary, marker.id, marker.corners, marker.confidence, cameraFromMarker, side, &out)
      out.put(marker.track)
      out.put(marker.isResting)
      count += 1
    }
    self.tracker = tracker
    return count
  }

  private func side(_ dictionary: MarkerDictionary, _ id: Int) -> Double {
    sides[MarkerKey(dictionary: dictionary.rawValue, id: Int32(id))] ?? usualSide
  }

  private func write(
    _ dictionary: MarkerDictionary,
    _ id: Int,
    _ corners: Quadrilateral,
    _ confidence: Double,
    _ cameraFromMarker: PlanarPose?,
    _ side: Double,
    _ out: inout Writer
  ) {
    out.put(Int32(dictionary.rawValue))
    out.put(id)
    for k in 0..<4 {
      out.put(corners[k].x)
      out.put(corners[k].y)
    }
    out.put(confidence)
    out.put(cameraFromMarker != nil)
    let q = cameraFromMarker?.cameraFromPlane ?? .identity
    out.put(q.w)
    out.put(q.x)
    out.put(q.y)
    out.put(q.z)
    let t = cameraFromMarker?.translation ?? .zero
    out.put(t.x)
    out.put(t.y)
    out.put(t.z)
    out.put(cameraFromMarker?.reprojectionError ?? 0)
    out.put(side)
  }
}
