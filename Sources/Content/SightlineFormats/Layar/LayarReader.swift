public import SightlineContent

/// Reads the responses of Layar's GetPOIs request: an object with `hotspots`.
public struct LayarReader {
  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document, UTF-8.
  ///   - options: Base address and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    do {
      return read(try JSONTreeReader.read(bytes, limits: options.limits), options: options)
    } catch {
      return Reading(dimension: nil, problems: [error.problem()])
    }
  }

  static func isLayar(_ root: JSONNode) -> Bool { root["hotspots"] != nil }

  private static let knownMembers: Set = [
    "layer", "hotspots", "errorCode", "errorString", "refreshInterval", "refreshDistance", "radius",
    "referenceImages",
  ]

  static func read(_ document: JSONTreeReader.Result, options: ReadingOptions) -> Reading {
    var collector = PlaceCollector(prefix: "layar-", options: options, budget: document.budget)
    collector.take(document.problems)
    let root = document.root
    guard case .array(let hotspots)? = root["hotspots"]?.value else {
      collector.problems.add(
        .error,
        root["hotspots"] == nil ? "field.missing" : "field.type",
        line: root["hotspots"]?.line ?? root.line,
        path: "/hotspots",
        "hotspots \(root["hotspots"].map { "is \($0.kind)" } ?? "is missing"); it must be an array, which may be empty."
      )
      return Reading(dimension: nil, problems: collector.finish())
    }
    collector.noteMembers(of: root, known: knownMembers, path: "")
    checkCode(root, &collector)
    let pictures = referenceImages(root, &collector)
    let list = DocumentPath(root: "/hotspots")
    for (index, hotspot) in hotspots.enumerated() {
      guard collector.goesOn else { break }
      read(hotspot, pictures, path: list.item(index), &collector)
    }
    var dimension = Dimension()
    dimension.name = collector.text("layer", of: root) ?? options.title
    if root["layer"] == nil {
      collector.problems.add(
        .warning,
        "field.missing",
        line: root.line,
        path: "/layer",
        "layer is missing. Add the layer's name."
      )
    }
    dimension.refreshIntervalSeconds = collector.positive("refreshInterval", of: root, path: "") ?? 0
    dimension.refreshDistance = collector.positive("refreshDistance", of: root, path: "") ?? 0
    dimension.places = collector.places
    dimension.assets = collector.assets
    collector.problems.shorten(&dimension, line: root.line, path: "/layer")
    return Reading(dimension: dimension, problems: collector.finish())
  }

  private static func checkCode(_ root: JSONNode, _ collector: inout PlaceCollector) {
    guard let code = root["errorCode"] else {
      collector.problems.add(
        .warning,
        "field.missing",
        line: root.line,
        path: "/errorCode",
        "errorCode is missing. Add it; 0 is success."
      )
      return
    }
    guard let number = code.decimal, number == number.rounded() else {
      collector.problems.add(
        .error,
        "field.type",
        line: code.line,
        path: "/errorCode",
        "errorCode is \(quoted(code.text(limit: 200))), but must be a whole number. It is ignored; correct it."
      )
      return
    }
    guard number != 0 else { return }
    collector.problems.add(
      .warning,
      "source.error",
      line: code.line,
      path: "/errorCode",
      "The service reports error \(DecimalNumber.text(number))"
        + (collector.text("errorString", of: root).map { ": \(quoted($0, limit: 120))" } ?? "")
        + ". Ask its operator."
    )
  }

  private static let knownHotspot: Set = [
    "id", "anchor", "text", "imageURL", "icon", "actions", "transform", "title", "line2", "line3", "line4",
    "attribution", "lat", "lon", "alt", "object",
  ]

  private static func read(
    _ hotspot: JSONNode,
    _ pictures: [String: TargetAnchor],
    path: DocumentPath,
    _ collector: inout PlaceCollector
  ) {
    guard case .object = hotspot.value else {
      collector.problems.add(
        .error,
        "field.type",
        line: hotspot.line,
        path: path,
        "A hotspot must be an object, but this is \(hotspot.kind). It is left out; correct it."
      )
      return
    }
    collector.noteMembers(of: hotspot, known: knownHotspot, path: path)
    guard let anchor = anchor(hotspot, pictures, path: path, &collector) else { return }
    let position = anchor.position
    let texts = hotspot["text"] ?? hotspot
    let id = collector.text("id", of: hotspot)
    if id == nil {
      collector.problems.add(
        .error,
        "field.missing",
        line: hotspot.line,
        path: path.child("id"),
        "id is missing. One is derived from title and position; add it, or refreshes cannot match the place."
      )
    }
    let title: String
    if let text = collector.text("title", of: texts) {
      title = text
    } else {
      title =
        id ?? position.map { "\(DecimalNumber.text($0.latitude)), \(DecimalNumber.text($0.longitude))" } ?? "–"
      collector.problems.add(
        .warning,
        "field.missing",
        line: texts.line,
        path: path.child("text").child("title"),
        "title is missing; \(quoted(title)) is shown. Add one."
      )
    }
    var place = Place(title: title, position: position, visual: .text(title))
    place.altitudeMode = position?.altitude == nil ? .eye : .seaLevel
    place.target = anchor.target
    if anchor.followsUser { place.followsUser = true }
    let lines = ["line2", "line3", "line4"].compactMap { collector.text($0, of: hotspot) }
    place.summary = collector.text("description", of: texts) ?? (lines.isEmpty ? nil : lines.joined(separator: "\n"))
    if let footnote = collector.text("footnote", of: texts) ?? collector.text("attribution", of: hotspot) {
      place.metadata["footnote"] = footnote
    }
    place.imageURL = collector.address(
      collector.text("imageURL", of: hotspot),
      isLink: false,
      line: hotspot["imageURL"]?.line ?? hotspot.line,
      path: path.child("imageURL")
    )
    if let icon = hotspot["icon"], let kind = collector.text("type", of: icon) { place.categories = [kind] }
    if let shift = hotspot["transform"]?["translate"] {
      place.offset = Offset(
        east: shift["x"]?.decimal ?? 0,
        north: shift["y"]?.decimal ?? 0,
        up: shift["z"]?.decimal ?? 0
      )
    }
    object(hotspot, path: path, into: &place, &collector)
    actions(hotspot, path: path, into: &place, &collector)
    collector.take(place, id: id, line: hotspot.line, path: path)
  }

  /// Whether an action is to be heard: its content type says so, or the scheme of Layar's first versions.
  private static func isAudio(_ action: JSONNode, uri: String) -> Bool {
    if uri.lowercased().hasPrefix("audio://") { return true }
    guard case .string(let type)? = action["contentType"]?.value else { return false }
    return type.lowercased().hasPrefix("audio/")
  }

  /// The first address of each kind becomes link, sound and telephone number.
  private static func actions(
    _ hotspot: JSONNode,
    path: DocumentPath,
    into place: inout Place,
    _ collector: inout PlaceCollector
  ) {
    guard case .array(let actions)? = hotspot["actions"]?.value else { return }
    let list = path.child("actions")
    for (index, action) in actions.enumerated() {
      guard collector.problems.take(of: .steps, line: action.line, path: path) else { return }
      let actionPath = list.item(index)
      guard let uri = collector.text("uri", of: action) else {
        collector.problems.add(
          .error,
          "field.missing",
          line: action.line,
          path: actionPath.child("uri"),
          "The action has no uri. It is left out; add one."
        )
        continue
      }
      if uri.lowercased().hasPrefix("tel:") {
        if place.phone == nil { place.phone = String(uri.dropFirst(4)) }
      } else if isAudio(action, uri: uri) {
        if place.soundURL == nil {
          place.soundURL = collector.address(
            uri.lowercased().hasPrefix("audio://") ? "http://" + uri.dropFirst(8) : uri,
            isLink: false,
            line: action.line,
            path: actionPath.child("uri")
          )
        } else {
          collector.ignore("further sounds", line: action.line, path: actionPath)
        }
      } else if place.link == nil {
        place.link = collector.address(
          uri,
          isLink: true,
          line: action.line,
          path: actionPath.child("uri")
        )
      } else {
        collector.ignore("further actions", line: action.line, path: actionPath)
      }
    }
  }
}
