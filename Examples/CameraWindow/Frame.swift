/// A picture of the camera.
struct Frame {
  /// Pixels.
  let width: Int
  /// Pixels.
  let height: Int
  /// When it was taken, seconds.
  let time: Double
  /// Grey levels, `width × height`: what the engine looks at.
  var luma: [UInt8]
  /// Blue, green, red and a byte that means nothing, `4 × width × height`: what Cairo, X and ffmpeg call RGB24, ZPixmap and bgr0 on
  /// machines that have the low byte first.
  var pixels: [UInt8]
}

/// Where frames come from.
protocol FrameSource {
  /// Pixels of every frame.
  var width: Int { get }
  /// Pixels of every frame.
  var height: Int { get }
  /// Frames a second, when the source has a rate of its own.
  var rate: Double { get }
  /// Whether frames come when they are taken, not as fast as they are asked for.
  var isLive: Bool { get }
  /// The next one; `nil` after the last.
  mutating func next() throws -> Frame?
}

/// What is wrong, and what to do.
struct Problem: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

extension Frame {
  /// A frame of luma and two planes of colour, full range (BT.601); the planes are `2 ^ shift` times smaller.
  ///
  /// `color` gives the two colour values of a pixel.
  static func converted(
    width: Int,
    height: Int,
    time: Double,
    luma: [UInt8],
    color: (_ x: Int, _ y: Int) -> (blue: UInt8, red: UInt8)
  ) -> Frame {
    let pixels = [UInt8](unsafeUninitializedCapacity: 4 * width * height) { out, count in
      for y in 0..<height {
        for x in 0..<width {
          let k = y * width + x
          let chroma = color(x, y)
          let (level, blue, red) = (Int(luma[k]), Int(chroma.blue) - 128, Int(chroma.red) - 128)
          out[4 * k] = UInt8(clamping: level + (454 * blue) >> 8)
          out[4 * k + 1] = UInt8(clamping: level - (88 * blue + 183 * red) >> 8)
          out[4 * k + 2] = UInt8(clamping: level + (359 * red) >> 8)
          out[4 * k + 3] = 255
        }
      }
      count = 4 * width * height
    }
    return Frame(width: width, height: height, time: time, luma: luma, pixels: pixels)
  }
}
