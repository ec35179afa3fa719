import SightlineContent
import SightlineFormats

/// GDDF: reader, validator, writer and the reader again.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var options = ReadingOptions(baseURL: "http://a.example/b/c?d")
  options.axes = count.isMultiple(of: 2) ? .enu : .gamaray
  let reading = GDDFReader.read(bytes, options: options)
  guard let dimension = reading.dimension else {
    precondition(reading.problems.contains { $0.severity == .error }, "refused without a reason")
    return 0
  }
  let written = GDDFWriter.write(dimension)
  guard let again = GDDFReader.read(written.bytes).dimension else {
    preconditionFailure("not readable: \(written.text)")
  }
  // Written a second time it is the same: nothing is lost silently on the way.
  precondition(GDDFWriter.write(again).bytes == written.bytes, "differs when written again: \(written.text)")
  return 0
}
