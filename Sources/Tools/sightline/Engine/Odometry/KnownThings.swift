import ArgumentParser
import Foundation
import SightlineCamera
import SightlineImageTargets
import SightlineImaging
import SightlineMarkers
import SightlineOdometry
import SightlineVision

/// `--known-marker DICTIONARY:ID:SIDE`.
struct KnownMarkerArgument: ExpressibleByArgument {
  var dictionary: MarkerDictionary
  var id: Int32
  /// Of its black border, metres.
  var side: Double

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let dictionary = DictionaryArgument(argument: parts[0]), let id = Int32(parts[1]), id >= 0,
      let side = Double(parts[2]), side > 0.005, side < 20
    else { return nil }
    (self.dictionary, self.id, self.side) = (dictionary.dictionary, id, side)
  }
}

/// `--known-target FILE:WIDTH`.
struct KnownTargetArgument: ExpressibleByArgument {
  var file: String
  /// Of the whole print, metres.
  var width: Double

  init?(argument: String) {
    // A file's name may hold colons as well.
    guard let colon = argument.lastIndex(of: ":"), let width = Double(argument[argument.index(after: colon)...]),
      width > 0.005, width < 20
    else { return nil }
    (file, self.width) = (String(argument[..<colon]), width)
    guard !file.isEmpty else { return nil }
  }
}

/// Things of known size that a command is told.
struct KnownSizeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A marker of known size: dictionary, id, side of its black border in metres.",
      valueName: "6x6-250:7:0.16"
    )
  )
  var knownMarker: [KnownMarkerArgument] = []
  @Option(
    help: ArgumentHelp(
      "A picture of known size: its file, width of the whole print in metres.",
      valueName: "file:width"
    )
  )
  var knownTarget: [KnownTargetArgument] = []

  /// Whether there are none.
  var isEmpty: Bool { knownMarker.isEmpty && knownTarget.isEmpty }
}

/// Looks for things of known size in the frames of a sequence.
struct KnownThings {
  /// Every so many frames; sizes do not change.
  private static let interval = 3

  private let pipeline = VisionPipeline()
  private var sizes: [AnchorID: (width: Double, height: Double)] = [:]
  private var frames = 0
  private var observations: [Observation] = []

  init(markers: [KnownMarkerArgument], targets: [KnownTargetArgument]) throws {
    for marker in markers {
      sizes[.marker(dictionary: marker.dictionary.rawValue, id: marker.id)] = (marker.side, marker.side)
    }
    var dictionaries: [MarkerDictionary] = []
    for marker in markers where !dictionaries.contains(marker.dictionary) { dictionaries.append(marker.dictionary) }
    if !dictionaries.isEmpty { pipeline.watchMarkers(dictionaries) }
    for (index, argument) in targets.enumerated() {
      let picture = try TargetFiles.picture(argument.file)
      let bytes = try TargetFiles.withView(picture) {
        TargetBuilder().file(of: $0, name: Array("known".utf8), printedWidth: argument.width)
      }
      let number = Int32(truncatingIfNeeded: index)
      pipeline.addPicture(number, try TargetFile.decode(bytes), width: argument.width)
      let height = argument.width * Double(picture.height) / Double(picture.width)
      sizes[.picture(number)] = (argument.width, height)
    }
  }

  /// What of known size is seen in a frame, by the camera as it is believed to be.
  mutating func rectangles(in frame: GrayView, time: Double, by camera: FrameCamera) -> [KnownRectangle] {
    guard !sizes.isEmpty else { return [] }
    frames += 1
    guard frames % Self.interval == 1 else { return [] }
    pipeline.process(frame, time: time, camera: nil, into: &observations)
    return observations.compactMap { seen in
      guard seen.state == .found || seen.state == .tracked, let size = sizes[seen.anchor] else { return nil }
      return KnownRectangle(seen.anchor, width: size.width, height: size.height, corners: seen.corners, by: camera)
    }
  }
}
