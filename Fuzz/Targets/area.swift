import SightlineContent
import SightlineFormats

/// AREA XML: reader, writer and the reader again.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let reading = AREAReader.read(Array(UnsafeBufferPointer(start: data, count: count)))
  guard let dimension = reading.dimension else {
    precondition(reading.problems.contains { $0.severity == .error }, "refused without a reason")
    return 0
  }
  let written = AREAWriter.write(dimension)
  guard let again = AREAReader.read(written.bytes).dimension else {
    preconditionFailure("not readable: \(written.text)")
  }
  precondition(AREAWriter.write(again).bytes == written.bytes, "differs when written again: \(written.text)")
  return 0
}
