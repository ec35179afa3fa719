import SightlineContent

/// What a feature stands on instead of the Earth: a marker, a picture, the user.
///
/// In: the fields of a feature; the definitions, whose pictures it uses. Out: its anchors. Reports one too many (D031);
/// what is wrong with a marker or target is for the readers of those.
///
/// `<user/>` is our own addition to the format, as the marker is. The feature goes along with the user, `xLoc`, `yLoc`
/// and `zLoc` metres east, north and up from his eye; the original clients ignore the element.
struct GDDFAnchors {
  let marker: MarkerAnchor?
  let target: TargetAnchor?
  let followsUser: Bool

  /// What stands on a marker or a picture, or goes along with the user, needs no place on the Earth.
  var needsLocation: Bool { marker == nil && target == nil && !followsUser }

  init(of fields: GDDFFields, _ elements: inout GDDFElementReader, _ definitions: inout GDDFDefinitions) {
    marker = elements.addition("marker", in: fields, attributes: GDDFNames.markerAttributes)
      .flatMap { GDDFMarkerReader(container: $0, problems: fields.problems).read() }
    target = elements.addition("target", in: fields, attributes: GDDFNames.targetAttributes)
      .flatMap { GDDFTargetReader(container: $0, problems: fields.problems).read(&definitions) }
    guard let user = elements.addition("user", in: fields, attributes: []) else {
      followsUser = false
      return
    }
    followsUser = marker == nil && target == nil
    guard !followsUser else { return }
    fields.problems.add(
      .warning,
      "D031",
      line: user.element.line,
      path: user.path,
      "The feature stands on a marker or a picture and goes along with the user; it stands on the print. Keep one."
    )
  }
}
