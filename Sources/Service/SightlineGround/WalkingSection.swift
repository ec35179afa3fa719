import SightlineOpenStreetMap
import SightlineWalking

/// The part of a ground file that says where people can walk.
struct WalkingSection {
  /// As `WalkingGraph` writes it; empty where nothing can be walked.
  var bytes: [UInt8] = []
  var nodes = 0
  var edges = 0

  /// - Throws: ``GroundProblem/walking(_:)`` when the net is larger than a graph can be.
  init(_ extract: OSMExtract, heights: WalkingGraph.Heights?) throws(GroundProblem) {
    do {
      let graph = try WalkingGraph(extract, heights: heights).prepared()
      bytes = graph.encode()
      nodes = graph.nodeCount
      edges = graph.edgeCount
    } catch .empty {
      // A sea chart has its map nevertheless.
    } catch {
      throw .walking("\(error)")
    }
  }
}
