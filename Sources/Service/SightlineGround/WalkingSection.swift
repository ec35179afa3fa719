import SightlineOpenStreetMap
import SightlineWalking

/// The part of a ground file that says where people can walk.
enum WalkingSection {
  static func build(
    _ extract: OSMExtract,
    heights: ((Double, Double) -> Double?)?
  ) -> (bytes: [UInt8], nodes: Int, edges: Int) {
    ([], 0, 0)
  }
}
