import SightlineEngine
import SightlineMath
import SightlineScene
import SightlineWasmMemory
import SightlineWorlds

// A world's content as numbers and texts: `sl_world_begin` answers where the page writes the numbers, `sl_world_texts` where
// it writes the texts, `sl_world_compile` makes a world of them, and `sl_world_loaded` hands that to the session. The page
// writes what the document says; all decisions are `WorldCompiler`'s. The order here is the layout, and
// `WebClient/engine/world.js` mirrors it: head, overlays, places, names of overlays that places show, parts of shapes, corners.

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

private let headCount = 5
private let overlayStride = 4
private let placeStride = 22
private let partStride = 4
private let cornerStride = 3

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
    headCount + counts.overlays * overlayStride + counts.places * placeStride + counts.names
    + counts.parts * partStride + counts.corners * cornerStride
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
/// - Returns: what the page has to know of it: the number of categories, then for each, as they appear in the world, its
///   number, its first place and how many places it has, "other" (0) last; then the number of places that have a position in
///   the document and none in the world, and their indices. Null without a world begun before.
@_expose(wasm) @c public func sl_world_compile(_ request: Int32) -> UnsafeMutablePointer<Double>? {
  guard let counts = begun else { return nil }
  begun = nil
  // Beside other worlds everybody's categories keep their numbers.
  if !session.isBesideOthers(RequestID(request)) { categories = CategoryNumbers() }
  var compiler = WorldCompiler(categories: categories)
  let unplaced = compile(counts, &compiler)
  releaseInput()
  categories = compiler.categories
  compiledWorld = compiler.world
  writeAnswer(compiler.world, unplaced)
  return answer.base
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
  var source = Reader(input.base)
  var texts = TextReader(
    units: Text(
      start: UnsafeMutableRawPointer(textInput.base).bindMemory(to: UInt16.self, capacity: counts.units),
      count: counts.units
    )
  )
  compiler.setRadar(range: source.next(), isAvailable: source.next() != 0)
  compiler.setRefresh(
    RefreshRule(intervalSeconds: source.next(), distance: source.next()),
    address: address(source.nextInt())
  )
  compiler.reserve(places: counts.places)
  for _ in 0..<counts.overlays {
    let id = texts.next(source.nextInt())
    compiler.addOverlay(id: id, isHidden: source.next() != 0, action: action(source.nextInt(), source.nextInt()))
  }
  var names = Reader(input.base)
  names.position = source.position + counts.places * placeStride
  var (namesLeft, unplaced) = (counts.names, [Int]())
  for index in 0..<counts.places {
    let (place, shown) = readPlace(&source, &texts)
    compiler.add(place)
    if !place.latitudeDegrees.isNaN, compiler.world.features[index].latitudeDegrees.isNaN { unplaced.append(index) }
    for _ in 0..<min(Int(max(0, shown)), namesLeft) {
      namesLeft -= 1
      if let name = texts.next(names.nextInt()) { compiler.addFocusOverlay(name) }
    }
  }
  source.position = source.position + counts.names
  readShapes(counts, source, &compiler)
  return unplaced
}

/// A place, and how many overlays it names.
private func readPlace(_ source: inout Reader, _ texts: inout TextReader) -> (PlaceContent<Text>, names: Int32) {
  let id = texts.next(source.nextInt())
  var place = PlaceContent<Text>(id: id, title: texts.next(source.nextInt()) ?? Text(start: nil, count: 0))
  place.category = texts.next(source.nextInt())
  (place.latitudeDegrees, place.longitudeDegrees) = (source.next(), source.next())
  place.altitude = source.next()
  place.surface = enumeration(source.nextInt(), ContentSurface.init(rawValue:)) ?? .ellipsoid
  place.offset = Vector3(source.next(), source.next(), source.next())
  place.visual = enumeration(source.nextInt(), VisualKind.init(rawValue:)) ?? .text
  place.label = LabelSize(width: source.next(), height: source.next())
  place.compactLabel = LabelSize(width: source.next(), height: source.next())
  place.pivot = enumeration(source.nextInt(), ContentPivot.init(rawValue:)) ?? .bottomCenter
  place.support = enumeration(source.nextInt(), ContentSupport.init(rawValue:)) ?? .position
  place.showInRadar = source.next() != 0
  place.visibilityRadius = source.next()
  place.action = action(source.nextInt(), source.nextInt())
  return (place, source.nextInt())
}

private func readShapes(_ counts: Counts, _ start: Reader, _ compiler: inout WorldCompiler) {
  var source = start
  var corners = start
  corners.position += counts.parts * partStride
  var left = counts.corners
  for _ in 0..<counts.parts {
    compiler.addPart(
      ofPlace: Int(source.nextInt()),
      shape: Int(source.nextInt()),
      isArea: source.next() != 0
    )
    let count = Int(max(0, source.nextInt()))
    guard count <= left else { return }
    left -= count
    for _ in 0..<count {
      let latitude = corners.next()
      compiler.addCorner(
        PathVertex(latitudeDegrees: latitude, longitudeDegrees: corners.next(), altitude: corners.next())
      )
    }
  }
}

private func enumeration<T>(_ value: Int32, _ make: (UInt8) -> T?) -> T? { UInt8(exactly: value).flatMap { make($0) } }

private func address(_ value: Int32) -> AddressID? { value < 0 ? nil : AddressID(value) }

/// 0 none, 1 refresh, 2 web page, 3 dimension.
private func action(_ kind: Int32, _ target: Int32) -> SceneAction {
  switch kind {
  case 1: .refresh
  case 2: address(target).map { .webPage($0) } ?? .none
  case 3: address(target).map { .dimension($0) } ?? .none
  default: .none
  }
}

// MARK: Answering

private func writeAnswer(_ world: WorldDescription, _ unplaced: [Int]) {
  var found: [(number: UInt8, first: Int, count: Int)] = []
  var rows = [Int](repeating: -1, count: Int(UInt8.max) + 1)
  for (index, feature) in world.features.enumerated() {
    let number = Int(feature.category)
    if rows[number] < 0 {
      rows[number] = found.count
      found.append((feature.category, index, 0))
    }
    found[rows[number]].count += 1
  }
  if rows[0] >= 0 { found.append(found.remove(at: rows[0])) }
  answer.reserve(2 + 3 * found.count + unplaced.count)
  var out = Writer(answer.base)
  out.put(found.count)
  for (number, first, count) in found {
    out.put(Int(number))
    out.put(first)
    out.put(count)
  }
  out.put(unplaced.count)
  for index in unplaced { out.put(index) }
}
