import SightlineContent

/// How a world is written so that both original clients read it: which identifiers, kinds of files and addresses stand in the
/// document.
///
/// The original Android client has one name space for all identifiers and refuses the whole document for one that is there
/// twice, for an asset of an unknown `format` and for a name that leads nowhere.
struct GDDFPlan {
  /// An asset as it is written.
  struct File {
    var id: String
    var url: String
    var format: String
  }

  /// What is written below `assets`.
  private(set) var files: [File] = []
  /// Identifier of each place, by its index in the world.
  private(set) var placeIDs: [String?] = []
  /// Identifier of each overlay, by its index in the world.
  private(set) var overlayIDs: [String?] = []
  /// The files that can be named, by the asset's identifier in the world.
  private var filesByID: [String: File] = [:]
  /// Identifiers of the overlays that one name of the world stands for.
  private var overlaysByID: [String: [String]] = [:]
  private var names = GDDFNameSpace()

  init(_ dimension: Dimension, addresses: inout GDDFAddresses, losses: inout LossList) {
    let models = GDDFPlan.models(of: dimension)
    planAssets(dimension.assets, models: models, addresses: &addresses, losses: &losses)
    for place in dimension.places { placeIDs.append(names.take(place.id)) }
    for overlay in dimension.overlays {
      let id = names.take(overlay.id)
      overlayIDs.append(id)
      if let old = overlay.id, let id { overlaysByID[old, default: []].append(id) }
    }
    losses.drop("identifiers as they were: in GDDF they are plain and differ from each other", names.renamed)
  }

  /// What the original Android client takes for a picture's identifier; `nil` when the asset is not written, or is a model.
  func picture(_ id: String) -> String? {
    guard let file = filesByID[id], file.format != "GAMA3D" else { return nil }
    return file.id
  }

  /// The identifier of a model's file.
  func model(_ id: String) -> String? {
    guard let file = filesByID[id], file.format == "GAMA3D" else { return nil }
    return file.id
  }

  /// The identifiers of overlays that a place shows, each once; a name that no overlay has stays as it is.
  func overlays(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.flatMap { overlaysByID[$0] ?? [$0] }.filter { seen.insert($0).inserted }
  }

  private mutating func planAssets(
    _ assets: [Asset],
    models: Set<String>,
    addresses: inout GDDFAddresses,
    losses: inout LossList
  ) {
    // Of equal identifiers the last one counts, as for readers.
    var last: [String: Int] = [:]
    for (index, asset) in assets.enumerated() { last[asset.id] = index }
    losses.drop("assets with the identifier of a later one", assets.count - last.count)
    for (index, asset) in assets.enumerated() where last[asset.id] == index {
      guard let url = addresses.usable(asset.url, .asset) else {
        losses.drop("assets whose address leads nowhere")
        continue
      }
      let format = GDDFPlan.format(of: asset, isModel: models.contains(asset.id))
      if let written = asset.format, written != format {
        losses.drop("kinds of files other than PNG, JPG and GAMA3D; the nearest of them is written", severity: .info)
      }
      let file = File(id: names.take(asset.id) ?? names.take("asset") ?? "asset", url: url, format: format)
      files.append(file)
      filesByID[asset.id] = file
    }
    losses.note(
      "The original Android client has a kind of model of its own, and refuses a document with others, such as GLB",
      "Give their places pictures or texts",
      files.count { $0.format == "GAMA3D" && !URLReference($0.url).path.lowercased().hasSuffix(".g3d") }
    )
  }

  /// The assets that stand as models somewhere and as a picture nowhere.
  private static func models(of dimension: Dimension) -> Set<String> {
    var models: Set<String> = []
    var pictures: Set<String> = []
    for place in dimension.places {
      switch place.visual {
      case .model(let id, _, _, _, _): models.insert(id)
      case .image(let id): pictures.insert(id)
      case .text: break
      }
      if let target = place.target { pictures.insert(target.assetID) }
    }
    for overlay in dimension.overlays {
      if case .image(let id) = overlay.content { pictures.insert(id) }
    }
    return models.subtracting(pictures)
  }

  /// `PNG`, `JPG` or `GAMA3D`.
  ///
  /// The original Android client reads the picture's own data, whichever of the first two is written.
  private static func format(of asset: Asset, isModel: Bool) -> String {
    if isModel { return "GAMA3D" }
    let path = URLReference(asset.url).path.lowercased()
    let isJPEG = path.hasSuffix(".jpg") || path.hasSuffix(".jpeg")
    switch asset.format?.uppercased() {
    case "PNG"?, "IMAGE/PNG"?: return "PNG"
    case "JPG"?, "JPEG"?, "IMAGE/JPEG"?, "IMAGE/JPG"?: return "JPG"
    default: return isJPEG ? "JPG" : "PNG"
    }
  }
}

/// The one name space of a document: each identifier once, made of letters, digits, `_`, `.` and `-`.
private struct GDDFNameSpace {
  private var taken: Set<String> = []
  private var next: [String: Int] = [:]
  /// How many are not as they were.
  private(set) var renamed = 0

  /// An identifier that nothing else has; `nil` for `nil` and for an empty one.
  mutating func take(_ id: String?) -> String? {
    guard let id, !id.isEmpty else { return nil }
    let plain = GDDFNameSpace.plain(id)
    var result = plain
    // Each try takes a number that no later one tries again.
    while !taken.insert(result).inserted {
      let number = next[plain, default: 2]
      next[plain] = number + 1
      result = "\(plain)-\(number)"
    }
    if result != id { renamed += 1 }
    return result
  }

  private static func plain(_ id: String) -> String {
    var result = ""
    for scalar in id.unicodeScalars {
      let isPlain =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "_.-".unicodeScalars.contains(scalar))
      result.unicodeScalars.append(isPlain ? scalar : "_")
    }
    // The first is what requests say for "none", the second what the original Android client gives to items without one.
    return result == "NULL" || result.hasPrefix("AUTO_ID_") ? "_" + result : result
  }
}

/// The addresses of a document, judged by the rules of the reader.
struct GDDFAddresses {
  private let options: WritingOptions
  private let reader = GDDFAddressReader(
    base: nil,
    problems: ProblemList(budget: ReadingLimits().budget(documentBytes: 0))
  )
  /// How many have no server in them, so that the original clients cannot load them.
  private(set) var relative = 0

  init(_ options: WritingOptions) { self.options = options }

  /// The address as it is written; `nil` for one that leads nowhere.
  mutating func usable(_ url: String, _ purpose: GDDFURLPurpose) -> String? {
    let whole = absolute(url, options).trimmed
    guard !whole.isEmpty,
      let usable = reader.url(GDDFFields.Scalar(text: whole, line: 0, path: ""), purpose)
    else { return nil }
    if URLReference(usable).scheme == nil { relative += 1 }
    return usable
  }
}
