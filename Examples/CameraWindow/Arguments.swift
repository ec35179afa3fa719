import Sightline
import SightlinePictures

/// What the program is told.
struct Arguments {
  static let usage = """
    usage: CameraWindow [--camera DEVICE | --video FILE] [--output FILE] [--view DEGREES] [--marker ID=METRES]… [--picture FILE=METRES]…

      --camera   default /dev/video0
      --output   a video file instead of a window
      --view     what the camera sees along its longer side, default 65
      --marker   of the dictionary 6x6-250, with the width of its black border
      --picture  a flat picture, with the width of its print

    """

  var camera = "/dev/video0"
  var video: String?
  var output: String?
  var view = 65.0
  var prints: [Print] = []

  init(_ words: [String]) throws {
    var rest = words[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Problem("\(name): a value is missing.\n\n\(Self.usage)") }
      switch name {
      case "--camera": camera = value
      case "--video": video = value
      case "--output": output = value
      case "--view":
        guard let degrees = Double(value), (10...150).contains(degrees) else {
          throw Problem("--view \(value): give degrees, 10 to 150.")
        }
        view = degrees
      case "--marker":
        let (id, width) = try Self.pair(name, value)
        guard let number = Int32(id), (0..<250).contains(number) else {
          throw Problem("--marker \(value): the dictionary 6x6-250 has the markers 0 to 249.")
        }
        prints.append(Print(name: "marker \(number)", kind: .marker(number), width: width))
      case "--picture":
        let (file, width) = try Self.pair(name, value)
        prints.append(Print(name: file, kind: .picture(try Self.target(file, width)), width: width))
      default: throw Problem("\(name): there is no such option.\n\n\(Self.usage)")
      }
    }
    guard !prints.isEmpty else { throw Problem("say what to look for: --marker or --picture.\n\n\(Self.usage)") }
  }

  private static func pair(_ name: String, _ value: String) throws -> (String, Double) {
    guard let sign = value.lastIndex(of: "="), let width = Double(value[value.index(after: sign)...]), width > 0,
      width < 100
    else { throw Problem("\(name) \(value): a width in metres is missing, as in \(name) …=0.05.") }
    return (String(value[..<sign]), width)
  }

  private static func target(_ file: String, _ width: Double) throws -> Target {
    let picture: Picture
    do { picture = try Picture(contentsOfFile: file, as: .gray) } catch { throw Problem("\(file): \(error)") }
    return try picture.pixels.withUnsafeBufferPointer { pixels in
      let view = try GrayView(pixels, width: picture.width, height: picture.height, stride: picture.width)
      return TargetBuilder().build(view, name: Array(file.utf8.prefix(255)), printedWidth: width)
    }
  }
}
