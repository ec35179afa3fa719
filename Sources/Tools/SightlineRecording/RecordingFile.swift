import Foundation

/// A recording in a file, or on standard input (`-`).
public struct FileSource: RecordingSource {
  private let handle: FileHandle
  private var buffer: ArraySlice<UInt8> = []
  /// Bytes of the file; `nil` when that is not known beforehand.
  public let size: UInt64?

  /// Opens a file.
  public init(_ path: String) throws {
    if path == "-" {
      handle = .standardInput
      size = nil
      return
    }
    handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.uint64Value
  }

  /// The next bytes.
  public mutating func read(upTo count: Int) throws -> [UInt8] {
    if buffer.isEmpty { buffer = [UInt8](try handle.read(upToCount: max(count, 1 << 18)) ?? Data())[...] }
    defer { buffer = buffer.dropFirst(count) }
    return Array(buffer.prefix(count))
  }
}

/// A recording that is written to a file, or to standard output (`-`).
public struct FileSink: RecordingSink {
  private let handle: FileHandle

  /// Makes the file, or empties it when there is one.
  public init(_ path: String) throws {
    if path == "-" {
      handle = .standardOutput
      return
    }
    try Data().write(to: URL(fileURLWithPath: path))
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// Appends some bytes.
  public func append(_ bytes: [UInt8]) throws { try handle.write(contentsOf: bytes) }
}
