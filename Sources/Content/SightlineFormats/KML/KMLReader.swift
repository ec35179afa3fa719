public import SightlineContent

/// Reads KML 2.2, and ARML 1.0, which is KML with two namespaces more.
///
/// Placemarks become places, names of folders their categories; lines and areas are shapes of places at their middle.
public struct KMLReader {
  static let namespaces: Set = [
    "http://www.opengis.net/kml/2.2", "http://earth.google.com/kml/2.0", "http://earth.google.com/kml/2.1",
    "http://earth.google.com/kml/2.2",
  ]
  static let current = "http://www.opengis.net/kml/2.2"
  static let augmentedReality = "http://www.openarml.org/arml/1.0"
  static let wikitude = "http://www.openarml.org/wikitude/1.0"

  var collector: PlaceCollector
  var dimension = Dimension()
  /// Identifiers of providers that the document declares (ARML 1.0).
  var providers: Set<String> = []
  /// Styles that the document shares, by identifier.
  var styles: [String: ShapeStyle] = [:]
  /// Tags of the providers, which become categories of their places.
  var providerTags: [String: [String]] = [:]

  private init(options: ReadingOptions) { collector = PlaceCollector(prefix: "kml-", options: options) }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - options: File name (title of a world that has none), base address and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    do {
      try options.limits.checkSize(bytes.count)
      return read(try XMLTreeReader.root(ofBytes: bytes, limits: options.limits), options: options)
    } catch {
      return Reading(dimension: nil, problems: [error.problem()])
    }
  }

  static func isKML(_ root: LocatedElement) -> Bool {
    root.name == "kml" && (root.namespace.map { namespaces.contains($0) } ?? true)
  }

  static func read(_ root: LocatedElement, options: ReadingOptions) -> Reading {
    var reader = KMLReader(options: options)
    guard isKML(root) else {
      reader.collector.problems.add(
        .error,
        "format.unknown",
        line: root.line,
        path: root.name,
        "The root element is \(quoted(root.name, limit: 80)); a KML document has kml there, in \(current)."
      )
      return Reading(dimension: nil, problems: reader.collector.finish())
    }
    if root.namespace != current {
      reader.collector.problems.add(
        .info,
        "namespace.old",
        line: root.line,
        path: "kml",
        "The root is in \(root.namespace.map { "the namespace \($0)" } ?? "no namespace"). It is read; write \(current)."
      )
    }
    reader.readProviders(root)
    reader.readStyles(root)
    reader.container(root, path: "kml", folders: [])
    if reader.dimension.name == nil { reader.dimension.name = options.title }
    reader.dimension.places = reader.collector.places
    return Reading(dimension: reader.dimension, problems: reader.collector.finish())
  }

  /// What stands in `kml`, `Document` or `Folder`.
  private mutating func container(_ element: LocatedElement, path: String, folders: [String]) {
    var numbers: [String: Int] = [:]
    for child in element.children {
      numbers[child.name, default: 0] += 1
      let childPath = "\(path)/\(child.name)[\(numbers[child.name] ?? 1)]"
      switch child.name {
      case "Document":
        if dimension.name == nil { dimension.name = child.value("name") }
        if dimension.summary == nil { dimension.summary = child.value("description") }
        if dimension.attribution == nil {
          dimension.attribution = child.child("author").flatMap { $0.value("name") }
        }
        container(child, path: childPath, folders: folders)
      case "Folder":
        container(child, path: childPath, folders: folders + (child.value("name").map { [$0] } ?? []))
      case "Placemark": placemark(child, path: childPath, folders: folders)
      case "name", "description", "author", "open", "visibility", "provider", "Style", "StyleMap": break
      case "NetworkLink": networkLink(child, path: childPath)
      default: collector.ignore(child.name, line: child.line, path: childPath)
      }
    }
  }

  /// A link that is fetched again: its address and interval become the world's, when it has none yet.
  private mutating func networkLink(_ element: LocatedElement, path: String) {
    guard let link = element.child("Link") ?? element.child("Url"), let href = link.value("href") else {
      collector.problems.add(
        .error,
        "field.missing",
        line: element.line,
        path: "\(path)/Link/href",
        "The link has no href. It is ignored; add one."
      )
      return
    }
    guard dimension.refreshURL == nil else { return collector.ignore("NetworkLink", line: element.line, path: path) }
    dimension.refreshURL = collector.address(href, isLink: false, line: link.line, path: "\(path)/Link/href")
    guard link.value("refreshMode") == "onInterval" else { return }
    dimension.refreshIntervalSeconds =
      link.value("refreshInterval").flatMap { DecimalNumber.parse($0) }.map { max(0, $0) } ?? 4
  }

  /// Providers of ARML 1.0, declared in the document: the first names the world, when nothing else does.
  private mutating func readProviders(_ root: LocatedElement) {
    for document in root.children where document.name == "Document" || document.name == "provider" {
      for provider in document.name == "provider" ? [document] : document.children where provider.name == "provider" {
        guard provider.namespace == Self.augmentedReality else { continue }
        guard let id = provider.attribute("id")?.trimmed, !id.isEmpty else {
          collector.problems.add(
            .error,
            "field.missing",
            line: provider.line,
            path: "kml/Document/provider",
            "The provider has no id. It is ignored; add one, such as a host name."
          )
          continue
        }
        providers.insert(id)
        providerTags[id] = (provider.value("tags") ?? "").split(separator: ",").map { String($0).trimmed }.filter {
          !$0.isEmpty
        }
        if dimension.attribution == nil { dimension.attribution = provider.value("name") }
        if dimension.summary == nil { dimension.summary = provider.value("description") }
        if provider.value("name") == nil {
          collector.problems.add(
            .warning,
            "field.missing",
            line: provider.line,
            path: "kml/Document/provider/name",
            "The provider has no name, which Wikitude refuses. Add one."
          )
        }
      }
    }
  }
}

extension LocatedElement {
  /// The first child of a name, whatever its namespace.
  func child(_ name: String) -> LocatedElement? { children.first { $0.name == name } }

  /// The text of the first child of a name, trimmed; `nil` when it is empty or missing.
  func value(_ name: String) -> String? {
    guard let text = child(name)?.text.trimmed, !text.isEmpty else { return nil }
    return text
  }
}
