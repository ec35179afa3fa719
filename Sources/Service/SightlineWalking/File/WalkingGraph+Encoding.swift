extension WalkingGraph {
  /// The stored form: see Documentation/formats/walking.md.
  ///
  /// The same graph always gives the same bytes.
  public func encode() -> [UInt8] {
    var writer = GraphWriter(columnCount: StoredLayout.columns + StoredLayout.hierarchyColumns * hierarchies.count)
    writer.add(columns.nodePositions)
    writer.add(columns.nodeFlags)
    writer.add(columns.components)
    writer.add(columns.from)
    writer.add(columns.to)
    writer.add(columns.lengths)
    writer.add(columns.forwardTimes)
    writer.add(columns.backwardTimes)
    writer.add(columns.flags)
    writer.add(columns.names)
    writer.add(columns.steps)
    writer.add(columns.ascents)
    writer.add(columns.descents)
    writer.add(columns.shapeFirst)
    writer.add(columns.shape)
    writer.add(columns.nameFirst)
    writer.add(columns.nameBytes)
    writer.add(columns.adjacencyFirst)
    writer.add(columns.adjacency)
    writer.add(index.cells)
    writer.add(index.first)
    writer.add(index.edges)
    for hierarchy in hierarchies {
      writer.add(hierarchy.first)
      writer.add(hierarchy.arcs)
    }
    return writer.finished(
      counts: [nodeCount, edgeCount, hierarchies.count, hierarchies.first?.coreStart ?? nodeCount]
    )
  }
}

/// Writes columns one behind the other, each from a multiple of eight bytes.
private struct GraphWriter {
  private var bytes: [UInt8]
  private var rows: [(width: Int, offset: Int, count: Int)] = []

  init(columnCount: Int) {
    bytes = [UInt8](repeating: 0, count: StoredLayout.head + StoredLayout.row * columnCount)
  }

  mutating func add<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(_ column: Column<Element>) {
    rows.append((MemoryLayout<Element>.size, bytes.count, column.count))
    if Element(littleEndian: 1) == 1 {
      column.withBytes { bytes.append(contentsOf: $0) }
    } else {
      for index in 0..<column.count {
        withUnsafeBytes(of: column[index].littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  private mutating func put(_ value: Int, width: Int, at offset: Int) {
    for index in 0..<width { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  mutating func finished(counts: [Int]) -> [UInt8] {
    bytes.replaceSubrange(0..<8, with: StoredLayout.signature)
    put(Int(StoredLayout.version), width: 4, at: 8)
    put(rows.count, width: 4, at: 12)
    put(bytes.count, width: 8, at: 16)
    for (index, count) in counts.enumerated() { put(count, width: 8, at: 32 + 8 * index) }
    for (index, row) in rows.enumerated() {
      let offset = StoredLayout.head + StoredLayout.row * index
      put(index, width: 4, at: offset)
      put(row.width, width: 4, at: offset + 4)
      put(row.offset, width: 8, at: offset + 8)
      put(row.count, width: 8, at: offset + 16)
    }
    let checksum = bytes.withUnsafeBytes { StoredLayout.checksum($0) }
    put(Int(bitPattern: UInt(checksum)), width: 8, at: 24)
    return bytes
  }
}
