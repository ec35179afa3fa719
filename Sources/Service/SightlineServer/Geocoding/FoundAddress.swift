import Foundation
import NIOCore
import NIOFoundationCompat

/// An address that a geocoder has found.
struct FoundAddress: Equatable, Sendable {
  /// What it is called: a name, or street and number.
  var title: String
  /// Where that is: the rest of the address; may be empty.
  var detail: String
  /// Degrees.
  var latitude: Double
  /// Degrees.
  var longitude: Double

  /// Most that are taken of an answer.
  static let most = 10
  /// Longest title or detail, characters.
  static let longestText = 200

  /// Reads an answer in the form of Photon (GeoJSON) or Nominatim (an array); `nil` for anything else.
  ///
  /// Entries without a name or a position on Earth are left out.
  static func read(_ body: ByteBuffer) -> [FoundAddress]? {
    let data = Data(body.readableBytesView)
    let decoder = JSONDecoder()
    let found: [FoundAddress?]
    if let collection = try? decoder.decode(Collection.self, from: data) {
      found = collection.features.prefix(most).map { $0.entry?.address }
    } else if let list = try? decoder.decode([Lenient<Listed>].self, from: data) {
      found = list.prefix(most).map { $0.entry?.address }
    } else {
      return nil
    }
    return found.compactMap { $0 }
  }

  private init?(title: String?, parts: [String?], latitude: Double?, longitude: Double?) {
    guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    var texts: [String] = []
    for text in [title] + parts {
      guard let text = text.map({ FoundAddress.line($0) }), !text.isEmpty, !texts.contains(text) else { continue }
      texts.append(text)
    }
    guard let first = texts.first else { return nil }
    self.init(
      title: first,
      detail: String(texts.dropFirst().joined(separator: ", ").prefix(FoundAddress.longestText)),
      latitude: latitude,
      longitude: longitude
    )
  }

  init(title: String, detail: String, latitude: Double, longitude: Double) {
    (self.title, self.detail, self.latitude, self.longitude) = (title, detail, latitude, longitude)
  }

  /// One line without control characters.
  private static func line(_ text: String) -> String {
    let words = text.prefix(4 * longestText).split { $0.isWhitespace || $0.isNewline }
    let kept = words.map { word in
      String(String.UnicodeScalarView(word.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
    return String(kept.filter { !$0.isEmpty }.joined(separator: " ").prefix(longestText))
  }

  /// An entry that is passed over when it is not as expected.
  private struct Lenient<Entry: Decodable>: Decodable {
    let entry: Entry?

    init(from decoder: any Decoder) { entry = try? Entry(from: decoder) }
  }

  /// A number, or a text that is one.
  private struct Degrees: Decodable {
    let value: Double

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        value = number
      } else if let number = Double(try container.decode(String.self)), number.isFinite {
        value = number
      } else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
      }
    }
  }

  private struct Collection: Decodable {
    let features: [Lenient<Feature>]
  }

  private struct Feature: Decodable {
    struct Geometry: Decodable {
      let coordinates: [Double]
    }
    struct Properties: Decodable {
      var name, street, housenumber, postcode, district, city, county, state, country: String?
      /// Nominatim's, when it was asked for GeoJSON.
      var display_name: String?
    }

    let geometry: Geometry
    let properties: Properties

    var address: FoundAddress? {
      guard geometry.coordinates.count >= 2 else { return nil }
      let street = [properties.street, properties.housenumber].compactMap { $0 }.joined(separator: " ")
      let town = [properties.postcode, properties.city].compactMap { $0 }.joined(separator: " ")
      var rest: [String?] = [
        street, properties.district, town, properties.county, properties.state, properties.country,
      ]
      if let whole = properties.display_name { rest = whole.split(separator: ",").map { String($0) } }
      return FoundAddress(
        title: properties.name,
        parts: rest,
        latitude: geometry.coordinates[1],
        longitude: geometry.coordinates[0]
      )
    }
  }

  private struct Listed: Decodable {
    let lat: Degrees
    let lon: Degrees
    let display_name: String?
    let name: String?

    var address: FoundAddress? {
      var parts = (display_name ?? "").split(separator: ",").map { String($0.trimming()) }
      // "5, Münsterplatz, Ulm": the number belongs to the street.
      if parts.count > 1, let first = parts.first?.first, first.isNumber, name?.isEmpty != false {
        parts[0] = "\(parts[1]) \(parts[0])"
        parts.remove(at: 1)
      }
      return FoundAddress(title: name, parts: parts, latitude: lat.value, longitude: lon.value)
    }
  }
}
