import Foundation

@testable import SightlineTransit

/// SIRI answers in both forms: whatever the bytes, a delivery or a ``ProviderFailure``.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let clock = ServiceClock(timeZone: .gmt)
  for isXML in [false, true] {
    do throws(ProviderFailure) {
      let delivery = try SIRIDelivery(bytes, isXML: isXML, clock: clock)
      for visit in delivery.visits { precondition(visit.aimed != nil || visit.expected != nil) }
    } catch { precondition(!error.detail.isEmpty) }
  }
  return 0
}
