import Foundation
import SightlineInput
import SightlineProtobuf

/// An OpenStreetMap extract in a file, `.osm.pbf` or `.osm`; which of them is told by its first bytes.
public struct OSMFile: Sendable {
  /// Where it is.
  public let path: String
  /// What it may hold at most.
  public var limits = OSMLimits()

  /// An extract; the file need not be there yet.
  public init(path: String) { self.path = path }

  /// Bytes of the file.
  public var size: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Reads all of it.
  ///
  /// Blocks of PBF are unpacked and read by as many threads as there are processors; at most 64 MiB of them are held packed at a
  /// time.
  ///
  /// - Parameters:
  ///   - filter: which tags are kept.
  ///   - progress: told the share of the file that was read, 0…1, after each few blocks.
  /// - Returns: what it holds.
  /// - Throws: ``OSMReadingError``.
  public func read(
    keeping filter: OSMTagFilter = .all,
    progress: (Double) -> Void = { _ in }
  ) async throws -> OSMExtract {
    guard let handle = FileHandle(forReadingAtPath: path) else { throw OSMReadingError.unreadable(path) }
    defer { try? handle.close() }
    guard let start = try? handle.read(upToCount: 64), (try? handle.seek(toOffset: 0)) != nil else {
      throw OSMReadingError.unreadable(path)
    }
    var collection = OSMCollection(limits: limits)
    if Self.isPBF(start) {
      try await readBlocks(PBFBlobs(handle), keeping: filter, into: &collection, progress: progress)
    } else if Self.isXML(start) {
      var reader = OSMXMLReader(handle, filter: filter)
      let size = size
      while let block = try reader.nextBlock() {
        try collection.add(block)
        progress(min(1, Double(reader.offset) / Double(max(1, size))))
      }
    } else {
      throw OSMReadingError.unknownFormat(path)
    }
    return collection.extract()
  }

  /// Whether a file begins as PBF does: the length of a header, and in it the name of the first block.
  static func isPBF(_ start: Data) -> Bool {
    start.count > 16 && start.prefix(3).allSatisfy { $0 == 0 } && start.range(of: Data("OSMHeader".utf8)) != nil
  }

  static func isXML(_ start: Data) -> Bool {
    let text = String(decoding: start, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return text.hasPrefix("<?xml") || text.hasPrefix("<osm")
  }

  /// Packed bytes that are held at a time.
  private static let batchBytes = 64 << 20

  private func readBlocks(
    _ source: PBFBlobs,
    keeping filter: OSMTagFilter,
    into collection: inout OSMCollection,
    progress: (Double) -> Void
  ) async throws {
    var blobs = source
    let size = size
    let most = 4 * ProcessInfo.processInfo.activeProcessorCount
    var hasHeader = false
    var isAtEnd = false
    while !isAtEnd {
      var batch: [PBFBlobs.Packed] = []
      var bytes = 0
      while batch.count < most, bytes < Self.batchBytes {
        guard let blob = try blobs.next() else {
          isAtEnd = true
          break
        }
        if blob.isHeader {
          collection.bounds = try PBFHeader.read(blob) ?? collection.bounds
          hasHeader = true
          continue
        }
        guard hasHeader else {
          throw OSMReadingError.block(blob.number, offset: blob.offset, "there is data before the file's header")
        }
        bytes += blob.bytes.count
        batch.append(blob)
      }
      for block in try await Self.blocks(of: batch, keeping: filter) { try collection.add(block) }
      if let last = batch.last { progress(min(1, Double(last.offset + last.bytes.count) / Double(max(1, size)))) }
    }
    guard hasHeader else { throw OSMReadingError.block(1, offset: 0, "the file has no header") }
  }

  /// Reads blocks side by side, and hands them back in their order.
  private static func blocks(of batch: [PBFBlobs.Packed], keeping filter: OSMTagFilter) async throws -> [OSMBlock] {
    try await withThrowingTaskGroup(of: (Int, OSMBlock).self) { group in
      for (index, blob) in batch.enumerated() {
        group.addTask { (index, try block(blob, keeping: filter)) }
      }
      var blocks = [OSMBlock](repeating: OSMBlock(), count: batch.count)
      for try await (index, block) in group { blocks[index] = block }
      return blocks
    }
  }

  private static func block(_ blob: PBFBlobs.Packed, keeping filter: OSMTagFilter) throws -> OSMBlock {
    let content = try blob.unpacked()
    do {
      return try content.withUnsafeBytes { try OSMBlock($0, keeping: filter) }
    } catch let damage as PBFDamage {
      throw OSMReadingError.block(blob.number, offset: blob.offset, damage.what)
    } catch {
      throw OSMReadingError.block(blob.number, offset: blob.offset, "its content is malformed")
    }
  }
}

/// The first block of a PBF file.
enum PBFHeader {
  /// What a reader has to understand to read this program's kind of files.
  private static let known: Set<String> = ["OsmSchema-V0.6", "DenseNodes"]

