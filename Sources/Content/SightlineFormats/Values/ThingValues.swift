import SightlineContent

/// The files of a world's pictures and models, each once.
struct AssetRegister {
  private var ids: [String: String] = [:]
  private(set) var assets: [Asset] = []

  /// The identifier of the file at an address.
  mutating func id(
    of address: String,
    format: String?,
    line: Int,
    path: DocumentPath,
    _ problems: ProblemList
  ) -> String {
    if let id = ids[address] { return id }
    let asset = Asset(id: "asset-\(ids.count + 1)", url: address, format: format)
    if problems.admit(asset, line: line, path: path) { assets.append(asset) }
    ids[address] = asset.id
    return asset.id
  }
}

/// Directions and turns as formats have them.
enum ThingValues {
  /// An angle of 0 …< 360 that is the same direction.
  static func wrapped(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest == 0 ? 0 : rest
  }

  /// −180 …< 180.
  static func turn(_ degrees: Double) -> Double {
    let whole = wrapped(degrees)
    return whole >= 180 ? whole - 360 : whole
  }

  /// The attitude of KML's and ARML's heading, tilt and roll.
  ///
  /// Unturned a thing has its axes to the east, north and up, and its front to the south; the turns are about up, east and north, clockwise
  /// as seen against the axis.
  static func attitude(heading: Double, tilt: Double, roll: Double) -> Attitude {
    Attitude(
      heading: wrapped(heading + 180),
      pitch: tilt == 0 ? nil : turn(tilt),
      roll: roll == 0 ? nil : turn(-roll)
    )
  }

  /// The way back.
  static func orientation(_ attitude: Attitude?) -> (heading: Double, tilt: Double, roll: Double) {
    guard let attitude else { return (0, 0, 0) }
    return (wrapped(attitude.heading - 180), attitude.pitch ?? 0, -(attitude.roll ?? 0) + 0)
  }

  /// A model's attitude with the turns about its own axes; those are lost beside an attitude.
  static func whole(_ attitude: Attitude?, x: Double, y: Double, z: Double) -> (attitude: Attitude, isWhole: Bool) {
    if let attitude { return (attitude, x == 0 && y == 0 && z == 0) }
    let own = Attitude(heading: wrapped(180 - y), pitch: x == 0 ? nil : turn(-x), roll: z == 0 ? nil : turn(-z))
    return (own, true)
  }

  /// Factors that a thing can be enlarged by, and how messages call them.
  static let scales = 1e-6...1e6
  static let formOfScales = "a factor, 0.000001 to 1,000,000"

  /// Whether an address is that of a model that can be drawn.
  static func isModel(_ address: String) -> Bool { URLReference(address).path.lowercased().hasSuffix(".glb") }
}

extension ProblemList {
  /// Says that something is no number of a range; it is not used.
  func refuse(_ what: String, _ value: String?, _ form: String, line: Int, path: DocumentPath) {
    add(
      .warning,
      value == nil ? "field.missing" : "field.type",
      line: line,
      path: path,
      "\(what) \(value.map { "is \(quoted($0))" } ?? "is missing"), but must be \(form). It is ignored; correct it."
    )
  }

  /// The one factor of those along the axes: their mean, and a finding where they differ.
  func evenScale(_ scales: [Double], line: Int, path: DocumentPath) -> Double {
    guard let first = scales.first else { return 1 }
    // Equal ones are taken as they are: their mean may differ in the last digit.
    guard scales.contains(where: { $0 != first }) else { return first }
    add(
      .warning,
      "geometry.unsupported",
      line: line,
      path: path,
      "Models and pictures keep their shape: the mean of the scales is used. Write equal ones."
    )
    return scales.reduce(0, +) / Double(scales.count)
  }
}

extension Dimension {
  /// Where the files of its pictures and models are, by their identifiers.
  func addresses(_ options: WritingOptions) -> [String: String] {
    Dictionary(assets.map { ($0.id, absolute($0.url, options)) }) { _, last in last }
  }
}

extension Visual {
  /// The file that it is made of.
  var assetID: String? {
    switch self {
    case .text: nil
    case .image(let id), .model(let id, _, _, _, _): id
    }
  }
}
