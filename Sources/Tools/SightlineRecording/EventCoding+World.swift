import SightlineGeodesy
import SightlineMath
import SightlineScene

extension EventCoding {
  static func encode(_ world: RecordedWorld, _ out: inout ByteWriter) {
    let description = world.description
    out.put(world.title)
    out.putRecord { head in
      head.put(description.radarRange)
      head.put(description.radarAvailable)
      head.put(description.refresh.intervalSeconds)
      head.put(description.refresh.distance)
      head.put(description.refreshAddress?.rawValue ?? -1)
      head.put(description.namesWhatStandsOnAnchors)
    }
    out.put(UInt32(clamping: description.features.count))
    for (index, feature) in description.features.enumerated() {
      out.putRecord { encode(feature, &$0) }
      out.put(world.text(of: Int32(clamping: index)))
    }
    out.put(UInt32(clamping: description.overlays.count))
    for overlay in description.overlays {
      out.putRecord { record in
        record.put(overlay.key)
        record.put(overlay.hidden)
        encode(overlay.action.numbers, &record)
      }
    }
    out.put(UInt32(clamping: description.focusOverlays.count))
    for overlay in description.focusOverlays { out.put(overlay) }
    out.put(UInt32(clamping: world.addresses.count))
    for (number, address) in world.addresses.sorted(by: { $0.key < $1.key }) {
      out.put(number)
      out.put(address)
    }
    out.put(UInt32(clamping: description.anchors.count))
    for anchor in description.anchors { out.putRecord { encode(anchor, &$0) } }
    let hasRules = !description.rules.isEmpty
    let hasPaths = !description.paths.isEmpty || hasRules
    guard !description.things.isEmpty || hasPaths else { return }
    out.put(UInt32(clamping: description.things.count))
    for thing in description.things { out.putRecord { encode(thing, &$0) } }
    if hasPaths { encodePaths(of: world, &out) }
    if hasRules { encodeRules(of: description, &out) }
  }

  private static func encode(_ feature: SceneFeature, _ out: inout ByteWriter) {
    out.put(feature.key)
    out.put(feature.latitudeDegrees)
    out.put(feature.longitudeDegrees)
    out.put(feature.altitude)
    out.put(feature.altitudeDatum.rawValue)
    out.put(feature.offset.x)
    out.put(feature.offset.y)
    out.put(feature.offset.z)
    out.put(feature.kind.rawValue)
    out.put(feature.sizeMode.rawValue)
    out.put(feature.width)
    out.put(feature.height)
    out.put(feature.pivot.x)
    out.put(feature.pivot.y)
    out.put(feature.category)
    out.put(feature.showInRadar)
    out.put(feature.visibilityRadius)
    encode(feature.action.numbers, &out)
    out.put(Int32(clamping: feature.focusOverlays.lowerBound))
    out.put(Int32(clamping: feature.focusOverlays.count))
    out.put(feature.compactWidth)
    out.put(feature.compactHeight)
    out.put(feature.anchor)
    out.put(feature.model != nil)
    if let model = feature.model { encode(model, &out) }
    if feature.followsEye { out.put(true) }
  }

