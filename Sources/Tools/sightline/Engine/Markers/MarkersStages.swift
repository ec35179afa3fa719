import ArgumentParser
import Foundation
import SightlineImaging
import SightlineMarkers
import SightlinePictures

/// `sightline markers stages`.
struct MarkersStages: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stages",
    abstract: "Write a picture of each step of the search for markers.",
    discussion: """
      Shows how a marker is found, or where it gets lost: the grey picture, what is dark (threshold), outlines, outlines \
      with four sides (quadrilaterals), those with measured sides (edges), the markers with their numbers, the upper side \
      in red, and the cells: each quadrilateral as it looks from straight ahead, beside it what is dark by Otsu's level, \
      with the number where it is a marker. Large markers are looked for in smaller copies of the picture too, which then \
      have steps of their own. Files: PNG, named by step.
      """
  )

  @Option(
    name: .customLong("dictionary"),
    help: ArgumentHelp(
      "Dictionary to look for (default: all); may be given several times.",
      valueName: "name"
    )
  )
  var dictionaries: [DictionaryArgument] = []

  @Option(parsing: .unconditional, help: ArgumentHelp("Shortest side of a marker in the picture.", valueName: "pixels"))
  var minimumSide: Double = 16

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Folder for the pictures; made when there is none.", valueName: "folder")
  )
  var output: String

  @Argument(help: ArgumentHelp("Picture.", valueName: "file"))
  var file: String

  func validate() throws {
    guard minimumSide >= 6, minimumSide <= 10000 else {
      throw ValidationError("--minimum-side has to be 6 to 10000 pixels.")
    }
  }

  func run() throws {
    let frame: Picture
    do throws(PictureError) {
      frame = try Picture(contentsOfFile: file, as: .gray)
    } catch {
      throw Failure("\(file): \(error)")
    }
    var parameters = MarkerDetector.Parameters()
    parameters.minimumSide = minimumSide
    let wanted = dictionaries.isEmpty ? MarkerDictionary.allCases : dictionaries.map(\.dictionary)
    var detector = MarkerDetector(dictionaries: wanted, parameters: parameters)
    var sink = StagePictures(frame: frame, mostCells: wanted.reduce(4) { max($0, $1.cells) })
    var markers: [DetectedMarker] = []
    frame.pixels.withUnsafeBufferPointer { pixels in
      guard let view = try? GrayView(pixels, width: frame.width, height: frame.height, stride: frame.width) else {
        return
      }
      detector.detect(in: view, into: &markers, reporting: &sink)
    }
    do {
      try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
      for entry in sink.finished() {
        let path = (output as NSString).appendingPathComponent(entry.name + ".png")
        try Data(entry.picture.png()).write(to: URL(fileURLWithPath: path), options: .atomic)
        Console.say(path)
      }
    } catch {
      throw Failure("\(output) cannot be written into. Check the path and its rights.")
    }
    Console.note("\(file): \(Console.count(markers.count, "marker"))")
  }
}
