import Glibc

/// The frames of a video file, through ffmpeg.
///
/// It writes them in the form of YUV4MPEG2, whose first line has the size and the rate.
struct VideoFile: FrameSource {
  let width: Int
  let height: Int
  let rate: Double
  let isLive = false
  private let program: ChildProcess
  private var number = 0

  init(_ path: String) throws {
    guard access(path, R_OK) == 0 else { throw Problem("\(path): cannot be read; is it there?") }
    program = try ChildProcess(
      [
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-i", "file:" + path, "-an", "-strict", "-1",
        "-fps_mode", "cfr", "-vf", "scale=out_range=pc", "-pix_fmt", "yuvj420p", "-f", "yuv4mpegpipe", "pipe:1",
      ],
      piping: .itsOutput
    )
    let words = Self.line(program.stream)?.split(separator: " ") ?? []
    func number(_ letter: Character) -> [Double] {
      words.first { $0.first == letter }?.dropFirst().split(separator: ":").compactMap { Double($0) } ?? []
    }
    guard words.first == "YUV4MPEG2", let width = number("W").first, let height = number("H").first,
      (16...8192).contains(width), (16...8192).contains(height), number("F").count == 2,
      number("F").allSatisfy({ $0 > 0 })
    else {
      program.finish()
      throw Problem("\(path): ffmpeg found no video of 16 to 8192 pixels a side in it.")
    }
    (self.width, self.height) = (Int(width), Int(height))
    rate = number("F")[0] / number("F")[1]
  }

  mutating func next() throws -> Frame? {
    guard Self.line(program.stream)?.hasPrefix("FRAME") == true else {
      program.finish()
      return nil
    }
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    guard let luma = read(width * height), let blue = read(halfWidth * halfHeight),
      let red = read(halfWidth * halfHeight)
    else {
      program.finish()
      return nil
    }
    defer { number += 1 }
    return Frame.converted(width: width, height: height, time: Double(number) / rate, luma: luma) { x, y in
      let k = y / 2 * halfWidth + x / 2
      return (blue[k], red[k])
    }
  }

  private func read(_ count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { $1 = fread($0.baseAddress, 1, count, program.stream) }
    return bytes.count == count ? bytes : nil
  }

  /// A line of at most 200 characters.
  private static func line(_ stream: UnsafeMutablePointer<FILE>) -> String? {
    var text = ""
    while text.count < 200 {
      let byte = getc(stream)
      guard byte != EOF else { return nil }
      guard byte != 10 else { return text }
      text.unicodeScalars.append(UnicodeScalar(UInt8(truncatingIfNeeded: byte)))
    }
    return nil
  }
}
