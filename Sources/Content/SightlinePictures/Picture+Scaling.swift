import SightlineInput

extension Picture {
  /// The picture made smaller so that no side is longer than `side` pixels; itself when it fits.
  ///
  /// Each new pixel is the mean of the area it covers in the old picture, weighted by alpha where there is one, so that
  /// what cannot be seen gives no colour to its neighbours.
  public func scaled(toFit side: Int) -> Picture {
    precondition(side > 0)
    let longest = max(width, height)
    guard longest > side else { return self }
    let newWidth = max(1, (width * side + longest / 2) / longest)
    let newHeight = max(1, (height * side + longest / 2) / longest)
    return scaled(width: newWidth, height: newHeight)
  }

  /// The mean over areas; for sizes not larger than the present one.
  private func scaled(width newWidth: Int, height newHeight: Int) -> Picture {
    let channels = layout.bytesInPixel
    let hasAlpha = layout == .rgba
    let columns = Coverage(from: width, to: newWidth)
    let rows = Coverage(from: height, to: newHeight)
    var result = [UInt8](repeating: 0, count: newWidth * newHeight * channels)
    var line = [Float](repeating: 0, count: newWidth * channels)
    pixels.withUnsafeBufferPointer { source in
      for y in 0..<newHeight {
        for index in line.indices { line[index] = 0 }
        for (row, rowWeight) in rows.parts(y) {
          for x in 0..<newWidth {
            for (column, columnWeight) in columns.parts(x) {
              let weight = rowWeight * columnWeight
              let from = (row * width + column) * channels
              let to = x * channels
              if hasAlpha {
                let alpha = Float(source[from + 3])
                let visible = weight * alpha
                line[to] += visible * Float(source[from])
                line[to + 1] += visible * Float(source[from + 1])
                line[to + 2] += visible * Float(source[from + 2])
                line[to + 3] += visible
              } else {
                for channel in 0..<channels { line[to + channel] += weight * Float(source[from + channel]) }
              }
            }
          }
        }
        for x in 0..<newWidth {
          let to = x * channels
          let out = (y * newWidth + x) * channels
          if hasAlpha {
            let alpha = line[to + 3]
            for channel in 0..<3 { result[out + channel] = level(alpha > 0 ? line[to + channel] / alpha : 0) }
            result[out + 3] = level(alpha)
          } else {
            for channel in 0..<channels { result[out + channel] = level(line[to + channel]) }
          }
        }
      }
    }
    return Picture(width: newWidth, height: newHeight, layout: layout, pixels: result)
  }

  /// The picture turned and mirrored as a camera's note says (Exif tag 274, values 1 … 8; others change nothing).
  public func oriented(byExif orientation: Int) -> Picture {
    guard (2...8).contains(orientation) else { return self }
    let channels = layout.bytesInPixel
    let swaps = orientation >= 5
    let (newWidth, newHeight) = swaps ? (height, width) : (width, height)
    var result = [UInt8](repeating: 0, count: pixels.count)
    for y in 0..<newHeight {
      for x in 0..<newWidth {
        // Where the pixel that is shown at (x, y) is stored.
        let (column, row) =
          switch orientation {
          case 2: (width - 1 - x, y)
          case 3: (width - 1 - x, height - 1 - y)
          case 4: (x, height - 1 - y)
          case 5: (y, x)
          case 6: (y, height - 1 - x)
          case 7: (width - 1 - y, height - 1 - x)
          default: (width - 1 - y, x)
          }
        let from = (row * width + column) * channels
        let to = (y * newWidth + x) * channels
        for channel in 0..<channels { result[to + channel] = pixels[from + channel] }
      }
    }
    return Picture(width: newWidth, height: newHeight, layout: layout, pixels: result)
  }
}

extension Picture {
  /// The picture as it is printed on white paper: without alpha, what cannot be seen white.
  ///
  /// Itself where there is no alpha.
  public func onWhite() -> Picture {
    guard layout == .rgba else { return self }
    var result = [UInt8](repeating: 255, count: width * height * 3)
    pixels.withUnsafeBufferPointer { source in
      for index in 0..<width * height {
        let alpha = Int(source[4 * index + 3])
        for channel in 0..<3 {
          let value = Int(source[4 * index + channel]) * alpha + 255 * (255 - alpha)
          result[3 * index + channel] = UInt8(clamping: (value + 127) / 255)
        }
      }
    }
    return Picture(width: width, height: height, layout: .rgb, pixels: result)
  }
}

private func level(_ value: Float) -> UInt8 { UInt8(clamped: value + 0.5) }

/// Which old pixels each new one covers along a side, and how much of its length each makes up.
private struct Coverage {
  private var starts: [Int] = [0]
  private var all: [(Int, Float)] = []

  init(from old: Int, to new: Int) {
    let step = Double(old) / Double(new)
    for index in 0..<new {
      let (low, high) = (Double(index) * step, min(Double(old), Double(index + 1) * step))
      let first = Int(clamped: low)
      for pixel in first..<min(old, max(first + 1, Int(clamped: high.rounded(.up)))) {
        let part = min(high, Double(pixel + 1)) - max(low, Double(pixel))
        if part > 0 { all.append((pixel, Float(part / step))) }
      }
      starts.append(all.count)
    }
  }

  func parts(_ index: Int) -> ArraySlice<(Int, Float)> { all[starts[index]..<starts[index + 1]] }
}
