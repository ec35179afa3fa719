import Foundation
import SightlineContent
import SightlineInput

/// KARML, the extension of Argon's browser (KHARMA, Georgia Tech, 2010): balloons, labels, sounds and trackers as things of their
/// own, each with a location, an orientation and a scale like a model's.
///
/// Only its published description is known, not its schema or namespace, so elements are told by their local names. What the
/// model has is used: a label's words, a balloon's words, a place of their own. Everything else is kept as a further field and
/// reported.
extension KMLReader {
  private static let knownInside: Set = [
    "text", "description", "name", "Location", "displayMode", "orientationMode", "locationMode", "Link", "Icon", "href",
    "relative", "relativeTo", "targetHref",
  ]
  static let rendered: Set = ["Balloon", "Label", "Sound", "Tracker"]
  /// Metres from the placemark's own point up to which a label's location is an offset.
  private static let farthestOffset = 2000.0

  /// Reads what a placemark has of it.
  mutating func karml(_ element: LocatedElement, path: DocumentPath, into place: inout Place) {
    for child in element.children where Self.rendered.contains(child.name) {
      let childPath = path.child(child.name)
      switch child.name {
      case "Label":
        if let words = words(of: child) { place.visual = .text(words) }
        location(of: child, path: childPath, into: &place)
      case "Balloon":
        if place.summary == nil { place.summary = words(of: child) }
        // The label stands where the placemark is; a balloon elsewhere counts only where nothing else says where.
        if place.position == nil || element.child("Label")?.child("Location") == nil {
          location(of: child, path: childPath, into: &place)
        }
        mode("displayMode", of: child, usual: ["default"], path: childPath, into: &place)
      default:
        let address = (child.child("Link") ?? child.child("Icon")).flatMap { $0.value("href") } ?? child.value("href")
        if child.name == "Sound" {
          sound(address, of: child, path: childPath, into: &place)
          break
        }
        if let address { place.metadata[child.name.lowercased()] = address }
        collector.problems.add(
          .warning,
          "asset.unsupported",
          line: child.line,
          path: childPath,
          "A Tracker is not used. Its address is kept; let the place stand on a marker or a picture instead."
        )
      }
      mode("orientationMode", of: child, usual: ["billboard", "user", "auto"], path: childPath, into: &place)
      // Relative to the user is one that is drawn, and what is relative to something else has been reported.
      mode("locationMode", of: child, usual: ["fixed", "absolute", "relative"], path: childPath, into: &place)
      note(child, path: childPath)
    }
    guard let style = element.child("Style")?.child("BalloonStyle") else { return }
    mode("displayMode", of: style, usual: ["default"], path: path.child("Style").child("BalloonStyle"), into: &place)
  }

  /// What is heard on request; the first of several counts.
  private mutating func sound(
    _ address: String?,
    of element: LocatedElement,
    path: DocumentPath,
    into place: inout Place
  ) {
    guard let address else {
      collector.problems.add(
        .error,
        "field.missing",
        line: element.line,
        path: path.child("Link"),
        "The Sound has no address. It is left out; add a Link with an href."
      )
      return
    }
    guard place.soundURL == nil else { return collector.ignore("further sounds", line: element.line, path: path) }
    place.soundURL = collector.address(address, isLink: false, line: element.line, path: path.child("Link"))
  }

  private func words(of element: LocatedElement) -> String? {
    for name in ["text", "description", "name"] { if let words = element.value(name) { return words } }
    let own = element.text.trimmed
    return own.isEmpty ? nil : own
  }

  /// A mode that differs from what is drawn anyhow: kept, and reported.
  private mutating func mode(
    _ name: String,
    of element: LocatedElement,
    usual: Set<String>,
    path: DocumentPath,
    into place: inout Place
  ) {
    guard let value = element.value(name), !usual.contains(value.lowercased()) else { return }
    place.metadata[name] = value
    let drawn =
      switch name {
      case "displayMode": "Texts are shown on a card"
      case "orientationMode": "Labels always face the user"
      default: "Places are fixed to the Earth"
      }
    collector.problems.add(
      .warning,
      "mode.unsupported",
      line: element.child(name)?.line ?? element.line,
      path: path.child(name),
      "\(name) \(quoted(value)) is not drawn as it says. \(drawn); the value is kept."
    )
  }

