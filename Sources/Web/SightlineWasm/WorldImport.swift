import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineWasmMemory
import SightlineWorlds

// A world's content as numbers and texts: `sl_world_begin` answers where the page writes the numbers, `sl_world_texts` where
// it writes the texts, `sl_world_compile` makes a world of them, and `sl_world_loaded` hands that to the session. The page
// writes what the document says; all decisions are `WorldCompiler`'s. In this order: head, overlays, places, names of overlays
// that places show, parts of shapes, corners. What stands where in their rows: Bindings+Rows.swift.

/// Texts are stretches of the page's UTF-16 code units.
private typealias Text = UnsafeBufferPointer<UInt16>

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var input = Buffer()
nonisolated(unsafe) private var textInput = Buffer()
/// What was made room for, until it is compiled.
nonisolated(unsafe) private var begun: Counts?
/// What was compiled, until the session gets it.
nonisolated(unsafe) var compiledWorld: WorldDescription?
/// Numbers of the categories of all worlds that are open.
nonisolated(unsafe) private var categories = CategoryNumbers()
nonisolated(unsafe) private var answer = Buffer()

private struct Counts {
  var overlays, places, names, parts, corners, units: Int
}

/// Most places of a world, and most overlays, names and parts.
///
/// With so many, an old and a new world fit into the instance's 256 MB side by side.
private let most: Int32 = 250_000
/// Most code units of all texts: identifiers and categories, titles where there is no identifier.
private let mostUnits: Int32 = 12_000_000

/// Makes room for a world; answers where its numbers are written, or null when the counts make no sense or are more than fits.
@_expose(wasm) @c public func sl_world_begin(
  _ places: Int32,
  _ overlays: Int32,
  _ names: Int32,
  _ parts: Int32,
  _ corners: Int32,
  _ units: Int32
) -> UnsafeMutablePointer<Double>? {
  begun = nil
  guard 0...most ~= overlays, 0...most ~= places, 0...most ~= names, 0...most ~= parts, 0...(4 * most) ~= corners,
    0...mostUnits ~= units
  else { return nil }
  let counts = Counts(
    overlays: Int(overlays),
    places: Int(places),
    names: Int(names),
    parts: Int(parts),
    corners: Int(corners),
    units: Int(units)
  )
  let count =
    ContentHeadRow.length + counts.overlays * ContentOverlayRow.length + counts.places * ContentPlaceRow.length
    + counts.names + counts.parts * ContentPartRow.length + counts.corners * ContentCornerRow.length
  guard input.reserveExactly(count), textInput.reserveExactly((counts.units + 3) / 4) else {
    releaseInput()
    return nil
  }
  begun = counts
  return input.base
}

/// Where the texts are written, as UTF-16 code units one after the other: first each overlay's identifier; then of each
/// place identifier, title, category and names of overlays.
@_expose(wasm) @c public func sl_world_texts() -> UnsafeMutablePointer<Double> { textInput.base }

/// Makes a world of what was written, as the answer to a request; the place it was written to is given back.
///
/// - Returns: what the page has to know of it: the number of categories, then a row for each as they appear in the world, "other" (0) last;
///   then the number of places that have a position in the document and none in the world, and their indices. Null without a world begun before.
@_expose(wasm) @c public func sl_world_compile(_ request: Int32) -> UnsafeMutablePointer<Double>? {
  guard let counts = begun else { return nil }
  begun = nil
  // Beside other worlds everybody's categories keep their numbers.
  if !askSession({ $0.isBesideOthers(RequestID(request)) }) { categories = CategoryNumbers() }
  var compiler = WorldCompiler(categories: categories)
  let unplaced = compile(counts, &compiler)
  releaseInput()
  categories = compiler.categories
  compiledWorld = compiler.world
  writeAnswer(compiler.world, unplaced)
  return answer.base
}

/// When the visual of a place of what was compiled last is shown, and how large: from how far, scaled from where to where by what
/// (not a number for no scaling), while what is selected (``DisplayRule/Selection``), and a number that places share which count as
/// selected together (−1: alone).
@_expose(wasm) @c public func sl_world_rule(
  _ place: Int32,
  _ nearest: Double,
  _ near: Double,
  _ far: Double,
  _ factor: Double,
  _ selection: Int32,
  _ group: Int32
) {
  guard compiledWorld?.features.indices.contains(Int(place)) == true else { return }
  var rule = DisplayRule(feature: place)
  rule.nearest = nearest
  rule.scaling = DistanceScaling(near: near, far: far, factor: factor)
  rule.selection = enumeration(selection, DisplayRule.Selection.init(rawValue:)) ?? .any
  rule.group = group
  compiledWorld?.rules.append(rule)
}

