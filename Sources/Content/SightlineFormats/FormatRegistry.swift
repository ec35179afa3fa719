public import SightlineContent
import SightlineInput

/// Finds out the format of a document from its content, and reads it.
public enum FormatRegistry {
  /// Reads a document in whatever format it is.
  ///
  /// Detection goes by root element and namespace for XML and by marker members for JSON. The file's name in the
  /// options decides only what a document that says nothing (empty, ill-formed, unknown root) was meant to be.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - options: What the document does not say itself.
  /// - Returns: The format, `nil` when it is none that is known, and the world with all problems.
  public static func read(
    _ bytes: [UInt8],
    options: ReadingOptions = .init()
  ) -> (format: DocumentFormat?, reading: Reading) {
    read(bytes, options: options, budget: nil)
  }

  /// Reads a document; `budget` is what it may cost, `nil` for what its size allows.
  static func read(
    _ bytes: [UInt8],
    options: ReadingOptions,
    budget: ReadingBudget?
  ) -> (format: DocumentFormat?, reading: Reading) {
    let hint = options.fileName.flatMap { DocumentFormat(fileName: $0) }
    do {
      try options.limits.checkSize(bytes.count)
      switch firstCharacter(bytes) {
      case 0x3C?:
        let budget = budget ?? options.limits.budget(documentBytes: bytes.count)
        return try readXML(bytes, hint: hint, options: options, budget: budget)
      case 0x7B?, 0x5B?: return readJSON(bytes, hint: hint, options: options, budget: budget)
      case _ where DocumentArchive.isArchive(bytes):
        let document = try DocumentArchive.document(in: bytes, limits: options.limits)
        let budget = budget ?? options.limits.budget(documentBytes: document.count)
        let start = firstCharacter(document)
        if start == 0x7B || start == 0x5B { return readJSON(document, hint: nil, options: options, budget: budget) }
        return try readXML(document, hint: .kml, options: options, budget: budget)
      default: return (hint, refused(bytes, hint: hint))
      }
    } catch {
      return (hint, Reading(dimension: nil, problems: [error.problem(code: code(error, hint))]))
    }
  }

  /// Writes a world.
  ///
  /// - Parameters:
  ///   - dimension: The world.
  ///   - format: The format to write.
  ///   - options: What the world does not say itself.
  /// - Returns: The document, and what the format could not hold.
  public static func write(
    _ dimension: Dimension,
    as format: DocumentFormat,
    options: WritingOptions = .init()
  ) -> Writing {
    switch format {
    case .gddf: GDDFWriter.write(dimension, options: options)
    case .area: AREAWriter.write(dimension, options: options)
    case .geojson: GeoJSONWriter.write(dimension, options: options)
    case .kml: KMLWriter.write(dimension, options: options)
    case .arml: ARMLWriter.write(dimension, options: options)
    case .mixare: MixareWriter.write(dimension, options: options)
    case .layar: LayarWriter.write(dimension, options: options)
    case .overpass: OverpassWriter.write(dimension, options: options)
    }
  }

  private static func readXML(
    _ bytes: [UInt8],
    hint: DocumentFormat?,
    options: ReadingOptions,
    budget: ReadingBudget
  ) throws(DocumentFailure) -> (format: DocumentFormat?, reading: Reading) {
    let utf8 = try TextDecoding.utf8(bytes)
    let repaired = AREAReader.withoutDeclarationSlip(utf8)
    let root: LocatedElement
    do {
      root = try XMLTreeReader.root(of: repaired ?? utf8, limits: options.limits, budget: budget)
    } catch {
      // Not readable, but its first tag tells what it was meant to be.
      let format = firstTag(utf8).flatMap { formats[$0] } ?? hint
      return (format, Reading(dimension: nil, problems: [error.problem(code: code(error, format))]))
    }
    if root.name == "locations", root.namespace == nil || root.namespace == AREAReader.namespace {
      var reading = AREAReader.read(root, options: options, budget: budget)
      if repaired != nil { reading.problems.insert(AREAReader.slipProblem, at: 0) }
      return (.area, reading)
    }
    if repaired != nil {
      // The slip is forgiven in AREA only: as written, the element <xml> is never closed.
      let problem = Problem(
        .error,
        root.name == "dimension" ? "D001" : "xml.malformed",
        line: 1,
        path: "",
        message: "The first line <xml …> lacks its question marks. Write <?xml version=\"1.0\" encoding=\"UTF-8\"?>."
      )
      return (root.name == "dimension" ? .gddf : hint, Reading(dimension: nil, problems: [problem]))
    }
    if KMLReader.isKML(root) { return (.kml, KMLReader.read(root, options: options, budget: budget)) }
    if ARMLReader.isARML(root) { return (.arml, ARMLReader.read(root, options: options, budget: budget)) }
    if root.name == "dimension" || hint == .gddf {
      return (.gddf, GDDFReader.read(root, options: options, budget: budget))
    }
    let namespace = root.namespace.map { " in the namespace \(quoted($0, limit: 80))" } ?? ""
    return (nil, unknown("The root element is <\(root.name)>\(namespace)", line: root.line, path: root.name))
  }

