import ArgumentParser

/// `sightline markers`.
struct Markers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Square markers: find and follow them, print them, look into the search.",
    discussion: """
      Dictionaries: aruco-original; 4x4, 5x5, 6x6 and 7x7, each with -50, -100, -250 or -1000; aruco-mip-36h12; \
      apriltag-16h5, -25h9, -36h10, -36h11. OpenCV's names (DICT_6X6_250) and AprilTag's (tag36h11) are understood too.
      """,
    subcommands: [MarkersDetect.self, MarkersTrack.self, MarkersMake.self, MarkersStages.self]
  )
}
