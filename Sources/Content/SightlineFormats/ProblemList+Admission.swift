import SightlineContent
import SightlineInput

// What a reader has made passes here before it goes into the world: the same for all formats.
extension ProblemList {
  /// Shortens the texts and lists of a place and draws it from the budget.
  ///
  /// - Returns: Whether there was enough; without, the place is not to be kept, and reading ends.
  func admit(_ place: inout Place, line: Int?, path: DocumentPath) -> Bool {
    place.title = shortened(place.title, .name, line: line, path: path)
    place.summary = place.summary.map { shortened($0, .text, line: line, path: path) }
    place.phone = place.phone.map { shortened($0, .name, line: line, path: path) }
    if case .text(let label) = place.visual { place.visual = .text(shortened(label, .text, line: line, path: path)) }
    if place.categories.count > ContentLimits.categories {
      note(.categories, line: line, path: path)
      place.categories = Array(place.categories.prefix(ContentLimits.categories))
    }
    for index in place.categories.indices where place.categories[index].utf8.count > ContentLimits.category {
      place.categories[index] = shortened(place.categories[index], .category, line: line, path: path)
    }
    if place.showOnFocus.count > ContentLimits.references {
      note(.references, line: line, path: path)
      place.showOnFocus = Array(place.showOnFocus.prefix(ContentLimits.references))
    }
    place.metadata = shortened(place.metadata, line: line, path: path)
    place.translations = place.translations.map { shortened($0, line: line, path: path) }

    var positions = place.position == nil ? 0 : 1
    for shape in place.shapes ?? [] { for part in shape.parts { positions += part.count } }
    let lists = place.categories.count + place.metadata.count + place.showOnFocus.count
    return take(of: .places, line: line, path: path)
      && take(positions, of: .positions, line: line, path: path)
      && take(place.textBytes, of: .text, line: line, path: path)
      && take(1 + lists + positions, of: .steps, line: line, path: path)
  }

  /// Shortens the texts of an overlay and draws it from the budget; see ``admit(_:line:path:)-(Place,_,_)``.
  func admit(_ overlay: inout Overlay, line: Int?, path: DocumentPath) -> Bool {
    var bytes = (overlay.id ?? "").utf8.count + (overlay.action?.url ?? "").utf8.count
    switch overlay.content {
    case .text(let text, let width):
      let short = shortened(text, .text, line: line, path: path)
      overlay.content = .text(short, width: width)
      bytes += short.utf8.count
    case .image(let id): bytes += id.utf8.count
    case .html(let url, _, _): bytes += url.utf8.count
    }
    return admit(text: bytes, line: line, path: path)
  }

  /// Draws a file that visuals use from the budget.
  func admit(_ asset: Asset, line: Int?, path: DocumentPath) -> Bool {
    let bytes = asset.id.utf8.count + asset.url.utf8.count + (asset.format ?? "").utf8.count
    return admit(text: bytes, line: line, path: path)
  }

  private func admit(text bytes: Int, line: Int?, path: DocumentPath) -> Bool {
    take(of: .places, line: line, path: path) && take(bytes, of: .text, line: line, path: path)
      && take(of: .steps, line: line, path: path)
  }

  /// Shortens the texts of the world itself.
  func shorten(_ dimension: inout Dimension, line: Int?, path: DocumentPath) {
    dimension.name = dimension.name.map { shortened($0, .name, line: line, path: path) }
    dimension.summary = dimension.summary.map { shortened($0, .text, line: line, path: path) }
    dimension.attribution = dimension.attribution.map { shortened($0, .text, line: line, path: path) }
  }

  private func shortened(_ fields: [String: String], line: Int?, path: DocumentPath) -> [String: String] {
    let isFine = fields.allSatisfy {
      $0.key.utf8.count <= ContentLimits.name && $0.value.utf8.count <= ContentLimits.text
    }
    if isFine { return fields }
    // In order, so that of names that become equal the same one stays each time.
    let shortened = fields.sorted { $0.key < $1.key }.map { name, value in
      (
        self.shortened(name, .name, line: line, path: path),
        self.shortened(value, .text, line: line, path: path)
      )
    }
    return Dictionary(shortened) { first, _ in first }
  }

  private func shortened(_ texts: [String: Wording], line: Int?, path: DocumentPath) -> [String: Wording] {
    texts.mapValues { wording in
      var wording = wording
      wording.title = wording.title.map { shortened($0, .name, line: line, path: path) }
      wording.summary = wording.summary.map { shortened($0, .text, line: line, path: path) }
      wording.text = wording.text.map { shortened($0, .text, line: line, path: path) }
      return wording
    }
  }
}

extension Action {
  /// The address it leads to.
  fileprivate var url: String? {
    switch self {
    case .webPage(let url), .dimension(let url): url
    case .refresh: nil
    }
  }
}

extension Place {
  /// Bytes of all its texts, each as often as it is written out.
  fileprivate var textBytes: Int {
    var count = title.utf8.count
    func add(_ text: String?) { if let text { count += text.utf8.count } }
    for text in [
      id, summary, link, imageURL, soundURL, phone, action?.url, marker?.dictionary, target?.assetID, icon?.assetID,
    ] {
      add(text)
    }
    switch visual {
    case .text(let text): add(text)
    case .image(let id), .model(let id, _, _, _, _): add(id)
    }
    for text in showOnFocus { add(text) }
    for text in categories { add(text) }
    for (name, text) in metadata {
      add(name)
      add(text)
    }
    for (language, wording) in translations ?? [:] {
      add(language)
      add(wording.title)
      add(wording.summary)
      add(wording.text)
    }
    return count
  }
}
