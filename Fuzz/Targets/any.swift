import SightlineContent
import SightlineFormats

/// Detection, and every writer after every reader.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let report = ValidationReport(Array(UnsafeBufferPointer(start: data, count: count)), file: "a.gddf")
  // Numbers that are none cannot be written as JSON: this would throw.
  guard let json = try? report.json(), !json.contains("\n") else { preconditionFailure("no JSON") }
  _ = report.text()
  guard let dimension = report.dimension else { return 0 }
  for format in DocumentFormat.allCases {
    let written = FormatRegistry.write(dimension, as: format)
    let (readAs, reading) = FormatRegistry.read(written.bytes)
    precondition(readAs == format && reading.dimension != nil, "not readable: \(written.text)")
  }
  return 0
}
