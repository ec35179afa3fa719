/// A graph's numbers as they are put together, before they become columns.
struct GraphTables {
  /// Latitude and longitude of each node, 1e-7 degrees, one after the other.
  var nodePositions: [Int32] = []
  /// ``NodeFlags`` of each node.
  var nodeFlags: [UInt8] = []
  /// Number of the connected part that each node is in; 0 is the longest.
  var components: [UInt32] = []

  var from: [UInt32] = []
  var to: [UInt32] = []
  /// Decimetres.
  var lengths: [UInt32] = []
  /// Tenths of a second from first node to last.
  var forwardTimes: [UInt32] = []
  /// Tenths of a second from last node to first.
  var backwardTimes: [UInt32] = []
  var flags: [UInt16] = []
  /// Index of the street's name, 0 for none.
  var names: [UInt32] = []
  var steps: [UInt16] = []
  /// Decimetres up, and down, from first node to last.
  var ascents: [UInt16] = []
  var descents: [UInt16] = []
  /// Where the points between an edge's nodes begin, in pairs; one more than there are edges.
  var shapeFirst: [UInt32] = [0]
  var shape: [Int32] = []

  /// Where a name's bytes begin; one more than there are names.
  ///
  /// Name 0 is empty.
  var nameFirst: [UInt32] = [0, 0]
  var nameBytes: [UInt8] = []

  var nodeCount: Int { nodeFlags.count }
  var edgeCount: Int { flags.count }

  static let elevatorNode: UInt8 = 1
}
