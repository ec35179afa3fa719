import SightlineInput

/// A marker's pattern as ARToolKit and AR.js keep it in `.patt` files, and the print that belongs to it.
///
/// The file is text: the pattern four times, each a quarter turn on, and each as three planes (blue, green, red) of rows of whole
/// numbers 0 … 255. The first is upright. The black border is not in the file, nor is its width.
public struct MarkerPattern: Equatable, Sendable {
  /// Sides that patterns have; AR.js makes none but the first.
  public static let sides = [16, 32, 64]
  /// Most bytes of a file: ten for each number of the largest.
  public static let largestFile = 491_520
  /// The border's share that is usual: the pattern is half as wide as the marker.
  public static let usualRatio = 0.5

  /// Numbers in a row.
  public let side: Int
  /// The upright pattern, rows from the top, three bytes a pixel: red, green, blue.
  public let pixels: [UInt8]

  /// Reads the text of a file.
  ///
  /// - Throws: ``PictureError`` with line and advice for everything but as many numbers 0 … 255 as a pattern has.
  public init(parsing bytes: [UInt8]) throws(PictureError) {
    guard bytes.count <= Self.largestFile else {
      throw Self.problem(.tooLarge, "more than \(Self.largestFile) bytes")
    }
    var numbers: [UInt8] = []
    var line = 1
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      guard !Self.isSpace(byte) else {
        if byte == 10 { line += 1 }
        offset += 1
        continue
      }
      let start = offset
      while offset < bytes.count, !Self.isSpace(bytes[offset]) { offset += 1 }
      numbers.append(try Self.number(bytes[start..<offset], line: line))
    }
    guard let side = Self.sides.first(where: { 12 * $0 * $0 == numbers.count }) else {
      let most = 12 * Self.sides[0] * Self.sides[0]
      let what = "\(numbers.count) numbers up to line \(line), where a pattern of 16 × 16 has \(most)"
      throw Self.problem(numbers.count < most ? .truncated : .damaged, what)
    }
    let plane = side * side
    self.side = side
    pixels = (0..<3 * plane).map { numbers[(2 - $0 % 3) * plane + $0 / 3] }
  }

  /// Reads a file.
  ///
  /// - Throws: ``PictureError``; it does not name the file.
  public init(contentsOfFile path: String) throws(PictureError) {
    var limits = PictureLimits()
    limits.fileBytes = Self.largestFile
    try self.init(parsing: pictureBytes(ofFile: path, limits: limits))
  }

  /// Whether a file is meant as a pattern: by its name, `NAME.patt` or `patt.NAME` as ARToolKit has them.
  public static func isNamed(_ path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init)?.lowercased() ?? ""
    return name.hasSuffix(".patt") || name.hasPrefix("patt.")
  }

  /// The print: the pattern in the middle of a black square, without the white margin around that.
  ///
  /// Between the pattern's numbers, which are means of what was printed, is interpolated, and the contrast is doubled about the middle of
  /// their range: edges are then about as steep as in the print, and features are found at the same sizes. Without that large views
  /// of a print are not recognised (Documentation/formats/patt.md).
  ///
  /// - Parameters:
  ///   - ratio: width of the pattern in widths of the print, 0.1 … 0.95.
  ///   - width: of the picture, pixels.
  /// - Returns: a picture in colours.
  /// - Precondition: both are in range, `width` is 64 … 4096.
  public func picture(ratio: Double = usualRatio, width: Int = 512) -> Picture {
    precondition((0.1...0.95).contains(ratio) && (64...4096).contains(width))
    let middle = (Double(pixels.min() ?? 0) + Double(pixels.max() ?? 255)) / 2
    let start = Double(width) * (1 - ratio) / 2
    let cell = Double(width) * ratio / Double(side)
    var result = [UInt8](repeating: 0, count: 3 * width * width)
    for y in 0..<width {
      let row = (Double(y) + 0.5 - start) / cell
      guard row >= 0, row < Double(side) else { continue }
      for x in 0..<width {
        let column = (Double(x) + 0.5 - start) / cell
        guard column >= 0, column < Double(side) else { continue }
        for channel in 0..<3 {
          let level = 2 * (level(column, row, channel) - middle) + middle
          result[3 * (y * width + x) + channel] = UInt8(clamped: level.rounded())
        }
      }
    }
    return Picture(width: width, height: width, layout: .rgb, pixels: result)
  }

  /// Between the four numbers around a point of the pattern; beyond the outer ones their own value.
  private func level(_ column: Double, _ row: Double, _ channel: Int) -> Double {
    let (x, y) = (max(0, column - 0.5), max(0, row - 0.5))
    let (left, top) = (min(Int(clamped: x), side - 1), min(Int(clamped: y), side - 1))
    let (right, bottom) = (min(left + 1, side - 1), min(top + 1, side - 1))
    let (u, v) = (x - Double(left), y - Double(top))
    func at(_ x: Int, _ y: Int) -> Double { Double(pixels[3 * (y * side + x) + channel]) }
    let upper = at(left, top) * (1 - u) + at(right, top) * u
    let lower = at(left, bottom) * (1 - u) + at(right, bottom) * u
    return upper * (1 - v) + lower * v
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func number(_ word: ArraySlice<UInt8>, line: Int) throws(PictureError) -> UInt8 {
    var value = 0
    for byte in word {
      guard let digit = Digit.decimal(byte), let longer = value.appendingDigit(digit), longer <= 255 else {
        let printable = word.prefix(20).map { (33...126).contains($0) ? $0 : UInt8(ascii: "?") }
        let shown = String(decoding: printable, as: UTF8.self) + (word.count > 20 ? "…" : "")
        throw problem(.damaged, "line \(line) has “\(shown)” where a whole number from 0 to 255 has to be")
      }
      value = longer
    }
    return UInt8(clamping: value)
  }

  private static func problem(_ kind: PictureError.Kind, _ what: String) -> PictureError {
    PictureError(
      kind,
      nil,
      "this is no marker pattern: \(what)",
      "Save it again with the program that made it, or give the picture that the marker was printed from."
    )
  }
}
