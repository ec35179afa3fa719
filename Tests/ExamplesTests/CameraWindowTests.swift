#if os(Linux)
import CX11
import Foundation
import Sightline
import SightlinePictures
import SightlineTestSupport
import Testing

/// The example for Linux: a video or a camera in, a window or a video out, with what was found drawn where it is.
struct CameraWindowTests {
  /// Where the drawn marker is in a frame.
  private struct Truth {
    static let (width, height) = (640, 480)
    static let side = 110.0
    static let turn = 0.25
    var center: Vector2

    init(frame: Int) { center = Vector2(150 + 12 * Double(frame), 300 - 3 * Double(frame)) }

    /// A point of the marker, sides from its middle, x right, y down.
    func point(_ x: Double, _ y: Double) -> Vector2 {
      let (s, c) = (Foundation.sin(Self.turn), Foundation.cos(Self.turn))
      return center + Vector2(c * x - s * y, s * x + c * y) * Self.side
    }

    /// The picture: a turned marker on white paper before a grey wall.
    func levels() -> [UInt8] {
      var levels = [UInt8](repeating: 150, count: Self.width * Self.height)
      let family = MarkerDictionary.grid6x6Of250.family
      let (cells, code) = (family.cells, family.code(id: 7))
      let (s, c) = (Foundation.sin(Self.turn), Foundation.cos(Self.turn))
      let reach = Int(Self.side)
      let (left, top) = (Int(center.x) - reach, Int(center.y) - reach)
      for y in top...(top + 2 * reach) {
        for x in left...(left + 2 * reach) {
          var sum = 0
          for sample in 0..<9 {
            let dx = Double(x) + Double(sample % 3 - 1) / 3 - center.x
            let dy = Double(y) + Double(sample / 3 - 1) / 3 - center.y
            let (u, v) = ((c * dx + s * dy) / Self.side + 0.5, (c * dy - s * dx) / Self.side + 0.5)
            let (column, row) = (Int((u * 8).rounded(.down)) - 1, Int((v * 8).rounded(.down)) - 1)
            if u < -0.2 || v < -0.2 || u > 1.2 || v > 1.2 {
              sum += 150
            } else if u < 0 || v < 0 || u >= 1 || v >= 1 {
              sum += 230
            } else if (0..<cells).contains(column), (0..<cells).contains(row) {
              sum += code >> UInt64(cells * cells - 1 - row * cells - column) & 1 == 1 ? 230 : 25
            } else {
              sum += 25
            }
          }
          levels[y * Self.width + x] = UInt8(sum / 9)
        }
      }
      return levels
    }
  }

  private static let frames = 20
  private static let last = Truth(frame: frames - 1)
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("CameraWindow").path

  private func inFolder(_ work: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "sightline-camera-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try work(folder)
  }

