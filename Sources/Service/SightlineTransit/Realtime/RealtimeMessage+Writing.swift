extension RealtimeMessage {
  /// The message in the protobuf encoding, as ``init(protobuf:)-([UInt8])`` reads it: a full data set of version 2.0.
  public var protobuf: [UInt8] {
    ProtobufWriter.feed(time: timestamp) { feed in
      for (number, update) in tripUpdates.enumerated() {
        feed.message(2) {
          $0.string(1, "trip-\(number)")
          $0.message(3) { update.write(to: &$0) }
        }
      }
      for vehicle in vehicles {
        feed.message(2) {
          $0.string(1, "vehicle-\(vehicle.id)")
          $0.message(4) { vehicle.write(to: &$0) }
        }
      }
      for alert in alerts {
        feed.message(2) {
          $0.string(1, alert.id)
          $0.message(5) { alert.write(to: &$0) }
        }
      }
    }
  }
}

extension RealtimeMessage.Trip {
  fileprivate func write(to writer: inout ProtobufWriter) {
    writer.text(1, id)
    if let start { writer.string(2, Self.text(ofSeconds: start)) }
    if let day { writer.string(3, day.description.filter { $0 != "-" }) }
    if let relationship, relationship != .scheduled { writer.integer(4, relationship.rawValue) }
    writer.text(5, route)
    writer.integer(6, direction)
  }

  /// `HH:MM:SS`; hours may pass 24.
  fileprivate static func text(ofSeconds seconds: Int) -> String {
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension RealtimeMessage.Event {
  fileprivate func write(to writer: inout ProtobufWriter) {
    writer.integer(1, delay)
    writer.integer(2, time)
  }
}

extension RealtimeMessage.TripUpdate {
  fileprivate func write(to writer: inout ProtobufWriter) {
    writer.message(1) { trip.write(to: &$0) }
    for call in calls {
      writer.message(2) {
        $0.integer(1, call.sequence)
        if let arrival = call.arrival { $0.message(2) { arrival.write(to: &$0) } }
        if let departure = call.departure { $0.message(3) { departure.write(to: &$0) } }
        $0.text(4, call.stop)
        if let relationship = call.relationship, relationship != .scheduled { $0.integer(5, relationship.rawValue) }
        if !call.assignedStop.isEmpty { $0.message(6) { $0.string(1, call.assignedStop) } }
      }
    }
    if !vehicle.isEmpty { writer.message(3) { $0.string(2, vehicle) } }
    writer.integer(4, timestamp)
    if copyDay != nil || copyStart != nil {
      writer.message(6) {
        if let copyDay { $0.string(2, copyDay.description.filter { $0 != "-" }) }
        if let copyStart { $0.string(3, RealtimeMessage.Trip.text(ofSeconds: copyStart)) }
      }
    }
  }
}

extension RealtimeMessage.Vehicle {
  fileprivate func write(to writer: inout ProtobufWriter) {
    if let trip { writer.message(1) { trip.write(to: &$0) } }
    writer.message(2) {
      $0.float(1, latitude)
      $0.float(2, longitude)
      $0.float(3, bearing)
      $0.float(5, speed)
    }
    writer.integer(3, sequence)
    writer.integer(4, status.rawValue)
    writer.integer(5, timestamp)
    writer.text(7, stop)
    writer.message(8) {
      $0.text(1, id)
      $0.text(2, label)
    }
    writer.integer(9, occupancy)
  }
}

extension RealtimeMessage.Alert {
  fileprivate func write(to writer: inout ProtobufWriter) {
    for period in periods {
      writer.message(1) {
        $0.integer(1, period.lowerBound)
        if period.upperBound != .max { $0.integer(2, period.upperBound) }
      }
    }
    for selector in selectors {
      writer.message(5) {
        $0.text(1, selector.agency)
        $0.text(2, selector.route)
        $0.integer(3, selector.routeType)
        if let trip = selector.trip { $0.message(4) { trip.write(to: &$0) } }
        $0.text(5, selector.stop)
        $0.integer(6, selector.direction)
      }
    }
    writer.integer(6, cause)
    writer.integer(7, effect)
    for (field, text) in [(8, url), (10, header), (11, body)] where !text.translations.isEmpty {
      writer.message(field) {
        for translation in text.translations {
          $0.message(1) {
            $0.string(1, translation.text)
            $0.text(2, translation.language)
          }
        }
      }
    }
    writer.integer(14, severity)
  }
}
