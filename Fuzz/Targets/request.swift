import SightlineFormats

/// The form fields of a dimension request.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let (request, _) = GDDFRequest.decode(Array(UnsafeBufferPointer(start: data, count: count)))
  let (again, problems) = GDDFRequest.decode(Array(request.encoded().utf8))
  precondition(problems.isEmpty, "what was encoded is not understood: \(request.encoded())")
  precondition(again.encoded() == request.encoded(), "differs when encoded again: \(request.encoded())")
  return 0
}