/// The answer to a request is what was compiled last.
///
/// Nothing happens without a world compiled before.
@_expose(wasm) @c public func sl_world_loaded(_ time: Double, _ request: Int32) {
  guard let world = compiledWorld else { return }
  compiledWorld = nil
  session.handle(.loaded(RequestID(request), world), at: time)
}

private func releaseInput() {
  input.release()
  textInput.release()
}

// MARK: Reading

/// Hands texts out one after the other; what is beyond those that were written is empty.
private struct TextReader {
  var units: Text
  var position = 0

  /// The next text; `nil` for a negative count.
  mutating func next(_ count: Int32) -> Text? {
    guard count >= 0 else { return nil }
    let end = min(units.count, position + Int(count))
    defer { position = end }
    return Text(rebasing: units[position..<end])
  }
}

/// Answers the indices of the places that the document has a position for and the world none.
private func compile(_ counts: Counts, _ compiler: inout WorldCompiler) -> [Int] {
  var texts = TextReader(
    units: Text(
      start: UnsafeMutableRawPointer(textInput.base).bindMemory(to: UInt16.self, capacity: counts.units),
      count: counts.units
    )
  )
  let head = Values(input.base)
  compiler.setRadar(range: head[ContentHeadRow.radarRange], isAvailable: head.flag(ContentHeadRow.radarAvailable))
  compiler.setRefresh(
    RefreshRule(
      intervalSeconds: head[ContentHeadRow.refreshIntervalSeconds],
      distance: head[ContentHeadRow.refreshDistance]
    ),
    address: address(head.int(ContentHeadRow.refreshAddress))
  )
  compiler.setNames(areShown: head.flag(ContentHeadRow.namesWhatStandsOnAnchors))
  compiler.reserve(places: counts.places)
  let overlays = input.base + ContentHeadRow.length
  for index in 0..<counts.overlays {
    let row = Values(overlays + index * ContentOverlayRow.length)
    compiler.addOverlay(
      id: texts.next(row.int(ContentOverlayRow.idLength)),
      isHidden: row.flag(ContentOverlayRow.hidden),
      action: action(row, ContentOverlayRow.action)
    )
  }
  let places = overlays + counts.overlays * ContentOverlayRow.length
  var names = Reader(places + counts.places * ContentPlaceRow.length)
  var (namesLeft, unplaced) = (counts.names, [Int]())
  for index in 0..<counts.places {
    let row = Values(places + index * ContentPlaceRow.length)
    let place = readPlace(row, &texts)
    compiler.add(place)
    if !place.latitudeDegrees.isNaN, compiler.world.features[index].latitudeDegrees.isNaN { unplaced.append(index) }
    for _ in 0..<min(Int(max(0, row.int(ContentPlaceRow.names))), namesLeft) {
      namesLeft -= 1
      if let name = texts.next(names.nextInt()) { compiler.addFocusOverlay(name) }
    }
  }
  readShapes(counts, places + counts.places * ContentPlaceRow.length + counts.names, &compiler)
  return unplaced
}

private func readPlace(_ row: Values, _ texts: inout TextReader) -> PlaceContent<Text> {
  typealias Place = ContentPlaceRow
  let id = texts.next(row.int(Place.idLength))
  var place = PlaceContent<Text>(
    id: id,
    title: texts.next(row.int(Place.titleLength)) ?? Text(start: nil, count: 0)
  )
  place.category = texts.next(row.int(Place.categoryLength))
  (place.latitudeDegrees, place.longitudeDegrees) = (row[Place.latitude], row[Place.longitude])
  place.altitude = row[Place.altitude]
  place.altitudeDatum = enumeration(row.int(Place.datum), HeightDatum.init(rawValue:)) ?? .ellipsoid
  place.followsUser = row.flag(Place.followsUser)
  place.offset = vector(row, Place.offset)
  place.visual = enumeration(row.int(Place.visual), VisualKind.init(rawValue:)) ?? .text
  place.label = LabelSize(width: row[Place.label], height: row[Place.label + 1])
  place.compactLabel = LabelSize(width: row[Place.compact], height: row[Place.compact + 1])
  place.pivot = enumeration(row.int(Place.pivot), ContentPivot.init(rawValue:)) ?? .bottomCenter
  place.print = readPrint(row)
  place.model = readModel(row)
  place.size = Vector2(row[Place.size], row[Place.size + 1])
  let attitude = vector(row, Place.attitude)
  if attitude.x.isFinite {
    place.attitude = SceneThing.Attitude(
      heading: Angle(degrees: attitude.x),
      pitch: Angle(degrees: attitude.y),
      roll: Angle(degrees: attitude.z)
    )
  }
  place.showInRadar = row.flag(Place.showInRadar)
  place.visibilityRadius = row[Place.visibilityRadius]
  place.action = action(row, Place.action)
  return place
}

