/// The form fields with which a client asks for a GDDF document.
public struct GDDFRequest: Equatable, Sendable {
  /// Why the document is asked for.
  public enum Event: String, CaseIterable, Sendable {
    /// First load, or another dimension.
    case initial = "init"
    /// Its time of validity is over.
    case refreshOnTime
    /// The user has moved out of its range.
    case refreshOnDistance
    /// An item with the action `refresh` was pressed.
    case refreshOnPress
  }

  /// Why the document is asked for; `nil` when the client said nothing usable.
  public var event: Event?
  /// Identifier of the pressed item; `nil` is sent as the word `NULL`.
  public var eventSource: String?
  /// Degrees, WGS84; `nil` when not known.
  public var latitude: Double?
  /// Degrees, WGS84; `nil` when not known.
  public var longitude: Double?
  /// Metres; `nil` when not known.
  public var altitude: Double?
  /// Degrees clockwise from true north, −180 … 180.
  public var bearing: Double?
  /// Degrees above the horizon, −90 … 90.
  public var pitch: Double?
  /// Degrees, positive when the device is turned counter-clockwise seen from the user, −180 … 180.
  public var roll: Double?
  /// Width of the screen in points.
  public var width: Int?
  /// Height of the screen in points.
  public var height: Int?
  /// Random identifier of the installation, never one of the hardware.
  public var userID: String?
  /// Milliseconds since 1970-01-01 UTC.
  public var timeMilliseconds: Int64?

  /// An empty request for an event.
  public init(event: Event?) { self.event = event }

  /// The body of the request, `application/x-www-form-urlencoded`, fields in the order that clients use.
  ///
  /// Latitude and longitude have 7 decimals (1 cm), altitude 2, angles 6 as the original client sends them; none has an
  /// exponent. Spaces become `%20` and plus signs `%2B`, so that strict and lax servers read the same. What is not
  /// known is left out.
  public func encoded() -> String {
    var fields: [(String, String)] = []
    if let event { fields.append(("event", event.rawValue)) }
    fields.append(("eventSrc", eventSource ?? "NULL"))
    func number(_ name: String, _ value: Double?, decimals: Int) {
      if let value, value.isFinite { fields.append((name, DecimalNumber.text(value, decimals: decimals))) }
    }
    number("lat", latitude, decimals: 7)
    // Servers take exactly 45, -85, 0 for "unknown"; who really stands there is moved by a centimetre.
    let texts = (
      longitude.map { DecimalNumber.text($0, decimals: 7) }, altitude.map { DecimalNumber.text($0, decimals: 2) }
    )
    let looksUnknown = fields.last?.1 == "45.0000000" && texts == ("-85.0000000", "0.00")
    number("lon", looksUnknown ? -84.9999999 : longitude, decimals: 7)
    number("alt", altitude, decimals: 2)
    number("bearing", bearing, decimals: 6)
    number("pitch", pitch, decimals: 6)
    number("roll", roll, decimals: 6)
    if let width, width > 0 { fields.append(("width", "\(width)")) }
    if let height, height > 0 { fields.append(("height", "\(height)")) }
    if let userID { fields.append(("uid", userID)) }
    if let timeMilliseconds { fields.append(("time", "\(timeMilliseconds)")) }
    return fields.map { "\(GDDFRequest.escaped($0.0))=\(GDDFRequest.escaped($0.1))" }.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
      default: output += [0x25, hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
