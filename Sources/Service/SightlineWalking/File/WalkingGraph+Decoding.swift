extension WalkingGraph {
  /// A stored graph, from bytes that are copied once.
  ///
  /// - Throws: ``WalkingProblem/damaged(_:)``. Whatever the bytes are, nothing that is asked of the graph afterwards ends the process.
  public init(reading bytes: [UInt8]) throws(WalkingProblem) {
    self = try StoredGraph(bytes.withUnsafeBytes { ColumnMemory(copying: $0) }).graph
  }

  /// A stored graph in place, its file mapped into memory: it is checked at once, and pages stay shared with other processes.
  ///
  /// The file must not be written while it is open; a new one has to come by renaming.
  /// - Parameters:
  ///   - path: the file.
  ///   - part: the bytes of the file that it lies in, from a multiple of eight; all of them where it is `nil`.
  /// - Throws: ``WalkingProblem/unreadable(_:)``, ``WalkingProblem/damaged(_:)``.
  public init(mapping path: String, part: Range<Int>? = nil) throws(WalkingProblem) {
    guard let memory = ColumnMemory(mapping: path, part: part) else { throw .unreadable(path) }
    self = try StoredGraph(memory).graph
  }
}

/// Reads the head of a stored graph, finds its columns, and checks them.
struct StoredGraph {
  let graph: WalkingGraph

  init(_ memory: ColumnMemory, verifiesChecksum: Bool = true) throws(WalkingProblem) {
    // Columns are used as they lie.
    guard UInt16(littleEndian: 1) == 1 else { throw .damaged("this machine is big-endian") }
    let bytes = UnsafeRawBufferPointer(start: memory.base, count: memory.count)
    guard bytes.count >= StoredLayout.head, bytes.prefix(8).elementsEqual(StoredLayout.signature) else {
      throw .damaged("no signature")
    }
    func u32(_ offset: Int) -> UInt32 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    func u64(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    guard u32(8) == StoredLayout.version else { throw .damaged("version \(u32(8))") }
    guard u64(16) == UInt64(clamping: bytes.count), bytes.count % 8 == 0 else { throw .damaged("length") }
    guard !verifiesChecksum || u64(24) == StoredLayout.checksum(bytes) else { throw .damaged("checksum") }
    guard let nodeCount = Int(exactly: u64(32)), let edgeCount = Int(exactly: u64(40)),
      (1..<1 << 30).contains(nodeCount), (1..<1 << 30).contains(edgeCount),
      let coreStart = Int(exactly: u64(56)), coreStart <= nodeCount,
      u64(48) == 0 || Int(exactly: u64(48)) == WalkingProfile.allCases.count
    else { throw .damaged("counts") }
    let hierarchyCount = u64(48) == 0 ? 0 : WalkingProfile.allCases.count
    let columnCount = StoredLayout.columns + StoredLayout.hierarchyColumns * hierarchyCount
    guard u32(12) == UInt32(clamping: columnCount),
      bytes.count >= StoredLayout.head + StoredLayout.row * columnCount
    else { throw .damaged("table of columns") }
    var next = 0
    func column<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(
      _ type: Element.Type = Element.self
    ) throws(WalkingProblem) -> Column<Element> {
      let row = StoredLayout.head + StoredLayout.row * next
      let width = MemoryLayout<Element>.stride
      guard u32(row) == UInt32(clamping: next), u32(row + 4) == UInt32(clamping: width),
        let offset = Int(exactly: u64(row + 8)), let count = Int(exactly: u64(row + 16)),
        offset % 8 == 0, offset <= bytes.count, count <= (bytes.count - offset) / width
      else { throw .damaged("column \(next)") }
      next += 1
      return Column(memory, offset: offset, count: count)
    }
    let columns = Columns(
      nodePositions: try column(),
      nodeFlags: try column(),
      components: try column(),
      from: try column(),
      to: try column(),
      lengths: try column(),
      forwardTimes: try column(),
      backwardTimes: try column(),
      flags: try column(),
      names: try column(),
      steps: try column(),
      ascents: try column(),
      descents: try column(),
      shapeFirst: try column(),
      shape: try column(),
      nameFirst: try column(),
      nameBytes: try column(),
      adjacencyFirst: try column(),
      adjacency: try column()
    )
    let index = EdgeIndex(cells: try column(), first: try column(), edges: try column())
    var hierarchies: [Hierarchy] = []
    for _ in 0..<hierarchyCount {
      hierarchies.append(Hierarchy(coreStart: coreStart, first: try column(), arcs: try column()))
    }
    let check = GraphCheck(nodeCount: nodeCount, edgeCount: edgeCount)
    try check.check(columns)
    try check.check(index)
    for hierarchy in hierarchies { try check.check(hierarchy, columns) }
    graph = WalkingGraph(columns: columns, index: index, hierarchies: hierarchies)
  }
}