/// What a place stands on.
private func readPrint(_ row: Values) -> PrintContent? {
  let width = row[ContentPlaceRow.printWidth]
  guard let anchor = ObservationRow.anchorID(row, ContentPlaceRow.print), width > 0, width.isFinite else { return nil }
  var print = PrintContent(anchor, width: width)
  let hanging = vector(row, ContentPlaceRow.printHanging)
  if !hanging.x.isNaN {
    print.hanging = PrintContent.Hanging(
      facing: Angle(degrees: hanging.x),
      elevation: Angle(degrees: hanging.y),
      roll: Angle(degrees: hanging.z)
    )
  }
  return print
}

private func readModel(_ row: Values) -> ModelPlacement {
  let turn = vector(row, ContentPlaceRow.modelTurn)
  let scale = row[ContentPlaceRow.modelScale]
  var model = ModelPlacement()
  model.xRotation = Angle(degrees: turn.x)
  model.yRotation = Angle(degrees: turn.y)
  model.zRotation = Angle(degrees: turn.z)
  model.scale = scale.isNaN ? nil : scale
  return model
}

private func readShapes(_ counts: Counts, _ parts: UnsafeMutablePointer<Double>, _ compiler: inout WorldCompiler) {
  var corner = parts + counts.parts * ContentPartRow.length
  var left = counts.corners
  for index in 0..<counts.parts {
    let part = Values(parts + index * ContentPartRow.length)
    compiler.addPart(
      ofPlace: Int(part.int(ContentPartRow.place)),
      shape: Int(part.int(ContentPartRow.shape)),
      isArea: part.flag(ContentPartRow.isArea)
    )
    let count = Int(max(0, part.int(ContentPartRow.corners)))
    guard count <= left else { return }
    left -= count
    for _ in 0..<count {
      let row = Values(corner)
      compiler.addCorner(
        PathVertex(
          latitudeDegrees: row[ContentCornerRow.latitude],
          longitudeDegrees: row[ContentCornerRow.longitude],
          altitude: row[ContentCornerRow.altitude]
        )
      )
      corner += ContentCornerRow.length
    }
  }
}

private func vector(_ row: Values, _ place: Int) -> Vector3 { Vector3(row[place], row[place + 1], row[place + 2]) }

private func enumeration<T>(_ value: Int32, _ make: (UInt8) -> T?) -> T? { UInt8(exactly: value).flatMap { make($0) } }

private func address(_ value: Int32) -> AddressID? { value < 0 ? nil : AddressID(value) }

private func action(_ row: Values, _ place: Int) -> SceneAction {
  SceneAction(kind: row.int(place), value: row.int(place + 1)) ?? .none
}

// MARK: Answering

/// How many places of a world have a category, and which is the first.
struct CategoryCount {
  let number: UInt8
  let first: Int
  var count = 0
}

private func writeAnswer(_ world: WorldDescription, _ unplaced: [Int]) {
  var found: [CategoryCount] = []
  var rows = [Int](repeating: -1, count: Int(UInt8.max) + 1)
  for (index, feature) in world.features.enumerated() {
    let number = Int(feature.category)
    if rows[number] < 0 {
      rows[number] = found.count
      found.append(CategoryCount(number: feature.category, first: index))
    }
    found[rows[number]].count += 1
  }
  if rows[0] >= 0 { found.append(found.remove(at: rows[0])) }
  answer.reserve(2 + CategoryRow.length * found.count + unplaced.count)
  var out = Writer(answer.base)
  out.put(found.count)
  for category in found { category.write(to: &out) }
  out.put(unplaced.count)
  for index in unplaced { out.put(index) }
}
