import SightlineImaging
import SightlineQR

/// A code made of the first bytes, its picture damaged by the others: what is read is what was made, or nothing.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count >= 3 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let length = min(Int(bytes[0]) + 1, count - 2)
  let text = Array(bytes[2..<(2 + length)])
  var encoder = QREncoder()
  encoder.level = QRLevel.allCases[Int(bytes[1] & 3)]
  encoder.minimumVersion = Int(bytes[1] >> 2) % 12 + 1
  guard let code = try? encoder.encode(text.map { QRCharacter($0) }) else { return 0 }
  let module = 3
  let side = (code.matrix.size + 8) * module
  var image = GrayImage(width: side, height: side, level: 230)
  for y in 0..<(code.matrix.size * module) {
    for x in 0..<(code.matrix.size * module) where code.matrix[x / module, y / module] {
      image[x + 4 * module, y + 4 * module] = 20
    }
  }
  // Four bytes of damage each: place, size and level of a block.
  var index = 2 + length
  while index + 4 <= count {
    let (left, top) = (Int(bytes[index]) * side / 256, Int(bytes[index + 1]) * side / 256)
    let size = Int(bytes[index + 2] & 31) + 1
    for y in top..<min(side, top + size) { for x in left..<min(side, left + size) { image[x, y] = bytes[index + 3] } }
    index += 4
  }
  var detector = QRDetector()
  var codes: [DetectedQRCode] = []
  image.withView { detector.detect(in: $0, into: &codes) }
  for found in codes { precondition(found.content.bytes == text, "read wrong") }
  return 0
}
