import SightlineImaging
import SightlineTestSupport
import Testing

/// What is done for sixteen pixels at once against a plain loop, at widths that are no multiple of sixteen.
struct SixteenAtOnceTests {
  private static let widths = [1, 2, 15, 16, 17, 18, 19, 31, 32, 33, 47, 48, 101]

  @Test(arguments: PixelFormat.allCases, [LuminanceRange.full, .limited])
  func `luminance is that of each pixel by itself, and nothing is read beyond the last`(
    format: PixelFormat,
    range: LuminanceRange
  ) throws {
    var random = SplitMix64(seed: 21)
    let step = format.bytesInPixel
    for width in Self.widths {
      for gap in [0, 7] {
        let (height, stride) = (3, width * step + gap)
        var bytes = [UInt8](repeating: 0, count: (height - 1) * stride + width * step)
        for index in bytes.indices {
          // Also many of the darkest and the lightest.
          bytes[index] = UInt8(max(0, min(255, Int.random(in: -60...315, using: &random))))
        }
        var image = GrayImage(width: 1, height: 1)
        try bytes.withUnsafeBufferPointer {
          try image.setLuminance(of: $0, format: format, width: width, height: height, stride: stride, range: range)
        }
        for y in 0..<height {
          for x in 0..<width {
            let pixel = bytes[(y * stride + x * step)...].prefix(step).map(Int.init)
            #expect(Int(image[x, y]) == luminance(pixel, format, range), "\(width): \(x), \(y)")
          }
        }
      }
    }
  }

  private func luminance(_ pixel: [Int], _ format: PixelFormat, _ range: LuminanceRange) -> Int {
    func weighed(_ red: Int, _ green: Int, _ blue: Int) -> Int {
      (19595 * red + 38470 * green + 7471 * blue + 32768) / 65536
    }
    switch format {
    case .gray, .nv12, .i420:
      guard range == .limited else { return pixel[0] }
      // A division rounds to zero where a shift rounds down; both are cut off there.
      return max(0, min(255, ((pixel[0] - 16) * 76309 + 32768) / 65536))
    case .rgb, .rgba: return weighed(pixel[0], pixel[1], pixel[2])
    case .bgra: return weighed(pixel[2], pixel[1], pixel[0])
    }
  }

  @Test func `smoothing is the weighted mean of nine pixels, also in a part of a picture`() {
    for width in Self.widths {
      let whole = noise(width + 5, 9, seed: UInt64(width))
      var smooth = GrayImage(width: 1, height: 1)
      whole.withView { smooth.setSmoothed($0.cropped(x: 3, y: 2, width: width, height: 6)) }
      for y in 0..<6 {
        for x in 0..<width {
          var sum = 8
          for dy in -1...1 {
            for dx in -1...1 {
              let level = whole[3 + min(max(x + dx, 0), width - 1), 2 + min(max(y + dy, 0), 5)]
              sum += Int(level) * (2 - abs(dx)) * (2 - abs(dy))
            }
          }
          #expect(Int(smooth[x, y]) == sum / 16, "\(width): \(x), \(y)")
        }
      }
    }
  }

  @Test func `a copy of a part has its pixels, whatever size it had`() {
    let whole = noise(60, 20, seed: 5)
    var copy = GrayImage(width: 3, height: 40)
    for (width, height) in [(17, 9), (17, 9), (1, 1), (60, 20)] {
      let (x, y) = ((60 - width) / 2, (20 - height) / 2)
      whole.withView { copy.set($0.cropped(x: x, y: y, width: width, height: height)) }
      #expect(copy.width == width && copy.height == height)
      for v in 0..<height { for u in 0..<width { #expect(copy[u, v] == whole[x + u, y + v]) } }
    }
  }
}
