import SightlineContent

/// Where on the Earth a feature stands.
///
/// In: the fields of a feature; whether it has to stand there; the definitions, whose locations it uses. Out: the
/// position, or that the feature is left out. Reports two locations (D031), none (D030), and a name of nothing (D021).
enum GDDFFeatureLocation {
  /// `nil` for a feature that needs none, or is kept but not shown.
  case found(Position?)
  /// The feature is left out.
  case missing

  init(
    of fields: GDDFFields,
    isNeeded: Bool,
    _ elements: inout GDDFElementReader,
    _ definitions: inout GDDFDefinitions
  ) {
    let containers = fields.containers["location"] ?? []
    let reference = fields.last("locationId")
    guard isNeeded || fields.has("locationId") || !containers.isEmpty else {
      self = .found(nil)
      return
    }
    var inline: Position?
    for container in containers {
      if let position = GDDFLocationReader.position(of: container, &elements) { inline = position }
    }
    if let reference, !containers.isEmpty {
      fields.problems.add(
        .warning,
        "D031",
        line: reference.line,
        path: reference.path,
        "The feature has both location and locationId; programs differ in which one counts. "
          + (inline == nil ? "The location is not usable, so locationId is used" : "The location is used")
          + "; keep one."
      )
    }
    if let inline {
      // Named, even if not used.
      if let reference { definitions.useLocation(reference.text) }
      self = .found(inline)
    } else if let reference {
      self = .found(definitions.position(named: reference))
    } else {
      GDDFFeatureLocation.reportMissing(of: fields, hasElement: !containers.isEmpty)
      self = .missing
    }
  }

  private static func reportMissing(of fields: GDDFFields, hasElement: Bool) {
    guard hasElement else {
      fields.reportMissing("location", consequence: "A feature needs location or locationId; it is left out")
      return
    }
    fields.problems.add(
      .error,
      "D030",
      line: fields.line,
      path: fields.path.child("location"),
      "The feature has no usable location and is left out. Correct what is reported about its location."
    )
  }
}
