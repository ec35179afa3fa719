public import SightlineContent

/// Writes AREA XML in no namespace, the form that existing readers know best.
public enum AREAWriter {
  /// Writes a world.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - options: How far the sea is from the ellipsoid; the format has no addresses.
  /// - Returns: The document, and what it does not hold.
  public static func write(_ dimension: Dimension, options: WritingOptions = .init()) -> Writing {
    var losses = LossList(format: "AREA")
    let dimension = dimension.withHeights(over: .seaLevel, options, &losses)
    // The title is the file's name.
    losses.dropFields(of: dimension, except: ["name"])
    var xml = XMLTextWriter()
    xml.begin("locations")
    for place in dimension.places { write(place, &xml, &losses) }
    xml.end()
    losses.drop("characters that XML does not allow", xml.droppedCharacters)
    return Writing(bytes: xml.bytes, problems: losses.problems)
  }

  private static func write(_ place: Place, _ xml: inout XMLTextWriter, _ losses: inout LossList) {
    guard let position = place.position else { return losses.drop("places without a position") }
    losses.dropFields(of: place, except: ["summary", "categories", "metadata"])
    if place.visual != .text(place.title) { losses.drop("pictures, models and labels unlike the title") }
    let altitude = losses.seaLevel(of: place, position)
    if altitude == nil { losses.drop("places without altitude; 0 is written") }
    xml.begin("location")
    xml.element("latitude", position.latitude)
    xml.element("longitude", position.longitude)
    xml.element("altitude", altitude ?? 0)
    xml.element("name", place.title.trimmed)
    xml.element("information", (place.summary ?? "").trimmed)
    for category in place.categories { xml.element("category", category.trimmed) }
    for (name, value) in place.metadata.sorted(by: { $0.key < $1.key }) {
      if isElementName(name), !AREAReader.fieldNames.contains(name) {
        xml.element(name, value.trimmed)
      } else {
        losses.drop("further fields whose names cannot be element names")
      }
    }
    xml.end()
  }

  /// Whether it is a name by XML's grammar, as far as ASCII goes, that no specification reserves.
  private static func isElementName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x61...0x7A).contains(first | 0x20) || first == 0x5F else { return false }
    guard !name.lowercased().hasPrefix("xml"), name != "location" else { return false }
    return name.utf8.allSatisfy {
      (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E
    }
  }
}
