public import SightlineContent
import SightlineMath
public import SightlineScene
public import SightlineWorlds

extension WorldDescription {
  /// What a session shows of a world.
  ///
  /// Feature *n* is place *n* of the document, overlay *n* its overlay *n*: by that the host finds texts and pictures.
  ///
  /// - Parameters:
  ///   - dimension: the world, in the reader's language.
  ///   - addresses: the host's table; addresses of actions and of refreshing are put into it as the document writes them,
  ///     after `resolve`.
  ///   - categories: numbers that categories have already, see ``CategoryNumbers``; those that are new are added.
  ///   - resolve: makes an address absolute; `nil` for one that cannot be, which then does nothing.
  ///   - measure: size of a label in the host's letters, with everything on it and with its name alone. The default is about
  ///     what a text of one line takes at 14 points.
  public init(
    _ dimension: Dimension,
    addresses: inout AddressTable,
    categories: inout CategoryNumbers,
    resolve: (String) -> String? = { $0 },
    measure: (String) -> (label: LabelSize, compact: LabelSize) = WorldDescription.estimatedLabel
  ) {
    func action(_ action: Action?) -> SceneAction {
      switch action {
      case nil: return .none
      case .refresh: return .refresh
      case .webPage(let url): return resolve(url).map { .webPage(addresses.id(of: $0)) } ?? .none
      case .dimension(let url): return resolve(url).map { .dimension(addresses.id(of: $0)) } ?? .none
      }
    }
    var compiler = WorldCompiler(categories: categories)
    compiler.setRadar(range: dimension.radarRange ?? 0, isAvailable: dimension.radarAvailable)
    let refresh = dimension.refreshURL.flatMap { $0.isEmpty ? nil : resolve($0) }
    compiler.setRefresh(
      RefreshRule(intervalSeconds: dimension.refreshIntervalSeconds, distance: dimension.refreshDistance),
      address: refresh.map { addresses.id(of: $0) }
    )
    compiler.reserve(places: dimension.places.count)
    // Overlays come first, for places name them; their addresses are numbered behind those of the places.
    let actions = dimension.places.map { action($0.action) }
    for overlay in dimension.overlays {
      compiler.addOverlay(id: overlay.id?.utf16, isHidden: overlay.hidden, action: action(overlay.action))
    }
    let numbered = dimension.pictureAnchors.enumerated().map { ($1, Int32(clamping: $0)) }
    let pictures = Dictionary(numbered) { first, _ in first }
    var groups: [String: Int32] = [:]
    for (index, place) in dimension.places.enumerated() {
      var content = PlaceContent(place, measure(place.labelText), pictures)
      content.action = actions[index]
      compiler.add(content)
      if let display = place.display {
        if let name = display.feature, groups[name] == nil { groups[name] = Int32(clamping: groups.count) }
        let group = display.feature.flatMap { groups[$0] }
        compiler.add(DisplayRule(display, feature: Int32(clamping: index), group: group))
      }
      for name in place.showOnFocus { compiler.addFocusOverlay(name.utf16) }
      for (number, shape) in (place.shapes ?? []).enumerated() {
        for part in shape.parts {
          compiler.addPart(ofPlace: index, shape: number, isArea: shape.kind == .area)
          for corner in part { compiler.addCorner(PathVertex(corner)) }
        }
      }
    }
    categories = compiler.categories
    self = compiler.world
  }

  /// What a session shows of a world that stands alone and whose addresses the host does not follow.
  public init(_ dimension: Dimension) {
    var addresses = AddressTable()
    var categories = CategoryNumbers()
    self.init(dimension, addresses: &addresses, categories: &categories)
  }

  /// About what a label of one line takes at 14 points: 8 points a letter.
  public static func estimatedLabel(_ text: String) -> (label: LabelSize, compact: LabelSize) {
    let width = Double(8 * min(text.count, 24))
    return (LabelSize(width: max(width, 58) + 56, height: 48), LabelSize(width: min(width, 136) + 37, height: 26))
  }
}

