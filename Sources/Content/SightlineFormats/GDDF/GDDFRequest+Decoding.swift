public import SightlineContent
import SightlineInput

extension GDDFRequest {
  /// Reads the body of a request as a server must: fields in any order, some missing, a trailing `&`, either range of
  /// bearings, exponents, values that are not encoded.
  ///
  /// Gamaray for Android sends 45, −85, 0 while it has no position; exactly that triple counts as unknown.
  ///
  /// - Parameter body: The form fields.
  /// - Returns: The request, and warnings about fields that were not usable.
  public static func decode(_ body: [UInt8]) -> (request: GDDFRequest, problems: [Problem]) {
    var fields: [String: String] = [:]
    for pair in body.split(separator: 0x26) {
      let equals = pair.firstIndex(of: 0x3D) ?? pair.endIndex
      let name = unescaped(pair[..<equals])
      let value = equals == pair.endIndex ? "" : unescaped(pair[pair.index(after: equals)...])
      // The first of a name counts, as with the other formats.
      if fields[name] == nil { fields[name] = value.trimmed }
    }
    return decode(fields)
  }

  /// Reads form fields that are already decoded.
  public static func decode(_ fields: [String: String]) -> (request: GDDFRequest, problems: [Problem]) {
    var problems: [Problem] = []
    var request = GDDFRequest(event: nil)
    func warn(_ name: String, _ form: String) {
      problems.append(
        Problem(
          .warning,
          "field.type",
          line: nil,
          path: name,
          message: "The field \(name) is \(quoted(fields[name] ?? "")), but must be \(form). It is ignored; correct it."
        )
      )
    }
    func number(_ name: String, _ form: String, where isAllowed: (Double) -> Bool = { _ in true }) -> Double? {
      guard let text = fields[name], !text.isEmpty else { return nil }
      if let value = DecimalNumber.parse(text), isAllowed(value) { return value }
      warn(name, form)
      return nil
    }
    if let text = fields["event"], !text.isEmpty {
      request.event = Event(rawValue: text)
      if request.event == nil { warn("event", "init, refreshOnTime, refreshOnDistance or refreshOnPress") }
    }
    request.eventSource = fields["eventSrc"].flatMap { $0.isEmpty || $0 == "NULL" ? nil : $0 }
    let latitude = number("lat", "a latitude from -90 to 90") { abs($0) <= 90 }
    let longitude = number("lon", "a longitude from -180 to 180") { abs($0) <= 180 }
    let altitude = number("alt", "a number of metres")
    let isPlaceholder = latitude == 45 && longitude == -85 && altitude == 0
    if let latitude, let longitude, !isPlaceholder {
      request.latitude = latitude
      request.longitude = longitude
      request.altitude = altitude
    }
    request.bearing = number("bearing", "a number of degrees").map(normalised)
    // Gamaray computes the pitch without regard to the roll, so it can exceed a right angle.
    request.pitch = number("pitch", "a number of degrees").map { min(90, max(-90, normalised($0))) }
    request.roll = number("roll", "a number of degrees").map(normalised)
    func size(_ name: String) -> Int? {
      number(name, "a whole number above 0") { $0 >= 1 && $0 <= 1_000_000 }.map { Int(clamped: $0.rounded()) }
    }
    request.width = size("width")
    request.height = size("height")
    request.userID = fields["uid"].flatMap { $0.isEmpty ? nil : $0 }
    // Clients are known to send nonsense here; a server uses its own clock, so this is no finding.
    request.timeMilliseconds = fields["time"].flatMap { Int64($0) }
    return (request, problems)
  }

  /// An angle in −180 … 180.
  private static func normalised(_ degrees: Double) -> Double {
    let rest = degrees.remainder(dividingBy: 360)
    return rest == 0 ? 0 : rest
  }

  /// Percent escapes and plus signs decoded; what is not a proper escape stays as it is.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    func digit(_ byte: UInt8) -> UInt8? { Digit.hexadecimal(byte).map { UInt8(clamped: $0) } }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == 0x25, index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      {
        output.append(high << 4 | low)
        index += 3
        continue
      }
      output.append(byte == 0x2B ? 0x20 : byte)
      index += 1
    }
    return String(decoding: output, as: UTF8.self)
  }
}
