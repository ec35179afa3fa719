import SightlineContent
import SightlineInput

/// When an asset is shown, and how large: its conditions and its scaling mode.
struct ARMLDisplay {
  /// Shown from here, metres.
  var nearest: Double?
  /// Shown up to here, metres.
  var farthest: Double?
  var scaling: PlaceDisplay.Scaling?
  /// Which selection it takes.
  var selection: PlaceDisplay.Selection?
  /// Whether the selection of all anchors of its feature counts.
  var listensToFeature = false
  /// Whether its conditions can never hold together.
  var isNever = false

  /// The same as what a place says; `name` is its feature's.
  func display(feature name: String) -> PlaceDisplay? {
    var display = PlaceDisplay()
    display.visibleFrom = nearest.flatMap { $0 > 0 ? $0 : nil }
    display.scaling = scaling
    display.shownWhile = selection
    if selection != nil, listensToFeature { display.feature = name }
    return display.isEmpty ? nil : display
  }
}

extension ARMLReader {
  /// Where an asset listens to its feature, the selection of all the feature's anchors counts: those from `first` on.
  mutating func joinSelection(from first: Int) {
    guard let name = collector.places.dropFirst(first).lazy.compactMap({ $0.display?.feature }).first else { return }
    collector.change(from: first) { place in
      var display = place.display ?? PlaceDisplay()
      // One that listens to its own anchor alone stays so.
      guard display.feature == nil, display.shownWhile == nil else { return }
      display.feature = name
      place.display = display
    }
  }

  /// What an asset says of it; conditions have to hold all.
  mutating func display(_ asset: LocatedElement, path: DocumentPath) -> ARMLDisplay {
    var result = ARMLDisplay()
    for child in asset.child("conditions")?.children ?? [] {
      let condition =
        child.name.hasSuffix("Ref") ? resolve(child, ["DistanceCondition", "SelectedCondition"], path: path) : child
      guard let condition else { continue }
      switch condition.name {
      case "DistanceCondition": distances(condition, path: path.child("conditions"), into: &result)
      case "SelectedCondition": selection(condition, path: path.child("conditions"), into: &result)
      default: collector.ignore(condition.name, line: condition.line, path: path.child("conditions"))
      }
    }
    if let scaling = asset.child("ScalingMode") {
      result.scaling = self.scaling(scaling, path: path.child("ScalingMode"))
    }
    return result
  }

  private mutating func distances(
    _ condition: LocatedElement,
    path: DocumentPath,
    into result: inout ARMLDisplay
  ) {
    func distance(_ name: String) -> Double? {
      guard let text = condition.value(name) else { return nil }
      if let value = DecimalNumber.parse(text), PlaceDisplay.distances.contains(value) { return value }
      report(
        condition,
        path.child(name),
        "field.type",
        "\(name) is \(quoted(text)), but must be metres of 0 or more. It is ignored; correct it."
      )
      return nil
    }
    let (low, high) = (distance("min"), distance("max"))
    if let low, let high, low > high {
      report(
        condition,
        path,
        "field.type",
        "min is \(DecimalNumber.text(low)) and greater than max, \(DecimalNumber.text(high)), so nothing would ever be "
          + "shown. The condition is ignored; correct it."
      )
      return
    }
    if let high { result.farthest = min(result.farthest ?? .infinity, high) }
    if let low { result.nearest = max(result.nearest ?? 0, low) }
  }

  private mutating func selection(
    _ condition: LocatedElement,
    path: DocumentPath,
    into result: inout ARMLDisplay
  ) {
    let text = condition.value("selected")
    let selection: PlaceDisplay.Selection
    switch text {
    case "true", "1": selection = .selected
    case "false", "0": selection = .unselected
    default:
      report(
        condition,
        path.child("SelectedCondition"),
        text == nil ? "field.missing" : "field.type",
        (text.map { "selected is \(quoted($0)), but must be true or false." }
          ?? "The SelectedCondition has no selected.")
          + " It is ignored; write true or false."
      )
      return
    }
    switch condition.value("listener") {
    case nil, "anchor": break
    case "feature": result.listensToFeature = true
    case let other?:
      report(
        condition,
        path.child("SelectedCondition").child("listener"),
        "field.type",
        "listener is \(quoted(other)), but must be feature or anchor. The anchor is taken; correct it."
      )
    }
    if let earlier = result.selection, earlier != selection { result.isNever = true }
    result.selection = selection
  }

  private mutating func scaling(_ mode: LocatedElement, path: DocumentPath) -> PlaceDisplay.Scaling? {
    switch mode.attribute("type") {
    case "natural": return nil
    case "custom": break
    case let other:
      report(
        mode,
        path,
        other == nil ? "field.missing" : "field.type",
        "The type of a ScalingMode is \(other.map { quoted($0) } ?? "missing"), but must be natural or custom. It is ignored; "
          + "correct it."
      )
      return nil
    }
    func number(_ name: String) -> Double?? {
      guard let text = mode.value(name) else { return .some(.none) }
      guard let value = DecimalNumber.parse(text) else { return .none }
      return .some(.some(value))
    }
    let (near, far, factor) = (number("minScalingDistance"), number("maxScalingDistance"), number("scalingFactor"))
    if let near, let far, let factor {
      let scaling = PlaceDisplay.Scaling(near: near ?? 0, far: far, factor: factor ?? 1)
      if scaling.isUsable { return scaling }
    }
    report(
      mode,
      path,
      "field.type",
      "A custom ScalingMode needs minScalingDistance above 0 metres, and may have maxScalingDistance beyond it and scalingFactor of "
        + "0.001 to 1000. The natural one is taken; correct them."
    )
    return nil
  }
}