extension Place {
  /// What stands on its label: its text, else its title.
  public var labelText: String {
    if case .text(let text) = visual, let trimmed = Self.trimmed(text) { return trimmed }
    return Self.trimmed(title).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") } ?? ""
  }

  private static func trimmed(_ text: String) -> String? {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(text[first...last])
  }
}

extension PlaceContent where Text == String.UTF16View {
  /// A place of the common model, without its action.
  fileprivate init(
    _ place: Place,
    _ size: (label: LabelSize, compact: LabelSize),
    _ pictures: [TargetAnchor: Int32]
  ) {
    self.init(id: place.id?.utf16, title: place.title.utf16)
    if let position = place.position {
      latitudeDegrees = position.latitude
      longitudeDegrees = position.longitude
      altitude = position.altitude ?? .nan
    }
    altitudeDatum =
      switch place.altitudeMode {
      case .ellipsoid: .ellipsoid
      case .seaLevel: .seaLevel
      case .ground: .ground
      case .eye: .eye
      }
    followsUser = place.followsUser ?? false
    offset = Vector3(place.offset.east, place.offset.north, place.offset.up)
    if let target = place.target {
      print = PrintContent(.picture(pictures[target] ?? -1), width: target.width)
    } else if let marker = place.marker {
      print = PrintContent(marker)
    }
    if case .model(_, let x, let y, let z, let scale) = place.visual {
      model.xRotation = Angle(degrees: x)
      model.yRotation = Angle(degrees: y)
      model.zRotation = Angle(degrees: z)
      model.scale = scale
    }
    self.size = Vector2(place.size?.width ?? 0, place.size?.height ?? 0)
    attitude = place.attitude.map {
      SceneThing.Attitude(
        heading: Angle(degrees: $0.heading),
        pitch: Angle(degrees: $0.pitch ?? 0),
        roll: Angle(degrees: $0.roll ?? 0)
      )
    }
    visual =
      switch place.visual {
      case .text: .text
      case .image: .image
      case .model: .model
      }
    (label, compactLabel) = size
    pivot = ContentPivot.allCases[Pivot.allCases.firstIndex(of: place.pivot) ?? 7]
    category = place.categories.first?.utf16
    showInRadar = place.showInRadar
    visibilityRadius = place.visibilityRadius ?? 0
    action = .none
  }
}

extension DisplayRule {
  /// `group` is the number of the places that count as selected together.
  fileprivate init(_ display: PlaceDisplay, feature: Int32, group: Int32?) {
    self.init(feature: feature)
    nearest = display.visibleFrom ?? 0
    scaling = display.scaling.flatMap { DistanceScaling(near: $0.near, far: $0.far ?? .infinity, factor: $0.factor) }
    selection =
      switch display.shownWhile {
      case nil: .any
      case .selected: .selected
      case .unselected: .unselected
      }
    self.group = group ?? -1
  }
}

extension PrintContent {
  /// `nil` for a dictionary that there is not.
  fileprivate init?(_ marker: MarkerAnchor) {
    guard let dictionary = MarkerAnchor.dictionaryOrder.firstIndex(of: marker.dictionary),
      let number = UInt8(exactly: dictionary)
    else { return nil }
    self.init(.marker(dictionary: number, id: Int32(clamping: marker.id)), width: marker.length)
    hanging = marker.facing.map {
      Hanging(
        facing: Angle(degrees: $0),
        elevation: Angle(degrees: marker.tilt ?? 0),
        roll: Angle(degrees: marker.roll ?? 0)
      )
    }
  }
}

extension Dimension {
  /// The pictures that places stand on, each once, in the order of the places: a session knows them by their index here.
  public var pictureAnchors: [TargetAnchor] {
    var seen: Set<String> = []
    return places.compactMap { place in
      place.target.flatMap { seen.insert("\($0.assetID)@\($0.width)").inserted ? $0 : nil }
    }
  }
}

extension PathVertex {
  fileprivate init(_ position: Position) {
    self.init(
      latitudeDegrees: position.latitude,
      longitudeDegrees: position.longitude,
      altitude: position.altitude ?? .nan
    )
  }
}
