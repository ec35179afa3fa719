import SightlineInput
import SightlineProtobuf

extension RealtimeMessage {
  /// Reads a message in the protobuf encoding.
  ///
  /// An entity that is damaged inside is counted in ``ignored``; damage between entities refuses the message.
  ///
  /// - Throws: ``RealtimeError``.
  public init(protobuf bytes: UnsafeRawBufferPointer) throws(RealtimeError) {
    try self.init(protobuf: bytes, budget: RealtimeLimits.budget())
  }

  init(protobuf bytes: UnsafeRawBufferPointer, budget: ReadingBudget) throws(RealtimeError) {
    guard bytes.count <= RealtimeLimits.bytes else { throw .tooLarge }
    self.init()
    var hasHeader = false
    var entities = 0
    do {
      var reader = ProtobufReader(bytes)
      while try reader.next() {
        switch reader.field {
        case 1:
          hasHeader = true
          try readHeader(try reader.message())
        case 2:
          entities += 1
          if entities > RealtimeLimits.entities { throw RealtimeError.tooManyEntities }
          let entity = try reader.message()
          do { try readEntity(entity, budget) } catch { ignored += 1 }
        default: try reader.skip()
        }
      }
    } catch let error as RealtimeError { throw error } catch { throw .malformed }
    guard hasHeader else { throw .malformed }
    if isDifferential { throw .differential }
  }

  /// Reads a message in the protobuf encoding.
  ///
  /// - Throws: ``RealtimeError``.
  public init(protobuf bytes: [UInt8]) throws(RealtimeError) {
    // Typed throws do not pass through closures of the standard library.
    let result = bytes.withUnsafeBytes { raw -> Result<RealtimeMessage, RealtimeError> in
      do throws(RealtimeError) { return .success(try RealtimeMessage(protobuf: raw)) } catch { return .failure(error) }
    }
    self = try result.get()
  }

  private mutating func readHeader(_ bytes: UnsafeRawBufferPointer) throws {
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 2: isDifferential = try reader.integer() == 1
      case 3: timestamp = try reader.instant()
      default: try reader.skip()
      }
    }
  }

  private mutating func readEntity(_ bytes: UnsafeRawBufferPointer, _ budget: ReadingBudget) throws {
    var reader = ProtobufReader(bytes)
    var id = ""
    var update: TripUpdate?
    var vehicle: Vehicle?
    var alert: Alert?
    var isDeleted = false
    while try reader.next() {
      switch reader.field {
      case 1: id = try reader.string()
      case 2: isDeleted = try reader.integer() != 0
      case 3: update = try TripUpdate(try reader.message(), budget)
      case 4: vehicle = try Vehicle(try reader.message())
      case 5: alert = try Alert(try reader.message(), budget)
      default: try reader.skip()
      }
    }
    if isDeleted {
      ignored += 1
      return
    }
    if let update { tripUpdates.append(update) }
    if var vehicle {
      if vehicle.id.isEmpty { vehicle.id = id }
      vehicles.append(vehicle)
    }
    if var alert {
      alert.id = id
      alerts.append(alert)
    }
  }
}

extension RealtimeMessage.Trip {
  init(_ bytes: UnsafeRawBufferPointer) throws {
    self.init()
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 1: id = try reader.string()
      case 2: start = Self.seconds(try reader.string())
      case 3: day = ServiceDay(try reader.string())
      case 4: relationship = Relationship(rawValue: try reader.integer())
      case 5: route = try reader.string()
      case 6: direction = try reader.count()
      default: try reader.skip()
      }
    }
  }

  /// `H:MM:SS`.
  static func seconds(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { $0.time.map(Int.init) }
  }
}

extension RealtimeMessage.Event {
  init(_ bytes: UnsafeRawBufferPointer) throws {
    self.init()
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 1: delay = Int(Int32(truncatingIfNeeded: try reader.integer()))
      case 2: time = try reader.integer()
      default: try reader.skip()
      }
    }
    // Far outside of any timetable: worse than nothing, and arithmetic on it would overflow.
    if let delay, abs(delay) > RealtimeLimits.longestDelay { self.delay = nil }
    if let time, !Instant.range.contains(time) { self.time = nil }
  }
}

extension RealtimeMessage.Call {
  init(_ bytes: UnsafeRawBufferPointer) throws {
    self.init()
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 1: sequence = try reader.count()
      case 2: arrival = try RealtimeMessage.Event(try reader.message())
      case 3: departure = try RealtimeMessage.Event(try reader.message())
      case 4: stop = try reader.string()
      case 5: relationship = Relationship(rawValue: try reader.integer())
      case 6:
        var properties = ProtobufReader(try reader.message())
        while try properties.next() {
          if properties.field == 1 { assignedStop = try properties.string() } else { try properties.skip() }
        }
      default: try reader.skip()
      }
    }
  }
}

