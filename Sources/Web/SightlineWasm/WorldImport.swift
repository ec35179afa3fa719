import SightlineEngine
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// A world as numbers: `sl_world_begin` answers where the page writes it, `sl_world_loaded` reads it. Head, features,
// overlays and focus list follow one another; the order here is the layout, and `WebClient/engine/layout.js` mirrors it.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var input = Buffer()
/// Whether room was made for a world that has not been read yet.
nonisolated(unsafe) private var isBegun = false
nonisolated(unsafe) private var featureCount = 0
nonisolated(unsafe) private var overlayCount = 0
nonisolated(unsafe) private var focusCount = 0

private let headCount = 5
private let featureStride = 23
private let overlayStride = 4

/// Where the page writes the paths of the world it is about to hand over.
nonisolated(unsafe) private var pathInput = Buffer()
nonisolated(unsafe) private var pathCount = 0
nonisolated(unsafe) private var vertexCount = 0
/// Numbers of a path: feature, shape, whether a ring, corners.
private let pathStride = 4
/// Numbers of a corner: latitude, longitude, altitude.
private let vertexStride = 3

/// Most features of a world, and most overlays and entries of focus lists.
///
/// With so many, an old and a new world fit into the instance's 256 MB side by side.
private let most: Int32 = 250_000

/// Makes room for a world; answers where it is written, or null when the counts make no sense or are more than fits.
@_expose(wasm) @c public func sl_world_begin(
  _ features: Int32,
  _ overlays: Int32,
  _ focus: Int32
) -> UnsafeMutablePointer<Double>? {
  isBegun = false
  (pathCount, vertexCount) = (0, 0)
  guard 0...most ~= features, 0...most ~= overlays, 0...most ~= focus else { return nil }
  let count = headCount + Int(features) * featureStride + Int(overlays) * overlayStride + Int(focus)
  guard input.reserveExactly(count) else { return nil }
  (featureCount, overlayCount, focusCount) = (Int(features), Int(overlays), Int(focus))
  isBegun = true
  return input.base
}

/// Makes room for the paths of the next world, between `sl_world_begin` and `sl_world_loaded`; answers where they are
/// written (paths, then corners), or null when the counts make no sense or are more than fits.
@_expose(wasm) @c public func sl_world_paths(_ paths: Int32, _ vertices: Int32) -> UnsafeMutablePointer<Double>? {
  guard isBegun, 0...most ~= paths, 0...(4 * most) ~= vertices else { return nil }
  let count = Int(paths) * pathStride + Int(vertices) * vertexStride
  guard pathInput.reserveExactly(count) else { return nil }
  (pathCount, vertexCount) = (Int(paths), Int(vertices))
  return pathInput.base
}

/// The answer to a request is what was written; the place it was written to is given back.
///
/// Nothing happens without a world begun before.
@_expose(wasm) @c public func sl_world_loaded(_ time: Double, _ request: Int32) {
  guard isBegun else { return }
  isBegun = false
  let world = readWorld()
  input.release()
  session.handle(.loaded(RequestID(request), world), at: time)
}

private func readWorld() -> WorldDescription {
  var source = Reader(input.base)
  var world = WorldDescription()
  world.radarRange = source.next()
  world.radarAvailable = source.next() != 0
  world.refresh = RefreshRule(intervalSeconds: source.next(), distance: source.next())
  world.refreshAddress = address(source.nextInt())
  world.features.reserveCapacity(featureCount)
  for _ in 0..<featureCount { world.features.append(readFeature(&source)) }
  for _ in 0..<overlayCount {
    var overlay = SceneOverlay()
    overlay.key = key(source.next())
    overlay.hidden = source.next() != 0
    overlay.action = action(source.nextInt(), source.nextInt())
    world.overlays.append(overlay)
  }
  for _ in 0..<focusCount { world.focusOverlays.append(source.nextInt()) }
  readPaths(into: &world)
  return world
}

private func readPaths(into world: inout WorldDescription) {
  var source = Reader(pathInput.base)
  var first = 0
  for _ in 0..<pathCount {
    let (feature, shape, isRing) = (source.nextInt(), source.nextInt(), source.next() != 0)
    let count = Int(max(0, source.nextInt()))
    guard count <= vertexCount - first else { break }
    world.paths.append(ScenePath(feature: feature, shape: shape, isRing: isRing, vertices: first..<(first + count)))
    first += count
  }
  source.position = pathCount * pathStride
  for _ in 0..<vertexCount {
    world.pathVertices.append(
      PathVertex(latitudeDegrees: source.next(), longitudeDegrees: source.next(), altitude: source.next())
    )
  }
  (pathCount, vertexCount) = (0, 0)
  pathInput.release()
}

private func readFeature(_ source: inout Reader) -> SceneFeature {
  let featureKey = key(source.next())
  let latitude = source.next()
  var feature = SceneFeature(latitudeDegrees: latitude, longitudeDegrees: source.next())
  feature.key = featureKey
  feature.altitude = source.next()
  feature.altitudeMode = source.next() == 1 ? .eye : .absolute
  feature.offset = Vector3(source.next(), source.next(), source.next())
  feature.kind = enumeration(source.nextInt(), VisualKind.init(rawValue:)) ?? .text
  feature.sizeMode = enumeration(source.nextInt(), SizeMode.init(rawValue:)) ?? .constant
  feature.width = source.next()
  feature.height = source.next()
  feature.pivot = Vector2(source.next(), source.next())
  feature.category = UInt8(clamping: max(source.nextInt(), 0))
  feature.showInRadar = source.next() != 0
  feature.visibilityRadius = source.next()
  feature.action = action(source.nextInt(), source.nextInt())
  let start = Int(source.nextInt())
  let count = Int(source.nextInt())
  if start >= 0, count >= 0, start <= focusCount, count <= focusCount - start {
    feature.focusOverlays = start..<(start + count)
  }
  feature.compactWidth = source.next()
  feature.compactHeight = source.next()
  return feature
}

private func enumeration<T>(_ value: Int32, _ make: (UInt8) -> T?) -> T? { UInt8(exactly: value).flatMap { make($0) } }

private func address(_ value: Int32) -> AddressID? { value < 0 ? nil : AddressID(value) }

private func key(_ value: Double) -> UInt64 { UInt64(exactly: value) ?? 0 }

/// 0 none, 1 refresh, 2 web page, 3 dimension.
private func action(_ kind: Int32, _ target: Int32) -> SceneAction {
  switch kind {
  case 1: .refresh
  case 2: address(target).map { .webPage($0) } ?? .none
  case 3: address(target).map { .dimension($0) } ?? .none
  default: .none
  }
}
