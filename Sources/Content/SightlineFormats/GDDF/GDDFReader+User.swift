import SightlineContent

// `<user/>` in a feature: our own addition to the format, as the marker is. The feature goes along with the user, `xLoc`, `yLoc` and
// `zLoc` metres east, north and up from his eye, and needs no location; the original clients ignore the element.
extension GDDFReader {
  mutating func followsUser(of fields: GDDFFields, isOnPrint: Bool) -> Bool {
    guard let container = fields.containers["user"]?.last else { return false }
    let (element, path) = (container.element, container.path)
    checkAttributes(of: element, path: path, allowed: [])
    noteRarity("user", line: element.line, path: path)
    guard !isOnPrint else {
      problems.add(
        .warning,
        "D031",
        line: element.line,
        path: path,
        "The feature stands on a marker or a picture and goes along with the user; it stands on the print. Keep one."
      )
      return false
    }
    return true
  }
}
