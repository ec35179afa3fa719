import SightlineContent

// Checks that AREA and GeoJSON share; codes of `Documentation/formats/problems.md`.
extension ProblemList {
  /// Reports latitudes and longitudes that are out of range.
  ///
  /// - Returns: Whether both can be used.
  func checkRange(latitude: Double, longitude: Double, line: Int, path: DocumentPath) -> Bool {
    // Written so that what is no number is refused, too.
    if abs(latitude) <= 90, abs(longitude) <= 180 { return true }
    let isLatitude = !(abs(latitude) <= 90)
    let value = isLatitude ? latitude : longitude
    let swapped =
      isLatitude && abs(latitude) <= 180 && abs(longitude) <= 90 ? " Latitude and longitude look swapped." : ""
    add(
      .error,
      "position.range",
      line: line,
      path: path,
      "The \(isLatitude ? "latitude" : "longitude") \(DecimalNumber.text(value)) is outside "
        + "\(isLatitude ? "-90 … 90" : "-180 … 180") degrees.\(swapped) The place is left out; correct it."
    )
    return false
  }

  /// Warns of the position 0, 0.
  func checkZero(_ position: Position, line: Int, path: DocumentPath) {
    guard position.latitude == 0, position.longitude == 0 else { return }
    add(
      .warning,
      "position.zero",
      line: line,
      path: path,
      "The position is exactly 0, 0, in the Gulf of Guinea; often that is an empty field. Check it."
    )
  }

  /// Checks an address that people may follow or that pictures are loaded from.
  ///
  /// With `isLink` it is followed by people: mail and telephone are then fine too. `base` is the document's own address.
  ///
  /// - Returns: The usable address, or `nil` after a report.
  func usableURL(
    _ text: String,
    isLink: Bool,
    base: String?,
    line: Int,
    path: DocumentPath
  ) -> String? {
    let trimmed = text.trimmed
    guard !trimmed.isEmpty else { return nil }
    let encoded = URLReference.percentEncoded(trimmed)
    let reference = URLReference(encoded)
    guard let scheme = reference.scheme?.lowercased() else {
      guard let base, case let resolved = reference.resolved(against: URLReference(base)), resolved.scheme != nil else {
        add(
          .warning,
          "url.relative",
          line: line,
          path: path,
          "The address \(quoted(trimmed, limit: 80)) is relative and the document's own address is not known. It is "
            + "kept as written; write the whole address."
        )
        return encoded
      }
      return resolved.text
    }
    let allowed = isLink ? ["https", "http", "tel", "mailto", "sms", "geo"] : ["https", "http"]
    guard allowed.contains(scheme), !scheme.hasPrefix("http") || reference.host != nil else {
      add(
        .warning,
        "url.scheme",
        line: line,
        path: path,
        "The address \(quoted(trimmed, limit: 80)) is not followed: allowed are \(allowed.joined(separator: ", ")), "
          + "the first two with a host. Correct it."
      )
      return nil
    }
    return reference.text
  }
}
