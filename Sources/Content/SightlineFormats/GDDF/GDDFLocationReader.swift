import SightlineContent

/// Reads locations: the shared ones, and for `GDDFFeatureLocation` the one inside a feature.
///
/// In: the fields of the dimension, or a `location` element. Out: the definitions with every location that has an
/// identifier, or a position. Reports what is missing or not a coordinate (D010, D030).
enum GDDFLocationReader {
  static func read(
    _ fields: GDDFFields,
    _ elements: inout GDDFElementReader,
    into definitions: inout GDDFDefinitions
  ) {
    elements.forEachItem(of: "locations", in: fields, kinds: ["location"]) { item, elements in
      let inside = self.fields(of: item, &elements)
      let position = position(inside)
      guard let id = definitions.declarations.identifier(of: item) else {
        inside.reportMissing("@id", consequence: "Nothing can refer to this location, so it is left out")
        return
      }
      definitions.define(position, id: id, at: item)
    }
  }

  /// The position of a `location` element; `nil` after a report.
  static func position(of container: GDDFFields.Container, _ elements: inout GDDFElementReader) -> Position? {
    position(fields(of: container, &elements))
  }

  private static func fields(of container: GDDFFields.Container, _ elements: inout GDDFElementReader) -> GDDFFields {
    elements.fields(of: container, scalars: GDDFNames.locationScalars, attributes: ["id"])
  }

  private static func position(_ fields: GDDFFields) -> Position? {
    let consequence = "The location cannot be used"
    let latitude = fields.number(
      "lat",
      form: "a latitude from -90 to 90 degrees",
      consequence: consequence,
      where: { abs($0) <= 90 }
    )
    let longitude = fields.number(
      "lon",
      form: "a longitude from -180 to 180 degrees",
      consequence: consequence,
      where: { abs($0) <= 180 }
    )
    let altitude = fields.number("alt", form: "a number of metres", consequence: "0 is used")
    if !fields.has("lat") { fields.reportMissing("lat", consequence: consequence) }
    if !fields.has("lon") { fields.reportMissing("lon", consequence: consequence) }
    guard let latitude, let longitude else { return nil }
    // 0 is the format's default, not "unknown": both original clients use it.
    return Position(latitude: latitude, longitude: longitude, altitude: altitude ?? 0)
  }
}
