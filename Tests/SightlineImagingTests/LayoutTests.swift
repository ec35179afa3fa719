import SightlineImaging
import Testing

/// Bytes from outside: what is read is right, what does not fit is refused.
struct LayoutTests {
  @Test func `a stride longer than a row skips what is between the rows`() throws {
    let bytes: [UInt8] = [1, 2, 3, 99, 99, 4, 5, 6]
    try bytes.withUnsafeBufferPointer { buffer in
      let view = try GrayView(buffer, width: 3, height: 2, stride: 5)
      #expect([view[0, 0], view[2, 0], view[0, 1], view[2, 1]] == [1, 3, 4, 6])
      #expect(GrayImage(copying: view).pixels == [1, 2, 3, 4, 5, 6])
      let part = view.cropped(x: 1, y: 0, width: 2, height: 2)
      #expect(GrayImage(copying: part).pixels == [2, 3, 5, 6])
    }
  }

  @Test(arguments: [
    (0, 1, 1, ImageError.size(width: 0, height: 1)),
    (1, -1, 1, .size(width: 1, height: -1)),
    (40000, 1, 40000, .size(width: 40000, height: 1)),
    (4, 2, 3, .stride(needed: 4, given: 3)),
    (4, 2, -4, .stride(needed: 4, given: -4)),
    (4, 2, 5, .tooFewBytes(needed: 9, given: 8)),
    (1, 32767, .max, .tooFewBytes(needed: .max, given: 8)),
  ])
  func `a layout that does not fit its bytes is refused`(width: Int, height: Int, stride: Int, error: ImageError) {
    let bytes = [UInt8](repeating: 7, count: 8)
    bytes.withUnsafeBufferPointer { buffer in
      #expect(throws: error) { try GrayView(buffer, width: width, height: height, stride: stride) }
      var image = GrayImage(width: 2, height: 2, level: 9)
      #expect(throws: error) {
        try image.setLuminance(of: buffer, format: .gray, width: width, height: height, stride: stride)
      }
      #expect(image == GrayImage(width: 2, height: 2, level: 9))
    }
  }

  @Test func `an empty buffer is refused`() {
    let empty = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    #expect(throws: ImageError.tooFewBytes(needed: 1, given: 0)) {
      try GrayView(empty, width: 1, height: 1, stride: 1)
    }
  }

  @Test(arguments: PixelFormat.allCases)
  func `luminance is the rounded weighted sum`(format: PixelFormat) throws {
    let stride = 9 * format.bytesInPixel + 5
    let bytes = noise(stride, 4, seed: 11).pixels
    var image = GrayImage(width: 1, height: 1)
    try bytes.withUnsafeBufferPointer { buffer in
      try image.setLuminance(of: buffer, format: format, width: 9, height: 4, stride: stride)
    }
    for y in 0..<4 {
      for x in 0..<9 {
        let p = bytes[(y * stride + x * format.bytesInPixel)...].prefix(format.bytesInPixel).map(Double.init)
        let expected: Double
        switch format {
        case .gray, .nv12, .i420: expected = p[0]
        case .rgb, .rgba: expected = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]
        case .bgra: expected = 0.299 * p[2] + 0.587 * p[1] + 0.114 * p[0]
        }
        #expect(abs(Double(image[x, y]) - expected) <= 0.501)
      }
    }
  }

  @Test func `limited range is stretched and cut off`() throws {
    let bytes = (0...255).map { UInt8($0) }
    var image = GrayImage(width: 1, height: 1)
    try bytes.withUnsafeBufferPointer { buffer in
      try image.setLuminance(of: buffer, format: .nv12, width: 256, height: 1, stride: 256, range: .limited)
    }
    for level in 0...255 {
      let expected = min(255, max(0, (Double(level - 16) * 255 / 219).rounded()))
      #expect(Double(image[level, 0]) == expected)
    }
  }

  @Test func `white, grey and black keep their level in colour`() throws {
    for level: UInt8 in [0, 1, 127, 254, 255] {
      var image = GrayImage(width: 1, height: 1)
      try [level, level, level].withUnsafeBufferPointer { buffer in
        try image.setLuminance(of: buffer, format: .rgb, width: 1, height: 1, stride: 3)
      }
      #expect(image[0, 0] == level)
    }
  }
}
