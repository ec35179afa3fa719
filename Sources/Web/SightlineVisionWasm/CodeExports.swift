import SightlineImaging
import SightlineMath
import SightlineQR
import SightlineWasmMemory
import SightlineWasmPictures

// QR codes in camera pictures; what stands where: Bindings+Rows.swift. Pictures are put into the room
// of `sl_picture`.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var scan = CodeScan()
nonisolated(unsafe) private var results = Buffer()
nonisolated(unsafe) private var parts = Buffer()
/// The bytes that the parts point into.
nonisolated(unsafe) private var bytes = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

/// A code with its place among those of a picture.
struct PlacedCode {
  let code: DetectedQRCode
  let parts: Int
  let firstPart: Int
}

/// A part of a code's content, and where its bytes begin.
struct PlacedPart {
  let run: QRTextRun
  let firstByte: Int
}

private struct CodeScan {
  var detector = QRDetector()
  var gray = GrayImage(width: 1, height: 1)
  var found: [DetectedQRCode] = []
}

/// Finds the codes in a still picture, with all effort.
///
/// Those in the camera's pictures: VisionExports.swift.
///
/// - Parameters:
///   - format: 0 grey or a plane of luminance, 1 red, green, blue and a byte, 2 blue, green, red and a byte.
///   - width: pixels.
///   - height: pixels.
///   - offset: bytes before the first pixel.
///   - stride: bytes from row to row.
///   - isLimited: whether luminance runs from 16 to 235.
/// - Returns: how many, or −1 when the room does not hold such a picture.
@_expose(wasm) @c public func sl_code_detect(
  _ format: Int32,
  _ width: Int32,
  _ height: Int32,
  _ offset: Int32,
  _ stride: Int32,
  _ isLimited: Int32
) -> Int32 {
  guard scan.gray.setPicture(format, width, height, offset, stride, isLimited) else { return -1 }
  return showCodes(scan.detect())
}

/// Makes codes those of ``sl_code_values()``; answers how many.
func showCodes(_ codes: [DetectedQRCode]) -> Int32 {
  scan.found = codes
  scan.write()
  return Int32(clamping: codes.count)
}

/// The codes of the last picture, a row each.
@_expose(wasm) @c public func sl_code_values() -> UnsafeMutablePointer<Double> { results.base }

/// The parts of the codes' contents, a row each.
@_expose(wasm) @c public func sl_code_parts() -> UnsafeMutablePointer<Double> { parts.base }

/// The bytes of all parts.
@_expose(wasm) @c public func sl_code_bytes() -> UnsafeMutablePointer<UInt8>? { bytes.baseAddress }

/// Keeps bytes for the page to read.
private func keep(_ values: [UInt8]) {
  if bytes.count < values.count {
    bytes.deallocate()
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: values.count)
    precondition(UInt(bitPattern: base) != 0, "out of memory")
    bytes = UnsafeMutableBufferPointer(start: base, count: values.count)
  }
  for index in values.indices { bytes[index] = values[index] }
}

extension CodeScan {
  fileprivate mutating func detect() -> [DetectedQRCode] {
    // A reference, so that the detector may change while the picture is looked at.
    let picture = gray
    var codes: [DetectedQRCode] = []
    picture.withView { detector.detect(in: $0, into: &codes) }
    return codes
  }

  fileprivate mutating func write() {
    results.reserve(CodeRow.length * found.count)
    let runs = found.map { $0.content.textRuns }
    parts.reserve(CodePartRow.length * runs.reduce(0) { $0 + $1.count })
    var all: [UInt8] = []
    var out = Writer(results.base)
    var part = Writer(parts.base)
    var first = 0
    for (code, runs) in zip(found, runs) {
      PlacedCode(code: code, parts: runs.count, firstPart: first).write(to: &out)
      for run in runs {
        PlacedPart(run: run, firstByte: all.count).write(to: &part)
        all.append(contentsOf: run.bytes)
      }
      first += runs.count
    }
    keep(all)
  }
}