  private static let formats: [String: DocumentFormat] = [
    "dimension": .gddf, "locations": .area, "kml": .kml, "arml": .arml,
  ]

  private static func readJSON(
    _ bytes: [UInt8],
    hint: DocumentFormat?,
    options: ReadingOptions,
    budget: ReadingBudget?
  ) -> (format: DocumentFormat?, reading: Reading) {
    do {
      let result = try JSONTreeReader.read(bytes, limits: options.limits, budget: budget)
      if case .string(let type)? = result.root["type"]?.value, GeoJSONReader.types.contains(type) {
        return (.geojson, GeoJSONReader.read(result, options: options))
      }
      if LayarReader.isLayar(result.root) { return (.layar, LayarReader.read(result, options: options)) }
      if MixareReader.isMixare(result.root) { return (.mixare, MixareReader.read(result, options: options)) }
      if OverpassReader.isOverpass(result.root) { return (.overpass, OverpassReader.read(result, options: options)) }
      return (nil, unknown(description(of: result.root), line: result.root.line, path: ""))
    } catch {
      let isJSON = hint.map { [.geojson, .mixare, .layar, .overpass].contains($0) } ?? false
      return (isJSON ? hint : nil, Reading(dimension: nil, problems: [error.problem()]))
    }
  }

  private static func description(of root: JSONNode) -> String {
    guard case .object(let members) = root.value else { return "The document is \(root.kind)" }
    if case .string(let type)? = root["type"]?.value {
      return "The document is an object of type \(quoted(type)), which GeoJSON does not know (types are case-sensitive)"
    }
    let names = members.prefix(8).map { quoted($0.name, limit: 24) }.joined(separator: ", ")
    return members.isEmpty ? "The document is an empty object" : "The document is an object with the members \(names)"
  }

  /// The code of the format's own validator, where it has one.
  private static func code(_ failure: DocumentFailure, _ format: DocumentFormat?) -> String? {
    format == .gddf && failure.code == "xml.malformed" ? "D001" : nil
  }

  private static func refused(_ bytes: [UInt8], hint: DocumentFormat?) -> Reading {
    let isEmpty = firstCharacter(bytes) == nil
    let start = bytes.prefix(16).map { (0x20...0x7E).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
    let seen = isEmpty ? "The document is empty" : "The document begins with \(quoted(start)), neither < nor { nor ["
    guard hint == .gddf else { return unknown(seen, line: isEmpty ? nil : 1, path: "") }
    let problem = Problem(
      .error,
      "D001",
      line: 1,
      path: "",
      message: "\(seen); a GDDF document is XML with the root <dimension>."
    )
    return Reading(dimension: nil, problems: [problem])
  }

  private static func unknown(_ seen: String, line: Int?, path: String) -> Reading {
    let problem = Problem(
      .error,
      "format.unknown",
      line: line,
      path: path,
      message: "\(seen). Known are GDDF (root dimension), AREA (root locations, in no namespace or in "
        + "\(AREAReader.namespace)), KML (root kml), ARML 2.0 (root arml), GeoJSON (an object whose type is FeatureCollection, Feature or a "
        + "geometry), mixare (an object with results), Layar (with hotspots) and Overpass (with elements). "
        + "Convert the document to one of them."
    )
    return Reading(dimension: nil, problems: [problem])
  }

  /// The first byte that is neither byte-order mark, zero byte of UTF-16, nor white space.
  private static func firstCharacter(_ bytes: [UInt8]) -> UInt8? {
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
    let start = marks.first { bytes.starts(with: $0) }?.count ?? 0
    return bytes[start...].first { $0 != 0 && $0 != 0x20 && !(0x09...0x0D).contains($0) }
  }

  /// Name without prefix of the first start tag, however ill-formed the rest is.
  private static func firstTag(_ bytes: [UInt8]) -> String? {
    for index in bytes.indices.dropLast() where bytes[index] == 0x3C {
      let next = bytes[index + 1]
      guard next != 0x21, next != 0x3F, next != 0x2F else { continue }
      let name = bytes[(index + 1)...].prefix(100).prefix { !" \t\r\n/>".utf8.contains($0) }
      return String(decoding: name, as: UTF8.self).split(separator: ":").last.map(String.init)
    }
    return nil
  }
}