  private func writeVideo(_ path: String) throws {
    var bytes = Data("YUV4MPEG2 W\(Truth.width) H\(Truth.height) F30:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL\n".utf8)
    for frame in 0..<Self.frames {
      bytes += Data("FRAME\n".utf8) + Data(Truth(frame: frame).levels())
      bytes += Data(repeating: 128, count: Truth.width * Truth.height / 2)
    }
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// Whether a colour is one of those that the example draws with; videos keep colours less well.
  private func isNear(_ a: (Int, Int, Int), _ b: (Int, Int, Int), _ tolerance: Int) -> Bool {
    abs(a.0 - b.0) <= tolerance && abs(a.1 - b.1) <= tolerance && abs(a.2 - b.2) <= tolerance
  }

  /// Holds a picture of the last frame against the truth.
  private func check(_ pixel: (_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int), tolerance: Int) {
    func color(_ point: Vector2) -> (Int, Int, Int) { pixel(Int(point.x.rounded()), Int(point.y.rounded())) }
    let (outline, red, lime) = ((0, 230, 102), (255, 51, 51), (153, 255, 51))
    // All edges but where labels may lie on the upper one, and nothing of their colour beside them.
    let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    for edge in 0..<4 {
      for share in [0.15, 0.4, 0.6, 0.85] {
        let (a, b) = (corners[edge], corners[(edge + 1) % 4])
        let (x, y) = (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
        let place = Self.last.point(x, y)
        #expect(isNear(color(place), outline, tolerance), "edge \(edge) at \(place): \(color(place))")
        for factor in [0.88, 1.12] {
          let beside = Self.last.point(x * factor, y * factor)
          #expect(!isNear(color(beside), outline, tolerance), "beside edge \(edge) at \(beside): \(color(beside))")
        }
      }
    }
    // x to its right, y to its top.
    #expect(isNear(color(Self.last.point(0.35, 0)), red, tolerance), "x: \(color(Self.last.point(0.35, 0)))")
    #expect(isNear(color(Self.last.point(0, -0.35)), lime, tolerance), "y: \(color(Self.last.point(0, -0.35)))")
    #expect(!isNear(color(Self.last.point(-0.35, 0)), red, tolerance))
    // The label over it: light letters on dark.
    var (light, dark) = (0, 0)
    let top = Self.last.center + Vector2(0, -0.62 * Truth.side)
    for y in Int(top.y) - 60..<Int(top.y) {
      for x in Int(top.x) - 80..<Int(top.x) + 80 {
        let (r, g, b) = pixel(x, y)
        if min(r, g, b) > 235 { light += 1 }
        if max(r, g, b) < 80 { dark += 1 }
      }
    }
    #expect(light > 100 && dark > 1000, "label: \(light) light, \(dark) dark")
  }

  /// What the program said: how far the marker is away.
  private func checkWords(_ output: String) {
    let found = output.split(separator: "\n").filter { $0.hasPrefix("found marker 7 · ") }
    #expect(found.count == 1, "\(output)")
    let metres = found.first?.split(separator: " ").compactMap { Double($0) }.last ?? 0
    let focal = Double(Truth.width) / 2 / Foundation.tan(32.5 * .pi / 180)
    let place = Truth(frame: 0).center - Vector2(Double(Truth.width - 1) / 2, Double(Truth.height - 1) / 2)
    let expected = Vector3(place.x, place.y, focal).length * 0.16 / Truth.side
    #expect(abs(metres - expected) < 0.02 * expected + 0.005, "\(metres), not \(expected)")
  }

  /// The last frame of a video.
  private func lastFrame(_ video: String, in folder: String) throws -> Data {
    let decoded = try ChildProgram.run(
      ["ffmpeg", "-loglevel", "error", "-nostdin", "-i", video, "-f", "rawvideo", "-pix_fmt", "rgb24", "raw"],
      in: folder
    )
    #expect(decoded.status == 0, "\(decoded.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/raw"))
    let size = 3 * Truth.width * Truth.height
    try #require(bytes.count == Self.frames * size, "\(bytes.count / size) frames")
    return Data(bytes.suffix(size))
  }

  private func checkVideo(_ video: String, in folder: String) throws {
    let frame = [UInt8](try lastFrame(video, in: folder))
    check(
      { x, y in
        let k = 3 * (y * Truth.width + x)
        return (Int(frame[k]), Int(frame[k + 1]), Int(frame[k + 2]))
      },
      tolerance: 70
    )
  }

  @Test func `a video comes out with outline, axes and label where the marker is`() throws {
    try inFolder { folder in
      try writeVideo(folder + "/in.y4m")
      let run = try ChildProgram.run(
        [Self.program, "--video", "in.y4m", "--marker", "7=0.16", "--output", "out.mp4"],
        in: folder
      )
      #expect(run.status == 0, "\(run.errors)")
      checkWords(run.output)
      try checkVideo("out.mp4", in: folder)
    }
  }

  @Test(arguments: ["YUYV", "MJPG"]) func `a camera's frames are looked at as a video's`(format: String) throws {
    try inFolder { folder in
      let library = folder + "/fake_camera.so"
      let built = try ChildProgram.run(
        ["clang", "-shared", "-fPIC", "-o", library, Self.folder + "/FakeCamera/fake_camera.c", "-ldl"]
      )
      try #require(built.status == 0, "\(built.errors)")
      var bytes = Data()
      for frame in 0..<Self.frames {
        let levels = Truth(frame: frame).levels()
        var record = Data()
        if format == "MJPG" {
          let picture = Picture(width: Truth.width, height: Truth.height, layout: .gray, pixels: levels)
          record = Data(try picture.jpeg(quality: 90))
        } else {
          for y in 0..<Truth.height {
            for x in 0..<Truth.width { record += [levels[y * Truth.width + x], 128] }
            record += Data(count: 32)
          }
        }
        bytes += withUnsafeBytes(of: UInt32(record.count)) { Data($0) } + record
      }
      try bytes.write(to: URL(fileURLWithPath: folder + "/frames"))
      let variables = [
        "LD_PRELOAD=\(library)", "FAKE_CAMERA=/dev/video-of-test", "FAKE_CAMERA_FRAMES=\(folder)/frames",
        "FAKE_CAMERA_FORMAT=\(format)", "FAKE_CAMERA_SIZE=\(Truth.width)x\(Truth.height)",
      ]
      let run = try ChildProgram.run(
        ["env"] + variables + [
          Self.program, "--camera", "/dev/video-of-test", "--marker", "7=0.16", "--output", "out.mp4",
        ],
        in: folder
      )
      #expect(run.status == 0, "\(run.errors)")
      checkWords(run.output)
      try checkVideo("out.mp4", in: folder)
    }
  }

  @Test func `what cannot be opened is said`() throws {
    let wrong: [([String], String)] = [
      ([], "usage"), (["--marker", "7"], "metres"), (["--marker", "250=0.1"], "0 to 249"),
      (["--marker", "7=nan"], "metres"),
      (["--picture", "none.png=1"], "none.png: "), (["--video"], "value"),
      (["--marker", "7=1", "--view", "1e999"], "10 to 150"),
      (["--marker", "7=1", "--video", "none.mp4"], "none.mp4: cannot be read"), (["--colour", "1"], "no such option"),
      (["--marker", "7=1", "--video", "/dev/null"], "found no video"),
      (["--marker", "7=1", "--camera", "/dev/null"], "no camera"),
      (["--marker", "7=1", "--camera", "/dev/none"], "plugged in"),
    ]
    for (arguments, words) in wrong {
      let run = try ChildProgram.run([Self.program] + arguments)
      #expect(run.status == 1 && run.errors.contains(words), "\(arguments): \(run.status) \(run.errors)")
    }
    try inFolder { folder in
      try writeVideo(folder + "/in.y4m")
      let run = try ChildProgram.run(
        ["env", "-u", "DISPLAY", Self.program, "--video", "in.y4m", "--marker", "7=0.16"],
        in: folder
      )
      #expect(run.status == 1 && run.errors.contains("no screen"), "\(run.errors)")
    }
  }

  @Test func `a window shows the same, until it is closed`() throws {
    try inFolder { folder in
      try writeVideo(folder + "/in.y4m")
      try withScreen { name in
        let output = Pipe()
        let process = try ChildProgram.start(
          ["env", "DISPLAY=\(name)", Self.program, "--video", "in.y4m", "--marker", "7=0.16"],
          in: folder,
          output: output.fileHandleForWriting.fileDescriptor
        )
        try output.fileHandleForWriting.close()
        var words = ""
        while !words.contains("press Q\n") {
          guard let more = try output.fileHandleForReading.read(upToCount: 1), !more.isEmpty else { break }
          words.unicodeScalars.append(UnicodeScalar(more[0]))
        }
        let display = try #require(XOpenDisplay(name))
        defer { XCloseDisplay(display) }
        let root = XDefaultRootWindow(display)
        let image = try #require(XGetImage(display, root, 0, 0, 640, 480, UInt(bitPattern: -1), ZPixmap))
        let data = try #require(image.pointee.data)
        let stride = Int(image.pointee.bytes_per_line)
        check(
          { x, y in
            let k = y * stride + 4 * x
            let bytes = (0..<3).map { Int(UInt8(bitPattern: data[k + $0])) }
            return (bytes[2], bytes[1], bytes[0])
          },
          tolerance: 12
        )
        free(data)
        XFree(image)
        close(display, root)
        #expect(ChildProgram.wait(process) == 0)
        let rest = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(rest.isEmpty, "\(rest)")
      }
    }
  }

  /// Runs work with a screen of its own, by its name.
  private func withScreen(_ work: (String) throws -> Void) throws {
    let output = Pipe()
    let server = try ChildProgram.start(
      ["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"],
      in: "/tmp",
      output: output.fileHandleForWriting.fileDescriptor
    )
    try output.fileHandleForWriting.close()
    defer {
      kill(server, SIGTERM)
      _ = ChildProgram.wait(server)
    }
    var number = ""
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
      number.unicodeScalars.append(UnicodeScalar(byte))
    }
    try #require(Int(number) != nil, "Xvfb said “\(number)”")
    try work(":\(number)")
  }

  /// Tells the window on the screen that its cross was clicked on.
  private func close(_ display: OpaquePointer, _ root: CX11.Window) {
    var (above, parent, count): (CX11.Window, CX11.Window, UInt32) = (0, 0, 0)
    var children: UnsafeMutablePointer<CX11.Window>?
    guard XQueryTree(display, root, &above, &parent, &children, &count) != 0, count == 1, let children else {
      Issue.record("\(count) windows")
      return
    }
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = children[0]
    event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", 0)
    event.xclient.format = 32
    event.xclient.data.l.0 = Int(bitPattern: XInternAtom(display, "WM_DELETE_WINDOW", 0))
    XSendEvent(display, children[0], 0, 0, &event)
    XFlush(display)
    XFree(children)
  }
}
#endif