extension RealtimeMessage.TripUpdate {
  init(_ bytes: UnsafeRawBufferPointer, _ budget: ReadingBudget) throws {
    self.init()
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 1: trip = try RealtimeMessage.Trip(try reader.message())
      case 2:
        guard calls.count < RealtimeLimits.callsOfUpdate, budget.take(of: .positions) else {
          throw ProtobufReader.Failure.malformed
        }
        calls.append(try RealtimeMessage.Call(try reader.message()))
      case 3: vehicle = try RealtimeMessage.vehicleName(try reader.message()).label
      case 4: timestamp = try reader.instant()
      case 6:
        var properties = ProtobufReader(try reader.message())
        while try properties.next() {
          switch properties.field {
          case 2: copyDay = ServiceDay(try properties.string())
          case 3: copyStart = RealtimeMessage.Trip.seconds(try properties.string())
          default: try properties.skip()
          }
        }
      default: try reader.skip()
      }
    }
  }
}

extension RealtimeMessage {
  static func vehicleName(_ bytes: UnsafeRawBufferPointer) throws -> (id: String, label: String) {
    var reader = ProtobufReader(bytes)
    var (id, label) = ("", "")
    while try reader.next() {
      switch reader.field {
      case 1: id = try reader.string()
      case 2: label = try reader.string()
      default: try reader.skip()
      }
    }
    return (id, label)
  }
}

extension RealtimeMessage.Vehicle {
  init(_ bytes: UnsafeRawBufferPointer) throws {
    self.init()
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 1: trip = try RealtimeMessage.Trip(try reader.message())
      case 2: try readPosition(try reader.message())
      case 3: sequence = try reader.count()
      case 4: status = Status(rawValue: try reader.integer()) ?? .underWay
      case 5: timestamp = try reader.instant()
      case 7: stop = try reader.string()
      case 8: (id, label) = try RealtimeMessage.vehicleName(try reader.message())
      case 9: occupancy = try reader.count()
      default: try reader.skip()
      }
    }
  }

  private mutating func readPosition(_ bytes: UnsafeRawBufferPointer) throws {
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 1: latitude = Self.within(try reader.float(), 90)
      case 2: longitude = Self.within(try reader.float(), 180)
      case 3: bearing = Self.within(try reader.float(), 360)
      case 5: speed = Self.within(try reader.float(), 200)
      default: try reader.skip()
      }
    }
  }

  private static func within(_ value: Float, _ most: Float) -> Double? { abs(value) <= most ? Double(value) : nil }
}

extension RealtimeMessage.Alert {
  init(_ bytes: UnsafeRawBufferPointer, _ budget: ReadingBudget) throws {
    self.init()
    var reader = ProtobufReader(bytes)
    func take(_ list: Int, of most: Int) throws {
      guard list < most, budget.take(of: .places) else { throw ProtobufReader.Failure.malformed }
    }
    while try reader.next() {
      switch reader.field {
      case 1:
        try take(periods.count, of: RealtimeLimits.periods)
        if let period = try Self.period(try reader.message()) { periods.append(period) }
      case 5:
        try take(selectors.count, of: RealtimeLimits.selectors)
        selectors.append(try Selector(try reader.message()))
      case 6: cause = try reader.count()
      case 7: effect = try reader.count()
      case 8: url = try RealtimeMessage.Text(try reader.message(), budget)
      case 10: header = try RealtimeMessage.Text(try reader.message(), budget)
      case 11: body = try RealtimeMessage.Text(try reader.message(), budget)
      case 14: severity = try reader.count()
      default: try reader.skip()
      }
    }
  }

  /// A period without start or end is open on that side, and so is one that ends when nobody will be there.
  private static func period(_ bytes: UnsafeRawBufferPointer) throws -> Range<Int>? {
    var reader = ProtobufReader(bytes)
    var (start, end) = (0, Int.max)
    while try reader.next() {
      switch reader.field {
      case 1: start = try reader.instant()
      case 2:
        end = try reader.instant()
        if end == Instant.range.upperBound { end = .max }
      default: try reader.skip()
      }
    }
    return start < end ? start..<end : nil
  }
}

extension RealtimeMessage.Alert.Selector {
  init(_ bytes: UnsafeRawBufferPointer) throws {
    self.init()
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      switch reader.field {
      case 1: agency = try reader.string()
      case 2: route = try reader.string()
      case 3: routeType = try reader.count()
      case 4: trip = try RealtimeMessage.Trip(try reader.message())
      case 5: stop = try reader.string()
      case 6: direction = try reader.count()
      default: try reader.skip()
      }
    }
  }
}

extension RealtimeMessage.Text {
  init(_ bytes: UnsafeRawBufferPointer, _ budget: ReadingBudget) throws {
    self.init()
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      guard reader.field == 1 else {
        try reader.skip()
        continue
      }
      guard translations.count < RealtimeLimits.translations, budget.take(of: .places) else {
        throw ProtobufReader.Failure.malformed
      }
      var (text, language) = ("", "")
      var translation = ProtobufReader(try reader.message())
      while try translation.next() {
        switch translation.field {
        case 1: text = try translation.text()
        case 2: language = try translation.string()
        default: try translation.skip()
        }
      }
      translations.append((language, text))
    }
  }
}