  /// A location of its own: the place's, or an offset from it.
  private mutating func location(of element: LocatedElement, path: DocumentPath, into place: inout Place) {
    guard let location = element.child("Location") else { return }
    let locationPath = path.child("Location")
    if let target = relativeTarget(location) ?? relativeTarget(element) {
      guard target == "#user" else {
        collector.problems.add(
          .warning,
          "reference.unsupported",
          line: location.line,
          path: locationPath,
          "A location relative to \(quoted(target)) is not used. The place is where the placemark says; write longitude and latitude."
        )
        return
      }
      aroundUser(location, of: element, path: locationPath, into: &place)
      return
    }
    let numbers = ["longitude", "latitude"].map { location.value($0).flatMap { DecimalNumber.parse($0) } }
    guard let longitude = numbers[0], let latitude = numbers[1] else {
      collector.problems.add(
        .error,
        "field.missing",
        line: location.line,
        path: locationPath,
        "The Location has no longitude and latitude that are numbers. It is ignored; add them."
      )
      return
    }
    let altitude = location.value("altitude").flatMap { DecimalNumber.parse($0) }
    guard
      let position = collector.position(
        latitude: latitude,
        longitude: longitude,
        altitude: altitude,
        line: location.line,
        path: locationPath
      )
    else { return }
    guard let own = place.position else {
      place.position = position
      return
    }
    // On the scale of an offset the Earth is flat enough.
    let north = (position.latitude - own.latitude) * 111_195
    let east = (position.longitude - own.longitude) * 111_195 * cos(own.latitude * .pi / 180)
    guard (north * north + east * east).squareRoot() <= Self.farthestOffset else {
      collector.problems.add(
        .warning,
        "position.far",
        line: location.line,
        path: locationPath,
        "The \(element.name) stands more than \(DecimalNumber.text(Self.farthestOffset)) m from its placemark. It is shown there; make it a placemark of its own."
      )
      return
    }
    // A height without the placemark's own to compare it with says nothing.
    let up = position.altitude.flatMap { there in own.altitude.map { there - $0 } } ?? 0
    let largest = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    place.offset = Offset(east: east, north: north, up: up.clamped(to: largest))
  }

  /// A location that goes along with the user: so many metres east, north and up from the eye.
  ///
  /// What is published says that a location may be relative to the user, and not in what unit: degrees would not be a distance that
  /// anybody wants, so the numbers are metres, called as a place's (longitude, latitude, altitude) or x, y, z.
  private mutating func aroundUser(
    _ location: LocatedElement,
    of element: LocatedElement,
    path: DocumentPath,
    into place: inout Place
  ) {
    let names = [["longitude", "x"], ["latitude", "y"], ["altitude", "z"]]
    let texts = names.map { both in both.lazy.compactMap { location.value($0) }.first }
    let numbers = texts.map { $0.flatMap { DecimalNumber.parse($0) } }
    guard texts.contains(where: { $0 != nil }), zip(texts, numbers).allSatisfy({ $0 == nil || $1 != nil }) else {
      collector.problems.add(
        .error,
        "field.missing",
        line: location.line,
        path: path,
        "The Location relative to the user has no numbers. It is ignored; write longitude, latitude and altitude, metres to the east, to the "
          + "north and up."
      )
      return
    }
    let offset = Offset(east: numbers[0] ?? 0, north: numbers[1] ?? 0, up: numbers[2] ?? 0)
    guard [offset.east, offset.north, offset.up].allSatisfy({ abs($0) <= Self.farthestOffset }) else {
      collector.problems.add(
        .warning,
        "position.far",
        line: location.line,
        path: path,
        "The \(element.name) goes along with the user more than \(DecimalNumber.text(Self.farthestOffset)) m away. It is shown where "
          + "the placemark says; correct the numbers, which are metres."
      )
      return
    }
    (place.followsUser, place.position, place.offset, place.altitudeMode) = (true, nil, offset, .eye)
    collector.problems.add(
      .info,
      "position.user",
      line: location.line,
      path: path,
      "The \(element.name) goes along with the user: the numbers of its Location are taken for metres to the east, to the north and up from "
        + "the eye."
    )
  }

  /// `#user` or `#id`, in the forms the description lets expect.
  private func relativeTarget(_ element: LocatedElement) -> String? {
    for source in [element, element.child("locationMode")].compactMap({ $0 }) {
      for name in ["relative", "relativeTo", "targetHref", "href"] {
        if let text = source.attribute(name)?.trimmed ?? source.value(name), text.hasPrefix("#") { return text }
      }
    }
    return nil
  }

  private mutating func note(_ element: LocatedElement, path: DocumentPath) {
    for child in element.children where !Self.knownInside.contains(child.name) {
      collector.ignore(child.name, line: child.line, path: path.child(child.name))
    }
  }
}
