public import SightlineContent
import SightlineInput

/// Reads KML 2.2, and ARML 1.0, which is KML with two namespaces more.
///
/// Placemarks become places, names of folders their categories; lines and areas are shapes of places at their middle. Ground
/// overlays become pictures that lie on the ground, screen overlays pictures fixed to the screen.
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
  /// Signs of points in them.
  var icons: [String: KMLIcon] = [:]
  /// Links to other documents, in order.
  var links: [Link] = []
  /// Whether heights count that are clamped to the ground: the placemark says elsewhere what they are measured from.
  var keepsHeights = false
  /// Identifiers of the overlays that were taken: one that is there twice is not kept again.
  var overlayIDs: Set<String> = []
  /// Tags of the providers, which become categories of their places.
  var providerTags: [String: [String]] = [:]

  private init(options: ReadingOptions, budget: ReadingBudget) {
    collector = PlaceCollector(prefix: "kml-", options: options, budget: budget)
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - options: File name (title of a world that has none), base address and limits.
  /// - Returns: The world and everything that was wrong; no world when the document as a whole is refused.
  public static func read(_ bytes: [UInt8], options: ReadingOptions = .init()) -> Reading {
    let budget = options.limits.budget(documentBytes: bytes.count)
    do {
      try options.limits.checkSize(bytes.count)
      return read(
        try XMLTreeReader.root(ofBytes: bytes, limits: options.limits, budget: budget),
        options: options,
        budget: budget
      )
    } catch {
      return Reading(dimension: nil, problems: [error.problem()])
    }
  }

  static func isKML(_ root: LocatedElement) -> Bool {
    root.name == "kml" && (root.namespace.map { namespaces.contains($0) } ?? true)
  }

  static func read(_ root: LocatedElement, options: ReadingOptions, budget: ReadingBudget) -> Reading {
    var reader = KMLReader(options: options, budget: budget)
    guard isKML(root) else {
      reader.collector.problems.add(
        .error,
        "format.unknown",
        line: root.line,
        path: DocumentPath(root: root.name),
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
    reader.resolveLinks()
    if reader.dimension.name == nil { reader.dimension.name = options.title }
    reader.dimension.places = reader.collector.places
    reader.dimension.assets = reader.collector.assets
    reader.collector.problems.shorten(&reader.dimension, line: root.line, path: "kml")
    return Reading(dimension: reader.dimension, problems: reader.collector.finish())
  }

  /// What stands in `kml`, `Document` or `Folder`.
  private mutating func container(_ element: LocatedElement, path: DocumentPath, folders: [String]) {
    var numbers: [String: Int] = [:]
    for child in element.children {
      guard collector.goesOn, collector.problems.take(of: .steps, line: child.line, path: path) else { return }
      numbers[child.name, default: 0] += 1
      let childPath = path.child(child.name, numbers[child.name] ?? 1)
      switch child.name {
      case "Document":
        if dimension.name == nil { dimension.name = child.value("name") }
        if dimension.summary == nil { dimension.summary = child.value("description") }
        if dimension.attribution == nil {
          dimension.attribution = child.child("author").flatMap { $0.value("name") }
        }
        container(child, path: childPath, folders: folders)
      case "Folder":
        // Shortened here, for it is repeated at every place inside.
        let name = child.value("name").map {
          collector.problems.shortened($0, .category, line: child.line, path: childPath)
        }
        container(child, path: childPath, folders: folders + (name.map { [$0] } ?? []))
      case "Placemark": placemark(child, path: childPath, folders: folders)
      case "GroundOverlay": groundOverlay(child, path: childPath, folders: folders)
      case "ScreenOverlay": screenOverlay(child, path: childPath)
      case "name", "description", "author", "open", "visibility", "provider", "Style", "StyleMap": break
      case "NetworkLink": networkLink(child, path: childPath)
      default: collector.ignore(child.name, line: child.line, path: childPath)
      }
    }
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
        providerTags[id] = tags(of: provider)
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

  /// A provider's tags, not more than a place keeps: each of its places repeats them.
  private func tags(of provider: LocatedElement) -> [String] {
    let path: DocumentPath = "kml/Document/provider/tags"
    let tags = (provider.value("tags") ?? "").split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    guard collector.problems.take(tags.count, of: .steps, line: provider.line, path: path) else { return [] }
    if tags.count > ContentLimits.categories { collector.problems.note(.categories, line: provider.line, path: path) }
    return tags.prefix(ContentLimits.categories).map {
      collector.problems.shortened($0, .category, line: provider.line, path: path)
    }
  }
}