  static func world(_ source: inout ByteReader) -> RecordedWorld? {
    var world = RecordedWorld(description: WorldDescription())
    guard let title = source.text(), var head = source.record(), let radarRange = head.f64(),
      let radarAvailable = head.bool(), let interval = head.f64(), let distance = head.f64(), let refresh = head.i32(),
      let features = source.u32()
    else { return nil }
    world.title = title
    world.description.radarRange = radarRange
    world.description.radarAvailable = radarAvailable
    world.description.refresh = RefreshRule(intervalSeconds: interval, distance: distance)
    world.description.namesWhatStandsOnAnchors = head.bool() ?? false
    world.description.refreshAddress = refresh < 0 ? nil : AddressID(refresh)
    // Nothing is reserved for counts: they may lie.
    for _ in 0..<features {
      guard var record = source.record(), let feature = feature(&record), let text = source.text() else { return nil }
      world.description.features.append(feature)
      world.texts.append(text)
    }
    guard let overlays = source.u32() else { return nil }
    for _ in 0..<overlays {
      guard var record = source.record(), let overlay = overlay(&record) else { return nil }
      world.description.overlays.append(overlay)
    }
    guard let focus = source.u32() else { return nil }
    for _ in 0..<focus {
      guard let overlay = source.i32() else { return nil }
      world.description.focusOverlays.append(overlay)
    }
    guard let addresses = source.u32() else { return nil }
    for _ in 0..<addresses {
      guard let number = source.i32(), let address = source.text() else { return nil }
      world.addresses[number] = address
    }
    // Not in recordings from before there were anchors.
    if source.count > 0 {
      guard let anchors = source.u32() else { return nil }
      for _ in 0..<anchors {
        guard var record = source.record(), let anchor = worldAnchor(&record) else { return nil }
        world.description.anchors.append(anchor)
      }
    }
    // Only in recordings of worlds with things in true size, or with lines and areas.
    if source.count > 0 {
      guard let things = source.u32() else { return nil }
      for _ in 0..<things {
        guard var record = source.record(), let thing = thing(&record) else { return nil }
        world.description.things.append(thing)
        // Earlier versions said it of the thing.
        let feature = Int(thing.feature)
        if record.bool() == true, world.description.features.indices.contains(feature) {
          world.description.features[feature].altitudeDatum = .ground
        }
      }
    }
    // Only in recordings of worlds with lines and areas.
    if source.count > 0, !decodePaths(&source, into: &world) { return nil }
    // Only in recordings of worlds that say when visuals are shown, or how large.
    if source.count > 0, !decodeRules(&source, into: &world.description) { return nil }
    let isSound = world.description.features.allSatisfy {
      $0.focusOverlays.upperBound <= world.description.focusOverlays.count
    }
    return isSound ? world : nil
  }

  private static func feature(_ source: inout ByteReader) -> SceneFeature? {
    guard let key = source.u64(), let position = vector(&source), let datum = source.u8(), let offset = vector(&source),
      let kind = source.u8(), let sizeMode = source.u8(), let size = point(&source), let pivot = point(&source),
      let category = source.u8(), let showInRadar = source.bool(), let visibilityRadius = source.f64(),
      let action = action(&source), let focusStart = source.i32(), let focusCount = source.i32(), focusStart >= 0,
      focusCount >= 0
    else { return nil }
    var feature = SceneFeature(latitudeDegrees: position.x, longitudeDegrees: position.y)
    feature.key = key
    feature.altitude = position.z
    feature.altitudeDatum = HeightDatum(rawValue: datum) ?? .ellipsoid
    feature.offset = offset
    feature.kind = VisualKind(rawValue: kind) ?? .text
    feature.sizeMode = SizeMode(rawValue: sizeMode) ?? .constant
    feature.width = size.x
    feature.height = size.y
    feature.pivot = pivot
    feature.category = category
    feature.showInRadar = showInRadar
    feature.visibilityRadius = visibilityRadius
    feature.action = action
    feature.focusOverlays = Int(focusStart)..<(Int(focusStart) + Int(focusCount))
    // Not in recordings from before labels had levels.
    if let compact = point(&source) {
      feature.compactWidth = compact.x
      feature.compactHeight = compact.y
    }
    // Not in recordings from before features stood on anchors.
    if let anchor = source.i32() {
      feature.anchor = anchor
      if source.bool() == true { feature.model = modelPlacement(&source) }
      // Only of features that do.
      feature.followsEye = source.bool() ?? false
    }
    return feature
  }

  private static func overlay(_ source: inout ByteReader) -> SceneOverlay? {
    guard let key = source.u64(), let hidden = source.bool(), let action = action(&source) else { return nil }
    var overlay = SceneOverlay()
    overlay.key = key
    overlay.hidden = hidden
    overlay.action = action
    return overlay
  }

  private static func action(_ source: inout ByteReader) -> SceneAction? {
    guard let kind = source.u8(), let target = source.i32() else { return nil }
    return SceneAction(kind: Int32(kind), value: target) ?? SceneAction.none
  }
}
