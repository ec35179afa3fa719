import SightlineCamera
import SightlineImaging
import SightlineInput
import SightlineMath
import SightlineWasmMemory
import SightlineWasmPictures

// Walls: the sheet that gives the scale, and the wall seen from the front; `WebClient/engine/wall.js` mirrors the layout.
// Pictures are put into the room of `sl_picture`.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var gray = GrayImage(width: 1, height: 1)
nonisolated(unsafe) private var front = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
nonisolated(unsafe) private var results = Buffer()

/// Longest side of the wall's picture, pixels.
private let longestFront = 720.0

/// Looks for a sheet in the picture in the room, whose layout is given as for `sl_vision_frame`.
///
/// - Parameters:
///   - format: 0 grey or a plane of luminance, 1 red, green, blue and a byte, 2 blue, green, red and a byte.
///   - width: pixels.
///   - height: pixels.
///   - offset: bytes before the first pixel.
///   - stride: bytes from row to row.
///   - isLimited: whether luminance runs from 16 to 235.
/// - Returns: 1 when there is one, and the values are its four corners, clockwise from the top left; 0 when there is none;
///   −1 when the room does not hold such a picture.
@_expose(wasm) @c public func sl_wall_sheet(
  _ format: Int32,
  _ width: Int32,
  _ height: Int32,
  _ offset: Int32,
  _ stride: Int32,
  _ isLimited: Int32
) -> Int32 {
  guard gray.setPicture(format, width, height, offset, stride, isLimited) else { return -1 }
  guard let sheet = gray.withView({ SheetFinder.find(in: $0) }) else { return 0 }
  var out = Writer(results.base)
  for k in 0..<4 {
    out.put(sheet.corners[k].x)
    out.put(sheet.corners[k].y)
  }
  return 1
}

/// The wall round a rectangle, seen from the front, of the picture in the room.
///
/// Values 0 … 7 are the rectangle's corners in the picture, put there before the call.
///
/// - Parameters:
///   - format: as for ``sl_wall_sheet(_:_:_:_:_:_:)``.
///   - width: pixels.
///   - height: pixels.
///   - offset: bytes before the first pixel.
///   - stride: bytes from row to row.
///   - isLimited: whether luminance runs from 16 to 235.
///   - wide: the rectangle's width, in any unit.
///   - tall: its height; 0 when it is not known.
///   - focal: focal length, pixels.
///   - margin: how far the part of the wall may go beyond the rectangle, in lengths of its longer edge.
/// - Returns: 1 when it could be made: the values are its width and height in pixels, its left, upper, right and lower edge
///   in the wall's frame (origin in the rectangle's middle, y to its top), and the rectangle's height; 0 when the corners are no
///   rectangle's or lie out of the picture; −1 when the room does not hold such a picture.
@_expose(wasm) @c public func sl_wall_front(
  _ format: Int32,
  _ width: Int32,
  _ height: Int32,
  _ offset: Int32,
  _ stride: Int32,
  _ isLimited: Int32,
  _ wide: Double,
  _ tall: Double,
  _ focal: Double,
  _ margin: Double
) -> Int32 {
  guard gray.setPicture(format, width, height, offset, stride, isLimited) else { return -1 }
  guard focal > 0, focal.isFinite, margin >= 0, margin <= 10 else { return 0 }
  var corners = Quadrilateral(repeating: .zero)
  var input = Reader(results.base)
  for k in 0..<4 {
    let x = input.next()
    corners[k] = Vector2(x, input.next())
  }
  let camera = Intrinsics(
    width: Double(width),
    height: Double(height),
    focalX: focal,
    focalY: focal,
    centerX: Double(width - 1) / 2,
    centerY: Double(height - 1) / 2
  )
  guard let wall = WallPlane(corners: corners, width: wide, height: tall > 0 ? tall : nil, intrinsics: camera) else {
    return 0
  }
  let region = wall.surroundings(pictureWidth: Int(width), pictureHeight: Int(height), margin: margin)
  let (spanX, spanY) = (region.maxX - region.minX, region.maxY - region.minY)
  let density = min(wall.resolution, longestFront / max(spanX, spanY))
  guard let w = Int(checked: (spanX * density).rounded()), let h = Int(checked: (spanY * density).rounded()) else {
    return 0
  }
  guard w >= 16, h >= 16, w <= 4096, h <= 4096 else { return 0 }
  guard draw(wall, region, w, h) else { return 0 }
  var out = Writer(results.base)
  out.put(w)
  out.put(h)
  out.put(region.minX)
  out.put(region.maxY)
  out.put(region.maxX)
  out.put(region.minY)
  out.put(wall.height)
  return 1
}

private func draw(_ wall: WallPlane, _ region: WallPlane.Region, _ w: Int, _ h: Int) -> Bool {
  if front.count < w * h {
    front.deallocate()
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: w * h)
    guard UInt(bitPattern: base) != 0 else {
      front = UnsafeMutableBufferPointer(start: nil, count: 0)
      return false
    }
    front = UnsafeMutableBufferPointer(start: base, count: w * h)
  }
  let (stepX, stepY) = ((region.maxX - region.minX) / Double(w), (region.maxY - region.minY) / Double(h))
  return gray.withView { view in
    for y in 0..<h {
      for x in 0..<w {
        let point = Vector2(region.minX + (Double(x) + 0.5) * stepX, region.maxY - (Double(y) + 0.5) * stepY)
        guard let p = wall.pictureFromWall(point) else { return false }
        // Half a pixel over the edge is still the picture's.
        let (px, py) = (min(max(p.x, 0), Double(view.width - 1)), min(max(p.y, 0), Double(view.height - 1)))
        guard abs(px - p.x) <= 2, abs(py - p.y) <= 2, let level = view.level(x: px, y: py) else { return false }
        front[y * w + x] = UInt8(max(0, min(255, level.rounded())))
      }
    }
    return true
  }
}

/// The wall's picture that was made last: grey, row by row.
@_expose(wasm) @c public func sl_wall_picture() -> UnsafeMutablePointer<UInt8>? { front.baseAddress }

/// The values of the last call, and where corners are put before the next.
@_expose(wasm) @c public func sl_wall_values() -> UnsafeMutablePointer<Double> { results.base }
