import SightlineContent
import SightlineFormats

/// mixare: reader, writer and the reader again.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let reading = MixareReader.read(bytes, options: ReadingOptions(baseURL: "https://a.example/b/c"))
  guard let dimension = reading.dimension else {
    precondition(reading.problems.contains { $0.severity == .error }, "refused without a reason")
    return 0
  }
  let written = MixareWriter.write(dimension)
  guard let again = MixareReader.read(written.bytes).dimension else {
    preconditionFailure("not readable: \(written.text)")
  }
  precondition(MixareWriter.write(again).bytes == written.bytes, "differs when written again: \(written.text)")
  return 0
}
