import SightlineTransit

/// GTFS-Realtime messages.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let message = try? RealtimeMessage(protobuf: UnsafeRawBufferPointer(start: data, count: count)) else {
    return 0
  }
  precondition(!message.isDifferential)
  for vehicle in message.vehicles {
    precondition(abs(vehicle.latitude ?? 0) <= 90 && abs(vehicle.longitude ?? 0) <= 180)
  }
  for alert in message.alerts { _ = alert.header.text(in: "sv") + alert.body.text(in: "") }
  return 0
}