  /// Checks that the file can be read.
  ///
  /// - Returns: the area that it is of, where it says so.
  static func read(_ blob: PBFBlobs.Packed) throws -> OSMBounds? {
    let content = try blob.unpacked()
    var required: [String] = []
    var bounds: OSMBounds?
    do {
      try content.withUnsafeBytes { bytes in
        var reader = ProtobufReader(bytes)
        while try reader.next() {
          switch reader.field {
          case 1: bounds = try area(reader.message())
          case 4: required.append(String(decoding: try reader.message().prefix(64), as: UTF8.self))
          default: try reader.skip()
          }
        }
      }
    } catch {
      throw OSMReadingError.block(blob.number, offset: blob.offset, "the file's header is malformed")
    }
    if let unknown = required.first(where: { !known.contains($0) }) {
      throw OSMReadingError.block(
        blob.number,
        offset: blob.offset,
        "the file needs “\(unknown)”, which this program does not know"
      )
    }
    return bounds
  }

  /// A `HeaderBBox`: left, right, top and bottom in 1e-9 degrees.
  private static func area(_ bytes: UnsafeRawBufferPointer) throws -> OSMBounds? {
    var sides: [Int64] = [0, 0, 0, 0]
    var reader = ProtobufReader(bytes)
    while try reader.next() {
      if (1...4).contains(reader.field) { sides[reader.field - 1] = try reader.zigzag() } else { try reader.skip() }
    }
    let values = sides.map { Int32(clamped: $0 / 100) }
    return OSMBounds(
      south: max(-900_000_000, values[3]),
      west: max(-1_800_000_000, values[0]),
      north: min(900_000_000, values[2]),
      east: min(1_800_000_000, values[1])
    )
  }
}

/// Gathers blocks into an extract, within limits.
struct OSMCollection {
  private let limits: OSMLimits
  private var ids: [Int64] = []
  private var positions: [OSMPosition] = []
  private var nodes: [OSMNode] = []
  private var ways: [OSMWay] = []
  private var relations: [OSMRelation] = []
  private var references = 0
  private var tags = 0
  /// The area that the file says it is of.
  var bounds: OSMBounds?

  init(limits: OSMLimits) { self.limits = limits }

  mutating func add(_ block: OSMBlock) throws {
    bounds = block.bounds ?? bounds
    references += block.references
    tags += block.tags
    guard ids.count + block.nodeIDs.count <= limits.nodes else {
      throw OSMReadingError.tooLarge("There are more than \(limits.nodes) nodes")
    }
    guard ways.count + relations.count + block.ways.count + block.relations.count <= limits.elements else {
      throw OSMReadingError.tooLarge("There are more than \(limits.elements) ways and relations")
    }
    guard references <= limits.references else {
      throw OSMReadingError.tooLarge("The ways and relations have more than \(limits.references) nodes and members")
    }
    guard tags <= limits.tags else { throw OSMReadingError.tooLarge("There are more than \(limits.tags) tags") }
    ids += block.nodeIDs
    positions += block.positions
    nodes += block.nodes
    ways += block.ways
    relations += block.relations
  }

  consuming func extract() -> OSMExtract {
    OSMExtract(
      positions: NodePositions(ids: ids, values: positions),
      nodes: Self.ordered(nodes, \.id),
      ways: Self.ordered(ways, \.id),
      relations: Self.ordered(relations, \.id),
      bounds: bounds
    )
  }

  /// By rising identifier, of each the last; as most programs write them already.
  private static func ordered<Element>(_ elements: [Element], _ id: (Element) -> Int64) -> [Element] {
    if zip(elements, elements.dropFirst()).allSatisfy({ id($0) < id($1) }) { return elements }
    var last: [Int64: Int] = [:]
    for (index, element) in elements.enumerated() { last[id(element)] = index }
    return last.sorted { $0.key < $1.key }.map { elements[$0.value] }
  }
}
