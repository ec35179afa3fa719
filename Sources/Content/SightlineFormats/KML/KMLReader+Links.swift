import SightlineContent
import SightlineInput

// Links to other documents. Of a single one the world is made again; of several each is a world of its own.
extension KMLReader {
  /// Most links of a document that can be opened.
  static let mostLinks = 50

  /// A link as the document has it.
  struct Link {
    var address: String
    var name: String?
    var summary: String?
    /// Seconds; 0 for never.
    var interval: Double
    var line: Int
    var path: DocumentPath
  }

  mutating func networkLink(_ element: LocatedElement, path: DocumentPath) {
    guard let link = element.child("Link") ?? element.child("Url"), let href = link.value("href") else {
      collector.problems.add(
        .error,
        "field.missing",
        line: element.line,
        path: path.child("Link").child("href"),
        "The link has no href. It is ignored; add one."
      )
      return
    }
    guard links.count < Self.mostLinks else {
      return collector.ignore("NetworkLink beyond the first \(Self.mostLinks)", line: element.line, path: path)
    }
    let hrefPath = path.child("Link").child("href")
    guard let address = collector.address(href, isLink: false, line: link.line, path: hrefPath) else { return }
    var interval = 0.0
    if link.value("refreshMode") == "onInterval" {
      interval = link.value("refreshInterval").flatMap { DecimalNumber.parse($0) }.map { max(0, $0) } ?? 4
    }
    links.append(
      Link(
        address: address,
        name: element.value("name"),
        summary: element.value("description"),
        interval: interval,
        line: element.line,
        path: path
      )
    )
  }

  /// Decides what the links are, when all are known.
  ///
  /// One alone, or one to the document itself, says where the world is fetched again. The others are entries of the list that open their
  /// world when the user chooses so: nothing is fetched by itself, so nothing can be linked in a circle.
  mutating func resolveLinks() {
    let own = collector.options.baseURL
    let refreshing = links.count == 1 ? 0 : links.firstIndex { $0.address == own }
    for (index, link) in links.enumerated() {
      guard index != refreshing else {
        dimension.refreshURL = link.address
        dimension.refreshIntervalSeconds = link.interval
        continue
      }
      let title = link.name ?? link.address
      var place = Place(title: title, position: nil, visual: .text(title))
      place.summary = link.summary
      place.altitudeMode = .ground
      place.showInRadar = false
      place.action = .dimension(link.address)
      collector.take(place, id: nil, line: link.line, path: link.path)
      if link.interval > 0 {
        collector.ignore("refreshInterval of a further NetworkLink", line: link.line, path: link.path.child("Link"))
      }
    }
  }
}
